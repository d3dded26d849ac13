"""The experiment of Alam et al.: how early important pages come, at what cost (docs/algorithms.md §4.5)."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.errors import GraphError, UsageError
from seedrank.core.model import Status
from seedrank.crawl import compare as side_by_side
from seedrank.crawl.question import CrawlQuestion, named
from seedrank.desk import Desk
from seedrank.evaluate.crawls import Crawls, parameters_of
from seedrank.evaluate.experiment import Claim, Experiment, Verdict
from seedrank.evaluate.intervals import Interval, paired_difference, ratio_over
from seedrank.evaluate.perform import perform
from seedrank.evaluate.steps import Steps
from seedrank.runs import Run

__all__ = ["ORDERS", "compare", "ordering"]

ORDERS = (
    "fpr", "fpr@2", "fpr@20", "fpr@100", "fpr@1000", "windowed-rankmass:5%", "windowed-rankmass:10%",
    "windowed-rankmass:20%", "windowed-rankmass:100%", "backlink", "bfs", "random", "omniscient",
)  # fmt: skip
"""The paper's orders, then others for scale."""
QUICK = ("fpr", "fpr@2", "fpr@20", "fpr@100", "windowed-rankmass:5%", "bfs", "omniscient")
SEEDS = 160
SETS, QUICK_SETS = 10, 4
POOL = 10
"""Seed sets are drawn from so many times as many pages of the highest PageRank."""
ALIKE = 2.0
"""Per cent of the area within which two orders count as alike: the paper's curves lie on one another."""
LEAST_SECONDS = 0.1
"""Seconds of scheduling below which two orders cannot be told apart."""
MEASURABLE = 10.0
"""Seconds of scheduling below which the course of the time is noise."""

PAPER = "002"


def compare(
    desk: Desk, crawls: Crawls, names: Sequence[str], question: CrawlQuestion, seeds: np.ndarray, source: str
) -> tuple[Run, Experiment]:
    """Several orders from the same seeds with the same budget; no claims."""
    if len(set(names)) < len(names):
        raise UsageError("an order is named twice", hint="name each order once")
    questions = [named(name, question) for name in names]
    parameters = parameters_of(
        question, source, order=None, orders=[one.name for one in questions], site=desk.site, value=crawls.value,
        pages=seeds.tolist(),
    )  # fmt: skip

    def make(steps: Steps) -> Experiment:
        tables = _tables(steps, crawls, questions, seeds, "set")
        return Experiment("crawl-compare", tables, side_by_side.charts(tables["curves"]), [], (), parameters)

    return perform(desk, "crawl-compare", parameters, make)


