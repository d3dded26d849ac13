"""Common Crawl's graphs of hosts and domains: vertices, edges and ranks; all of a graph, or a part of it.

Names are written there with their labels in the opposite order (``org.example.www``) and are turned round.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from functools import cached_property
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.errors import InputError, UsageError
from seedrank.core.levels import PLURAL, Level
from seedrank.core.model import Status
from seedrank.core.urls import turned
from seedrank.engines.kernels.marks import are_marked, mark
from seedrank.loaders.base import Batch, Where
from seedrank.loaders.cc_files import GraphFile, graph_file, read_edges, read_ranks, read_vertices
from seedrank.loaders.cc_part import Part, ends, ids
from seedrank.loaders.compressed import MAX_ROWS, Input
from seedrank.loaders.files import FileSource
from seedrank.loaders.growing import Growing

__all__ = ["CommonCrawlSource"]


class CommonCrawlSource(FileSource):
    """A graph of Common Crawl, ready to read (`seedrank.loaders.base.Source`).

    Files are told apart by their first line. Of a part, all links between its hosts are kept, and a host is crawled
    where it links to any host of the whole graph.

    Parameters
    ----------
    files
        Vertices (``id<TAB>reversed name``, of domains a third field: how many hosts) and edges (``from<TAB>to``),
        plain, gzip or Zstandard; those of vertices in their order.
    ranks
        Files of ranks, in their order: the columns `seedrank.loaders.cc_files.RANKS` of the hosts that are kept.
    level
        ``host`` or ``domain``; by the fields of the vertices when `None`.
    tld, limit, around, hops
        The part to keep: as `seedrank.loaders.cc_part.Part` has them.
    """

    def __init__(
        self,
        files: Sequence[str],
        *,
        ranks: Sequence[str] = (),
        level: Level | None = None,
        tld: Sequence[str] = (),
        limit: int | None = None,
        around: Sequence[str] = (),
        hops: int = 1,
    ) -> None:
        inputs = [("graph", Input(str(file))) for file in files] + [("ranks", Input(str(file))) for file in ranks]
        super().__init__("cc-webgraph", inputs, level=level or "host")
        if level not in (None, "host", "domain"):
            raise UsageError("Common Crawl's graphs are of hosts or domains", hint="{level=host}", fields=("level",))
        self._given, self._part = level, Part(tld, limit, around, hops)
        said = {"level": level, "tld": ",".join(tld), "limit": limit, "around": " ".join(around)}
        self.shape = " ".join(f"{name}={value}" for name, value in said.items() if value)
        self.shape += f" hops={hops}" if around else ""
        self.description = " ".join(text for text in (self.description, self.shape) if text)

    def whole_files(self, kind: Literal["vertices", "edges"]) -> list[str]:
        """Names of the files of vertices or edges; refused where a part of the graph or ranks are asked for."""
        if self._part or self._ranks:
            raise UsageError(
                "Spark takes the whole graph, without {ranks}, {tld}, {limit} and {around}",
                hint="load the part into an embedded store, and export it with `seedrank export spark DIR`",
                fields=("ranks", "tld", "limit", "around"),
            )
        if self._given is None:
            self.level = next(file.level for file in self._files if file.kind == "vertices")
        return [file.source.name for file in self._files if file.kind == kind]

    @property
    def size(self) -> int | None:
        """Bytes that are read, in all passes."""
        around, by_rank = bool(self._part.around), self._by_rank
        passes = {"vertices": 1 + around * (1 + by_rank), "edges": 1 + around * self._part.hops}
        graph = sum(passes[file.kind] * (file.source.size or 0) for file in self._files)
        return graph + (1 + by_rank) * sum(source.size or 0 for source in self._ranks)

    def batches(self) -> Iterator[Batch]:
        """Read everything, in batches of bounded size."""
        if self._given is None:
            self.level = next(file.level for file in self._files if file.kind == "vertices")
        if self._part.around:
            yield from self._part.look_around(self.level, self._vertices, self._edges)
            self.shape = " ".join([self.shape, *self._part.listed])
        if self._by_rank:
            yield from self._part.choose_best(self._vertices, self._ranked)
        kept = Growing(np.uint8, 0)
        total = yield from self._pages(kept)
        yield from self._links(total, kept.values if self._part else None)
        for batch in self._ranked():
            yield _named(batch.filter(self._part.below(batch)), known=True)

    @cached_property
    def _files(self) -> list[GraphFile]:
        """The files of vertices and edges."""
        for _, source in self.inputs:
            if source.size is None:
                raise InputError("cannot be read twice", file=source.name, hint="put it into a file")
            source.check()
        files = [graph_file(source) for kind, source in self.inputs if kind == "graph"]
        vertices = [file for file in files if file.kind == "vertices"]
        if not vertices:
            raise InputError("holds edges, and no file holds vertices", file=files[0].source.name, hint="name it too")
        odd = next((file for file in vertices if file.fields != vertices[0].fields), None)
        if odd is not None:
            raise InputError(
                f"{odd.fields} fields a line, and {vertices[0].fields} in {vertices[0].source.name}",
                file=odd.source.name,
                hint="give the vertices of one graph",
            )
        return files

    @property
    def _ranks(self) -> list[Input]:
        return [source for kind, source in self.inputs if kind == "ranks"]

    @property
    def _by_rank(self) -> bool:
        return self._part.limit is not None and bool(self._ranks)

    def _vertices(self) -> Iterator[Batch]:
        first = 0
        for file in self._files:
            if file.kind == "vertices":
                for batch in read_vertices(file, first):
                    first += batch.rows.num_rows
                    yield batch

    def _edges(self, total: int) -> Iterator[Batch]:
        for file in self._files:
            if file.kind == "edges":
                yield from read_edges(file, total)

    def _ranked(self) -> Iterator[Batch]:
        last = 0
        for source in self._ranks:
            for batch in read_ranks(source, last):
                last = batch.rows.column("harmonicc_pos")[-1].as_py()
                yield batch

    def _pages(self, kept: Growing) -> Generator[Batch, None, int]:
        """Vertices that are kept, as pages; marks them, and returns how many there are in all."""
        total = count = 0
        order = _Order()
        for batch in self._vertices():
            order.see(batch)
            keep = self._part.keep(batch)
            total += batch.rows.num_rows
            count += int(np.count_nonzero(keep))
            if self._part:
                mark(kept.reserve((total >> 3) + 1), ids(batch)[keep])
            yield _named(batch.filter(keep))
        self.notes += [*order.notes, *self._part.notes]
        if self._part:
            self.notes.append(f"{count:,} of {total:,} {PLURAL[self.level]} are kept")
        if not count:
            raise InputError(
                f"no {self.level} is left",
                hint="choose a larger part by {tld}, {limit} or {around}",
                fields=("tld", "limit", "around"),
            )
        return total

    def _links(self, total: int, kept: np.ndarray | None) -> Iterator[Batch]:
        """Links between vertices that are kept; at last those of a part that link to anything, which are crawled."""
        linking = np.zeros(0 if kept is None else len(kept), np.uint8)
        for batch in self._edges(total):
            if kept is not None:
                sources, targets = ends(batch)
                keep = are_marked(kept, sources)
                mark(linking, sources[keep & (sources != targets)])
                batch = batch.filter(keep & are_marked(kept, targets))
            yield batch
        for first in range(0, len(linking), MAX_ROWS // 8):
            crawled = np.flatnonzero(np.unpackbits(linking[first : first + MAX_ROWS // 8], bitorder="little"))
            status = pa.repeat(Status.CRAWLED.label, len(crawled))
            rows = pa.record_batch({"id": crawled + 8 * first, "status": status})
            yield Batch("pages", rows, Where(self.files[0]), known=True)


class _Order:
    """Whether names come in the order of Common Crawl's graphs."""

    def __init__(self) -> None:
        self._last: pa.Array = pa.array([], pa.string())
        self.notes: list[str] = []

    def see(self, batch: Batch) -> None:
        """Look at the next vertices."""
        found = batch.rows.column("url")
        if not self.notes:
            run = pa.concat_arrays([self._last, found])
            row = pc.index(pc.less_equal(run[1:], run[:-1]), True).as_py()
            if row >= 0:
                line = batch.where.line(row + 1 - len(self._last))
                self.notes.append(
                    f"{batch.where.file}, line {line}: names are not in the order of Common Crawl's graphs "
                    "(by the reversed name); they are loaded as they are"
                )
        self._last = found.slice(len(found) - 1)


def _named(batch: Batch, *, known: bool = False) -> Batch:
    """Vertices or ranks with their names turned round."""
    rows = batch.rows
    place = rows.schema.get_field_index("url")
    return Batch("pages", rows.set_column(place, "url", turned(rows.column(place))), batch.where, known=known)
