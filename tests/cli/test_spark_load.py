"""Files that Spark makes into the folder it reads: whole or not at all."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import seedrank as api

HOST_LINKS = [
    ("com.example.www", "org.python"),
    ("com.example.www", "com.example.shop"),
    ("org.python", "com.example.www"),
    ("org.python", "org.python"),
    ("com.example.shop", "net.far"),
    ("com.example.www", "org.python"),
]
PAGE_LINKS = [
    ("http://a.example/x", "HTTP://B.example:80/y"),
    ("http://b.example/y", "http://a.example/x"),
    ("http://a.example/x", "mailto://nobody"),
]


def parquet_files(folder, links, names=("s", "t")):
    """Two files, as a job of Spark leaves them."""
    folder.mkdir()
    for number, part in enumerate((links[:2], links[2:])):
        ends = zip(*part, strict=True)
        pq.write_table(
            pa.table({name: list(end) for name, end in zip(names, ends, strict=True)}),
            folder / f"part-{number:05}-0000.snappy.parquet",
        )
    (folder / "_SUCCESS").touch()
    return folder


def text_file(path, links):
    with gzip.open(path, "wt") as file:
        file.writelines(f"{source}\t{target}\n" for source, target in links)
    return path


def loaded(seedrank, store, *words):
    outcome = seedrank("--store", f"spark+parquet:{store}", "load", *words, "--format", "json")
    assert outcome.code == 0, outcome.err
    return json.loads(outcome.out)


def read(store):
    """Pages by id, and links between their names."""
    with api.open(f"spark+parquet:{store}", engine="native") as bench:
        pages = pa.Table.from_batches(bench.session.store.read_pages())
        links = pa.Table.from_batches(bench.session.store.read_links())
    assert pages["id"].to_pylist() == list(range(len(pages)))
    names = dict(zip(pages["id"].to_pylist(), pages["url"].to_pylist(), strict=True))
    ends = zip(links["source"].to_pylist(), links["target"].to_pylist(), strict=True)
    return pages, sorted((names[a], names[b]) for a, b in ends)


@pytest.mark.parametrize("kind", ["parquet", "source and target", "text"])
def test_links_between_hosts_as_made_of_wat_files(spark, seedrank, tmp_path, kind):
    if kind == "text":
        given = text_file(tmp_path / "links.txt.gz", HOST_LINKS)
    else:
        given = parquet_files(tmp_path / "edges", HOST_LINKS, ("s", "t") if kind == "parquet" else ("source", "target"))
    counts = loaded(seedrank, tmp_path / "web.spark", "table", "--links", given)
    assert {name: counts[name] for name in ("pages", "links", "hosts")} == {"pages": 4, "links": 4, "hosts": 4}
    pages, links = read(tmp_path / "web.spark")
    # By reversed name: hosts of a domain are neighbours.
    assert pages["host"].to_pylist() == ["shop.example.com", "www.example.com", "far.net", "python.org"]
    assert pages["status"].to_pylist() == ["crawled", "crawled", "frontier", "crawled"]
    expected = {(a, b) for a, b in HOST_LINKS if a != b}
    turned = {tuple(f"http://{'.'.join(reversed(end.split('.')))}/" for end in link) for link in expected}
    assert links == sorted(turned)
    assert sorted(path.name for path in tmp_path.iterdir() if path != given) == ["web.spark"]
    assert sorted(path.name for path in (tmp_path / "web.spark").iterdir()) == ["about", "hosts", "links", "pages"]


def test_links_between_pages(spark, seedrank, tmp_path):
    loaded(seedrank, tmp_path / "web.spark", "table", "--links", parquet_files(tmp_path / "edges", PAGE_LINKS))
    pages, links = read(tmp_path / "web.spark")
    assert pages["url"].to_pylist() == ["http://a.example/x", "http://b.example/y"]
    assert pages["host"].to_pylist() == ["a.example", "b.example"]
    assert links == [("http://a.example/x", "http://b.example/y"), ("http://b.example/y", "http://a.example/x")]


def test_numbers_of_many_names_in_many_files(spark, seedrank, tmp_path, monkeypatch):
    """Each partition is a file: numbers go on from one to the next."""
    from seedrank.graphdb.spark import named_links

    monkeypatch.setattr(named_links, "_links_about", lambda files: 10_000_000)
    ends = np.random.default_rng(7).integers(0, 200, (500, 2))
    links = [(f"com.site{a:03}", f"com.site{b:03}") for a, b in ends.tolist()]
    loaded(seedrank, tmp_path / "web.spark", "table", "--links", parquet_files(tmp_path / "edges", links))
    pages, found = read(tmp_path / "web.spark")
    assert pages["host"].to_pylist() == sorted({f"site{end:03}.com" for end in ends.ravel().tolist()})
    assert found == sorted({(f"http://site{a:03}.com/", f"http://site{b:03}.com/") for a, b in ends.tolist() if a != b})


@pytest.mark.parametrize(
    ("words", "content", "told"),
    [
        (("table", "--links", "bad.txt"), "one field\n", "bad.txt: Spark cannot read it"),
        (("table", "--links", "bad.txt"), "", "bad.txt: holds no link between two names"),
        (("table", "--links", "bad.txt"), "http://a.example/\torg.b\n", "names are URLs in some links, and hosts in"),
        (("table", "--pages", "bad.txt"), "", "--pages does not go with a folder that Spark writes"),
        (("snap", "bad.txt"), "0\t1\n", "from a table of links alone"),
        (("cc-webgraph", "v.txt", "bad.txt"), "0\t1\n0\tx\n", "bad.txt: Spark cannot read it: For input string"),
        (("cc-webgraph", "v.txt", "bad.txt"), "0\t7\n", "no vertex has this id"),
    ],
    ids=["fields", "empty", "mixed", "pages", "another format", "letters", "strange id"],
)
def test_what_is_no_graph_leaves_nothing_behind(spark, seedrank, tmp_path, words, content, told):
    (tmp_path / "bad.txt").write_text(content)
    (tmp_path / "v.txt").write_text("0\tcom.a\n1\tcom.b\n")
    outcome = seedrank("--store", "spark+parquet:web.spark", "load", *words)
    assert outcome.code != 0
    assert told in outcome.err
    assert len(outcome.err.strip().splitlines()) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.txt", "v.txt"]


def test_a_folder_that_exists_is_refused(seedrank, tmp_path):
    (tmp_path / "web.spark").mkdir()
    links = text_file(tmp_path / "links.txt.gz", HOST_LINKS)
    outcome = seedrank("--store", f"spark+parquet:{tmp_path}/web.spark", "load", "table", "--links", links)
    assert (outcome.code, "exists already" in outcome.err) == (2, True)


@pytest.mark.parametrize(
    "option",
    [
        ["--link-columns", "target,source"],
        ["--urls", "verbatim"],
        ["--assume", "crawled"],
        ["--url-prefix", "http://"],
        ["--bulk"],
        ["--dry-run"],
    ],
    ids=lambda option: option[0],
)
def test_options_that_spark_does_not_heed_are_refused(seedrank, tmp_path, option):
    """Known before Spark is started."""
    links = parquet_files(tmp_path / "links", HOST_LINKS)
    store = f"spark+parquet:{tmp_path}/web.spark"
    refused = seedrank("--store", store, "load", "table", "--links", links, *option)
    assert (refused.code, refused.out) == (2, "")
    assert f"{option[0]} does not go with a folder that Spark writes" in refused.err
    assert not (tmp_path / "web.spark").exists()


def test_weights_are_refused_rather_than_lost(spark, seedrank, tmp_path):
    links = tmp_path / "links.parquet"
    pq.write_table(pa.table({"s": ["com.a"], "t": ["com.b"], "weight": [5.0]}), links)
    refused = seedrank("--store", f"spark+parquet:{tmp_path}/web.spark", "load", "table", "--links", links)
    assert refused.code == 1
    assert "has a column weight, and links that Spark numbers by name count once each" in refused.err
    assert not (tmp_path / "web.spark").exists()
