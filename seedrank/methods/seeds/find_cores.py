"""Find cores: a row per seed, the pages of its core, and facts about them."""

from __future__ import annotations

import logging
import re
import time
from collections import Counter
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from seedrank.core.levels import name_column
from seedrank.core.progress import Progress, silent
from seedrank.core.urls import registered_domain
from seedrank.engines.base import Engine
from seedrank.graph import WebGraph
from seedrank.graphdb.store import database
from seedrank.methods.seeds import cores
from seedrank.methods.seeds.cores import Core
from seedrank.questions.question import Saved
from seedrank.questions.seeds import CoreQuestion
from seedrank.runs import Answer, Ranking
from seedrank.runs.facts import CoreFacts
from seedrank.session import Session

__all__ = ["CoreAnswer", "cores_of", "find_cores", "hosts_of", "members_table", "name_of"]

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class CoreAnswer:
    """Seeds and their cores."""

    ranking: Ranking
    """Seeds in the order their cores were found; score is the hub score."""
    members: pa.Table
    """``n`` (core, from 1), ``role`` (hub or authority), ``id``, ``score``; in the order pages joined."""
    hosts: list[list[tuple[str, int]]]
    """Of each core: host and pages, most first."""
    facts: CoreFacts
    """Of the whole answer."""

    def as_ranking(self) -> Ranking:
        """The members, to be given the names of their pages."""
        columns = {name: self.members[name].to_numpy() for name in ("n", "role")}
        return Ranking(self.members["id"].to_numpy(), self.members["score"].to_numpy(), columns)

    def with_members(self, seeds: pa.Table, members: pa.Table) -> pa.Table:
        """Rows of seeds with lists of hubs, authorities (of `members`, named) and hosts."""
        for role, name in (("hub", "hubs"), ("authority", "authorities")):
            chosen = np.flatnonzero(members["role"].to_numpy() == role)
            some = members.take(chosen)
            starts = np.searchsorted(some["n"].to_numpy(), np.arange(1, seeds.num_rows + 2))
            columns = ["id", name_column(some.column_names)]
            pages = pa.StructArray.from_arrays([some[column].combine_chunks() for column in columns], names=columns)
            seeds = seeds.append_column(name, pa.ListArray.from_arrays(pa.array(starts, pa.int32()), pages))
        rows = [[{"host": host, "pages": pages} for host, pages in hosts] for hosts in self.hosts]
        kind = pa.list_(pa.struct({"host": pa.string(), "pages": pa.int64()}))
        return seeds.append_column("hosts", pa.array(rows, kind))


def find_cores(session: Session, question: CoreQuestion, *, save: Saved = False, write: str | None = None) -> Answer:
    """Find cores and keep their seeds as a run, with the pages of each core (table ``cores``).

    A row per seed has ``name`` of its core, ``density``, how many hubs, authorities and hosts it has, and its members
    as lists: ``hubs`` and ``authorities`` (id, url), ``hosts`` (host, pages).
    """
    session.check_column(write)
    started = time.perf_counter()
    store = database(session.store, "saving an answer") if save else None
    found = cores_of(question, session.engine, session.graph, session.sites, session.progress)
    tables = {"cores": found.members}
    kept = session.answered(question, started, found.ranking, found.facts, save=save, tables=tables, site=session.site)
    if write is not None:
        members, first = np.unique(found.members["id"].to_numpy(), return_index=True)
        session.write_places(write, members, found.members["n"].to_numpy()[first].astype(np.int64))
    if store is not None:
        store.write_cores(kept.run, found.members, progress=session.progress)
    return Answer(
        kept.run,
        lambda: found.with_members(session.rows(found.ranking), session.rows(found.as_ranking())),
        ranking=found.ranking,
        tables=tables,
    )


def cores_of(
    question: CoreQuestion, engine: Engine, graph: WebGraph, sites: np.ndarray, progress: Progress = silent
) -> CoreAnswer:
    """Find cores and name them.

    Parameters
    ----------
    engine
        Where HITS runs.
    """
    left, links = cores.prune(engine, graph, None if question.keep_same_site else sites)
    found: list[Core] = []
    with progress("finding cores", question.k) as advance:
        for core in cores.find(question, left, links):
            found.append(core)
            advance(1)
    if not links.links:
        log.warning("no link is left%s, so there is no core", "" if question.keep_same_site else " between sites")
    elif len(found) < question.k:
        log.warning("%s cores were asked for, and there are %s", f"{question.k:,}", f"{len(found):,}")
    hosts = [hosts_of(graph, core.members) for core in found]
    columns = {
        "name": np.array([name_of(each) for each in hosts], object),
        "density": np.array([core.density for core in found], np.float64),
        "hub_count": np.array([len(core.hubs) for core in found], np.int64),
        "authority_count": np.array([len(core.authorities) for core in found], np.int64),
        "host_count": np.array([len(each) for each in hosts], np.int64),
    }
    seeds = np.array([core.seed for core in found], np.int64)
    scores = np.array([core.seed_score for core in found], np.float64)
    facts: CoreFacts = {
        "cores": len(found),
        "asked_for": question.k,
        "links": graph.links,
        "links_ranked": links.links,
        "pages_in_cores": int(sum(len(core.members) for core in found)),
    }
    return CoreAnswer(Ranking(seeds, scores, columns), members_table(found), hosts, facts)


def members_table(found: list[Core]) -> pa.Table:
    """Pages of cores: ``n`` of the core from 1, ``role``, ``id``, ``score``."""
    sides = [
        (n, role, pages, scores)
        for n, core in enumerate(found, 1)
        for role, pages, scores in (
            ("hub", core.hubs, core.hub_scores),
            ("authority", core.authorities, core.authority_scores),
        )
    ]
    lengths = [len(pages) for _, _, pages, _ in sides]
    return pa.table(
        {
            "n": pa.array(np.repeat(np.array([n for n, *_ in sides], np.int64), lengths)),
            "role": pa.array(np.repeat(np.array([role for _, role, *_ in sides], object), lengths), pa.string()),
            "id": pa.array(np.concatenate([pages for *_, pages, _ in sides] or [np.empty(0, np.int64)])),
            "score": pa.array(np.concatenate([scores for *_, scores in sides] or [np.empty(0)])),
        }
    )


_WORDS = 3
_NO_WORDS = frozenset({"www", ""})


def hosts_of(graph: WebGraph, pages: np.ndarray) -> list[tuple[str, int]]:
    """Hosts of pages with how many pages each has, most first, ties by name; pages without a host count nowhere."""
    hosts, counts = np.unique(graph.host[pages], return_counts=True)
    known = hosts >= 0
    names = graph.host_names.take(pa.array(hosts[known])).to_pylist()
    return sorted(zip(names, counts[known].tolist(), strict=True), key=lambda host: (-host[1], host[0]))


def name_of(hosts: list[tuple[str, int]]) -> str:
    """The three words that most pages have in their host names, such as ``apache kafka``; empty without hosts.

    Words are what dots and hyphens part; ``www`` and public suffixes (``co.uk``) are none.
    """
    domains = registered_domain(pa.array([host for host, _ in hosts], pa.string())).to_pylist()
    counts: Counter[str] = Counter()
    for (host, pages), domain in zip(hosts, domains, strict=True):
        # The public suffix is what follows the first label of the registered domain.
        suffix = domain.partition(".")[2]
        for word in dict.fromkeys(re.split(r"[.-]", host.removesuffix(suffix))):
            counts[word] += 0 if word in _NO_WORDS else pages
    words = sorted((word for word, pages in counts.items() if pages), key=lambda word: (-counts[word], word))
    return " ".join(words[:_WORDS])
