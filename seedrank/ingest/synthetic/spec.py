"""What a synthetic web is asked to be."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from seedrank.core.errors import UsageError
from seedrank.graph import MAX_PAGES

__all__ = ["MIN_PAGES", "WebSpec", "demo_web"]

MIN_PAGES = 100
"""Fewer pages make no hosts, farms and frontier worth the name."""

HOSTS_EXPONENT = 0.63
"""Hosts grow slower than pages: 18 of 100 pages, 900 of 50 k, 114 k of 106 M (as in the crawl uk-2007-05)."""


@dataclass(frozen=True)
class WebSpec:
    """A synthetic web: the same numbers make the same web, on any number of threads, as tables or as arrays."""

    pages: int = 50_000
    """Pages of the first snapshot, crawled or not: 100 to 2³¹ - 1. The later one has about 15 % more."""
    rng: int = 0
    """Number of the web, 0 to 2⁶³ - 1."""
    links_per_page: float = 14.0
    """Mean number of links of a crawled page; small hosts have fewer pages to link to, so small webs stay below it."""
    crawled: float = 0.35
    """Share of the pages that is crawled, in (0, 1]; the others are the frontier, and a few are missing."""
    hosts: int | None = None
    """How many hosts the pages are on; pages^0.63 by default."""
    inter_host: float = 0.06
    """Share of the links that goes to another host."""
    spam: float = 0.03
    """Share of the pages on spam farms."""

    def __post_init__(self) -> None:
        if not MIN_PAGES <= self.pages <= MAX_PAGES:
            raise UsageError(f"a web of {self.pages} pages cannot be made", hint=f"ask for {MIN_PAGES} to {MAX_PAGES}")
        if not 0 <= self.rng < 2**63:
            raise UsageError(f"rng {self.rng} is out of range", hint="give a whole number from 0 to 2^63 - 1")
        if not 0.0 < self.crawled <= 1.0:
            raise UsageError(f"a crawled share of {self.crawled} is out of range", hint="give a share above 0, up to 1")
        for name, share in (("inter_host", self.inter_host), ("spam", self.spam)):
            if not 0.0 <= share <= 0.5:
                raise UsageError(f"{name} = {share} is out of range", hint="give a share from 0 to 0.5")
        if not 1.0 <= self.links_per_page <= 1_000.0 or self.mean_extra < 2.0:
            raise UsageError(
                f"{self.links_per_page} links per page do not fit a crawled share of {self.crawled}",
                hint=f"give {self._fewest_links():.0f} to 1000: the crawled pages must link to all the others",
            )
        if self.hosts is not None and not 1 <= self.hosts <= self.pages // 2:
            raise UsageError(f"{self.pages} pages cannot be on {self.hosts} hosts", hint=f"give 1 to {self.pages // 2}")

    @property
    def host_count(self) -> int:
        """Hosts of the first snapshot."""
        return self.hosts if self.hosts is not None else max(1, round(self.pages**HOSTS_EXPONENT))

    @property
    def mean_extra(self) -> float:
        """Mean links of a crawled page inside its host, beyond those to the pages below it."""
        return self.links_per_page * (1.0 - self.inter_host) - 1.0 / self.crawled

    @property
    def version(self) -> str:
        """Digest of the numbers and of the generator's format: what `WebGraph.version` says."""
        return "synthetic-" + hashlib.sha256(f"1 {self!r}".encode()).hexdigest()[:12]

    def _fewest_links(self) -> float:
        return -(-(2.0 + 1.0 / self.crawled) // (1.0 - self.inter_host))


def demo_web(pages: int = 50_000) -> WebSpec:
    """The web of ``seedrank demo``: a fifth of its links lead to other hosts, as in recorded webs."""
    return WebSpec(pages, inter_host=0.2)
