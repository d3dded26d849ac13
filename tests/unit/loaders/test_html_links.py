"""Links of HTML pages: what counts, what it resolves to, and that pages made to hurt do not."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from seedrank.engines.kernels.html import MOST_TAGS, skeleton
from seedrank.loaders.charsets import text_of
from seedrank.loaders.html_links import PageLinks, page_links

URL = "http://a.example/dir/page.html"


def links(html, url=URL, charset=None):
    return page_links(html.encode() if isinstance(html, str) else html, url, charset).links


@pytest.mark.parametrize(
    "html, found",
    [
        ('<a href="x.html">X</a>', [("http://a.example/dir/x.html", "X")]),
        ("<A HREF='/y?a=1&amp;b=2'>\n  two\t words </A>", [("http://a.example/y?a=1&b=2", "two words")]),
        ("<a href=//b.example>b</a>", [("http://b.example/", "b")]),
        ("<area href=../z><frame src=f><iframe src='i'>fall <a href=no>back</a></iframe>",
         [("http://a.example/z", ""), ("http://a.example/dir/f", ""), ("http://a.example/dir/i", "")]),
        ("<a href=one>1<a href=two>2", [("http://a.example/dir/one", "1"), ("http://a.example/dir/two", "2")]),
        ("<a href=x rel=nofollow>n</a>", [("http://a.example/dir/x", "n")]),
        ("<a href='x#part'>p</a>", [("http://a.example/dir/x", "p")]),
        ("<a href=#top>t</a><a href='page.html#top'>t</a><a href=''>e</a><a name=n>n</a>", []),
        ("<a href=page.html>self</a>", [(URL, "self")]),
        ("<a href='javascript:void(0)'>j</a><a href=mailto:a@b.example>m</a><a href=data:,x>d</a><a href=ftp://f/>f</a>",
         []),
        ("<a href='/\\b.example/x'>b</a>", [("http://b.example/x", "b")]),
        ("<a href='http://[bad'>b</a>", [("http://[bad", "b")]),
        ("<base target=_top><base href=/root/><base href=/other/><a href=x>x</a>", [("http://a.example/root/x", "x")]),
        ("<base href='http://b.example'><a href=/x>x</a>", [("http://b.example/x", "x")]),
        ("<base href='data:,x'><a href=x>x</a>", [("http://a.example/dir/x", "x")]),
        ("<a href=x>f<b>oo</b><br>bar<td>b&lt;az &#233;</a>", [("http://a.example/dir/x", "foo bar b<az é")]),
        ("<a href=x>1 < 2 <<b>script>3</a><a href=y>y</a>",
         [("http://a.example/dir/x", "1 < 2 <script>3"), ("http://a.example/dir/y", "y")]),
        ("<!-- <a href=c>c</a> --><!--><a href=x>x</a><script>'<a href=s>'</script><style><a href=s></style>"
         "<template><a href=t>t</a></template><textarea><a href=t></textarea><noscript><a href=y>y</a></noscript>",
         [("http://a.example/dir/x", "x"), ("http://a.example/dir/y", "y")]),
        ("<script><!-- <script> </script> <a href=s> --></script><a href=x>x</a>", [("http://a.example/dir/x", "x")]),
        ("<meta http-equiv=Refresh content='5; URL=next.html'>", [("http://a.example/dir/next.html", "")]),
        ("<meta http-equiv=refresh content=\"0;url='q'\"><meta http-equiv=refresh content=30>"
         "<meta name=x content='0;url=n'>", [("http://a.example/dir/q", "")]),
        ("<a href=x", []),
        ("", []),
    ],
)  # fmt: skip
def test_links_of_a_page(html, found):
    assert links(html) == found


def test_what_a_base_says_is_told():
    assert page_links(b"<base href='http://b.example/x/y'><a href=z>", URL) == PageLinks(
        "http://b.example/x/y", [("http://b.example/x/z", "")]
    )


def test_texts_are_cut():
    assert links("<a href=x>" + "né " * 1000) == [("http://a.example/dir/x", ("né " * 1000)[:512])]


@pytest.mark.parametrize(
    "page, charset, text",
    [
        ("é".encode(), None, "é"),
        (b"\xe9", None, "é"),
        (b"\xe9", "UTF-8", "�"),
        (b"\xa4", "iso-8859-15", "€"),
        (b"\x93x\x94", "ISO-8859-1", "“x”"),
        (b"\xef\xbb\xbf\xc3\xa9", "latin-1", "é"),
        ("é".encode("utf-16"), None, "é"),
        (b'<meta charset="windows-1251">\xff', None, '<meta charset="windows-1251">я'),
        (b'<meta http-equiv=x content="text/html; charset=koi8-r">\xd1', None,
         '<meta http-equiv=x content="text/html; charset=koi8-r">я'),
        (b'<meta charset="utf-16">\xc3\xa9', None, '<meta charset="utf-16">é'),
        ("日本".encode("shift_jis"), "Shift_JIS", "日本"),
        (b"eJw=", "base64", "eJw="),
        (b"x", "zlib", "x"),
        (b"\\u0041", "unicode_escape", "\\u0041"),
        (b"x", "no such\0", "x"),
    ],
)  # fmt: skip
def test_encodings(page, charset, text):
    assert text_of(page, charset) == text


PIECES = st.sampled_from(
    [
        "text ", "a < b", "&amp;", "<b>", "</b>", "<i title='<a href=no>'>", "</i>", "<p>", "</p>", "<div>", "</div>",
        "<br>", "</a>", "</a >", '<span class="x>y">', "</span>", "<!-- <a href=no> -->", "<!DOCTYPE x>", "<?php ?>",
        "<script>if (a<b) '<a href=no>'</script>", "<ul><li>", "</ul>", "<a name=x>", "<img src=no alt='>'>", "</>",
        "<table><tr><td>", "</table>", "<h1>", "</h1>", "<title><a href=no></title>", "<a/href=odd/>", "<!---->",
        "</ >", "<=", "<",
    ]
)  # fmt: skip


@st.composite
def pages(draw):
    """Markup in which links lead to addresses of their own, all beginning with `link`."""
    parts = draw(st.lists(st.one_of(PIECES, st.just("LINK")), max_size=40))
    number = iter(range(len(parts)))
    return "".join(f"<a href='link{next(number)}'>" if part == "LINK" else part for part in parts)


@pytest.mark.slow
@settings(max_examples=150, derandomize=True)
@given(pages())
def test_the_links_are_those_of_a_browsers_tree(html):
    """The whole page in the parser, as an oracle; it repeats links that are not closed, so each counts once."""
    expected = {node.attributes["href"] for node in LexborHTMLParser(html).css("a[href]")}
    data = np.frombuffer(html.encode(), np.uint8)
    room = np.empty(4 * len(data), np.uint8)
    size, _ = skeleton(data, room)
    found = [node.attributes["href"] for node in LexborHTMLParser(room[:size].tobytes()).css("a[href]")]
    assert set(found) == expected
    once = [address for address in found if address.startswith("link")]
    assert len(once) == len(set(once))


@pytest.mark.slow
@settings(max_examples=150, derandomize=True)
@given(st.one_of(st.binary(max_size=200), pages().map(str.encode)), st.sampled_from([None, "utf-16", "gbk", "x"]))
@example(b"<", None)
@example(b"</", None)
@example(b"<!--", None)
@example(b"<a href=\xff\x00>\xff", None)
@example(b"<script><!--<script", None)
def test_any_bytes_are_a_page(html, charset):
    for target, text in page_links(html, URL, charset).links:
        assert isinstance(target, str)
        assert len(text) <= 512


@pytest.mark.parametrize(
    "html",
    [
        "<p>" + "".join(f"<b i{i}>" for i in range(5000)) + "</p>" + "<p>x" * 50_000,
        "<div>" * 500_000,
        "<ul><li>" * 300_000,
        "<span>" * 300_000 + "</i>" * 300_000,
        "<table><td><b>" * 100_000,
        "<p " + " ".join(f"a{i}=1" for i in range(300_000)) + ">",
        "<a href=no " + " ".join(f"a{i}=1" for i in range(300_000)) + ">",
        "<script>" * 300_000,
        "<!--" * 300_000,
        "<a href='" * 300_000,
        "<template>" * 100_000 + "<a href=no>",
    ],
)
def test_pages_made_to_hurt_cost_little(html):
    """Each takes the parser gigabytes or minutes as it is."""
    assert links("<a href=x>x</a>" + html) == [("http://a.example/dir/x", "x")]


@pytest.mark.slow
def test_a_page_of_links_alone_is_cut():
    found = page_links(b"<a href=x>" * (MOST_TAGS + 5), URL)
    assert found.cut
    assert len(found.links) == MOST_TAGS
    assert not page_links(b"<a href=x>" * (MOST_TAGS - 1), URL).cut
