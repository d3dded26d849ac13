"""Charts drawn as SVG: well-formed, honest about gaps, and text that stays text."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seedrank.charts.chart import Chart, Series
from seedrank.charts.scale import SMALLEST, scale
from seedrank.charts.svg import draw

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "</svg><script>alert('x\")</script>\x07&amp;"


def chart(*series: Series, **more) -> Chart:
    return Chart("c", more.pop("title", "Title"), more.pop("x", "x"), more.pop("y", "y"), series, **more)


def line(name: str, y: list[float], **more) -> Series:
    return Series(name, np.arange(1.0, len(y) + 1), np.array(y, float), **more)


def parsed(one: Chart) -> ElementTree.Element:
    return ElementTree.fromstring(draw(one))


def curves(root: ElementTree.Element) -> list[ElementTree.Element]:
    return [g for g in root.iter(f"{SVG}g") if g.get("class", "").startswith("series")]


def titles(group: ElementTree.Element) -> list[str]:
    return [title.text for title in group.iter(f"{SVG}title")]


def test_every_point_says_its_value_and_interval():
    y = np.array([1.0, 2.0])
    root = parsed(chart(line("a", [1, 2], low=y - 0.5, high=y + 0.5), x="k", caption="what to look for"))
    [curve] = curves(root)
    assert titles(curve) == ["a · k 1 · 1 [0.5, 1.5]", "a · k 2 · 2 [1.5, 2.5]"]
    assert root.find(f"{SVG}title").text == "Title"
    assert root.find(f"{SVG}desc").text == "what to look for"
    assert len(list(curve.iter(f"{SVG}polygon"))) == 1


def test_nan_leaves_a_gap():
    [curve] = curves(parsed(chart(line("a", [1, np.nan, 3, 4, np.inf, 5]))))
    [path] = [p for p in curve.iter(f"{SVG}path") if p.get("fill") == "none" and p.get("stroke-linejoin")]
    assert path.get("d").count("M") == 3
    assert path.get("d").count("L") == 1
    assert len(titles(curve)) == 4


def test_what_is_not_positive_is_left_out_of_a_logarithmic_axis():
    one = chart(
        line("a", [0, -1, 10, 1000], low=np.array([0, 0, -5.0, 100]), high=np.array([1, 1, 20.0, 2000])), log_y=True
    )
    [curve] = curves(parsed(one))
    assert titles(curve) == ["a · x 3 · 10 [-5, 20]", "a · x 4 · 1,000 [100, 2,000]"]
    assert "nan" not in draw(one)


@pytest.mark.parametrize("kind", ["line", "scatter", "bar"])
def test_hostile_text_stays_text(kind):
    one = chart(
        line(HOSTILE, [1, 2]), title=HOSTILE, x=HOSTILE, y=HOSTILE, caption=HOSTILE, ticks=[HOSTILE] * 3, kind=kind
    )
    text = draw(one)
    root = ElementTree.fromstring(text)
    assert "<script" not in text
    assert "\x07" not in text
    assert not list(root.iter(f"{SVG}script"))


def test_curves_differ_without_colour():
    one = chart(*(line(str(n), [n, n + 1]) for n in range(8)))
    looks = []
    for curve in curves(parsed(one)):
        path = next(p for p in curve.iter(f"{SVG}path") if p.get("stroke-linejoin"))
        point = next(g for g in curve.iter(f"{SVG}g") if g.get("class") == "point")
        looks.append((path.get("stroke-dasharray"), point[1].tag, point[1].get("d", "").partition("m")[2]))
    assert len(set(looks)) == len(looks)


def test_bars_stand_on_zero():
    root = parsed(chart(Series("a", np.arange(2.0), np.array([4.0, -2.0])), kind="bar", ticks=["one", "two"]))
    [curve] = curves(root)
    up, down = ((float(r.get("y")), float(r.get("height"))) for r in curve.iter(f"{SVG}rect"))
    assert up[0] + up[1] == pytest.approx(down[0], abs=0.11)
    assert up[1] == pytest.approx(2 * down[1], abs=0.2)
    assert titles(curve) == ["a · one · 4", "a · two · -2"]


@pytest.mark.parametrize("series", [(), (line("a", []),), (line("a", [np.nan]),)])
@pytest.mark.parametrize("kind", ["line", "scatter", "bar"])
def test_nothing_to_show_says_so(series, kind):
    assert "nothing to show" in draw(chart(*series, kind=kind))


def test_long_curves_stay_small_and_the_same_chart_gives_the_same_text():
    one = chart(line("a", list(np.sin(np.arange(20_000) / 100))))
    assert len(titles(curves(parsed(one))[0])) <= 300
    assert draw(one) == draw(one)


def test_a_cloud_of_points_is_all_there_and_small():
    x = np.arange(1, 10_001.0)
    text = draw(chart(Series("a", x, 1 / x), kind="scatter", log_x=True, log_y=True))
    assert text.count("h0") == 10_000
    assert len(text) < 300_000
    ElementTree.fromstring(text)


numbers = st.floats(-1e12, 1e12, allow_nan=False)


@given(st.lists(numbers, max_size=8), st.booleans(), st.booleans(), st.booleans())
def test_an_axis_holds_its_values_and_its_ticks(values, log, zero, count):
    axis = scale(np.array(values), log=log, zero=zero, count=count)
    assert axis.low < axis.high
    assert len(axis.ticks) == len(axis.labels) >= 1
    assert len(axis.ticks) <= 17
    assert len(set(axis.labels)) == len(axis.labels)
    ends = axis.place(np.array(axis.ticks))
    assert ((ends > -1e-6) & (ends < 1 + 1e-6)).all()
    places = axis.place(np.array(values))
    shown = np.array(values) > SMALLEST if log else np.ones(len(values), bool)
    assert np.isnan(places[~shown]).all()
    assert ((places[shown] > -1e-6) & (places[shown] < 1 + 1e-6)).all()
