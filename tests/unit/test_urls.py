"""URLs in whole arrays, against a parser that sees them one by one."""

from __future__ import annotations

import ada_url
import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seedrank.core.urls import certainly_normal, fold_variants, hosts, normalise, registered_domain


def reference(url: str | None) -> str | None:
    """The parser's own word: every part set through its interface."""
    if url is None:
        return None
    try:
        parsed = ada_url.URL(url)
    except ValueError:
        return None
    if parsed.protocol not in ("http:", "https:"):
        return None
    parsed.username = ""
    parsed.password = ""
    parsed.hash = ""
    return parsed.href


def passed_at_once(urls: list[str]) -> np.ndarray:
    return certainly_normal(pa.array(urls, pa.string()))


def check(urls: list[str | None]) -> None:
    normal, ok = normalise(pa.array(urls, pa.string()))
    expected = [reference(url) for url in urls]
    assert normal.to_pylist() == expected
    assert ok.tolist() == [url is not None for url in expected]


TRICKY = [
    "HTTP://example.org/",
    "http://EXAMPLE.org/",
    "http://example.org",
    "http://example.org?q",
    "http://example.org#f",
    "http://example.org/#f",
    "http://example.org:80/",
    "https://example.org:443/",
    "http://example.org:443/",
    "http://example.org:/",
    "http://example.org:0/",
    "http://example.org:08080/",
    "http://example.org:65535/",
    "http://example.org:65536/",
    "http://example.org:99999999999999999999/",
    "http://example.org:8a/",
    "http://example.org/a/../b",
    "http://example.org/a/./b",
    "http://example.org/a/..",
    "http://example.org/a/.",
    "http://example.org/..",
    "http://example.org/...",
    "http://example.org/.well-known/x",
    "http://example.org/..x",
    "http://example.org/a/%2e%2E/b",
    "http://example.org/a/%2e",
    "http://example.org/a/.%2e?x",
    "http://example.org/a/%2ex",
    "http://example.org/a/%2",
    "http://example.org/?a/../b",
    "http://example.org/a?b/./c",
    "http://example.org//a//",
    "http://example.org/a b",
    " http://example.org/",
    "http://example.org/ ",
    "http://example.org/\t",
    "http://exa\nmple.org/",
    "http://example.org/a\x00b",
    "http://example.org/\x7f",
    "http://example.org/é",
    "http://example.org/?é",
    "http://éxample.org/",
    "http://example.org\\a",
    "http://example.org/a\\b",
    "http:\\\\example.org/",
    "http:/example.org/",
    "http:example.org",
    "http:///example.org/",
    "http://0x7f.1/",
    "http://1.2.3/",
    "http://1.2.3.4/",
    "http://1.2.3.256/",
    "http://256/",
    "http://a.b.1/",
    "http://a.0x1/",
    "http://a.1x/",
    "http://a.0x/",
    "http://1a/",
    "http://a.b./",
    "http://a..b/",
    "http://.a/",
    "http://-a-.b-/",
    "http://a_b.org/",
    "http://xn--/",
    "http://xn--a/",
    "http://xn--bcher-kva.example/",
    "http://a.xn--zzzz-zzz/",
    "http://axn--b.org/",
    "http://ab--c.org/",
    "http://XN--bcher-kva.example/",
    "http:///",
    "http://",
    "http:",
    "https://:80/",
    "http://[::1]/",
    "http://[::1]:8080/x",
    "http://[0:0::1]/",
    "http://[::1/",
    "http://user@example.org/",
    "http://user:pw@example.org/",
    "http://:pw@example.org:81/@",
    "http://@example.org/",
    "http://a@b@example.org/",
    "http://example.org/a@b",
    "http://example.org/?a@b#c@d",
    "http://example.org/%zz%",
    "http://example.org/?",
    "http://example.org/??",
    "http://example.org/?#",
    "http://exam%70le.org/",
    "http://example.org%2f/",
    "http://a<b/",
    "http://a|b/",
    "ftp://example.org/",
    "mailto:a@b",
    "javascript:void(0)",
    "data:text/html,<p>",
    "file:///etc/passwd",
    "ws://example.org/",
    "httpx://example.org/",
    "https//example.org/",
    "example.org/",
    "/a",
    "",
    "http://" + "a" * 300 + ".org/",
    "http://" + "a." * 200 + "org/",
    "http://example.org/" + "a" * 70000,
]


@pytest.mark.parametrize("url", TRICKY)
def test_tricky_urls_are_what_the_parser_makes_of_them(url):
    check([url])


@pytest.mark.parametrize("template", ["http://example.org/a{}b", "http://example.org/?a{}b", "http://a{}b.org/", "{}"])
def test_every_character_is_treated_as_the_parser_does(template):
    check([template.format(chr(code)) for code in [*range(256), 0x2028, 0x1F600, 0xFF0E]])


def test_usual_urls_pass_without_the_parser():
    usual = [
        "http://a/",
        "https://www.example.org/a/b.html?c=d&e=%20(f)",
        "http://example.org:8080/~user/",
        "https://en.wikipedia.org/wiki/%C3%85land",
        "https://a-b.c_d.example/.well-known/...",
    ]
    assert passed_at_once(usual).all()


