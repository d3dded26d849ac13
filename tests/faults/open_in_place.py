"""Reads what ``in_place.py`` wrote."""

import duckdb

with duckdb.connect("in_place.duckdb") as database:
    database.execute("SELECT count(DISTINCT url), sum(id) FROM page").fetchall()
