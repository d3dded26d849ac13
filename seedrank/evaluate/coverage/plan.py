"""What the experiment of Zheng et al. 2009 measures."""

from __future__ import annotations

from dataclasses import dataclass, replace

from seedrank.core.errors import UsageError

__all__ = ["GRAPH_METHODS", "HEURISTICS", "METHODS", "CoveragePlan", "Grid"]

HEURISTICS = ("PageRank", "OutDegree")
GRAPH_METHODS = ("MaxOut", "MaxWeight2", "MaxWeight3", "MaxSCC", "RootSCC")
METHODS = ("Random", *HEURISTICS, *GRAPH_METHODS)


@dataclass(frozen=True)
class Grid:
    """How much is measured.

    Parameters
    ----------
    seeds
        k = 1 … this, at the most hops. Default 10.
    hops
        h: each of these, at `at_seeds`. Default 1 … 5.
    at_seeds
        k while the hops vary, and of what is reported as one number. Default 5.
    depths
        d of MaxWeight whose seconds are measured. Default 1 … 4.
    repeats
        Random choices that are averaged. Default 10.
    sites
        At most so many sites, drawn at random. Default 2,000, as in the paper.
    min_pages
        Crawled pages of a site. Default 100, as in the paper.
    """

    seeds: int = 10
    hops: tuple[int, ...] = (1, 2, 3, 4, 5)
    at_seeds: int = 5
    depths: tuple[int, ...] = (1, 2, 3, 4)
    repeats: int = 10
    sites: int = 2000
    min_pages: int = 100

    @property
    def most_hops(self) -> int:
        """Hops while the seeds vary."""
        return max(self.hops)


QUICK = Grid(hops=(1, 3, 5), depths=(1, 2, 3), repeats=3, sites=300)


@dataclass(frozen=True)
class CoveragePlan:
    """What is measured.

    Parameters
    ----------
    quick
        300 sites, h = 1, 3, 5, three random choices, d up to 3.
    newer
        A store with the same web some time later: seeds chosen now are measured there.
    min_pages
        Leave out sites with fewer crawled pages. Default 100, as in the paper.
    rng
        Random sequence: sites drawn, random seeds, resamples.
    """

    quick: bool = False
    newer: str | None = None
    min_pages: int = 100
    rng: int = 1

    def __post_init__(self) -> None:
        if self.min_pages < 1:
            raise UsageError(f"a site has at least 1 page, not {self.min_pages}", hint="give --min-pages 1 or more")

    @property
    def grid(self) -> Grid:
        """How much is measured."""
        return replace(QUICK if self.quick else Grid(), min_pages=self.min_pages)
