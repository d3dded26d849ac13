"""Lists of pages that questions name: files, URLs between spaces, and kept runs.

A number is the page's id in its source, or in the graph where the source gave no numbers (`PageNames.find`). A weight
counts where a set of pages is asked for, and for orders that begin with shares; elsewhere weights that differ are an
error.
"""

from __future__ import annotations

import logging
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from seedrank.core.errors import InputError, UsageError
from seedrank.core.levels import PLURAL
from seedrank.runs.facts import ListFacts

if TYPE_CHECKING:
    import pyarrow as pa

    from seedrank.loaders.pagelist import PageList
    from seedrank.runs import Run
    from seedrank.session import Session

__all__ = [
    "known_pages",
    "list_name",
    "page_weights",
    "pinned",
    "read_list",
    "refuse_weights",
    "run_pages",
    "unknown_pages",
    "weighted_pages",
]

log = logging.getLogger(__name__)

_TRIED = 1000
"""URLs of a list of unknown ones whose other forms are looked for."""


def known_pages(session: Session, file: str) -> tuple[ListFacts, np.ndarray]:
    """Pages of a list (a file, URLs between spaces, or ``run:ID``), each once, and facts about it; never none.

    A graph of hosts or domains takes their names where URLs are taken.
    """
    facts, pages, weights = weighted_pages(session, file)
    refuse_weights(list_name(session, file), weights)
    return facts, pages


def refuse_weights(name: str, weights: np.ndarray | None) -> None:
    """Refuse a list whose pages weigh differently, where weights count for nothing."""
    if weights is not None and (weights != weights[0]).any():
        raise UsageError(f"{name} has weights, which count for nothing here", hint="leave out its column weight")


def weighted_pages(session: Session, file: str) -> tuple[ListFacts, np.ndarray, np.ndarray | None]:
    """The same, and a weight per page where they differ: those of a page that is listed twice add up."""
    if file.startswith("run:"):
        return {"unknown": 0, "unknown_such_as": [], "repeated": 0}, run_pages(session, file), None
    listed, ids, unknown = _listed(session, file)
    _tell_unknown(session, listed, ids, unknown)
    known = ids >= 0
    _, first, place = np.unique(ids[known], return_index=True, return_inverse=True)
    lost, order = len(ids) - int(known.sum()), np.argsort(first)
    facts: ListFacts = {"unknown": lost, "unknown_such_as": unknown, "repeated": int(known.sum()) - len(first)}
    pages, weights = ids[known][first[order]], listed.weights[known]
    if (weights == weights[0]).all():
        return facts, pages, None
    return facts, pages, np.bincount(place, weights)[order]


def unknown_pages(session: Session, file: str) -> pa.Table:
    """Pages of a list that are not in the graph: ``page``, and ``known_as``, the form of the URL that is, if any.

    Forms are the other scheme, with or without ``www.``, and with or without a slash or an index file at the end.
    """
    import pyarrow as pa

    lost: list[str] = []
    if not file.startswith("run:"):
        listed = read_list(session, file)
        _, known = session.names.find(listed)
        lost = [str(listed.keys[int(row)].as_py()) for row in np.flatnonzero(~known)]
    return pa.table({"page": pa.array(lost, pa.string()), "known_as": pa.array(_known_as(session, lost), pa.string())})


def _known_as(session: Session, lost: list[str]) -> list[str | None]:
    """For each page that is not in the graph the closest other form of its URL that is."""
    import pyarrow as pa

    from seedrank.loaders.pagelist import PageList

    forms = [other_forms(page) if session.level == "page" else [] for page in lost]
    asked = [form for some in forms for form in some]
    there: set[str] = set()
    if asked:
        _, known = session.names.find(PageList("URLs", pa.array(asked, pa.string()), np.ones(len(asked))))
        there = {form for form, one in zip(asked, known, strict=True) if one}
    return [next((form for form in some if form in there), None) for some in forms]


def other_forms(url: str) -> list[str]:
    """The same URL by the other scheme, with or without ``www.``, a slash or an index file; the closest first."""
    scheme, separator, rest = url.partition("://")
    if not separator or scheme not in ("http", "https"):
        return []
    schemes = [scheme, "http" if scheme == "https" else "https"]
    hosts = [rest, rest.removeprefix("www.") if rest.startswith("www.") else f"www.{rest}"]
    forms = []
    for host in hosts:
        forms += [f"{one}://{end}" for end in _ends(host) for one in schemes]
    return [form for form in dict.fromkeys(forms) if form != url]


