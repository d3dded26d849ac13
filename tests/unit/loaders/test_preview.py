"""A load tried on its first rows."""

from __future__ import annotations

import pyarrow as pa
import pytest

from seedrank.core.errors import InputError
from seedrank.ingest.dry_run import preview
from seedrank.loaders.arcs import ArcsSource
from seedrank.loaders.base import Batch, LoadOptions, Where, head
from seedrank.loaders.snap import SnapSource
from seedrank.loaders.table import TableSource


@pytest.fixture
def write(tmp_path):
    def write(name: str, text: str) -> str:
        (tmp_path / name).write_text(text)
        return str(tmp_path / name)

    return write


def test_the_first_rows_of_each_file(write, tmp_path):
    pages = write("p.csv", "url;popularity;kind\n" + "".join(f"http://a/{i};{i};x\n" for i in range(50)))
    links = write("l.tsv", "source\ttarget\n" + "http://a/1\thttp://a/1\nhttp://a/1\thttp://A/2\n" * 25)
    options = LoadOptions(map={"views": "popularity"})
    tried = preview(TableSource(pages=[pages], links=[links], options=options), options, rows=10, spool=tmp_path)
    assert tried.rows == 10
    assert tried.summary.counts == {
        "page rows": 10,
        "link rows": 10,
        "links dropped: to themselves": 5,
        "links merged": 4,
        "links new": 1,
        "pages new": 10,
    }
    assert tried.reads == [
        f"{pages}: pages, fields divided by semicolons, perhaps quoted, header in line 1; "
        "columns: url, popularity → views, kind (your own)",
        f"{links}: links, fields divided by tabs, header in line 1; columns: source, target",
    ]
    assert tried.summary.notes == [f"{pages}: fields divided by semicolons, perhaps quoted"]
    assert {name: str(kind) for name, kind in tried.columns.items()} == {"views": "double", "kind": "string"}
    assert tried.pages[1] == {
        "url": "http://a/1",
        "source_id": None,
        "status": "crawled",
        "views": 1.0,
        "kind": "x",
    }
    assert {path.name for path in tmp_path.iterdir()} == {"p.csv", "l.tsv"}


def test_links_by_id_to_later_pages_are_left_out_and_counted(write):
    pages = write("p.tsv", "id\n" + "".join(f"{i}\n" for i in range(50)))
    links = write("l.tsv", "source\ttarget\n1\t2\n1\t40\n2\t3\n")
    counts = preview(TableSource(pages=[pages], links=[links]), rows=10).summary.counts
    assert counts["links dropped: of pages after the first rows"] == 1
    assert counts["links new"] == 2
    assert preview(TableSource(pages=[pages], links=[links])).summary.counts["links new"] == 3


def test_an_id_that_no_page_has_is_an_error_where_all_pages_were_read(write):
    pages, links = write("p.tsv", "id\n1\n"), write("l.tsv", "source\ttarget\n1\t2\n")
    with pytest.raises(InputError, match="line 2, column target: no page has this id"):
        preview(TableSource(pages=[pages], links=[links]), rows=10)


def test_other_formats_stop_after_the_first_rows(write):
    source = SnapSource([write("g.txt", "".join(f"{i} {i + 1}\n" for i in range(100)))])
    tried = preview(source, rows=7)
    assert tried.summary.counts == {"link rows": 7, "links new": 7, "pages new": 8}
    assert tried.reads == []


def test_the_first_rows_of_each_kind(write):
    names = write("names.txt", "".join(f"http://a/{i}\n" for i in range(50)))
    arcs = write("g.arcs", "".join(f"{i}\t{(i * 7) % 50}\n" for i in range(50)))
    counts = preview(ArcsSource([arcs], names=names), rows=20).summary.counts
    assert (counts["page rows"], counts["pages new"]) == (20, 20)
    # Of the first 20 arcs, i -> 7i mod 50, those to pages 0 to 19; the first is a link to itself.
    kept = [i for i in range(20) if (i * 7) % 50 < 20]
    assert counts["links dropped: of pages after the first rows"] == 20 - len(kept)
    assert counts["links new"] == len(kept) - 1


def test_reading_ends_early():
    read = []

    def batches(kinds):
        for kind in kinds:
            read.append(kind)
            yield Batch(kind, pa.record_batch({"id": [1, 2, 3]}), Where("x"))

    def taken(kinds, **more):
        read.clear()
        return [batch.rows.num_rows for batch in head(batches(kinds), 4, **more)]

    assert (taken(["links"] * 9), len(read)) == ([3, 1], 2)
    assert (taken(["links"] * 9, further=3), len(read)) == ([3, 1], 5)
    assert (taken(["pages"] * 4 + ["links"] * 9, further=3), len(read)) == ([3, 1, 3, 1], 6)
    assert (taken(["pages", "links"] * 9, further=3), len(read)) == ([3, 3, 1, 1], 4)
