"""Charts as SVG: readable in dark and light, without colour, without scripts, and by a screen reader.

Every point carries its value as a ``<title>``, so a browser shows it on hover even in a bare file; the report's script
shows it faster. Each curve and its entry in the legend are a ``<g data-series="N">``, which that script switches off.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

import numpy as np

from seedrank.charts.chart import Chart, Series
from seedrank.charts.scale import Scale, number, scale

__all__ = ["COLOURS", "STYLE", "draw", "shown", "size_of", "visible"]

WIDTH, PLOT_HEIGHT = 720, 300
_RIGHT, _LETTER, _LINE = 26, 6.6, 18
_MOST_MARKERS = 300
"""Points of a curve that carry their value; of longer curves every n-th."""
_MOST_DOTS = 3000
"""Points of a scatter plot that carry their value; more of them are drawn as one cloud."""
_QUIET_ABOVE = 40
"""Points of a curve whose markers are drawn; of longer curves they only answer the pointer."""

COLOURS = ("#0072b2", "#d55e00", "#00805d", "#b0508a", "#a56f00", "#2e8fc7", "#6b6b00", "#555b66")
"""Okabe and Ito's colours, darkened to 4.5 : 1 on white where they are paler: told apart by colour-blind readers."""
_DARK = ("#56b4e9", "#ff8b47", "#2fc79b", "#e49ac4", "#f0b429", "#9ad2f5", "#e8e04a", "#b4bac4")
_DASHES = ("", "8 4", "2 3", "9 3 2 3", "14 4")
_SIGNS = ("circle", "square", "up", "diamond", "cross", "down", "plus")

STYLE = (
    ".sr-chart{color:#1c2128;font:12px system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif}"
    ".sr-chart .back{fill:#fff}"
    "@media (prefers-color-scheme:dark){.sr-chart{color:#e6e9ee}.sr-chart .back{fill:#14171c}"
    + "".join(
        f".sr-chart .k{n} .ink{{stroke:{colour}}}.sr-chart .k{n} .fill{{fill:{colour}}}"
        for n, colour in enumerate(_DARK)
    )
    + "}"
)
"""What a chart needs of CSS, all of it under ``.sr-chart``."""


def draw(chart: Chart, *, style: bool = True) -> str:
    """The chart as an SVG document; the same chart gives the same text.

    Parameters
    ----------
    chart
        What to draw.
    style
        With its own colours for dark and light and its own background; without, for a page that has `STYLE`.
    """
    return _Drawing(chart).text(style)


def shown(text: str) -> str:
    """Text as SVG and HTML may hold it: escaped, control characters made visible."""
    return escape(visible(text), quote=True)


def visible(text: str) -> str:
    """Text with control characters, and those that turn the direction of writing, shown as what they are."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "replace").decode() for c in text)


def size_of(text: str) -> float:
    """About how wide a text is, in the chart's units."""
    return _LETTER * len(text)


@dataclass(frozen=True)
class _Area:
    left: float
    top: float
    right: float
    bottom: float


