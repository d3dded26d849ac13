"""Visits of pages from tables and from recordings."""

from __future__ import annotations

import base64
import gzip
import hashlib

import pytest

from seedrank.core.errors import InputError
from seedrank.loaders.visits import NO_TIME, recorded_visits, visit_rows
from tests.unit.loaders.archive_files import ARC_HEAD, arc_record, html, http, warc_record
from tests.unit.loaders.archive_files import write as write_archive

A, B = "http://a.example/", "http://b.example/"
MAY = 1_715_997_490
"""2024-05-18T01:58:10Z, the time of made records."""


def table(tmp_path, text, name="visits.csv"):
    path = tmp_path / name
    path.write_text(text)
    [rows] = visit_rows([str(path)])
    return rows


def recorded(*files):
    """URL, time, digest and lastmod of every visit."""
    return [
        (url, time, digest, lastmod)
        for rows in recorded_visits(list(map(str, files)))
        for url, time, digest, lastmod in zip(
            rows.keys.to_pylist(), rows.time.tolist(), rows.digest.to_pylist(), rows.lastmod.tolist(), strict=True
        )
    ]


def test_a_table_has_urls_times_and_what_changed(tmp_path):
    rows = table(
        tmp_path,
        "url,time,changed,digest,lastmod\n"
        f"{A},2024-05-18T01:58:10Z,true,sha1:ABC,2024-05-17\n{A},20240519,0,ABC,\n{B},1715997490,,-,1715997000\n",
    )
    assert rows.keys.to_pylist() == [A, A, B]
    assert rows.time.tolist() == [MAY, 1_716_076_800, MAY]
    assert rows.changed.tolist() == [1, 0, -1]
    assert rows.digest.to_pylist() == ["ABC", "ABC", None]
    assert rows.lastmod.tolist() == [1_715_904_000, NO_TIME, 1_715_997_000]


def test_a_table_may_name_pages_by_id_and_be_json(tmp_path):
    rows = table(tmp_path, '{"id": 7, "time": "2024-05-18", "changed": true}\n', "visits.jsonl")
    assert (rows.keys.to_pylist(), rows.changed.tolist()) == ([7], [1])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"url,changed\n{A},1\n", "has no column time; a row is a visit"),
        (f"url,time\n{A},2024-05-18\n", "has no column changed; a row is a visit"),
        (f"url,time,changed\n{A},,1\n", "line 2, column time: is empty"),
        (f"url,time,changed\n{A},yesterday,1\n", "line 2, column time: is not a time: 'yesterday'"),
        (f"url,time,changed\n{A},1950-01-01,1\n", "line 2, column time: is no time of a crawl: '1950-01-01"),
        (f"url,time,changed\n{A},2024-05-18,maybe\n", "column changed: is neither true or false nor a number"),
        (f"url,time,lastmod\n{A},2024-05-18,2300-01-01\n", "column lastmod: is no time of a crawl"),
    ],
)
def test_what_is_wrong_with_a_table_is_told_with_its_line(tmp_path, text, told):
    with pytest.raises(InputError) as caught:
        table(tmp_path, text)
    assert told in str(caught.value)


def test_cdx_lines_are_visits_where_the_page_was_there(tmp_path):
    path = tmp_path / "index.cdx"
    path.write_text(
        " CDX N b a m s k r M S V g\n"
        f"k 20240518015810 {A} text/html 200 ABC - - 9 9 f\n"
        f"k 20240519015810 {A} warc/revisit - ABC - - 9 9 f\n"
        f"k 20240520015810 {A} text/html 404 DEF - - 9 9 f\n"
        f"k 20240521 {A} text/html 200 DEF - - 9 9 f\n"
        f"k 20249918015810 {A} text/html 200 DEF - - 9 9 f\n"
        f"k 20240522015810 dns:a.example text/dns 200 DEF - - 9 9 f\n"
        f"k 20240523015810 {B} text/html 200 - - - 9 9 f\n"
    )
    assert recorded(path) == [
        (A, MAY, "ABC", NO_TIME),
        (A, MAY + 86_400, "ABC", NO_TIME),
        (B, MAY + 5 * 86_400, None, NO_TIME),
    ]


def test_cdxj_lines_have_their_time_before_the_object(tmp_path):
    path = tmp_path / "index.cdxj"
    path.write_text(
        f'example,a)/ 20240518015810 {{"url": "{A}", "status": "200", "digest": "sha1:ABC"}}\n'
        f'example,b)/ 20240518015810 {{"url": "{B}", "status": 200, "digest": 7, "length": [1]}}\n'
        "example,c)/ 20240518015810 {broken\n"
        f'example,b)/ 20240519015810 {{"url": "{B}", "status": "200", "sha": "DEF"}}\n'
    )
    assert recorded(path) == [
        (A, MAY, "ABC", NO_TIME), (B, MAY, "7", NO_TIME), (B, MAY + 86_400, "DEF", NO_TIME),
    ]  # fmt: skip


def test_warc_records_have_digests_and_the_date_of_the_server(tmp_path):
    length = b"Content-Length"
    named = warc_record(A, html("one")).replace(length, b"WARC-Payload-Digest: sha1:ABC\r\n" + length, 1)
    dated = warc_record(B, html("two", Last_Modified="Fri, 17 May 2024 00:00:00 GMT"))
    gone, wrong = warc_record(A, http(404)), warc_record(A, html("x", Last_Modified="yesterday"))
    other = warc_record("dns:a", b"", kind="resource")
    path = write_archive(tmp_path / "a.warc.gz", [named, dated, gone, wrong, other])

    def digest(body):
        return base64.b32encode(hashlib.sha1(body).digest()).decode()

    assert recorded(path) == [
        (A, MAY, "ABC", NO_TIME), (B, MAY, digest(b"two"), 1_715_904_000), (A, MAY, digest(b"x"), NO_TIME),
    ]  # fmt: skip


def test_arc_records_are_visits(tmp_path):
    path = tmp_path / "a.arc.gz"
    path.write_bytes(b"".join(gzip.compress(one) for one in (ARC_HEAD, arc_record(A, html("one")))))
    [(url, time, _, lastmod)] = recorded(path)
    assert (url, time, lastmod) == (A, MAY, NO_TIME)


def test_a_recording_that_is_cut_off_gives_what_there_is(tmp_path):
    path = tmp_path / "a.warc"
    path.write_bytes((warc_record(A, html("one")) + warc_record(B, html("two")))[:-6])
    assert [row[0] for row in recorded(path)] == [A]


def test_what_is_no_recording_is_refused(tmp_path):
    path = tmp_path / "pages.csv"
    path.write_text(f"url,time\n{A},2024\n")
    with pytest.raises(InputError, match=r"is no recording of captures \(table:events\); give CDX"):
        recorded(path)
