"""What is asked of a crawl, and what may not be asked."""

from __future__ import annotations

import math
import re
from collections.abc import Collection
from dataclasses import dataclass, replace

from seedrank.core import numbers
from seedrank.core.errors import UsageError
from seedrank.core.shares import share_of

__all__ = ["ORDERS", "CrawlQuestion", "named", "seed_source"]

ORDERS = (
    "fpr", "rankmass", "windowed-rankmass", "opic", "l-neighbor", "bfs", "backlink", "pagerank", "larger-sites",
    "transdomain", "rw", "rw-eg", "omniscient", "random",
)  # fmt: skip

_NAME = re.compile(r"(?P<order>[a-z-]+)(@(?P<weight>[^:]+))?(:(?P<detail>.+))?")


@dataclass(frozen=True)
class CrawlQuestion:
    """A crawl to replay.

    Parameters
    ----------
    order
        One of `ORDERS`.
    damping
        d of the pushing orders and of ``pagerank``. Default 0.85.
    inter_host_weight
        M of FPR@M. Default 1.
    epsilon
        In (0, 1): stop when 1 - epsilon of the RankMass is proved (rankmass, windowed-rankmass); decides L of
        l-neighbor (default 0.01).
    window
        Share of the discovered pages that windowed-rankmass fetches at a time, in (0, 1]. Default 0.05.
    every
        Batch orders: score again after so many pages, a number or a share such as ``5%`` of the pages to fetch.
        Default 5 %.
    partial
        ``pagerank``: new pages count at once, by the pages that link to them.
    impact, omega, beta
        ``rw`` and ``rw-eg``: page column that fetched pages show, share of the links against virtual links, power of
        the out-degree. Defaults clicks, 0.8 and 0.
    limit
        Pages to fetch; all that can be reached when `None`.
    per_host
        Pages of one host at most; any number when `None`.
    host_delay
        Seconds from one fetch of a host to its next. Default 0.
    parallel
        Fetchers side by side. Default 1.
    fetch_seconds
        Seconds a fetch takes. Default 1.
    bytes
        Stop when so many bytes are fetched.
    hours
        Stop after so many simulated hours.
    rng
        Random sequence of ``random``.
    """

    order: str = "fpr"
    damping: float = 0.85
    inter_host_weight: float = 1.0
    epsilon: float | None = None
    window: float = 0.05
    every: str = "5%"
    partial: bool = False
    impact: str = "clicks"
    omega: float = 0.8
    beta: float = 0.0
    limit: int | None = None
    per_host: int | None = None
    host_delay: float = 0.0
    parallel: int = 1
    fetch_seconds: float = 1.0
    bytes: float | None = None
    hours: float | None = None
    rng: int = 1

    def __post_init__(self) -> None:
        if self.order not in ORDERS:
            raise UsageError(f"there is no order {self.order!r}", hint=f"one of {', '.join(ORDERS)}")
        if not 0 < self.damping < 1:
            raise UsageError(f"damping {self.damping:g} is out of range", hint="give a number between 0 and 1")
        if not 0 < self.inter_host_weight < math.inf:
            raise UsageError(f"an inter-host weight of {self.inter_host_weight:g} cannot be", hint="give M above 0")
        if self.inter_host_weight != 1 and self.order != "fpr":
            raise UsageError(f"{self.order} knows no inter-host weight", hint="--inter-host-weight goes with fpr")
        if self.epsilon is not None and not 0 < self.epsilon < 1:
            raise UsageError(f"epsilon {self.epsilon:g} is out of range", hint="give a number between 0 and 1")
        if self.epsilon is not None and self.order not in ("rankmass", "windowed-rankmass", "l-neighbor"):
            raise UsageError(
                f"{self.order} proves no bound", hint="--epsilon goes with rankmass, windowed-rankmass and l-neighbor"
            )
        if not 0 < self.window <= 1:
            raise UsageError(
                f"a window of {100 * self.window:g} % is out of range", hint="give more than 0, up to 100%"
            )
        if self.partial and self.order != "pagerank":
            raise UsageError(f"{self.order} has no partial form", hint="--partial goes with pagerank")
        self.every_pages(1)
        for name, value, least in (
            ("--limit", self.limit, 1),
            ("--per-host", self.per_host, 1),
            ("--parallel", self.parallel, 1),
        ):
            if value is not None and value < least:
                raise UsageError(f"{name} {value} is too few", hint=f"give {least} or more")
        for name, share in (("--omega", self.omega), ("--beta", self.beta)):
            numbers.finite(name, share, 0.0, 1.0 if name == "--omega" else numbers.MOST_POWER)
        numbers.whole("--rng", self.rng, 0, numbers.RNG_MOST)
        for name, amount in (("--bytes", self.bytes), ("--hours", self.hours), ("--fetch-seconds", self.fetch_seconds)):
            if amount is not None and not 0 < amount < math.inf:
                raise UsageError(f"{name} {amount:g} cannot be", hint="give a number above 0")
        if not 0 <= self.host_delay < math.inf:
            raise UsageError(f"--host-delay {self.host_delay:g} cannot be", hint="give seconds, 0 or more")

    @property
    def name(self) -> str:
        """The order with its own parameter, as `named` reads it."""
        if self.order == "fpr" and self.inter_host_weight != 1:
            return f"fpr@{self.inter_host_weight:g}"
        if self.order == "windowed-rankmass":
            return f"windowed-rankmass:{100 * self.window:g}%"
        return f"{self.order}:partial" if self.partial else self.order

    def every_pages(self, pages: int) -> int:
        """Pages of a batch of a crawl of so many pages, at most `limit`."""
        text = self.every.strip().replace(",", "").replace("_", "")
        try:
            count = math.ceil(share_of(text) * min(pages, self.limit or pages)) if text.endswith("%") else int(text)
        except (ValueError, UsageError):
            count = 0
        if count < 1:
            raise UsageError(f"--every {self.every!r} is no number of pages", hint="write it like 1000 or 5%")
        return count


