"""Charts as Vega-Lite specifications: plain dictionaries, as Vega-Lite's own pages describe them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from seedrank.core.sanitize import visible
from seedrank.output.charts.label_layout import text_width
from seedrank.output.charts.panels import Panel
from seedrank.output.charts.plot import Plot, Row, Size
from seedrank.output.charts.scale import Scale
from seedrank.output.charts.svg import FONTS, GROUND, INK

__all__ = ["NAMES", "VERSION", "names_inside", "plot_width", "specification"]


VERSION = "6.4"
"""The Vega-Lite that specifications are written for and rendered with."""

_LABELS = 0.36
"""Share of the width that labels at the ends of curves may take."""
_PLOT = 0.62
"""Share of a figure for a paper that the plot has, whatever stands beside it; a little more than it must, 60 %."""
_WIDER = 0.18
"""How much wider the text is in a browser that has neither our font nor one of its widths."""
_SAID = {"description": {"field": "said", "type": "nominal"}, "tooltip": {"field": "said", "type": "nominal"}}
"""What a point says to a screen reader and to a pointer."""

Json = dict[str, Any]


def specification(panels: Sequence[Panel], size: Size) -> Json:
    """Panels as one Vega-Lite specification: a single one exactly of the given size, several below one another."""
    plots = [Plot(panel, size) for panel in panels]
    views = [_view(one) for one in plots]
    whole = {**views[0], "autosize": {"type": "fit", "contains": "padding"}} if len(views) == 1 else {"vconcat": views}
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "background": "white",
        "padding": _padding(plots, size),
        "config": _config(size),
        **whole,
    }


def _padding(plots: Sequence[Plot], size: Size) -> dict[str, float]:
    """Margins, with room for text that is wider than it is here."""
    least, font = 0.4 * size.font, size.font
    left = max(text_width(name, font) for one in plots for name in (one.ticks if one.bars else one.y.labels))
    right = max((text_width(text, font) for one in plots for text in _texts_on_the_right(one)), default=0.0)
    ends = [least + _WIDER * min(width, _LABELS * size.width) for width in (left, right)]
    return {"left": ends[0], "right": ends[1], "top": least, "bottom": least}


def _texts_on_the_right(plot: Plot) -> list[str]:
    """What may end at the right edge: names of curves, values of bars, the last number of an axis."""
    if plot.bars:
        return [row["value"] for row in plot.bar_rows()]
    names = plot.names if plot.chart.kind == "line" and _labels_fit(plot) else []
    return [*names, *plot.x.labels[-1:]]


def _view(plot: Plot) -> Json:
    """A panel: marks above one another; those without rows of their own share the panel's."""
    kinds = {"line": _lines, "scatter": _points, "bar": _bars}
    rows, layers = kinds[plot.chart.kind](plot)
    title = {"title": plot.title} if plot.title else {}
    return {**title, "width": plot.width, "height": plot.height, "data": {"values": rows}, "layer": layers}


def _layer(mark: str, encoding: Json, rows: list[Row] | None = None, **look: Any) -> Json:
    data = {} if rows is None else {"data": {"values": rows}}
    return {**data, "mark": {"type": mark, **look}, "encoding": encoding}


def _lines(plot: Plot) -> tuple[list[Row], list[Json]]:
    x, y = _axes(plot)
    direct, font, colour = _labels_fit(plot), plot.size.font, _colour(plot)
    inside = plot.in_paper and not direct
    legend = None if direct or inside else _legend(plot)
    interval = {"x": x, "y": _number("low"), "y2": {"field": "high"}, "color": colour}
    rows, whiskers, labels = plot.line_rows(), plot.whisker_rows(), plot.label_rows() if direct else []
    far = [row for row in labels if row["far"]]
    banded = len({row["s"] for row in rows if row["low"] is not None})
    layers = []
    if banded and not plot.side_by_side:
        layers.append(_layer("area", interval, opacity=0.22 if banded < 3 else 0.14, aria=False))
    if whiskers:
        layers.append(_layer("rule", interval, whiskers, strokeWidth=0.1 * font, opacity=0.5, aria=False))
    dashes = _by_name(plot, [one.dash for one in plot.looks], legend)
    curve = {"x": x, "y": y, "color": _colour(plot, legend), "strokeDash": dashes}
    drawn = _layer("line", curve, strokeWidth=0.15 * font, strokeJoin="round", aria=False)
    # Of all layers the first says what the legend looks like, and whether there is one.
    layers.insert(0 if legend else len(layers), drawn)
    point = {"x": x, "y": y, "color": colour, "opacity": _number("seen", scale=None), **_SAID}
    layers.append(_layer("point", point, plot.point_rows(), filled=True, size=2.2 * font))
    if far:
        way = {"x": x, "y": y, "x2": {"field": "to_x"}, "y2": {"field": "to_y"}, "color": colour}
        dash = [0.15 * font, 0.2 * font]
        layers.append(_layer("rule", way, far, strokeWidth=0.07 * font, strokeDash=dash, aria=False))
    if labels:
        name = {"x": _number("to_x"), "y": _number("to_y"), "text": {"field": "s", "type": "nominal"}, "color": colour}
        limit = _LABELS * plot.width
        layers.append(_layer("text", name, labels, align="left", dx=0.25 * font, limit=limit, aria=False))
    return rows, [*layers, *(_names_inside(plot) if inside else []), *_zero_line(plot)]


