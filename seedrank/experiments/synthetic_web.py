"""Whether a web is recorded or synthetic: on a synthetic one a claim holds by construction, which is no evidence."""

from __future__ import annotations

import pyarrow.compute as pc

from seedrank.graph import WebGraph

__all__ = ["is_synthetic"]

_RESERVED = r"\.(example|test|invalid)$"
"""Names that no real host has (RFC 2606)."""


def is_synthetic(graph: WebGraph) -> bool:
    """Whether a web was generated: by its own record, or because most hosts have names reserved for examples."""
    names = graph.host_names
    if graph.version.startswith("synthetic-"):
        return True
    return bool(len(names)) and pc.mean(pc.match_substring_regex(names, _RESERVED)).as_py() > 0.5
