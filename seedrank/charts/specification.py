"""Charts as Vega-Lite specifications, built with altair.

altair takes a second to import, so only what draws a chart imports it, and inside functions.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from seedrank.charts.prepared import Look, Prepared, Row
from seedrank.charts.scale import Scale
from seedrank.charts.sheets import Sheet
from seedrank.charts.svg import CURVES, FONTS, INK
from seedrank.charts.text import width_of
from seedrank.core.hostile import visible

if TYPE_CHECKING:
    import altair as alt

    Of = Callable[[list[Row]], alt.Chart]

__all__ = ["specification"]

_DASHES = ([1, 0], [7, 3], [2, 2], [8, 3, 2, 3], [12, 3], [4, 2])
_SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")
_LABELS = 0.36
"""Share of the width that labels at the ends of curves may take."""
_WIDER = 0.18
"""How much wider the text is in a browser that has neither our font nor one of its widths."""


def specification(sheets: Sequence[Sheet], look: Look) -> dict[str, Any]:
    """Sheets as one Vega-Lite specification: a single one exactly of the size of `look`, several below one another."""
    import altair as alt

    data: dict[str, list[Row]] = {}
    ready = [Prepared(sheet, look) for sheet in sheets]
    top = {"background": "white", "padding": _padding(ready, look), "config": _config(look)}
    whole: Any
    if len(ready) == 1:
        whole = _layers(ready[0], data, autosize=alt.AutoSizeParams(type="fit", contains="padding"), **top)
    else:
        whole = alt.vconcat(*(_layers(one, data) for one in ready), **top)
    # What a user has set up for charts of their own, themes and data transformers, does not reach these.
    with alt.theme.enable("none"):
        made: dict[str, Any] = whole.to_dict(validate=False, context={"pre_transform": False})
    return {**made, "datasets": data}


def _padding(ready: Sequence[Prepared], look: Look) -> dict[str, float]:
    """Margins, with room for text that is wider than it is here."""
    least, font = 0.4 * look.font, look.font
    left = max(width_of(name, font) for one in ready for name in (one.ticks if one.bars else one.y.labels))
    right = max((width_of(text, font) for one in ready for text in _texts_on_the_right(one)), default=0.0)
    ends = [least + _WIDER * min(width, _LABELS * look.width) for width in (left, right)]
    return {"left": ends[0], "right": ends[1], "top": least, "bottom": least}


def _texts_on_the_right(ready: Prepared) -> list[str]:
    """What may end at the right edge: names of curves, values of bars, the last number of an axis."""
    if ready.bars:
        return [row["value"] for row in ready.bar_rows()]
    names = ready.names if ready.chart.kind == "line" and _labels_fit(ready) else []
    return [*names, *ready.x.labels[-1:]]


def _layers(ready: Prepared, data: dict[str, list[Row]], **top: Any) -> alt.LayerChart:
    """The layers of a sheet; their rows go to `data`, which altair need not walk through."""
    import altair as alt

    def of(rows: list[Row]) -> alt.Chart:
        name = f"rows-{len(data) + 1}"
        data[name] = rows
        return alt.Chart(alt.NamedData(name))

    kinds: dict[str, Callable[[Prepared, Of], list[alt.Chart]]]
    kinds = {"line": _line_layers, "scatter": _scatter_layers, "bar": _bar_layers}
    # All at once: every further step would copy the whole chart.
    return alt.LayerChart(
        layer=kinds[ready.chart.kind](ready, of), width=ready.width, height=ready.height, title=ready.title, **top
    )


def _line_layers(ready: Prepared, of: Of) -> list[alt.Chart]:
    import altair as alt

    x, y = _axes(ready)
    direct, font = _labels_fit(ready), ready.look.font
    colour = _colour(ready)
    rows, whiskers = ready.curves(), ready.whiskers()
    banded = len({row["s"] for row in rows if row["low"] is not None})
    curves, layers = of(rows), []
    if banded and not ready.side_by_side:
        bands = curves.mark_area(opacity=0.22 if banded < 3 else 0.14, aria=False)
        layers.append(bands.encode(x=x, y=alt.Y("low:Q"), y2=alt.Y2("high"), color=colour))
    if whiskers:
        ends = of(whiskers).mark_rule(strokeWidth=0.1 * font, opacity=0.5, aria=False)
        layers.append(ends.encode(x=x, y=alt.Y("low:Q"), y2=alt.Y2("high"), color=colour))
    dashes = alt.Scale(domain=ready.names, range=_DASHES[: len(ready.names)])
    lines = curves.mark_line(strokeWidth=0.15 * font, strokeJoin="round", aria=False)
    legend = None if direct else _legend(ready)
    dashed = alt.StrokeDash("s:N", scale=dashes, legend=legend)
    layers.append(lines.encode(x=x, y=y, color=_colour(ready, legend), strokeDash=dashed))
    points = of(ready.points()).mark_point(filled=True, size=2.2 * font)
    layers.append(points.encode(x=x, y=y, color=colour, opacity=alt.Opacity("seen:Q", scale=None), **_said()))
    labels = ready.labels() if direct else []
    if far := [row for row in labels if row["far"]]:
        ways = of(far).mark_rule(strokeWidth=0.07 * font, strokeDash=[0.15 * font, 0.2 * font], aria=False)
        layers.append(ways.encode(x=x, y=y, x2=alt.X2("to_x"), y2=alt.Y2("to_y"), color=colour))
    if labels:
        names = of(labels).mark_text(align="left", dx=0.25 * font, limit=_LABELS * ready.width, aria=False)
        layers.append(names.encode(x=alt.X("to_x:Q"), y=alt.Y("to_y:Q"), text=alt.Text("s:N"), color=colour))
    return [*layers, *_zero_line(ready, of)]


def _labels_fit(ready: Prepared) -> bool:
    """Whether the names of curves have room beside them; where they do not, they are above the plot."""
    widest = max(width_of(name, ready.look.font) for name in ready.names)
    return widest <= _LABELS * ready.width or len(ready.names) == 1


def _scatter_layers(ready: Prepared, of: Of) -> list[alt.Chart]:
    import altair as alt

    x, y = _axes(ready)
    rows, legend = ready.points(), _legend(ready)
    shapes = alt.Scale(domain=ready.names, range=_SHAPES[: len(ready.names)])
    points = of(rows).mark_point(filled=True, opacity=0.75, size=2.6 * ready.look.font)
    points = points.encode(
        x=x, y=y, color=_colour(ready, legend), shape=alt.Shape("s:N", scale=shapes, legend=legend), **_said()
    )
    return [*_whiskers(rows, of, x=x, y=alt.Y("low:Q"), y2=alt.Y2("high")), points, *_zero_line(ready, of)]


def _bar_layers(ready: Prepared, of: Of) -> list[alt.Chart]:
    """Bars lie, so that their names can be read: values go along x, names down y."""
    import altair as alt

    font, rows = ready.look.font, ready.bar_rows()
    value = _quantity(ready.y, [ready.y.low, ready.y.high], ready.chart.y, ready.look)
    axis = alt.Axis(title=None, grid=False, ticks=False, domain=False, labelLimit=_LABELS * ready.width)
    bands = alt.Scale(domain=ready.ticks, paddingInner=0.25, paddingOuter=0.15)
    places: dict[str, Any] = {"y": alt.Y("t:N", sort=None, scale=bands, axis=axis)}
    if len(ready.names) > 1:
        places["yOffset"] = alt.YOffset("s:N", sort=None, scale=alt.Scale(domain=ready.names))
    bars = of(rows).mark_bar(opacity=0.8)
    bars = bars.encode(
        x=alt.X("foot:Q", **value), x2=alt.X2("y"), color=_colour(ready, _legend(ready)), **_said(), **places
    )
    layers = [bars, *_whiskers(rows, of, x=alt.X("low:Q"), x2=alt.X2("high"), **places)]
    for left, dx in ((False, 0.35), (True, -0.35)):
        if some := [row for row in rows if row["left"] is left]:
            words = of(some).mark_text(
                align="right" if left else "left", dx=dx * font, fontSize=0.85 * font, color=INK, aria=False
            )
            layers.append(words.encode(x=alt.X("end:Q"), text=alt.Text("value:N"), **places))
    return layers


# -- parts


def _said() -> dict[str, Any]:
    """What a point says to a pointer and to a screen reader."""
    import altair as alt

    return {"description": alt.Description("said:N"), "tooltip": alt.Tooltip("said:N")}


def _whiskers(rows: list[Row], of: Of, **ends: Any) -> list[alt.Chart]:
    there = [row for row in rows if row["low"] is not None]
    return [of(there).mark_rule(color=INK, opacity=0.7, aria=False).encode(**ends)] if there else []


def _zero_line(ready: Prepared, of: Of) -> list[alt.Chart]:
    if ready.y.log or not ready.y.low < 0 < ready.y.high:
        return []
    import altair as alt

    return [of([{"y": 0}]).mark_rule(color=INK, opacity=0.6, aria=False).encode(y=alt.Y("y:Q"))]


def _colour(ready: Prepared, legend: Any = None) -> alt.Color:
    import altair as alt

    return alt.Color("s:N", scale=alt.Scale(domain=ready.names, range=CURVES[: len(ready.names)]), legend=legend)


def _legend(ready: Prepared) -> alt.Legend | None:
    """Names above the plot, in as many rows as they need; none for a single one."""
    import altair as alt

    if len(ready.names) < 2:
        return None
    widest = max(width_of(name, ready.look.font) for name in ready.names)
    columns = max(1, min(len(ready.names), int(0.9 * ready.width / ((1 + _WIDER) * widest + 2.5 * ready.look.font))))
    # Above a plot with an axis of numbers upwards its title has a line of its own.
    offset = (0.6 if ready.bars or not ready.chart.y else 2.2) * ready.look.font
    return alt.Legend(
        orient="top",
        direction="horizontal",
        columns=columns,
        offset=offset,
        title=None,
        columnPadding=0.8 * ready.look.font + _WIDER * widest,
    )


def _axes(ready: Prepared) -> tuple[alt.X, alt.Y]:
    import altair as alt

    x = alt.X("x:Q", **_quantity(ready.x, ready.x_ends, ready.chart.x, ready.look))
    # The title of y lies above the axis, where nobody must turn their head.
    left = max((width_of(label, ready.look.font) for label in ready.y.labels), default=0.0)
    turned = {"titleAngle": 0, "titleAlign": "left", "titleAnchor": "end", "titleBaseline": "bottom"}
    turned |= {"titleX": -left - 0.5 * ready.look.font, "titleY": -0.7 * ready.look.font}
    ends = [ready.y.low, ready.y.high]
    return x, alt.Y("y:Q", **_quantity(ready.y, ends, ready.chart.y, ready.look, grid=True, **turned))


def _quantity(axis: Scale, ends: list[float], title: str, look: Look, **more: Any) -> dict[str, Any]:
    """Scale and axis of numbers, with our ticks and their texts."""
    import altair as alt

    labels = f"{json.dumps(axis.labels)}[indexof({json.dumps(axis.ticks)}, datum.value)]"
    return {
        "scale": alt.Scale(type="log" if axis.log else "linear", domain=ends, nice=False, zero=False),
        "axis": alt.Axis(
            title=visible(title) or None,
            values=list(axis.ticks),
            tickCount=len(axis.ticks),  # of more than it would choose itself Vega drops every second
            labelExpr=labels,
            labelOverlap="greedy",
            labelFlush=False,
            labelSeparation=0.4 * look.font,
            titleLimit=0.9 * look.width,
            **more,
        ),
    }


def _config(look: Look) -> dict[str, Any]:
    font = look.font
    axis = {
        "labelColor": INK, "labelFontSize": font, "titleColor": INK, "titleFontSize": font, "titleFontWeight": "normal",
        "domainColor": INK, "domainOpacity": 0.6, "tickColor": INK, "tickOpacity": 0.6, "tickSize": 0.4 * font,
        "domainWidth": font / 12, "tickWidth": font / 12, "gridWidth": font / 12,
        "grid": False, "gridColor": INK, "gridOpacity": 0.14, "labelPadding": 0.25 * font, "titlePadding": 0.5 * font,
    }  # fmt: skip
    # One weight of one font: a second one lets the objects of a PDF file change their order.
    return {
        "font": FONTS,
        "view": {"stroke": None},
        "axis": axis,
        "legend": {"labelColor": INK, "labelFontSize": font, "labelLimit": 0.8 * look.width, "symbolSize": 4 * font},
        "title": {
            "color": INK, "fontSize": 1.15 * font, "fontWeight": "normal", "anchor": "start", "frame": "bounds",
            "offset": 0.9 * font, "lineHeight": 1.5 * font,
        },
        "text": {"fontSize": font},
        "rule": {"strokeWidth": font / 12},
    }  # fmt: skip
