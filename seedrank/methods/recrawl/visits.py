"""The visits of a record, page by page in the order of time, and what each says of the time since the one before."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.errors import GraphError, UsageError
from seedrank.engines.kernels.recrawl import CHANGED, DATED, UNCHANGED, UNKNOWN
from seedrank.graph import frozen
from seedrank.loaders.pagelist import PageList
from seedrank.loaders.visits import NO_TIME, VisitRows, recorded_visits, visit_rows
from seedrank.questions.recrawl import Recorded
from seedrank.session import Session

__all__ = ["DAY", "Lastmod", "Visits", "evidence", "lastmod_of_sites", "read_visits", "visits_of"]

log = logging.getLogger(__name__)

DAY = 86_400.0
"""Seconds."""
SAID_WHEN_ASKED = 60
"""Seconds: a page that says it changed less than this ago was made when it was asked for."""
_AT_ONCE = 1 << 22
"""Visits whose pages are looked up together."""
FEWEST = 10
"""Times between visits from which on a site's lastmod is judged."""
RELIABLE = 0.9
"""Share of what lastmod claims that is true, and of the changes that it tells, at least."""


@dataclass(frozen=True)
class Visits:
    """Visits of pages of a graph, those of a site together, then of a page, in the order of time."""

    pages: np.ndarray
    """Every page of the graph, those of a site together, int64."""
    offsets: np.ndarray
    """Visits of ``pages[k]`` are those from ``offsets[k]`` to ``offsets[k + 1]``."""
    site: np.ndarray
    """Number of the site of each of `pages`, ascending; -1 for none."""
    time: np.ndarray
    """Seconds since 1970, int64."""
    changed: np.ndarray
    """int8: 1 where the page had changed since the visit before, 0 where not, -1 where nothing says."""
    lastmod: np.ndarray
    """Seconds since 1970, `NO_TIME` where the page does not say."""
    unknown: int = 0
    """Visits of pages that are not in the graph."""

    def __len__(self) -> int:
        return len(self.time)

    @property
    def first(self) -> np.ndarray:
        """Boolean per visit: whether it is the first of its page."""
        found = np.zeros(len(self.time), bool)
        found[self.offsets[:-1][np.diff(self.offsets) > 0]] = True
        return found

    @property
    def since(self) -> np.ndarray:
        """Seconds since the visit before, int64; 0 for the first of a page."""
        gap = np.diff(self.time, prepend=self.time[:1])
        gap[self.first] = 0
        return gap

    @property
    def site_of_visit(self) -> np.ndarray:
        """Number of the site, per visit."""
        return np.repeat(self.site, np.diff(self.offsets))

    def until(self, time: float) -> Visits:
        """The visits up to a time."""
        keep = self.time <= time
        kept = {name: getattr(self, name)[keep] for name in ("time", "changed", "lastmod")}
        return replace(self, offsets=self.offsets_of(keep), **kept)

    def offsets_of(self, keep: np.ndarray) -> np.ndarray:
        """Offsets of some visits, boolean per visit."""
        return frozen(np.append(0, np.cumsum(keep))[self.offsets].astype(np.int64))


def read_visits(session: Session, question: Recorded) -> Visits:
    """The visits that a question names, of pages of the graph; none at all is an error."""
    if not (question.history or question.from_cdx):
        raise UsageError(
            "no visits are given",
            hint="name a table with {history}, or recordings with {from_cdx}",
            fields=("history", "from_cdx"),
        )
    parts = list(_found(session, question))
    lost = sum(part[1] for part in parts)
    rows = [part[0] for part in parts if len(part[0])]
    if not rows:
        raise GraphError(
            f"none of the pages of {lost:,} visits is in the graph" if lost else "the record has no visit",
            hint="check the URLs" if lost else "name another file",
        )
    if lost:
        log.warning("%s visits are of pages that are not in the graph", f"{lost:,}")
    page = np.concatenate([part.keys.to_numpy() for part in rows])
    digest = pa.chunked_array([part.digest for part in rows])
    time, changed, lastmod = (
        np.concatenate([getattr(part, name) for part in rows]) for name in ("time", "changed", "lastmod")
    )
    return replace(visits_of(session.sites, page, time, changed, digest, lastmod), unknown=lost)


def visits_of(
    site: np.ndarray,
    page: np.ndarray,
    time: np.ndarray,
    changed: np.ndarray,
    digest: pa.ChunkedArray | None = None,
    lastmod: np.ndarray | None = None,
) -> Visits:
    """Visits in order, from columns in any.

    Parameters
    ----------
    site
        Number of the site per page of the graph, -1 for none.
    page, time, changed, digest, lastmod
        Per visit, as `VisitRows` has them, with the page's id; where nothing says whether a page changed, two digests
        do.
    """
    pages = np.argsort(site, kind="stable")
    place = np.empty(len(pages), np.int64)
    place[pages] = np.arange(len(pages))
    at = place[page]
    # One key: places and seconds take 32 bits each.
    order = np.argsort((at << 32) | time, kind="stable")
    offsets = np.append(0, np.cumsum(np.bincount(at, minlength=len(pages)))).astype(np.int64)
    lastmod = np.full(len(page), NO_TIME) if lastmod is None else lastmod[order]
    found = Visits(pages, frozen(offsets), site[pages], time[order], changed[order].astype(np.int8), lastmod)
    if digest is not None and digest.null_count < len(digest) and len(digest) > 1:
        _compare(found, digest.take(pa.array(order)).combine_chunks())
    return found


