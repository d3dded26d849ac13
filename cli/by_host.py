"""``--by host``: an answer as a table of hosts, and what to say of those that starve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import typer

from seedrank.cli.options import Settings
from seedrank.cli.output import emit_answer, remark
from seedrank.core.errors import UsageError
from seedrank.core.numbers import counted

if TYPE_CHECKING:
    from seedrank.runs import Answer

__all__ = ["By", "emit_by"]

By: TypeAlias = Annotated[
    Literal["page", "host"], typer.Option("--by", help="Rows: pages, or what it means for each host.")
]


def emit_by(settings: Settings, answer: Answer, by: str) -> None:
    """Give an answer to the user by page or by host; say which hosts starve."""
    facts = answer.facts
    if starving := facts.get("hosts_starving"):
        some = ", ".join(map(str, facts["hosts_starving_such_as"][:3]))
        remark(settings, f"{counted(starving, 'host')} get less than a tenth of their share, such as {some}")
    if facts.get("sites_without_seed"):
        some = ", ".join(map(str, facts["sites_without_seed_such_as"][:3]))
        remark(settings, f"{counted(facts['sites_without_seed'], 'site')} got no seed, such as {some}")
    if by == "page":
        emit_answer(settings, answer)
        return
    if "hosts" not in answer.tables:
        raise UsageError("pages have no hosts here, so there is no table by host", hint="load URLs or a host column")
    emit_answer(settings, answer, answer.tables["hosts"])