def named(text: str, base: CrawlQuestion) -> CrawlQuestion:
    """The question for an order by its short name: ``fpr@20``, ``windowed-rankmass:5%``, ``pagerank:partial``, ``bfs``.

    Everything the name does not say is as in `base`.
    """
    parts = _NAME.fullmatch(text)
    hint = "such as fpr, fpr@20, windowed-rankmass:5%, pagerank:partial, bfs"
    if parts is None:
        raise UsageError(f"{text!r} names no order", hint=hint)
    order, weight, detail = parts["order"], parts["weight"], parts["detail"]
    # What belongs to one order only is not handed on to the others of a comparison.
    bounded = order in ("rankmass", "windowed-rankmass", "l-neighbor")
    question = replace(
        base, order=order, inter_host_weight=1.0, partial=False, epsilon=base.epsilon if bounded else None
    )
    windowed = detail is not None and order == "windowed-rankmass"
    try:
        m = 1.0 if weight is None else float(weight)
        window = share_of(f"{detail.removesuffix('%')}%") if windowed else base.window
    except (ValueError, UsageError):
        raise UsageError(f"{text!r} names no order", hint=hint) from None
    question = replace(question, inter_host_weight=m, window=window)
    if windowed:
        return question
    if detail == "partial":
        return replace(question, partial=True)
    if detail is not None:
        raise UsageError(f"{text!r} names no order", hint=hint)
    return question


def seed_source(text: str, methods: Collection[str]) -> tuple[str, int | None]:
    """Where seeds come from and how many: ``METHOD:N``, ``run:ID`` or ``run:ID:N``; anything else is a file."""
    source, _, count = text.rpartition(":")
    if text.startswith("run:"):
        if not source.startswith("run:"):
            return text, None
    elif source not in methods:
        if count.isdecimal() and source.replace("-", "").isalpha():
            raise UsageError(f"there is no seeds method {source!r}", hint=f"one of {', '.join(sorted(methods))}")
        if text in methods:
            raise UsageError(f"how many seeds by {text}?", hint=f"write it like {text}:160")
        return text, None
    if not count.isdecimal() or int(count) < 1:
        raise UsageError(f"{text!r}: {count!r} is no number of seeds", hint=f"write it like {source}:160")
    return source, int(count)
