"""Kept answers of a store by name: load, compare and delete them."""

from __future__ import annotations

import logging
from dataclasses import replace

import pyarrow.parquet as pq

from seedrank.core.changes import same_graph
from seedrank.core.errors import UsageError
from seedrank.core.levels import PLURAL
from seedrank.graphdb.store import Database
from seedrank.questions.question import Kind
from seedrank.runs import Answer, experiment_files
from seedrank.runs.comparison import Comparison, compare
from seedrank.session.session import Session

__all__ = ["compare_runs", "delete_run", "kept_answer"]

log = logging.getLogger(__name__)


def delete_run(session: Session, name: str) -> str:
    """Forget a kept answer, also in the database where it was saved; returns its id."""
    wanted = session.runs.record(name).id if name == "run:latest" else name.removeprefix("run:")
    session.runs.folder_of(wanted)
    if isinstance(session.store, Database):
        session.store.delete_run(wanted)
    return session.runs.delete(wanted)


def kept_answer(session: Session, name: str, *kinds: Kind) -> Answer:
    """A kept answer by name (``run:ID``, ``run:latest``), of one of these kinds; of any where none is given."""
    answer = _read(session, name, *kinds)
    answer.origin = lambda: session.of_run(answer.run).origin_of(answer.run)
    return answer


def _read(session: Session, name: str, *kinds: Kind) -> Answer:
    run = session.runs.usable(name, *kinds) if kinds else session.runs.record(name)
    folder = session.runs.folder_of(run.id)
    if experiment_files.charted(session.runs, run):
        return experiment_files.answer_of(run, experiment_files.read(folder))
    session.check_same_graph(run)
    if not same_graph(run.graph, session.store.version()):
        log.warning("%s was made of an older version of the graph", run.name)
    ranking = session.runs.ranking(run)
    names = [path.stem for path in folder.glob("*.parquet") if path.stem != "ranking"]
    tables = {one: pq.read_table(folder / f"{one}.parquet") for one in sorted(names)}
    return Answer(run, lambda: session.of_run(run).rows(ranking), ranking=ranking, tables=tables)


def compare_runs(session: Session, first: str, second: str) -> Comparison:
    """Two kept answers side by side, with the names of pages, hosts or domains beside the moves."""
    one, other = (session.runs.record(name) for name in (first, second))
    levels = [PLURAL[session.level_of(run)] for run in (one, other)]
    if levels[0] != levels[1]:
        raise UsageError(f"{one.name} is of {levels[0]}, {other.name} of {levels[1]}", hint="name two of one level")
    found = compare(session.runs, first, second)
    moves = found.moves
    if "id" not in moves.column_names:
        return found
    names = session.of_run(found.first).names.of(moves["id"])
    for place, name in enumerate(names.column_names):
        moves = moves.add_column(1 + place, name, names[name])
    return replace(found, moves=moves)
