"""What pages and links are in a graph of others: a TOML file.

[pages]
label = "Domain"                                   # or a list: ["Person", "Movie"]
level = "host"                                     # page (the default), host or domain
id = "id"                                          # a whole number of its own per node, where there is one
host = {property = "host_parts", reversed = true}  # com.example.www; or a list of parts
url = "address"                                    # of pages; of several properties the first that a node has
status = {property = "state"}                      # or "crawled" (the default), "frontier", "missing" for all
columns = ["num_hosts"]                            # numbers and text to ask about

[links]
type = "LINKS_TO"                                  # or a list
weight = "count"                                   # each weighs 1 where there is none
"""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seedrank.core.errors import InputError, shorten
from seedrank.core.levels import LEVELS, Level
from seedrank.core.model import STATUS_CODES

__all__ = ["Model", "read_model"]

_KNOWN = {
    "pages": ("label", "level", "id", "host", "url", "status", "columns"),
    "links": ("type", "weight"),
}


@dataclass(frozen=True)
class Model:
    """What is what; names of properties, each may be absent."""

    path: Path
    digest: str
    """Of the file: another model gives another graph."""
    labels: tuple[str, ...]
    types: tuple[str, ...]
    level: Level = "page"
    id: str | None = None
    url: tuple[str, ...] = ()
    host: tuple[str, ...] = ()
    host_is_reversed: bool = False
    status: str = "crawled"
    """Of all pages, where no property has it."""
    status_property: str | None = None
    columns: tuple[str, ...] = ()
    weight: str | None = None

    @property
    def properties(self) -> set[str]:
        """Properties that are read: nothing is written to them."""
        named = {*self.url, *self.host, *self.columns, self.id, self.status_property}
        return {name for name in named if name is not None}


def read_model(path: Path) -> Model:
    """The model in a file.

    Raises
    ------
    InputError
        It cannot be read, or says something that is not known.
    """
    try:
        text = path.read_bytes()
        tables = tomllib.loads(text.decode())
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=str(path), hint="name a TOML file") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"is no TOML: {error}", file=str(path), hint="see docs/operations.md") from error
    _refuse_unknown(path, tables)
    pages, links = tables["pages"], tables["links"]
    host = pages.get("host")
    is_table = isinstance(host, dict)
    status = pages.get("status", "crawled")
    by_property = status.get("property") if isinstance(status, dict) else None
    level = pages.get("level", "page")
    if level not in LEVELS:
        raise _wrong(path, "level", level, ", ".join(LEVELS))
    if by_property is None and status not in STATUS_CODES:
        raise _wrong(path, "status", status, f'{", ".join(STATUS_CODES)}, or {{property = "…"}}')
    return Model(
        path,
        hashlib.sha256(text).hexdigest()[:16],
        _texts(path, "label", pages.get("label"), needed=True),
        _texts(path, "type", links.get("type"), needed=True),
        level,
        _text(path, "id", pages.get("id")),
        _texts(path, "url", pages.get("url")),
        _texts(path, "host", host.get("property") if is_table else host),
        bool(is_table and host.get("reversed", False)),
        "crawled" if by_property is not None else status,
        _text(path, "status", by_property),
        _texts(path, "columns", pages.get("columns")),
        _text(path, "weight", links.get("weight")),
    )


def _refuse_unknown(path: Path, tables: dict[str, Any]) -> None:
    for name in _KNOWN:
        if not isinstance(tables.get(name), dict):
            raise InputError(f"has no table [{name}]", file=str(path), hint="it takes [pages] and [links]")
    for name, table in tables.items():
        unknown = [name] if name not in _KNOWN else [key for key in table if key not in _KNOWN[name]]
        if unknown:
            known = ", ".join(_KNOWN.get(name, _KNOWN))
            raise InputError(f"unknown name {shorten(unknown[0])}", file=str(path), hint=f"known are {known}")


def _text(path: Path, key: str, value: Any) -> str | None:
    if value is not None and (not isinstance(value, str) or not value):
        raise _wrong(path, key, value, "the name of a property")
    return value


def _texts(path: Path, key: str, value: Any, *, needed: bool = False) -> tuple[str, ...]:
    values = [] if value is None else [value] if isinstance(value, str) else value
    fits = isinstance(values, list) and all(isinstance(one, str) and one for one in values)
    if not fits or (needed and not values):
        raise _wrong(path, key, value, "a name, or a list of names")
    return tuple(values)


def _wrong(path: Path, key: str, value: Any, wanted: str) -> InputError:
    return InputError(f"{key} cannot be {shorten(value)}", file=str(path), hint=f"give {wanted}")
