"""``seedrank load`` of the formats that users registered."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from seedrank.cli.load.common import Files, loads

if TYPE_CHECKING:
    from seedrank.loaders.base import LoadOptions, Source

__all__: list[str] = []


def _add(name: str, about: str) -> None:
    def load(files: Files, *, options: LoadOptions) -> Source:
        from seedrank.loaders.formats import source_of

        return source_of(name, files, options)

    load.__doc__ = f"{about}\n\nExample: seedrank load {name} FILE"
    loads(name, "urls", "strict", "time", "tables", "assume")(load)


# Whoever registered a format has imported this; nobody else needs its arrays for a word of help.
_formats = sys.modules.get("seedrank.loaders.formats")
for _name, _format in _formats.FORMATS.items() if _formats else ():
    if _format.own:
        _add(_name, _format.about)
