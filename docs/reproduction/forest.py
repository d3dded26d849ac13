"""Forest plots: claims with their estimate and interval on each graph, and the pooled one."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from docs.reproduction.results import Line, Lines, Results, mark, measured, unit_of
from seedrank.core.sanitize import as_markup
from seedrank.output.charts.scale import Scale, scale
from seedrank.output.charts.svg import COLOURS, STYLE

__all__ = ["forest"]

WIDTH, ROW, HEAD, FOOT = 900, 17, 22, 28
LEFT, RIGHT = 250, 610
"""Where the plot begins and ends; names are left of it, numbers right."""
_LETTERS = 108


def forest(results: Results, title: str, claims: Iterable[tuple[str, str]]) -> str:
    """The plot of some claims as an SVG document; the same results give the same text.

    A claim is a key and a part; where that is empty, one with several parts shows its weakest.

    Filled squares count in the pooled line, open ones do not; the diamond is the pooled estimate, as wide as its
    interval; the shaded part is where a claim holds. An arrow ends an interval that is wider than the plot, and stands
    for an estimate beyond it.
    """
    body, top = [], 44.0
    for key, part in claims:
        lines = results.lines(key, part)
        if lines.graphs:
            drawn, top = _claim(results, key, lines, top)
            body.append(drawn)
    what = (
        "Squares: estimates with 95 % intervals, filled where pooled. Diamond: pooled. Shaded: where a claim holds. "
        "Arrow: beyond the plot."
    )
    head = [
        f"<title>{as_markup(title)}</title><desc>{as_markup(what)}</desc>",
        f'<style>{STYLE}</style><rect class="back" width="100%" height="100%" fill="#fff"/>',
        f'<text x="10" y="20" font-size="14" font-weight="600" fill="currentColor">{as_markup(title)}</text>',
        _text(10, 36, what),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="sr-chart" viewBox="0 0 {WIDTH} {top:.0f}" width="{WIDTH}" '
        f'height="{top:.0f}" font-family="sans-serif" font-size="12" role="img" aria-label="{as_markup(title)}">'
        + "\n".join([*head, *body])
        + "</svg>\n"
    )


def _claim(results: Results, key: str, lines: Lines, top: float) -> tuple[str, float]:
    """One claim's block, and where it ends."""
    claim = results.any_claim(key)
    own = not lines.part and bool(results.parts(key))
    named = f"{claim.claim} ({lines.part or 'each graph: its weakest part'})" if lines.part or own else claim.claim
    heads = _wrapped(named)
    rows = [*lines.graphs, *([Line("pooled", lines.pooled, True)] if lines.pooled else [])]
    axis = _axis(rows)
    first = top + HEAD * 0.8 + 15 * len(heads)
    bottom = first + ROW * len(rows)
    parts = [
        f'<g data-claim="{as_markup(key)}">',
        *(_text(10, top + HEAD * 0.8 + 15 * n, text, bold=True) for n, text in enumerate(heads)),
        _region(claim.least, claim.most, axis, first - 10, bottom - 8),
        *_ticks(axis, first - 10, bottom - 8),
        _text(RIGHT + 26, bottom + 8, unit_of(claim)),
    ]
    for n, line in enumerate(rows):
        y = first + ROW * n + 2
        pooled = line.name == "pooled"
        parts.append(f'<g class="k{0 if line.counts else 7}">')
        parts.append(_text(LEFT - 8, y + 4, line.name, anchor="end", bold=pooled))
        parts.append(_diamond(line, axis, y) if pooled else _square(line, axis, y))
        parts.append(_text(RIGHT + 10, y + 4, f"{mark(line.claim)} {measured(line.claim)}", bold=pooled))
        parts.append("</g>")
    parts.append("</g>")
    return "\n".join(parts), bottom + FOOT


