"""Hosts whose in-links come from one host."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from seedrank.core.numbers import counted
from seedrank.methods.suspicious.found import Found
from seedrank.methods.suspicious.host_links import Hosts

__all__ = ["one_source"]


def one_source(hosts: Hosts, *, share: float, links: int) -> list[Found]:
    """Crawled hosts nearly all of whose in-links come from one other host, those with the most in-links first.

    Hosts of the frontier are not looked at: a small crawl has seen most of them from one side only.

    Parameters
    ----------
    share
        Of the links from other hosts, those from one, at least.
    links
        Links from other hosts, at least.
    """
    count = len(hosts)
    order = np.lexsort((hosts.source, -hosts.links, hosts.target))
    target, first = np.unique(hosts.target[order], return_index=True)
    best = order[first]
    total = np.bincount(hosts.target, hosts.links, count)[target]
    sources = np.bincount(hosts.target, minlength=count)[target]
    listed = (hosts.crawled[target] > 0) & (total >= links) & (hosts.links[best] >= share * total)
    places = np.flatnonzero(listed)
    places = places[np.argsort(-total[places], kind="stable")]
    names, others = (
        hosts.names.take(pa.array(ids)).to_pylist() for ids in (target[places], hosts.source[best[places]])
    )
    return [
        Found(
            "one source",
            name,
            int(hosts.pages[target[place]]),
            f"{100 * hosts.links[best[place]] / total[place]:.1f} % of the {total[place]:,.0f} links from other hosts "
            f"come from {other}; {_others(int(sources[place]) - 1)} to it",
            [name],
        )
        for name, other, place in zip(names, others, places, strict=True)
    ]


def _others(hosts: int) -> str:
    return f"{counted(hosts, 'more host')} link{'s' if hosts == 1 else ''}"
