"""A picture of a core: its hubs, its authorities, and the links between them.

Places follow from the ranks of the pages alone, so that the same graph gives the same picture.
"""

from __future__ import annotations

import math
import zlib
from dataclasses import dataclass
from urllib.parse import urlsplit

import numpy as np
import pyarrow as pa

from seedrank.core.levels import Level, names
from seedrank.core.sanitize import as_markup, visible
from seedrank.graph import WebGraph
from seedrank.output.charts.svg import COLOURS

__all__ = ["Picture", "core_picture"]

_SIDE = 12
"""Pages of a side that are shown."""
_WIDTH, _NARROW = 720, 350
_LETTERS, _FEWER = 26, 15
"""Of a name; the second where two names share the width of a phone."""


@dataclass(frozen=True)
class Picture:
    """A drawing as SVG, and what it shows in a sentence."""

    svg: str
    caption: str


@dataclass(frozen=True)
class _Dot:
    page: int
    x: float
    y: float
    radius: float
    colour: int
    anchor: str = "middle"
    label: bool = True
    letters: int = _LETTERS


def core_picture(
    graph: WebGraph, members: pa.Table, number: int, level: Level = "page", *, narrow: bool = False
) -> Picture:
    """Hubs of a core on the left, its authorities on the right, and the links between them.

    Parameters
    ----------
    members
        Rows ``id``, ``n`` (of the core), ``role`` (hub or authority), best first.
    level
        Hosts and domains are called by their names.
    narrow
        As wide as a phone: names are shorter.
    """
    core, role, ids = (members[name].to_numpy(zero_copy_only=False) for name in ("n", "role", "id"))
    sides = [ids[(core == number) & (role == kind)].astype(np.int64) for kind in ("hub", "authority")]
    dots = []
    at, letters = ((125, 225), _FEWER) if narrow else ((250, 470), _LETTERS)
    tall = 40 + 30 * max(min(len(side), _SIDE) for side in sides)
    for place, side in enumerate(sides):
        few = side[:_SIDE]
        for row, page in enumerate(few.tolist()):
            y = 20 + (row + 0.5) * (tall - 40) / len(few)
            dots.append(_Dot(page, at[place], y, 6, (1, 0)[place], ("end", "start")[place], letters=letters))
    caption = f"Core {number}: {len(sides[0]):,} hubs (left) link to {len(sides[1]):,} authorities (right)"
    if max(map(len, sides)) > _SIDE:
        caption += f"; the first {_SIDE} of a side are shown"
    right = set(sides[1][:_SIDE].tolist())
    lines = [(hub, page) for hub in sides[0][:_SIDE].tolist() for page in _out(graph, hub).tolist() if page in right]
    return _draw(graph, dots, lines, (_NARROW if narrow else _WIDTH, tall), caption + ".", level)


def _out(graph: WebGraph, page: int) -> np.ndarray:
    return graph.out_targets[graph.out_offsets[page] : graph.out_offsets[page + 1]].astype(np.int64)


def _name(graph: WebGraph, page: int, level: Level) -> str:
    url = None if graph.urls is None else graph.urls.slice(page, 1)
    if url is not None and url.null_count == 0:
        return visible((url if level == "page" else names(url))[0].as_py())
    number = page if graph.source_id is None else int(graph.source_id[page])
    return f"{level} {number}"


def _short(graph: WebGraph, page: int, level: Level, most: int) -> str:
    """The last part of a URL, or its host for a home page."""
    name = _name(graph, page, level)
    try:
        parts = urlsplit(name)
        text = parts.path.rstrip("/").rpartition("/")[2] or parts.netloc or name
    except ValueError:
        text = name
    return text if len(text) <= most else text[: most - 1] + "…"


def _draw(
    graph: WebGraph,
    dots: list[_Dot],
    links: list[tuple[int, int]],
    size: tuple[float, float],
    caption: str,
    level: Level,
) -> Picture:
    at, (wide, tall) = {dot.page: dot for dot in dots}, size
    arrow = f"sr-arrow-{zlib.crc32(f'{caption} {wide}'.encode(errors='backslashreplace')):08x}"  # one in a page
    lines = [
        f'<path d="M{a.x:.1f} {a.y:.1f}L{_short_of(a, b)}" marker-end="url(#{arrow})"/>'
        for a, b in ((at[source], at[target]) for source, target in links)
    ]
    marks = []
    for dot in dots:
        below = dot.y + (dot.radius + 12 if dot.anchor == "middle" else 4)
        beside = dot.x + {"middle": 0.0, "start": dot.radius + 4, "end": -dot.radius - 4}[dot.anchor]
        text = ""
        if dot.label:
            short = as_markup(_short(graph, dot.page, level, dot.letters))
            text = (
                f'<text x="{beside:.1f}" y="{below:.1f}" text-anchor="{dot.anchor}" fill="currentColor">{short}</text>'
            )
        marks.append(
            f"<g><title>{as_markup(_name(graph, dot.page, level))}</title>"
            f'<circle cx="{dot.x:.1f}" cy="{dot.y:.1f}" r="{dot.radius}" fill="{COLOURS[dot.colour]}"/>'
            f"{text}</g>"
        )
    drawn = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="sr-chart sr-picture" viewBox="0 0 {wide:.0f} {tall:.0f}" '
        f'width="{wide:.0f}" height="{tall:.0f}" font-size="11" role="img" aria-label="{as_markup(caption)}">'
        f'<defs><marker id="{arrow}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
        'orient="auto-start-reverse"><path d="M0 1L7 4L0 7z" fill="currentColor"/></marker></defs>'
        f"<desc>{as_markup(caption)}</desc>"
        f'<g class="links" stroke="currentColor" stroke-opacity=".3" fill="none">{"".join(lines)}</g>'
        f"{''.join(marks)}</svg>"
    )
    return Picture(drawn, caption)


def _short_of(a: _Dot, b: _Dot) -> str:
    """Where a line to `b` ends: at its edge."""
    length = math.hypot(b.x - a.x, b.y - a.y) or 1.0
    keep = max(length - b.radius - 1, 0) / length
    return f"{a.x + (b.x - a.x) * keep:.1f} {a.y + (b.y - a.y) * keep:.1f}"
