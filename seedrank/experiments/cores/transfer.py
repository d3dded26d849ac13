"""Seeds of an older graph on a newer one: which are left, what takes the place of the others, and crawls from both.

The papers crawl from the seeds that are left (docs/algorithms.md §3.5); replacements are not in them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from seedrank.core.errors import InputError
from seedrank.core.model import Status
from seedrank.engines.base import Engine
from seedrank.experiments.cores import depths
from seedrank.experiments.cores.plan import Plan
from seedrank.methods.seeds.transfer import SAME, Transferred, open_other, transferred, urls_of
from seedrank.session import Session

__all__ = ["FILLED", "LEFT", "RANDOM", "REPLACED", "Survivors", "later_crawls", "random_sets", "survival", "survivors"]

LEFT, RANDOM = "seeds that are left", "random"
REPLACED, FILLED = "seeds left and replacements", "seeds left and random pages"


@dataclass(frozen=True)
class Survivors:
    """What became of a list of an older graph."""

    listed: int
    """Distinct URLs of the list."""
    known: int
    """Of those in this graph, crawled or not."""
    pages: np.ndarray
    """Page ids, int64, of those that are crawled in this graph."""
    moved: Transferred | None = None
    """What became of each URL, replacements included; `None` where nobody asked."""

    @property
    def replaced(self) -> np.ndarray:
        """The pages that are left and those that take the place of the others, int64."""
        return self.pages if self.moved is None else self.moved.pages[self.moved.first]


def survivors(session: Session, file: str, *, some: bool = True, old_store: str | None = None) -> Survivors:
    """Read a list of URLs and find what is left of it.

    Parameters
    ----------
    some
        Whether it is a list of seeds: they get replacements, and none left at all is an error.
    old_store
        The older graph, for the links of seeds that are gone.
    """
    listed = urls_of(session, file)
    ids, _ = session.names.find(listed)
    distinct = len(listed.keys.unique())
    known = np.unique(ids[ids >= 0])
    pages = known[session.graph.status[known] == Status.CRAWLED]
    if not some:
        return Survivors(distinct, len(known), pages)
    if not len(pages):
        raise InputError(
            f"none of its {distinct:,} pages is left in this graph, such as",
            file=file,
            value=listed.keys[0].as_py(),
            hint="check that it comes from an older graph of the same sites",
        )
    with open_other(session, old_store) as older:
        return Survivors(distinct, len(known), pages, transferred(session, listed, older))


def survival(hubs: Survivors, random: Survivors | None) -> pa.Table:
    """``pages`` (hubs or random), ``listed``, ``in_graph``, ``crawled``, ``replaced`` (seeds with a replacement)."""
    rows = [("hubs", hubs)] + ([] if random is None else [("random", random)])
    return pa.Table.from_pylist(
        [
            {"pages": name, "listed": one.listed, "in_graph": one.known, "crawled": len(one.pages),
             "replaced": 0 if one.moved is None else int(((one.moved.pages >= 0) & (one.moved.rules != SAME)).sum())}
            for name, one in rows
        ]
    )  # fmt: skip


def later_crawls(session: Session, old: Survivors, engine: Engine, pagerank: np.ndarray, plan: Plan) -> pa.Table:
    """Crawls from the seeds that are left and from as many random pages; and from all seeds with replacements.

    The replacements are also compared with random pages in their place. A method with one set of seeds is crawled from
    once.
    """
    draw = np.random.default_rng(plan.rng)
    crawled, left = np.flatnonzero(session.graph.status == Status.CRAWLED), old.pages
    starts = {LEFT: [left], RANDOM: random_sets(draw, crawled, len(left), plan.repeats)}
    added = len(old.replaced) - len(left)
    if added:
        others = np.setdiff1d(crawled, left)
        starts[REPLACED] = [old.replaced]
        starts[FILLED] = [np.append(left, one) for one in random_sets(draw, others, added, plan.repeats)]
    return depths.crawls(engine, session.graph, pagerank, starts, session.progress)


def random_sets(draw: np.random.Generator, pages: np.ndarray, count: int, repeats: int) -> list[np.ndarray]:
    """`repeats` sets of `count` pages, each drawn without repeats."""
    return [draw.choice(pages, min(count, len(pages)), replace=False) for _ in range(repeats)]
