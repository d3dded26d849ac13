"""Fields of questions as keywords of `Workbench`, for editors and type checkers.

Made from `seedrank.questions` by ``python -m docs.make_fields``; do not edit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, Literal, TypedDict

from seedrank.api.page_sets import Pages, Table, Values

SeedMethod = Literal[
    "best", "random", "pagerank", "outdegree", "maxout", "maxweight", "maxscc", "rootscc", "greedy"
]  # fmt: skip
Order = Literal[
    "fpr", "rankmass", "windowed-rankmass", "opic", "l-neighbor", "bfs", "backlink", "pagerank", "larger-sites",
    "transdomain", "rw", "rw-eg", "omniscient", "random"
]  # fmt: skip
FrontierMethod = Literal[
    "random", "indegree", "pagerank", "trust", "q-overlap", "q-hybrid", "rw", "rw-eg", "learned"
]  # fmt: skip
RankMethod = Literal[
    "pagerank", "hits", "indegree", "outdegree", "harmonic", "centrality", "trust", "distrust", "spam-mass"
]  # fmt: skip


class LevelledFields(TypedDict, total=False):
    """A question about pages, or about hosts or domains and the links between them."""

    level: Literal["page", "host", "domain"] | None
    host_weights: Literal["links", "pages"]


class StatsFields(LevelledFields, total=False):
    """Of ``stats``."""

    distances: bool
    suspicious: bool
    farm_hosts: int
    farm_density: float
    farm_inside: float
    source_share: float
    source_links: int
    trap_fan_out: int
    trap_pages: int
    trap_depth: int
    trap_repeats: int
    mirror_share: float
    mirror_paths: int
    rng: int


class LinkedFields(TypedDict, total=False):
    """How much each link of a page counts."""

    weights: Literal["none", "links"]
    cap_links: int | None


class RankFields(LinkedFields, LevelledFields, total=False):
    """Of ``rank``."""

    damping: float
    dangling: Literal["uniform", "teleport", "drop"]
    teleport: Pages | None
    trusted: Pages | None
    bad: Pages | None
    good_share: float
    min_pagerank: float
    iterations: int


class WorthFields(LevelledFields, total=False):
    """What pages are worth, and how far a seed reaches: asked with every question about seeds."""

    hops: int
    value: Values
    value_base: float
    value_spam: float
    value_clicked: float
    spam_bonus: bool
    history: Table | None


class SearchingFields(WorthFields, total=False):
    """How hard to look for the heaviest ball."""

    time_limit: float | None
    tolerance: float
    sketch: bool


class SeedFields(SearchingFields, LinkedFields, total=False):
    """Of ``seeds``."""

    k: int
    depth: int
    per_site: bool
    allocate: str | None
    min_pages: int
    min_external_inlinks: int
    pagerank_of: Literal["graph", "site"]
    always_k: bool
    certify: bool
    repeats: int
    keep: Pages | None
    only: str | Sequence[str]
    exclude: str | Sequence[str]
    non_pages: bool
    fold: bool
    no_traps: bool
    work: float
    prefer: str | float
    rng: int
    budget: int


class EvaluateFields(WorthFields, total=False):
    """Of ``seeds evaluate``."""

    certify: bool


class ReduceFields(SearchingFields, total=False):
    """Of ``seeds reduce``."""

    keep_share: float


class TransferFields(LevelledFields, total=False):
    """Of ``seeds transfer``."""

    old_store: str | None


class CoreFields(LinkedFields, LevelledFields, total=False):
    """Of ``seeds cores``."""

    k: int
    keep_same_site: bool
    core: Literal["density", "size"]
    density: float
    cap: int | None
    stop_first: bool
    skip_violators: bool
    literal: bool
    size: int
    step: int
    pick: Literal["best-hub", "random"]
    iterations: int
    rng: int
    budget: int


class CrawlingFields(LinkedFields, LevelledFields, total=False):
    """Where crawls begin, when they stop, how polite they are, and what orders share."""

    seeds: Pages
    damping: float
    epsilon: float | None
    every: str | float
    impact: str
    omega: float
    beta: float
    limit: int | None
    bytes: float | None
    hours: float | None
    per_host: int | None
    host_delay: float
    parallel: int
    fetch_seconds: float
    value: Values | None
    trusted: Pages | None
    fold: bool
    no_traps: bool
    first: str | Sequence[str]
    rng: int
    budget: int | None
    k: int | None


class CrawlFields(CrawlingFields, total=False):
    """Of ``crawl``."""

    inter_host_weight: float
    window: float
    partial: bool


class CompareFields(CrawlingFields, total=False):
    """Of ``crawl compare``."""


class ScoreOptionsFields(LinkedFields, total=False):
    """Parameters of the methods that score frontier pages."""

    transform: Literal["linear", "log1p", "rank"]
    epsilon: float
    beta: float
    damping: float
    omega: float
    virtual: Literal["df", "dd"]
    fan_out_cap: int | None
    mix: float
    match: Literal["all", "share"]
    rng: int


class WatchedFields(ScoreOptionsFields, LevelledFields, total=False):
    """What impact is: asked with every question about the frontier."""

    impact: str
    events: Table | Sequence[Table]
    since: str | None
    until: str | None


class FrontierFields(WatchedFields, total=False):
    """Of ``frontier``."""

    budget: str | float | None
    only: str | Sequence[str]
    exclude: str | Sequence[str]
    fold: bool
    no_traps: bool
    model: str | PathLike[str] | None
    k: str | float | None
    limit: str | float | None


class TuneFields(LinkedFields, LevelledFields, total=False):
    """Of ``frontier tune``."""

    transform: Literal["linear", "log1p", "rank"]
    epsilon: float
    damping: float
    virtual: Literal["df", "dd"]
    fan_out_cap: int | None
    rng: int
    impact: str
    events: Table | Sequence[Table]
    since: str | None
    until: str | None
    budget: str | float | None
    hide: float
    truth: Table | None
    splits: int
    resamples: int
    k: str | float | None
    limit: str | float | None


class TryingFields(WatchedFields, total=False):
    """What methods are tried on: frontier pages whose impact is known."""

    budget: str | float | None
    hide: float
    truth: Table | None
    splits: int
    k: str | float | None
    limit: str | float | None


class LearnFields(TryingFields, total=False):
    """Of ``frontier learn``."""

    kind: Literal["tree", "sgd", "boosting"]
    extras: bool


class ExplainFields(WatchedFields, total=False):
    """Of ``explain``."""


class RecordedFields(TypedDict, total=False):
    """What is known of past visits: asked with every question about when to come back."""

    history: Table | Sequence[Table]
    from_cdx: str | Sequence[str]


class RecrawlFields(RecordedFields, total=False):
    """Of ``recrawl``."""


class ReturningFields(RecordedFields, total=False):
    """What pages are worth, and how soon and how late each may be fetched again."""

    importance: str | None
    min_interval: str | float | None
    max_interval: str | float | None
    host_delay: float
    bounds: Table | None
    only: str | Sequence[str]
    exclude: str | Sequence[str]


class ScheduledFields(ReturningFields, total=False):
    """How many fetches there are."""

    budget: str | float | None
    k: str | float | None
    limit: str | float | None


class PlanFields(ScheduledFields, total=False):
    """Of ``recrawl plan``."""

    policy: Literal["harmonic", "optimum", "azar", "importance", "uniform", "proportional"]


class NextFields(ReturningFields, total=False):
    """Of ``recrawl next``."""

    budget: int
    at: str | None
    k: int
    limit: int


class SimulateFields(ScheduledFields, total=False):
    """Of ``recrawl simulate``."""

    days: float
    repeats: int
    rng: int


class CoverageExperimentFields(TypedDict, total=False):
    """Of ``experiment coverage``."""

    quick: bool
    newer: str | None
    min_pages: int
    min_external_inlinks: int
    rng: int


class CoresExperimentFields(TypedDict, total=False):
    """Of ``experiment cores``."""

    cores: int
    repeats: int
    keep_same_site: bool
    core: Literal["density", "size"]
    density: float
    cap: int | None
    core_size: int
    step: int
    transfer_from: Pages | None
    transfer_against: Pages | None
    old_store: str | None
    quick: bool
    rng: int


class OrderingExperimentFields(TypedDict, total=False):
    """Of ``experiment ordering``."""

    orders: str | Callable[..., Any] | Sequence[str | Callable[..., Any]]
    seeds: int
    seed_sets: int | None
    measure: str | None
    baseline: str | Callable[..., Any] | None
    impact: str
    quick: bool
    rng: int


class ImpactExperimentFields(LevelledFields, total=False):
    """Of ``experiment impact``."""

    transform: Literal["linear", "log1p", "rank"]
    epsilon: float
    beta: float
    damping: float
    omega: float
    virtual: Literal["df", "dd"]
    fan_out_cap: int | None
    mix: float
    match: Literal["all", "share"]
    rng: int
    impact: str
    events: Table | Sequence[Table]
    since: str | None
    until: str | None
    hide: float
    truth: Table | None
    splits: int
    budgets: float | Sequence[float]
    queries_are: str
    methods: str | Callable[..., Any] | Sequence[str | Callable[..., Any]]
    baseline: str | Callable[..., Any]
    quick: bool
    budget: float | Sequence[float]
