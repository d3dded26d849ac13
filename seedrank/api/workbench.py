"""The Python API: open a store (`seedrank.open`) and ask it.

    >>> bench = seedrank.open("web.duckdb")
    >>> bench.seeds("maxweight", k=5, hops=3)

Every question gives an `Answer`. The command line is a thin skin over `Workbench`.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar, Unpack, overload

from seedrank.api.cypher_queries import check_statement, explore, to_gds
from seedrank.api.page_sets import Pages, page_frame, page_text, table_text, value_text
from seedrank.core.errors import StoreError, UsageError, shorten
from seedrank.core.levels import LEVELS, Level
from seedrank.core.package import load_plugins
from seedrank.graphdb.arrays import MemoryStore
from seedrank.graphdb.store import GraphStore, HasSql, database
from seedrank.methods.crawl.methods import CRAWL
from seedrank.methods.frontier.methods import FRONTIER
from seedrank.methods.seeds.methods import SEEDS
from seedrank.questions.crawl import CompareQuestion, CrawlQuestion, named
from seedrank.questions.experiments import experiment_named
from seedrank.questions.frontier import ExplainQuestion, FrontierQuestion, LearnQuestion, TuneQuestion
from seedrank.questions.graph import StatsQuestion
from seedrank.questions.question import (
    Kind,
    Levelled,
    Question,
    Saved,
    build_question,
    changed,
    default_of,
    fields_of,
    kind_of,
)
from seedrank.questions.rank import RankQuestion
from seedrank.questions.recrawl import NextQuestion, PlanQuestion, RecrawlQuestion, SimulateQuestion
from seedrank.questions.seeds import CoreQuestion, EvaluateQuestion, ReduceQuestion, SeedQuestion, TransferQuestion
from seedrank.runs import Answer, Run, run_name
from seedrank.session import Session

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from seedrank.api.fields import (
        CompareFields,
        CoreFields,
        CoresExperimentFields,
        CoverageExperimentFields,
        CrawlFields,
        EvaluateFields,
        ExplainFields,
        FrontierFields,
        FrontierMethod,
        ImpactExperimentFields,
        LearnFields,
        NextFields,
        Order,
        OrderingExperimentFields,
        PlanFields,
        RankFields,
        RankMethod,
        RecrawlFields,
        ReduceFields,
        SeedFields,
        SeedMethod,
        SimulateFields,
        StatsFields,
        TransferFields,
        TuneFields,
    )
    from seedrank.engines.choose import ChoosingEngine
    from seedrank.exporters.export import Export
    from seedrank.graph import WebGraph
    from seedrank.graphdb.store import Finding
    from seedrank.loaders.base import LoadOptions, Summary
    from seedrank.methods.rank.rank_comparison import RankChange
    from seedrank.methods.stats import Stats
    from seedrank.runs.comparison import Comparison

__all__ = ["Workbench", "asks"]


_F = TypeVar("_F", bound=Callable[..., Any])


def asks(question: type[Question]) -> Callable[[_F], _F]:
    """Give a method that takes the fields of a question as keywords the signature that says so."""

    def describe(method: _F) -> _F:
        own = inspect.signature(method)
        first = [one for one in own.parameters.values() if one.kind is not inspect.Parameter.VAR_KEYWORD]
        taken = {one.name for one in first} | set(question.fixed)
        keywords = [
            inspect.Parameter(one.name, inspect.Parameter.KEYWORD_ONLY, default=one.default, annotation=one.type)
            for one in dataclasses.fields(question)
            if one.name not in taken
        ]
        method.__signature__ = own.replace(parameters=[*first, *keywords])  # type: ignore[attr-defined]
        return method

    return describe


_Q = TypeVar("_Q", bound=Question)
Own = str | Callable[..., Any]
"""A method by its name, or a function of your own that was registered (`seedrank.api.plugins`)."""


class Workbench:
    """A store with everything that can be asked of it. Close it, or use it as a context manager.

    Methods that ask take the name of a method, or a question, and its fields as keywords
    (`seedrank.questions`); `save` also writes the answer into the database, for exploration: its first 1,000 rows, so
    many, or ``"all"``; `write` also writes the place of each page in it (the score of frontier pages, the number of a
    page's core) as this property.
    """

    def __init__(self, store: GraphStore, **options: Any) -> None:
        self.session = Session(store, **options)
        load_plugins()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        counts = self.store.counts()
        place = "in memory" if isinstance(self.store, MemoryStore) else repr(self.store.url)
        engine = "" if self.session.engine_name == "auto" else f", engine={self.session.engine_name}"
        return f"Workbench({place}: {counts.pages:,} pages, {counts.links:,} links{engine})"

    def close(self) -> None:
        """Close the engine, if one was used, and the store."""
        self.session.close()

    @property
    def store(self) -> GraphStore:
        """The database."""
        return self.session.store

    @property
    def graph(self) -> WebGraph:
        """The graph in memory, with the weights that are stored."""
        return self.session.stored_graph

    @property
    def engine(self) -> ChoosingEngine:
        """The primitives, where they were asked to run."""
        return self.session.engine

    # -- the graph

    def load(
        self,
        source: Any = None,
        options: LoadOptions | None = None,
        *,
        format: str | None = None,
        spool: Path | None = None,
        bulk: bool = False,
        **given: Any,
    ) -> tuple[Summary, float]:
        """Load frames (``pages=df, links=df``), files (``"crawl.warc.gz"``, of a `format` if named), or a source.

        Columns of frames are those of ``seedrank load table``; ``LoadOptions(map=…)`` maps others. The rest is told by
        `seedrank.ingest.load.load`.
        """
        from seedrank.ingest.load import load

        return load(self.session, source, options, format=format, spool=spool, bulk=bulk, **given)

    def query(
        self,
        cypher: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        write: bool = False,
        timeout: float | None = None,
    ) -> pa.Table:
        """Run one Cypher statement; it may not touch files, fetch extensions or administer a server.

        `write` lets it change the graph (on Neo4j), `timeout` ends it after so many seconds.
        """
        check_statement(cypher, timeout)
        return database(self.store, "running Cypher").query(cypher, parameters, write=write, timeout=timeout)

    def sql(self, statement: str, *, timeout: float | None = None) -> pa.Table:
        """Run one SELECT on the tables of an embedded store; docs/explore.md names them."""
        check_statement(statement, timeout)
        if not isinstance(self.store, HasSql):
            raise StoreError(
                "{url} reads no SQL: that is for embedded stores",
                hint="ask in Cypher, or name an embedded store ({store=web.duckdb})",
                fields=("store",),
                values={"url": self.store.url},
            )
        return self.store.sql(statement, timeout=timeout)

    def explore(self, name: str, *, write: bool = False, timeout: float | None = None, **values: Any) -> pa.Table:
        """Run one of `queries`, with its parameters: ``explore("what_links_here", url=…)``."""
        return explore(self.store, name, values, write=write, timeout=timeout)

    def to_gds(self) -> tuple[Any, Any]:
        """A client of GDS on this connection, and a projection of the graph for it; closing drops the projection."""
        return to_gds(self.session)

    def pages(self, level: Level | None = None) -> pd.DataFrame:
        """Every page (or host, or domain) by its id: names, ``status`` and columns; what ``value=`` functions take."""
        return page_frame(self.session.view(level=level))

    @asks(StatsQuestion)
    def stats(self, **fields: Unpack[StatsFields]) -> Stats:
        """What there is: pages by status, links, hosts, degrees, components, columns; `distances` too if asked."""
        from seedrank.experiments.graph_stats import stats_of

        question = self._made(StatsQuestion, None, fields)
        return stats_of(self.session.view_of(question), question)

    @asks(StatsQuestion)
    def suspicious(self, **fields: Unpack[StatsFields]) -> Answer:
        """What looks wrong: link farms, hosts held up by one other, traps, mirrors; fields are the thresholds."""
        return self.ask(self._made(StatsQuestion, None, {"suspicious": True, **fields}))

    def check(self, *, repair: bool = False) -> list[Finding]:
        """What is wrong in the store, its runs and its cached arrays; `repair` first mends what can be mended."""
        from seedrank.api import integrity

        if repair:
            integrity.repair(self.session)
        return integrity.check(self.session)

    def backup(self, file: str | Path) -> dict[str, Any]:
        """Write everything in the store, and its kept runs, into one file; returns the manifest."""
        from seedrank.api.backup import backup

        return backup(self.session, Path(file), progress=self.session.progress)

    def restore(self, file: str | Path) -> dict[str, Any]:
        """Fill the store, which must be empty, from a backup; returns the backup's manifest."""
        from seedrank.api.backup import restore

        return restore(self.session, Path(file), progress=self.session.progress)

    # -- asking

    def ask(self, question: Question, **options: Any) -> Answer:
        """Answer a question of any kind; it is kept as a run. `options` are ``save`` and the like."""
        self.session.follow()
        return self.session.ask(question, **options)

    @asks(RankQuestion)
    def rank(
        self,
        method: RankMethod | str | RankQuestion = "pagerank",
        *,
        write: str | None = None,
        **fields: Unpack[RankFields],
    ) -> Answer:
        """How central pages, hosts or domains (`level`) are; `write` also writes the scores as this property."""
        return self.ask(self._made(RankQuestion, method, fields), write=write)

    @asks(SeedQuestion)
    def seeds(
        self,
        method: SeedMethod | Own | SeedQuestion = "best",
        *,
        save: Saved = False,
        write: str | None = None,
        **fields: Unpack[SeedFields],
    ) -> Answer:
        """Where to start a crawl: seeds, with value, bound and ratio among the facts."""
        return self.ask(self._made(SeedQuestion, SEEDS.name_of(method), fields), save=save, write=write)

    @asks(CoreQuestion)
    def cores(
        self,
        question: CoreQuestion | None = None,
        *,
        save: Saved = False,
        write: str | None = None,
        **fields: Unpack[CoreFields],
    ) -> Answer:
        """One seed from each dense hub-authority core; table ``cores`` has the pages of each."""
        return self.ask(self._made(CoreQuestion, question, fields), save=save, write=write)

    @asks(EvaluateQuestion)
    def evaluate(self, file: Pages | EvaluateQuestion, **fields: Unpack[EvaluateFields]) -> Answer:
        """How good a list of seeds is: what each adds in the order of the list, and all of them together."""
        return self.ask(self._made(EvaluateQuestion, file, fields, "file"))

    @asks(ReduceQuestion)
    def reduce(self, file: Pages | ReduceQuestion, **fields: Unpack[ReduceFields]) -> Answer:
        """The fewest seeds of a list that reach a share of what all of it reaches."""
        return self.ask(self._made(ReduceQuestion, file, fields, "file"))

    @asks(TransferQuestion)
    def transfer(self, file: Pages | TransferQuestion, **fields: Unpack[TransferFields]) -> Answer:
        """Seeds of an older list on this graph; table ``transfer`` has what became of each listed URL."""
        return self.ask(self._made(TransferQuestion, file, fields, "file"))

    @asks(CrawlQuestion)
    def crawl(
        self,
        order: Order | Own | CrawlQuestion = "fpr",
        *,
        save: Saved = False,
        write: str | None = None,
        **fields: Unpack[CrawlFields],
    ) -> Answer:
        """In which order to fetch (``fpr@20``), from `seeds`: URLs, a file, ``METHOD:N``, a run or an `Answer`."""
        order = CRAWL.name_of(order)
        if isinstance(order, str) and order not in CRAWL.names:
            order = named(order, CrawlQuestion())
        return self.ask(self._made(CrawlQuestion, order, fields, "order"), save=save, write=write)

    @asks(CompareQuestion)
    def compare(self, *orders: Order | Own | Sequence[Own], **fields: Unpack[CompareFields]) -> Answer:
        """Orders side by side from the same seeds: tables ``orders`` and ``curves``, with charts."""
        several = [one if isinstance(one, list | tuple) else [one] for one in orders]
        names = tuple(CRAWL.name_of(one) for some in several for one in some)
        return self.ask(self._made(CompareQuestion, None, {"orders": names, **fields}))

    @asks(FrontierQuestion)
    def frontier(
        self,
        method: FrontierMethod | Own | FrontierQuestion = "rw-eg",
        *,
        save: Saved = False,
        write: str | None = None,
        save_links: bool = False,
        **fields: Unpack[FrontierFields],
    ) -> Answer:
        """Which frontier pages will matter, best first."""
        question = self._made(FrontierQuestion, FRONTIER.name_of(method), fields)
        return self.ask(question, save=save, write=write, save_links=save_links)

    @asks(TuneQuestion)
    def tune(self, **fields: Unpack[TuneFields]) -> Answer:
        """The best ω and β of RW-EG on pages whose impact is known."""
        return self.ask(self._made(TuneQuestion, None, fields))

    @asks(LearnQuestion)
    def learn(self, model: str | Path, **fields: Unpack[LearnFields]) -> Answer:
        """Learn a model of impact, write it to the file `model`, and judge it on pages it has not seen."""
        return self.ask(self._made(LearnQuestion, None, {"model": model, **fields}))

    @asks(ExplainQuestion)
    def explain(self, page: str, **fields: Unpack[ExplainFields]) -> Answer:
        """Why a frontier page has its score: who sends to it; table ``methods`` has what each method says."""
        return self.ask(self._made(ExplainQuestion, None, {"page": page, **fields}))

    @asks(RecrawlQuestion)
    def recrawl(
        self,
        question: RecrawlQuestion | None = None,
        *,
        save: Saved = False,
        write: str | None = None,
        **fields: Unpack[RecrawlFields],
    ) -> Answer:
        """How often pages change, by ``history=`` (visits) or ``from_cdx=``; table ``sites`` judges lastmod."""
        return self.ask(self._made(RecrawlQuestion, question, fields), save=save, write=write)

    @asks(PlanQuestion)
    def recrawl_plan(
        self,
        question: PlanQuestion | None = None,
        *,
        save: Saved = False,
        write: str | None = None,
        **fields: Unpack[PlanFields],
    ) -> Answer:
        """How often to fetch each page with a `budget`; table ``policies`` has what each policy comes to."""
        return self.ask(self._made(PlanQuestion, question, fields), save=save, write=write)

    @asks(NextQuestion)
    def recrawl_next(
        self,
        question: NextQuestion | None = None,
        *,
        save: Saved = False,
        write: str | None = None,
        **fields: Unpack[NextFields],
    ) -> Answer:
        """Which pages to fetch at a time (`at`), best first, each with the reason (``why``)."""
        return self.ask(self._made(NextQuestion, question, fields), save=save, write=write)

    @asks(SimulateQuestion)
    def recrawl_simulate(self, question: SimulateQuestion | None = None, **fields: Unpack[SimulateFields]) -> Answer:
        """Every policy as expected, simulated, and on the changes of the record: table ``policies``, with a chart."""
        return self.ask(self._made(SimulateQuestion, question, fields))

    @overload
    def experiment(self, name: Literal["coverage"], **fields: Unpack[CoverageExperimentFields]) -> Answer: ...

    @overload
    def experiment(self, name: Literal["cores"], **fields: Unpack[CoresExperimentFields]) -> Answer: ...

    @overload
    def experiment(self, name: Literal["ordering"], **fields: Unpack[OrderingExperimentFields]) -> Answer: ...

    @overload
    def experiment(self, name: Literal["impact"], **fields: Unpack[ImpactExperimentFields]) -> Answer: ...

    def experiment(self, name: str, **fields: Any) -> Answer:
        """A paper's experiment on this graph; it goes on where it was cut off. Unpacks as ``run, experiment``."""
        family = FRONTIER if name == "impact" else CRAWL
        for field in ("orders", "methods", "baseline"):
            given = fields.get(field)
            if callable(given):
                fields[field] = family.name_of(given)
            elif isinstance(given, list | tuple):
                fields[field] = tuple(family.name_of(one) for one in given)
        return self.ask(self._made(experiment_named(name), None, fields))

    # -- kept answers

    def runs(self) -> list[Run]:
        """Every kept answer, oldest first."""
        return self.session.runs.all()

    def answer(self, name: str | Run | Answer = "run:latest", *kinds: Kind) -> Answer:
        """A kept answer, ``run:ID`` or ``run:latest``; with `kinds`, of one of these kinds."""
        from seedrank.session.kept_runs import kept_answer

        return kept_answer(self.session, run_name(name), *kinds)

    def frame(self, name: str | Run | Answer = "run:latest") -> pd.DataFrame:
        """A kept answer as a DataFrame."""
        return self.answer(name).frame()

    def compare_runs(self, first: str | Run | Answer, second: str | Run | Answer) -> Comparison:
        """What changed from one kept answer to another: parameters, and pages (with their names) or claims."""
        from seedrank.session.kept_runs import compare_runs

        return compare_runs(self.session, run_name(first), run_name(second))

    def compare_ranks(self, old: str | Run | Answer, new: str | Run | Answer, by: str = "harmonic") -> RankChange:
        """What changed between two ranks: files in Common Crawl's form or ``run:ID``, `by` harmonic or pagerank."""
        from seedrank.methods.rank.rank_comparison import compare_ranks

        return compare_ranks(run_name(old), run_name(new), by=by, session=self.session)

    def delete_run(self, name: str | Run | Answer) -> str:
        """Forget a kept answer, also in the database where it was saved; returns its id."""
        from seedrank.session.kept_runs import delete_run

        return delete_run(self.session, run_name(name))

    def export(self, target: str, run: Any = None, file: str | Path | None = None, **options: Any) -> Export:
        """Hand a kept answer to another program; `seedrank.output.exporting.export` has targets and options."""
        from seedrank.output.exporting import export

        return export(self.session, target, run, file, **options)

    def report(
        self, file: str | Path, names: Sequence[str] = (), *, command: Callable[[Run], str] | None = None
    ) -> None:
        """Write a report as one HTML file: the graph, kept experiments and answers, and their records.

        `names` are runs to show, the latest of each method by default; `command` gives the command that repeats a run.
        """
        from seedrank.output.report.page import write_report

        write_report(self.session, Path(file), names, command=command)

    def _made(self, kind: type[_Q], given: Any, fields: Mapping[str, Any], name: str | None = None) -> _Q:
        """A question from the name of a method (or list), or from a question and what is to be different in it.

        Parameters
        ----------
        kind
            The class of the question.
        given
            A method, a list of pages, or a question of this kind; `None` where `fields` say it all.
        fields
            Fields by name; lists of pages may be frames, answers and so on (`seedrank.api.page_sets`).
        name
            The field that `given` is, where it is not the one that chooses a method.
        """
        if isinstance(given, kind):
            return changed(given, **self._as_text(kind, given.level if isinstance(given, Levelled) else None, fields))
        if isinstance(given, Question) or (given is not None and name is None and kind.chooses is None):
            raise UsageError(f"{shorten(given)} is no question of {kind.command}", hint="give its fields by name")
        first = {} if given is None and name is None else {name or str(kind.chooses): given}
        return build_question(kind, **self._as_text(kind, None, {**first, **fields}))

    def _as_text(self, kind: type[Question], level: Level | None, fields: Mapping[str, Any]) -> dict[str, Any]:
        """Fields with every list of pages, table and value per page as text."""
        level = fields.get("level") or level
        session = self.session.view(level=level if level in LEVELS else None)
        texts = dict(fields)
        for name, about in fields_of(kind).items():
            left_out = name not in fields or (fields[name] is None and default_of(kind, name) is None)
            if about.takes is None or left_out:
                continue
            given = fields[name]
            if about.takes == "values":
                texts[name] = value_text(session, given, name)
            elif about.takes == "table":
                several = kind_of(kind, name) is tuple and isinstance(given, list | tuple)
                made = [table_text(session, one, name) for one in (given if several else [given])]
                texts[name] = tuple(made) if kind_of(kind, name) is tuple else made[0]
            else:
                texts[name] = page_text(session, given, name, elsewhere=about.takes == "addresses")
        return texts
