"""Questions about crawl orders: what a crawl would fetch, and which order fetches important pages first."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, ClassVar

from seedrank.core.errors import UsageError, shorten
from seedrank.core.numbers import MOST_POWER, share_of
from seedrank.questions.question import Kind, Levelled, Linked, Saved, field, rng_field

if TYPE_CHECKING:
    from seedrank.runs import Answer
    from seedrank.session import Session

__all__ = ["CompareQuestion", "CrawlQuestion", "Crawling", "count_of", "named"]

BUDGET, POLITE, ORDER = "When to stop", "Politeness", "The order"
_NAME = re.compile(r"(?P<order>[A-Za-z][A-Za-z0-9_-]*)(@(?P<weight>[^:]+))?(:(?P<detail>.+))?")


@dataclass(frozen=True, kw_only=True)
class Crawling(Linked, Levelled):
    """Where crawls begin, when they stop, how polite they are, and what orders share."""

    aliases: ClassVar[Mapping[str, str]] = {"budget": "limit", "k": "limit"}

    seeds: str = field(
        "pagerank:160",
        "Where to begin: a list of pages, a seeds method, or a run.",
        file=True,
        takes="pages",
        completion=("METHOD:N", "run:ID"),
    )
    damping: float = field(0.85, "d of the pushing orders and of pagerank.", panel=ORDER, above=0, below=1)
    epsilon: float | None = field(
        None, "rankmass: stop when 1 - ε is proved. l-neighbor: decides L.", panel=ORDER, above=0, below=1
    )
    every: str = field(
        "5%",
        "Batch orders: score again after this many pages, or this share of the crawl.",
        panel=ORDER,
        metavar="N|P%",
    )
    impact: str = field("clicks", "rw, rw-eg: clicks, views, …", panel=ORDER, completion=("COLUMN",))
    omega: float = field(0.8, "rw-eg: share of links against virtual links.", panel=ORDER, least=0, most=1)
    beta: float = field(0.0, "rw, rw-eg: power of the out-degree.", panel=ORDER, least=0, most=MOST_POWER)
    limit: int | None = field(None, "Pages to fetch.", panel=BUDGET, least=1, names=("--limit", "--pages"))
    bytes: float | None = field(None, "Stop after this many bytes.", panel=BUDGET, above=0)
    hours: float | None = field(None, "Stop after this many simulated hours.", panel=BUDGET, above=0)
    per_host: int | None = field(None, "Pages of one host at most.", panel=BUDGET, least=1)
    host_delay: float = field(0.0, "Seconds from one fetch of a host to its next.", panel=POLITE, least=0)
    parallel: int = field(1, "Fetchers side by side.", panel=POLITE, least=1)
    fetch_seconds: float = field(1.0, "Seconds a fetch takes.", panel=POLITE, above=0)
    value: str | None = field(
        None,
        "Also measure what the pages are worth.",
        file=True,
        completion=("uniform", "paper", "COLUMN"),
        takes="values",
    )
    trusted: str | None = field(
        None,
        "Also measure how many of the pages are trusted: by a list of pages, or a page column.",
        file=True,
        takes="pages",
        completion=("COLUMN",),
    )
    fold: bool = field(False, "Pages that repeat others of their host are worth nothing in what is measured.")
    no_traps: bool = field(False, "Pages in traps are worth nothing in what is measured.")
    first: tuple[str, ...] = field(
        (), "Also measure spam and trust among the first N pages; may be given several times.", metavar="N|P%"
    )
    rng: int = rng_field()

    def __post_init__(self) -> None:
        super().__post_init__()
        self.every_pages(1)
        self.first_pages(1)

    def every_pages(self, pages: int) -> int:
        """Pages of a batch, of a crawl of `pages` pages and at most `limit`."""
        return count_of("every", self.every, min(pages, self.limit or pages))

    def first_pages(self, pages: int) -> tuple[int, ...]:
        """How many first pages are measured, ascending, in a graph of `pages` pages."""
        return tuple(sorted({count_of("first", one, pages) for one in self.first}))


def count_of(name: str, given: str, whole: int) -> int:
    """A number of pages, or a share of `whole`, at least 1."""
    text = given.strip().replace(",", "").replace("_", "")
    try:
        count = math.ceil(share_of(text) * whole) if text.endswith("%") else int(text)
    except (ValueError, OverflowError, UsageError):
        count = 0
    if count < 1:
        raise UsageError(
            f"{{{name}}} {{given}} is not a number of pages",
            hint="write it like 1000 or 5%",
            fields=(name,),
            values={"given": shorten(given)},
        )
    return count


@dataclass(frozen=True, kw_only=True)
class CrawlQuestion(Crawling):
    """A crawl to replay, by an order of `seedrank.methods.crawl.methods`."""

    command: ClassVar[str] = "crawl"
    chooses: ClassVar[str] = "order"

    order: str = "fpr"
    inter_host_weight: float = field(1.0, "A link to another host counts M times.", panel=ORDER, metavar="M", above=0)
    window: float = field(
        0.05, "Part of the frontier fetched at a time.", panel=ORDER, metavar="P%", share=True, above=0, most=1
    )
    partial: bool = field(False, "New pages count at once.", panel=ORDER)

    @property
    def name(self) -> str:
        """The order with its own parameter, as `named` reads it."""
        if self.order == "fpr" and self.inter_host_weight != 1:
            return f"fpr@{self.inter_host_weight:g}"
        if self.order == "windowed-rankmass":
            return f"windowed-rankmass:{100 * self.window:g}%"
        return f"{self.order}:partial" if self.partial else self.order

    @property
    def title(self) -> str:
        """The order by its short name: ``crawl fpr@20``."""
        return f"{self.command} {self.name}"

    def answer(self, session: Session, *, save: Saved = False, write: str | None = None) -> Answer:
        """Replay the crawl; `save` also writes its order into the database, `write` each page's place as a property."""
        from seedrank.methods.crawl.answer import replay

        return replay(session, self, save=save, write=write)


