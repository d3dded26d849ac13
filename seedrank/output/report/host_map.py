"""A map of the largest hosts: how many pages each has, and how many links lead from one to another."""

from __future__ import annotations

import math

import numpy as np

from seedrank.core.sanitize import as_markup, visible
from seedrank.graph import WebGraph
from seedrank.output.charts.svg import COLOURS
from seedrank.output.report.picture import Picture

__all__ = ["host_links", "host_map"]

_HOSTS = 12
_WIDTH, _NARROW = 720, 350
_ROW = 34
"""Between two names below one another."""
_LETTERS = 25
_LARGEST, _THICKEST = 26.0, 7.0
"""Radius of the largest host, and the width of the line of most links."""
_BLOCK = 1 << 20
"""Pages whose links are counted at a time."""


def host_links(graph: WebGraph, most: int = _HOSTS) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The hosts with the most pages, how many pages each has, and the links from each (row) to each (column)."""
    pages = np.bincount(graph.host[graph.host >= 0], minlength=len(graph.host_names))
    hosts = np.argsort(-pages, kind="stable")[:most]
    hosts = hosts[pages[hosts] > 0]
    many = len(hosts)
    place = np.full(len(pages) + 1, many, np.int64)  # the last is for pages without a host
    place[hosts] = np.arange(many)
    links = np.zeros((many + 1) ** 2, np.int64)
    for start in range(0, graph.pages, _BLOCK):
        offsets = graph.out_offsets[start : min(start + _BLOCK, graph.pages) + 1].astype(np.int64)
        source = np.repeat(place[graph.host[start : start + _BLOCK]], np.diff(offsets))
        target = place[graph.host[graph.out_targets[offsets[0] : offsets[-1]]]]
        links += np.bincount(source * (many + 1) + target, minlength=len(links))
    return hosts, pages[hosts], links.reshape(many + 1, many + 1)[:-1, :-1]


def host_map(graph: WebGraph, *, narrow: bool = False) -> Picture | None:
    """The largest hosts and the links between them; `None` where there are fewer than two.

    Circles have areas by pages, lines widths by links in both directions. On a `narrow` screen the hosts stand below
    one another.
    """
    hosts, pages, links = host_links(graph)
    if len(hosts) < 2:
        return None
    names = [visible(graph.host_names[int(host)].as_py()) for host in hosts]
    scale = (10.0 if narrow else _LARGEST) / math.sqrt(pages[0])
    radii = [max(scale * math.sqrt(count), 3.0) for count in pages]
    spots = _column(len(hosts)) if narrow else _ring(len(hosts))
    between = links + links.T
    thick = _THICKEST / math.sqrt(max(int(np.triu(between, 1).max()), 1))
    lines = []
    for a, b in zip(*np.triu_indices(len(hosts), 1), strict=True):
        if not between[a, b]:
            continue
        said = f"{names[a]} to {names[b]}: {links[a, b]:,} links; back: {links[b, a]:,}"
        width = max(thick * math.sqrt(between[a, b]), 0.5)
        lines.append(
            f'<path d="{_path(spots[a], spots[b], narrow=narrow)}" stroke-width="{width:.1f}">'
            f"<title>{as_markup(said)}</title></path>"
        )
    marks = [
        _mark(name, int(count), radius, spot, narrow=narrow)
        for name, count, radius, spot in zip(names, pages, radii, spots, strict=True)
    ]
    inside = int(np.trace(links))
    shown = (
        f"The {len(hosts)} largest of {len(graph.host_names):,} hosts"
        if len(hosts) < len(graph.host_names)
        else (f"All {len(hosts)} hosts")
    )
    caption = (
        f"{shown}: circles by pages ({int(pages.sum()):,} of {graph.pages:,}), lines by links between two of them "
        f"({int(links.sum()) - inside:,}; {inside:,} more stay inside a host)."
    )
    size = (_NARROW, _ROW * len(hosts) + 10) if narrow else (_WIDTH, 460)
    return Picture(_svg(lines, marks, size, caption), caption)


def _ring(many: int) -> list[tuple[float, float]]:
    """Places around an ellipse, clockwise from above; none is right above or below, where names would meet."""
    turns = [2 * math.pi * (place + 0.5) / many - math.pi / 2 for place in range(many)]
    return [(_WIDTH / 2 + 150 * math.cos(turn), 230 + 190 * math.sin(turn)) for turn in turns]


def _column(many: int) -> list[tuple[float, float]]:
    return [(110.0, 20.0 + _ROW * place) for place in range(many)]


def _path(a: tuple[float, float], b: tuple[float, float], *, narrow: bool) -> str:
    """A line that bends towards the middle, or to the left of a column."""
    if narrow:
        bend = a[0] - min(12 + (b[1] - a[1]) / 2, 105) * 4 / 3
        return f"M{a[0]:.0f} {a[1]:.0f}C{bend:.0f} {a[1]:.0f} {bend:.0f} {b[1]:.0f} {b[0]:.0f} {b[1]:.0f}"
    x, y = (_WIDTH / 2 + a[0] + b[0]) / 3, (230 + a[1] + b[1]) / 3
    return f"M{a[0]:.0f} {a[1]:.0f}Q{x:.0f} {y:.0f} {b[0]:.0f} {b[1]:.0f}"


def _mark(name: str, pages: int, radius: float, spot: tuple[float, float], *, narrow: bool) -> str:
    x, y = spot
    right = narrow or x >= _WIDTH / 2 - 1
    beside = x + (16 if narrow else radius + 5) * (1 if right else -1)
    short = name if len(name) <= _LETTERS else name[: _LETTERS - 1] + "…"
    anchor = "start" if right else "end"
    return (
        f"<g><title>{as_markup(name)}: {pages:,} pages</title>"
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{COLOURS[0]}"/>'
        f'<text x="{beside:.1f}" y="{y - 2:.1f}" text-anchor="{anchor}" fill="currentColor">{as_markup(short)}</text>'
        f'<text x="{beside:.1f}" y="{y + 11:.1f}" text-anchor="{anchor}" fill="currentColor">'
        f"{pages:,} pages</text></g>"
    )


def _svg(lines: list[str], marks: list[str], size: tuple[int, int], caption: str) -> str:
    wide, tall = size
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="sr-chart sr-picture" viewBox="0 0 {wide} {tall}" '
        f'width="{wide}" height="{tall}" font-size="12" role="img" aria-label="{as_markup(caption)}">'
        f"<desc>{as_markup(caption)}</desc>"
        f'<g class="links" stroke="currentColor" stroke-opacity=".3" fill="none">{"".join(lines)}</g>'
        f"{''.join(marks)}</svg>"
    )