HOST = st.text(alphabet="abx019.-_nX%é:[]@", max_size=12) | st.sampled_from(
    ["example.org", "xn--bcher-kva.de", "1.2.3", "0x7f.1", "127.0.0.1", "[::1]", "localhost", "a.0x1", "www.a.b"]
)
PORT = st.sampled_from(["", "", ":80", ":443", ":8080", ":", ":0", ":00080", ":65536"])
SEGMENT = st.text(alphabet="ab.%2eE~!$&'()*+,;=:@|[]{}^`\"<> \\#?é\t", max_size=6) | st.sampled_from(
    [".", "..", "%2e", "%2E.", "...", "index.html", ""]
)
URL = st.builds(
    lambda scheme, user, host, port, path, query, fragment: (
        f"{scheme}{user}{host}{port}{''.join('/' + segment for segment in path)}{query}{fragment}"
    ),
    st.sampled_from(["http://", "https://", "http://", "https://", "HTTP://", "http:/", "ftp://", "", " https://"]),
    st.sampled_from(["", "", "", "u@", "u:p@", "@"]),
    HOST,
    PORT,
    st.lists(SEGMENT, max_size=4),
    st.text(alphabet="ab&=?/.'\"<>#%{}|^`\\ é", max_size=5).map(lambda text: text and "?" + text),
    st.sampled_from(["", "", "#", "#f"]),
)


@pytest.mark.slow
@settings(max_examples=500, deadline=None)
@given(st.lists(URL | st.none() | st.text(), max_size=20))
def test_arrays_equal_the_parser_one_by_one(urls):
    urls = [url if url is None else url.encode(errors="ignore").decode() for url in urls]
    check(urls)
    texts = [url for url in urls if url is not None]
    for url, passed in zip(texts, passed_at_once(texts), strict=True):
        assert not passed or reference(url) == url


def test_slices_and_large_strings_are_read_in_place():
    urls = [None, "http://a/#x", "http://b/", "nothing", "HTTPS://C", "http://d/"] * 3
    for kind in (pa.string(), pa.large_string()):
        array = pa.array(urls, kind)[3:11]
        normal, ok = normalise(array)
        assert normal.to_pylist() == [reference(url) for url in urls[3:11]]
        assert normal.type == kind
        assert ok.sum() == normal.is_valid().true_count
        assert hosts(normal).to_pylist() == [url and url.split("/")[2] for url in normal.to_pylist()]
    normal, ok = normalise(pa.array([], pa.string()))
    assert len(normal) == len(ok) == len(hosts(normal)) == len(fold_variants(normal)) == 0
    normal, ok = normalise(pa.nulls(3, pa.string()))
    assert normal.null_count == 3
    assert not ok.any()


def test_hosts():
    cases = {
        "http://example.org/": "example.org",
        "http://example.org:8080/a:b@c": "example.org",
        "https://[::1]:8080/": "[::1]",
        "https://[::1]/": "[::1]",
        "http://User:pw@Example.ORG?x": "example.org",
        "http://a#b.c": "a",
        "http://a": "a",
        "http:///x": None,
        "http://:80/": None,
        "mailto:a@b": None,
        "a/b://c/": None,
        "": None,
    }
    assert hosts(pa.array(list(cases))).to_pylist() == list(cases.values())


@pytest.mark.slow
@settings(deadline=None)
@given(st.lists(URL, max_size=20))
def test_hosts_of_normal_urls_are_the_parsers(urls):
    normal, _ = normalise(pa.array(urls, pa.string()))
    expected = [None if url is None else ada_url.URL(url).hostname for url in normal.to_pylist()]
    assert hosts(normal).to_pylist() == expected


def test_variants_fold_into_one_key():
    variants = [
        "http://example.org/x",
        "https://example.org/x",
        "http://www.example.org/x",
        "https://www.example.org/x",
    ]
    assert set(fold_variants(pa.array(variants)).to_pylist()) == {"https://example.org/x"}
    cases = {
        "http://www.com/": "https://www.com/",
        "http://www./": "https://www./",
        "http://www2.example.org/": "https://www2.example.org/",
        "https://example.org/http://www.b.c/": "https://example.org/http://www.b.c/",
        "http://www.a/b.c": "https://www.a/b.c",
        "http://www.www.a.b/": "https://www.a.b/",
        "ftp://www.a.b/": "ftp://www.a.b/",
        "http:": "http:",
    }
    assert fold_variants(pa.array([*cases, None])).to_pylist() == [*cases.values(), None]


def test_registered_domains():
    cases = {
        "news.bbc.co.uk": "bbc.co.uk",
        "bbc.co.uk": "bbc.co.uk",
        "co.uk": "co.uk",
        "a.b.example.org": "example.org",
        "someone.github.io": "someone.github.io",
        "localhost": "localhost",
        "192.168.10.7": "192.168.10.7",
        "[::1]": "[::1]",
        "www.xn--bcher-kva.de": "xn--bcher-kva.de",
        "www.example.org.": "example.org",
    }
    got = registered_domain(pa.array([*cases, None, *cases]))
    assert got.to_pylist() == [*cases.values(), None, *cases.values()]


@pytest.mark.slow
def test_real_urls(shared_data):
    file = shared_data("asf-web-2snapshots") / "2024-10-31.pages.tsv.gz"
    table = pa_csv.read_csv(file, parse_options=pa_csv.ParseOptions(delimiter="\t", quote_char=False))
    urls = table["url"].combine_chunks()
    normal, ok = normalise(urls)
    assert (~ok).sum() == 22
    assert len(normal.drop_null().unique()) == 202_240
    assert passed_at_once(urls.to_pylist()).mean() > 0.99
    sample = urls.to_pylist()[::97]
    assert normal.to_pylist()[::97] == [reference(url) for url in sample]
