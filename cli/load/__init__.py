"""``seedrank load``: files into the store. A module per group of formats; `common` is what they share."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

from seedrank.cli.load.common import Files, app, loads
from seedrank.loaders.formats import FORMATS, source_of

if TYPE_CHECKING:
    from seedrank.loaders.base import LoadOptions, Source

__all__ = ["app"]


def _registered(name: str, about: str) -> Callable[..., Source]:
    """The command of a format that a user registered."""

    def load(files: Files, *, options: LoadOptions) -> Source:
        return source_of(name, files, options)

    load.__doc__ = f"{about}\n\nExample: seedrank load {name} FILE"
    return load


for _module in ("table", "graphs", "archives", "logs"):  # help lists the formats in this order
    import_module(f"{__name__}.{_module}")
for _name, _format in FORMATS.items():
    if _format.own:
        loads(_name, "urls", "strict", "time", "tables", "assume")(_registered(_name, _format.about))
