"""HITS cores as seeds (Daneshpajouh et al. 2008, docs/algorithms.md §3.5)."""

from __future__ import annotations

from dataclasses import asdict

from seedrank.experiments.checkpoints import Steps
from seedrank.experiments.cores import charts, claims, measure
from seedrank.experiments.cores.plan import sized
from seedrank.experiments.cores.transfer import survivors
from seedrank.experiments.perform import perform_in_steps
from seedrank.questions.experiments import CoresExperiment
from seedrank.runs import Answer
from seedrank.runs.experiment import Experiment
from seedrank.session import Session

__all__ = ["perform"]

_NO_TRANSFER = (
    "transfer to a newer graph: choose seeds by cores on the older one, and give the list as `transfer_from` on the "
    "store of the newer one"
)


def perform(session: Session, question: CoresExperiment) -> Answer:
    """Perform the experiment and keep it as a run; its parts are kept as they come."""
    plan = sized(question)
    # Files are read before anything is computed, so that a wrong one costs nothing.
    old = None if plan.transfer_from is None else survivors(session, plan.transfer_from, old_store=plan.old_store)
    other = None if plan.transfer_against is None else survivors(session, plan.transfer_against, some=False)
    shown = {name: value for name, value in asdict(plan).items() if name != "quick"}

    def make(steps: Steps) -> Experiment:
        found = measure.measure(session, plan, old, other, steps)
        judged = claims.judge(found)
        left_out = [_NO_TRANSFER] if old is None else []
        return Experiment("cores", found.tables, charts.charts(found), judged, left_out, shown)

    # What the files say counts, not their names alone.
    lists = {
        "survivors": [] if old is None else old.pages.tolist(),
        "replaced": [] if old is None else old.replaced.tolist(),
        "other_survivors": None if other is None else other.pages.tolist(),
    }
    return perform_in_steps(session, question, make, site=session.site, **lists)
