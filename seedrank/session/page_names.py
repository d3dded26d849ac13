"""Names of the nodes of a graph: URLs and source ids of pages, names of hosts and domains."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from seedrank.core.errors import GraphError, UsageError
from seedrank.core.levels import Level, addresses_of_names, guesses, names
from seedrank.graphdb.store import GraphStore

if TYPE_CHECKING:
    import pyarrow as pa

    from seedrank.graph import WebGraph
    from seedrank.loaders.pagelist import PageList

__all__ = ["PageNames", "names_in_graph", "names_in_store", "names_of_hosts"]

COLUMNS = ("source_id", "url", "host")


@dataclass(frozen=True)
class PageNames:
    """Names of every page, host or domain, by id."""

    table: pa.Table
    """``source_id``, ``url``, ``host``; a row per page, in the order of their ids."""
    level: Level
    """What a row is."""

    def find(self, pages: PageList) -> tuple[np.ndarray, np.ndarray]:
        """Pages of a list; a number is the id that the source gave, or the graph's own where it gave none.

        Returns
        -------
        ids, known
            int64 per entry of the list, -1 where no page has it; and whether it was found.
        """
        if not pages.by_url:
            held = self.table["source_id"]
            if held.null_count == len(held):  # the source gave no numbers, so pages have those of the graph alone
                ids = pages.keys.fill_null(-1).to_numpy(zero_copy_only=False)
                ids = np.where(ids < len(held), ids, -1)
            else:
                ids = _rows_with(held, pages.keys)
            return ids, ids >= 0
        held = self.table["url"]
        ids = np.full(len(pages.keys), -1, np.int64)
        for keys in guesses(pages.keys, self.level):
            ids = np.where(ids >= 0, ids, _rows_with(held, keys.cast(held.type)))
            if (ids >= 0).all():
                break
        return ids, ids >= 0

    def page(self, text: str) -> int:
        """Id of the page a user names by URL or source id."""
        import pyarrow as pa

        from seedrank.loaders.pagelist import PageList

        keys = [pa.array([text])]
        if text.isdecimal() and int(text) < 2**63:
            keys.append(pa.array([int(text)]))
        for key in keys:
            number = int(self.find(PageList("", key, np.ones(1)))[0][0])
            if number >= 0:
                return number
        named = "URL" if self.level == "page" else "name"
        raise UsageError(f"no {self.level} is {text!r}", hint=f"give its {named}, or its id in the source")

    def of(self, ids: pa.ChunkedArray) -> pa.Table:
        """``source_id``, ``url``, ``host`` of pages by id; a page that is no longer there has none of them.

        Of hosts or domains ``source_id`` and ``host`` or ``domain``, their name.
        """
        import pyarrow as pa
        import pyarrow.compute as pc

        found = self.table.take(pc.if_else(pc.less(ids, self.table.num_rows), ids, None))
        if self.level == "page":
            return found
        return pa.table({"source_id": found["source_id"], self.level: names(found["url"])})


def names_in_store(store: GraphStore, level: Level) -> PageNames:
    """The names a store holds, without reading its links; no page at all is an error."""
    import pyarrow as pa

    batches = list(store.read_pages(COLUMNS))
    if not batches:
        raise GraphError("the graph has no pages", hint="load some")
    return PageNames(pa.Table.from_batches(batches).select(list(COLUMNS)), level)


def names_in_graph(graph: WebGraph, level: Level) -> PageNames:
    """The names a graph in memory holds."""
    import pyarrow as pa

    columns = {
        "source_id": pa.nulls(graph.pages, pa.int64())
        if graph.source_id is None
        else pa.array(graph.source_id, mask=graph.source_id < 0),
        "url": pa.nulls(graph.pages, pa.large_string()) if graph.urls is None else graph.urls,
        "host": graph.host_names.take(pa.array(graph.host, mask=graph.host < 0)),
    }
    return PageNames(pa.table(columns), level)


def names_of_hosts(hosts: pa.Array | pa.ChunkedArray, level: Level) -> PageNames:
    """The names of the level above pages whose hosts are named: neither pages nor links are read for them."""
    import pyarrow as pa

    from seedrank.graph.levels import level_names

    _, named = level_names(hosts, level)
    columns = {"source_id": pa.nulls(len(named), pa.int64()), "url": addresses_of_names(named), "host": named}
    return PageNames(pa.table(columns), level)


def _rows_with(held: pa.ChunkedArray, wanted: pa.Array) -> np.ndarray:
    """Row of `held` with each of `wanted`, int64, -1 where there is none.

    `wanted` is short and `held` long, so each of `held` is looked up in `wanted`, and the answer turned round.
    """
    import pyarrow.compute as pc

    distinct = wanted.drop_null().unique()
    place = pc.index_in(held, value_set=distinct).combine_chunks()
    rows = np.full(len(distinct) + 1, -1, np.int64)
    rows[place.drop_null().to_numpy()] = np.flatnonzero(place.is_valid().to_numpy(zero_copy_only=False))
    picked: np.ndarray = rows[pc.fill_null(pc.index_in(wanted, value_set=distinct), len(distinct)).to_numpy()]
    return picked
