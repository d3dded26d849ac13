"""The Python API: `open` a store and ask it.

    >>> bench = seedrank.open("web.lbug")
    >>> bench.graph
    WebGraph(pages=50,000, links=240,113)

The command line is a thin skin over `Workbench`.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

import graphdb
from graphdb.store import database
from seedrank import runs
from seedrank.core.errors import GraphError, UsageError
from seedrank.core.model import Status
from seedrank.core.progress import Progress, silent
from seedrank.desk import Desk
from seedrank.runs import Ranking, Run

if TYPE_CHECKING:
    import pyarrow as pa

    from seedrank.crawl.question import CrawlQuestion
    from seedrank.engines.base import Dangling, Engine
    from seedrank.engines.choose import EngineName
    from seedrank.evaluate.crawls import Crawls
    from seedrank.evaluate.experiment import Experiment
    from seedrank.seeds.ask import SeedQuestion
    from seedrank.seeds.coverage import Selection

__all__ = ["Workbench", "open"]

log = logging.getLogger(__name__)

_OWN_COLUMNS = frozenset({"id", "url", "source_id", "status", "host"})


def open(
    store: str,
    *,
    database: str | None = None,
    create: bool = False,
    read_only: bool = False,
    engine: EngineName = "auto",
    site: Literal["host", "domain"] = "host",
    refresh: bool = False,
    batch_size: int | None = None,
    progress: Progress = silent,
) -> Workbench:
    """Open a store.

    Parameters
    ----------
    store
        A path (embedded store), ``neo4j://host:7687``, or a folder of arrays.
    database
        Database on a Neo4j server; the server's default when `None`.
    create
        Make an embedded store where there is none.
    read_only
        Do not write; several processes may then read an embedded store at once.
    engine
        Where the primitives run: ``native`` (in memory), ``gds`` (inside Neo4j), or ``auto``, one by one.
    site
        What a site is: the ``host``, or all hosts of a registered ``domain``.
    refresh
        Read the graph again even if its version is unchanged.
    batch_size
        Rows per transaction of a Neo4j store; the fastest measured by default.
    progress
        Told how far long work is.
    """
    opened = graphdb.open_store(store, database=database, create=create, read_only=read_only, batch_size=batch_size)
    return Workbench(opened, engine=engine, site=site, refresh=refresh, progress=progress)


class Workbench(Desk):
    """A store with everything that can be asked of it. Close it, or use it as a context manager."""

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
        from seedrank.engines.native import NativeEngine

        if level == "host" and (teleport or write):
            raise UsageError("--teleport and --write go with pages", hint="leave them out, or rank pages")
        if write is not None and (not write.isidentifier() or write in _OWN_COLUMNS):
            raise UsageError(f"scores cannot be written to {write!r}", hint="name a column: letters, digits and _")
        started = time.perf_counter()
        if level == "host":
            if not len(self.graph.host_names):
                raise GraphError("no page has a host", hint="load URLs or a host column")
            engine: Engine = NativeEngine(centrality.host_graph(self.graph))
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
        run = self.record(f"rank {method}", parameters, engine.name, started, found.facts)
        runs.save(self.runs_folder, run, ranking)
        if write is not None:
            database(self.store, "writing scores").write_scores(write, found.scores, progress=self.progress)
            self.cached_column(write, found.scores)
        if level == "page":
            return run, self.rows(ranking)
        table = ranking.table()
        names = self.graph.host_names.take(table["id"])
        return run, table.set_column(1, "host", names)

    def seeds(
        self,
        question: SeedQuestion,
        *,
        only: Sequence[str] = (),
        exclude: Sequence[str] = (),
        keep: str | None = None,
        save: bool = False,
    ) -> tuple[Run, pa.Table]:
        """Choose seeds; the answer is kept as a run.

        Parameters
        ----------
        question
            What is asked.
        only, exclude
            Conditions on candidates, such as ``host=*.example``.
        keep
            A file of seeds in use: they count as chosen first.
        save
            Also write the answer into the database, for exploration.

        Returns
        -------
        run, table
            The record, with value, bound and ratio among its facts; and a row per seed with ``gain``,
            ``covered_pages``, ``covered_value``, ``frontier_reached``.
        """
        from seedrank.filters import allowed
        from seedrank.seeds import ask

        started = time.perf_counter()
        kept = np.empty(0, np.int64) if keep is None else self.known_pages(keep)[1]
        candidates = allowed(self.graph, only, exclude)
        problem = ask.pose(question, self.graph, self.engine, self.sites, candidates, kept)
        wanted, there = question.k, int((problem.candidates & (problem.groups >= 0)).sum())
        if not question.per_site and wanted > there:
            log.warning("%s seeds were asked for, and only %s pages may be chosen", f"{wanted:,}", f"{there:,}")
        if question.depth > question.hops and question.method in ("maxweight", "maxscc", "rootscc"):
            log.warning("depth %d looks farther than the %d hops a seed reaches", question.depth, question.hops)
        if (problem.value <= 0).all():
            log.warning("no page is worth more than 0, so no seed is worth choosing")
        found = ask.answer(question, problem, lambda: self.engine.walk().scores)
        ranking = _seed_ranking(found.selection)
        parameters = {**asdict(question), "site": self.site, "only": list(only), "exclude": list(exclude), "keep": keep}
        run = self.record(f"seeds {question.method}", parameters, self.engine.name, started, found.facts)
        self.keep(run, ranking, save=save)
        return run, self.rows(ranking)

    def evaluate_seeds(self, file: str, question: SeedQuestion) -> tuple[Run, pa.Table]:
        """How good a list of seeds is: what each adds in the order of the list, and all of them together.

        Pages of the list that are not in the graph, not crawled or given twice are counted in the run's facts.
        """
        from seedrank.seeds import ask
        from seedrank.seeds.bound import upper_bound
        from seedrank.seeds.coverage import cover_in_order

        started = time.perf_counter()
        facts, pages = self.known_pages(file)
        alive = self.graph.status[pages] == Status.CRAWLED
        facts["not crawled"] = int((~alive).sum())
        question = replace(question, k=max(len(pages), 1))
        every = np.ones(self.graph.pages, bool)
        problem = ask.pose(question, self.graph, self.engine, self.sites, every, np.empty(0, np.int64))
        selection = cover_in_order(problem, [pages])
        bound = upper_bound(problem, selection, tight=question.certify)
        value = float(selection.covered_value[-1]) if len(pages) else 0.0
        facts |= {
            "seeds": len(pages),
            "value": value,
            "pages": int(selection.covered_pages[-1]) if len(pages) else 0,
            "bound": bound.value,
            "bound form": bound.form,
            "ratio": bound.ratio(value),
            "add nothing": int((selection.gain <= 0).sum()),
        }
        ranking = _seed_ranking(selection)
        parameters = {"file": file, "hops": question.hops, "value": question.value}
        run = self.record("seeds evaluate", parameters, self.engine.name, started, facts)
        self.keep(run, ranking, save=False)
        return run, self.rows(ranking)

    def reduce_seeds(self, file: str, question: SeedQuestion, share: float) -> tuple[Run, pa.Table]:
        """The fewest seeds of a list (by greedy choice) that reach `share` (in (0, 1]) of what all of it reaches."""
        from seedrank.seeds import ask
        from seedrank.seeds.reduce import reduce

        if not 0 < share <= 1:
            raise UsageError(f"a share of {share:.6g} cannot be kept", hint="give more than 0 % and at most 100 %")
        started = time.perf_counter()
        facts, pages = self.known_pages(file)
        question = replace(question, k=max(len(pages), 1))
        listed = np.zeros(self.graph.pages, bool)
        listed[pages] = True
        problem = ask.pose(question, self.graph, self.engine, self.sites, listed, np.empty(0, np.int64))
        selection, whole = reduce(problem, share)
        reached = float(selection.covered_value[-1]) if len(selection.pages) else 0.0
        facts |= {"of": len(pages), "seeds": len(selection.pages), "value": reached, "value of all": whole}
        ranking = _seed_ranking(selection)
        parameters = {"file": file, "hops": question.hops, "value": question.value, "share": share}
        run = self.record("seeds reduce", parameters, self.engine.name, started, facts)
        self.keep(run, ranking, save=False)
        return run, self.rows(ranking)

    def crawl(
        self, question: CrawlQuestion, seeds: str = "pagerank:160", *, value: str | None = None, save: bool = False
    ) -> tuple[Run, pa.Table]:
        """Replay a crawl over the recorded graph; the order is kept as a run.

        Parameters
        ----------
        question
            The order, and when to stop.
        seeds
            A file, ``METHOD:N`` (``pagerank:160`` or any method of `seeds`), or ``run:ID``.
        value
            Also measure by ``uniform``, ``paper`` or a page column.
        save
            Also write the order into the database, for exploration.

        Returns
        -------
        run, table
            The record, with the measures among its facts; and a row per fetch with ``score`` (the key at the fetch),
            ``discovered`` (number of the discovery, from 1), ``bound`` and ``second`` where there are any. An
            interrupted crawl is kept too, with ``partial`` among its facts.
        """
        from seedrank.crawl.measures import summary
        from seedrank.evaluate.crawls import Crawls, parameters_of

        started = time.perf_counter()
        crawls = Crawls(self, value)
        seed_facts, pages = self.crawl_seeds(seeds, question.rng, crawls)
        crawl = crawls.run(question, pages)
        facts = {
            **seed_facts,
            **summary(crawls.yardstick_from(pages), crawl),
            "partial": crawl.partial,
            "discovered": crawl.discovered,
            "pushes": crawl.pushes,
            "revisits": crawl.revisits,
        }
        columns: dict[str, np.ndarray] = {"discovered": crawl.found.astype(np.int64) + 1}
        if crawl.mass is not None:
            columns["bound"] = crawl.mass
        if crawl.times is not None:
            columns["second"] = crawl.times
        ranking = Ranking(crawl.pages.astype(np.int64), crawl.scores, columns)
        parameters = parameters_of(question, seeds, site=self.site, value=value)
        run = self.record(f"crawl {question.name}", parameters, "native", started, facts)
        self.keep(run, ranking, save=save)
        return run, self.rows(ranking)

    def compare_orders(
        self,
        names: Sequence[str],
        question: CrawlQuestion,
        seeds: str = "pagerank:160",
        *,
        value: str | None = None,
    ) -> tuple[Run, Experiment]:
        """Replay several orders from the same seeds, with the same budget, and measure them side by side.

        Parameters
        ----------
        names
            Orders by their short names: ``fpr``, ``fpr@20``, ``windowed-rankmass:5%``, ``pagerank:partial``, ``bfs`` …
        question
            Everything but the order.
        seeds, value
            As for `crawl`.

        Returns
        -------
        run, experiment
            Tables ``orders`` and ``curves`` and the charts of both figures, kept as a run.
        """
        from seedrank.evaluate import ordering
        from seedrank.evaluate.crawls import Crawls

        crawls = Crawls(self, value)
        _, pages = self.crawl_seeds(seeds, question.rng, crawls)
        return ordering.compare(self, crawls, names, question, pages, seeds)

    def crawl_seeds(self, text: str, rng: int = 1, crawls: Crawls | None = None) -> tuple[dict[str, Any], np.ndarray]:
        """Pages a crawl begins with, and what is to be said of them: a file, ``METHOD:N`` or ``run:ID``."""
        from seedrank.crawl.question import seed_source
        from seedrank.evaluate.crawls import Crawls
        from seedrank.seeds.ask import METHODS, SeedQuestion

        source, count = seed_source(text, METHODS)
        if source.startswith("run:"):
            pages = runs.read(self.runs_folder, source)[1].pages[:count]
            if not len(pages):
                raise UsageError(f"{source} has no pages", hint="name another run")
        elif source == "pagerank":
            pages = (crawls or Crawls(self)).best_pages(count or 1)
        elif source in METHODS:
            _, table = self.seeds(SeedQuestion(method=source, k=count or 1, rng=rng))
            pages = table["id"].to_numpy()
        else:
            facts, pages = self.known_pages(source)
            return {"seeds": len(pages), "seeds unknown": facts["unknown"]}, pages
        if not len(pages):
            raise GraphError("no page is crawled, so there are no seeds", hint="load pages with their links")
        return {"seeds": len(pages)}, np.asarray(pages, np.int64)


def _seed_ranking(selection: Selection) -> Ranking:
    names = ("gain", "gain_pages", "covered_pages", "covered_value", "frontier_reached")
    return Ranking(selection.pages, selection.gain, {name: getattr(selection, name) for name in names})
