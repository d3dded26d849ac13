"""Parts of the report that show answers: seeds, order, frontier, what else was asked, experiments and comparisons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from seedrank.core.changes import same_graph
from seedrank.core.errors import InputError
from seedrank.core.tables import Sheet, sheet_of
from seedrank.methods.stats import Stats
from seedrank.output.charts.chart import Chart
from seedrank.output.report.answers import ShownRanking
from seedrank.output.report.cards import policy_chart
from seedrank.output.report.drawings import Drawn, drawn
from seedrank.output.report.findings import best_frontier, best_seeds
from seedrank.questions.recrawl import PlanQuestion
from seedrank.runs import Run, experiment_files
from seedrank.runs.experiment import Experiment
from seedrank.session import Session

__all__ = ["Group", "Shown", "experiments", "groups"]


@dataclass(frozen=True)
class Group:
    """Answers of one kind, with the comparison that shows what they gain."""

    verb: str
    short: str
    title: str
    """Of the commands that give them; the heading in the list of parts, and above them."""
    about: str
    """How to read them."""
    hint: str
    """What to do where there is none; where it is empty the part is left out."""
    answers: list[ShownRanking] = field(default_factory=list)
    """The one to follow first."""
    charts: list[Drawn] = field(default_factory=list)
    """What they gain."""


_GROUPS = (
    Group("seeds", "Seeds", "Seeds: where to start", "Each seed adds what those above it do not reach.",
           "choose some with `seedrank seeds maxweight -k 20`"),
    Group("crawl", "Order", "Order: what to fetch first", "In which order pages are fetched, and what led to them.",
           "order a crawl with `seedrank crawl fpr`"),
    Group("frontier", "Frontier", "Frontier: what to fetch next",
           "Pages that are known and not crawled, best first, and what speaks for them.",
           "rank it with `seedrank frontier rw`"),
    Group("recrawl", "Recrawl", "Recrawl: when to come back",
          "How often pages change, how often to fetch each, and which to fetch now.", ""),
    Group("rank", "Ranking", "Pages by how they are linked", "Best first.", ""),
    Group("other", "Other", "Other answers", "", ""),
)  # fmt: skip
"""Kinds of answers, in the order they are shown; the last takes what no other does."""


def groups(rankings: Sequence[ShownRanking], shown: Sequence[Shown], stats: Stats) -> tuple[list[Group], list[Shown]]:
    """Answers by kind, the one to follow first; and what is left of comparisons, whose first chart goes to its kind."""
    runs = [one.run for one in rankings]
    first = {run.id for run in (best_seeds(runs), best_frontier(runs)) if run is not None}
    verbs = {group.verb for group in _GROUPS}
    made = []
    moved: dict[str, Shown] = {}
    for group in _GROUPS:
        some = [one for one in rankings if (one.verb if one.verb in verbs else "other") == group.verb]
        some.sort(key=lambda one: one.run.id not in first)
        compared = [one for one in shown if one.run.method == f"{group.verb} compare" and one.charts]
        moved |= {one.run.id: replace(one, charts=one.charts[1:]) for one in compared}
        hint = _hint(group.verb, group.hint, stats)
        if some or compared or hint:
            charts = [one.charts[0] for one in compared] + drawn([*_policies(some)])[0]
            made.append(replace(group, hint=hint, answers=some, charts=charts))
    return made, [moved.get(one.run.id, one) for one in shown]


def _policies(rankings: Sequence[ShownRanking]) -> list[Chart]:
    """How fresh copies are by each policy, of the plans among answers."""
    plans = [one.run.facts["compared"] for one in rankings if one.run.method == PlanQuestion.command]
    return [policy_chart(compared) for compared in plans]


def _hint(verb: str, hint: str, stats: Stats) -> str:
    """What to do where there is no answer: first of all load what it needs."""
    if not stats.crawled and verb in ("seeds", "crawl"):
        return "no page is crawled, so load links first"
    if verb == "frontier" and not stats.frontier:
        return "no page is seen and not crawled, so load links that lead to such pages"
    if verb == "frontier" and not {"clicks", "views"} & set(stats.columns):
        return "no page has clicks or views, so load pages with such a column, or events"
    return hint


_TABLE_ROWS = 60
"""Rows of an experiment's table that are shown."""

_VERDICTS = (
    "holds",
    "holds by construction",
    "exceeds",
    "does not hold",
    "cannot be judged",
    "no data",
    "no room",
    "figure",
)


@dataclass(frozen=True)
class Shown:
    """An experiment or a comparison as the template takes it."""

    run: Run
    experiment: Experiment
    charts: list[Drawn]
    tables: list[Sheet]
    older: bool

    @property
    def verdicts(self) -> list[tuple[str, int]]:
        """How many claims came to each verdict."""
        found = [claim.outcome for claim in self.experiment.claims if not claim.part]
        return [(verdict, found.count(verdict)) for verdict in _VERDICTS if verdict in found]


def experiments(session: Session, found: Sequence[Run]) -> tuple[list[Shown], list[str]]:
    """Those among runs, and a sentence for each that cannot be read."""
    shown, broken = [], []
    for run in found:
        if not experiment_files.charted(session.runs, run):
            continue
        try:
            experiment = experiment_files.read(session.runs.folder_of(run.id))
        except InputError as error:
            broken.append(str(error))
            continue
        charts, without_data = drawn(experiment.charts)
        experiment = replace(experiment, left_out=[*experiment.left_out, *without_data])
        tables = [sheet_of(table, name, _TABLE_ROWS, empty=True) for name, table in experiment.tables.items()]
        shown.append(Shown(run, experiment, charts, tables, not same_graph(run.graph, session.store.version())))
    return shown, broken
