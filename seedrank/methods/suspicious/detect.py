"""Everything suspicious in a graph."""

from __future__ import annotations

from typing import Literal

from seedrank.core.levels import Level
from seedrank.graph import WebGraph
from seedrank.methods.suspicious.farms import farms
from seedrank.methods.suspicious.found import Found
from seedrank.methods.suspicious.host_links import hosts_of
from seedrank.methods.suspicious.mirrors import mirrors
from seedrank.methods.suspicious.one_source import one_source
from seedrank.methods.suspicious.traps import traps
from seedrank.questions.graph import StatsQuestion

__all__ = ["look"]


def look(
    graph: WebGraph, question: StatsQuestion, site: Literal["host", "domain"] = "host", level: Level = "page"
) -> tuple[list[Found], list[str]]:
    """All rows by kind, and sentences on what could not be looked for.

    Parameters
    ----------
    question
        Says from where on something is suspicious.
    site
        Whether hosts or registered domains are looked at.
    level
        What a page of the graph is.
    """
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
