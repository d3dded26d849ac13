"""A web from a seed number, with hosts, spam, clicks, queries and two points in time.

    spec.py        WebSpec: the numbers a web is made from
    hosts.py       sizes, roles and popularity of hosts
    host_links.py  where links between hosts go
    words.py       names of hosts, words of pages
    text.py        URLs and anchors
    searchers.py   events, queries, results
    arrays.py      write_graph: a folder of WebGraph arrays
    tables.py      write_tables: Parquet tables of both snapshots

What a page is and where it links is decided in `seedrank.engines.kernels.synthetic`.
"""

from seedrank.ingest.synthetic.arrays import write_graph
from seedrank.ingest.synthetic.spec import WebSpec, demo_web
from seedrank.ingest.synthetic.tables import write_tables

__all__ = ["WebSpec", "demo_web", "write_graph", "write_tables"]
