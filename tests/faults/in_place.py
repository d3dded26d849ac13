"""Changes a DuckDB file where it is, as no store of ours is written: a checkpoint that a power cut destroys."""

import duckdb

with duckdb.connect("in_place.duckdb") as database:
    for turn in range(4):
        database.execute("CREATE TABLE IF NOT EXISTS page (id BIGINT, url VARCHAR)")
        database.execute(f"INSERT INTO page SELECT range, 'https://example.org/' || range FROM range({turn}, 3000)")
        database.execute("CHECKPOINT")
