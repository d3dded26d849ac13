"""Charts: what they are as Vega-Lite, and as files; honest about gaps, and text that stays text."""

from __future__ import annotations

import hashlib
import itertools
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seedrank.core.errors import InputError, UsageError
from seedrank.output.charts import svg
from seedrank.output.charts.chart import Chart, Series
from seedrank.output.charts.label_layout import spread
from seedrank.output.charts.panels import looks, panels, panels_of, with_series, without_data
from seedrank.output.charts.plot import Plot, Size, lone_points, thin
from seedrank.output.charts.render import as_pdf, as_png, as_svg, chart_named, figure_size, vega_svg
from seedrank.output.charts.scale import SMALLEST, scale
from seedrank.output.charts.vega_lite import specification

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "</svg><script>alert('x\")</script>\x07\u202e&amp;\ud800"


def chart(*series: Series, **more) -> Chart:
    return Chart("c", more.pop("title", "Title"), more.pop("x", "x"), more.pop("y", "y"), series, **more)


def line(name: str, y: list[float], **more) -> Series:
    return Series(name, np.arange(1.0, len(y) + 1), np.array(y, float), **more)


def banded(name: str, y: list[float], wide: float = 1.0) -> Series:
    return line(name, y, low=np.array(y) - wide, high=np.array(y) + wide)


def spec(one: Chart) -> dict[str, Any]:
    return specification(panels_of(one), Size())


def layers(one: Chart, mark: str) -> list[dict[str, Any]]:
    return [layer for layer in spec(one)["layer"] if layer["mark"]["type"] == mark]


def rows(one: Chart, mark: str) -> list[dict[str, Any]]:
    """Data of the only layer with this mark."""
    what = spec(one)
    [layer] = [layer for layer in what["layer"] if layer["mark"]["type"] == mark]
    return layer.get("data", what["data"])["values"]


def intervals(one: Chart) -> list[dict[str, Any]]:
    """Rows of intervals that are drawn one by one."""
    found = [row for layer in layers(one, "rule") for row in layer["data"]["values"]]
    return [row for row in found if set(row) == {"x", "low", "high", "s"}]


def drawn(one: Chart, **more) -> str:
    [panel] = panels_of(one)
    return as_svg(panel, **more)


def parsed(one: Chart) -> ElementTree.Element:
    return ElementTree.fromstring(drawn(one))


def titles(root: ElementTree.Element) -> list[str]:
    return [g.find(f"{SVG}title").text for g in root.iter() if g.get("class") == "point"]


def texts(root: ElementTree.Element) -> list[str]:
    return [part.text for part in root.iter() if part.tag in (f"{SVG}text", f"{SVG}tspan") and part.text]


