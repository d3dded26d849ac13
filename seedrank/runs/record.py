"""Run and Ranking: what was asked, of which graph, by which version, and what came out.

Records of every version are read: what a record lacks is left empty, and what a later version wrote into it is kept.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from seedrank.core.errors import UsageError
from seedrank.core.levels import LEVELS, Level
from seedrank.core.tables import Sheet, as_html, as_text, middle_cut, pairs, text_of
from seedrank.questions.commands import QUESTIONS
from seedrank.questions.question import Kind, Question, default_of

__all__ = [
    "NATIVE_ON_NEO4J",
    "Ranking",
    "Run",
    "Runs",
    "asked",
    "engine_text",
    "kind_of_run",
    "new_id",
    "now",
    "plain",
    "question_of",
    "read_record",
    "to_record",
]


FORMAT = 2
"""Of run records."""

LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"


@dataclass(frozen=True)
class Run:
    """The record of an answer.

    Parameters
    ----------
    id
        Time (to some 30 µs) and three random letters: sorts by time, is unique.
    method
        The command and method, such as ``seeds maxweight``.
    parameters
        Every parameter the answer depends on, defaults included: the fields of its question, and what else it depends
        on, such as ``site``; never a password.
    graph
        Version of the graph (`GraphStore.version`).
    store
        The store's URL, without credentials.
    engine
        Where it ran, for people: ``native``, ``gds``, or both with the primitives of each (`engine_text`).
    version
        Version of seedrank.
    created
        ISO 8601, UTC.
    seconds
        Wall time of the method.
    facts
        What the method says of the whole answer: value, bound, warnings (`seedrank.runs.facts` has their types).
    engines
        Primitives that ran for it, in the order of first use, and the engine of each: ``{"walk": "gds"}``, or
        ``gds+native`` for one that ran on both. Parts an experiment took over from an earlier run are not counted.
    asked_engine
        What the user asked for: ``auto``, ``native`` or ``gds``.
    database
        Which database of a Neo4j server it was asked of; empty for the default one, and for other stores.
    sequence
        Numbers the runs of a store in the order they were kept; 0 before it is kept.
    files
        SHA-256 of each file of the run, by name; empty before it is kept, and for runs of version 0.2 and older.
    extra
        What a later version wrote into the record.
    """

    id: str
    method: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    graph: str = ""
    store: str = ""
    engine: str = ""
    version: str = ""
    created: str = ""
    seconds: float = 0.0
    facts: Mapping[str, Any] = field(default_factory=dict)
    engines: Mapping[str, str] = field(default_factory=dict)
    asked_engine: str = ""
    database: str = ""
    sequence: int = field(default=0, compare=False)
    files: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    extra: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def question(self) -> Question | None:
        """What was asked; `None` of a run that this version cannot ask again."""
        try:
            return question_of(self.method, self.parameters)
        except (UsageError, TypeError):  # of a later version, or edited by hand
            return None

    @property
    def kind(self) -> Kind:
        """What the answer is: ``ranking`` (of pages, hosts or domains: `level`), ``table`` or ``experiment``."""
        return kind_of_run(self.method)

    @property
    def level(self) -> Level | None:
        """What was asked about: pages, hosts or domains; `None` for what the store holds."""
        said = self.parameters.get("level")
        return said if said in LEVELS else None

    @property
    def name(self) -> str:
        """What commands and Python call it: ``run:ID``."""
        return f"run:{self.id}"

    @property
    def order(self) -> tuple[int, str, str]:
        """Sorts runs by when they were made."""
        return self.sequence, self.created, self.id

    def __repr__(self) -> str:
        when = f"; {_when(self)}" if self.created else ""
        return text_of(f"Run({self.id}: {asked(self)}{when})")

    def _repr_html_(self) -> str:
        """What was asked, where and when, and the facts, as a notebook shows them."""
        about = {"asked": asked(self), "when": _when(self)}
        about |= {name: getattr(self, name) for name in ("seconds", "engine", "graph", "store", "version")}
        return as_html(self.name, [pairs(about), *([pairs(self.facts, "facts")] if self.facts else [])])


@dataclass(frozen=True)
class Ranking:
    """Pages in the order of an answer, best first."""

    pages: np.ndarray
    """Page ids, int64."""
    scores: np.ndarray
    """float64, one per page."""
    columns: Mapping[str, np.ndarray] = field(default_factory=dict)
    """The method's own columns, such as ``gain`` and ``covered_pages``, one value per page."""

    def table(self) -> pa.Table:
        """``rank`` from 1, ``id``, ``score``, then the method's columns."""
        return pa.table(
            {
                "rank": pa.array(np.arange(1, len(self.pages) + 1)),
                "id": pa.array(np.asarray(self.pages, np.int64)),
                "score": pa.array(np.asarray(self.scores, np.float64)),
                **{name: pa.array(values) for name, values in self.columns.items()},
            }
        )


NATIVE_ON_NEO4J = "native, links read from Neo4j"
"""What ran in memory on a graph that a server holds."""


