"""Questions about when to come back: how often pages change, how often to fetch each, and which to fetch now."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from seedrank.core.errors import UsageError, shorten
from seedrank.core.numbers import MOST_TIMES
from seedrank.questions.question import Kind, Question, Saved, field, rng_field

if TYPE_CHECKING:
    from seedrank.runs import Answer
    from seedrank.session import Session

__all__ = [
    "NextQuestion",
    "PlanQuestion",
    "Recorded",
    "RecrawlQuestion",
    "Returning",
    "Scheduled",
    "SimulateQuestion",
    "days_of",
    "per_day",
]

VISITS, BOUNDS, WHICH = "Visits", "Bounds", "Which pages"

_SPAN = re.compile(r"(\d{1,12}(?:\.\d{1,9})?)\s*([a-z]*)", re.IGNORECASE | re.ASCII)
_DAYS = {"": 1.0, "h": 1 / 24, "hour": 1 / 24, "d": 1.0, "day": 1.0, "w": 7.0, "week": 7.0}
"""Days of a unit."""


@dataclass(frozen=True, kw_only=True)
class Recorded(Question):
    """What is known of past visits: asked with every question about when to come back."""

    history: tuple[str, ...] = field(
        (),
        "Visits as a table: url or id, time, and changed (true, false), digest or lastmod.",
        panel=VISITS,
        file=True,
        takes="table",
    )
    from_cdx: tuple[str, ...] = field(
        (),
        "Recordings (A B C): CDX, CDXJ, WARC or ARC files. A page changed where its digest did.",
        panel=VISITS,
        file=True,
    )


@dataclass(frozen=True, kw_only=True)
class RecrawlQuestion(Recorded):
    """How often each page changes, and how far a site's lastmod can be trusted."""

    command: ClassVar[str] = "recrawl"

    def answer(self, session: Session, *, save: Saved = False, write: str | None = None) -> Answer:
        """Estimate change rates; `save` also writes the order into the database, `write` the rates as a property."""
        from seedrank.methods.recrawl.answer import change_rates

        return change_rates(session, self, save=save, write=write)


@dataclass(frozen=True, kw_only=True)
class Returning(Recorded):
    """What pages are worth, and how soon and how late each may be fetched again."""

    importance: str | None = field(
        None,
        "What a page is worth: a page column, pagerank or uniform.",
        completion=("views", "clicks", "pagerank", "uniform", "COLUMN"),
        shown="views, else clicks, else pagerank",
    )
    min_interval: str | None = field(
        None, "No page sooner than this, such as 6h, 1d or 2w.", panel=BOUNDS, metavar="N[h|d|w]"
    )
    max_interval: str | None = field(
        None, "Every page at least this often, such as 90d.", panel=BOUNDS, metavar="N[h|d|w]"
    )
    host_delay: float = field(0.0, "Seconds from one fetch of a host to its next.", panel=BOUNDS, least=0)
    bounds: str | None = field(
        None, "The same by host: a table host, min_interval, max_interval, host_delay.", panel=BOUNDS, file=True,
        takes="table",
    )  # fmt: skip
    only: tuple[str, ...] = field((), "Such as host=*.example, url=*/docs/*.", panel=WHICH, completion=("COND",))
    exclude: tuple[str, ...] = field((), "Exclude pages matching COND.", panel=WHICH, completion=("COND",))

    def __post_init__(self) -> None:
        super().__post_init__()
        soonest = days_of("min_interval", self.min_interval or "0")
        if self.max_interval is not None and days_of("max_interval", self.max_interval) < max(soonest, 1e-9):
            raise UsageError(
                "{max_interval} must be above 0 and not below {min_interval}",
                hint="change one of them",
                fields=("max_interval", "min_interval"),
            )


@dataclass(frozen=True, kw_only=True)
class Scheduled(Returning):
    """How many fetches there are."""

    aliases: ClassVar[Mapping[str, str]] = {"k": "budget", "limit": "budget"}

    budget: str | None = field(
        None, "Fetches there are: 5000/day, 200/hour, 40000/week; a number is a day's.", metavar="N/day"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.budget is not None:
            per_day("budget", self.budget)


@dataclass(frozen=True, kw_only=True)
class PlanQuestion(Scheduled):
    """How often to fetch each page, and what each policy of `seedrank.methods.recrawl.methods` comes to."""

    command: ClassVar[str] = "recrawl plan"

    policy: Literal["harmonic", "optimum", "azar", "importance", "uniform", "proportional"] = field(
        "harmonic",
        "How the budget is shared out; harmonic leaves no page out.",
        choices=("harmonic", "optimum", "azar", "importance", "uniform", "proportional"),
    )

    def answer(self, session: Session, *, save: Saved = False, write: str | None = None) -> Answer:
        """Share the budget out; `save` also writes the order into the database, `write` the intervals as a property."""
        from seedrank.methods.recrawl.answer import plan

        return plan(session, self, save=save, write=write)


@dataclass(frozen=True, kw_only=True)
class SimulateQuestion(Scheduled):
    """Whether plans do what is expected of them: changes drawn, and changes as recorded."""

    command: ClassVar[str] = "recrawl simulate"
    gives: ClassVar[Kind] = "table"

    days: float = field(30.0, "Days that are simulated.", above=0, most=10_000)
    repeats: int = field(10, "How often.", least=2, most=MOST_TIMES)
    rng: int = rng_field()

    def answer(self, session: Session) -> Answer:
        """Simulate every policy."""
        from seedrank.methods.recrawl.answer import simulate

        return simulate(session, self)


@dataclass(frozen=True, kw_only=True)
class NextQuestion(Returning):
    """Which pages to fetch now: those whose fetch is worth the most."""

    command: ClassVar[str] = "recrawl next"
    aliases: ClassVar[Mapping[str, str]] = {"k": "budget", "limit": "budget"}

    budget: int = field(1000, "Pages to fetch.", least=1)
    at: str | None = field(
        None, "When they are fetched.", metavar="DATE", time=True, shown="a day after the last visit"
    )

    def answer(self, session: Session, *, save: Saved = False, write: str | None = None) -> Answer:
        """List them; `save` also writes the list into the database, `write` each page's place as a property."""
        from seedrank.methods.recrawl.answer import due_now

        return due_now(session, self, save=save, write=write)


def days_of(name: str, text: str) -> float:
    """Days of a time such as ``6h``, ``30d``, ``2w`` or a number of days; `name` is the field, for the error."""
    found = _SPAN.fullmatch(text.strip())
    unit = "" if found is None else found[2].lower()
    unit = unit.removesuffix("s") if len(unit) > 1 else unit
    if found is None or unit not in _DAYS:
        raise UsageError(
            f"{{{name}}} {{given}} is not a time", hint="write it like 6h, 30d or 2w", fields=(name,),
            values={"given": shorten(text)},
        )  # fmt: skip
    return float(found[1]) * _DAYS[unit]


def per_day(name: str, text: str) -> float:
    """How many a day: of ``5000/day``, ``200/hour``, ``40000/week`` or a number; `name` is the field, for the error."""
    number, _, unit = text.strip().replace(",", "").replace("_", "").partition("/")
    days = _DAYS.get(unit.strip().lower())
    found = _SPAN.fullmatch(number.strip())
    if days is None or found is None or found[2] or float(found[1]) <= 0:
        raise UsageError(
            f"{{{name}}} {{given}} is not a number of fetches", hint="write it like 5000/day or 200/hour",
            fields=(name,), values={"given": shorten(text)},
        )  # fmt: skip
    return float(found[1]) / days
