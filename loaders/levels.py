"""Tables of hosts and domains: which tables of links are such, by their columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

from seedrank.core.errors import InputError
from seedrank.core.levels import PLURAL, Level
from seedrank.core.model import TABLES

if TYPE_CHECKING:
    from seedrank.loaders.layout import Layout

__all__ = ["by_level", "level_of", "link_ends", "one_level"]

_LEVELS: tuple[Level, ...] = ("host", "domain")
_ENDS = {
    f"{end}{level}": (column, level)
    for column, ends in (("source", ("src", "source", "from")), ("target", ("dst", "dest", "target", "to")))
    for end in ends
    for level in _LEVELS
}
"""Columns of links between hosts or domains, in small letters and without separators."""


_T = TypeVar("_T")


def link_ends(kind: str, names: Sequence[str]) -> dict[str, str]:
    """Columns that are the ends of links between hosts or domains: name in the file to ``source`` or ``target``.

    Parameters
    ----------
    names
        All columns of the file. ``src_host,dst_host`` are ends only where none is called ``source`` or ``target``
        itself, or by another name for it.
    """
    links = TABLES["links"]
    if kind != "links" or any(column.name in ("source", "target") for name in names if (column := links.column(name))):
        return {}
    found = {name: _ENDS[_plain(name)] for name in names if _plain(name) in _ENDS}
    columns, levels = [column for column, _ in found.values()], {level for _, level in found.values()}
    if sorted(columns) != ["source", "target"] or len(levels) != 1:
        return {}
    return {name: column for name, (column, _) in found.items()}


def level_of(layout: Layout) -> Level:
    """What the ends of a table of links are, by the names of its columns."""
    ends = [_plain(name) for name, known in layout.kept.items() if known in ("source", "target")]
    return next((level for level in _LEVELS if all(end.endswith(level) for end in ends)), "page")


def one_level(tables: Iterable[tuple[str, Layout]]) -> Level:
    """The level of all tables of links of a load; `tables` are their files and columns."""
    first: tuple[str, Level] | None = None
    for file, layout in tables:
        level = level_of(layout)
        if first is None:
            first = file, level
        elif level != first[1]:
            raise InputError(
                f"links are between {PLURAL[level]}, those of {first[0]} between {PLURAL[first[1]]}",
                file=file,
                hint="load them into two stores",
            )
    return "page" if first is None else first[1]


def by_level(inputs: Sequence[tuple[str, _T]], level: Level) -> list[tuple[str, _T]]:
    """Inputs, each with its kind, in the order they are read: hosts after the links whose ends they describe."""
    return sorted(inputs, key=lambda one: level != "page" and one[0] == "hosts")


def _plain(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "").replace(" ", "")
