"""Tables of links between hosts and domains."""

from __future__ import annotations

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from seedrank.core.errors import InputError, StoreError, UsageError
from seedrank.loaders.base import Batch, LoadOptions, Where
from seedrank.loaders.frames import FrameSource
from seedrank.loaders.layout import Layout
from seedrank.loaders.levels import level_of
from seedrank.loaders.nodes import as_pages, check_level, check_options
from seedrank.loaders.table import TableSource
from tests.unit.loaders.nodes import loaded

LINKS = "src_host,dst_host,weight\na.example,b.example,3\nB.example,c.example,2\na.example,b.example,1\n"


@pytest.fixture
def write(tmp_path):
    folder = tmp_path / "files"
    folder.mkdir()

    def write(name: str, text: str) -> str:
        (folder / name).write_text(text)
        return str(folder / name)

    return write


@pytest.mark.parametrize(
    ("header", "level"),
    [
        ("src_host,dst_host", "host"),
        ("source_host,target_host", "host"),
        ("From Host,To-Host,links", "host"),
        ("crawl_date,src_domain,dest_domain,count", "domain"),
        ("source,target,src_host,dst_host", "page"),
        ("src,dst", "page"),
    ],
)
def test_columns_tell_the_level(header, level):
    layout = Layout.of("links", header.split(","), file="links.csv")
    assert level_of(layout) == level
    assert {"source", "target"} <= set(layout.kept.values())


@pytest.mark.parametrize("header", ["src_host,dst_domain", "src_host", "src_host,source_host"])
def test_columns_that_tell_none_are_refused(header):
    with pytest.raises(InputError, match="links need source and target"):
        Layout.of("links", header.split(","), file="links.csv")


def test_hosts_are_pages_at_their_address(write, tmp_path):
    source = TableSource(links=[write("links.csv", LINKS)])
    found = loaded(source, tmp_path)
    assert source.level == "host"
    assert {url: node["status"] for url, node in found.nodes.items()} == {
        "http://a.example/": "crawled",
        "http://b.example/": "crawled",
        "http://c.example/": "frontier",
    }
    assert found.links == {
        ("http://a.example/", "http://b.example/"): 4.0,
        ("http://b.example/", "http://c.example/"): 2.0,
    }


def test_columns_of_hosts_are_columns_of_these_nodes_where_names_match(write, tmp_path):
    hosts = write(
        "hosts.csv", "host,importance,spam,pages,id\nA.example,5,true,70,9\nb.example,,false,3,8\nz.example,1,,,7\n"
    )
    found = loaded(TableSource(hosts=[hosts], links=[write("links.csv", LINKS)]), tmp_path)
    assert set(found.nodes) == {"http://a.example/", "http://b.example/", "http://c.example/"}
    kept = {url: (node["importance"], node["spam"], node["pages"]) for url, node in found.nodes.items()}
    assert kept == {
        "http://a.example/": (5, 1.0, 70),
        "http://b.example/": (None, 0.0, 3),
        "http://c.example/": (None, None, None),
    }
    assert found.summary.counts["column rows"] == 3
    assert found.summary.counts["column rows dropped: not in the graph"] == 1


def test_pages_beside_links_between_hosts_are_hosts(write, tmp_path):
    """What `export csv` writes of such a graph: hosts without links are kept."""
    pages = write(
        "pages.csv", "id,url,host,status\n7,http://a.example/,a.example,missing\n9,http://d.example/,,frontier\n"
    )
    found = loaded(TableSource(pages=[pages], links=[write("links.csv", LINKS)]), tmp_path)
    assert found.nodes["http://a.example/"]["source_id"] == 7
    assert found.nodes["http://a.example/"]["status"] == "missing"
    assert found.nodes["http://d.example/"]["status"] == "frontier"
    assert len(found.nodes) == 4


def test_names_without_a_header(write, tmp_path):
    source = TableSource(
        links=[write("l.tsv", "a.example\tb.example\n")], columns={"links": ["src_domain", "dst_domain"]}
    )
    assert set(loaded(source, tmp_path).nodes) == {"http://a.example/", "http://b.example/"}
    assert source.level == "domain"


def test_what_is_no_name_is_left_out_and_listed(write, tmp_path):
    links = write("links.csv", "src_host,dst_host\na.example,b.example\na.example,b.example/x\n12,a.example\n")
    found = loaded(TableSource(links=[links]), tmp_path)
    assert len(found.links) == 1
    assert found.summary.counts["links dropped: unparsable URL"] == 2
    assert sorted(found.summary.unparsable) == [f"{links}, line 3: 'b.example/x'", f"{links}, line 4: '12'"]


def test_parquet_and_frames_have_levels_too(tmp_path):
    table = pa.table({"src_domain": ["a.example"], "dest_domain": ["b.example"], "count": [2]})
    pq.write_table(table, tmp_path / "links.parquet")
    wanted = {("http://a.example/", "http://b.example/"): 2.0}
    spool = tmp_path / "spool"
    spool.mkdir()
    for source in (
        TableSource(links=[str(tmp_path / "links.parquet")]),
        FrameSource({"links": table}),
        FrameSource({"hosts": pd.DataFrame({"host": ["a.example"], "x": [1]}), "links": table.to_pandas()}),
    ):
        found = loaded(source, spool)
        assert (source.level, found.links) == ("domain", wanted)


def test_two_levels_in_one_load(write, tmp_path):
    files = [write("a.csv", LINKS), write("b.csv", "source,target\nhttp://a.example/,http://b.example/\n")]
    with pytest.raises(InputError, match=r"b.csv: links are between pages, those of .*a.csv between hosts"):
        loaded(TableSource(links=files), tmp_path)


def test_a_store_has_one_level():
    check_level("host", None, "web.duckdb")
    check_level("host", "host", "web.duckdb")
    with pytest.raises(StoreError) as caught:
        check_level("host", "page", "{web}.duckdb")
    assert str(caught.value) == (
        '{web}.duckdb holds pages, and this input holds hosts; load it into a store of its own: store="hosts.duckdb"'
    )


def test_a_prefix_is_for_pages():
    check_options("page", LoadOptions(url_prefix="http://a.example/"))
    with pytest.raises(UsageError, match="url_prefix goes with pages, and the input is of domains"):
        check_options("domain", LoadOptions(url_prefix="http://a.example/"))


def test_rows_by_id_and_of_searches_stay():
    for kind, columns in (("links", {"source": [1], "target": [2]}), ("queries", {"query": ["a.example"]})):
        batch = Batch(kind, pa.record_batch(columns), Where("f"))
        assert as_pages(batch, "host").rows.equals(batch.rows)


def test_a_wrong_value_of_a_host_is_named(write, tmp_path):
    hosts = write("hosts.csv", "host,clicks\na.example,-1\n")
    with pytest.raises(InputError, match=r"hosts.csv, line 2, column clicks: is negative: -1"):
        loaded(TableSource(hosts=[hosts], links=[write("links.csv", LINKS)]), tmp_path)
