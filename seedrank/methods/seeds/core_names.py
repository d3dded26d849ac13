"""Cores as people look at them: their hosts, and a name made of the hosts' most common words."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pyarrow as pa

from seedrank.core.urls import registered_domain
from seedrank.graph import WebGraph

__all__ = ["hosts_of", "name_of"]

_WORDS = 3
_NO_WORDS = frozenset({"www", ""})


def hosts_of(graph: WebGraph, pages: np.ndarray) -> list[tuple[str, int]]:
    """Hosts of pages with how many pages each has, most first, ties by name; pages without a host count nowhere."""
    hosts, counts = np.unique(graph.host[pages], return_counts=True)
    known = hosts >= 0
    names = graph.host_names.take(pa.array(hosts[known])).to_pylist()
    return sorted(zip(names, counts[known].tolist(), strict=True), key=lambda host: (-host[1], host[0]))


def name_of(hosts: list[tuple[str, int]]) -> str:
    """The three words that most pages have in their host names, such as ``apache kafka``; empty without hosts.

    Words are what dots and hyphens part; ``www`` and public suffixes (``co.uk``) are none.
    """
    domains = registered_domain(pa.array([host for host, _ in hosts], pa.string())).to_pylist()
    counts: Counter[str] = Counter()
    for (host, pages), domain in zip(hosts, domains, strict=True):
        # The public suffix is what follows the first label of the registered domain.
        suffix = domain.partition(".")[2]
        for word in dict.fromkeys(re.split(r"[.-]", host.removesuffix(suffix))):
            counts[word] += 0 if word in _NO_WORDS else pages
    words = sorted((word for word, pages in counts.items() if pages), key=lambda word: (-counts[word], word))
    return " ".join(words[:_WORDS])
