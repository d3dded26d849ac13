"""Seeds of an older graph on a newer one, by URL (docs/algorithms.md §3.5)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from loaders.pagelist import read_page_list
from seedrank.core.errors import InputError
from seedrank.core.model import Status
from seedrank.session import Session

__all__ = ["Survivors", "survival", "survivors"]


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


def survivors(session: Session, file: str, *, some: bool = True) -> Survivors:
    """Read a list of URLs and find what is left of it; with `some`, nothing at all is an error."""
    listed = read_page_list(file)
    if not listed.by_url:
        raise InputError(
            "names pages by number, and numbers of two graphs are not the same pages", file=file, hint="give URLs"
        )
    ids, _ = session.find(listed)
    distinct = len(listed.keys.unique())
    known = np.unique(ids[ids >= 0])
    pages = known[session.graph.status[known] == Status.CRAWLED]
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
