"""Everything suspicious in a graph."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pyarrow as pa

from seedrank.core.levels import Level
from seedrank.core.numbers import counted
from seedrank.graph import WebGraph
from seedrank.methods.suspicious.farms import farms
from seedrank.methods.suspicious.found import Found
from seedrank.methods.suspicious.host_links import Hosts, hosts_of
from seedrank.methods.suspicious.mirrors import mirrors
from seedrank.methods.suspicious.traps import traps
from seedrank.questions.graph import StatsQuestion

__all__ = ["detect", "one_source"]


def detect(
    graph: WebGraph, question: StatsQuestion, site: Literal["host", "domain"] = "host", level: Level = "page"
) -> tuple[list[Found], list[str]]:
    """All rows by kind, and sentences on what could not be looked for."""
    hosts = hosts_of(graph, site, level)
    found: list[Found] = []
    left_out: list[str] = []
    if len(hosts):
        found += farms(
            hosts, least=question.farm_hosts, density=question.farm_density, inside=question.farm_inside
        ) + one_source(hosts, share=question.source_share, links=question.source_links)
    else:
        left_out.append("farms, hosts with one source and mirrors are left out: no page has a host")
    if level != "page" or graph.urls is None:
        left_out.append("traps and mirrors are left out: they are found by the paths of URLs, and this graph has none")
        return found, left_out
    found += traps(
        graph,
        pages=question.trap_pages,
        fan_out=question.trap_fan_out,
        depth=question.trap_depth,
        repeats=question.trap_repeats,
    )
    return found + mirrors(graph, hosts, share=question.mirror_share, paths=question.mirror_paths), left_out


def one_source(hosts: Hosts, *, share: float, links: int) -> list[Found]:
    """Crawled hosts nearly all of whose in-links come from one other host, those with the most in-links first.

    Hosts of the frontier are not looked at: a small crawl has seen most of them from one side only.

    At least `links` come from other hosts, and at least `share` of them from one.
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
