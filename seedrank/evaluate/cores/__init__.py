"""HITS cores as seeds (Daneshpajouh et al. 2008, docs/algorithms.md §3.5)."""

from __future__ import annotations

from dataclasses import asdict

from seedrank.evaluate.cores import charts, claims, measure
from seedrank.evaluate.cores.plan import CoresPlan as Plan
from seedrank.evaluate.cores.survival import survivors
from seedrank.evaluate.experiment import Experiment
from seedrank.evaluate.perform import perform_in_steps
from seedrank.evaluate.steps import Steps
from seedrank.runs import Run
from seedrank.session import Session

__all__ = ["Plan", "perform"]

_NO_TRANSFER = (
    "transfer to a newer graph: save seeds on the older one (`seedrank seeds cores -k 100 -o old-seeds.csv`) "
    "and give --transfer-from old-seeds.csv on the store of the newer one"
)


def perform(session: Session, plan: Plan) -> tuple[Run, Experiment]:
    """Perform the experiment and keep it as a run; its parts are kept as they come."""
    plan = plan.sized()
    # Files are read before anything is computed, so that a wrong one costs nothing.
    old = None if plan.transfer_from is None else survivors(session, plan.transfer_from)
    other = None if plan.transfer_against is None else survivors(session, plan.transfer_against, some=False)
    # What the files say counts, not their names alone.
    lists = {"survivors": [] if old is None else old.pages.tolist(), "other survivors": other and other.pages.tolist()}
    parameters = {**asdict(plan), "site": session.site, **lists}
    shown = {name: value for name, value in asdict(plan).items() if name != "quick"}

    def make(steps: Steps) -> Experiment:
        found = measure.measure(session, plan, old, other, steps)
        judged = claims.judge(found, plan.rng)
        left_out = [_NO_TRANSFER] if old is None else []
        return Experiment("cores", found.tables, charts.charts(found), judged, left_out, shown)

    return perform_in_steps(session, "cores", parameters, make)
