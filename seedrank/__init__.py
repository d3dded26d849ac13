"""Where to start a web crawl, in which order to fetch, and which frontier pages matter.

``seedrank.open("web.lbug")`` gives a `seedrank.workbench.Workbench`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from seedrank.core.version import VERSION

if TYPE_CHECKING:
    from seedrank.workbench import open

__all__ = ["__version__", "open"]

__version__ = VERSION


def __getattr__(name: str) -> Any:
    # Imported when first asked for: the command line's --help must not wait for pyarrow and numba.
    if name == "open":
        from seedrank.workbench import open

        return open
    raise AttributeError(f"module 'seedrank' has no attribute {name!r}")