def _compare(visits: Visits, digests: pa.Array) -> None:
    """Note where the digest is another than at the visit before, if nothing else says so."""
    other = pc.not_equal(digests[1:], digests[:-1])
    known = other.is_valid().to_numpy(zero_copy_only=False)
    said = np.full(len(visits), -1, np.int8)
    said[1:][known] = other.drop_null().to_numpy(zero_copy_only=False)
    silent = (visits.changed < 0) & ~visits.first
    visits.changed[silent] = said[silent]


def _found(session: Session, question: Recorded) -> Iterator[tuple[VisitRows, int]]:
    """Visits with ids of the graph in place of keys, and how many are of no page of it."""
    waiting: list[VisitRows] = []
    for source in (visit_rows(question.history), recorded_visits(question.from_cdx)):
        for rows in source:
            if waiting and (rows.keys.type != waiting[0].keys.type or sum(map(len, waiting)) + len(rows) > _AT_ONCE):
                yield _looked_up(session, waiting)
                waiting = []
            waiting.append(rows)
    if waiting:
        yield _looked_up(session, waiting)


def _looked_up(session: Session, some: Sequence[VisitRows]) -> tuple[VisitRows, int]:
    keys = pa.concat_arrays([rows.keys for rows in some])
    ids, known = session.names.find(PageList(some[0].file, keys, np.ones(len(keys))))
    time, changed, lastmod = (
        np.concatenate([getattr(rows, name) for rows in some])[known] for name in ("time", "changed", "lastmod")
    )
    digest = pa.concat_arrays([rows.digest for rows in some]).filter(pa.array(known))
    return VisitRows(some[0].file, pa.array(ids[known]), time, changed, digest, lastmod), int((~known).sum())


# -- what visits say


@dataclass(frozen=True)
class Lastmod:
    """How far the lastmod of each site can be trusted, by what else is known of its changes; per site."""

    judged: np.ndarray
    """Times between visits where both are known."""
    claimed: np.ndarray
    """Changes that lastmod claims, of those."""
    changed: np.ndarray
    """Changes that there were."""
    right: np.ndarray
    """Changes that were claimed."""
    given: np.ndarray
    """Visits with a lastmod."""

    @property
    def precision(self) -> np.ndarray:
        """Share of the claims that are true; NaN without any."""
        return _share(self.right, self.claimed)

    @property
    def recall(self) -> np.ndarray:
        """Share of the changes that are claimed; NaN without any."""
        return _share(self.right, self.changed)

    @property
    def bad(self) -> np.ndarray:
        """Boolean per site: whether it was judged, and what it says is not to be trusted."""
        low = (self.precision < RELIABLE) | (self.recall < RELIABLE)
        return np.asarray((self.judged >= FEWEST) & low)

    @property
    def verdicts(self) -> list[str]:
        """Per site, in a word or two."""
        words = np.select(
            [self.given == 0, self.judged < FEWEST, self.precision < RELIABLE, self.recall < RELIABLE],
            ["none", "unknown", "claims too much", "misses changes"],
            "reliable",
        )
        return [str(word) for word in words]


def lastmod_of_sites(visits: Visits, sites: int) -> Lastmod:
    """How reliable lastmod is, per site."""
    of, first = visits.site_of_visit, visits.first
    said = visits.lastmod != NO_TIME
    both = said & ~first & (visits.changed >= 0) & (visits.since > 0)
    claims = both & (visits.lastmod > visits.time - visits.since)
    changed = both & (visits.changed == 1)
    placed = of >= 0
    return Lastmod(
        *(np.bincount(of[placed & some], minlength=sites) for some in (both, claims, changed, claims & changed, said))
    )


def evidence(visits: Visits, lastmod: Lastmod) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What each visit says of the time before it: kind (int8), days and age (float64), as the kernels take them.

    A change is dated where the site's lastmod can be trusted; where it cannot, only what else is known counts. The
    first visit of a page says when the page changed last, where lastmod does.
    """
    since, first = visits.since, visits.first
    age = (visits.time - visits.lastmod) / DAY
    says = (visits.lastmod != NO_TIME) & (visits.lastmod <= visits.time)
    trusted = says & ~np.append(lastmod.bad, False)[visits.site_of_visit]
    dated = trusted & (age >= SAID_WHEN_ASKED / DAY)
    claims = trusted & (visits.lastmod > visits.time - since)
    kind = np.full(len(visits), UNKNOWN, np.int8)
    later = ~first & (since > 0)
    known = visits.changed >= 0
    kind[later & known] = np.where(visits.changed == 1, CHANGED, UNCHANGED)[later & known]
    silent = later & ~known & trusted
    kind[silent] = np.where(claims, CHANGED, UNCHANGED)[silent]
    kind[(kind == CHANGED) & dated & claims] = DATED
    kind[first & dated] = DATED
    days = np.where(first, np.inf, since / DAY)
    return frozen(kind), frozen(days), frozen(age)


def _share(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    return np.where(whole > 0, part / np.maximum(whole, 1), np.nan)