def _labels_fit(plot: Plot) -> bool:
    """Whether the names of curves have room beside them; where they do not, they are above the plot, or in it."""
    widest = max(text_width(name, plot.size.font) for name in plot.names)
    if plot.in_paper:
        beside = plot_width(plot) - widest - 1.7 * plot.size.font
        return beside * plot.plot_height >= _PLOT * plot.width * plot.height
    return widest <= _LABELS * plot.width or len(plot.names) == 1


def _points(plot: Plot) -> tuple[list[Row], list[Json]]:
    x, y = _axes(plot)
    rows, legend = plot.point_rows(), _legend(plot)
    point = {
        "x": x,
        "y": y,
        "color": _colour(plot, legend),
        "shape": _by_name(plot, [one.shape for one in plot.looks], legend),
        **_SAID,
    }
    points = _layer("point", point, filled=True, opacity=0.75, size=2.6 * plot.size.font)
    ends = {"x": x, "y": _number("low"), "y2": {"field": "high"}}
    return rows, [*_whiskers(rows, ends), points, *_zero_line(plot)]


def _bars(plot: Plot) -> tuple[list[Row], list[Json]]:
    """Bars lie, so that their names can be read: values go along x, names down y."""
    font, rows = plot.size.font, plot.bar_rows()
    axis = {"title": None, "grid": False, "ticks": False, "domain": False, "labelLimit": _LABELS * plot.width}
    bands = {"domain": plot.ticks, "paddingInner": 0.25, "paddingOuter": 0.15}
    place: Json = {"y": {"field": "t", "type": "nominal", "sort": None, "scale": bands, "axis": axis}}
    if len(plot.names) > 1:
        place["yOffset"] = {"field": "s", "type": "nominal", "sort": None, "scale": {"domain": plot.names}}
    foot = _number("foot", **_axis(plot.y, [plot.y.low, plot.y.high], plot.chart.y, plot.size))
    bar = {"x": foot, "x2": {"field": "y"}, "color": _colour(plot, _legend(plot)), **_SAID, **place}
    layers = [_layer("bar", bar, opacity=0.8)]
    layers += _whiskers(rows, {"x": _number("low"), "x2": {"field": "high"}, **place})
    value = {"x": _number("end"), "text": {"field": "value", "type": "nominal"}, **place}
    look: Json = {"align": "left", "dx": 0.35 * font, "fontSize": 0.85 * font, "color": INK, "aria": False}
    return rows, [*layers, _layer("text", value, **look)]


# -- parts


def _number(field: str, **more: Any) -> Json:
    return {"field": field, "type": "quantitative", **more}


def _whiskers(rows: list[Row], ends: Json) -> list[Json]:
    there = [row for row in rows if row["low"] is not None]
    return [_layer("rule", ends, there, color=INK, opacity=0.7, aria=False)] if there else []


def _zero_line(plot: Plot) -> list[Json]:
    if plot.y.log or not plot.y.low < 0 < plot.y.high:
        return []
    return [_layer("rule", {"y": _number("y")}, [{"y": 0}], color=INK, opacity=0.6, aria=False)]


def _by_name(plot: Plot, looks: Sequence[Any], legend: Json | None) -> Json:
    """What curves differ by: each name has its own."""
    scale = {"domain": plot.names, "range": list(looks)}
    return {"field": "s", "type": "nominal", "scale": scale, "legend": legend}


def _colour(plot: Plot, legend: Json | None = None) -> Json:
    return _by_name(plot, [one.colour for one in plot.looks], legend)


def _legend(plot: Plot) -> Json | None:
    """Names above the plot, in as many rows as they need; none for a single one."""
    if len(plot.names) < 2:
        return None
    font, widest = plot.size.font, max(text_width(name, plot.size.font) for name in plot.names)
    return {
        "orient": "top",
        "direction": "horizontal",
        "columns": max(1, min(len(plot.names), int(0.9 * plot.width / ((1 + _WIDER) * widest + 2.5 * font)))),
        # Above a plot with an axis of numbers upwards its title has a line of its own.
        "offset": (0.6 if plot.bars or not plot.chart.y else 2.2) * font,
        "title": None,
        "columnPadding": 0.8 * font + _WIDER * widest,
    }