KINDS = {
    "line": chart(banded("a", [1, 2, 3]), line("b", [3, 2, 1]), caption="c"),
    "many": chart(*(banded(str(n), [n, 2 * n, 3], 9) for n in range(1, 6))),
    "scatter": chart(banded("a", [1, 2, 3]), line("b", [3, 2, 1]), kind="scatter", log_x=True),
    "bar": chart(banded("a", [1, -2, 3]), line("b", [3, 2, 1]), kind="bar", ticks=["p", "q", "r", "s"]),
    "log bar": chart(Series("", np.arange(2.0), np.array([1e-3, 1e3])), kind="bar", ticks=["p", "q"], log_y=True),
    "two panels": chart(*(line(str(n), [1, n]) for n in range(13))),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_specifications_are_valid_and_hold_their_data(kind):
    what = spec(KINDS[kind])
    vega_svg(what)  # raises where Vega cannot make a picture of it
    assert "url" not in json.dumps(what).replace(what["$schema"], "").lower()
    assert json.loads(json.dumps(what, allow_nan=False)) == what


@pytest.mark.parametrize("kind", ["line", "scatter", "bar"])
def test_specifications_are_those_on_file(kind):
    """Vega-Lite skips in silence what it does not know: a change is seen here, and looked at in a picture."""
    there = json.loads(Path(__file__).with_name("chart_specifications.json").read_text(encoding="utf-8"))
    assert spec(KINDS[kind]) == there[kind]


@pytest.mark.slow
def test_every_point_says_its_value_and_interval():
    root = parsed(chart(banded("a", [1, 2], 0.5), x="k", caption="what to size for"))
    assert titles(root) == ["a · k 1 · 1 [0.5, 1.5]", "a · k 2 · 2 [1.5, 2.5]"]
    assert root.find(f"{SVG}title").text == "Title"
    assert root.find(f"{SVG}desc").text == "what to size for"
    assert root.get("aria-label") == "Title. what to size for"


@pytest.mark.slow
def test_nan_leaves_a_gap():
    one = chart(line("a", [1, np.nan, 3, 4, np.inf, 5]))
    assert [row["y"] for row in rows(one, "line")] == [1, None, 3, 4, None, 5]
    [path] = [p for p in parsed(one).iter(f"{SVG}path") if p.get("stroke-linejoin")]
    assert path.get("d").count("M") == 3
    assert len(titles(parsed(one))) == 4


def test_a_lone_point_of_a_long_curve_is_seen_with_its_interval():
    y = np.arange(100.0)
    y[[49, 51]] = np.nan
    one = chart(banded("a", y.tolist()))
    assert [row["x"] for row in rows(one, "point") if row["seen"]] == [51]
    assert [row["x"] for row in intervals(one)] == [51]


def test_what_is_not_positive_is_left_out_of_a_logarithmic_axis():
    one = chart(
        line("a", [0, -1, 10, 1000], low=np.array([0, 0, -5.0, 100]), high=np.array([1, 1, 20.0, 2000])), log_y=True
    )
    assert titles(parsed(one)) == ["a · x 3 · 10 [-5, 20]", "a · x 4 · 1,000 [100, 2,000]"]
    [lines] = layers(one, "line")
    assert lines["encoding"]["y"]["scale"]["type"] == "log"
    low = [row["low"] for row in rows(one, "line")]
    assert low[2] == lines["encoding"]["y"]["scale"]["domain"][0]  # an end that is not positive lies at the axis


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["line", "scatter", "bar"])
def test_hostile_text_stays_text(kind):
    series = [line(HOSTILE, [1, 2]), line(HOSTILE, [2, 1])]
    one = chart(*series, title=HOSTILE, x=HOSTILE, y=HOSTILE, caption=HOSTILE, ticks=[HOSTILE] * 3, kind=kind)
    for text in (drawn(one), drawn(one, bare=True)):
        root = ElementTree.fromstring(text)
        assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
            *("svg", "title", "desc", "style", "rect", "g", "path", "line", "circle", "text", "tspan"),
        }
        assert not {"\x07", "\u202e", "\ud800"} & set(text)
        assert not [name for element in root.iter() for name in element.attrib if name.startswith("on")]
        assert any(found.startswith("</svg><script>") for found in texts(root))
        # The only address is the name of SVG itself.
        assert text.count("http") == 1
        assert not {"href", "url("} & set(text.lower().split())


def test_names_that_look_alike_are_two_curves():
    one = chart(line("a", [1, 2]), line("a", [2, 1]))
    assert {row["s"] for row in rows(one, "line")} == {"a", "a (2)"}


def test_curves_are_labelled_at_their_ends_and_no_label_lies_on_another():
    one = chart(*(line(f"curve {n}", [n, 5 + n / 1000]) for n in range(6)))
    root = parsed(one)
    height = {
        text.text: float(text.get("transform").partition(",")[2].rstrip(")"))
        for text in root.iter(f"{SVG}text")
        if str(text.text).startswith("curve")
    }
    # The one that ends highest, or was higher before, has the highest label.
    assert sorted(height, key=height.get) == [f"curve {n}" for n in reversed(range(6))]
    assert np.diff(sorted(height.values())).min() > 11


