"""GEXF 1.2: what Gephi, networkx and others read. Labels are URLs or names of hosts, colours are hosts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.exporters.network import Links, links_among, node_columns
from seedrank.exporters.rows import Rows
from seedrank.exporters.text import beside, in_blocks, lines, text

__all__ = ["gexf"]

_TYPES = {"url": "string", "host": "string", "status": "string", "rank": "long", "score": "double"}


def gexf(rows: Rows, about: Sequence[str]) -> Iterator[bytes]:
    """The pages, best first, and the links among them."""
    yield _head(about).encode()
    columns = node_columns(rows)
    yield from in_blocks(len(rows), lambda part: _nodes({name: one[part] for name, one in columns.items()}))
    yield b"</nodes>\n<edges>\n"
    for links in links_among(rows):
        yield from in_blocks(len(links.source), lambda part, links=links: _edges(links, part))  # type: ignore[misc]
    yield b"</edges>\n</graph>\n</gexf>\n"


def _head(about: Sequence[str]) -> str:
    attributes = "".join(f'<attribute id="{name}" title="{name}" type="{kind}"/>\n' for name, kind in _TYPES.items())
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<gexf xmlns="http://www.gexf.net/1.2draft" xmlns:viz="http://www.gexf.net/1.2draft/viz" version="1.2">\n'
        f"<meta>\n<creator>seedrank</creator>\n<description>{escape('. '.join(about))}</description>\n</meta>\n"
        '<graph mode="static" defaultedgetype="directed">\n'
        f'<attributes class="node" mode="static">\n{attributes}</attributes>\n<nodes>\n'
    )


def _nodes(columns: dict[str, pa.Array]) -> bytes:
    values = [pc.fill_null(beside(f'<attvalue for="{name}" value="', columns[name], '"/>'), "") for name in _TYPES]
    return lines(
        '<node id="', columns["id"], '" label="', columns["label"], '"><attvalues>', *values,
        '</attvalues><viz:color r="', columns["r"], '" g="', columns["g"], '" b="', columns["b"], '"/></node>',
    )  # fmt: skip


def _edges(links: Links, part: slice) -> bytes:
    number = links.first + np.arange(part.start, part.stop)
    weight = [] if links.weight is None else ['" weight="', text(links.weight[part])]
    return lines(
        '<edge id="', text(number), '" source="', text(links.source[part]), '" target="', text(links.target[part]),
        *weight, '"/>',
    )  # fmt: skip
