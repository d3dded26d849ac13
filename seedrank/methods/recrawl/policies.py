"""How often to fetch each page, so that all fetches together are a budget and no page or host goes past its bounds.

Every policy gives a page fewer fetches the higher the price of one is. The price is found at which the budget is spent;
hosts that would be asked too often get a price of their own, and what they leave is shared out again.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from seedrank.core.errors import UsageError
from seedrank.core.numbers import counted
from seedrank.engines.kernels.recrawl import fetch_rates
from seedrank.graph import frozen

__all__ = ["Sharing"]

_CLOSE = 1e-9
"""Of a budget: what may be left over."""
_TURNS = 200
_FARTHEST = 600.0
"""Logarithm of the highest price, and of the lowest."""
_ALL = frozen(np.empty(0, np.int64))


@dataclass(frozen=True)
class Sharing:
    """A budget to be shared out over pages; arrays are per page."""

    weight: np.ndarray
    """What a page is worth, above 0."""
    change: np.ndarray
    """Changes a day, above 0."""
    budget: float
    """Fetches a day."""
    least: np.ndarray
    most: np.ndarray
    """Fetches a day of each page: no fewer, no more."""
    host: np.ndarray
    """Number of its host, -1 for none."""
    cap: np.ndarray
    """Fetches a day that each host bears, infinite where any."""

    def check(self) -> None:
        """Refuse bounds that cannot be kept."""
        needed = float(self.least.sum())
        if needed > self.budget * (1 + _CLOSE):
            raise UsageError(
                f"{{max_interval}} asks for {needed:,.6g} fetches a day of {counted(len(self.weight), 'page')}, and "
                f"{{budget}} has {self.budget:,.6g}",
                hint="give more fetches, or a longer interval",
                fields=("max_interval", "budget"),
            )
        over = int((self.of_hosts(self.least) > self.cap * (1 + _CLOSE)).sum())
        if over:
            raise UsageError(
                f"{{max_interval}} and {{host_delay}} exclude each other on {counted(over, 'host')}",
                hint="allow longer intervals, or a shorter delay",
                fields=("max_interval", "host_delay"),
            )

    def of_hosts(self, values: np.ndarray) -> np.ndarray:
        """The sum over the pages of each host."""
        placed = self.host >= 0
        return np.bincount(self.host[placed], values[placed], len(self.cap))

    def rates(self, policy: int) -> np.ndarray:
        """Fetches a day of each page, by a policy of the kernel."""
        rates = self._spend(policy, np.arange(len(self.weight)), self.budget)
        full = np.zeros(len(self.cap), bool)
        while True:
            over = ~full & (self.of_hosts(rates) > self.cap * (1 + _CLOSE))
            if not over.any():
                return rates
            full |= over
            own = np.flatnonzero(np.append(over, False)[self.host])
            rates[own] = self._spend_by_host(policy, own, over)
            free = np.flatnonzero(~np.append(full, False)[self.host])
            rates[free] = self._spend(policy, free, self.budget - self.cap[full].sum())

    def _at(self, policy: int, pages: np.ndarray) -> Callable[..., tuple[float, np.ndarray]]:
        """What gives the fetches of some pages, and their sum, at the logarithm of a price, or of one per group."""
        columns = [frozen(column[pages]) for column in (self.weight, self.change, self.least, self.most)]
        weight, change, least, most = columns
        rates = np.empty(len(pages))

        def at(price: float | np.ndarray, group: np.ndarray = _ALL) -> tuple[float, np.ndarray]:
            level = frozen(np.exp(np.atleast_1d(price).astype(np.float64)))
            return float(fetch_rates(policy, weight, change, level, group, least, most, rates)), rates

        return at

    def _spend(self, policy: int, pages: np.ndarray, budget: float) -> np.ndarray:
        """Fetches of some pages that share a budget; as many as they may get where that is less."""
        if not len(pages):
            return np.empty(0)
        at = self._at(policy, pages)
        low, high, step = 0.0, 0.0, 1.0
        while at(low)[0] < budget and low > -_FARTHEST:
            low, step = max(low - step, -_FARTHEST), 2 * step
        while at(high)[0] > budget and high < _FARTHEST:
            high, step = min(high + step, _FARTHEST), 2 * step
        low, high = _crossing(lambda price: at(price)[0], low, high, budget)
        more, rates = at(low)
        if more <= budget:
            return rates
        rates = rates.copy()
        less, fewer = at(high)
        # The optimum leaves a page out within the last digit of a price: between both ends lies the budget.
        return rates + (more - budget) / (more - less) * (fewer - rates) if more > less else fewer

    def _spend_by_host(self, policy: int, pages: np.ndarray, which: np.ndarray) -> np.ndarray:
        """Fetches of the pages of some hosts, boolean per host, as many as each host bears; halving, host by host."""
        number = np.cumsum(which) - 1
        group, cap = frozen(number[self.host[pages]]), self.cap[which]
        at = self._at(policy, pages)
        low, high = np.full(len(cap), -_FARTHEST), np.full(len(cap), _FARTHEST)
        for _ in range(_TURNS):
            middle = (low + high) / 2
            _, rates = at(middle, group)
            more = np.bincount(group, rates, len(cap)) > cap
            low, high = np.where(more, middle, low), np.where(more, high, middle)
            if (high - low).max(initial=0) <= _CLOSE * 1e-2:
                break
        rates = at(low, group)[1].copy()
        fewer = at(high, group)[1]
        more, less = (np.bincount(group, one, len(cap)) for one in (rates, fewer))
        part = np.where(more > less, (more - cap) / np.maximum(more - less, 1e-300), 1.0)
        return rates + np.clip(part, 0.0, 1.0)[group] * (fewer - rates)


def _crossing(total: Callable[[float], float], low: float, high: float, budget: float) -> tuple[float, float]:
    """Two prices, by their logarithms, between which a falling sum crosses the budget; by false position on logarithms.

    The end that stays counts for half (the Illinois rule); where a sum is 0 or nothing is gained, the middle is taken.
    """
    above, below = total(low), total(high)
    if above <= budget:
        return low, low
    lifted, lowered = math.log(above / budget), math.log(below / budget) if below > 0 else -math.inf
    for turn in range(_TURNS):
        if high - low <= 1e-15 * max(1.0, abs(low)):
            break
        share = lifted / (lifted - lowered) if lowered > -math.inf and turn % 8 != 7 else 0.5
        price = low + (high - low) * min(max(share, 0.0), 1.0)
        price = price if low < price < high else (low + high) / 2
        sum_ = total(price)
        gap = math.log(sum_ / budget) if sum_ > 0 else -math.inf
        if abs(gap) <= _CLOSE * 1e-2:
            return price, price
        if gap > 0:
            low, lifted, lowered = price, gap, lowered / 2
        else:
            high, lowered, lifted = price, gap, lifted / 2
    return low, high
