"""Q-Overlap and Q-Hybrid: frontier pages for searches with poor answers (docs/algorithms.md §5.8).

After Pandey and Olston (WSDM 2008): a page is judged before it is fetched, by the words of its URL and of the anchors
that point to it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args
from urllib.parse import unquote

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import scipy.sparse as sp

from seedrank.core.errors import GraphError, InputError, UsageError
from seedrank.methods.frontier.problem import FrontierProblem

__all__ = [
    "MATCHES", "TOP", "Match", "Queries", "Vocabulary", "needs", "page_words", "q_hybrid", "q_overlap", "query_set",
    "words",
]  # fmt: skip

Match = Literal["all", "share"]
"""A page matches a search with all of its words (1 or 0), or by the share of them that it has."""
MATCHES: tuple[Match, ...] = get_args(Match)

TOP = 10
"""Results of a search that are looked at (K of the paper)."""
_BLOCK = 1 << 16
"""Frontier pages whose matches are counted at a time."""


@dataclass(frozen=True)
class Queries:
    """Searches with what they are worth, and the words of each."""

    worth: np.ndarray
    """float64 per search: freq · need."""
    vocabulary: Vocabulary
    """Their words."""


def query_set(
    queries: pa.Table, results: pa.Table, crawled: np.ndarray, vocabulary: Vocabulary | None = None
) -> Queries:
    """Searches of a store with what they are worth to a crawl, refused where there are none.

    Parameters
    ----------
    queries
        ``text``, ``freq`` (1 where it is not known), ``need``.
    results
        ``query``, ``id``, ``rank``, ``clicks``: fill in `need` (`needs`).
    crawled
        Boolean per page: what the index holds.
    vocabulary
        Words of the searches, where they are known already.
    """
    if not queries.num_rows:
        raise GraphError("the store has no searches", hint="load some with {queries}", fields=("queries",))
    freq = np.asarray(queries["freq"].fill_null(1.0).to_numpy(), np.float64)
    need = needs(queries, results, crawled)
    for name, values, high in (("freq", freq, np.inf), ("need", need, 1.0)):
        wrong = np.flatnonzero(~((values >= 0) & (values <= high)))
        if len(wrong):
            raise InputError(
                f"{name} of a search is {values[wrong[0]]:.6g}",
                value=queries["text"][int(wrong[0])].as_py(),
                hint="freq is 0 or more, need from 0 to 1",
            )
    return Queries(freq * need, vocabulary or Vocabulary(queries["text"].combine_chunks()))


def needs(queries: pa.Table, results: pa.Table, crawled: np.ndarray) -> np.ndarray:
    """float64 per search: its `need`; else 1 - (clicked crawled results among the first ten) / 10; else 1.

    A result that is not crawled (on the frontier, or hidden in a trial) is not in the index and answers nobody.
    """
    given = queries["need"]
    need = np.array(given.fill_null(np.nan).to_numpy(), np.float64)
    if results.num_rows:
        good = pc.and_(pc.less_equal(results["rank"].fill_null(1), TOP), pc.greater(results["clicks"].fill_null(0), 0))
        good = pc.and_(good, pa.array(crawled[results["id"].to_numpy()]))
        found = pc.index_in(results["query"].filter(good), value_set=queries["text"].combine_chunks()).drop_null()
        satisfied = np.bincount(found.to_numpy(), minlength=len(need))
        need = np.where(np.isnan(need), 1 - np.minimum(satisfied, TOP) / TOP, need)
    return np.nan_to_num(need, nan=1.0)


def page_words(
    problem: FrontierProblem, queries: Queries, urls: pa.ChunkedArray | None, links: Iterable[pa.RecordBatch]
) -> sp.csr_array:
    """Which words of the searches a frontier page shows: (frontier pages, words), 0 or 1.

    `urls` is `None` where no page has one; of `links` those from D to F count.
    """
    pages, size = problem.pages, len(queries.vocabulary.words)
    place = np.full(len(problem.frontier), -1, np.int64)
    place[pages] = np.arange(len(pages))
    found = [np.empty(0, np.int64)]
    if urls is not None:
        found.append(queries.vocabulary.pairs(np.arange(len(pages)), _whole(urls.take(pa.array(pages)))))
    for batch in links:
        source, target = batch.column("source").to_numpy(), batch.column("target").to_numpy()
        wanted = problem.crawled[source] & problem.frontier[target]
        anchors = batch.column("anchors").filter(pa.array(wanted))
        owner = place[target[wanted]][pc.list_parent_indices(anchors).to_numpy()]
        found.append(_anchor_pairs(queries.vocabulary, owner, pc.list_flatten(anchors)))
    page, word = np.divmod(np.unique(np.concatenate(found)), max(size, 1))
    return sp.csr_array((np.ones(len(page), np.int32), (page, word)), shape=(len(pages), size))


def q_overlap(problem: FrontierProblem, queries: Queries, shown: sp.csr_array, match: Match = "all") -> np.ndarray:
    """QO per page: Σ freq · need · match over the searches; 0 outside F.

    Matches are counted in blocks of 65,536 pages, 12 bytes for each pair of a page and a search with a common word.

    Parameters
    ----------
    shown
        Words of the frontier pages (`page_words`).
    match
        ``all`` (default): 1 where the page has every word of the search; ``share``: |q ∩ T| / |q|.
    """
    if match not in MATCHES:
        raise UsageError(f"unknown match {match!r}", hint=f"one of {', '.join(MATCHES)}")
    vocabulary = queries.vocabulary
    length = np.bincount(vocabulary.text, minlength=len(queries.worth))
    asked = sp.csr_array(
        (np.ones(len(vocabulary.text), np.int32), (vocabulary.term, vocabulary.text)),
        shape=(len(vocabulary.words), len(queries.worth)),
    )
    scores = np.zeros(len(problem.frontier))
    for start in range(0, len(problem.pages), _BLOCK):
        common = sp.csr_array(shown[start : start + _BLOCK] @ asked)
        part = common.data / length[common.indices]
        worth = queries.worth[common.indices] * (part if match == "share" else part == 1)
        rows = np.repeat(np.arange(common.shape[0]), np.diff(common.indptr))
        scores[problem.pages[start : start + _BLOCK]] = np.bincount(rows, worth, minlength=common.shape[0])
    return scores


def q_hybrid(overlap: np.ndarray, pagerank: np.ndarray, frontier: np.ndarray, mix: float = 0.5) -> np.ndarray:
    """λ · QO / max QO + (1-λ) · PageRank / max PageRank, maxima over F; 0 outside F."""
    if not 0 <= mix <= 1:
        raise UsageError(f"lambda must be from 0 to 1, not {mix:.6g}")

    def relative(scores: np.ndarray) -> np.ndarray:
        return scores / (scores[frontier].max() or 1.0)

    return np.where(frontier, mix * relative(overlap) + (1 - mix) * relative(pagerank), 0.0)


def _anchor_pairs(vocabulary: Vocabulary, owner: np.ndarray, texts: pa.Array) -> np.ndarray:
    """As `Vocabulary.pairs`; a text that comes often is taken apart once."""
    if not len(texts):
        return np.empty(0, np.int64)
    coded = texts.dictionary_encode()
    size = max(len(vocabulary.words), 1)
    text, word = np.divmod(vocabulary.pairs(np.arange(len(coded.dictionary)), coded.dictionary), size)
    starts = np.searchsorted(text, np.arange(len(coded.dictionary) + 1))
    valid = coded.indices.is_valid().to_numpy(zero_copy_only=False)
    code, owner = coded.indices.drop_null().to_numpy().astype(np.int64), owner[valid]
    count = starts[code + 1] - starts[code]
    begin = np.cumsum(count) - count
    at = np.arange(count.sum()) + np.repeat(starts[code] - begin, count)
    return np.unique(np.repeat(owner, count) * size + word[at])


def _whole(texts: pa.ChunkedArray | pa.Array) -> pa.Array:
    return texts.combine_chunks() if isinstance(texts, pa.ChunkedArray) else texts


_NO_WORD = r"[^\pL\pN]+"
_LINE_ENDS = r"%(?i:0a|0d)|[\r\n]"
_TEXTS = 1 << 18
"""Texts at a time: their words take a few hundred bytes each."""


def words(texts: pa.Array) -> tuple[np.ndarray, pa.Array]:
    """Words of texts: for each the number of its text (int64, ascending), and the word; a null has none."""
    texts = pc.fill_null(texts.cast(pa.string()), "")
    pieces = pc.split_pattern_regex(pc.utf8_lower(_unquoted(texts)), _NO_WORD)
    owner, found = pc.list_parent_indices(pieces).to_numpy(), pc.list_flatten(pieces)
    proper = pc.not_equal(found, "")
    return owner[proper.to_numpy(zero_copy_only=False)], found.filter(proper)


def _unquoted(texts: pa.Array) -> pa.Array:
    """Texts with %XX decoded; all of a block in one go, since decoding one by one is slow."""
    coded = pc.match_substring(texts, "%")
    if not pc.any(coded).as_py():
        return texts
    lines = pc.replace_substring_regex(texts.filter(coded), _LINE_ENDS, " ")
    decoded = unquote("\n".join(lines.to_pylist()), errors="replace").split("\n")
    return pc.replace_with_mask(texts, coded, pa.array(decoded, pa.string()))


class Vocabulary:
    """The words that count: those of the searches."""

    def __init__(self, texts: pa.Array) -> None:
        owner, found = words(texts)
        self.words = found.unique()
        term = pc.index_in(found, value_set=self.words).to_numpy().astype(np.int64)
        pairs = np.unique(owner * max(len(self.words), 1) + term)
        self.text, self.term = np.divmod(pairs, max(len(self.words), 1))
        """Distinct words of each search: number of the search, number of the word."""

    def pairs(self, owner: np.ndarray, texts: pa.Array) -> np.ndarray:
        """Distinct pairs owner · words + word, ascending, of words that count in texts of owners (int64)."""
        found: list[np.ndarray] = []
        for start in range(0, len(texts), _TEXTS):
            rows, some = words(texts.slice(start, _TEXTS))
            term = pc.index_in(some, value_set=self.words)
            known = term.is_valid().to_numpy(zero_copy_only=False)
            numbers = term.drop_null().to_numpy().astype(np.int64)
            found.append(np.unique(owner[start + rows[known]] * len(self.words) + numbers))
        return np.unique(np.concatenate(found)) if found else np.empty(0, np.int64)
