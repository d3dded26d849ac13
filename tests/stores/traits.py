"""How the stores differ, as data."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Traits:
    """What a store keeps that others do not.

    Parameters
    ----------
    anchors, queries, loads
        Whether it keeps anchor texts, queries with their results, and records of loads.
    one_number_type
        Whether numbers and booleans of pages all come back as float64.
    all_or_nothing
        Whether a load that fails leaves no trace.
    cypher_writes
        Whether Cypher may change it.
    longest_url
        Characters a URL may have.
    """

    anchors: bool = True
    queries: bool = True
    loads: bool = True
    one_number_type: bool = False
    all_or_nothing: bool = False
    cypher_writes: bool = True
    longest_url: int = 100_000


TRAITS = {
    "duckdb": Traits(all_or_nothing=True, cypher_writes=False),
    # Neo4j indexes values of up to 8 kB, and URLs are indexed.
    "neo4j": Traits(longest_url=7_000),
    "arrays": Traits(anchors=False, queries=False, loads=False, one_number_type=True),
}
