"""Seeds of an older graph on a newer one, by URL (docs/algorithms.md §3.5)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from loaders.pagelist import read_page_list
from seedrank.core.errors import InputError
from seedrank.core.model import Status
from seedrank.desk import Desk
from seedrank.evaluate.experiment import Claim
from seedrank.evaluate.intervals import RESAMPLES, Interval
from seedrank.evaluate.verdicts import exceeds

__all__ = ["Survivors", "survival", "survival_claim", "survivors"]

PAPER = "001, 003"
RANDOM_FILE = (
    "make it on the older graph with `seedrank seeds random -k 1000 -o random.csv`, and give --transfer-against"
)


@dataclass(frozen=True)
class Survivors:
    """What became of a list of an older graph.

    Parameters
    ----------
    listed
        Distinct URLs of the list.
    known
        Of those in this graph, crawled or not.
    pages
        Page ids, int64, of those that are crawled in this graph.
    """

    listed: int
    known: int
    pages: np.ndarray


def survivors(desk: Desk, file: str, *, some: bool = True) -> Survivors:
    """Read a list of URLs and find what is left of it; with `some`, nothing at all is an error."""
    listed = read_page_list(file)
    if not listed.by_url:
        raise InputError(
            "names pages by number, and numbers of two graphs are not the same pages", file=file, hint="give URLs"
        )
    ids, _ = desk.find(listed)
    distinct = len(listed.keys.unique())
    known = np.unique(ids[ids >= 0])
    pages = known[desk.graph.status[known] == Status.CRAWLED]
    if some and not len(pages):
        raise InputError(
            f"none of its {distinct:,} pages is left in this graph, such as",
            file=file,
            value=listed.keys[0].as_py(),
            hint="check that it comes from an older graph of the same sites",
        )
    return Survivors(distinct, len(known), pages)


def survival(hubs: Survivors, random: Survivors | None) -> pa.Table:
    """``pages`` (hubs or random), ``listed``, ``in_graph``, ``crawled``."""
    rows = [("hubs", hubs)] + ([] if random is None else [("random", random)])
    return pa.Table.from_pylist(
        [{"pages": name, "listed": one.listed, "in_graph": one.known, "crawled": len(one.pages)} for name, one in rows]
    )


def survival_claim(table: pa.Table, rng: int) -> Claim:
    """Hubs last longer than random pages."""
    rows = {row["pages"]: row for row in table.to_pylist()}
    claim, reported = "Hubs are durable: more of them are left than of random pages", "11 of 100 (UK-2002 to UK-2005)"
    hubs = rows["hubs"]
    found = f"{hubs['crawled']} of {hubs['listed']} hubs"
    if "random" not in rows:
        return Claim(PAPER, claim, reported, found, "cannot be judged", f"no random pages to compare: {RANDOM_FILE}")
    other = rows["random"]
    gap = _difference(hubs["crawled"], hubs["listed"], other["crawled"], other["listed"], rng)
    measured = f"{found}, {other['crawled']} of {other['listed']} random pages; difference of shares {gap}"
    verdict, why = exceeds(gap)
    return Claim(PAPER, claim, reported, measured, verdict, why)


def _difference(some: int, of: int, others: int, of_others: int, rng: int) -> Interval:
    """Difference of two shares, by draws from Jeffreys' beta: all or none of few is no certainty."""
    draw = np.random.default_rng(rng)
    share = draw.beta(some + 0.5, of - some + 0.5, RESAMPLES)
    drawn = share - draw.beta(others + 0.5, of_others - others + 0.5, RESAMPLES)
    low, high = np.percentile(drawn, [2.5, 97.5])
    return Interval(some / of - others / of_others, float(low), float(high))
