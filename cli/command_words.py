"""Back from a question to the words of a command, and what a parameter of the Python API is called there."""

from __future__ import annotations

import functools
import shlex
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from seedrank.cli.command import fields_in_order, option_of, share_text
from seedrank.cli.options import Settings, shared_default
from seedrank.questions.question import Question, default_of, fields_of

if TYPE_CHECKING:
    from seedrank.questions.methods import Family
    from seedrank.runs import Run

__all__ = ["command_of", "families", "given_again", "option_named", "used_by", "users_of", "words_again", "words_of"]

_OPTIONS = {"parameters": "--param"}
_FLAGS = {"write": "--allow-writes", "create": "`seedrank load`"}
"""Where a parameter that is switched on has another name than one with a value: scores have ``--write COLUMN``. A store
is created by a command, not by an option."""
_ENTRIES = {"parameters": "--param {key}=…", "columns": "--{kind}-columns"}
"""Mappings in Python that are several options here, by what an entry is called."""
_SINGULAR = {"queries": "query"}


def option_named(field: str, value: str | None = None, key: str | None = None) -> str:
    """The option of a parameter, for messages: ``-k``, ``--min-pages``, ``--engine native``, ``--refresh``.

    An argument is called what help calls it: ``FILE``.

    Parameters
    ----------
    field
        Name of the parameter in Python.
    value
        What it is set to, as written in Python; a switch shows its state in the option's name.
    key
        Of an entry, where the parameter is a mapping.
    """
    if key is not None:
        return _ENTRIES[field].format(key=key, kind=_SINGULAR.get(key, key.removesuffix("s")))
    option = _OPTIONS.get(field) or _of_questions().get(field, option_of(field))
    if value == "True":
        return _FLAGS.get(field, option)
    if value == "False":
        return f"--no-{field.replace('_', '-')}"
    return option if value is None else f"{option} {value}"


@functools.cache
def _of_questions() -> dict[str, str]:
    """Fields of questions that are arguments, or whose options have names of their own: ``since`` is ``--from``."""
    from seedrank.questions.commands import QUESTIONS

    known = [item for kind in QUESTIONS.values() for item in fields_of(kind).items()]
    arguments = {name: str(field.label).strip("[].") for name, field in known if field.argument}
    return arguments | {name: field.names[0] for name, field in known if field.names}


@functools.cache
def families() -> dict[str, Family]:
    """Families of methods by their command."""
    from seedrank.methods.crawl.methods import CRAWL
    from seedrank.methods.frontier.methods import FRONTIER
    from seedrank.methods.rank.methods import RANK
    from seedrank.methods.seeds.methods import SEEDS

    return {family.question.command: family for family in (RANK, SEEDS, CRAWL, FRONTIER)}


def used_by(question: Question) -> tuple[str, ...] | None:
    """Fields that the question's method uses; `None` where its command takes them all."""
    family = families().get(question.command)
    method = getattr(question, str(question.chooses), None)
    return family.fields(method) if family is not None and method in family.names else None


def users_of(option: str, words: Sequence[str]) -> list[str]:
    """Methods that use an option, of the family that the words of a command name; none where it is unknown."""
    family = next((families()[word] for word in words if word in families()), None)
    if family is None:
        return []
    names = {name for name, field in fields_of(family.question).items() if option in (option_named(name), *field.names)}
    return [one.name for one in family.methods if names & set(one.uses)]


def words_of(question: Question, names: Collection[str] | None = None) -> list[str]:
    """The words after the command that ask this question again: arguments, and options that are not the default.

    Parameters
    ----------
    names
        Fields that the command has; all by default.
    """
    arguments: list[str] = []
    options: list[str] = []
    known = fields_of(type(question))
    for name in fields_in_order(type(question)):
        field, value = known[name], getattr(question, name)
        several = value if isinstance(value, tuple) else (value,)
        option = option_of(name, field)
        if field.argument:
            arguments += map(str, several)
        elif value == default_of(type(question), name) or (names is not None and name not in names):
            continue
        elif isinstance(value, bool):
            options.append(option if value else f"--no-{name.replace('_', '-')}")
        else:
            options += [word for one in several for word in (option, share_text(one, field))]
    return [*arguments, *options]


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
    shared = {"site": run.parameters.get("site"), "rng": run.parameters.get("rng"), "engine": run.asked_engine or None}
    return [*asked, *_as_words({name: value for name, value in shared.items() if value != shared_default(name)})]


def given_again(settings: Settings) -> list[str]:
    """Shared options as words: those that say where to ask, and how to write what comes out."""
    names = ("store", "database", "prefix", "model", "store_memory", "master", "format", "output", "top")
    switches = ("wait", "refresh", "quiet", "verbose")
    return _as_words(
        {name: getattr(settings, name) for name in names} | {name: getattr(settings, name) or None for name in switches}
    )


def _as_words(given: dict[str, Any]) -> list[str]:
    """Options as words; `None` is not given, a switch has no value."""
    return [
        word
        for name, value in given.items()
        if value is not None
        for word in ((option_of(name),) if value is True else (option_of(name), str(value)))
    ]
