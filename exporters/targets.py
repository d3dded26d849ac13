"""The targets that an answer is handed to, registered once: name, summary, score, options, function.

A registration imports nothing heavy: it names its function, which is imported when it runs. The command line, the
Python API and the statement that goes with every file read it.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from seedrank.core.errors import UsageError, shorten, suggestion

__all__ = ["TARGETS", "Score", "Target", "check_options", "options_of", "register", "target_named"]


@dataclass(frozen=True)
class Score:
    """What the score of a target means."""

    name: str
    """What the format calls it."""
    scale: str
    """How it follows from the run."""
    direction: str
    """Which end is better."""

    def __str__(self) -> str:
        return f"{self.name}: {self.scale}; {self.direction}"


@dataclass(frozen=True)
class Target:
    """A format that other programs take pages in."""

    name: str
    """As people type it."""
    summary: str
    """For help."""
    function: str | Callable[..., Iterator[bytes]]
    """``module:name``, or a function of a user's; it takes a `Rows` for each of `runs`, the sentences about them, and
    its own options by name. It checks them when it is called, and gives the blocks of the file."""
    example: Mapping[str, Any]
    """Parameters of an example that help shows."""
    score: Score
    """Of a run whose scores fall along its order."""
    by_place: Score | None = None
    """Of any other run, such as a crawl; the same when `None`."""
    planned: Score | None = None
    """Of a run that says when to come back; as of any other when `None`."""
    header: bool = True
    """Whether the format has comments: the statement is written into the file. Otherwise it goes beside it."""
    runs: Mapping[str, str | None] = field(default_factory=lambda: {"run": None})
    """Runs that it takes by parameter, with the method they must be of; `None` is any."""
    options: tuple[str, ...] = ()
    """Its own parameters."""
    top: int | None = None
    """Pages that it takes where nobody says; all when `None`."""
    plain: bool = False
    """Whether a file whose name ends in ``.txt`` is the plain list of URLs instead."""
    suffixes: tuple[str, ...] = ()
    """One of them must end the name of the file."""
    watched: bool = False
    """Whether the program watches the folder of the file: it is composed beside that folder."""
    links: bool = False
    """Whether it takes the links among the pages too."""

    @property
    def own(self) -> bool:
        """Whether a user registered it."""
        return not isinstance(self.function, str)

    def load(self) -> Callable[..., Iterator[bytes]]:
        """The function, imported now."""
        if not isinstance(self.function, str):
            return self.function
        module, _, name = self.function.partition(":")
        found: Callable[..., Iterator[bytes]] = getattr(importlib.import_module(module), name)
        return found


_RAW = Score("score", "the run's own, as it is", "higher is better")
_RAW_BY_PLACE = Score(
    "score", "the run's own, as it is, and it does not fall along the run's order", "the order decides, best first"
)
_ORDER = Score("score", "none in this format", "the order decides, best first")

_NUTCH = Score(
    "nutch.score", "the run's score over the best one, up to 0.999999 (Nutch's `inject -update` takes 1 for no score)",
    "higher is fetched sooner",
)  # fmt: skip
_NUTCH_BY_PLACE = Score(
    "nutch.score", "by place, as the scores of this run do not fall along its order: from 0.999999 to above 0",
    "higher is fetched sooner",
)  # fmt: skip
_NUTCH_PLANNED = Score(
    "nutch.score and nutch.fetchInterval",
    "fetches a day over the most, up to 0.999999; seconds from one fetch to the next, 2147483647 for never",
    "higher is fetched sooner",
)
_URLFRONTIER = Score(
    "refetchableFromDate",
    "a second later for each place in the run, all in the past (metadata.score: the run's own score)",
    "earlier is fetched sooner within a host",
)
_URLFRONTIER_PLANNED = Score(
    "refetchableFromDate",
    "when the page is due, seconds since 1970, 0 for never (metadata.score: fetches a day)",
    "earlier is fetched sooner within a host",
)
_SCRAPY = Score(
    "priority", "by place in the run, in at most 1,000 steps, the last is 1 (meta.score: the run's own score)",
    "higher is fetched sooner; pages that Scrapy finds itself have 0",
)  # fmt: skip
_CC_RANKS = Score(
    "harmonicc_val and pr_val",
    "scores of the two runs, or of one of `rank centrality`; harmonicc_pos and pr_pos are places in them",
    "higher values and lower positions are better",
)

_ALL = (
    Target("urls", "A plain list: one URL a line, best first.",
           "seedrank.exporters.urls:urls", {"file": "urls.txt", "top": 100}, _ORDER, header=False),
    Target("nutch-seeds",
           "Seeds for Apache Nutch: URL, TAB, nutch.score, and fetch interval and metadata where they are given.",
           "seedrank.exporters.nutch:nutch_seeds", {"file": "urls/seeds.txt", "fetch_interval": 86_400},
           _NUTCH, _NUTCH_BY_PLACE, _NUTCH_PLANNED, options=("fetch_interval", "metadata")),
    Target("heritrix-seeds", "Seeds for Heritrix 3: one URI a line, best first, with # comments.",
           "seedrank.exporters.heritrix:seeds", {"file": "jobs/mine/seeds.txt"}, _ORDER, watched=True),
    Target("heritrix-action",
           "Pages for a running Heritrix 3 job, as a recovery journal (F+ URI), moved whole into its action folder.",
           "seedrank.exporters.heritrix:action", {"file": "jobs/mine/action/next.schedule", "top": 1_000},
           _ORDER, suffixes=(".schedule", ".schedule.gz"), watched=True),
    Target("urlfrontier",
           "Pages for a URLFrontier service, as JSON lines of URLItem: known pages, due in the order of the run.",
           "seedrank.exporters.urlfrontier:urlfrontier", {"file": "next.jsonl"}, _URLFRONTIER,
           planned=_URLFRONTIER_PLANNED, header=False),
    Target("scrapy",
           "Requests for Scrapy, as JSON lines of url, priority and meta; start URLs where FILE ends in .txt.",
           "seedrank.exporters.scrapy:requests", {"file": "requests.jsonl"}, _SCRAPY, header=False, plain=True),
    Target("browsertrix",
           "Seeds for Browsertrix Crawler, as YAML configuration; as a seed file where FILE ends in .txt.",
           "seedrank.exporters.browsertrix:config", {"file": "crawl-config.yaml", "top": 50}, _ORDER, plain=True),
    Target("gexf", "The best pages and the links among them as GEXF, coloured by host; 1,000 pages by default.",
           "seedrank.exporters.gexf:gexf", {"file": "web.gexf", "top": 500},
           _RAW, _RAW_BY_PLACE, top=1_000, links=True),
    Target("graphml", "The best pages and the links among them as GraphML, coloured by host; 1,000 pages by default.",
           "seedrank.exporters.graphml:graphml", {"file": "web.graphml", "top": 500},
           _RAW, _RAW_BY_PLACE, top=1_000, links=True),
    Target("cc-ranks",
           "Ranks of hosts or domains in the columns of Common Crawl's rank files: harmonic centrality and PageRank.",
           "seedrank.exporters.cc_ranks:cc_ranks", {"file": "ranks.txt.gz"}, _CC_RANKS, header=False,
           runs={"harmonic": "rank harmonic", "pagerank": "rank pagerank"}),
)  # fmt: skip
_TABLES = ("csv", "parquet", "spark")
"""Commands of ``seedrank export`` beside the targets."""
TARGETS = {target.name: target for target in _ALL}
"""Every target by name."""


def register(name: str, summary: str, function: Callable[..., Iterator[bytes]]) -> None:
    """Add a user's target, or put it in the place of the one that was registered under its name."""
    if name in (*_TABLES, *(one.name for one in _ALL)):
        raise UsageError(f"there is a target {name}", hint="choose another name")
    TARGETS[name] = Target(name, summary, function, {"file": "pages.txt"}, _RAW, _RAW_BY_PLACE, header=False)


def target_named(name: str) -> Target:
    """A target; an unknown name is refused, with the nearest one."""
    if name in TARGETS:
        return TARGETS[name]
    raise UsageError(f"unknown target {shorten(name)}", hint=suggestion(name, TARGETS))


def options_of(target: Target) -> list[str]:
    """Names of the parameters that a target takes."""
    return [*target.runs, *target.options, "top", "only", "exclude", "with_missing", "level"]


def check_options(target: Target, given: Mapping[str, Any]) -> None:
    """Refuse a parameter that a target does not have, with the nearest name."""
    known = options_of(target)
    for name in given:
        if name not in known:
            raise UsageError(f"{target.name} has no option {shorten(name)}", hint=suggestion(name, known))
