"""Where to start a web crawl, in which order to fetch, and which frontier pages matter.

``seedrank.open("web.duckdb")`` gives a `Workbench`; questions are classes such as `SeedQuestion`.
"""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

from seedrank.core.package import VERSION, check_platform

if TYPE_CHECKING:
    from seedrank.api import functional
    from seedrank.api.bibtex import bibtex
    from seedrank.api.open_store import from_frames, from_networkx, from_scipy, open
    from seedrank.api.page_sets import Pages
    from seedrank.api.plugins import crawl_order, exporter, frontier_method, loader, seed_method
    from seedrank.api.workbench import Workbench
    from seedrank.core.errors import GraphError, InputError, SeedrankError, StoreError, UsageError
    from seedrank.ingest.arrays import load_graph
    from seedrank.loaders.adjacency import AdjacencySource
    from seedrank.loaders.base import LoadOptions
    from seedrank.loaders.snap import SnapSource
    from seedrank.loaders.table import TableSource
    from seedrank.questions.crawl import CompareQuestion, CrawlQuestion
    from seedrank.questions.experiments import (
        CoresExperiment,
        CoverageExperiment,
        ImpactExperiment,
        OrderingExperiment,
    )
    from seedrank.questions.frontier import ExplainQuestion, FrontierQuestion, LearnQuestion, TuneQuestion
    from seedrank.questions.graph import StatsQuestion
    from seedrank.questions.rank import RankQuestion
    from seedrank.questions.recrawl import NextQuestion, PlanQuestion, RecrawlQuestion, SimulateQuestion
    from seedrank.questions.seeds import (
        CoreQuestion,
        EvaluateQuestion,
        ReduceQuestion,
        SeedQuestion,
        TransferQuestion,
    )
    from seedrank.runs import Answer, Run
    from seedrank.runs.experiment_files import export

_WHERE = {
    "seedrank.loaders.adjacency": ("AdjacencySource",),
    "seedrank.loaders.base": ("LoadOptions",),
    "seedrank.loaders.snap": ("SnapSource",),
    "seedrank.loaders.table": ("TableSource",),
    "seedrank.core.errors": ("GraphError", "InputError", "SeedrankError", "StoreError", "UsageError"),
    "seedrank.runs.experiment_files": ("export",),
    "seedrank.ingest.arrays": ("load_graph",),
    "seedrank.questions.crawl": ("CompareQuestion", "CrawlQuestion"),
    "seedrank.questions.experiments": (
        "CoresExperiment",
        "CoverageExperiment",
        "ImpactExperiment",
        "OrderingExperiment",
    ),
    "seedrank.questions.frontier": ("ExplainQuestion", "FrontierQuestion", "LearnQuestion", "TuneQuestion"),
    "seedrank.questions.graph": ("StatsQuestion",),
    "seedrank.questions.rank": ("RankQuestion",),
    "seedrank.questions.recrawl": ("NextQuestion", "PlanQuestion", "RecrawlQuestion", "SimulateQuestion"),
    "seedrank.questions.seeds": (
        "CoreQuestion",
        "EvaluateQuestion",
        "ReduceQuestion",
        "SeedQuestion",
        "TransferQuestion",
    ),
    "seedrank.runs": ("Answer", "Run"),
    "seedrank.api.bibtex": ("bibtex",),
    "seedrank.api.open_store": ("from_frames", "from_networkx", "from_scipy", "open"),
    "seedrank.api.page_sets": ("Pages",),
    "seedrank.api.plugins": ("crawl_order", "exporter", "frontier_method", "loader", "seed_method"),
    "seedrank.api.workbench": ("Workbench",),
}
_MODULES = {name: module for module, names in _WHERE.items() for name in names}

__all__ = [
    "AdjacencySource",
    "Answer",
    "CompareQuestion",
    "CoreQuestion",
    "CoresExperiment",
    "CoverageExperiment",
    "CrawlQuestion",
    "EvaluateQuestion",
    "ExplainQuestion",
    "FrontierQuestion",
    "GraphError",
    "ImpactExperiment",
    "InputError",
    "LearnQuestion",
    "LoadOptions",
    "NextQuestion",
    "OrderingExperiment",
    "Pages",
    "PlanQuestion",
    "RankQuestion",
    "RecrawlQuestion",
    "ReduceQuestion",
    "Run",
    "SeedQuestion",
    "SeedrankError",
    "SimulateQuestion",
    "SnapSource",
    "StatsQuestion",
    "StoreError",
    "TableSource",
    "TransferQuestion",
    "TuneQuestion",
    "UsageError",
    "Workbench",
    "__version__",
    "bibtex",
    "crawl_order",
    "export",
    "exporter",
    "from_frames",
    "from_networkx",
    "from_scipy",
    "frontier_method",
    "functional",
    "load_graph",
    "loader",
    "open",
    "seed_method",
]

__version__ = VERSION


def __getattr__(name: str) -> Any:
    # Imported when first asked for: the command line's --help must not wait for pyarrow and numba.
    if name == "functional":
        return importlib.import_module("seedrank.api.functional")
    if name in _MODULES:
        check_platform()
        return getattr(importlib.import_module(_MODULES[name]), name)
    # With its name and place Python says which one was meant.
    raise AttributeError(f"module 'seedrank' has no attribute {name!r}", name=name, obj=sys.modules[__name__])


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
