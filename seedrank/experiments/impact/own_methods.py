"""Methods of the user's on hidden pages, each against one baseline, with intervals for splits that overlap."""

from __future__ import annotations

import pyarrow as pa

from seedrank.core.errors import UsageError, shorten
from seedrank.experiments.claim_specs import better_than
from seedrank.experiments.impact.split import ALL, UNSEEN, Plan
from seedrank.experiments.intervals import resampled_interval
from seedrank.experiments.verdicts import judge_parts
from seedrank.methods.frontier.methods import FRONTIER, SCORED
from seedrank.methods.frontier.trial import TRAIN_SHARE
from seedrank.questions.experiments import ImpactExperiment
from seedrank.runs.experiment import Claim

__all__ = ["check_methods", "own_claims"]

QUANTITY = "impact share"


def check_methods(question: ImpactExperiment) -> None:
    """Refuse methods that do not exist or stand there anyway, and a baseline that is not judged."""
    for name in question.methods:
        if not FRONTIER.is_own(FRONTIER.method(name).name):
            raise UsageError(f"{name} is judged anyway", hint="name methods that you registered")
    if question.baseline not in (*SCORED, *question.methods):
        known = ", ".join((*SCORED, *question.methods))
        raise UsageError(f"{{baseline}} cannot be {shorten(question.baseline)}", hint=f"one of {known}",
                         fields=("baseline",))  # fmt: skip


def own_claims(shares: pa.Table, plan: Plan) -> list[Claim]:
    """Whether each of the user's methods finds more of the impact than the baseline, at every budget.

    Hidden pages are a part of all crawled ones, so splits overlap: their intervals are those of Nadeau and Bengio. On a
    real frontier the pages that nothing was fitted on are judged, a part of it too.
    """
    part, overlap = (ALL, plan.hide) if plan.truth is None else (UNSEEN, 1 - TRAIN_SHARE)
    frame = shares.to_pandas()
    frame = frame[frame["asked"] & (frame["part"] == part)]
    by_split = frame.pivot_table(index="split", columns=["method", "budget"], values="share", sort=False) * 100
    claims = []
    for method in plan.methods:
        if method == plan.baseline or method not in by_split or plan.baseline not in by_split:
            continue
        differences = by_split[method] - by_split[plan.baseline]
        found = {
            f"{100 * budget:.3g} %": resampled_interval(differences[budget].to_numpy(), overlap, "splits of this graph")
            for budget in sorted(differences)
        }
        claim = f"{method} finds more of {plan.impact} than {plan.baseline}"
        claims += judge_parts(better_than(plan.baseline, method, claim, QUANTITY), found)
    return claims
