"""The Python API: `open` a store and ask it.

    >>> bench = seedrank.open("web.lbug")
    >>> bench.graph
    WebGraph(pages=50,000, links=240,113)

The command line is a thin skin over `Workbench`.
"""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
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

    from seedrank.engines.base import Dangling, Engine
    from seedrank.engines.choose import EngineName
    from seedrank.evaluate.experiment import Experiment
    from seedrank.evaluate.impact import ImpactPlan
    from seedrank.frontier.ask import FrontierQuestion
    from seedrank.frontier.model import Model
    from seedrank.frontier.scores import Scores, Searches
    from seedrank.frontier.trial import Trial
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

    # -- the frontier

    def frontier(
        self,
        question: FrontierQuestion,
        *,
        model: str | None = None,
        only: Sequence[str] = (),
        exclude: Sequence[str] = (),
        save: bool = False,
        save_links: bool = False,
    ) -> tuple[Run, pa.Table]:
        """Rank frontier pages by the impact they will have; the answer is kept as a run.

        Parameters
        ----------
        question
            What is asked.
        model
            For ``learned``: a file of `learn_frontier`; learnt on hidden crawled pages when `None`.
        only, exclude
            Conditions on candidates, such as ``host=*.example``.
        save
            Also write the answer into the database, for exploration.
        save_links
            Also write the virtual links into the database as ``CO_CITED``, in place of those that are there.

        Returns
        -------
        run, table
            The record; and a row per frontier page with ``in_links``, best first.
        """
        from seedrank.filters import allowed
        from seedrank.frontier import ask

        started = time.perf_counter()
        scores = self._frontier_scores(question)
        learnt = self._model(question, scores, model) if question.method == "learned" else None
        ranking, facts = ask.answer(question, scores, allowed(self.graph, only, exclude), learnt)
        if save_links:
            links = scores.virtual_links.table()
            database(self.store, "saving virtual links").write_virtual_links(links, progress=self.progress)
            facts["virtual links saved"] = links.num_rows
        parameters = {**asdict(question), "model": model, "only": list(only), "exclude": list(exclude)}
        run = self.record(f"frontier {question.method}", parameters, self.engine.name, started, facts)
        self.keep(run, ranking, save=save)
        return run, self.rows(ranking)

    def tune_frontier(
        self, question: FrontierQuestion, *, hide: float = 0.35, truth: str | None = None, resamples: int = 100
    ) -> tuple[Run, Experiment]:
        """Find ω and β of RW-EG on pages whose impact is known; kept as an experiment.

        Parameters
        ----------
        question
            Impact, budget (a share of the known pages; 5 % when it has none) and the other options.
        hide
            Share of the crawled pages to hide, in (0, 1). Default 0.35.
        truth
            A table of frontier pages with their impact: tune on these, and hide nothing.
        resamples
            Of the bootstrap.
        """
        from seedrank.evaluate.impact_parts import tuning
        from seedrank.evaluate.perform import perform

        parameters = {**asdict(question), "hide": hide, "truth": truth, "resamples": resamples}
        return perform(
            self,
            "frontier-tune",
            parameters,
            lambda steps: tuning(*self._trial(question, hide, truth), question, resamples, self.progress, parameters),
        )

    def learn_frontier(
        self,
        question: FrontierQuestion,
        file: str,
        *,
        kind: str = "tree",
        extras: bool = False,
        hide: float = 0.35,
        truth: str | None = None,
    ) -> tuple[Run, Experiment]:
        """Learn a model of impact, write it to `file`, and judge it on pages it has not seen; kept as an experiment.

        Parameters
        ----------
        question, hide, truth
            As in `tune_frontier`.
        file
            Where the model goes (JSON).
        kind
            ``tree``, ``sgd`` or ``boosting``.
        extras
            Learn from facts of the pages too, not from the methods' scores alone.
        """
        from seedrank.evaluate.impact_parts import learning
        from seedrank.evaluate.perform import perform

        parameters = {**asdict(question), "hide": hide, "truth": truth, "kind": kind, "extras": extras, "file": file}
        return perform(
            self,
            "frontier-learn",
            parameters,
            lambda steps: learning(*self._trial(question, hide, truth), question, kind, extras, file, parameters),
        )

    def explain(self, page: str, question: FrontierQuestion) -> tuple[Run, pa.Table, pa.Table]:
        """Why a frontier page has the score it has.

        Parameters
        ----------
        page
            Its URL or source id.
        question
            Impact and options; the method is RW-EG.

        Returns
        -------
        run, senders, verdicts
            The record, with the page's own share (``teleport``) among its facts; the pages that send to it, by link and
            by co-citation; and what each method says of it.
        """
        from seedrank.frontier.explain import contributions, verdicts

        started = time.perf_counter()
        number = self._one_page(page)
        status = Status(int(self.graph.status[number]))
        if status is not Status.FRONTIER:
            raise UsageError(f"{page} is {status.label}: its score is known", hint="name a frontier page")
        scores = self._frontier_scores(question)
        ranking, teleport = contributions(scores, number)
        facts = {"page": number, "score": float(scores.of("rw-eg")[number]), "teleport": teleport}
        run = self.record("explain", {**asdict(question), "page": page}, self.engine.name, started, facts)
        self.keep(run, ranking, save=False)
        return run, self.rows(ranking), verdicts(scores, number)

    def experiment_impact(self, plan: ImpactPlan) -> tuple[Run, Experiment]:
        """The figures and claims of paper 004 on this graph; kept as an experiment."""
        from seedrank.evaluate.impact import impact_experiment
        from seedrank.evaluate.perform import perform

        def trial(rng: int) -> tuple[Trial, Scores]:
            return self._trial(
                replace(plan.question, options=replace(plan.question.options, rng=rng)), plan.hide, plan.truth
            )

        # Parts of an interrupted experiment are good only for the same files.
        files = [*plan.question.events, *([plan.truth] if plan.truth else [])]
        parameters = {**asdict(plan), "sha256": [_sha256(file) for file in files]}
        return perform(
            self,
            "impact",
            parameters,
            lambda steps: impact_experiment(plan, self.graph, trial, steps, self.progress, parameters),
        )

    def _frontier_scores(self, question: FrontierQuestion) -> Scores:
        """Scores of the real frontier."""
        from seedrank.engines.native import NativeEngine
        from seedrank.frontier.problem import pose, reveal
        from seedrank.frontier.scores import Scores

        crawled, frontier = self.graph.status == Status.CRAWLED, self.graph.status == Status.FRONTIER
        impact = self._impact(question, crawled)
        revealed = reveal(self.graph, crawled)
        engine: Engine = self.engine if revealed is self.graph else NativeEngine(revealed)
        return Scores(pose(revealed, engine, crawled, frontier, impact), question.options, self._searches)

    def _trial(self, question: FrontierQuestion, hidden: float, truth: str | None) -> tuple[Trial, Scores]:
        """Frontier pages whose impact is known, and the methods' scores of them; `options.rng` draws what is hidden."""
        from seedrank.frontier.scores import Scores
        from seedrank.frontier.tables import later_impact
        from seedrank.frontier.trial import hide, known_later

        if truth is not None:
            scores = self._frontier_scores(replace(question, method="rw-eg"))
            later = later_impact(truth, question.impact, self.find, self.graph.pages)
            return known_later(scores.problem, later), scores
        crawled, frontier = self.graph.status == Status.CRAWLED, self.graph.status == Status.FRONTIER
        if not crawled.any():
            raise GraphError("no page is crawled, so none can be hidden", hint="load crawled pages")
        impact = self._impact(replace(question, method="rw-eg"), crawled)
        if not impact[crawled].any():
            raise GraphError(
                f"every crawled page has {question.impact} 0, so there is nothing to judge by",
                hint="name a column with values, --impact COLUMN",
            )
        trial = hide(self.graph, crawled, frontier, impact, hidden, question.options.rng)
        return trial, Scores(trial.problem, question.options, self._searches)

    def _impact(self, question: FrontierQuestion, crawled: np.ndarray) -> np.ndarray:
        from seedrank.frontier.impact import checked_impact, column_impact
        from seedrank.frontier.tables import events_impact

        if question.events:
            since, until = (
                None if time is None else datetime.fromisoformat(time) for time in (question.since, question.until)
            )
            impact, unknown = events_impact(question.events, question.impact, self.find, self.graph.pages, since, until)
            if unknown:
                log.warning("%s pages of the events are not in the graph", f"{unknown:,}")
            return checked_impact(impact, question.impact, crawled)
        if not question.needs_impact and question.impact not in self.graph.column_names:
            return np.zeros(self.graph.pages)
        return column_impact(self.graph, question.impact, crawled)

    @cached_property
    def _searches(self) -> Searches:
        from seedrank.frontier.scores import Searches

        return Searches(
            self.store.read_queries,
            self.store.read_results,
            lambda: self.graph.urls,
            lambda: self.store.read_links(("anchors",)),
        )

    def _model(self, question: FrontierQuestion, scores: Scores, file: str | None) -> Model:
        from seedrank.evaluate.impact_parts import learnt
        from seedrank.frontier.features import feature_names
        from seedrank.frontier.model import read_model

        if file is not None:
            return read_model(file, feature_names(scores, extras=True))
        trial, of_trial = self._trial(question, 0.35, None)
        every = np.ones(len(trial.pages), bool)
        return learnt(trial, of_trial, every, "tree", feature_names(scores), question.options.rng)

    def _one_page(self, page: str) -> int:
        """Id of the page a user names by URL or source id."""
        import pyarrow as pa

        from loaders.pagelist import PageList

        for keys in ([pa.array([page])], [pa.array([int(page)])] if page.isdecimal() else []):
            for key in keys:
                number = int(self.find(PageList("", key, np.ones(1)))[0][0])
                if number >= 0:
                    return number
        raise UsageError(f"no page is {page!r}", hint="give its URL, or its id in the source")


def _sha256(file: str) -> str:
    from loaders.compressed import Input

    Input(file).check()
    with Path(file).open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def _seed_ranking(selection: Selection) -> Ranking:
    names = ("gain", "gain_pages", "covered_pages", "covered_value", "frontier_reached")
    return Ranking(selection.pages, selection.gain, {name: getattr(selection, name) for name in names})