def ordering(
    desk: Desk, *, orders: Sequence[str] | None = None, seeds: int = SEEDS, quick: bool = False, rng: int = 1
) -> tuple[Run, Experiment]:
    """The paper's two figures, and its claims.

    The figures begin from the pages with the highest PageRank, as the paper does; the claims are judged over seed sets
    drawn from the ten times as many best pages, each order from the same ones, with paired intervals.

    Parameters
    ----------
    desk
        The store.
    orders
        Orders to compare; the paper's and some others by default.
    seeds
        Seeds of a set. Default 160, as in the paper; fewer on graphs of less than 16,000 crawled pages.
    quick
        Fewer orders and seed sets.
    rng
        Random sequence of the draws.
    """
    if seeds < 1:
        raise UsageError(f"{seeds} seeds are too few", hint="give 1 or more")
    names = list(orders or (QUICK if quick else ORDERS))
    sets = QUICK_SETS if quick else SETS
    base = CrawlQuestion(rng=rng)
    parameters = {"orders": names, "seeds": seeds, "sets": sets, "quick": quick, "rng": rng, "site": desk.site}

    def make(steps: Steps) -> Experiment:
        crawls = Crawls(desk, tell=False)
        left_out = []
        usable = list(names)
        if (desk.sites < 0).all():
            usable = [name for name in names if "@" not in name]
            left_out.append("FPR@M and its claims: no page has a host; load URLs or a host column")
        crawled = int((desk.graph.status == Status.CRAWLED).sum())
        if not crawled:
            raise GraphError("no page is crawled", hint="load pages with their links")
        count = max(1, min(seeds, crawled // 100))
        questions = [named(name, base) for name in usable]
        best = crawls.best_pages(POOL * count)
        tables = _tables(steps, crawls, questions, best[:count], "best")
        random = np.random.default_rng(rng)
        drawn = [np.sort(random.permutation(len(best))[:count]) for _ in range(sets)]
        rows = []
        for number, chosen in enumerate(drawn):
            some = _tables(steps, crawls, questions, best[chosen], f"set-{number}")
            rows.append(some["orders"].add_column(0, "set", pa.array([number] * len(questions))))
        tables["seed-sets"] = side_by_side.join(rows)
        if crawls.yardstick.spam is None:
            left_out.append("the spam share: pages have no column `spam`")
        claims = _claims(tables, rng)
        return Experiment("ordering", tables, side_by_side.charts(tables["curves"]), claims, left_out, parameters)

    return perform(desk, "ordering", parameters, make)


def _tables(
    steps: Steps, crawls: Crawls, questions: Sequence[CrawlQuestion], seeds: np.ndarray, label: str
) -> dict[str, pa.Table]:
    """Rows and curves of each order; kept one by one, an order that is there is not run again."""
    rows, curves = [], []
    for question in questions:

        @functools.cache
        def made(question: CrawlQuestion = question) -> tuple[pa.Table, pa.Table]:
            return crawls.measure(question, seeds, question.limit or crawls.desk.graph.pages)

        name = question.name.replace("%", "").replace("@", "-at-").replace(":", "-").replace(".", "_")
        rows.append(steps.table(f"{label}-{name}-row", functools.partial(_part, made, 0)))
        curves.append(steps.table(f"{label}-{name}-curve", functools.partial(_part, made, 1)))
    return {"orders": side_by_side.join(rows), "curves": pa.concat_tables(curves, promote_options="default")}


def _part(made: Callable[[], tuple[pa.Table, pa.Table]], which: int) -> pa.Table:
    return made()[which]


def _claims(tables: dict[str, pa.Table], rng: int) -> list[Claim]:
    sets = tables["seed-sets"]
    orders = list(dict.fromkeys(sets["order"].to_pylist()))

    def column(order: str, name: str) -> np.ndarray:
        return np.asarray(sets.filter(pc.equal(sets["order"], order))[name].to_numpy(), np.float64)

    def claim(text: str, reported: str, needs: Sequence[str], judge: Any) -> Claim:
        lacking = [name for name in needs if name not in orders]
        if lacking:
            return Claim(PAPER, text, reported, "", "cannot be judged", f"{', '.join(lacking)} was not run")
        measured, verdict, why = judge()
        return Claim(PAPER, text, reported, measured, verdict, why)

    def lift(better: str, worse: str) -> Interval:
        return ratio_over(column(better, "pagerank_area"), column(worse, "pagerank_area"), rng=rng)

    def higher(better: str, worse: str) -> Any:
        def judge() -> tuple[str, Verdict, str]:
            found = lift(better, worse)
            return f"area {found} % larger", _sign(found), ""

        return judge

    def alike(one: str, other: str) -> Any:
        def judge() -> tuple[str, Verdict, str]:
            found = lift(one, other)
            within = found.low >= -ALIKE and found.high <= ALIKE
            beyond = found.low > ALIKE or found.high < -ALIKE
            verdict: Verdict = "holds" if within else "does not hold" if beyond else "cannot be judged"
            return f"area {found} % larger", verdict, f"alike means within {ALIKE:g} % of the area"

        return judge

    def at_least(one: str, other: str) -> Any:
        def judge() -> tuple[str, Verdict, str]:
            found = lift(one, other)
            verdict: Verdict = (
                "does not hold" if found.below_zero else "holds" if found.low > -ALIKE else "cannot be judged"
            )
            return f"area {found} % larger", verdict, ""

        return judge

    def no_gain() -> tuple[str, Verdict, str]:
        found = lift("fpr@1000", "fpr@100")
        verdict: Verdict = (
            "holds" if found.high <= ALIKE else "does not hold" if found.low > ALIKE else "cannot be judged"
        )
        return (
            f"area {found} % larger with M = 1000 than with 100",
            verdict,
            f"a gain is more than {ALIKE:g} % of the area",
        )

    def faster() -> tuple[str, Verdict, str]:
        found = ratio_over(column("windowed-rankmass:5%", "seconds"), column("fpr", "seconds"), rng=rng)
        factor = Interval(*(1 + value / 100 for value in (found.value, found.low, found.high)))
        text = f"windowed RankMass takes {factor} times as long"
        if column("windowed-rankmass:5%", "seconds").mean() < LEAST_SECONDS:
            return text, "cannot be judged", f"less than {LEAST_SECONDS:g} s: too short to tell"
        return text, _sign(found), ""

    def at_first() -> tuple[str, Verdict, str]:
        plain, weighted = _seconds(tables["curves"], "fpr"), _seconds(tables["curves"], "fpr@100")
        first = weighted(0.1) - plain(0.1)
        overall = weighted(1.0) - plain(1.0)
        text = f"{first:+.3g} s after a tenth of the pages, {overall:+.3g} s overall"
        if plain(1.0) < MEASURABLE:
            return text, "cannot be judged", f"an order of less than {MEASURABLE:g} s says nothing about its parts"
        return text, "holds" if first > 0 > overall else "does not hold", "one run each; times of this machine"

    def spam() -> tuple[str, Verdict, str]:
        if "spam_10" not in sets.column_names or sets["spam_10"].null_count:
            return "", "cannot be judged", "pages have no column `spam`, or too few can be reached"
        found = paired_difference(column("fpr@100", "spam_10"), column("fpr", "spam_10"), rng=rng)
        shares = column("fpr", "spam_10").mean(), column("fpr@100", "spam_10").mean()
        return f"{shares[1]:.2%} against {shares[0]:.2%} of the first tenth, difference {found}", _sign(found), ""

    return [
        claim("FPR is as good as windowed RankMass 5 %", "curves on one another", ("fpr", "windowed-rankmass:5%"),
              alike("fpr", "windowed-rankmass:5%")),
        claim("FPR@2 is better than FPR", "higher curve", ("fpr@2", "fpr"), higher("fpr@2", "fpr")),
        claim("FPR@20 is better than FPR@2", "higher curve", ("fpr@20", "fpr@2"), higher("fpr@20", "fpr@2")),
        claim("FPR@100 is at least as good as FPR@20", "slightly higher curve", ("fpr@100", "fpr@20"),
              at_least("fpr@100", "fpr@20")),
        claim("M above 100 gains nothing", "no gain", ("fpr@1000", "fpr@100"), no_gain),
        claim("FPR takes less scheduling time than windowed RankMass 5 %", "2 h and 9 h for 80 M pages",
              ("fpr", "windowed-rankmass:5%"), faster),
        claim("FPR@M takes longer than FPR at first and less overall", "figure 3", ("fpr@100", "fpr"), at_first),
        claim("A large M fetches more spam early (robustness to spam is future work there)", "",
              ("fpr@100", "fpr"), spam),
    ]  # fmt: skip


def _sign(found: Interval) -> Verdict:
    return "holds" if found.above_zero else "does not hold" if found.high <= 0 else "cannot be judged"


def _seconds(curves: pa.Table, order: str) -> Any:
    """Scheduling time of an order after a share of its fetches."""
    table = curves.filter(pc.equal(curves["order"], order))
    pages, seconds = table["pages"].to_numpy(), table["seconds"].to_numpy()
    return lambda part: float(np.interp(part * pages[-1], pages, seconds))
