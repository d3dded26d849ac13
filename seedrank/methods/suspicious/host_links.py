"""Hosts of a graph with their pages and the links between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.levels import Level, names
from seedrank.core.model import Status
from seedrank.core.urls import registered_domain
from seedrank.engines.kernels.suspicious import between
from seedrank.graph import WebGraph, frozen
from seedrank.graph.levels import site_of

__all__ = ["Hosts", "hosts_of"]


@dataclass(frozen=True)
class Hosts:
    """Hosts, or registered domains, by number."""

    names: pa.Array
    """Per host."""
    of_page: np.ndarray
    """int32 per page, -1 for none."""
    pages: np.ndarray
    crawled: np.ndarray
    """int64 per host: its pages, and those that were crawled."""
    source: np.ndarray
    target: np.ndarray
    """int64: pairs of different hosts that are linked, by source, then target."""
    links: np.ndarray
    """float64 per pair: links between their pages; their weights together where links have some."""

    def __len__(self) -> int:
        return len(self.names)

    def domains(self) -> np.ndarray:
        """Number of the registered domain of each host."""
        found: np.ndarray = registered_domain(self.names).dictionary_encode().indices.to_numpy()
        return found


def hosts_of(graph: WebGraph, site: Literal["host", "domain"] = "host", level: Level = "page") -> Hosts:
    """The hosts of a graph.

    Of a graph of hosts or domains each page is one.
    """
    if level == "page":
        number = np.asarray(site_of(graph, site), np.int32)
        titles = graph.host_names.combine_chunks()
        if site == "domain" and len(titles):
            titles = registered_domain(titles).dictionary_encode().dictionary
    else:
        number = np.arange(graph.pages, dtype=np.int32)
        urls = pa.nulls(graph.pages, pa.large_string()) if graph.urls is None else graph.urls.combine_chunks()
        titles = pc.fill_null(names(urls), "")
    count = len(titles)
    here = number >= 0
    pages = np.bincount(number[here], minlength=count)
    if level != "page" and "pages" in graph.column_names and "pages" not in graph.text_names:
        pages = np.nan_to_num(graph.column("pages")).astype(np.int64)  # a graph that was made of one of pages has them
    weights = np.empty(0, np.float32) if graph.weights is None else np.asarray(graph.weights)
    keys, each = between(frozen(graph.out_offsets), frozen(graph.out_targets), frozen(number), count, frozen(weights))
    pairs, first = np.unique(keys, return_inverse=True)
    return Hosts(
        titles,
        number,
        pages,
        np.bincount(number[here & (np.asarray(graph.status) == Status.CRAWLED)], minlength=count),
        pairs // max(count, 1),
        pairs % max(count, 1),
        np.bincount(first, each, minlength=len(pairs)),
    )
