"""``load … --bulk`` against the bare importer: the same graph both ways in one run.

    python benchmarks/bulk.py FILE        (adjacency lists)

The bare way: CSV files written beforehand, server stopped, ``neo4j-admin database import full``, server started, the
constraint on the page id made. Ours does the same from the input file on, with everything a load checks and records.
Both fill a local Neo4j managed by seedrank, which is empty and lies in a temporary folder.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv

from benchmarks.load import adjacency_arrays
from seedrank.graphdb.server import Server, admin, connect, down, free_port, up
from seedrank.graphdb.server.bulk import bulk_load
from seedrank.ingest.load import load_record
from seedrank.ingest.merge import Merge
from seedrank.loaders.adjacency import AdjacencySource
from seedrank.loaders.base import LoadOptions


def main() -> None:
    file = sys.argv[1]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        server = Server(folder / "neo4j", port=free_port(), http_port=free_port(), heap="2g")
        up(server, use_docker=False)
        try:
            bare = _bare(server, folder, file)
            up(server, wipe=True, use_docker=False)
            start = time.perf_counter()
            source, options = AdjacencySource([file]), LoadOptions()
            with Merge(folder, options, None) as spool:
                for batch in source.batches():
                    spool.add(batch)
                changes, summary = spool.finish()
                bulk_load(server, changes, load_record(source, options, summary))
            ours = time.perf_counter() - start
        finally:
            down(server)
    print(f"bare importer {bare:.1f} s, load --bulk {ours:.1f} s, {ours / bare:.2f} x")


def _bare(server: Server, folder: Path, file: str) -> float:
    ids, source, target = adjacency_arrays(file)
    pages, links = folder / "pages.csv", folder / "links.csv"
    options = pyarrow.csv.WriteOptions(include_header=False)
    pyarrow.csv.write_csv(pa.table({"id": ids, "source_id": ids, "status": ["crawled"] * len(ids)}), pages, options)
    pyarrow.csv.write_csv(pa.table({"s": source, "t": target, "w": np.ones(len(source))}), links, options)
    (folder / "pages_h.csv").write_text("id:ID(Page){id-type:long},source_id:long,status\n")
    (folder / "links_h.csv").write_text(":START_ID(Page),:END_ID(Page),weight:double\n")
    start = time.perf_counter()
    down(server)
    arguments = ["database", "import", "full", "neo4j", "--overwrite-destination=true", "--id-type=integer"]
    nodes, relationships = f"Page={folder}/pages_h.csv,{pages}", f"LINKS_TO={folder}/links_h.csv,{links}"
    admin(server, [*arguments, f"--nodes={nodes}", f"--relationships={relationships}"], files=folder)
    up(server, use_docker=False)
    with connect(server) as store:
        store.create_schema()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
