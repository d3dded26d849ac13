"""GraphML: what Gephi, yEd, igraph and networkx read. Labels are URLs or names; ``r``, ``g``, ``b`` a host's colour."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

import pyarrow as pa
import pyarrow.compute as pc

from seedrank.exporters.network import Links, links_among, node_columns
from seedrank.exporters.rows import Rows
from seedrank.exporters.text import beside, in_blocks, lines, text

__all__ = ["graphml"]

_TYPES = {
    "label": "string", "url": "string", "host": "string", "status": "string", "rank": "long", "score": "double",
    "r": "int", "g": "int", "b": "int",
}  # fmt: skip


def graphml(rows: Rows, about: Sequence[str]) -> Iterator[bytes]:
    """The pages, best first, and the links among them."""
    yield _head(about).encode()
    columns = node_columns(rows)
    yield from in_blocks(len(rows), lambda part: _nodes({name: one[part] for name, one in columns.items()}))
    for links in links_among(rows):
        yield from in_blocks(len(links.source), lambda part, links=links: _edges(links, part))  # type: ignore[misc]
    yield b"</graph>\n</graphml>\n"


def _head(about: Sequence[str]) -> str:
    keys = "".join(
        f'<key id="{name}" for="node" attr.name="{name}" attr.type="{kind}"/>\n' for name, kind in _TYPES.items()
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
        'xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns '
        'http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">\n'
        f"<desc>{escape('. '.join(about))}</desc>\n{keys}"
        '<key id="weight" for="edge" attr.name="weight" attr.type="double"/>\n'
        '<graph id="pages" edgedefault="directed">\n'
    )


def _nodes(columns: dict[str, pa.Array]) -> bytes:
    data = [pc.fill_null(beside(f'<data key="{name}">', columns[name], "</data>"), "") for name in _TYPES]
    return lines('<node id="', columns["id"], '">', *data, "</node>")


def _edges(links: Links, part: slice) -> bytes:
    ends = '<edge source="', text(links.source[part]), '" target="', text(links.target[part]), '"'
    if links.weight is None:
        return lines(*ends, "/>")
    return lines(*ends, '><data key="weight">', text(links.weight[part]), "</data></edge>")
