"""Where what belongs to a store is kept: the arrays of its graph, and the answers."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from seedrank.core.spark_folder import SCHEME

__all__ = ["cache_folder", "runs_folder"]


def cache_folder(url: str) -> Path:
    """Where the arrays of the graph are kept, and what else can be made again."""
    return _folder(url, "XDG_CACHE_HOME", ".cache")


def runs_folder(url: str) -> Path:
    """Where answers are kept."""
    return _folder(url, "XDG_DATA_HOME", ".local/share") / "runs"


def _folder(url: str, variable: str, default: str) -> Path:
    """Beside a store that is a path; for a server, in the user's folder, by a digest of its URL."""
    if "://" not in url:
        return Path(f"{url.removeprefix(SCHEME)}.seedrank")
    base = Path(os.environ.get(variable) or Path.home() / default)
    return base / "seedrank" / hashlib.sha256(url.encode()).hexdigest()[:16]