def _names_inside(plot: Plot) -> list[Json]:
    """Names with samples of their curves, on a ground where they lie on some."""
    font, rows, ground = NAMES * plot.size.font, *names_inside(plot)
    ends: Json = {"x": _number("x"), "x2": {"field": "to_x"}, "y": _number("y")}
    dashes = _by_name(plot, [one.dash for one in plot.looks], None)
    sample = {**ends, "color": _colour(plot), "strokeDash": dashes}
    name = {"x": _number("to_x"), "y": _number("y"), "text": {"field": "s", "type": "nominal"}}
    below = {**ends, "y2": {"field": "to_y"}}
    return [
        *([_layer("rect", below, ground, color=GROUND, opacity=0.8, aria=False)] if ground else []),
        _layer("rule", sample, rows, strokeWidth=0.15 * plot.size.font, aria=False),
        _layer("text", name, rows, align="left", dx=0.35 * font, fontSize=font, color=INK, aria=False),
    ]


def _axes(plot: Plot) -> tuple[Json, Json]:
    font = plot.size.font
    left = max((text_width(label, font) for label in plot.y.labels), default=0.0)
    # The title of y lies above the axis, where nobody must turn their head.
    above = {"titleAngle": 0, "titleAlign": "left", "titleAnchor": "end", "titleBaseline": "bottom"}
    above |= {"titleX": -left - 0.5 * font, "titleY": -0.7 * font}
    above = {} if plot.in_paper else above
    x = _axis(plot.x, plot.x_ends, plot.chart.x, plot.size)
    y = _axis(plot.y, [plot.y.low, plot.y.high], plot.chart.y, plot.size, grid=True, **above)
    return _number("x", **x), _number("y", **y)


def _axis(axis: Scale, ends: list[float], title: str, size: Size, **more: Any) -> Json:
    """Scale and axis of numbers, with our ticks and their texts."""
    return {
        "scale": {"type": "log" if axis.log else "linear", "domain": ends, "nice": False, "zero": False},
        "axis": {
            "title": visible(title) or None,
            "values": list(axis.ticks),
            "tickCount": len(axis.ticks),  # of more than it would choose itself Vega drops every second
            "labelExpr": f"{json.dumps(axis.labels)}[indexof({json.dumps(axis.ticks)}, datum.value)]",
            "labelOverlap": "greedy",
            "labelFlush": False,
            "labelSeparation": 0.4 * size.font,
            "titleLimit": 0.9 * size.width,
            **more,
        },
    }


def _config(size: Size) -> Json:
    font = size.font
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
        "legend": {"labelColor": INK, "labelFontSize": font, "labelLimit": 0.8 * size.width, "symbolSize": 4 * font},
        "title": {
            "color": INK, "fontSize": 1.15 * font, "fontWeight": "normal", "anchor": "start", "frame": "bounds",
            "offset": 0.9 * font, "lineHeight": 1.5 * font,
        },
        "text": {"fontSize": font},
        "rule": {"strokeWidth": font / 12},
    }  # fmt: skip


NAMES = 0.9
"""Size of their font, to that of the figure."""
_SAMPLE, _BESIDE, _LINE = 2.2, 3.4, 1.2
"""Length of the sample of a curve, what stands beside a name in all, and height of a line, to the font."""


def plot_width(plot: Plot) -> float:
    """About how wide the plot is where nothing stands beside it."""
    font = plot.size.font
    return plot.width - max((text_width(label, font) for label in plot.y.labels), default=0.0) - 4.0 * font


def names_inside(plot: Plot) -> tuple[list[Row], list[Row]]:
    """A row per name, with the ends of its sample; and the ground below them, where they lie on curves.

    They stand in one column or two, in the corner where they cover the fewest points.
    """
    font = NAMES * plot.size.font
    widest = max(text_width(name, font) for name in plot.names) + _BESIDE * font
    across, down = plot_width(plot), plot.plot_height
    x = np.concatenate([plot.x.place(curve.x[curve.there]) for curve in plot.curves])
    y = np.concatenate([plot.y.place(curve.y[curve.there]) for curve in plot.curves])
    found = []
    for columns in (1, 2):
        lines = -(-len(plot.names) // columns)
        width, height = columns * widest / across, (_LINE * lines + 0.4) * font / down
        for left, top in ((0.995 - width, height + 0.01), (0.005, 0.99), (0.005, height + 0.01), (0.995 - width, 0.99)):
            covered = (x >= left) & (x <= left + width) & (y <= top) & (y >= top - height)
            too_large = width > 1 or height > 1
            found.append((int(covered.sum()) + len(x) * too_large, lines, left, left + width, top, top - height))
    covered_points, lines, left, right, top, bottom = min(found, key=lambda one: one[0])
    rows = []
    for n, name in enumerate(plot.names):
        start = left + (n // lines * widest + 0.3 * font) / across
        x_ends = plot.x.value(np.array([start, start + _SAMPLE * font / across])).tolist()
        at = plot.y.value(np.array([top - (_LINE * (n % lines) + 0.8) * font / down])).tolist()
        rows.append({"s": name, "x": x_ends[0], "to_x": x_ends[1], "y": at[0]})
    x_ends, y_ends = plot.x.value(np.array([left, right])).tolist(), plot.y.value(np.array([bottom, top])).tolist()
    ground = {"x": x_ends[0], "to_x": x_ends[1], "y": y_ends[0], "to_y": y_ends[1]}
    return rows, [ground] if covered_points else []
