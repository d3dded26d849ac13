"""Perform an experiment on a store: parts kept as they come, the whole kept as a run."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from seedrank.core.model import Status
from seedrank.evaluate import kept
from seedrank.evaluate.experiment import Experiment
from seedrank.evaluate.steps import Steps
from seedrank.evaluate.synthetic_web import is_synthetic
from seedrank.runs import Run
from seedrank.session import Session

__all__ = ["perform_in_steps"]

log = logging.getLogger(__name__)

FEWEST = 100
"""Crawled pages below which no claim is judged."""


def perform_in_steps(
    session: Session, name: str, parameters: Mapping[str, Any], make: Callable[[Steps], Experiment]
) -> tuple[Run, Experiment]:
    """Make an experiment, going on from the parts an interrupted one has kept.

    Parameters
    ----------
    session
        The store.
    name
        Of the experiment, as on the command line.
    parameters
        Everything its results depend on besides the graph.
    make
        Makes it, with its parts as steps. On a synthetic web its claims are marked as true by construction.
    """
    started = time.perf_counter()
    key = {"experiment": name, "graph": session.store.version(), "engine": session.engine_name, **parameters}
    steps = Steps(session.cache_folder / "experiments", key, fresh=session.refreshes)
    experiment = make(steps)
    if steps.reused:
        log.info("%d parts are those of an earlier run of this experiment; --refresh makes them anew", steps.reused)
    crawled = int((session.graph.status == Status.CRAWLED).sum())
    if crawled < FEWEST:
        why = f"{crawled:,} crawled pages: fewer than {FEWEST} say nothing about the web"
        experiment = replace(
            experiment, claims=[replace(claim, verdict="cannot be judged", why=why) for claim in experiment.claims]
        )
    if is_synthetic(session.graph):
        experiment = replace(experiment, claims=[replace(claim, by_construction=True) for claim in experiment.claims])
    facts = {"claims": len(experiment.claims), "left out": list(experiment.left_out)}
    run = session.record(f"experiment {name}", parameters, started, facts)
    with session.keeping():
        kept.save(session.runs_folder, run, experiment)
    return run, experiment
