"""Which frontier pages will matter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from seedrank.runs import Run
from seedrank.session import Session

if TYPE_CHECKING:
    import pyarrow as pa

    from seedrank.evaluate.experiment import Experiment
    from seedrank.evaluate.impact.plan import ImpactPlan
    from seedrank.frontier.ask import FrontierQuestion

__all__ = ["FrontierBench"]


class FrontierBench(Session):
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
        from seedrank.frontier.posing import rank_frontier

        run, ranking = rank_frontier(
            self, question, model=model, only=only, exclude=exclude, save=save, save_links=save_links
        )
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
        from seedrank.evaluate.impact.fit import tune_walk

        return tune_walk(self, question, hide=hide, truth=truth, resamples=resamples)

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
        from seedrank.evaluate.impact.fit import learn_model

        return learn_model(self, question, file, kind=kind, extras=extras, hide=hide, truth=truth)

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
        from seedrank.frontier.posing import explain_page

        run, ranking, verdicts = explain_page(self, page, question)
        return run, self.rows(ranking), verdicts

    def experiment_impact(self, plan: ImpactPlan, *, quick: bool = False) -> tuple[Run, Experiment]:
        """The experiment of Tran et al. 2015 with everything given (`quick` goes into its record)."""
        from seedrank.evaluate import impact

        return impact.perform(self, replace(plan, quick=quick))
