"""What a crawl may take, and what the simulator needs to keep to it: sizes of pages, hosts, the pace of fetches."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from seedrank.core.errors import GraphError
from seedrank.core.model import Status
from seedrank.engines.kernels import host_queues, polite
from seedrank.graph import WebGraph
from seedrank.methods.crawl.policy import frozen_as

__all__ = ["Budget", "own_hosts", "pace_of", "queues_by_host", "sizes_of"]


@dataclass(frozen=True)
class Budget:
    """What a crawl may take."""

    pages: int | None = None
    """Fetches; all pages that can be reached when `None`."""
    per_site: int | None = None
    """Pages of one site at most."""
    bytes: float | None = None
    """Sum of the column ``bytes`` at which to stop."""
    hours: float | None = None
    """Simulated hours after which no fetch starts."""
    host_delay: float = 0.0
    """Seconds from one fetch of a site to its next."""
    parallel: int = 1
    """Fetchers side by side."""
    fetch_seconds: float = 1.0
    """How long a fetch takes."""

    @property
    def polite(self) -> bool:
        """Whether time is simulated."""
        return self.host_delay > 0 or self.parallel > 1 or self.hours is not None


def pace_of(budget: Budget) -> polite.Pace:
    """How fast pages are fetched; without politeness fetches take no time."""
    return polite.Pace(
        float(budget.host_delay),
        float(budget.fetch_seconds) if budget.polite else 0.0,
        budget.parallel,
        math.inf if budget.hours is None else 3600.0 * budget.hours,
    )


def sizes_of(graph: WebGraph) -> np.ndarray:
    """Bytes per page, float32; a page whose size is not known has the mean size, a missing one none."""
    sizes = np.array(graph.column("bytes"), np.float32)
    known = ~np.isnan(sizes)
    if not known.any():
        raise GraphError("no page has a size", hint="load a column `bytes`, or give the budget in pages or hours")
    sizes[~known] = sizes[known].mean(dtype=np.float64)
    sizes[graph.status == Status.MISSING] = 0.0
    return sizes


def own_hosts(site: np.ndarray) -> tuple[np.ndarray, int]:
    """Host per page, each page without one a host of its own; and how many there are."""
    site = np.ascontiguousarray(site, np.int32)
    hosts = int(site.max(initial=-1)) + 1
    alone = site < 0
    if not alone.any():
        return frozen_as(site, np.int32), hosts
    site = site.copy()
    site[alone] = hosts + np.arange(int(alone.sum()), dtype=np.int32)
    return frozen_as(site, np.int32), hosts + int(alone.sum())


def queues_by_host(
    site: np.ndarray, seeds: np.ndarray, *, by_size: bool, holds: bool
) -> tuple[tuple[host_queues.HostQueues, int], tuple[host_queues.HostQueues, int]]:
    """Queues of the pages of each host, and those of seeds apart, by their numbers; with the entries that each need."""
    host, hosts = own_hosts(site)
    twins, of_seed = np.unique(host[seeds], return_inverse=True)
    twin = np.full(hosts if len(seeds) else 0, -1, np.int32)
    twin[twins] = np.arange(len(twins), dtype=np.int32)
    return (
        host_queues.make(host, hosts, by_size=by_size, holds=holds, twin=twin),
        host_queues.make(frozen_as(of_seed, np.int32), len(twins), twin=twins),
    )