@dataclass(frozen=True, kw_only=True)
class CompareQuestion(Crawling):
    """Orders side by side, from the same seeds with the same budget."""

    command: ClassVar[str] = "crawl compare"
    gives: ClassVar[Kind] = "table"

    orders: tuple[str, ...] = field(
        (),
        "Such as fpr fpr@2 windowed-rankmass:5% pagerank:partial bfs.",
        metavar="ORDER...",
        argument=True,
        required=True,
        completion=("ORDER",),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.orders:
            raise UsageError("{orders} are missing", hint="name one or more, such as fpr bfs", fields=("orders",))
        if len(set(self.orders)) < len(self.orders):
            raise UsageError("an order is named twice", hint="name each order once")

    def answer(self, session: Session) -> Answer:
        """Replay the orders and measure them side by side."""
        from seedrank.experiments.ordering.comparison import compare

        return compare(session, self)


def named(text: str, base: Crawling) -> CrawlQuestion:
    """The question for an order by its short name: ``fpr@20``, ``windowed-rankmass:5%``, ``pagerank:partial``, ``bfs``.

    Everything the name does not say is as in `base`.
    """
    parts = _NAME.fullmatch(text)
    refused = UsageError(
        f"{shorten(text)} names no order", hint="such as fpr, fpr@20, windowed-rankmass:5%, pagerank:partial, bfs"
    )
    if parts is None:
        raise refused
    shared = {one.name: getattr(base, one.name) for one in fields(Crawling)}
    question = CrawlQuestion(order=parts["order"], **shared)
    weight, detail = parts["weight"], parts["detail"]
    try:
        m = 1.0 if weight is None else float(weight)
        window = share_of(f"{detail.removesuffix('%')}%") if detail and question.order == "windowed-rankmass" else None
    except (ValueError, UsageError):
        raise refused from None
    if weight is not None and question.order != "fpr":
        raise refused
    question = replace(question, inter_host_weight=m)
    if window is not None:
        return replace(question, window=window)
    if detail == "partial" and question.order == "pagerank":
        return replace(question, partial=True)
    if detail is not None:
        raise refused
    return question
