"""Completion for shells: typer answers; here it is kept silent, and words that bash broke are put together."""

from __future__ import annotations

import contextlib
import io
import logging
import os
import sys
from typing import Any

__all__ = ["VARIABLE", "complete", "unbroken"]

VARIABLE = "_SEEDRANK_COMPLETE"
"""In which a shell says what it wants."""
_BREAKS = frozenset(":=@")
"""Where bash breaks words that have a meaning here: ``run:latest``, ``status=crawled``, ``fpr@20``."""


def complete(command: Any) -> int:
    """Answer the shell that asks by the environment; whatever is wrong, nothing but offers is printed.

    Returns
    -------
    int
        The exit code.
    """
    begun = ""
    if os.environ[VARIABLE] == "complete_bash":
        with contextlib.suppress(LookupError, ValueError):
            begun = _put_together()
    code: object = 0
    logging.disable()  # a remark would end up between the words
    try:
        with contextlib.redirect_stdout(io.StringIO()) as said, contextlib.redirect_stderr(io.StringIO()):
            command(prog_name="seedrank", complete_var=VARIABLE, standalone_mode=False)
    except SystemExit as leaving:
        code = leaving.code
    except Exception:
        return 0
    finally:
        logging.disable(logging.NOTSET)
    for line in said.getvalue().splitlines():
        sys.stdout.write(f"{line.removeprefix(begun)}\n")
    return code if isinstance(code, int) else 0


def _put_together() -> str:
    """Let the environment have the words as they were typed; gives what bash keeps of the last one."""
    words, begun = unbroken(os.environ["COMP_WORDS"].split("\n"), int(os.environ["COMP_CWORD"]))
    os.environ.update(COMP_WORDS="\n".join(words), COMP_CWORD=str(len(words) - 1))
    return begun


def unbroken(words: list[str], place: int) -> tuple[list[str], str]:
    """Words up to the one that is typed, as they were typed.

    Parameters
    ----------
    words
        As bash breaks them: ``run``, ``:``, ``latest``.
    place
        Of the one that is typed.

    Returns
    -------
    words, begun
        ``run:latest``; and what of the last word stays on the line, whatever is offered: ``run:``.
    """
    joined: list[str] = []
    pieces: list[str] = []
    for word in words[: place + 1]:
        if len(joined) > 1 and word and (set(word) <= _BREAKS or (pieces and set(pieces[-1]) <= _BREAKS)):
            pieces.append(word)
            joined[-1] += word
        else:
            pieces = [word]
            joined.append(word)
    if pieces and set(pieces[-1]) <= _BREAKS:
        return joined, joined[-1]
    return joined, "".join(pieces[:-1])