def _ends(address: str) -> list[str]:
    """An address without scheme, then the same with another end."""
    folder, _, last = address.rpartition("/")
    if "?" in address:
        return [address]
    if address.endswith("/"):
        return [address, folder, f"{address}index.html"]
    if last.lower().startswith(("index.", "default.")) and folder:
        return [address, f"{folder}/", folder]
    return [address, f"{address}/"]


def page_weights(session: Session, file: str, pages: int) -> np.ndarray:
    """Weight per page from a list; one of them at least is in the graph. Pages of a run have weight 1."""
    weights = np.zeros(pages)
    if file.startswith("run:"):
        weights[run_pages(session, file)] = 1.0
        return weights
    listed, ids, unknown = _listed(session, file)
    _tell_unknown(session, listed, ids, unknown)
    known = ids >= 0
    np.add.at(weights, ids[known], listed.weights[known])
    return weights


def _tell_unknown(session: Session, listed: PageList, ids: np.ndarray, unknown: list[str]) -> None:
    """Warn of pages of a list that are not in the graph; refuse a list of nothing else."""
    those = PLURAL[session.level]
    lost = int((ids < 0).sum())
    if 0 < lost < len(ids):
        log.warning(
            "%s: %d of %d %s are not in the graph, such as %s",
            *(listed.file, lost, len(ids), those, ", ".join(unknown[:3])),
        )
    if lost == len(ids):
        few = [str(key.as_py()) for key in listed.keys[:_TRIED]]
        forms = zip(few, _known_as(session, few), strict=True)
        known = next((f"{page} is known as {form}: check scheme, www. and slash" for page, form in forms if form), None)
        named = "URLs" if session.level == "page" else f"names of {those}"
        raise InputError(
            f"none of its {f'{lost:,} ' if lost > 1 else ''}{those} is in the graph",
            file=listed.file,
            value=", ".join(unknown[:3]),
            hint=known or f"check the {named}",
        )


def pinned(session: Session, pages: str) -> str:
    """The same list of pages with the id of ``run:latest``, which will be another run later."""
    if pages.split(":")[:2] != ["run", "latest"]:
        return pages
    return pages.replace("latest", _usable(session, "run:latest").id, 1)


def run_pages(session: Session, name: str) -> np.ndarray:
    """Pages of a kept run that ranks pages, in its order; none at all is an error, and so is another level."""
    run = _usable(session, name)
    if run.facts.get("partial"):
        log.warning("%s was interrupted: its order is a part", run.name)
    pages = session.runs.ranking(run).pages
    if not len(pages):
        raise UsageError(f"{name} has no pages", hint="name another run")
    return pages


def list_name(session: Session, pages: str) -> str:
    """What messages call a list: its file, or ``URLs``, of which there may be thousands."""
    if _inline(session, pages):
        return "URLs"
    return "the list" if Path(pages).parent == session.runs.lists else pages


def _inline(session: Session, pages: str) -> bool:
    # A word is a file where there is one, else the name of a host or domain.
    return pages.startswith(("http://", "https://")) or (session.level != "page" and not os.path.lexists(pages))


def _usable(session: Session, name: str) -> Run:
    """The record of a kept ranking of the session's level."""
    run = session.runs.usable(name, "ranking")
    session.check_same_graph(run)
    of = session.level_of(run)
    if of != session.level:
        raise UsageError(
            f"{run.name} ({run.method}) ranks {PLURAL[of]}, and {PLURAL[session.level]} are asked about",
            hint=f"name a run of {PLURAL[session.level]}, or ask about {PLURAL[of]}: {{level={of}}}",
            fields=("level",),
        )
    return run


def _listed(session: Session, file: str) -> tuple[PageList, np.ndarray, list[str]]:
    """A list of pages, their ids (-1 where no page has it), and the first five that are not in the graph."""
    listed = read_list(session, file)
    ids, known = session.names.find(listed)
    return listed, ids, [str(listed.keys[int(row)].as_py()) for row in np.flatnonzero(~known)[:5]]


def read_list(session: Session, file: str) -> PageList:
    """A list of pages as it names them: a file's, URLs between spaces, or those of ``run:ID``."""
    import pyarrow as pa

    from seedrank.loaders.pagelist import PageList, read_page_list, url_list

    if file.startswith("run:"):
        ids = run_pages(session, file)
        named = session.names.of(pa.chunked_array([pa.array(ids)]))
        column = next((name for name in ("url", session.level) if name in named.column_names), "")
        keys = named[column if named[column].null_count < len(ids) else "source_id"].combine_chunks()
        return PageList(file, keys.cast(pa.string()) if keys.type != pa.int64() else keys, np.ones(len(ids)))
    if _inline(session, file):
        return url_list(file)
    return replace(read_page_list(file, session.level), file=list_name(session, file))
