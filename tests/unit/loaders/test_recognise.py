"""Formats told by content: every format's own sample, real files, and what looks like nothing."""

from __future__ import annotations

import contextlib
import gzip

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seedrank.core.errors import InputError, UsageError
from seedrank.loaders.formats import FORMATS, source_of
from seedrank.loaders.recognise import recognise, recognised_source

LOG = '1.2.3.4 - - [17/May/2015:10:05:03 +0000] "GET /a.html HTTP/1.1" 200 12 "-" "Firefox"\n'
HERITRIX = (
    "2024-01-31T12:00:00.000Z   200       5217 http://a.example/ - - text/html #001 "
    "20240131120000000+12 sha1:AAAA - -\n"
)
SAMPLES = {
    "heritrix-log": HERITRIX,
    "access-log": LOG,
    "cdx": " CDX N b a m s k r M S V g\n",
    "cdxj": 'org,example)/ 20140102030405 {"url": "http://example.org/"}\n',
    "nutch-crawldb": "Url,Status code,Status name,Fetch Time\n",
    "nutch-linkdb": "http://a.example/\tInlinks:\n fromUrl: http://b.example/ anchor: x\n",
    "nutch-segment": "Recno:: 0\nURL:: http://a.example/\n",
    "clickstream": "Main_Page\tCat\tlink\t12\n",
    "cc-webgraph": "0\tcom.example\n1\torg.example.www\n",
    "adjacency": "3\n1 2\n\n0\n",
    "snap": "# Nodes: 2\n0\t1\n",
    "query-clicks": "how to\thttp://a.example/\t3\n",
    "warc": "WARC/1.0\r\nWARC-Type: warcinfo\r\n",
    "table:pages": "url,views\nhttp://a.example/,3\n",
    "table:links": "source;target;weight\n1;2;3\n",
    "table:hosts": "host\timportance\na.example\t3\n",
    "table:queries": '{"query": "a", "freq": 3}\n',
    "table:results": "query,url,rank\na,http://a.example/,1\n",
    "table:events": "time,url,clicks\n2024-01-31,http://a.example/,1\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("format", SAMPLES)
@pytest.mark.parametrize("packed", [False, True])
def test_a_sample_of_each(tmp_path, format, packed):
    file = tmp_path / ("sample.gz" if packed else "sample")
    data = SAMPLES[format].encode()
    file.write_bytes(gzip.compress(data) if packed else data)
    assert recognise(str(file)) == format


def test_links_between_hosts_and_parquet(tmp_path):
    (tmp_path / "hosts.csv").write_text("src_host,dst_host,links\na.example,b.example,3\n")
    pq.write_table(pa.table({"source": ["a"], "target": ["b"]}), tmp_path / "links.parquet")
    assert recognise(str(tmp_path / "hosts.csv")) == recognise(str(tmp_path / "links.parquet")) == "table:links"


@pytest.mark.parametrize(
    "header",
    [
        "time\tsession\tquery\tresult_rank\tclick_order\turl\thost",
        "AnonID\tQuery\tQueryTime\tItemRank\tClickURL",
    ],
)
def test_a_log_of_clicks_is_no_table(tmp_path, header):
    """It has a time, a query and a URL: more than tables of events, results or queries have."""
    (tmp_path / "log.tsv").write_text(f"{header}\n")
    assert recognise(str(tmp_path / "log.tsv")) == "query-clicks"


def test_folders(tmp_path):
    (tmp_path / "site" / "docs").mkdir(parents=True)
    (tmp_path / "site" / "docs" / "index.html").write_text("<p>")
    (tmp_path / "segments" / "20240131" / "parse_data").mkdir(parents=True)
    (tmp_path / "empty").mkdir()
    assert recognise(str(tmp_path / "site")) == "html"
    assert recognise(str(tmp_path / "segments")) == "nutch-segment"
    with pytest.raises(InputError, match="holds nothing that is known"):
        recognise(str(tmp_path / "empty"))


REAL = {
    "warc": ["warc-samples/aut-example.warc.gz", "warc-samples/aut-example.arc.gz", "warc-samples/pywb-iana.warc.gz"],
    "wat": ["warc-samples/cc-whirlwind.warc.wat.gz"],
    "cdx": ["warc-samples/pywb-iana.cdx"],
    "cdxj": ["warc-samples/pywb-iana.cdxj"],
    "bvgraph": ["cnr-2000/cnr-2000", "cnr-2000/cnr-2000.graph"],
    "adjacency": ["cnr-2000/cnr-2000.graph-txt.gz"],
    "snap": ["web-NotreDame/web-NotreDame.txt.gz"],
    "query-clicks": ["sogouq-sample/sogouq_sample_clicks.tsv.gz"],
    "table:pages": ["debian-docs/pages.tsv.gz", "javadoc-2versions/new.pages.tsv.gz"],
    "table:links": ["debian-docs/links.tsv.gz", "asf-web-2snapshots/2024-10-31.links.tsv.gz"],
}


@pytest.mark.slow
@pytest.mark.parametrize(("format", "file"), [(format, file) for format, files in REAL.items() for file in files])
def test_real_files(shared_data, format, file):
    folder, _, name = file.partition("/")
    assert recognise(str(shared_data(folder) / name)) == format


def test_tables_of_several_kinds_are_one_source(tmp_path):
    (tmp_path / "p.csv").write_text(SAMPLES["table:pages"])
    (tmp_path / "l.csv").write_text("source,target\nhttp://a.example/,http://b.example/\n")
    source = recognised_source([tmp_path / "l.csv", tmp_path / "p.csv"])
    assert [batch.kind for batch in source.batches()] == ["pages", "links"]


def test_what_it_was_taken_for_is_said(tmp_path):
    (tmp_path / "edges").write_text(SAMPLES["snap"])
    source = recognised_source([tmp_path / "edges"])
    assert source.notes[0] == f"took {tmp_path / 'edges'} for an edge list of numbers (snap)"


def test_several_formats_are_refused(tmp_path):
    (tmp_path / "edges").write_text(SAMPLES["snap"])
    (tmp_path / "log").write_text(LOG)
    with pytest.raises(UsageError, match=r"several formats: .*edges is an edge list of numbers, .*log is a server's"):
        recognised_source([tmp_path / "edges", tmp_path / "log"])
    with pytest.raises(UsageError, match="standard input can be read only once"):
        recognise("-")


@pytest.mark.slow
@settings(max_examples=150, deadline=None, derandomize=True)
@given(data=st.binary(max_size=200))
def test_any_bytes_are_recognised_or_refused(tmp_path_factory, data):
    file = tmp_path_factory.mktemp("any") / "file"
    file.write_bytes(data)
    with contextlib.suppress(InputError):
        assert recognise(str(file)).split(":")[0] in {"table", *FORMATS}


def test_every_format_has_a_loader_and_a_command(tmp_path):
    import typer

    from seedrank.cli.main import command

    group = typer.main.get_command(__import__("seedrank.cli.main", fromlist=["app"]).app)
    load = group.get_command(typer.Context(command()), "load")
    assert set(FORMATS) | {"table", "auto"} == set(load.commands)
    with pytest.raises(UsageError, match="unknown format 'nonsense'"):
        source_of("nonsense", [])
