"""``seedrank crawl``: in which order to fetch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from seedrank.cli.ask import answer_to
from seedrank.cli.command import add_group, command, methods_class
from seedrank.cli.experiment import FILES, Files
from seedrank.cli.options import ASKING, Save, Settings, column_for, saved
from seedrank.cli.output import By, emit_answer, emit_by, for_people, remark, remark_about
from seedrank.core.numbers import counted
from seedrank.methods.crawl.methods import CRAWL, orders_of
from seedrank.questions.crawl import CompareQuestion, CrawlQuestion

if TYPE_CHECKING:
    import pyarrow as pa

    from seedrank.runs import Answer
    from seedrank.runs.facts import CrawlFacts

__all__ = ["app"]

INTERRUPTED = 130


def _crawl(
    settings: Settings,
    question: CrawlQuestion,
    save: Save = None,
    write: Annotated[str | None, column_for("each page's place in the order")] = None,
    by: By = "page",
) -> None:
    answer = answer_to(settings, question, save=saved(save), write=write)
    _tell(settings, answer)
    emit_by(settings, answer, by)
    if answer.facts["partial"]:
        raise typer.Exit(INTERRUPTED)


app = typer.Typer()
crawl = add_group(
    app,
    "crawl",
    "Replay a crawl over the recorded graph, in the order a policy would fetch.",
    methods_class(CRAWL, _crawl, *ASKING),
)


@command(crawl, "compare", *ASKING, question=CompareQuestion, options=FILES)
def compare(settings: Settings, question: CompareQuestion, **given: Any) -> None:
    """Orders side by side, from the same seeds: effectiveness and run time, the two figures of Alam et al.

    Example: seedrank crawl compare fpr fpr@2 fpr@20 fpr@100 windowed-rankmass:5% bfs --into figures
    """
    files = Files(**given)
    files.check_series([one.name for one in orders_of(question)])  # a wrong name costs nothing
    answer = answer_to(settings, question, exported=files.into is not None)
    files.write(settings, answer)
    remark_about(settings, answer)
    from seedrank.output.advice import order_advice  # no other command needs it

    for sentence in order_advice(answer.table.to_pylist(), answer.tables["curves"]):
        remark(settings, sentence)
    emit_answer(settings, answer, _narrow(settings, answer.table))


def _narrow(settings: Settings, orders: pa.Table) -> pa.Table:
    """The main columns for people; files and pipes get all."""
    from seedrank.methods.crawl.metrics import main_columns

    if settings.output is not None or not for_people(settings):
        return orders
    return orders.select(main_columns(orders.column_names))


def _tell(settings: Settings, answer: Answer) -> None:
    run = answer.run
    facts = cast("CrawlFacts", run.facts)
    worth = f"{100 * facts['pagerank']:.2f} % of all PageRank (area {facts['pagerank_area']:.4f})"
    remark(
        settings,
        f"{counted(facts['pages'], answer.level)} from {counted(facts['seeds'], 'seed')}, "
        f"{counted(facts['hosts'], 'host')}, {worth}; "
        f"{facts['seconds']:.2f} s of scheduling; {facts['stopped']}",
    )
    if (bound := facts.get("bound")) is not None:
        remark(settings, f"at least {100 * bound:.2f} % of the RankMass of the seeds")
    for label, negative in (("spam", "labelled as spam or not"), ("trusted", "labelled as trusted or not")):
        if label in facts:
            _tell_labelled(settings, label, negative, answer)
    if "hours" in facts:
        remark(settings, f"{facts['hours']:,.2f} simulated hours")
    if facts["partial"]:
        remark(settings, f"interrupted: what was fetched until then is kept, marked partial, as {run.name}")


def _tell_labelled(settings: Settings, label: str, negative: str, answer: Answer) -> None:
    """How many of the pages fetched, and of the first of them, are what a label says."""
    facts, one = answer.facts, answer.level
    counts = [(label, int(facts["pages"]), "")] + [
        (name, n := int(name.rpartition("_")[2]), f"first {n:,}: ")
        for name in facts
        if name.startswith(f"{label}_first_") and not name.endswith("_labelled")
    ]
    for name, fetched, which in counts:
        share, labelled = facts[name], facts[f"{name}_labelled"]
        if labelled is None:
            remark(
                settings,
                f"{which}only {counted(facts['pages'], one)} {'was' if facts['pages'] == 1 else 'were'} fetched",
            )
            continue
        text = f"{label} {100 * (share or 0):.1f} % of {counted(labelled, f'labelled {one}')} of {fetched:,} fetched"
        remark(settings, which + (f"no fetched {one} is {negative}" if share is None else text))
