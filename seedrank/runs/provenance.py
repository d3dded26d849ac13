"""What anyone needs to get an answer again: version, question, graph, loads, random sequence and time."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from seedrank.core.version import VERSION
from seedrank.runs.record import Run, now, plain

__all__ = ["FILE", "provenance_of", "written"]

FILE = "provenance.json"


def provenance_of(run: Run, origin: Mapping[str, Any]) -> dict[str, Any]:
    """The provenance of an answer.

    Parameters
    ----------
    origin
        ``graph`` and ``loads``, as far as they are known.
    """
    return {
        "seedrank": run.version or VERSION,
        "run": run.name,
        "method": run.method,
        "store": run.store,
        "command": _python(run),
        "parameters": dict(run.parameters),
        "rng": run.parameters.get("rng"),
        "engine": run.engine,
        "created": run.created,
        "seconds": run.seconds,
        "graph": {"version": run.graph},
        "loads": [],
        **origin,
        "exported": now(),
        "exported_by": VERSION,
    }


def written(record: Mapping[str, Any]) -> str:
    """The record as its file has it."""
    return json.dumps(record, indent=1, ensure_ascii=False, default=plain) + "\n"


def _python(run: Run) -> str | None:
    """The call that asks it again, with every field that is not the default."""
    question = run.question
    if question is None:
        return None
    given = ((one.name, getattr(question, one.name), one.default) for one in fields(question))
    told = (f"{name}={value!r}" for name, value, default in given if value != default)
    return f"bench.ask(seedrank.{type(question).__name__}({', '.join(told)}))"
