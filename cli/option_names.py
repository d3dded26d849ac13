"""What a parameter of the Python API is called on the command line."""

from __future__ import annotations

import functools

__all__ = ["option_named", "plain_option"]

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
    option = _OPTIONS.get(field) or _of_questions().get(field, plain_option(field))
    if value == "True":
        return _FLAGS.get(field, option)
    if value == "False":
        return f"--no-{field.replace('_', '-')}"
    return option if value is None else f"{option} {value}"


def plain_option(field: str) -> str:
    """The option of a parameter that has no other name: ``-k``, ``--min-pages``."""
    return f"-{field}" if len(field) == 1 else f"--{field.replace('_', '-')}"


@functools.cache
def _of_questions() -> dict[str, str]:
    """Fields of questions that are arguments, or whose options have names of their own: ``since`` is ``--from``."""
    from seedrank.questions.question import fields_of
    from seedrank.questions.records import QUESTIONS

    known = [item for kind in QUESTIONS.values() for item in fields_of(kind).items()]
    arguments = {name: str(field.metavar).strip("[].") for name, field in known if field.argument}
    return arguments | {name: field.names[0] for name, field in known if field.names}
