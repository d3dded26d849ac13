"""CDX and CDXJ: pages and status, from every form of their lines."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seedrank.core.errors import InputError
from seedrank.loaders.cdx import CdxSource
from tests.unit.loaders.archive_files import facts, loaded

CAPTURES = [
    ("http://a.example/", "text/html", "200", "-"),
    ("http://a.example/", "text/html", "404", "-"),
    ("http://a.example/gone", "text/html", "404", "-"),
    ("http://a.example/moved", "text/html", "302", "http://a.example/new"),
    ("http://a.example/i.png", "image/png", "200", "-"),
    ("http://a.example/p.pdf", "text/html", "500", "-"),
    ("http://a.example/again", "warc/revisit", "-", "-"),
    ("dns:a.example", "text/dns", "200", "-"),
]
FOUND = {
    "http://a.example/": ("crawled", {"type": "page"}),
    "http://a.example/gone": ("missing", {}),
    "http://a.example/moved": ("missing", {"redirect": "http://a.example/new"}),
    "http://a.example/new": ("frontier", {}),
    "http://a.example/i.png": ("crawled", {"type": "image"}),
    "http://a.example/p.pdf": ("frontier", {"type": "document"}),
    "http://a.example/again": ("frontier", {}),
}
LETTERS = {
    11: "N b a m s k r M S V g",
    10: "N b a m s k r M V g",
    9: "N b a m s k r V g",
    7: "N b a m s k S",
}


def lines(letters):
    values = {"N": "example,a)/", "b": "20240518", "k": "SHA", "M": "-", "S": "5", "V": "7", "g": "x.warc.gz", "d": "-"}
    return [
        " ".join({**values, "a": url, "m": mime, "s": status, "r": redirect}[letter] for letter in letters.split())
        for url, mime, status, redirect in CAPTURES
    ]


def read(tmp_path, text, form="cdx", **options):
    path = tmp_path / f"made.{form}"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    source = CdxSource([str(path)], form=form, **options)
    pages, links, _ = loaded(tmp_path, source)
    assert links == {}
    return facts(pages), source


@pytest.mark.slow
@pytest.mark.parametrize("count", LETTERS)
@pytest.mark.parametrize("header", [" CDX {}\n", "CDX {}\n", ""])
def test_columns(tmp_path, count, header):
    text = header.format(LETTERS[count]) + "\n".join(lines(LETTERS[count])) + "\n"
    found, source = read(tmp_path, text)
    expected = dict(FOUND)
    if "r" not in LETTERS[count].split():
        expected["http://a.example/moved"] = ("frontier", {})
        del expected["http://a.example/new"]
    assert found == expected
    assert source.broken.count == 0
    assert source.notes == [
        "an index knows pages and their status, not their links: load its archives for links",
        "lines of no web page left out (DNS, FTP): 1",
    ]


def test_fields_in_another_order_and_files_put_together(tmp_path):
    letters = "s a b m d"
    text = f" CDX {letters}\n" + "\n".join([*lines(letters), f" CDX {letters}", "", *lines(letters)]).replace(
        "\n", "\r\n"
    )
    found, source = read(tmp_path, text)
    assert found["http://a.example/i.png"] == ("crawled", {"type": "image"})
    assert source.broken.count == 0


def objects(**names):
    calls = {"url": "url", "mime": "mime", "status": "status", **names}
    made = []
    for url, mime, status, redirect in CAPTURES:
        fields = {calls["url"]: url, calls["mime"]: mime, "digest": "SHA", "languages": "eng", "nested": {"a": [1]}}
        if status != "-":
            fields[calls["status"]] = status
        if redirect != "-":
            fields["redirect"] = redirect
        made.append(fields)
    return made


def as_lines(made):
    return "".join(f"example,a)/ 20240518 {json.dumps(fields)}\n" for fields in made)


def test_objects(tmp_path):
    assert read(tmp_path, as_lines(objects()), "cdxj")[0] == FOUND
    assert (
        read(tmp_path, "!OpenWayback-CDXJ 1.0\n\n" + as_lines(objects(url="uri", mime="mct", status="hsc")), "cdxj")[0]
        == FOUND
    )
    numbers = [{**one, "status": int(one["status"])} if "status" in one else one for one in objects()]
    assert read(tmp_path, as_lines(numbers), "cdxj")[0] == FOUND


def test_broken_lines_are_counted_and_left_out(tmp_path):
    good = lines(LETTERS[9])
    found, source = read(tmp_path, "\n".join([*good[:3], "too few", *good[3:], good[0] + " more"]))
    assert found == FOUND
    assert source.broken.first == [f"{tmp_path}/made.cdx: line {line}: not 9 fields" for line in (4, 10)]
    with pytest.raises(InputError, match="line 4: not 9 fields"):
        read(tmp_path, "\n".join([*good[:3], "too few", *good[3:]]), strict=True)
    text = as_lines(objects())
    found, source = read(tmp_path, f'{text}no object\nk 1 {{"url": \nk 1 {{"mime": "x"}}\n', "cdxj")
    assert found == FOUND
    assert source.broken.first == [
        f"{tmp_path}/made.cdxj: line 9: no JSON object",
        f"{tmp_path}/made.cdxj: line 10: the JSON object cannot be read",
        f"{tmp_path}/made.cdxj: line 11: no URL",
    ]


def test_bytes_that_are_no_text_are_written_as_urls_write_them(tmp_path):
    line = b"k 1 http://a.example/\xe9 text/html 200 SHA 5\n"
    assert set(read(tmp_path, line)[0]) == {"http://a.example/%E9"}
    line = b'k 1 {"url": "http://a.example/\xe9", "status": "200"}\n'
    assert set(read(tmp_path, line, "cdxj")[0]) == {"http://a.example/%E9"}


@pytest.mark.parametrize(
    "form, text, wrong",
    [
        ("cdx", "", "is empty"),
        ("cdxj", "\n \n", "is empty"),
        ("cdx", "hello", "is not a CDX file .1 fields"),
        ("cdx", " CDX N b m s\n", "no field a, the URL"),
    ],
)
def test_what_is_no_index(tmp_path, form, text, wrong):
    with pytest.raises(InputError, match=wrong):
        read(tmp_path, text, form)


LINES = [*lines(LETTERS[9]), *as_lines(objects()).splitlines(), " CDX a", "{}", "{", "!x"]


@pytest.mark.slow
@settings(max_examples=150, derandomize=True)
@given(
    st.lists(st.one_of(st.sampled_from(LINES), st.text(st.sampled_from(' a{}":[]\0é\r'), max_size=12)), max_size=6),
    st.binary(max_size=4),
    st.sampled_from(["cdx", "cdxj"]),
)
def test_any_bytes_load_or_are_refused(tmp_path_factory, text, more, form):
    try:
        read(tmp_path_factory.mktemp("cdx"), "\n".join(text).encode() + more, form)
    except InputError as error:
        assert "\n" not in str(error)
