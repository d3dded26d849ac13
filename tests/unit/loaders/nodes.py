"""A source's nodes and links as a load would store them, by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from seedrank.ingest.merge import Merge
from seedrank.loaders.base import LoadOptions, Source, Summary
from seedrank.loaders.nodes import as_pages


class Loaded(NamedTuple):
    """What a load brings."""

    nodes: dict[str, dict[str, Any]]
    """By URL, with what the load knows of each."""
    links: dict[tuple[str, str], float]
    """By the URLs of both ends: weight."""
    summary: Summary


def loaded(source: Source, folder: Path, **options: Any) -> Loaded:
    """Read a source through the spool, into an empty store."""
    with Merge(folder, LoadOptions(**options)) as spool:
        for batch in source.batches():
            spool.add(as_pages(batch, source.level))
        changes, summary = spool.finish()
        nodes = {row["url"]: row for row in changes.new_pages.to_pylist()}
        urls = changes.new_pages["url"].to_pylist()
        links = {(urls[row["source"]], urls[row["target"]]): row["weight"] for row in changes.new_links.to_pylist()}
        return Loaded(nodes, links, summary)
