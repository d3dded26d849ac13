"""How much the experiment of Tran et al. 2015 measures."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from seedrank.experiments.intervals import FEWEST
from seedrank.loaders.compressed import Input
from seedrank.questions.experiments import ImpactExperiment
from seedrank.questions.frontier import Trying

__all__ = ["Plan", "contents", "sized"]


@dataclass(frozen=True, kw_only=True)
class Plan(ImpactExperiment):
    """The question with a size that nobody is asked for.

    Parameters
    ----------
    resamples
        Of the bootstrap that tunes.
    """

    resamples: int = 100


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
