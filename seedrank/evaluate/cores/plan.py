"""How much the experiments of Daneshpajouh et al. 2008 measure."""

from __future__ import annotations

from dataclasses import replace

from seedrank.questions.experiments import CoresExperiment

__all__ = ["ITERATIONS", "sized"]

ITERATIONS = 60
"""Of HITS, as in the papers."""


def sized(question: CoresExperiment) -> CoresExperiment:
    """The question with the sizes that are used: smaller ones where it is to be quick."""
    if not question.quick:
        return question
    return replace(question, cores=12, repeats=12, sources=30, grid=(5, 10, 20, 40, 60), shares=(0.25, 0.5, 1.0))
