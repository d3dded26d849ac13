"""The command that makes a kept answer again: from the question its record keeps."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from seedrank.cli.families import used_by
from seedrank.cli.options import Settings, shared_default
from seedrank.cli.question_options import words_of

if TYPE_CHECKING:
    from seedrank.runs import Run

__all__ = ["command_of", "given_again", "words_again"]


def command_of(run: Run) -> str:
    """The command line of a run, with every field that is not the default."""
    database = ["--database", run.database] if run.database else []
    return shlex.join(["seedrank", "--store", run.store, *database, *words_again(run)])


def words_again(run: Run) -> list[str]:
    """The words of that command after the store."""
    question = run.question
    asked = (
        run.method.split() if question is None else [*question.words.split(), *words_of(question, used_by(question))]
    )
    return [*asked, *_shared_words(run)]


def given_again(settings: Settings) -> list[str]:
    """Shared options as words: those that say where to ask, and how to write what comes out."""
    given: dict[str, Any] = {
        "store": settings.store,
        "database": settings.database,
        "store-memory": settings.store_memory,
        "master": settings.master,
        "wait": settings.wait or None,
        "format": settings.format,
        "output": settings.output,
        "top": settings.top,
        "refresh": settings.refresh or None,
        "quiet": settings.quiet or None,
        "verbose": settings.verbose or None,
    }
    return [
        word
        for name, value in given.items()
        if value is not None
        for word in ((f"--{name}",) if value is True else (f"--{name}", str(value)))
    ]


def _shared_words(run: Run) -> list[str]:
    """Options shared by commands, where they are not the default."""
    given = {"site": run.parameters.get("site"), "rng": run.parameters.get("rng"), "engine": run.asked_engine or None}
    return [
        word
        for name, value in given.items()
        if value is not None and value != shared_default(name)
        for word in (f"--{name}", str(value))
    ]
