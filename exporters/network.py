"""What GEXF and GraphML share: the links among the pages, colours by host, escaped columns."""

from __future__ import annotations

import colorsys
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.levels import names
from seedrank.exporters.rows import Rows
from seedrank.exporters.text import text, xml_text

__all__ = ["Links", "colours", "links_among", "node_columns"]

_LINKS_AT_ONCE = 1 << 20
_GOLDEN = (5**0.5 - 1) / 2
"""Steps of this share of a circle never come back to the same place, and neighbours are far apart."""
_GREY = (153, 153, 153)


@dataclass(frozen=True)
class Links:
    """Some links, by the ids of their pages."""

    first: int
    """How many links came before them."""
    source: np.ndarray
    target: np.ndarray
    """int64."""
    weight: np.ndarray | None
    """float64; `None` where every link counts 1."""


def links_among(rows: Rows, at_once: int = _LINKS_AT_ONCE) -> Iterator[Links]:
    """The links from one of the pages to another, by source in the order of the pages."""
    graph, ids = rows.graph, rows.column("id").to_numpy()
    chosen = np.zeros(graph.pages, bool)
    chosen[ids] = True
    starts, ends = graph.out_offsets[ids], graph.out_offsets[ids + 1]
    total = np.concatenate(([0], np.cumsum(ends - starts)))
    came, begin = 0, 0
    while begin < len(ids):
        # At least one page: it may have more links than are looked at together.
        end = max(begin + 1, int(np.searchsorted(total, total[begin] + at_once, side="right")) - 1)
        counts = (ends - starts)[begin:end]
        places = np.arange(counts.sum()) + np.repeat(starts[begin:end] - (total[begin:end] - total[begin]), counts)
        target = graph.out_targets[places].astype(np.int64)
        kept = chosen[target]
        weight = None if graph.weights is None else graph.weights[places[kept]].astype(np.float64)
        yield Links(came, np.repeat(ids[begin:end], counts)[kept], target[kept], weight)
        came, begin = came + int(kept.sum()), end


def colours(hosts: pa.Array) -> np.ndarray:
    """Red, green and blue of each page, int64 (pages, 3): pages of a host have one colour, those without are grey."""
    encoded = hosts.dictionary_encode()
    count = len(encoded.dictionary)
    palette = np.empty((count + 1, 3), np.int64)
    for place in range(count):
        # Two kinds of lightness in turn, so that hosts whose hues are near can be told apart.
        rgb = colorsys.hls_to_rgb(place * _GOLDEN % 1, (0.45, 0.62)[place % 2], 0.7)
        palette[place] = [round(255 * part) for part in rgb]
    palette[count] = _GREY
    found: np.ndarray = palette[pc.fill_null(encoded.indices, count).to_numpy(zero_copy_only=False)]
    return found


def node_columns(rows: Rows) -> dict[str, pa.Array]:
    """The columns of the pages as text for XML, with ``r``, ``g`` and ``b``; a score that is not finite is null.

    The label is the URL; hosts and domains have their name.
    """
    url, score = rows.column("url"), rows.column("score")
    rgb = colours(rows.column("host"))
    return {
        "id": text(rows.column("id")),
        "label": xml_text(url if rows.level == "page" else names(url)),
        "url": xml_text(url),
        "host": xml_text(pc.fill_null(rows.column("host"), "")),
        "status": rows.column("status"),
        "rank": text(rows.column("rank")),
        "score": pc.if_else(pc.is_finite(score), score, None).cast(pa.large_string()),
        **{name: text(rgb[:, place]) for place, name in enumerate("rgb")},
    }
