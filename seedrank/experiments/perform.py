"""Perform an experiment on a store: parts kept as they come, the whole kept as a run."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, replace
from typing import Any

import pyarrow.compute as pc

from seedrank.core.model import Status
from seedrank.experiments.checkpoints import Steps
from seedrank.experiments.decisions import sentences
from seedrank.experiments.verdicts import withheld
from seedrank.graph import WebGraph
from seedrank.questions.question import Question
from seedrank.runs import Answer, experiment_files
from seedrank.runs.experiment import SYNTHETIC, Claim, Experiment
from seedrank.runs.facts import ExperimentFacts
from seedrank.session import Session

__all__ = ["as_evidence", "is_synthetic", "perform_in_steps"]

log = logging.getLogger(__name__)

FEWEST = 100
"""Crawled pages below which no claim is judged."""
_RESERVED = r"\.(example|test|invalid)$"
"""Names that no real host has (RFC 2606)."""


def perform_in_steps(
    session: Session,
    question: Question,
    make: Callable[[Steps], Experiment],
    told: Callable[[Experiment], Mapping[str, Any]] | None = None,
    /,
    *,
    fresh: bool = False,
    **more: Any,
) -> Answer:
    """Make an experiment, going on from the parts an interrupted one has kept, and keep it as a run.

    Parameters
    ----------
    make
        Makes it, with its parts as steps. On a synthetic web its claims are marked as true by construction.
    told
        Facts of the run, from the experiment.
    fresh
        Use no part of an earlier run: methods of the user's are among what it runs, and may have changed since.
    more
        What else its results depend on, besides the graph.
    """
    _check_here(session, question)
    started = time.perf_counter()
    key = {"experiment": question.words, "graph": session.store.version(), "engine": session.engine_name}
    parts = session.cache_folder / "experiments"
    steps = Steps(parts, {**key, **asdict(question), **more}, fresh=fresh or session.refreshes)
    experiment = make(steps)
    if steps.reused:
        log.info("%d parts are those of an earlier run of this experiment", steps.reused)
    claims = as_evidence(session.graph, experiment.claims)
    experiment = replace(experiment, claims=claims, decisions=sentences(claims))
    facts: ExperimentFacts = {"claims": len(experiment.claims), "left_out": list(experiment.left_out)}
    if experiment.about:
        facts["about"] = list(experiment.about)
    run = session.record(question, started, {**facts, **(told(experiment) if told else {})}, **more)
    with session.keeping():
        experiment_files.save(session.runs, run, experiment)
    return experiment_files.answer_of(run, experiment)


def _check_here(session: Session, question: Question) -> None:
    session.check_here(question.words, "it repeatedly goes through the links page by page")


def as_evidence(graph: WebGraph, claims: Iterable[Claim]) -> list[Claim]:
    """Claims as this graph can bear them out: few pages judge nothing, and a synthetic web holds by construction."""
    crawled = int((graph.status == Status.CRAWLED).sum())
    if crawled < FEWEST:
        why = f"{crawled:,} crawled pages: fewer than {FEWEST} say nothing about the web"
        claims = [withheld(claim, why) for claim in claims]
    mark = SYNTHETIC if is_synthetic(graph) else ""
    return [replace(claim, by_construction=mark or claim.by_construction) for claim in claims]


def is_synthetic(graph: WebGraph) -> bool:
    """Whether a web was generated: by its own record, or as most hosts have names reserved for examples."""
    names = graph.host_names
    if graph.version.startswith("synthetic-"):
        return True
    return bool(len(names)) and pc.mean(pc.match_substring_regex(names, _RESERVED)).as_py() > 0.5
