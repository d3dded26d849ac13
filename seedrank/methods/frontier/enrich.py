"""The enriched graph: virtual links from crawled to frontier pages that share in-links (docs/algorithms.md §5.6)."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np
import pyarrow as pa

from seedrank.core.errors import UsageError
from seedrank.engines.kernels.frontier import sum_rows
from seedrank.methods.frontier.problem import FrontierProblem

__all__ = ["VIRTUAL", "Virtual", "VirtualLinks", "virtual_links"]

log = logging.getLogger(__name__)

Virtual = Literal["df", "dd"]
"""Which pairs: crawled → frontier (the paper's figure), or also crawled → crawled."""
VIRTUAL: tuple[Virtual, ...] = get_args(Virtual)


@dataclass(frozen=True)
class VirtualLinks:
    """Virtual links by source, then target."""

    pages: int
    """Pages of the graph."""
    source: np.ndarray
    target: np.ndarray
    weight: np.ndarray
    """int32; the weight is the number of shared in-links."""
    among_crawled: bool = False
    """Whether crawled pages are targets too."""
    capped_pages: int = 0
    capped_pairs: int = 0
    """Citing pages that the fan-out cap left out, and the pairs they would have counted."""

    def __len__(self) -> int:
        return len(self.source)

    @property
    def strength(self) -> np.ndarray:
        """float64 per page: Σ w over its virtual links."""
        return self._rows[1]

    @property
    def degree(self) -> np.ndarray:
        """int64 per page: |L′|, its virtual neighbours."""
        return self._rows[0]

    def table(self) -> pa.Table:
        """``source``, ``target``, ``weight``, as a store writes them."""
        return pa.table(
            {
                "source": pa.array(self.source.astype(np.int64)),
                "target": pa.array(self.target.astype(np.int64)),
                "weight": pa.array(self.weight.astype(np.float64)),
            }
        )

    @cached_property
    def _rows(self) -> tuple[np.ndarray, np.ndarray]:
        degree, strength = np.zeros(self.pages, np.int64), np.zeros(self.pages)
        sum_rows(self.source, self.weight, degree, strength)
        return degree, strength


def virtual_links(problem: FrontierProblem, kind: Virtual = "df", fan_out_cap: int | None = None) -> VirtualLinks:
    """Co-citation of crawled with frontier pages: w = |in(i) ∩ in(j)|, a link where it is at least 1.

    Takes 12 bytes a link of the answer; refused, with the way out, where that does not fit.

    Parameters
    ----------
    kind
        ``df``: from D to F only, the paper's figure. ``dd``: also from D to other pages of D.
    fan_out_cap
        Leave out citing pages with more links than this (not in the paper); no cap by default.
    """
    if kind not in VIRTUAL:
        raise UsageError(f"unknown kind of virtual links {kind!r}", hint=f"one of {', '.join(VIRTUAL)}")
    right = problem.frontier if kind == "df" else problem.crawled | problem.frontier
    found = problem.engine.cocitation(problem.crawled, right, fan_out_cap=fan_out_cap)
    if found.capped_pages:
        log.warning(
            "%s pages with more than %s links were left out of co-citation, and with them %s pairs",
            f"{found.capped_pages:,}", f"{fan_out_cap:,}", f"{found.capped_pairs:,}",
        )  # fmt: skip
    return VirtualLinks(
        problem.engine.pages,
        found.source,
        found.target,
        found.count,
        kind == "dd",
        found.capped_pages,
        found.capped_pairs,
    )