@pytest.mark.slow
@given(st.lists(st.floats(0, 1), min_size=1, max_size=6), st.floats(0.01, 0.15))
def test_labels_move_apart_in_order_and_inside(places, gap):
    moved = spread(np.array(places), gap)
    order = np.argsort(places, kind="stable")
    assert (np.diff(moved[order]) >= gap - 1e-9).all()
    assert ((moved > -1e-9) & (moved < 1 + 1e-9)).all()
    if len(places) == 1 or np.diff(np.sort(places)).min() >= gap:
        assert moved == pytest.approx(np.array(places))


def test_names_without_room_beside_their_curves_are_whole_above_them():
    one = chart(line("a name that is long enough", [1, 2, 3]), line("and another that is as long", [3, 2, 1]))
    [panel] = panels_of(one)
    said = texts(ElementTree.fromstring(as_svg(panel, Size(width=340, font=13))))
    assert {"a name that is long enough", "and another that is as long"} <= set(said)
    assert not any("…" in text for text in said)


def test_curves_differ_without_colour():
    one = chart(*(line(str(n), [n, n + 1]) for n in range(1, 11)))
    dashes = [p.get("stroke-dasharray") for p in parsed(one).iter(f"{SVG}path") if p.get("stroke-linejoin")]
    assert len(set(dashes)) == 10


