"""Pictures of the report: a core with its hubs and authorities, and a map of the largest hosts.

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

__all__ = ["Picture", "core_picture", "host_links", "host_map"]


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


_HOSTS = 12
_ROW = 34
"""Between two names below one another."""
_HOST, _HOST_NARROW = 28, 32
"""Of a name; a column leaves more room."""
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
    return [(_WIDTH / 2 + 140 * math.cos(turn), 230 + 190 * math.sin(turn)) for turn in turns]


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
    most = _HOST_NARROW if narrow else _HOST
    short = name if len(name) <= most else name[: most - 1] + "…"
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
