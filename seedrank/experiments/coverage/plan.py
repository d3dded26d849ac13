"""What the experiment of Zheng et al. 2009 measures."""

from __future__ import annotations

from dataclasses import dataclass, replace

from seedrank.questions.experiments import CoverageExperiment

__all__ = ["GRAPH_METHODS", "HEURISTICS", "METHODS", "Grid", "grid_of"]

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
    runs
        How often d = 3 and the deepest d are timed, where that is deeper. Default 5.
    repeats
        Random choices that are averaged. Default 10.
    sites
        At most so many sites, drawn at random. Default 2,000, as in the paper.
    min_pages, min_external_inlinks
        Crawled pages of a site, and links to it from other sites. Default 100 and 1, as in the paper.
    """

    seeds: int = 10
    hops: tuple[int, ...] = (1, 2, 3, 4, 5)
    at_seeds: int = 5
    depths: tuple[int, ...] = (1, 2, 3, 4)
    runs: int = 5
    repeats: int = 10
    sites: int = 2000
    min_pages: int = 100
    min_external_inlinks: int = 1

    @property
    def most_hops(self) -> int:
        """Hops while the seeds vary."""
        return max(self.hops)


QUICK = Grid(hops=(1, 3, 5), depths=(1, 2, 3), repeats=3, sites=300)


def grid_of(question: CoverageExperiment) -> Grid:
    """How much is measured for a question: less where it is to be quick."""
    grid = QUICK if question.quick else Grid()
    return replace(grid, min_pages=question.min_pages, min_external_inlinks=question.min_external_inlinks)
