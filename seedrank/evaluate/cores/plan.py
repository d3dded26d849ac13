"""What the experiments of Daneshpajouh et al. 2008 measure."""

from __future__ import annotations

from dataclasses import dataclass, replace

from seedrank.core import numbers
from seedrank.core.errors import UsageError

__all__ = ["CoresPlan"]


@dataclass(frozen=True)
class CoresPlan:
    """What is measured.

    Parameters
    ----------
    cores
        Cores at most. Default 50.
    repeats
        Draws of random pages (and of hubs). Default 50.
    sources
        Pages whose distances to all others are measured. Default 200.
    grid
        Iterations of HITS that are looked at; 20 and 60 among them.
    shares
        Of the graph, for the running time.
    size
        Of the core whose density is followed step by step. Default 200.
    keep_same_site
        Leave links within a site in. Default no.
    transfer_from, transfer_against
        Files of URLs from an older graph: seeds, and random crawled pages to compare their survival with.
    rng
        Random sequence.
    quick
        Fewer of everything.
    """

    cores: int = 50
    repeats: int = 50
    sources: int = 200
    grid: tuple[int, ...] = (2, 5, 10, 15, 20, 30, 40, 50, 60, 80)
    shares: tuple[float, ...] = (0.125, 0.25, 0.5, 1.0)
    size: int = 200
    keep_same_site: bool = False
    transfer_from: str | None = None
    transfer_against: str | None = None
    rng: int = 1
    quick: bool = False

    def __post_init__(self) -> None:
        numbers.whole("cores", self.cores, 1)
        numbers.whole("repeats", self.repeats, 2, numbers.MOST_TIMES)
        if self.transfer_against is not None and self.transfer_from is None:
            raise UsageError(
                "--transfer-against goes with --transfer-from", hint="give the seeds of the older graph too"
            )

    def sized(self) -> CoresPlan:
        """The plan with the sizes that are used: smaller ones where it is to be quick."""
        if not self.quick:
            return self
        return replace(self, cores=12, repeats=12, sources=30, grid=(5, 10, 20, 40, 60), shares=(0.25, 0.5, 1.0))
