"""Experiments: the figures and claims of a paper, on the graph in the store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from seedrank.core.errors import UsageError, shorten, suggestion
from seedrank.core.numbers import MOST_TIMES
from seedrank.questions.frontier import Watched
from seedrank.questions.question import WEIGHING, Kind, Question, default_of, field, rng_field

if TYPE_CHECKING:
    from seedrank.runs import Answer
    from seedrank.session import Session

__all__ = [
    "EXPERIMENTS",
    "CoresExperiment",
    "CoverageExperiment",
    "ImpactExperiment",
    "OrderingExperiment",
    "experiment_named",
]

CORES, TRANSFER = "How cores grow", "Transfer to a newer graph"
OWN = "Your own measure"
_QUICK = "Fewer repeats, sites, splits and pages: about a minute."


@dataclass(frozen=True, kw_only=True)
class CoverageExperiment(Question):
    """Seed selection on the sites of the graph (Zheng et al. 2009)."""

    command: ClassVar[str] = "experiment coverage"
    gives: ClassVar[Kind] = "experiment"

    quick: bool = field(False, _QUICK)
    newer: str | None = field(None, "The same web some time later: seeds chosen now are measured there.", metavar="URL")
    min_pages: int = field(100, "Leave out sites with fewer crawled pages.", least=1)
    min_external_inlinks: int = field(1, "Leave out sites with fewer links from other sites.", least=0)
    rng: int = rng_field()

    def answer(self, session: Session) -> Answer:
        """Perform the experiment."""
        from seedrank.experiments.coverage import perform

        return perform(session, self)


@dataclass(frozen=True, kw_only=True)
class CoresExperiment(Question):
    """Sizes and distances of HITS cores, crawls from their hubs, transfer (Daneshpajouh et al. 2008)."""

    command: ClassVar[str] = "experiment cores"
    gives: ClassVar[Kind] = "experiment"

    cores: int = field(50, "Cores at most; 12 when quick.", least=1)
    repeats: int = field(50, "Draws of random pages to compare with; 12 when quick.", least=2, most=MOST_TIMES)
    keep_same_site: bool = field(False, "Leave links within a site in. (Not in the papers.)")
    core: Literal["density", "size"] = field(
        "density", "Grow a core as long as it is dense, or to a size.", panel=CORES, choices=("density", "size")
    )
    density: float = field(
        100.0, "Per cent of the links from hubs to authorities that must be there.", panel=CORES, least=1, most=100
    )
    cap: int | None = field(
        None, "Most hubs of a core; the papers took 999 for UK-2002.", panel=CORES, least=1, shown="none"
    )
    core_size: int = field(20, "Hubs and authorities in all, of a core by size.", panel=CORES, least=2)
    step: int = field(1, "Of each side in a round, of a core by size.", panel=CORES, least=1)
    transfer_from: str | None = field(
        None,
        "Seeds found on an older graph, by URL; this store holds the newer one.",
        panel=TRANSFER,
        file=True,
        takes="addresses",
    )
    transfer_against: str | None = field(
        None,
        "Random crawled pages of the older graph, to compare survival with.",
        panel=TRANSFER,
        file=True,
        takes="addresses",
    )
    old_store: str | None = field(
        None,
        "The older graph: a seed that is gone is replaced by a page with its links. (Not in the papers.)",
        panel=TRANSFER,
        metavar="URL",
    )
    quick: bool = field(False, _QUICK)
    rng: int = rng_field()

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("density", "cap") if self.core == "size" else ("core_size", "step"):
            if getattr(self, name) != default_of(type(self), name):
                other = "size" if self.core == "density" else "density"
                raise UsageError(
                    f"{{{name}}} goes with {{core={other}}}", hint="leave it out, or change {core}",
                    fields=(name, "core"),
                )  # fmt: skip
        for name in ("transfer_against", "old_store"):
            if getattr(self, name) is not None and self.transfer_from is None:
                raise UsageError(
                    f"{{{name}}} goes with {{transfer_from}}",
                    hint="give the seeds of the older graph too",
                    fields=(name, "transfer_from"),
                )

    def answer(self, session: Session) -> Answer:
        """Perform the experiment."""
        from seedrank.experiments.cores import perform

        return perform(session, self)


@dataclass(frozen=True, kw_only=True)
class OrderingExperiment(Question):
    """How early crawl orders find important pages, and what deciding costs (Alam et al.)."""

    command: ClassVar[str] = "experiment ordering"
    gives: ClassVar[Kind] = "experiment"

    orders: tuple[str, ...] = field(
        (), "Instead of the paper's and some others.", metavar="[ORDER]...", argument=True, completion=("ORDER",)
    )
    seeds: int = field(160, "Seeds of a set; the paper's by default.", least=1)
    seed_sets: int | None = field(None, "Draws of seeds.", least=2, most=MOST_TIMES, shown="10; 5 when quick")
    measure: str | None = field(
        None,
        "Judge by what orders gather of a page column, each against the baseline, instead of the paper's claims.",
        panel=OWN,
        completion=("pagerank", "COLUMN"),
    )
    baseline: str | None = field(
        None, "The order that the others are compared with.", panel=OWN, completion=("ORDER",), shown="bfs"
    )
    impact: str = field("clicks", "rw, rw-eg: clicks, views, …", panel=OWN, completion=("COLUMN",))
    quick: bool = field(False, _QUICK)
    rng: int = rng_field()

    def answer(self, session: Session) -> Answer:
        """Perform the experiment."""
        from seedrank.experiments.ordering import perform

        return perform(session, self)


@dataclass(frozen=True, kw_only=True)
class ImpactExperiment(Watched):
    """Which methods find hidden pages with impact (Tran et al. 2015)."""

    command: ClassVar[str] = "experiment impact"
    gives: ClassVar[Kind] = "experiment"
    fixed: ClassVar[tuple[str, ...]] = WEIGHING
    aliases: ClassVar[Mapping[str, str]] = {"budget": "budgets"}

    hide: float = field(
        0.35,
        "Share of the crawled pages to hide: their links and impact.",
        metavar="P%",
        share=True,
        above=0,
        below=1,
    )
    truth: str | None = field(
        None, "Impact of frontier pages, known since (url or id): hide nothing.", file=True, takes="table"
    )
    splits: int = field(10, "How often pages are hidden, or split, again.", least=1, most=MOST_TIMES)
    budgets: tuple[float, ...] = field(
        (0.01, 0.02, 0.05, 0.10),
        "Share of the judged pages to choose. The paper's: 1 and 2 % of its web crawl, 5 and 10 % of Wikipedia.",
        metavar="P%",
        names=("--budget",),
        share=True,
        above=0,
        most=1,
        shown="1% 2% 5% 10%",
    )
    queries_are: str = field(
        "searches of the store",
        "What the store's searches are, where they stand in for real ones.",
        metavar="TEXT",
    )
    methods: tuple[str, ...] = field(
        (),
        "Methods that you registered, judged beside the others.",
        panel=OWN,
        metavar="METHOD",
        names=("--method",),
        completion=("FRONTIER",),
    )
    baseline: str = field(
        "pagerank", "The method that yours are compared with.", panel=OWN, metavar="METHOD", completion=("FRONTIER",)
    )
    quick: bool = field(False, _QUICK)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.budgets:
            raise UsageError("{budgets} are missing", hint="give a share or more, such as 5%", fields=("budgets",))

    def answer(self, session: Session) -> Answer:
        """Perform the experiment."""
        from seedrank.experiments.impact import perform

        return perform(session, self)


EXPERIMENTS: dict[str, type[Question]] = {
    "coverage": CoverageExperiment,
    "cores": CoresExperiment,
    "ordering": OrderingExperiment,
    "impact": ImpactExperiment,
}
"""Experiments by name."""


def experiment_named(name: str) -> type[Question]:
    """The class of an experiment's question; an unknown name is refused, with the nearest."""
    if not isinstance(name, str) or name not in EXPERIMENTS:
        raise UsageError(f"unknown experiment {shorten(name)}", hint=suggestion(name, EXPERIMENTS))
    return EXPERIMENTS[name]
