"""Questions about seeds: which pages to start a crawl from, and how good a list is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from seedrank.core.errors import UsageError
from seedrank.core.numbers import MOST_TIMES, MOST_WORTH, RNG_MOST
from seedrank.questions.asked import Question, asked

__all__ = ["EvaluateQuestion", "ReduceQuestion", "SeedQuestion", "Worth"]

WORTH, SITES, SEARCH, WHICH = "What a page is worth", "Sites", "How hard to look", "Which pages"


@dataclass(frozen=True)
class Worth(Question):
    """What pages are worth, and how far a seed reaches: asked with every question about seeds."""

    hops: int = asked(5, "How many links a seed reaches.", least=0)
    value: str = asked(
        "uniform",
        "1 per crawled page, the paper's rules, or a page column.",
        panel=WORTH,
        metavar="uniform|paper|COLUMN",
    )
    value_base: float = asked(1.0, "paper: a crawled page.", panel=WORTH, least=-MOST_WORTH, most=MOST_WORTH)
    value_spam: float = asked(-10.0, "paper: a spam page.", panel=WORTH, least=-MOST_WORTH, most=MOST_WORTH)
    value_clicked: float = asked(10.0, "paper: a clicked page.", panel=WORTH, least=-MOST_WORTH, most=MOST_WORTH)
    spam_bonus: bool = asked(False, "paper, literally: uncrawled links lift spam too.", panel=WORTH)
    history: str | None = asked(
        None, "paper: past crawls as a table host, fetched, unique.", panel=WORTH, metavar="FILE"
    )
    certify: bool = asked(False, "Sum the ball of every candidate for a tight bound.")
    time_limit: float | None = asked(
        None, "Then each seed is the best found so far.", panel=SEARCH, metavar="SECONDS", above=0
    )
    tolerance: float = asked(
        0.0,
        "Accept a seed within this share of the best, such as 0.5%.",
        panel=SEARCH,
        share=True,
        least=0,
        below=1,
    )
    sketch: bool = asked(
        True,
        "Leave out pages that cannot win at five standard deviations; --no-sketch is exact without condition.",
        panel=SEARCH,
        negatable=True,
    )


@dataclass(frozen=True)
class SeedQuestion(Worth):
    """Which pages to start a crawl from, by a method of `seedrank.seeds.methods`."""

    family: ClassVar[str] = "seeds"

    method: str = "maxweight"
    k: int = asked(5, "Seeds at most; in every site with --per-site.", least=1)
    depth: int = asked(2, "d of the method.", least=0)
    per_site: bool = asked(False, "K in every site; sites are apart.", panel=SITES)
    allocate: str | None = asked(
        None, "K in all, split over the sites.", panel=SITES, metavar="equal|pages|pagerank|harmonic|COLUMN"
    )
    min_pages: int = asked(1, "Leave out smaller sites.", panel=SITES, least=0)
    min_external_inlinks: int = asked(0, "Leave out sites with fewer links from elsewhere.", panel=SITES, least=0)
    pagerank_of: Literal["graph", "site"] = asked(
        "graph", "Of the whole graph, or of each site alone.", panel=SITES, choices=("graph", "site")
    )
    always_k: bool = asked(False, "Add seeds even where they add nothing.")
    repeats: int = asked(1, "Draw so often and report the mean.", least=1, most=MOST_TIMES)
    keep: str | None = asked(None, "Seeds in use: count as chosen.", panel=WHICH, metavar="FILE")
    only: tuple[str, ...] = asked((), "Such as host=*.example, url=*/docs/*, clicks>0.", panel=WHICH, metavar="COND")
    exclude: tuple[str, ...] = asked((), "The same.", panel=WHICH, metavar="COND")
    rng: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.rng <= RNG_MOST:
            raise UsageError(f"{{rng}} must be from 0 to {RNG_MOST}, not {self.rng}", fields=("rng",))
        if self.per_site and self.allocate:
            raise UsageError(
                "{per_site} and {allocate} exclude each other", hint="give one of them", fields=("per_site", "allocate")
            )
        if not (self.per_site or self.allocate) and (self.min_pages > 1 or self.min_external_inlinks):
            raise UsageError(
                "{min_pages} and {min_external_inlinks} choose sites",
                hint="add {per_site} or {allocate}",
                fields=("min_pages", "min_external_inlinks", "per_site", "allocate"),
            )


@dataclass(frozen=True)
class EvaluateQuestion(Worth):
    """How good a list of seeds is."""

    family: ClassVar[str] = "seeds evaluate"

    file: str = asked("", "Seeds: one URL or id a line, or a table.", metavar="FILE", argument=True)


@dataclass(frozen=True)
class ReduceQuestion(Worth):
    """The fewest seeds of a list that do the same."""

    family: ClassVar[str] = "seeds reduce"

    file: str = asked("", "Seeds: one URL or id a line, or a table.", metavar="FILE", argument=True)
    keep_share: float = asked(
        1.0,
        "Of what the whole list reaches, such as 99% or 0.99.",
        metavar="P%",
        share=True,
        above=0,
        most=1,
    )
