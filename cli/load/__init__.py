"""``seedrank load``: files into the store. A module per group of formats; `common` is what they share."""

from __future__ import annotations

from importlib import import_module

from seedrank.cli.load.common import app

__all__ = ["app"]

for _module in ("table", "graphs", "archives", "logs", "own"):  # help lists the formats in this order
    import_module(f"{__name__}.{_module}")
