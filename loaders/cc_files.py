"""Files of Common Crawl's web graphs: vertices, edges and ranks, as their rows stand there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.errors import InputError
from seedrank.core.levels import Level
from seedrank.loaders.base import Batch, Where
from seedrank.loaders.columns import convert
from seedrank.loaders.compressed import Input
from seedrank.loaders.records import TSV
from seedrank.loaders.snap import read_links
from seedrank.loaders.text import read_rows

__all__ = ["RANKS", "GraphFile", "graph_file", "read_edges", "read_ranks", "read_vertices"]

_HEAD = 1 << 16
_MOST_FIELDS = 16
_VERTEX = ("id", "url", "n_hosts")
RANKS = {"harmonicc_pos": pa.int64(), "harmonicc_val": pa.float64(), "pr_pos": pa.int64(), "pr_val": pa.float64()}
"""Columns of a file of ranks before the reversed name, by Common Crawl's names without ``#``."""
_WHAT = "vertices are `id<TAB>reversed name`, edges `from<TAB>to`"


@dataclass(frozen=True)
class GraphFile:
    """A file of vertices or edges."""

    kind: Literal["vertices", "edges"]
    """What it holds."""
    source: Input
    fields: int
    """Fields of a line."""
    level: Level
    """What its vertices are: lines of the domain graph end in the number of hosts."""


def graph_file(source: Input) -> GraphFile:
    """What a file holds, by its first line."""
    if _first_line(source, comments=True)[0].lower() == b"#" + next(iter(RANKS)).encode():
        raise InputError("holds ranks", file=source.name, hint="give it with {ranks}", fields=("ranks",))
    fields = _first_line(source)
    if len(fields) == 2 and all(field.isdigit() for field in fields):
        return GraphFile("edges", source, 2, "host")
    if not 2 <= len(fields) <= _MOST_FIELDS or not fields[0].isdigit():
        line = b"\t".join(fields)
        raise InputError("holds neither vertices nor edges", file=source.name, value=line, hint=_WHAT)
    domains = len(fields) > 2 and fields[2].isdigit()
    return GraphFile("vertices", source, len(fields), "domain" if domains else "host")


def read_vertices(file: GraphFile, first: int) -> Iterator[Batch]:
    """Vertices as pages: ``id``, ``url`` (the reversed name) and, of domains, ``n_hosts``.

    Ids count from 0, over all files: `first` is that of its first vertex.
    """
    names = [*_VERTEX, *(f"field_{place}" for place in range(4, _MOST_FIELDS + 1))][: file.fields]
    kept = list(_VERTEX[: 3 if file.level == "domain" else 2])
    for item in read_rows(file.source, "pages", dialect=TSV, columns=names):
        rows, where = item.rows.select(kept), item.where
        _check_ids(rows, where, first)
        _refuse_empty(rows, where)
        if "n_hosts" in kept:
            hosts = convert(rows.column("n_hosts"), pa.int64(), column="n_hosts", where=where)
            rows = rows.set_column(2, "n_hosts", hosts)
        first += rows.num_rows
        yield replace(item, rows=rows)


def read_edges(file: GraphFile, vertices: int) -> Iterator[Batch]:
    """Edges as links by id; an id that no vertex has is an error."""
    for batch in read_links(file.source):
        for name in ("source", "target"):
            ids = batch.rows.column(name).to_numpy()
            if len(ids) and int(ids.max()) >= vertices:
                row = int((ids >= vertices).argmax())
                message = f"no vertex has this id: there are {vertices:,}, from 0"
                hint = "give all files of vertices of the same graph"
                raise batch.where.error(row, message, hint, column=name, value=int(ids[row]))
        yield batch


def holds_ranks(source: Input) -> bool:
    """Whether a file begins as Common Crawl's ranks do: with the names of their columns, or a position."""
    fields = _first_line(source, comments=True)
    first = fields[0].lower()
    return len(RANKS) < len(fields) and (first.isdigit() or first == b"#" + next(iter(RANKS)).encode())


def read_ranks(source: Input, last: int = 0) -> Iterator[Batch]:
    """Ranks as pages: ``url`` (the reversed name) and `RANKS`.

    Positions ascend, over all files: `last` is the one by harmonic centrality before it.
    """
    fields = len(_first_line(source, comments=True))
    if not len(RANKS) < fields <= _MOST_FIELDS:
        raise InputError(
            f"{fields} fields a line are not ranks", file=source.name, hint=f"the columns are {', '.join(RANKS)}, name"
        )
    names = [*RANKS, "url", *(f"field_{place}" for place in range(6, _MOST_FIELDS + 1))][:fields]
    for item in read_rows(source, "pages", dialect=TSV, columns=names):
        where = item.where
        _refuse_empty(item.rows, where)
        columns = {
            name: convert(item.rows.column(name), kind, column=name, where=where) for name, kind in RANKS.items()
        }
        places = columns["harmonicc_pos"].fill_null(-1).to_numpy()
        behind = np.diff(places, prepend=last) < 0
        if behind.any():
            row = int(behind.argmax())
            hint = "give the ranks as Common Crawl orders them, several files in their order"
            value = int(places[row])
            raise where.error(row, "positions do not ascend", hint, column="harmonicc_pos", value=value)
        last = int(places[-1])
        yield replace(item, rows=pa.record_batch({"url": item.rows.column("url"), **columns}))


def _first_line(source: Input, *, comments: bool = False) -> list[bytes]:
    """Fields of the first line that is not blank, and no comment unless `comments` are wanted."""
    before, head, found = source.position, b"", list[bytes]()
    for chunk in source.chunks():
        head = (head + chunk)[:_HEAD]
        lines = head.removeprefix(b"\xef\xbb\xbf").splitlines(keepends=True)
        found = [line for line in lines if line.strip() and (comments or not line.startswith(b"#"))]
        if len(head) >= _HEAD or (found and found[0].endswith((b"\n", b"\r"))):
            break
    source.position = before  # these bytes are read again
    if found:
        return found[0].rstrip(b"\r\n").split(b"\t")
    raise InputError("holds only comments" if head.strip() else "is empty", file=source.name, hint=_WHAT)


def _check_ids(rows: pa.RecordBatch, where: Where, first: int) -> None:
    ids = rows.column("id").fill_null(-1).to_numpy()
    wrong = ids != np.arange(first, first + len(ids))
    if wrong.any():
        row = int(wrong.argmax())
        message = f"vertex {first + row:,} is expected here: ids count from 0 without gaps"
        hint = "give all files of vertices, in their order; load a part of a graph with `load table`"
        raise where.error(row, message, hint, column="id", value=None if ids[row] < 0 else int(ids[row]))


def _refuse_empty(rows: pa.RecordBatch, where: Where) -> None:
    names = rows.column("url")
    if names.null_count:
        row = int(pc.index(names.is_null(), True).as_py())
        raise where.error(row, "the name is empty", _WHAT)
