"""Named queries for Neo4j Browser: text to paste, a file of favourites, and the style of its pictures.

Browser 5 takes files that are dropped on its window: of a ``.zip`` every ``.cypher`` in it becomes a favourite, in a
folder of its folder's name, called what its first line says after ``//``; a ``.grass`` becomes the style.
"""

from __future__ import annotations

import io
import json
import textwrap
import zipfile
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from seedrank import cypher
from seedrank.core.errors import UsageError, shorten
from seedrank.core.files import whole_file

__all__ = ["pasted", "write_favourites", "write_style"]

_FOLDER = "seedrank"
_EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The time of every file: the same queries make the same bytes."""


def pasted(statement: str, values: Mapping[str, int | str]) -> str:
    """A statement as one pastes it into Browser: the lines that set its parameters, an empty line, the statement.

    Browser shows no picture for several commands at once: the lines before the empty one are run first.
    """
    lines = [f":param {name} => {_literal(value)};\n" for name, value in values.items()]
    return "".join([*lines, "\n" * bool(lines), statement, "\n"])


def write_favourites(path: Path) -> int:
    """Write the queries of ``cypher/explore`` as favourites; returns how many. The file appears whole or not at all."""
    _check_suffix(path, ".zip", "favourites")
    names = [name for name in cypher.names() if name.startswith("explore/")]
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as packed:
        for name in names:
            entry = zipfile.ZipInfo(f"{_FOLDER}/{name.removeprefix('explore/')}.cypher", _EARLIEST)
            entry.external_attr = 0o644 << 16
            packed.writestr(entry, _favourite(name), zipfile.ZIP_DEFLATED)
    with whole_file(path) as half:
        half.write_bytes(data.getvalue())
    return len(names)


def write_style(path: Path) -> None:
    """Write the style of pictures: hosts, pages by status and score, runs and links. Whole or not at all."""
    _check_suffix(path, ".grass", "a style")
    with whole_file(path) as half:
        half.write_bytes(files(__package__).joinpath("browser.grass").read_bytes())


def _favourite(name: str) -> str:
    """A query as a favourite: its title, what it shows, the parameters to set first, and its Cypher."""
    header = cypher.header(name)
    about = [f"// {line}" for line in textwrap.wrap(header.about, 100)]
    first = [
        f"// first run  :param {one.name} => {'…' if one.default is None else one.default}" for one in header.parameters
    ]
    return "\n".join([f"// {header.title}", *about, *first, cypher.statement(name), ""])


def _literal(value: int | str) -> str:
    """A value in Cypher, on one line whatever it holds."""
    # JSON escapes as Cypher does; characters beyond ASCII stay only where they are printed as themselves.
    return json.dumps(value, ensure_ascii=isinstance(value, str) and not value.isprintable())


def _check_suffix(path: Path, suffix: str, what: str) -> None:
    if path.suffix != suffix:
        raise UsageError(
            f"Neo4j Browser does not take {what} from a file called {shorten(path.name)}",
            hint=f"let its name end in {suffix}",
        )