def _axis(rows: list[Line]) -> Scale:
    """An axis that holds estimates that count and those near them, the pooled interval and the margin."""
    claims = [row.claim for row in rows if row.counts] or [row.claim for row in rows]
    inside = [one.value for one in claims] + [end for one in claims for end in (one.least, one.most)]
    inside += [end for row in rows if row.name == "pooled" for end in (row.claim.low, row.claim.high)]
    values = np.array([value for value in inside if math.isfinite(value)])
    span = max(float(values.max() - values.min()), 1e-9)
    others = np.array([row.claim.value for row in rows])
    values = np.append(values, others[np.abs(others - (values.max() + values.min()) / 2) <= 1.5 * span])
    ends = [end for one in claims for end in (one.low, one.high) if math.isfinite(end)]
    near = [float(np.clip(end, values.min() - span / 2, values.max() + span / 2)) for end in ends]
    # A bit of the region where the claim holds is always seen.
    near += [claims[0].least + 0.06 * span] if math.isfinite(claims[0].least) else []
    near += [claims[0].most - 0.06 * span] if math.isfinite(claims[0].most) else []
    return scale(np.array([*values, *near]), wanted=5)


def _x(value: float, axis: Scale) -> float:
    return LEFT + float(np.clip(axis.place(np.array([value]))[0], 0, 1)) * (RIGHT - LEFT)


def _region(least: float, most: float, axis: Scale, top: float, bottom: float) -> str:
    left = LEFT if math.isinf(least) else _x(least, axis)
    right = RIGHT if math.isinf(most) else _x(most, axis)
    return (
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{max(right - left, 0):.1f}" height="{bottom - top:.1f}" '
        'fill="currentColor" fill-opacity=".07"/>'
    )


def _ticks(axis: Scale, top: float, bottom: float) -> list[str]:
    parts = [f'<path d="M{LEFT} {bottom:.1f}H{RIGHT}" stroke="currentColor" stroke-opacity=".6"/>']
    for value, label in zip(axis.ticks, axis.labels, strict=True):
        x = _x(value, axis)
        strong = ".45" if value == 0 else ".12"
        parts.append(f'<path d="M{x:.1f} {top:.1f}V{bottom + 4:.1f}" stroke="currentColor" stroke-opacity="{strong}"/>')
        parts.append(_text(x, bottom + 16, label, anchor="middle"))
    return parts


def _square(line: Line, axis: Scale, y: float) -> str:
    claim, colour = line.claim, COLOURS[0 if line.counts else 7]
    parts = []
    if math.isfinite(claim.low):
        low, high = _x(claim.low, axis), _x(claim.high, axis)
        parts.append(f'<path class="ink" d="M{low:.1f} {y:.1f}H{high:.1f}" stroke="{colour}" stroke-width="1.6"/>')
        if claim.low < axis.low:
            parts.append(_arrow(low, y, 1, colour))
        if claim.high > axis.high:
            parts.append(_arrow(high, y, -1, colour))
    x = _x(claim.value, axis)
    if not axis.low <= claim.value <= axis.high:
        return "".join([*parts, _arrow(x, y, 1 if claim.value < axis.low else -1, colour)])
    fill = f'class="fill" fill="{colour}"' if line.counts else f'class="ink" fill="none" stroke="{colour}"'
    parts.append(f'<rect {fill} x="{x - 3.5:.1f}" y="{y - 3.5:.1f}" width="7" height="7"/>')
    return "".join(parts)


def _arrow(x: float, y: float, way: int, colour: str) -> str:
    path = f"M{x + 5 * way:.1f} {y - 4:.1f}L{x:.1f} {y:.1f}l{5 * way} 4"
    return f'<path class="ink" d="{path}" fill="none" stroke="{colour}"/>'


def _diamond(line: Line, axis: Scale, y: float) -> str:
    claim = line.claim
    low, middle, high = (_x(value, axis) for value in (claim.low, claim.value, claim.high))
    path = f"M{low:.1f} {y:.1f}L{middle:.1f} {y - 6:.1f}L{high:.1f} {y:.1f}L{middle:.1f} {y + 6:.1f}z"
    return f'<path class="fill" d="{path}" fill="{COLOURS[0]}"/>'


def _text(x: float, y: float, text: str, *, anchor: str = "start", bold: bool = False) -> str:
    weight = ' font-weight="600"' if bold else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="currentColor"{weight}>{as_markup(text)}</text>'


def _wrapped(text: str) -> list[str]:
    lines: list[str] = []
    for word in text.split():
        if lines and len(lines[-1]) + 1 + len(word) <= _LETTERS:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return lines
