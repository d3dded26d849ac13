"""What a site is: a host, or all hosts of a registered domain."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pyarrow.compute as pc

from seedrank.graph import WebGraph

__all__ = ["site_of"]


def site_of(graph: WebGraph, site: Literal["host", "domain"] = "host") -> np.ndarray:
    """Site number of each page, int32, -1 where the page has no host.

    Parameters
    ----------
    site
        ``host``: the full host name. ``domain``: the registered domain (``example.co.uk``), by the public suffix list.
    """
    if site == "host" or not len(graph.host_names):
        return graph.host
    from seedrank.core.urls import registered_domain

    domains = pc.dictionary_encode(registered_domain(graph.host_names.combine_chunks()))
    number = domains.indices.to_numpy().astype(np.int32)
    # -1, a page without a host, picks the extra last entry.
    picked: np.ndarray = np.append(number, np.int32(-1))[graph.host]
    return picked
