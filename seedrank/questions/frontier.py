"""Questions about the frontier: which uncrawled pages will matter to searchers, and why."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from seedrank.core.errors import UsageError, shorten
from seedrank.core.numbers import MOST_POWER, MOST_TIMES, MOST_WORTH
from seedrank.questions.question import Kind, Levelled, Linked, Saved, field, rng_field

if TYPE_CHECKING:
    from seedrank.runs import Answer
    from seedrank.session import Session

__all__ = [
    "EPSILON",
    "ExplainQuestion",
    "FrontierQuestion",
    "LearnQuestion",
    "ScoreOptions",
    "Trying",
    "TuneQuestion",
    "Watched",
    "budget_of",
]

EPSILON = 0.001
"""Added to every impact (Tran et al. 2015)."""
IMPACT, WALK, SEARCH, WHICH = "Impact", "Walks", "Searches", "Which pages"


@dataclass(frozen=True, kw_only=True)
class ScoreOptions(Linked):
    """Parameters of the methods that score frontier pages."""

    transform: Literal["linear", "log1p", "rank"] = field(
        "linear",
        "What impact counts as; linear is the paper's, the others spread heavy tails.",
        panel=IMPACT,
        names=("--impact-transform",),
        choices=("linear", "log1p", "rank"),
    )
    epsilon: float = field(EPSILON, "Added to every impact.", panel=IMPACT, least=0, most=MOST_WORTH)
    beta: float = field(
        0.0,
        "Power of the out-degree in the impact factor; paper: 0 web crawl, 1 Wikipedia.",
        panel=IMPACT,
        least=0,
        most=MOST_POWER,
    )
    damping: float = field(0.85, "α of the walks.", panel=WALK, above=0, below=1)
    omega: float = field(0.8, "rw-eg: share of the links; co-citation has the rest.", panel=WALK, least=0, most=1)
    virtual: Literal["df", "dd"] = field(
        "df",
        "rw-eg: virtual links from crawled to frontier pages, or (the text leaves it open) among crawled too.",
        panel=WALK,
        choices=("df", "dd"),
    )
    fan_out_cap: int | None = field(
        None,
        "rw-eg: pages with more links make no virtual links; not in the paper.",
        panel=WALK,
        least=1,
        shown="no cap",
    )
    mix: float = field(
        0.5,
        "q-hybrid: weight of q-overlap against PageRank.",
        panel=SEARCH,
        names=("--lambda",),
        least=0,
        most=1,
    )
    match: Literal["all", "share"] = field(
        "all",
        "A page matches a search by all of its words, or by the share it has.",
        panel=SEARCH,
        choices=("all", "share"),
    )
    rng: int = rng_field()


@dataclass(frozen=True, kw_only=True)
class Watched(ScoreOptions, Levelled):
    """What impact is: asked with every question about the frontier."""

    impact: str = field(
        "clicks", "Page column that is the impact: clicks, views, …", panel=IMPACT, completion=("COLUMN",)
    )
    events: tuple[str, ...] = field(
        (), "Sum impact from events (time, url or id, clicks, views) instead.", panel=IMPACT, file=True, takes="table"
    )
    since: str | None = field(
        None,
        "Events from this time on.",
        panel=IMPACT,
        metavar="TIME",
        names=("--from",),
        time=True,
        shown="the first",
    )
    until: str | None = field(
        None, "Events before this time.", panel=IMPACT, metavar="TIME", names=("--to",), time=True, shown="the last"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.since or self.until) and not self.events:
            raise UsageError(
                "{since} and {until} choose events",
                hint="name their file with {events}",
                fields=("since", "until", "events"),
            )


@dataclass(frozen=True, kw_only=True)
class FrontierQuestion(Watched):
    """Which frontier pages will matter, by a method of `seedrank.methods.frontier.methods`."""

    command: ClassVar[str] = "frontier"
    chooses: ClassVar[str] = "method"
    aliases: ClassVar[Mapping[str, str]] = {"k": "budget", "limit": "budget"}

    method: str = "rw-eg"
    budget: str | None = field(None, "How many frontier pages to choose.", metavar="N|P%", shown="all")
    only: tuple[str, ...] = field((), "Such as host=*.example, url=*/docs/*.", panel=WHICH, completion=("COND",))
    exclude: tuple[str, ...] = field((), "Exclude pages matching COND.", panel=WHICH, completion=("COND",))
    fold: bool = field(False, "Leave out pages that repeat others of their host.", panel=WHICH)
    no_traps: bool = field(False, "Leave out pages in traps.", panel=WHICH)
    model: str | None = field(
        None, "A model of `frontier learn`; else one is learnt on hidden crawled pages.", file=True
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        budget_of(self.budget, None)

    def answer(
        self, session: Session, *, save: Saved = False, write: str | None = None, save_links: bool = False
    ) -> Answer:
        """Rank the frontier; `save` and `save_links` also write the answer and its virtual links into the database.

        `write` also writes the scores as this property.
        """
        from seedrank.methods.frontier.answer import rank

        return rank(session, self, save=save, write=write, save_links=save_links)


@dataclass(frozen=True, kw_only=True)
class Trying(Watched):
    """What methods are tried on: frontier pages whose impact is known."""

    aliases: ClassVar[Mapping[str, str]] = {"k": "budget", "limit": "budget"}

    budget: str | None = field(None, "Pages to choose.", metavar="N|P%", shown="5%")
    hide: float = field(
        0.35,
        "Share of the crawled pages to hide, so that their impact is known.",
        metavar="P%",
        share=True,
        above=0,
        below=1,
    )
    truth: str | None = field(
        None, "Impact of frontier pages, known since (url or id): hide nothing.", file=True, takes="table"
    )
    splits: int = field(10, "How often pages are hidden, or split, again.", least=5, most=MOST_TIMES)

    def __post_init__(self) -> None:
        super().__post_init__()
        budget_of(self.budget, None)


@dataclass(frozen=True, kw_only=True)
class TuneQuestion(Trying):
    """Which ω and β of RW-EG are the best on pages whose impact is known."""

    command: ClassVar[str] = "frontier tune"
    gives: ClassVar[Kind] = "table"
    fixed: ClassVar[tuple[str, ...]] = ("omega", "beta", "mix", "match")

    resamples: int = field(100, "Of the .632 bootstrap.", least=1, most=MOST_TIMES)

    def answer(self, session: Session) -> Answer:
        """Tune ω and β."""
        from seedrank.experiments.impact.fit import tune_walk

        return tune_walk(session, self)


@dataclass(frozen=True, kw_only=True)
class LearnQuestion(Trying):
    """A model of impact, learnt from the scores of all methods and written to a file."""

    command: ClassVar[str] = "frontier learn"
    gives: ClassVar[Kind] = "table"

    model: str = field("model.json", "Where the model goes (JSON).", file=True)
    kind: Literal["tree", "sgd", "boosting"] = field(
        "tree",
        "Regression tree (paper, Wikipedia), online linear (paper, web crawl), gradient-boosted trees.",
        choices=("tree", "sgd", "boosting"),
    )
    extras: bool = field(False, "Learn from impact of citing pages, virtual neighbours, URL depth too.")

    def answer(self, session: Session) -> Answer:
        """Learn a model and write it."""
        from seedrank.experiments.impact.fit import learn_model

        return learn_model(session, self)


@dataclass(frozen=True, kw_only=True)
class ExplainQuestion(Watched):
    """Why a frontier page has the score it has."""

    command: ClassVar[str] = "explain"
    gives: ClassVar[Kind] = "table"

    page: str = field(
        "", "A frontier page: its URL, or its id in the source.", metavar="URL", argument=True, required=True
    )

    def answer(self, session: Session) -> Answer:
        """Explain the score."""
        from seedrank.methods.frontier.answer import explain

        return explain(session, self)


def budget_of(text: str | None, frontier: int | None) -> int:
    """Pages of a budget; a share is rounded up, `None` is the whole frontier.

    Parameters
    ----------
    text
        ``N`` or ``P%``.
    frontier
        Frontier pages there are; with `None` only the text is checked.
    """
    if text is None:
        return frontier or 0
    try:
        number = float(text.removesuffix("%"))
        proper = number > 0 and math.isfinite(number) and (text.endswith("%") or number == int(number))
    except ValueError:
        proper = False
    if not proper:
        raise UsageError(f"{shorten(text)} is not a budget", hint="give a number of pages or a share such as 5%")
    if frontier is None:
        return 0
    pages = math.ceil(number / 100 * frontier - 1e-9) if text.endswith("%") else int(number)
    if pages > frontier:
        raise UsageError(
            f"a budget of {text} is more than the {frontier:,} frontier pages",
            hint=f"give at most {frontier:,} or 100%",
        )
    return pages
