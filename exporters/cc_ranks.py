"""Ranks of hosts or domains as Common Crawl publishes them beside its graphs.

A header, then a line per host by harmonic centrality, TAB between fields: position and value by harmonic centrality,
position and value by PageRank, and the name in reverse order (``org.example.www``); ``n_hosts`` follows where the graph
has that column.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.errors import UsageError
from seedrank.core.urls import turned
from seedrank.exporters.rows import Rows
from seedrank.exporters.text import in_blocks, lines, text

__all__ = ["cc_ranks"]

_FIELDS = ("#harmonicc_pos", "#harmonicc_val", "#pr_pos", "#pr_val", "#host_rev")
_HOSTS = "n_hosts"


def cc_ranks(harmonic: Rows, pagerank: Rows, about: Sequence[str]) -> Iterator[bytes]:
    """The hosts of `harmonic` in its order; `pagerank` must have each of them.

    Both are runs of hosts, or of a graph whose pages are hosts. This format has no place for `about`.
    """
    name = harmonic.column("host")
    if name.null_count or len(name.unique()) < len(name):
        raise UsageError(
            f"{harmonic.run.name} ranks pages, and Common Crawl's ranks are of hosts",
            hint="rank hosts, with {level=host}",
            fields=("level",),
        )
    other = pc.index_in(harmonic.column("id"), value_set=pagerank.column("id"))
    if other.null_count:
        raise UsageError(
            f"{pagerank.run.name} lacks {other.null_count:,} of the hosts of {harmonic.run.name}",
            hint="rank them again, by both methods",
        )
    columns = [
        text(harmonic.column("rank")),
        text(harmonic.column("score")),
        text(pagerank.column("rank").take(other)),
        text(pagerank.column("score").take(other)),
        turned(name),
    ]
    titles = list(_FIELDS)
    if _HOSTS in harmonic.graph.column_names:
        ids = harmonic.column("id").to_numpy()
        columns.append(text(np.nan_to_num(harmonic.graph.column(_HOSTS)[ids]).astype(np.int64)))
        titles.append(f"#{_HOSTS}")
    header = ("\t".join(titles) + "\n").encode()
    return chain([header], in_blocks(len(harmonic), lambda part: lines(*_tabbed([one[part] for one in columns]))))


def _tabbed(columns: list[pa.Array]) -> list[pa.Array | str]:
    """The columns with a TAB between them."""
    parts: list[pa.Array | str] = []
    for column in columns:
        parts += [column, "\t"]
    return parts[:-1]