class _Drawing:
    def __init__(self, chart: Chart) -> None:
        self.chart = chart
        bars = chart.kind == "bar"
        xs = _join([series.x for series in chart.series])
        ys = _join([v for s in chart.series for v in (s.y, s.low, s.high) if v is not None])
        self.places = max(len(chart.ticks), int(np.nanmax(xs, initial=0)) + 1) if bars else 0
        self.x = _bar_axis(self.places) if bars else scale(xs, log=chart.log_x, count=True, wanted=8)
        self.y = scale(ys, log=chart.log_y, zero=bars)
        self.empty = not any(np.isfinite(self._to(series)).all(axis=0).any() for series in chart.series)
        top = 34 + _LINE * len(_wrap(chart.title, WIDTH - 20, bold=True)) - _LINE
        left = 34 + max(size_of(label) for label in self.y.labels)
        self.slanted = bars and any(size_of(t) > (WIDTH - left - _RIGHT) / self.places for t in chart.ticks)
        self.area = _Area(left, top, WIDTH - _RIGHT, top + PLOT_HEIGHT)

    def text(self, style: bool) -> str:
        chart, area = self.chart, self.area
        lines = _wrap(chart.title, WIDTH - 20, bold=True)
        below = area.bottom + 44 + (min(max(map(size_of, chart.ticks)), 130) * 0.55 if self.slanted else 0)
        legend, height = self._legend(below)
        body = [f"<title>{shown(chart.title)}</title>"]
        if chart.caption:
            body.append(f"<desc>{shown(chart.caption)}</desc>")
        if style:
            body.append(f'<style>{STYLE}</style><rect class="back" width="100%" height="100%" fill="#fff"/>')
        body += [
            f'<text x="10" y="{20 + _LINE * n}" font-size="14" font-weight="600" fill="currentColor">'
            f"{shown(line)}</text>"
            for n, line in enumerate(lines)
        ]
        body += self._axes(below)
        if self.empty:
            body.append(_label((area.left + area.right) / 2, (area.top + area.bottom) / 2, "nothing to show"))
        else:
            for place, series in enumerate(chart.series):
                body.append(self._series(place, series))
        body.append(legend)
        label = ". ".join(part for part in (chart.title.rstrip("."), chart.caption) if part)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="sr-chart" viewBox="0 0 {WIDTH} {height:.0f}" '
            f'width="{WIDTH}" height="{height:.0f}" '
            f'font-family="sans-serif" font-size="12" role="img" aria-label="{shown(label)}" '
            f'data-x="{shown(chart.x)}" data-y="{shown(chart.y)}">' + "\n".join(body) + "</svg>\n"
        )

    # -- axes and legend

    def _axes(self, below: float) -> Iterator[str]:
        area, chart = self.area, self.chart
        yield '<g class="axes" stroke="currentColor" stroke-width="1">'
        for place in self.y.place(np.array(self.y.ticks)):
            y = area.bottom - place * (area.bottom - area.top)
            yield f'<path d="M{area.left:.1f} {y:.1f}H{area.right:.1f}" stroke-opacity=".14"/>'
        bars = chart.kind == "bar"
        ticks = () if bars else self.x.place(np.array(self.x.ticks))
        for place in ticks:
            x = area.left + place * (area.right - area.left)
            yield f'<path d="M{x:.1f} {area.bottom:.1f}v5" stroke-opacity=".6"/>'
        frame = f"M{area.left:.1f} {area.top:.1f}V{area.bottom:.1f}H{area.right:.1f}"
        yield f'<path d="{frame}" fill="none" stroke-opacity=".6"/>'
        if not self.y.log and self.y.low < 0 < self.y.high:
            y = area.bottom - float(self.y.place(np.array([0.0]))[0]) * (area.bottom - area.top)
            yield f'<path d="M{area.left:.1f} {y:.1f}H{area.right:.1f}" stroke-opacity=".6"/>'
        yield '</g><g class="labels" fill="currentColor">'
        for place, text in zip(self.y.place(np.array(self.y.ticks)), self.y.labels, strict=True):
            y = area.bottom - place * (area.bottom - area.top)
            yield _label(area.left - 7, y + 4, text, anchor="end")
        if bars:
            yield from self._bar_names()
        else:
            yield from self._x_names(ticks)
        middle = (area.left + area.right) / 2
        yield _label(middle, below - 8, chart.x)
        across = (area.top + area.bottom) / 2
        yield _label(16, across, chart.y, turn=f"rotate(-90 16 {across:.1f})")
        yield "</g>"

    def _x_names(self, ticks: np.ndarray | tuple[()]) -> Iterator[str]:
        area, free = self.area, -np.inf
        for place, text in zip(ticks, self.x.labels, strict=True):
            x = area.left + place * (area.right - area.left)
            if x - size_of(text) / 2 > free:
                yield _label(x, area.bottom + 19, text)
                free = x + size_of(text) / 2 + 6

    def _bar_names(self) -> Iterator[str]:
        area = self.area
        each = (area.right - area.left) / self.places
        for place, text in enumerate(self.chart.ticks):
            x = area.left + (place + 0.5) * each
            if self.slanted:
                y = area.bottom + 14
                most = int(min(24, (x - 8) / (0.85 * _LETTER)))
                short = text if len(text) <= most else text[: most - 1] + "…"
                yield _label(x, y, short, anchor="end", turn=f"rotate(-32 {x:.1f} {y:.1f})")
            else:
                yield _label(x, area.bottom + 19, text)

    def _legend(self, top: float) -> tuple[str, float]:
        """Entries from left to right, in as many rows as they need; and where the chart ends."""
        if len(self.chart.series) < 2 and not (self.chart.series and self.chart.series[0].name):
            return "", top + 6
        parts, x, y = [], 12.0, top + 10.0
        for place, series in enumerate(self.chart.series):
            name = series.name if len(series.name) <= 48 else series.name[:47] + "…"
            wide = 44 + size_of(name) + 14
            if x > 12 and x + wide > WIDTH - 8:
                x, y = 12.0, y + 22
            colour = COLOURS[place % len(COLOURS)]
            line = ""
            if self.chart.kind == "line":
                line = f'<path class="ink" d="M{x:.1f} {y:.1f}h32" stroke="{colour}" stroke-width="2"{_dash(place)}/>'
            parts.append(
                f'<g class="key k{place % len(COLOURS)}" data-series="{place}">'
                f'<rect x="{x - 6:.1f}" y="{y - 11:.1f}" width="{wide - 4:.1f}" height="22" rx="4" fill="none" '
                f'pointer-events="all"/>{line}'
                f"{_sign(place, x + 16, y, colour)}"
                f'<text x="{x + 40:.1f}" y="{y + 4:.1f}" fill="currentColor">{shown(name)}</text></g>'
            )
            x += wide
        return "\n".join(parts), y + 18

    # -- curves

    def _to(self, series: Series) -> np.ndarray:
        """Places of a series on the sheet: x and y, NaN where it cannot be shown."""
        return np.stack([self.x.place(series.x), self.y.place(series.y)])

    def _series(self, place: int, series: Series) -> str:
        area, colour = self.area, COLOURS[place % len(COLOURS)]
        tall = area.bottom - area.top
        x, y = self._to(series)
        if self.chart.kind == "bar":
            each = (area.right - area.left) / self.places
            thick = each * 0.8 / len(self.chart.series)
            x = area.left + (np.asarray(series.x, np.float64) + 0.1) * each + thick * (place + 0.5)
        else:
            thick = 0.0
            x = area.left + x * (area.right - area.left)
        y = area.bottom - y * tall
        low, high = (
            np.full(len(y), np.nan) if end is None else area.bottom - _inside(self.y, end) * tall
            for end in (series.low, series.high)
        )
        parts = [f'<g class="series k{place % len(COLOURS)}" data-series="{place}" data-name="{shown(series.name)}">']
        if self.chart.kind == "line":
            parts += _bands(x, low, high, y, colour)
            path = "".join(
                f"M{x[a]:.1f} {y[a]:.1f}" + "".join(f"L{x[i]:.1f} {y[i]:.1f}" for i in range(a + 1, b))
                for a, b in _stretches(np.isfinite(x) & np.isfinite(y))
            )
            parts.append(
                f'<path class="ink" d="{path}" fill="none" stroke="{colour}" stroke-width="2" '
                f'stroke-linejoin="round"{_dash(place)}/>'
            )
        elif self.chart.kind == "bar":
            parts += self._bars(x, y, thick, colour)
        if self.chart.kind != "line":
            parts += _whiskers(x, low, high, y)
        parts += self._points(place, series, x, y, colour)
        parts.append("</g>")
        return "\n".join(parts)

    def _bars(self, x: np.ndarray, y: np.ndarray, thick: float, colour: str) -> Iterator[str]:
        base = 0.0 if self.y.log else float(np.clip(self.y.place(np.array([0.0]))[0], 0, 1))
        foot = self.area.bottom - base * (self.area.bottom - self.area.top)
        for a, b in zip(x, y, strict=True):
            if np.isfinite(b):
                yield (
                    f'<rect class="fill" x="{a - thick * 0.45:.1f}" y="{min(b, foot):.1f}" width="{thick * 0.9:.1f}" '
                    f'height="{abs(foot - b):.1f}" fill="{colour}" fill-opacity=".72"/>'
                )

    def _points(self, place: int, series: Series, x: np.ndarray, y: np.ndarray, colour: str) -> Iterator[str]:
        there = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
        if self.chart.kind == "scatter" and len(there) > _MOST_DOTS:
            dots = "".join(f"M{x[i]:.1f} {y[i]:.1f}h0" for i in there)
            yield f'<path class="ink" d="{dots}" stroke="{colour}" stroke-width="4" stroke-linecap="round"/>'
            return
        if self.chart.kind == "line":
            there = there[:: -(-len(there) // _MOST_MARKERS) or 1]
        quiet = ' class="point quiet" opacity="0"' if self._quiet(len(there)) else ' class="point"'
        for i in there:
            yield (
                f"<g{quiet}><title>{shown(self._value(series, int(i)))}</title>{_sign(place, x[i], y[i], colour)}</g>"
            )

    def _quiet(self, points: int) -> bool:
        return self.chart.kind == "line" and points > _QUIET_ABOVE

    def _value(self, series: Series, i: int) -> str:
        at = number(float(series.x[i]))
        if self.chart.kind == "bar" and 0 <= series.x[i] < len(self.chart.ticks):
            at = self.chart.ticks[int(series.x[i])]
        else:
            at = f"{self.chart.x} {at}"
        interval = ""
        if series.low is not None and series.high is not None and np.isfinite(series.low[i] + series.high[i]):
            interval = f" [{number(float(series.low[i]))}, {number(float(series.high[i]))}]"
        return f"{series.name} · {at} · {number(float(series.y[i]))}{interval}"


def _bar_axis(places: int) -> Scale:
    return Scale(0.0, float(max(places, 1)), False, (), ())


def _join(arrays: list[np.ndarray]) -> np.ndarray:
    return np.concatenate([np.asarray(a, np.float64) for a in arrays]) if arrays else np.empty(0)


def _inside(axis: Scale, values: np.ndarray) -> np.ndarray:
    """Places of interval ends; on a logarithmic axis an end that is not positive lies at the axis itself."""
    values = np.asarray(values, np.float64)
    if axis.log:
        values = np.where(values <= 0, axis.low, values)
    return axis.place(values)


def _stretches(there: np.ndarray) -> Iterator[tuple[int, int]]:
    """Runs of True as (start, stop)."""
    edge = np.flatnonzero(np.diff(np.concatenate([[False], there, [False]]).astype(np.int8)))
    yield from zip(edge[::2].tolist(), edge[1::2].tolist(), strict=True)


def _bands(x: np.ndarray, low: np.ndarray, high: np.ndarray, y: np.ndarray, colour: str) -> Iterator[str]:
    for a, b in _stretches(np.isfinite(x) & np.isfinite(low) & np.isfinite(high) & np.isfinite(y)):
        if b - a == 1:
            yield from _whiskers(x[a:b], low[a:b], high[a:b], y[a:b])
            continue
        there = " ".join(f"{x[i]:.1f},{high[i]:.1f}" for i in range(a, b))
        back = " ".join(f"{x[i]:.1f},{low[i]:.1f}" for i in range(b - 1, a - 1, -1))
        yield f'<polygon class="fill" points="{there} {back}" fill="{colour}" fill-opacity=".13"/>'


def _whiskers(x: np.ndarray, low: np.ndarray, high: np.ndarray, y: np.ndarray) -> Iterator[str]:
    for i in np.flatnonzero(np.isfinite(x) & np.isfinite(low) & np.isfinite(high) & np.isfinite(y)):
        ends = f"M{x[i] - 4:.1f} {high[i]:.1f}h8M{x[i] - 4:.1f} {low[i]:.1f}h8"
        path = f"{ends}M{x[i]:.1f} {high[i]:.1f}V{low[i]:.1f}"
        yield f'<path d="{path}" stroke="currentColor" stroke-opacity=".75" fill="none"/>'


def _dash(place: int) -> str:
    dash = _DASHES[place % len(_DASHES)]
    return f' stroke-dasharray="{dash}"' if dash else ""


def _sign(place: int, x: float, y: float, colour: str) -> str:
    """The marker of a series: its shape tells curves apart without colour."""
    sign = _SIGNS[place % len(_SIGNS)]
    if sign == "circle":
        return f'<circle class="fill" cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>'
    if sign in ("cross", "plus"):
        path = "m-3.5 -3.5l7 7m0 -7l-7 7" if sign == "cross" else "m-4.5 0h9m-4.5 -4.5v9"
        return f'<path class="ink" d="M{x:.1f} {y:.1f}{path}" stroke="{colour}" stroke-width="2" fill="none"/>'
    path = {
        "square": "m-3.2 -3.2h6.4v6.4h-6.4z",
        "up": "m0 -4.4l4.4 7.6h-8.8z",
        "diamond": "m0 -4.8l4.8 4.8l-4.8 4.8l-4.8 -4.8z",
        "down": "m0 4.4l4.4 -7.6h-8.8z",
    }[sign]
    return f'<path class="fill" d="M{x:.1f} {y:.1f}{path}" fill="{colour}"/>'


def _label(x: float, y: float, text: str, *, anchor: str = "middle", turn: str = "") -> str:
    transform = f' transform="{turn}"' if turn else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="currentColor" stroke="none"{transform}>'
        f"{shown(text)}</text>"
    )


def _wrap(text: str, width: float, *, bold: bool = False) -> list[str]:
    """Lines of at most about `width`; a word longer than that stands alone."""
    letters = int(width / (_LETTER * (1.2 if bold else 1)))
    lines: list[str] = []
    for word in text.split():
        if lines and len(lines[-1]) + 1 + len(word) <= letters:
            lines[-1] += " " + word
        else:
            lines.append(word[:letters])
    return lines or [""]
