"""Runs as notebooks and Python's prompt show them."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from seedrank.core.tables import Sheet, as_html, as_text, middle_cut, pairs, text_of
from seedrank.questions.question import default_of

if TYPE_CHECKING:
    from seedrank.runs.record import Run

__all__ = ["Runs", "asked", "run_html", "run_line"]

_MOST = 20
"""Runs of a list that are shown: the newest."""
_LONGEST = 40


class Runs(list["Run"]):
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
        values = {one.name: getattr(question, one.name) for one in dataclasses.fields(question)}
        said = {
            name: value
            for name, value in values.items()
            if name != question.chooses and value != default_of(type(question), name)
        }
    words = [f"{name}={middle_cut(repr(value), _LONGEST)}" for name, value in said.items()]
    return ", ".join([run.method, *words]) + (" (interrupted)" if run.facts.get("partial") else "")


def run_line(run: Run) -> str:
    """A run on one line."""
    when = f"; {_when(run)}" if run.created else ""
    return text_of(f"Run({run.id}: {asked(run)}{when})")


def run_html(run: Run) -> str:
    """What was asked, where and when; and what is known of the whole answer."""
    about = {
        "asked": asked(run),
        "when": _when(run),
        "seconds": run.seconds,
        "engine": run.engine,
        "graph": run.graph,
        "store": run.store,
        "version": run.version,
    }
    sheets = [pairs(about)]
    return as_html(run.name, [*sheets, pairs(run.facts, "facts")] if run.facts else sheets)


def _when(run: Run) -> str:
    return run.created[:16].replace("T", " ")
