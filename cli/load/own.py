"""``seedrank load`` of the formats that users registered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seedrank.cli.load.common import Files, loads
from seedrank.loaders.formats import FORMATS, source_of

if TYPE_CHECKING:
    from seedrank.loaders.base import LoadOptions, Source

__all__: list[str] = []


def _add(name: str, about: str) -> None:
    def load(files: Files, *, options: LoadOptions) -> Source:
        return source_of(name, files, options)

    load.__doc__ = f"{about}\n\nExample: seedrank load {name} FILE"
    loads(name, "urls", "strict", "time", "tables", "assume")(load)


for _name, _format in FORMATS.items():
    if _format.own:
        _add(_name, _format.about)