MACHADO = {
    "all colours": np.eye(3),
    "no red": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "no green": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "no blue": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
"""How readers see who lack a kind of cones (Machado et al. 2009, severity 1), on linear RGB."""


def linear(colour: str) -> np.ndarray:
    c = np.array([int(colour[place : place + 2], 16) for place in (1, 3, 5)]) / 255
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def lab(rgb: np.ndarray) -> np.ndarray:
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    xyz = to_xyz @ np.clip(rgb, 0, 1) / np.array([0.9505, 1, 1.089])
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("sight", MACHADO)
@pytest.mark.parametrize(("colours", "ground"), [(svg.CURVES, "#ffffff"), (svg._DARK[:6], "#14171c")])
def test_colours_are_told_apart_by_colour_blind_readers_and_can_be_read(colours, ground, sight):
    seen = [lab(np.array(MACHADO[sight]) @ linear(colour)) for colour in colours]
    assert min(np.linalg.norm(a - b) for a, b in itertools.combinations(seen, 2)) > 25
    weights = np.array([0.2126, 0.7152, 0.0722])
    back = weights @ linear(ground)
    for colour in colours:
        light, dark = sorted((weights @ linear(colour), back), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5


def test_a_page_chooses_the_colours_of_text_and_curves():
    text = drawn(chart(line("a", [1, 2])), bare=True)
    assert svg.INK not in text.replace(f'color="{svg.INK}"', "")
    assert "currentColor" in text
    assert "<style" not in text
    assert "back" not in text
    assert f'stroke="{svg.CURVES[0]}"' in text
    assert f'.sr-chart [stroke="{svg.CURVES[0]}"]' in svg.STYLE
    bare_file = drawn(chart(line("a", [1, 2])))
    assert "<style>" in bare_file
    assert 'class="back"' in bare_file


def test_ten_curves_are_one_panel_and_of_more_each_has_the_baselines_and_the_same_axes():
    assert len(panels_of(chart(*(line(str(n), [n, 10 * n]) for n in range(1, 11))))) == 1
    whole = chart(line("bfs", [1, 90]), *(line(str(n), [n, 10 * n]) for n in range(1, 10)), line("random", [1, 2]))
    first, second = panels_of(whole)
    assert [one.name for one in first.chart.series] == [*"123456", "bfs", "random"]
    assert [one.name for one in second.chart.series] == [*"789", "bfs", "random"]
    assert (first.chart.name, second.chart.name) == ("c", "c-2")
    assert (first.chart.title, second.chart.title) == ("Title (1 of 2)", "Title (2 of 2)")
    axes = [Plot(panel, Size()) for panel in (first, second)]
    assert (axes[0].x, axes[0].y) == (axes[1].x, axes[1].y)
    assert axes[0].y.high >= 80


def test_a_curve_looks_alike_in_every_chart_and_baselines_are_grey():
    names = [*"abcdefgh", "bfs", "random"]
    whole = chart(*(line(name, [1, 2]) for name in names))
    found = dict(zip(names, looks(whole), strict=True))
    assert {found[name].colour for name in ("bfs", "random")} == {svg.COLOURS[7]}
    assert len({(one.colour, *one.dash) for one in found.values()}) == len(names)
    assert len({(one.colour, one.shape) for one in found.values()}) == len(names)
    some = with_series(whole, "g,bfs,c")
    assert looks(some) == [found[name] for name in ("g", "bfs", "c")]
    [panel] = panels_of(some)
    assert looks(panel.chart) == looks(some)
    assert looks(chart(line("bfs", [1, 2])))[0].colour == svg.CURVES[0]  # nothing to stand back from


@pytest.mark.slow
@pytest.mark.parametrize("size", ["8x5cm", "16x9cm"])
@pytest.mark.parametrize("curves", [1, 3, 6, 10])
def test_the_plot_has_three_fifths_of_a_figure_for_a_paper_and_every_name_is_in_it(size, curves):
    names = ["windowed-rankmass:5%", "fpr@100", "bfs", *(f"order-{n}" for n in range(7))][:curves]
    one = chart(*(banded(name, [n, 20 * n + 3, 90 + n], 1) for n, name in enumerate(names)))
    [panel] = panels_of(one)
    measures = figure_size(size)
    drawn = vega_svg(specification([panel], measures))
    width, height = map(
        float, re.search(r'class="background"[^>]*d="M[\d.]+,[\d.]+h([\d.]+)v([\d.]+)h', drawn).groups()
    )
    assert width * height >= 0.6 * measures.width * measures.height
    assert set(names) <= set(texts(ElementTree.fromstring(as_svg(panel, measures))))


@pytest.mark.slow
def test_names_with_bands_and_no_room_beside_have_a_legend():
    one = chart(*(banded(f"a name that is long enough {n}", [n, n + 1, n], 1) for n in range(3)))
    [panel] = panels_of(one)
    assert "a name that is long enough 2" in texts(ElementTree.fromstring(as_svg(panel, Size(width=340, font=13))))


def test_bars_stay_in_one_panel():
    assert len(panels_of(chart(*(line(str(n), [n]) for n in range(1, 9)), kind="bar"))) == 1


@pytest.mark.parametrize("kind", ["line", "scatter", "bar"])
@pytest.mark.parametrize(
    ("series", "why"),
    [
        ((), "no values"),
        ((line("a", []),), "no values"),
        ((line("a", [np.nan]),), "no values"),
        ((line("a", [0, 0]), line("b", [0, np.nan])), "every value is 0"),
    ],
)
def test_no_chart_without_data(series, why, kind):
    one = chart(*series, kind=kind)
    assert without_data(one) == why
    assert panels([one]) == ([], [f"chart `c` (Title): {why}"])
    assert one._repr_mimebundle_() == {"text/plain": f"Title: nothing is drawn, {why}"}
    with pytest.raises(UsageError, match=why):
        one.save("c.svg")


def test_a_curve_without_data_has_no_label_and_one_at_zero_beside_others_is_data():
    one = chart(line("none", [np.nan, np.nan]), line("zero", [0, 0]), line("a", [1, 2]))
    [panel] = panels_of(one)
    assert [series.name for series in panel.chart.series] == ["zero", "a"]
    assert without_data(chart(line("a", [0, -1]), log_y=True)) == "no values that a logarithmic axis can show"


@pytest.mark.slow
def test_bands_where_they_can_be_read_and_whiskers_side_by_side_where_they_would_overlap():
    clear = chart(*(banded(str(n), [10 * n, 10 * n + 1, 10 * n], 2) for n in range(4)))
    assert len(layers(clear, "area")) == 1
    assert not intervals(clear)
    mud = chart(*(banded(str(n), [n / 10, n / 10 + 1, 0.1], 5) for n in range(4)))
    assert not layers(mud, "area")
    assert len({row["x"] for row in intervals(mud)}) == len(intervals(mud)) == 12  # no two at one place
    assert titles(parsed(mud))[0].startswith("0 · x 1 · ")  # and each says its own x


def test_intervals_of_long_curves_take_turns_on_their_curves():
    mud = chart(*(banded(str(n), (np.arange(1.0, 61) + n / 10).tolist(), 50) for n in range(3)))
    at = [row["x"] for row in intervals(mud)]
    assert len(set(at)) == len(at) > 12
    assert all(x == round(x) for x in at)


def test_bars_lie_begin_at_zero_and_say_their_value():
    one = chart(Series("a", np.arange(3.0), np.array([4.0, -2.0, np.nan])), kind="bar", ticks=["one", "two", "three"])
    bars = rows(one, "bar")
    assert [(row["t"], row["foot"], row["y"], row["value"]) for row in bars] == [
        ("one", 0, 4, "4"),
        ("two", 0, -2, "-2"),
    ]
    assert [row["end"] for row in bars] == [4, 0]  # values stand at the right: names are left of the plot
    root = parsed(one)
    assert titles(root) == ["a · one · 4", "a · two · -2"]
    assert {"one", "two", "three", "4", "-2"} <= set(texts(root))


def test_bars_of_a_logarithmic_axis_begin_at_the_axis():
    one = KINDS["log bar"]
    [bars] = layers(one, "bar")
    assert {row["foot"] for row in rows(one, "bar")} == {bars["encoding"]["x"]["scale"]["domain"][0]}


def test_long_titles_are_wrapped():
    one = chart(line("a", [1, 2]), title="a title that has many words " * 6 + "x" * 300)
    lines = spec(one)["title"]
    assert len(lines) > 3
    assert lines[-1].endswith("…")
    [head] = [text for text in parsed(one).iter(f"{SVG}text") if text.get("class") == "title"]
    assert [part.text for part in head] == lines
    assert all(part.get("dy") for part in head[1:])


def test_few_whole_numbers_have_a_tick_each():
    [lines] = layers(chart(line("a", [3.0] * 10)), "line")
    assert lines["encoding"]["x"]["axis"]["values"] == list(range(1, 11))
    assert {str(n) for n in range(1, 11)} <= set(texts(parsed(chart(line("a", [3.0] * 10)))))


def digests() -> list[str]:
    """Of every chart above in every format."""
    size = Size(300.0, 200.0, 8.0, "pt")
    drawn = [panel for one in KINDS.values() for panel in panels_of(one)]
    files = [
        content for panel in drawn for content in (as_svg(panel).encode(), as_pdf(panel, size), as_png(panel, size))
    ]
    return [hashlib.sha256(content).hexdigest() for content in files]


@pytest.mark.slow
def test_the_same_chart_gives_the_same_bytes_in_another_process_too():
    code = "from tests.unit.test_charts import digests; print(*digests())"
    there = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert there.split() == digests() == digests()


def test_objects_of_a_pdf_are_where_it_says():
    [panel] = panels_of(KINDS["bar"])
    pdf = as_pdf(panel, Size(300.0, 200.0, 8.0, "pt"))
    table = pdf[pdf.rindex(b"xref\n0 ", 0, pdf.rindex(b"trailer")) :].splitlines()
    objects = table[3 : 2 + int(table[1].split()[1])]
    assert len(objects) > 10
    for number, line in enumerate(objects, 1):
        assert pdf[int(line[:10]) :].startswith(f"{number} 0 obj".encode())


@pytest.mark.slow
def test_long_curves_stay_small():
    one = chart(line("a", list(np.sin(np.arange(20_000) / 100))))
    assert len(titles(parsed(one))) <= 25
    assert len(drawn(one)) < 60_000


@pytest.mark.slow
@given(st.lists(st.one_of(st.floats(-5, 5), st.just(float("nan"))), min_size=30, max_size=90))
def test_a_thinned_curve_keeps_its_ends_peaks_and_gaps(values):
    y, columns = np.array(values), 4
    places = np.linspace(0, 1, len(y))
    keep = thin(places, y, columns)
    assert keep[0] == 0
    assert keep[-1] == len(y) - 1
    assert (np.diff(keep) > 0).all()
    for column in range(columns):
        part = y[(places * columns).astype(int) == column]
        kept = y[keep][(places[keep] * columns).astype(int) == column]
        if not np.isnan(part).all():
            assert (np.nanmin(kept), np.nanmax(kept)) == (np.nanmin(part), np.nanmax(part))
    gaps = np.diff(np.isnan(y).astype(int)) > 0
    assert (np.diff(np.isnan(y[keep]).astype(int)) > 0).sum() == gaps.sum()


def test_points_between_gaps():
    assert lone_points(np.array([True, False, True, True, False, True])).tolist() == [0, 5]


def test_a_cloud_of_points_that_lie_on_one_another_is_drawn_once():
    x = np.arange(1, 10_001.0)
    one = chart(Series("a", x, 1 / x), kind="scatter", log_x=True, log_y=True)
    assert len(titles(parsed(one))) < 1000
    spread = np.tile(np.arange(20.0), 20), np.repeat(np.arange(20.0), 20)
    assert len(titles(parsed(chart(Series("a", *spread), kind="scatter")))) == 400


# -- series that are chosen, and files


def test_series_are_chosen_by_name_in_order():
    one = chart(line("a", [1]), line("b", [2]), line("c", [3]))
    assert [series.name for series in with_series(one, "c, a").series] == ["c", "a"]
    assert [series.name for series in with_series(one, ["b"]).series] == ["b"]
    with pytest.raises(UsageError, match="no series 'd'; it has a, b, c"):
        with_series(one, "a,d")
    with pytest.raises(UsageError, match="no series ''"):
        with_series(one, "")


def test_bars_are_chosen_by_the_names_of_their_places():
    one = chart(
        Series("n", np.array([0.0, 1, 2]), np.array([5.0, 6, 7]), np.array([4.0, 5, 6]), np.array([6.0, 7, 8])),
        Series("m", np.array([2.0, 0]), np.array([1.0, 2])),
        kind="bar",
        ticks=["p", "q", "r"],
    )
    some = with_series(one, "r,p")
    assert list(some.ticks) == ["r", "p"]
    assert [series.y.tolist() for series in some.series] == [[7, 5], [1, 2]]
    assert some.series[0].low.tolist() == [6, 4]
    only = with_series(one, "q,n")
    assert [(series.name, series.y.tolist()) for series in only.series] == [("n", [6])]


@pytest.mark.parametrize(
    ("text", "width", "height"), [("8x5cm", 8, 5), ("80 × 50 mm", 8, 5), ("8X5CM", 8, 5), ("4x2.5in", 10.16, 6.35)]
)
def test_sizes(text, width, height):
    size = figure_size(text)
    assert (size.width / 72 * 2.54, size.height / 72 * 2.54) == pytest.approx((width, height))
    assert size.unit == "pt"


def test_a_size_is_the_same_in_every_unit():
    assert figure_size("75x50mm") == figure_size("7.5x5cm")


@pytest.mark.parametrize("text", ["", "8", "8x5", "8x5px", "-8x5cm", "axbcm", "8x5cm ;", "1e9x1cm"])
def test_sizes_that_are_none(text):
    with pytest.raises(UsageError, match="write it like 8x5cm"):
        figure_size(text)


@pytest.mark.parametrize("text", ["0x0cm", "1x1cm", "8x2cm", "101x50cm", "99999x5cm"])
def test_sizes_that_cannot_be(text):
    with pytest.raises(UsageError, match="from 5x3cm to 100x100cm"):
        figure_size(text)


def test_a_figure_is_exactly_as_large_as_asked_for(tmp_path):
    one = chart(line("a rather long name", [1, 2]), line("b", [2, 1]), title="many words " * 12)
    for suffix in ("svg", "pdf", "png"):
        assert one.save(tmp_path / f"f.{suffix}", size="8x5cm") == [tmp_path / f"f.{suffix}"]
    root = ElementTree.parse(tmp_path / "f.svg").getroot()
    assert (root.get("width"), root.get("height")) == ("226.77pt", "141.73pt")
    assert b"/MediaBox [0 0 226.77 141.73]" in (tmp_path / "f.pdf").read_bytes()
    png = (tmp_path / "f.png").read_bytes()
    pixels = int.from_bytes(png[16:20]), int.from_bytes(png[20:24])
    assert pixels == pytest.approx((8 / 2.54 * 300, 5 / 2.54 * 300), abs=1)


@pytest.mark.slow
def test_more_than_ten_curves_go_on_to_a_second_file(tmp_path):
    one = chart(*(line(str(n), [1, n]) for n in range(12)))
    assert [path.name for path in one.save(tmp_path / "f.svg")] == ["f.svg", "f-2.svg"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["f-2.svg", "f.svg"]
    assert one.save(tmp_path / "g.svg", series="1,8") == [tmp_path / "g.svg"]
    assert {"1", "8"} <= set(texts(ElementTree.parse(tmp_path / "g.svg").getroot()))


def test_files_that_cannot_be_are_refused(tmp_path):
    one = chart(line("a", [1, 2]))
    with pytest.raises(UsageError, match=r"names no kind of figure; use one of \.svg \.pdf \.png"):
        one.save(tmp_path / "f.jpeg")
    with pytest.raises(InputError, match="its folder does not exist"):
        one.save(tmp_path / "none" / "f.svg")
    assert not list(tmp_path.iterdir())


def test_the_main_chart_is_the_first_with_data():
    empty, one, other = (
        Chart(name, name, "x", "y", [line("a", [y, y])]) for name, y in zip("eop", (0, 1, 2), strict=True)
    )
    assert chart_named([empty, one, other], None) is one
    assert chart_named([empty, one, other], "p") is other
    with pytest.raises(UsageError, match="unknown chart 'z'; there are: o, p"):
        chart_named([empty, one, other], "z")


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["line", "two panels"])
def test_notebooks_show_a_chart_as_it_is(kind):
    bundle = KINDS[kind]._repr_mimebundle_(include=None, exclude=None)
    assert bundle["application/vnd.vegalite.v6+json"] == spec(KINDS[kind])
    root = ElementTree.fromstring(bundle["image/svg+xml"])
    names = [series.name for series in KINDS[kind].series]
    assert set(names) <= set(texts(root))
    assert bundle["text/plain"] == f"Title: {', '.join(names)}"


# -- axes

numbers = st.floats(-1e12, 1e12, allow_nan=False)


@pytest.mark.slow
@given(st.lists(numbers, max_size=8), st.booleans(), st.booleans(), st.booleans(), st.integers(3, 8))
def test_an_axis_holds_its_values_and_its_ticks(values, log, zero, count, wanted):
    axis = scale(np.array(values), log=log, zero=zero, count=count, wanted=wanted)
    assert axis.low < axis.high
    assert len(axis.ticks) == len(axis.labels) >= 1
    assert len(axis.ticks) <= 17
    assert len(set(axis.labels)) == len(axis.labels)
    ends = axis.place(np.array(axis.ticks))
    assert ((ends > -1e-6) & (ends < 1 + 1e-6)).all()
    assert axis.value(ends) == pytest.approx(np.array(axis.ticks), abs=1e-9 * max(abs(axis.low), abs(axis.high)))
    places = axis.place(np.array(values))
    shown = np.array(values) > SMALLEST if log else np.ones(len(values), bool)
    assert np.isnan(places[~shown]).all()
    assert ((places[shown] > -1e-6) & (places[shown] < 1 + 1e-6)).all()
