"""Lists of spam."""

from __future__ import annotations

import contextlib

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seedrank.core.errors import InputError
from seedrank.ingest.merge import Merge
from seedrank.loaders.base import Batch, LoadOptions, Where
from seedrank.loaders.spamlist import SpamListSource
from seedrank.loaders.table import TableSource
from tests.unit.loaders.spool_reference import Reference, Store

QUIET = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


@pytest.fixture
def write(tmp_path):
    def write(text: str | bytes, name: str = "spam.txt") -> str:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    return write


def read(file: str, **options) -> tuple[dict, SpamListSource]:
    """What the list says of hosts and URLs."""
    source = SpamListSource([file], **options)
    return {
        row.get("host", row.get("url")): row["spam"] for batch in source.batches() for row in batch.rows.to_pylist()
    }, source


def test_hosts_urls_and_labels(write):
    text = """\
host,label
# a comment
spam.example
SPAM.example:8080\tspam
  good.example   nonspam
b.example,normal
c.example;0.25
d.example 0
http://e.example/a,b
http://e.example/c,spam
http://e.example/d\tham
bücher.example\tTRUE
f.example undecided
g.example,?
"""
    found, source = read(write(text))
    assert found == {
        "spam.example": 1.0,
        "good.example": 0.0,
        "b.example": 0.0,
        "c.example": 0.25,
        "d.example": 0.0,
        "http://e.example/a,b": 1.0,
        "http://e.example/c": 1.0,
        "http://e.example/d": 0.0,
        "xn--bcher-kva.example": 1.0,
    }
    assert source.broken.count == 0
    assert source.notes == ["Skipped as undecided: 2."]


def test_fields_may_be_quoted(write):
    text = """\
"host","label"
"a.example"
"b.example","nonspam"
"http://e.example/a,b"
"http://e.example/c,d","0.5"
"f.example";"spam"
"g.example"\t"ham"
"""
    found, source = read(write(text))
    assert found == {
        "a.example": 1.0,
        "b.example": 0.0,
        "http://e.example/a,b": 1.0,
        "http://e.example/c,d": 0.5,
        "f.example": 1.0,
        "g.example": 0.0,
    }
    assert source.broken.count == 0


def test_broken_lines_are_counted(write):
    file = write("a.example\nb.example maybe\nc.example 2\na b c\nd example\n[\ne@f.example\ng?h\n")
    found, source = read(file)
    assert found == {"a.example": 1.0}
    assert source.broken.count == 7
    assert source.broken.first == [
        *(f"{file}: line {line}: has an unknown label" for line in (2, 3, 4, 5)),
        f"{file}: line 6: is not a host",
    ]
    with pytest.raises(InputError, match="line 2: has an unknown label"):
        read(file, strict=True)
    for text in ("", "# nothing\n", "a b c\n"):
        with pytest.raises(InputError, match="no host or URL"):
            read(write(text))


def load(store, source, folder, **options):
    with Merge(folder / "spool", LoadOptions(**options), store) as spool:
        for batch in source.batches():
            spool.add(batch)
        changes, summary = spool.finish()
        store.apply(changes)
        return changes, summary.counts


@pytest.fixture
def store(write, tmp_path):
    store = Store()
    pages = (
        "http://a.example/\nhttps://a.example/x\nhttp://www.a.example/\nhttp://x.www.a.example/\nhttp://b.example/\n"
    )
    load(store, TableSource(pages=[write(f"url\n{pages}", "pages.tsv")]), tmp_path)
    return store


def spam(store) -> list[float | None]:
    return [page.values.get("spam") for page in store.pages]


def test_labels_reach_the_pages_of_the_store(store, write, tmp_path):
    file = write("A.example\nnowhere.example\nhttps://a.example/x nonspam\nhttp://nowhere.example/\n")
    _, counts = load(store, SpamListSource([file]), tmp_path)
    assert spam(store) == [1.0, 0.0, None, None, None]
    assert len(store.pages) == 5
    assert counts == {
        "label rows": 4,
        "labels dropped: unknown page": 1,
        "labels dropped: unknown host": 1,
        "pages changed": 2,
    }
    assert load(store, SpamListSource([file]), tmp_path)[0].empty


def test_labels_of_subdomains(store, write, tmp_path):
    file = write("example\na.example\nwww.a.example nonspam\n")
    load(store, SpamListSource([file], subdomains=True), tmp_path)
    assert spam(store) == [1.0, 1.0, 0.0, 0.0, 1.0]


def test_pages_that_come_later_get_their_label_when_the_list_is_loaded_again(store, write, tmp_path):
    file = write("a.example\n")
    load(store, SpamListSource([file]), tmp_path)
    load(store, TableSource(pages=[write("url\nhttp://a.example/new\n", "more.tsv")]), tmp_path)
    assert spam(store)[-1] is None
    load(store, SpamListSource([file]), tmp_path)
    assert spam(store)[-1] == 1.0


names = st.sampled_from(["a.example", "b.a.example", "c.b.a.example", "d.example", "example"])
labels = st.tuples(names, st.booleans(), st.sampled_from([0.0, 1.0]))


@pytest.mark.slow
@settings(max_examples=100, deadline=None, derandomize=True, suppress_health_check=QUIET)
@given(rows=st.lists(labels, min_size=1, max_size=6), hosts=st.lists(names, min_size=1, max_size=5))
def test_the_nearest_label_counts(tmp_path, rows, hosts):
    pages = pa.record_batch({"url": [f"http://{host}/{number}" for number, host in enumerate(hosts)]})
    said = dict(zip(("host", "below", "spam"), map(list, zip(*rows, strict=True)), strict=True))
    batches = [Batch("pages", pages, Where("p")), Batch("labels", pa.record_batch(said), Where("s"))]
    expected = Reference(Store(), LoadOptions()).run(batches)
    store = Store()
    with Merge(tmp_path / "spool", LoadOptions(), store) as spool:
        for batch in batches:
            spool.add(batch)
        store.apply(spool.finish()[0])
    assert spam(store) == spam(expected)


@pytest.mark.slow
@settings(max_examples=100, deadline=None, derandomize=True, suppress_health_check=QUIET)
@given(data=st.binary(max_size=60) | st.text("ab.:/ ,\t\n#[]1?@\\", max_size=60).map(str.encode), below=st.booleans())
def test_any_bytes_load_or_are_refused(tmp_path, data, below):
    path = tmp_path / "spam.txt"
    path.write_bytes(data)
    with contextlib.suppress(InputError):
        load(Store(), SpamListSource([str(path)], subdomains=below), tmp_path)


def test_every_file_must_hold_something(write):
    undecided, empty = write("a.example undecided\n", "undecided.txt"), write("# nothing\n", "empty.txt")
    assert not list(SpamListSource([undecided]).batches())
    for files in ([undecided, empty], [empty, undecided]):
        with pytest.raises(InputError, match=r"empty\.txt: no host or URL"):
            list(SpamListSource(files).batches())


def test_rows_that_stay_keep_their_places():
    where = Where("made.warc", lines=np.array([0, 90, 400]), unit="byte")
    batch = Batch("pages", pa.record_batch({"url": ["a", "b", "c"]}), where)
    assert batch.filter(np.array([False, True, True])).where.place(0) == where.place(1) == "made.warc, byte 90"
