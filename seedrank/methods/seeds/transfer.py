"""Seeds of an older graph on a newer one: pages that stay, and pages like those that are gone.

Daneshpajouh et al. 2008 drop a seed that the newer graph does not have, and propose to look for a similar page
(docs/methods.md). The list is short and the graph is not: what grows with the graph is done for all of it at once.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pyarrow as pa

from seedrank import graphdb
from seedrank.core.errors import GraphError, InputError, UsageError
from seedrank.core.levels import addresses, name_column
from seedrank.core.model import MAX_REDIRECTS, Status
from seedrank.graph import WebGraph
from seedrank.loaders.pagelist import PageList
from seedrank.methods.seeds.neighbours import Neighbours, links_of
from seedrank.questions.seeds import TransferQuestion
from seedrank.runs import Answer, Ranking
from seedrank.runs.facts import TransferFacts
from seedrank.session import Session
from seedrank.session.page_lists import pinned, read_list, refuse_weights

__all__ = ["RULES", "SAME", "Transferred", "open_other", "transfer", "transferred", "urls_of"]

SAME, ADDRESS, REDIRECTED, LINKS, HOST, DROPPED = "same", "address", "redirect", "links", "host", "dropped"
RULES = (SAME, REDIRECTED, ADDRESS, LINKS, HOST, DROPPED)
"""What becomes of a seed, in the order the rules are tried."""
REDIRECT = "redirect"
"""Page column of text: where the page's address leads now."""


@dataclass(frozen=True)
class Transferred:
    """What became of a list of an older graph, a row per distinct URL, in the order of the list."""

    old: pa.Array
    """URLs of the list."""
    pages: np.ndarray
    """int64: the page of this graph that takes its place, -1 where the seed is dropped."""
    rules: np.ndarray
    """Words of `RULES`."""
    similarity: np.ndarray
    """float64: 1 for the same page, by ``links`` the share of the old page's link targets that the new page has,
    otherwise 0."""

    @cached_property
    def first(self) -> np.ndarray:
        """Rows whose page no earlier row has."""
        kept = np.flatnonzero(self.pages >= 0)
        return kept[np.sort(np.unique(self.pages[kept], return_index=True)[1])]

    def table(self, session: Session) -> pa.Table:
        """``old``, ``new`` (null where dropped), ``rule``, ``similarity``."""
        new = session.names.of(pa.chunked_array([pa.array(self.pages, mask=self.pages < 0)]))
        new = new[name_column(new.column_names) if pa.types.is_string(self.old.type) else "source_id"]
        return pa.table({"old": self.old, "new": new, "rule": pa.array(self.rules), "similarity": self.similarity})


def transfer(session: Session, question: TransferQuestion) -> Answer:
    """Find the seeds of an older list on this graph and keep them as a run; table ``transfer`` has every listed URL."""
    started = time.perf_counter()
    question = replace(question, file=pinned(session, question.file))
    listed = urls_of(session, question.file)
    with open_other(session, question.old_store) as older:
        found = transferred(session, listed, older)
    rows = found.first
    if not len(rows):
        raise InputError(
            f"none of its {len(found.pages):,} pages is left in this graph, nor is their host, such as",
            file=question.file,
            value=found.old[0].as_py(),
            hint="check that it comes from an older graph of the same sites",
        )
    similarity, old = found.similarity, np.array(found.old.to_pylist(), object)
    columns = {"old": old[rows], "rule": found.rules[rows], "similarity": similarity[rows]}
    lost = np.flatnonzero(found.pages < 0)
    facts: TransferFacts = {
        "listed": len(found.pages),
        "repeated": len(listed.keys) - len(found.pages),
        "seeds": len(rows),
        "rules": {rule: int((found.rules == rule).sum()) for rule in RULES},
        "dropped_such_as": old[lost[:5]].tolist(),
    }
    ranking = Ranking(found.pages[rows], similarity[rows], columns)
    return session.answered(question, started, ranking, facts, tables={"transfer": found.table(session)})


def urls_of(session: Session, file: str) -> PageList:
    """A list of URLs or names, or of ids that the source gave where pages have no URLs; its weights are refused."""
    listed = read_list(session, file)
    if not listed.by_url and (session.graph.urls is not None or session.graph.source_id is None):
        raise InputError(
            "names pages by number, and numbers of two graphs are not the same pages",
            file=listed.file,
            hint="give URLs",
        )
    refuse_weights(listed.file, listed.weights)
    return listed


