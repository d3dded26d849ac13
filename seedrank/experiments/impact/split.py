"""Pages of known impact: which frontier is judged and by what, how much is measured, and how the pages are divided.

They are drawn and divided anew for every split: those that are fitted on, and those that judge.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from seedrank.core.errors import GraphError
from seedrank.core.model import Status
from seedrank.experiments.intervals import FEWEST
from seedrank.loaders.compressed import Input
from seedrank.methods.frontier.answer import trial_scores
from seedrank.methods.frontier.learn import learn_from
from seedrank.methods.frontier.model import Model
from seedrank.methods.frontier.scores import Scores
from seedrank.methods.frontier.tables import later_impact
from seedrank.methods.frontier.trial import Trial, split
from seedrank.questions.experiments import ImpactExperiment
from seedrank.questions.frontier import Trying
from seedrank.session import Session

__all__ = ["ALL", "UNSEEN", "Plan", "Setting", "Split", "contents", "setting_of", "sized"]

ALL, UNSEEN = "all", "unseen"
"""Parts of the known pages that judge: all of them, for methods that need no training; and those that nothing was
fitted on, for what is learnt or tuned and for the methods it is compared with."""


class Split:
    """One drawing of pages of known impact, made when it is first looked at.

    Parameters
    ----------
    question
        Impact, what is hidden or known, and the first random sequence.
    number
        Of the split, from 0; its random sequence is the question's plus this.
    """

    def __init__(self, session: Session, question: ImpactExperiment | Trying, number: int) -> None:
        self.number, self.rng = number, question.rng + number
        self._session, self._question = session, question
        self._models: dict[tuple[str, tuple[str, ...]], Model] = {}

    @cached_property
    def _made(self) -> tuple[Trial, Scores]:
        question = self._question
        return trial_scores(self._session, replace(question, rng=self.rng), question.hide, question.truth)

    @property
    def own(self) -> tuple[str, ...]:
        """Methods that the user registered, to be judged beside the others."""
        return self._question.methods if isinstance(self._question, ImpactExperiment) else ()

    @property
    def trial(self) -> Trial:
        """The known pages."""
        return self._made[0]

    @property
    def scores(self) -> Scores:
        """Of the trial's problem."""
        return self._made[1]

    @cached_property
    def train(self) -> np.ndarray:
        """Boolean per known page: the part that is fitted on; some pages are left to judge by."""
        train = split(len(self.trial.pages), self.rng)
        if train.all():
            raise GraphError(
                f"too few pages of known impact to fit and to judge on: {len(train):,}",
                hint="hide more pages with {hide}, or give the impact of more with {truth}",
                fields=("hide", "truth"),
            )
        return train

    @cached_property
    def judging(self) -> dict[str, np.ndarray]:
        """Ids of the pages that judge, by part."""
        return {ALL: self.trial.pages, UNSEEN: self.trial.pages[~self.train]}

    @cached_property
    def truth(self) -> np.ndarray:
        """float64 per page of the graph: its true impact, NaN where it is not known."""
        truth = np.full(self.trial.problem.engine.pages, np.nan)
        truth[self.trial.pages] = self.trial.truth
        return truth

    def learnt(self, kind: str, names: tuple[str, ...]) -> Model:
        """A model of the part that is fitted on."""
        if (kind, names) not in self._models:
            self._models[kind, names] = learn_from(self.trial, self.scores, self.train, kind, names, self.rng)
        return self._models[kind, names]


@dataclass(frozen=True, kw_only=True)
class Plan(ImpactExperiment):
    """The question with a size that nobody is asked for."""

    resamples: int = 100
    """Of the bootstrap that tunes."""


def sized(question: ImpactExperiment) -> Plan:
    """What is measured for a question: less where it is to be quick."""
    plan = Plan(**asdict(question))
    return replace(plan, splits=min(plan.splits, FEWEST), resamples=20) if question.quick else plan


def contents(question: ImpactExperiment | Trying) -> list[str]:
    """Digests of its files: parts of an interrupted experiment are good only for the same files."""
    return [_sha256(file) for file in (*question.events, *([question.truth] if question.truth else []))]


def _sha256(file: str) -> str:
    Input(file).check()
    with Path(file).open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


@dataclass(frozen=True)
class Setting:
    """What a trial of methods is made of."""

    pages: int
    """Pages of known impact in a split, at most."""
    about: Sequence[str]
    """Which frontier it is, what it can show, and what the impact is; a sentence each."""
    left_out: Sequence[str] = ()
    """Pages of known impact that are not judged, a sentence."""


def setting_of(session: Session, question: ImpactExperiment | Trying) -> Setting:
    """The setting of a question; reads the table of what became known, where it names one."""
    impact = f"impact: {question.impact}"
    if question.impact not in ("clicks", "views"):
        impact += ", which stands in for clicks or views"
    if question.events:
        impact += ", summed from events"
    status = session.graph.status
    crawled, frontier, missing = (status == one for one in (Status.CRAWLED, Status.FRONTIER, Status.MISSING))
    if question.truth is None:
        hidden = (
            f"frontier: {100 * question.hide:.3g} % of the crawled pages, hidden at random in each of "
            f"{question.splits} splits; it shows which method finds pages like those crawled, not pages that are new"
        )
        unknown = _unknown(session, question, crawled)
        about = [hidden, impact]
        if unknown:
            about.append(f"{unknown:,} crawled pages have no {question.impact}: unknown, neither sender nor judged")
        return Setting(round(question.hide * (int(crawled.sum()) - unknown)), about)
    later = later_impact(question.truth, question.impact, session.names.find, len(status))
    judged = frontier & later.known
    new = (
        f"frontier: {int(judged.sum()):,} frontier pages whose impact became known since ({question.truth}), as in a "
        f"later recording; it shows which method finds pages that are new, on this one frontier, divided anew in each "
        f"of {question.splits} splits"
    )
    counts = {
        "crawled already": int((later.named & crawled).sum()),
        "missing": int((later.named & missing).sum()),
        f"without {question.impact}": int((later.named & frontier & ~judged).sum()),
        "not in the store": later.unknown,
    }
    left_out = []
    if any(counts.values()):
        parts = ", ".join(f"{count:,} {why}" for why, count in counts.items() if count)
        such_as = f", such as {', '.join(later.unknown_such_as)}" if later.unknown else ""
        left_out.append(f"{sum(counts.values()):,} pages of {question.truth}: {parts}{such_as}")
    return Setting(int(judged.sum()), [new, impact], left_out)


def _unknown(session: Session, question: ImpactExperiment | Trying, crawled: np.ndarray) -> int:
    """Crawled pages whose impact nobody knows."""
    if question.events or question.impact not in session.graph.column_names:
        return 0
    return int(np.isnan(np.asarray(session.graph.column(question.impact), np.float64)[crawled]).sum())
