"""How central pages and hosts are."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Literal

from graphdb.store import database
from seedrank.core import numbers
from seedrank.core.errors import GraphError, UsageError
from seedrank.runs import Run
from seedrank.session import Session

if TYPE_CHECKING:
    import pyarrow as pa

    from seedrank.engines.base import Dangling, Engine

__all__ = ["RankBench"]

_OWN_COLUMNS = frozenset({"id", "url", "source_id", "status", "host"})


class RankBench(Session):
    """Questions about how central pages and hosts are."""

    def rank(
        self,
        method: str,
        *,
        level: Literal["page", "host"] = "page",
        damping: float = 0.85,
        dangling: Dangling = "teleport",
        teleport: str | None = None,
        iterations: int = 60,
        write: str | None = None,
    ) -> tuple[Run, pa.Table]:
        """Rank pages or hosts by how central they are; the answer is kept as a run.

        Parameters
        ----------
        method
            ``pagerank``, ``hits``, ``indegree``, ``outdegree`` or ``harmonic``.
        level
            ``page``, or ``host``: hosts by the links between them (always in memory).
        damping, dangling
            Of PageRank.
        teleport
            A file of trusted pages; every page alike when `None`.
        iterations
            Of HITS.
        write
            Also write the scores as this page property.

        Returns
        -------
        run, table
            The record; ``rank``, ``id``, ``source_id``, ``url``, ``host``, ``score`` and the method's columns
            (``rank``, ``host``, ``score`` for hosts), best first.
        """
        from seedrank import centrality
        from seedrank.engines.choose import noted_with
        from seedrank.engines.native import NativeEngine

        if level == "host" and (teleport or write):
            raise UsageError("--teleport and --write go with pages", hint="leave them out, or rank pages")
        if write is not None and (not write.isidentifier() or write in _OWN_COLUMNS):
            raise UsageError(f"scores cannot be written to {write!r}", hint="name a column: letters, digits and _")
        numbers.whole("iterations", iterations, 1, numbers.MOST_TIMES)
        if not 0 < damping < 1:
            raise UsageError(f"damping must be above 0 and below 1, not {damping:.6g}")
        started = time.perf_counter()
        if level == "host":
            if not len(self.graph.host_names):
                raise GraphError("no page has a host", hint="load URLs or a host column")
            engine: Engine = noted_with(self.engine, NativeEngine(centrality.host_graph(self.graph)))
        else:
            engine = self.engine
        trust = None if teleport is None else self.weights(teleport, engine.pages)
        found = centrality.rank_by(
            engine, method, damping=damping, dangling=dangling, teleport=trust, iterations=iterations
        )
        ranking = found.ranking()
        parameters: dict[str, Any] = {"method": method, "level": level}
        if method == "pagerank":
            parameters |= {"damping": damping, "dangling": dangling, "teleport": teleport}
        elif method == "hits":
            parameters |= {"iterations": iterations}
        run = self.record(f"rank {method}", parameters, started, found.facts)
        self.keep(run, ranking)
        if write is not None:
            database(self.store, "writing scores").write_scores(write, found.scores, progress=self.progress)
            self.cached_column(write, found.scores)
        if level == "page":
            return run, self.rows(ranking)
        table = ranking.table()
        names = self.graph.host_names.take(table["id"])
        return run, table.set_column(1, "host", names)
