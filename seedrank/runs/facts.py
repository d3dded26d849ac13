"""Facts that runs keep, by the question they answer: what is known of the whole answer, beside its rows."""

from __future__ import annotations

from typing import Any, Literal, TypedDict

__all__ = [
    "AdviceFacts",
    "CoreFacts",
    "CrawlFacts",
    "EvaluateFacts",
    "ExperimentFacts",
    "ExplainFacts",
    "FrontierFacts",
    "HostFacts",
    "ListFacts",
    "NextFacts",
    "PlanFacts",
    "RecrawlFacts",
    "ReduceFacts",
    "SearchFacts",
    "SeedFacts",
    "TransferFacts",
]


class SearchFacts(TypedDict, total=False):
    """How exact a choice of seeds is, and why it ended early, in words."""

    exact: str
    time_limit: str
    proven: int
    preferred: int
    preference_cost: float
    stopped: str


class HostFacts(TypedDict, total=False):
    """What an answer means for hosts; no facts where pages have none."""

    hosts_starving: int
    hosts_starving_such_as: list[str]
    hosts_without_seed: int


class SeedFacts(SearchFacts, HostFacts, total=False):
    """``seeds``: what the seeds reach, and what no choice can exceed."""

    seeds: int
    value: float
    pages: int
    bound: float
    bound_form: str
    ratio: float | None
    evaluations: int
    winner: str
    enough: int
    compared: dict[str, dict[str, Any]]
    left: float
    sites_without_seed: int
    sites_without_seed_such_as: list[str]
    mean_value: float
    standard_error: float


class ListFacts(TypedDict, total=False):
    """A list of pages as it was read; of seeds, also those that are not crawled."""

    unknown: int
    unknown_such_as: list[str]
    repeated: int
    not_crawled: int
    not_crawled_such_as: list[str]


class EvaluateFacts(ListFacts, total=False):
    """``seeds evaluate``."""

    seeds: int
    value: float
    pages: int
    bound: float
    bound_form: str
    ratio: float | None
    add_nothing: int


class ReduceFacts(ListFacts, SearchFacts, total=False):
    """``seeds reduce``: how many of the list's seeds are left, and what they reach of what all reach."""

    of: int
    seeds: int
    value: float
    value_of_all: float


class TransferFacts(TypedDict):
    """``seeds transfer``: distinct URLs of the list, how many each rule found (or dropped), and distinct new seeds."""

    listed: int
    repeated: int
    seeds: int
    rules: dict[str, int]
    dropped_such_as: list[str]


class CoreFacts(TypedDict):
    """``seeds cores``."""

    cores: int
    asked_for: int
    links: int
    links_ranked: int
    pages_in_cores: int


class CrawlFacts(HostFacts, total=False):
    """``crawl``: beside these, a share, an area and page counts for every measure (``pagerank_area`` and so on)."""

    seeds: int
    seeds_unknown: int
    pages: int
    hosts: int
    missing: int
    seconds: float
    us_per_page: float
    stopped: str
    partial: bool
    discovered: int
    pushes: int
    revisits: int
    pagerank: float
    pagerank_area: float
    spam: float | None
    spam_labelled: int
    trusted: float | None
    trusted_labelled: int
    bound: float | None
    hours: float
    bytes: float


class FrontierFacts(HostFacts, total=False):
    """``frontier``; ``features`` are what the model of ``learned`` takes.

    ``share_of_score`` is what the chosen pages hold of the scores of all that might be chosen.
    """

    frontier: int
    share_of_score: float
    crawled: int
    share_of_crawled_with_impact: float
    budget: int
    virtual_links: int
    capped_pages: int
    capped_pairs: int
    virtual_links_saved: int
    features: list[str]


class ExplainFacts(TypedDict):
    """``explain``: the page's id, its score, and the part that every page has."""

    page: int
    score: float
    teleport: float


class ExperimentFacts(TypedDict, total=False):
    """Experiments and tables with charts: how many claims were judged, what was left out, and what was judged."""

    claims: int
    left_out: list[str]
    about: list[str]


class AdviceFacts(ExperimentFacts, total=False):
    """``frontier tune`` and ``frontier learn``: impact shares with their intervals, and what to do.

    ``share`` is of what was fitted, ``default_share`` of what is used where nobody says otherwise, ``gain`` the
    difference of both over the same splits.
    """

    advice: Literal["use", "keep"]
    omega: float
    beta: float
    default_omega: float
    default_beta: float
    model: str
    share: float
    low: float
    high: float
    default_share: float
    default_low: float
    default_high: float
    gain: float
    gain_low: float
    gain_high: float
    splits: int
    intervals: str


class RecrawlFacts(TypedDict):
    """``recrawl``: `rate` is that of all pages, `lastmod` how many sites have which verdict."""

    pages: int
    visits: int
    visits_unknown: int
    changes: int
    rate: float
    lastmod: dict[str, int]


class PlanFacts(TypedDict):
    """``recrawl plan``: what each policy comes to is in `compared`, by its name."""

    pages: int
    visited: int
    visits: int
    visits_unknown: int
    policy: str
    importance: str
    budget: float
    compared: dict[str, dict[str, Any]]


class NextFacts(TypedDict):
    """``recrawl next``: `value` is the share of what all candidates are worth."""

    pages: int
    candidates: int
    visits_unknown: int
    overdue: int
    at: str
    importance: str
    value: float
