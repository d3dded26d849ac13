"""Where what belongs to a store is kept: the arrays of its graph, and the answers."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from seedrank.core.spark_folder import SCHEME

__all__ = ["cache_folder", "runs_folder"]


def cache_folder(url: str, database: str = "") -> Path:
    """Where the arrays of the graph are kept, and what else can be made again.

    Parameters
    ----------
    url, database
        The store, and which database of its server it is; empty for the default one.
    """
    return _folder(url, database, "XDG_CACHE_HOME", ".cache")


def runs_folder(url: str, database: str = "") -> Path:
    """Where answers are kept; the parameters are those of `cache_folder`."""
    return _folder(url, database, "XDG_DATA_HOME", ".local/share") / "runs"


def _folder(url: str, database: str, variable: str, default: str) -> Path:
    """Beside a store that is a path; for a server, in the user's folder, by a digest of its URL and database."""
    if "://" not in url:
        return Path(f"{url.removeprefix(SCHEME)}.seedrank")
    base = Path(os.environ.get(variable) or Path.home() / default)
    # The default database goes by the URL alone.
    place = f"{url} {database}" if database else url
    return base / "seedrank" / hashlib.sha256(place.encode()).hexdigest()[:16]
