"""How much the experiments of Daneshpajouh et al. 2008 measure."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace

from seedrank.questions.experiments import CoresExperiment

__all__ = ["ITERATIONS", "Plan", "sized"]

ITERATIONS = 60
"""Of HITS, as in the papers."""


@dataclass(frozen=True, kw_only=True)
class Plan(CoresExperiment):
    """The question with sizes that nobody is asked for."""

    sources: int = 200
    """Pages whose distances to all others are measured."""
    grid: tuple[int, ...] = (2, 5, 10, 15, 20, 30, 40, 50, 60, 80, 120)
    """Iterations of HITS that are looked at."""
    shares: tuple[float, ...] = (0.125, 0.25, 0.5, 1.0)
    """Of the graph, for the running time."""
    size: int = 200
    """Of the cores whose density is followed step by step."""
    sized: int = 10
    """How many of those."""


def sized(question: CoresExperiment) -> Plan:
    """What is measured for a question: less where it is to be quick."""
    plan = Plan(**asdict(question))
    if not question.quick:
        return plan
    return replace(plan, cores=12, repeats=12, sources=30, grid=(5, 10, 20, 40, 60), shares=(0.25, 0.5, 1.0), size=50)
