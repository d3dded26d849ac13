"""How much the experiment of Tran et al. 2015 measures."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

from loaders.compressed import Input
from seedrank.questions.experiments import ImpactExperiment

__all__ = ["contents", "sized"]


def sized(question: ImpactExperiment) -> ImpactExperiment:
    """The question with the sizes that are used: smaller ones where it is to be quick."""
    return replace(question, splits=min(question.splits, 3), resamples=20) if question.quick else question


def contents(question: ImpactExperiment) -> list[str]:
    """Digests of its files: parts of an interrupted experiment are good only for the same files."""
    return [_sha256(file) for file in (*question.events, *([question.truth] if question.truth else []))]


def _sha256(file: str) -> str:
    Input(file).check()
    with Path(file).open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
