"""Which frontier pages will matter."""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from graphdb.store import database
from seedrank.core.errors import GraphError, UsageError
from seedrank.core.model import Status
from seedrank.desk import Desk
from seedrank.runs import Run

if TYPE_CHECKING:
    import pyarrow as pa

    from seedrank.engines.base import Engine
    from seedrank.evaluate.experiment import Experiment
    from seedrank.evaluate.impact import ImpactPlan
    from seedrank.frontier.ask import FrontierQuestion
    from seedrank.frontier.model import Model
    from seedrank.frontier.scores import Scores, Searches
    from seedrank.frontier.trial import Trial

__all__ = ["FrontierBench", "impact"]

log = logging.getLogger(__name__)


class FrontierBench(Desk):
    """Questions about the frontier."""

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
        run = self.record(f"frontier {question.method}", parameters, started, facts)
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
        run = self.record("explain", {**asdict(question), "page": page}, started, facts)
        self.keep(run, ranking, save=False)
        return run, self.rows(ranking), verdicts(scores, number)

    def experiment_impact(self, plan: ImpactPlan, *, quick: bool = False) -> tuple[Run, Experiment]:
        """The experiment of Tran et al. 2015 with everything given (`quick` goes into its record)."""
        from seedrank.evaluate.impact import impact_experiment
        from seedrank.evaluate.perform import perform

        def trial(rng: int) -> tuple[Trial, Scores]:
            return self._trial(
                replace(plan.question, options=replace(plan.question.options, rng=rng)), plan.hide, plan.truth
            )

        # Parts of an interrupted experiment are good only for the same files.
        files = [*plan.question.events, *([plan.truth] if plan.truth else [])]
        parameters = {**asdict(plan), "quick": quick, "sha256": [_sha256(file) for file in files]}
        return perform(
            self,
            "impact",
            parameters,
            lambda steps: impact_experiment(plan, self.graph, trial, steps, self.progress, parameters),
        )

    def _frontier_scores(self, question: FrontierQuestion) -> Scores:
        """Scores of the real frontier."""
        from seedrank.engines.choose import noted_with
        from seedrank.engines.native import NativeEngine
        from seedrank.frontier.problem import pose, reveal
        from seedrank.frontier.scores import Scores

        crawled, frontier = self.graph.status == Status.CRAWLED, self.graph.status == Status.FRONTIER
        impact = self._impact(question, crawled)
        revealed = reveal(self.graph, crawled)
        engine: Engine = self.engine if revealed is self.graph else noted_with(self.engine, NativeEngine(revealed))
        return Scores(pose(revealed, engine, crawled, frontier, impact), question.options, self._searches)

    def _trial(self, question: FrontierQuestion, hidden: float, truth: str | None) -> tuple[Trial, Scores]:
        """Frontier pages whose impact is known, and the methods' scores of them; `options.rng` draws what is hidden."""
        from seedrank.engines.choose import noted_with
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
        problem = replace(trial.problem, engine=noted_with(self.engine, trial.problem.engine))
        return replace(trial, problem=problem), Scores(problem, question.options, self._searches)

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
            model = read_model(file, feature_names(scores, extras=True))
            learnt_on = model.about.get("impact", question.impact)
            if learnt_on != question.impact:
                log.warning("%s was learnt on %s, and ranks by that, not by %s", file, learnt_on, question.impact)
            return model
        log.info("learning a tree on 35 %% of the crawled pages, hidden; `frontier learn` has other models")
        trial, of_trial = self._trial(question, 0.35, None)
        every = np.ones(len(trial.pages), bool)
        return learnt(trial, of_trial, every, "tree", feature_names(scores), question.options.rng)

    def _one_page(self, page: str) -> int:
        """Id of the page a user names by URL or source id."""
        import pyarrow as pa

        from loaders.pagelist import PageList

        for keys in ([pa.array([page])], [pa.array([int(page)])] if page.isdecimal() and int(page) < 2**63 else []):
            for key in keys:
                number = int(self.find(PageList("", key, np.ones(1)))[0][0])
                if number >= 0:
                    return number
        raise UsageError(f"no page is {page!r}", hint="give its URL, or its id in the source")


def impact(
    bench: FrontierBench,
    *,
    question: FrontierQuestion | None = None,
    quick: bool = False,
    rng: int | None = None,
    **plan: Any,
) -> tuple[Run, Experiment]:
    """Make the experiment and keep it as a run; its parts are kept as they come.

    Parameters
    ----------
    bench
        The store.
    question
        Impact and options; clicks and the methods' defaults when `None`.
    quick
        At most three splits, and fewer resamples.
    rng
        Random sequence; that of the question when `None`.
    plan
        Fields of `seedrank.evaluate.impact.ImpactPlan`.
    """
    from seedrank.evaluate.impact import ImpactPlan
    from seedrank.frontier.ask import FrontierQuestion

    question = question or FrontierQuestion()
    if rng is not None:
        question = replace(question, options=replace(question.options, rng=rng))
    whole = ImpactPlan(question, **plan)
    return bench.experiment_impact(whole.quick() if quick else whole, quick=quick)


def _sha256(file: str) -> str:
    from loaders.compressed import Input

    Input(file).check()
    with Path(file).open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
