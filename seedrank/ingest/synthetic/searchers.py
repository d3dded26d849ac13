"""What searchers leave behind: clicks and views over two weeks, searches and their results."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.engines.kernels.synthetic import Web, uniforms
from seedrank.engines.kernels.synthetic_text import event_seconds
from seedrank.ingest.synthetic.arrays import PageBlock
from seedrank.ingest.synthetic.text import page_words
from seedrank.ingest.synthetic.words import WORDS

__all__ = ["EVENT_DAYS", "Searches", "page_events"]

EVENT_DAYS = 14
EVENTS_FROM = np.datetime64("2026-01-05T00:00:00", "us")  # a Monday; any would do
LATER_EVENTS_FROM = np.datetime64("2026-07-06T00:00:00", "us")
RESULTS = 10  # shown per search
PAIR_SHARE = 0.7  # of a page's clicks come from searches for both its words, the rest from searches for the first


def page_events(web: Web, block: PageBlock) -> pa.RecordBatch:
    """Clicks and views of crawled pages by time: at most one row a day; they sum to the columns of the pages."""
    seen = np.flatnonzero(block.crawled & (block.views > 0))
    views, clicks = block.views[seen].astype(np.int64), block.clicks[seen].astype(np.int64)
    rows = np.minimum(views, EVENT_DAYS)
    page = np.repeat(np.arange(len(seen)), rows)
    number = np.arange(len(page)) - np.repeat(np.cumsum(rows) - rows, rows)
    seconds = np.empty(len(page), np.int64)
    event_seconds(web, block.host[seen], block.inner[seen], page, number, EVENT_DAYS, seconds)

    def split(total: np.ndarray) -> np.ndarray:
        # The first rows of a page take what does not divide, of clicks as of views: so clicks never exceed views.
        return (total // rows)[page] + (number < (total % rows)[page])

    start = LATER_EVENTS_FROM if web.later else EVENTS_FROM
    return pa.record_batch(
        {
            "time": pa.array(start + seconds.astype("timedelta64[s]")),
            "id": pa.array((block.first + seen)[page].astype(np.int64)),
            "clicks": pa.array(split(clicks).astype(np.float64)),
            "views": pa.array(split(views).astype(np.float64)),
        }
    )


@dataclass
class Searches:
    """Collects the clicked pages, 17 bytes each, and makes searches of them."""

    _ids: list[np.ndarray] = field(default_factory=list)
    _keys: list[np.ndarray] = field(default_factory=list)
    _clicks: list[np.ndarray] = field(default_factory=list)
    _crawled: list[np.ndarray] = field(default_factory=list)

    def add(self, web: Web, block: PageBlock) -> None:
        """Take in a block of pages."""
        clicked = np.flatnonzero(block.clicks > 0)
        one, two = page_words(web, block)
        self._ids.append(block.first + clicked)
        self._keys.append((one.astype(np.int32) * len(WORDS) + two)[clicked])
        self._clicks.append(block.clicks[clicked])
        self._crawled.append(block.crawled[clicked])

    def tables(self, web: Web) -> tuple[pa.Table, pa.Table]:
        """Queries (``query freq need``) and results (``query id rank clicks``).

        There is a search for the two words of every clicked page and one for its first word. Its frequency follows
        the clicks that wait for it, crawled or not; its need is the share of them that no crawled page can get.
        Results are crawled pages only.
        """
        ids, keys = np.concatenate(self._ids), np.concatenate(self._keys).astype(np.int64)
        clicks, crawled = np.concatenate(self._clicks).astype(np.float64), np.concatenate(self._crawled)
        # A search has a number: pairs of words first, then single words.
        pairs = len(WORDS) ** 2
        number = np.concatenate([keys, pairs + keys // len(WORDS)])
        page = np.concatenate([np.arange(len(ids))] * 2)
        share = np.repeat([PAIR_SHARE, 1.0 - PAIR_SHARE], len(ids))
        total = np.bincount(number, weights=clicks[page] * share, minlength=pairs + len(WORDS))
        missed = np.bincount(number, weights=(clicks * ~crawled)[page] * share, minlength=pairs + len(WORDS))
        asked = np.flatnonzero(total > 0)
        noise = uniforms(web.seed, 201, len(total))[asked]
        texts = _query_texts()
        queries = pa.table(
            {
                "query": texts.take(pa.array(asked)),
                "freq": pa.array(np.ceil(total[asked] * (1.0 + 2.0 * noise))),
                "need": pa.array(np.round(missed[asked] / total[asked], 3)),
            }
        )

        shown = crawled[page]
        number, page, share = number[shown], page[shown], share[shown]
        # The engine's order follows clicks, but not to the letter.
        score = clicks[page] * (0.5 + uniforms(web.seed, 202, len(ids))[page])
        order = np.lexsort((page, -score, number))
        number, page, share = number[order], page[order], share[order]
        rank = np.arange(len(number)) - np.searchsorted(number, number) + 1
        top = rank <= RESULTS
        results = pa.table(
            {
                "query": texts.take(pa.array(number[top])),
                "id": pa.array(ids[page[top]].astype(np.int64)),
                "rank": pa.array(rank[top].astype(np.int64)),
                "clicks": pa.array(np.floor(clicks[page[top]] * share[top])),
            }
        )
        return queries, results


def _query_texts() -> pa.Array:
    """Text of every search there can be, by number."""
    words = pa.array(WORDS, pa.string())
    number = np.arange(len(WORDS) ** 2)
    one, two = words.take(pa.array(number // len(WORDS))), words.take(pa.array(number % len(WORDS)))
    return pa.concat_arrays([pc.binary_join_element_wise(one, two, " "), words])