def engine_text(engines: Mapping[str, str], native: str = "native") -> str:
    """The engines of primitives in a few words: ``native``, or ``gds (walk), native (bfs_hops)``.

    An answer that used no primitive was worked out in memory.

    Parameters
    ----------
    engines
        Of each primitive.
    native
        What to say of the memory of this process.
    """
    primitives: dict[str, list[str]] = {}
    for primitive, names in engines.items():
        for name in names.split("+"):
            primitives.setdefault(name, []).append(primitive)
    said = {name: native if name == "native" else name for name in (*primitives, "native")}
    if len(primitives) < 2:
        return said[next(iter(primitives), "native")]
    between = "; " if any("," in text for text in said.values()) else ", "
    return between.join(f"{said[name]} ({', '.join(those)})" for name, those in primitives.items())


def kind_of_run(method: str) -> Kind:
    """What the answer of a run is."""
    kind = _class_of(method)
    return "table" if kind is None else kind.gives


def question_of(method: str, parameters: Mapping[str, Any]) -> Question | None:
    """What was asked; `None` of a run that this version cannot ask again.

    Parameters
    ----------
    method
        The run's method, such as ``seeds maxweight``.
    parameters
        The run's parameters.
    """
    kind = _class_of(method)
    if kind is None:
        return None
    said = dict(parameters)
    if kind.chooses == "method":
        said["method"] = method.partition(" ")[2]
    known = {one.name for one in fields(kind)}
    return kind(**{name: _value(value) for name, value in said.items() if name in known})


def _class_of(method: str) -> type[Question] | None:
    """The kind of question a run answers, by its method: ``seeds evaluate``, or the family of ``seeds maxweight``."""
    return QUESTIONS.get(method) or QUESTIONS.get(method.partition(" ")[0])


def _value(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def new_id() -> str:
    """A fresh run id, such as ``20260131-142305-k3v9qa``."""
    time = datetime.now(UTC)
    # Three letters for the part of the second, so that runs of one second sort by time too; three by chance.
    part, fine = time.microsecond * len(LETTERS) ** 3 // 1_000_000, ""
    for _ in range(3):
        part, letter = divmod(part, len(LETTERS))
        fine = LETTERS[letter] + fine
    return f"{time:%Y%m%d-%H%M%S}-{fine}" + "".join(secrets.choice(LETTERS) for _ in range(3))


def now() -> str:
    """The time as kept in records: ISO 8601, UTC, seconds."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def to_record(run: Run) -> dict[str, Any]:
    """A run as its record keeps it."""
    record = asdict(run)
    extra = record.pop("extra")
    return {"format": FORMAT, "kind": run.kind, **record, **extra}


def read_record(record: dict[str, Any], run_id: str) -> Run:
    """The run of a record of any version; `ValueError` or `TypeError` where it is none."""
    known = {one.name for one in fields(Run)} - {"extra"}
    run = Run(**{name: value for name, value in record.items() if name in known})
    names = (run.method, run.graph, run.store, run.database, run.engine, run.asked_engine)
    texts = (*names, run.version, run.created)
    if run.id != run_id or not all(isinstance(text, str) for text in texts):
        raise ValueError("another run, or none")
    numbers = isinstance(run.seconds, int | float) and isinstance(run.sequence, int)
    if not numbers or not all(isinstance(one, dict) for one in (run.parameters, run.facts, run.engines, run.files)):
        raise ValueError("fields of another kind")
    extra = {name: value for name, value in record.items() if name not in {*known, "format", "kind"}}
    return replace(run, extra=extra)


def plain(value: object) -> object:
    """NumPy scalars and arrays as JSON has them; for `json.dumps`."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} does not belong in a record")


_MOST = 20
"""Runs of a list that are shown: the newest."""
_LONGEST = 40


class Runs(list[Run]):
    """A list of runs, oldest first, that is shown as a table."""

    def __repr__(self) -> str:
        return as_text(self._title(), [self._sheet()] if self else [])

    def _repr_html_(self) -> str:
        return as_html(self._title(), [self._sheet()] if self else [])

    def _title(self) -> str:
        many = f"{len(self):,} run{'' if len(self) == 1 else 's'}"
        return f"{many}, the newest {_MOST}" if len(self) > _MOST else many

    def _sheet(self) -> Sheet:
        rows = [(run.id, asked(run), _when(run), run.graph[:8]) for run in self[-_MOST:]]
        return Sheet(("id", "asked", "when", "graph"), rows)


def asked(run: Run) -> str:
    """What was asked, in the words of Python: the method, and fields that are not the default."""
    question, said = run.question, dict(run.parameters)
    if question is not None:
        values = {one.name: getattr(question, one.name) for one in fields(question)}
        said = {
            name: value
            for name, value in values.items()
            if name != question.chooses and value != default_of(type(question), name)
        }
    words = [f"{name}={middle_cut(repr(value), _LONGEST)}" for name, value in said.items()]
    return ", ".join([run.method, *words]) + (" (interrupted)" if run.facts.get("partial") else "")


def _when(run: Run) -> str:
    return run.created[:16].replace("T", " ")