@contextmanager
def open_other(session: Session, url: str | None) -> Iterator[Session | None]:
    """A session on another store of the same web, at this level and with these settings; `None` without one."""
    if url is None:
        yield None
        return
    store = graphdb.open_store(url, read_only=True)
    with Session(store, engine=session.engine_name, site=session.site, progress=session.progress) as other:
        yield other.view(level=session.level, host_weights=session.host_weights)


def transferred(session: Session, listed: PageList, older: Session | None = None) -> Transferred:
    """Find each URL of a list, or the page that is most like it.

    Parameters
    ----------
    listed
        URLs, or ids of the source (`urls_of`): of those only the same pages are found.
    older
        The older graph, for the links of pages that are gone.
    """
    if listed.by_url and session.graph.urls is None:
        raise GraphError("no page has a URL, so no older list is found here", hint="load a graph with URLs")
    if not listed.by_url and older is not None:
        raise UsageError(
            "ids have no other form, and {old_store} is for URLs", hint="leave it out", fields=("old_store",)
        )
    old = listed.keys.unique()
    pages, rules, similarity = np.full(len(old), -1, np.int64), np.full(len(old), DROPPED, object), np.zeros(len(old))

    def take(rows: np.ndarray, found: np.ndarray, rule: str, alike: np.ndarray | float = 1.0) -> None:
        """Let pages take the place of those seeds (`rows`) for which one was found."""
        some = found >= 0
        pages[rows[some]], rules[rows[some]] = found[some], rule
        similarity[rows[some]] = alike if isinstance(alike, float) else alike[some]

    def left() -> np.ndarray:
        return np.flatnonzero(pages < 0)

    ids = _find(session, old)
    take(np.arange(len(old)), _crawled(session.graph, ids), SAME)
    if not listed.by_url:
        return Transferred(old, pages, rules, similarity)
    take(left(), _redirected(session, ids[left()]), REDIRECTED)
    gone = old.take(pa.array(left()))
    near = Neighbours(session.graph, gone if session.level == "page" else addresses(gone, session.level))
    rows = left()
    take(rows, near.in_another_form(), ADDRESS)
    stays = pages[rows] < 0
    if older is not None:
        found, alike = near.with_the_same_links(stays, *_old_links(session, older, near.urls))
        take(rows, found, LINKS, alike)
        stays = pages[rows] < 0
    take(rows, near.with_the_most_links(stays), HOST, 0.0)
    return Transferred(old, pages, rules, similarity)


def _old_links(session: Session, older: Session, gone: pa.Array) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Links of seeds in the older graph: how many each has; and seed and page here of those whose target is here."""
    if older.graph.urls is None:
        raise GraphError(
            "no page of the older graph has a URL",
            hint="load a graph with URLs, or leave {old_store} out",
            fields=("old_store",),
        )
    ids = _find(older, gone)
    offsets, targets = links_of(older.graph, np.maximum(ids, 0))
    counts = np.where(ids >= 0, np.diff(offsets), 0)
    rows = np.repeat(np.arange(len(ids)), np.diff(offsets))
    own = ids[rows] >= 0
    rows, targets = rows[own], targets[own]
    distinct, place = np.unique(targets, return_inverse=True)
    here = _find(session, older.graph.urls.take(pa.array(distinct)).combine_chunks().cast(pa.string()))[place]
    return counts, rows[here >= 0], here[here >= 0]


def _redirected(session: Session, ids: np.ndarray) -> np.ndarray:
    """Crawled page that the redirects of a page lead to, -1 where they lead to none."""
    graph = session.graph
    if REDIRECT not in graph.text_names:
        return np.full(len(ids), -1, np.int64)
    leads, found = graph.text(REDIRECT), np.full(len(ids), -1, np.int64)
    for _ in range(MAX_REDIRECTS):
        at = pa.array(ids, mask=ids < 0)
        ids = np.where(found < 0, _find(session, leads.take(at).combine_chunks().cast(pa.string())), -1)
        found = np.maximum(found, _crawled(graph, ids))
        if (ids < 0).all():
            break
    return found


def _crawled(graph: WebGraph, ids: np.ndarray) -> np.ndarray:
    """The same page ids, -1 for pages that are not crawled."""
    return np.where((ids >= 0) & (graph.status[np.maximum(ids, 0)] == Status.CRAWLED), ids, -1)


def _find(session: Session, urls: pa.Array) -> np.ndarray:
    return session.names.find(PageList("", urls, np.ones(len(urls))))[0]
