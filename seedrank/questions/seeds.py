"""Questions about seeds: which pages to start a crawl from, and how good a list is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from seedrank.core.errors import UsageError
from seedrank.core.numbers import MOST_TIMES, MOST_WORTH, share_of
from seedrank.questions.question import Kind, Levelled, Linked, Saved, default_of, field, rng_field

if TYPE_CHECKING:
    from seedrank.runs import Answer
    from seedrank.session import Session

__all__ = [
    "CoreQuestion",
    "EvaluateQuestion",
    "ReduceQuestion",
    "Searching",
    "SeedQuestion",
    "TransferQuestion",
    "Worth",
]

WORTH, SITES, SEARCH, WHICH = "What a page is worth", "Sites", "How hard to look", "Which pages"
DENSE, SIZED = "Cores by density", "Cores by size"


@dataclass(frozen=True, kw_only=True)
class Worth(Levelled):
    """What pages are worth, and how far a seed reaches: asked with every question about seeds."""

    hops: int = field(5, "How many links a seed reaches.", least=0)
    value: str = field(
        "uniform",
        "1 per crawled page, the paper's rules, a page column, or FILE.npy: a number per page.",
        panel=WORTH,
        file=True,
        completion=("uniform", "paper", "COLUMN"),
        takes="values",
    )
    value_base: float = field(1.0, "paper: a crawled page.", panel=WORTH, least=-MOST_WORTH, most=MOST_WORTH)
    value_spam: float = field(-10.0, "paper: a spam page.", panel=WORTH, least=-MOST_WORTH, most=MOST_WORTH)
    value_clicked: float = field(10.0, "paper: a clicked page.", panel=WORTH, least=-MOST_WORTH, most=MOST_WORTH)
    spam_bonus: bool = field(False, "paper, literally: uncrawled links lift spam too.", panel=WORTH)
    history: str | None = field(
        None, "paper: past crawls as a table host, fetched, unique.", panel=WORTH, file=True, takes="table"
    )


@dataclass(frozen=True, kw_only=True)
class Searching(Worth):
    """How hard to look for the heaviest ball."""

    time_limit: float | None = field(
        None,
        "For the whole search: the seeds that are left then are the best found so far.",
        panel=SEARCH,
        metavar="SECONDS",
        above=0,
    )
    tolerance: float = field(
        0.0,
        "Accept a seed within this share of the best, such as 0.5%.",
        panel=SEARCH,
        share=True,
        least=0,
        below=1,
    )
    sketch: bool = field(
        True,
        "Leave out pages that cannot win at five standard deviations; when off, the answer is exact without condition.",
        panel=SEARCH,
        negatable=True,
    )


@dataclass(frozen=True, kw_only=True)
class SeedQuestion(Searching, Linked):
    """Which pages to start a crawl from, by a method of `seedrank.methods.seeds.methods`."""

    command: ClassVar[str] = "seeds"
    chooses: ClassVar[str] = "method"
    aliases: ClassVar[Mapping[str, str]] = {"budget": "k"}

    method: str = "best"
    k: int = field(5, "Seeds at most: in all, or of each site when chosen per site.", least=1)
    depth: int = field(2, "d of the method.", least=0)
    per_site: bool = field(False, "K in every site; sites are apart.", panel=SITES)
    allocate: str | None = field(
        None,
        "K in all, split over the sites.",
        panel=SITES,
        completion=("equal", "pages", "pagerank", "harmonic", "COLUMN"),
    )
    min_pages: int = field(1, "Leave out smaller sites.", panel=SITES, least=0)
    min_external_inlinks: int = field(0, "Leave out sites with fewer links from elsewhere.", panel=SITES, least=0)
    pagerank_of: Literal["graph", "site"] = field(
        "graph", "Of the whole graph, or of each site alone.", panel=SITES, choices=("graph", "site")
    )
    always_k: bool = field(False, "Add seeds even where they add nothing.")
    certify: bool = field(False, "Sum the ball of every candidate for a tight bound.")
    repeats: int = field(1, "Repeat the draw this many times and report the mean.", least=1, most=MOST_TIMES)
    keep: str | None = field(None, "Seeds in use: count as chosen.", panel=WHICH, file=True, takes="pages")
    only: tuple[str, ...] = field(
        (), "Such as host=*.example, url=*/docs/*, clicks>0.", panel=WHICH, completion=("COND",)
    )
    exclude: tuple[str, ...] = field((), "Exclude pages matching COND.", panel=WHICH, completion=("COND",))
    non_pages: bool = field(False, "Also take robots.txt, images and other non-pages as seeds.", panel=WHICH)
    fold: bool = field(False, "Pages that repeat others of their host are worth nothing and no seeds.", panel=WHICH)
    no_traps: bool = field(False, "Pages in traps are worth nothing and no seeds.", panel=WHICH)
    work: float = field(
        4e10,
        "Links that the search may walk, as estimated first: the deeper it looks, the more.",
        panel=SEARCH,
        metavar="LINKS",
        least=0,
        shown="40,000,000,000",
    )
    prefer: str = field(
        "0.1%",
        "Among pages whose gains differ by no more than this share take the host's front page, else the shorter "
        "address, and no error page, calendar or feed; none takes the smaller id.",
        panel=WHICH,
        metavar="P%|none",
    )
    rng: int = rng_field()

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_preference()
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

    @property
    def preferred_within(self) -> float | None:
        """How much a readable address may cost, as a share of a gain; `None` for no preference."""
        return None if self.prefer == "none" else share_of(self.prefer)

    def _check_preference(self) -> None:
        within = self.preferred_within
        if within is not None and not 0 <= within < 1:
            raise UsageError(
                f"{{prefer}} is {self.prefer}", hint="give a share such as 0.1%, or none", fields=("prefer",)
            )

    def answer(self, session: Session, *, save: Saved = False, write: str | None = None) -> Answer:
        """Choose seeds; `save` also writes them into the database, `write` the number of each as a property."""
        from seedrank.methods.seeds.choose import choose

        return choose(session, self, save=save, write=write)


@dataclass(frozen=True, kw_only=True)
class EvaluateQuestion(Worth):
    """How good a list of seeds is."""

    command: ClassVar[str] = "seeds evaluate"
    gives: ClassVar[Kind] = "table"

    file: str = field(
        "", "Seeds: one URL or id a line, or a table.", file=True, argument=True, required=True, takes="pages"
    )
    certify: bool = field(False, "Sum the ball of every candidate for a tight bound.")

    def answer(self, session: Session) -> Answer:
        """Judge the list."""
        from seedrank.methods.seeds.judge import evaluate

        return evaluate(session, self)


@dataclass(frozen=True, kw_only=True)
class ReduceQuestion(Searching):
    """The fewest seeds of a list that do the same."""

    command: ClassVar[str] = "seeds reduce"

    file: str = field(
        "", "Seeds: one URL or id a line, or a table.", file=True, argument=True, required=True, takes="pages"
    )
    keep_share: float = field(
        1.0,
        "Of what the whole list reaches, such as 99% or 0.99.",
        metavar="P%",
        share=True,
        above=0,
        most=1,
    )

    def answer(self, session: Session) -> Answer:
        """Find the fewest seeds of the list."""
        from seedrank.methods.seeds.judge import reduce

        return reduce(session, self)


@dataclass(frozen=True, kw_only=True)
class TransferQuestion(Levelled):
    """What a list of seeds of an older graph is on this one: pages that stay, and pages like those that are gone."""

    command: ClassVar[str] = "seeds transfer"

    file: str = field(
        "",
        "Seeds of an older graph, by URL: one a line, or a table.",
        file=True,
        argument=True,
        required=True,
        takes="addresses",
    )
    old_store: str | None = field(
        None, "The older graph: a page that is gone is looked for by its links there.", metavar="URL"
    )

    def answer(self, session: Session) -> Answer:
        """Find the seeds on this graph."""
        from seedrank.methods.seeds.transfer import transfer

        return transfer(session, self)


@dataclass(frozen=True, kw_only=True)
class CoreQuestion(Linked, Levelled):
    """Seeds in different communities, one from each dense hub-authority core (Daneshpajouh et al. 2008)."""

    command: ClassVar[str] = "seeds cores"
    aliases: ClassVar[Mapping[str, str]] = {"budget": "k"}

    k: int = field(10, "Seeds at most, one from each core.", least=1)
    keep_same_site: bool = field(False, "Leave links within a site in. (Not in the papers.)")
    core: Literal["density", "size"] = field(
        "density", "Grow a core as long as it is dense, or to a size.", choices=("density", "size")
    )
    density: float = field(
        100.0,
        "Per cent of the links from hubs to authorities that must be there.",
        panel=DENSE,
        least=1,
        most=100,
    )
    cap: int | None = field(None, "Most hubs of a core; the papers took 999 once.", panel=DENSE, least=1, shown="none")
    stop_first: bool = field(
        False,
        "The first page that makes a core too thin stops both sides, not its own alone. "
        "(One interpretation of the paper.)",
        panel=DENSE,
    )
    skip_violators: bool = field(
        False, "Leave such a page out for good and try the next. (Not in the papers.)", panel=DENSE
    )
    literal: bool = field(
        False,
        "As printed: test after each pair and keep the pair that makes the core too thin. "
        "(One interpretation of the paper.)",
        panel=DENSE,
    )
    size: int = field(20, "Hubs and authorities in all.", panel=SIZED, least=2)
    step: int = field(1, "Of each side in a round.", panel=SIZED, least=1)
    pick: Literal["best-hub", "random"] = field(
        "best-hub",
        "The seed: the best hub, or any of them (the papers say arbitrary).",
        choices=("best-hub", "random"),
    )
    iterations: int = field(60, "Iterations of HITS.", least=1, most=MOST_TIMES)
    rng: int = rng_field()

    def __post_init__(self) -> None:
        super().__post_init__()
        rules = [name for name in ("stop_first", "skip_violators", "literal") if getattr(self, name)]
        if len(rules) > 1:
            raise UsageError(
                f"{{{rules[0]}}} and {{{rules[1]}}} exclude each other", hint="give one of them", fields=rules
            )
        dense = ["density", "cap", "stop_first", "skip_violators", "literal"]
        for name in dense if self.core == "size" else ("size", "step"):
            if getattr(self, name) != default_of(type(self), name):
                other = "size" if self.core == "density" else "density"
                raise UsageError(
                    f"{{{name}}} goes with {{core={other}}}", hint="leave it out, or change {core}",
                    fields=(name, "core"),
                )  # fmt: skip

    @property
    def violator(self) -> Literal["close", "stop-first", "skip-violators", "literal"]:
        """What a page does that brings the density below the limit: by default, its side takes no more pages."""
        if self.stop_first:
            return "stop-first"
        if self.skip_violators:
            return "skip-violators"
        return "literal" if self.literal else "close"

    def answer(self, session: Session, *, save: Saved = False, write: str | None = None) -> Answer:
        """Find cores; `save` also writes them into the database, `write` the number of a page's core as a property."""
        from seedrank.methods.seeds.find_cores import find_cores

        return find_cores(session, self, save=save, write=write)
