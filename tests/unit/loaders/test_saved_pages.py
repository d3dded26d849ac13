"""Folders of saved pages, laid out as wget, HTTrack, Sphinx and javadoc lay them out."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import seedrank.loaders.archives.captures
import seedrank.loaders.saved_pages
from seedrank.core.errors import InputError, SeedrankError, UsageError
from seedrank.core.urls import looks_like_host
from seedrank.loaders.mirror import open_mirror
from seedrank.loaders.rejects import Rejects
from seedrank.loaders.saved_pages import HtmlSource


@pytest.fixture
def write(tmp_path) -> Callable[[dict[str, str | bytes]], Path]:
    def write(files: dict[str, str | bytes]) -> Path:
        for name, data in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return tmp_path

    return write


def rows(source, kind: str, *columns: str) -> list[tuple]:
    tables = [batch.rows.select(columns) for batch in source.batches() if batch.kind == kind]
    return [tuple(row.values()) for table in tables for row in table.to_pylist()]


def links(source) -> list[tuple[str, str]]:
    return rows(source, "links", "source", "target")


def statuses(source) -> dict[str, str]:
    return dict(rows(source, "pages", "url", "status"))


def to(*addresses: str) -> str:
    return "<html>" + "".join(f'<a href="{address}">x</a>' for address in addresses)


def test_a_folder_is_a_site_named_after_it(write):
    folder = write(
        {
            "manual/index.html": '<html><a href="guide/">The  <b>guide</b></a><a href="gone.html">old</a>',
            "manual/guide/index.html": to(
                "../index.html", "a%20b.html", "#here", "../files/x.pdf", "mailto:x@y.example"
            ),
            "manual/guide/a b.html": to("https://other.example/page", "../", "/guide/index.html?highlight=x"),
            "manual/files/x.pdf": b"%PDF",
            "manual/files/unlinked.pdf": b"%PDF",
        }
    )
    source = HtmlSource([str(folder / "manual")])
    assert ("http://manual/guide/", "The guide") in rows(source, "links", "target", "anchor")
    assert set(links(source)) == {
        ("http://manual/", "http://manual/guide/"),
        ("http://manual/", "http://manual/gone.html"),
        ("http://manual/guide/", "http://manual/"),
        ("http://manual/guide/", "http://manual/guide/a%20b.html"),
        ("http://manual/guide/", "http://manual/files/x.pdf"),
        ("http://manual/guide/a%20b.html", "https://other.example/page"),
        ("http://manual/guide/a%20b.html", "http://manual/"),
        ("http://manual/guide/a%20b.html", "http://manual/guide/"),
    }
    assert statuses(source) == {
        "http://manual/": "crawled",
        "http://manual/guide/": "crawled",
        "http://manual/guide/a%20b.html": "crawled",
        "http://manual/files/x.pdf": "crawled",
        "http://manual/gone.html": "missing",
    }
    assert source.notes == ["loaded as http://manual/"]
    assert rows(source, "pages", "url", "bytes", "type")[-1] == ("http://manual/gone.html", None, None)
    size = (folder / "manual/guide/index.html").stat().st_size
    assert {("http://manual/files/x.pdf", 4, "document"), ("http://manual/guide/", size, "page")} < {
        *rows(source, "pages", "url", "bytes", "type")
    }


def test_the_base_url_says_where_the_pages_come_from(write):
    folder = write({"html/index.html": to("a.html", "../v1/", "https://docs.example/v2/gone", "http://docs.example/")})
    source = HtmlSource([str(folder / "html")], base_url="https://docs.example/v2")
    assert links(source) == [
        ("https://docs.example/v2/", "https://docs.example/v2/a.html"),
        ("https://docs.example/v2/", "https://docs.example/v1/"),
        ("https://docs.example/v2/", "https://docs.example/v2/gone"),
        ("https://docs.example/v2/", "http://docs.example/"),
    ]
    assert statuses(source) == {
        "https://docs.example/v2/": "crawled",
        "https://docs.example/v2/a.html": "missing",
        "https://docs.example/v2/gone": "missing",
    }


def test_a_mirror_by_wget_has_a_folder_per_host(write):
    folder = write(
        {
            "a.example/index.html": to(
                "../b.example:8080/index.html", "news.html%3Fpage=2", "/root.html", "http://a.example/no"
            ),
            "a.example/news.html?page=2": to("news.html?page=3", "index.html", "http://b.example:8080/x"),
            "a.example/news.html?page=3.html": to("../../b.example:8080/deep/"),
            "a.example/root.html": to("https://a.example/news.html?page=2", "http://c.example/"),
            "b.example:8080/index.html": to("../a.example/root.html", "about"),
            "b.example:8080/about": "<!DOCTYPE html><a href='/'>up</a>",
            "b.example:8080/deep/index.html": to("plain"),
            "b.example:8080/deep/plain": "no HTML",
        }
    )
    source = HtmlSource([str(folder)])
    a, b = "http://a.example/", "http://b.example:8080/"
    assert set(links(source)) == {
        (a, b),
        (a, f"{a}news.html?page=2"),
        (a, f"{a}root.html"),
        (a, f"{a}no"),
        (f"{a}news.html?page=2", f"{a}news.html?page=3"),
        (f"{a}news.html?page=2", a),
        (f"{a}news.html?page=2", f"{b}x"),
        (f"{a}news.html?page=3", f"{b}deep/"),
        (f"{a}root.html", f"{a}news.html?page=2"),
        (f"{a}root.html", "http://c.example/"),
        (b, f"{a}root.html"),
        (b, f"{b}about"),
        (f"{b}about", b),
        (f"{b}deep/", f"{b}deep/plain"),
    }
    found = statuses(source)
    assert {url for url, status in found.items() if status == "missing"} == {f"{a}no", f"{b}x"}
    assert found[f"{b}deep/plain"] == "crawled"


def test_a_mirror_by_httrack_has_files_beside_the_hosts(write):
    folder = write(
        {
            "index.html": to("www.a.example/index.html"),
            "hts-cache/doit.log": "x",
            "backblue.gif": b"GIF",
            "www.a.example/index.html": to("sub/page2.html", "../cdn.a.example/f.html"),
            "www.a.example/sub/page2.html": to("../index.html"),
            "cdn.a.example/f.html": to("https://www.a.example/sub/page2.html"),
        }
    )
    source = HtmlSource([str(folder)])
    assert set(links(source)) == {
        ("http://www.a.example/", "http://www.a.example/sub/page2.html"),
        ("http://www.a.example/", "http://cdn.a.example/f.html"),
        ("http://www.a.example/sub/page2.html", "http://www.a.example/"),
        ("http://cdn.a.example/f.html", "http://www.a.example/sub/page2.html"),
    }
    assert source.notes[1] == "3 files and folders beside those of hosts are left out"


def test_the_base_tag_counts(write):
    folder = write(
        {
            "site/a/page.html": '<base href="http://site/b/"><a href="c.html">c</a><a href="//site/d.html">d</a>',
            "site/b/c.html": '<base href="https://elsewhere.example/x/"><a href="y">y</a>',
            "site/d.html": "<html>",
        }
    )
    assert links(HtmlSource([str(folder / "site")])) == [
        ("http://site/a/page.html", "http://site/b/c.html"),
        ("http://site/a/page.html", "http://site/d.html"),
        ("http://site/b/c.html", "https://elsewhere.example/x/y"),
    ]


def test_symbolic_links_inside_are_names_and_those_that_lead_out_are_not_followed(write):
    folder = write({"site/index.html": to("alias.html", "dir/page.html", "out.html", "outside/secret.html", "loop/x"),
                    "site/real/page.html": to("../index.html"), "secret.html": "<html>secret"})  # fmt: skip
    site = folder / "site"
    (site / "alias.html").symlink_to("real/page.html")
    (site / "dir").symlink_to("real")
    (site / "out.html").symlink_to(folder / "secret.html")
    (site / "outside").symlink_to(folder)
    (site / "loop").symlink_to("loop")
    source = HtmlSource([str(site)])
    assert set(links(source)) == {
        ("http://site/", "http://site/real/page.html"),
        ("http://site/", "http://site/out.html"),
        ("http://site/", "http://site/outside/secret.html"),
        ("http://site/", "http://site/loop/x"),
        ("http://site/real/page.html", "http://site/"),
    }
    found = statuses(source)
    assert {url for url, status in found.items() if status == "crawled"} == {
        "http://site/",
        "http://site/real/page.html",
    }
    assert found["http://site/out.html"] == "missing"


def test_links_cannot_climb_out(write):
    folder = write(
        {"site/index.html": to("../secret.html", "%2e%2e/secret.html", "..%2fsecret.html", "a%00b"), "secret.html": "x"}
    )
    found = statuses(HtmlSource([str(folder / "site")]))
    assert found.pop("http://site/") == "crawled"
    assert set(found.values()) == {"missing"}


def test_names_that_are_not_utf_8(write):
    folder = write({"site/index.html": to("%FF.html")})
    (Path(os.fsdecode(os.fsencode(folder) + b"/site/\xff.html"))).write_text("<html>")
    assert statuses(HtmlSource([str(folder / "site")])) == {
        "http://site/": "crawled",
        "http://site/%FF.html": "crawled",
    }


def test_what_cannot_be_read_is_counted(write, monkeypatch):
    folder = write({"site/index.html": to("big.html"), "site/big.html": "<html>" + "x" * 5000})
    monkeypatch.setattr(seedrank.loaders.saved_pages, "_MAX_PAGE", 1000)
    source = HtmlSource([str(folder / "site")])
    assert statuses(source) == {"http://site/": "crawled"}
    assert source.broken.count == 1
    assert "big.html: a page of more than" in source.broken.first[0]
    with pytest.raises(InputError, match="a page of more than"):
        list(HtmlSource([str(folder / "site")], strict=True).batches())


def test_a_file_that_goes_away_is_counted(write):
    folder = write({"site/index.html": to("b.html"), "site/b.html": "<html>"})
    source = HtmlSource([str(folder / "site")])
    (folder / "site" / "b.html").unlink()
    assert list(statuses(source)) == ["http://site/"]
    assert "b.html: cannot be read (No such file or directory)" in source.broken.first[0]


@pytest.mark.parametrize("limit", [("_ROWS", 2), ("_BYTES", 30)])
def test_batches_are_of_bounded_size_and_know_the_page(write, monkeypatch, limit):
    folder = write({f"site/{i}.html": to("index.html", f"{i}.pdf") for i in range(5)})
    monkeypatch.setattr(seedrank.loaders.archives.captures, *limit)
    source = HtmlSource([str(folder / "site")])
    batches = list(source.batches())
    assert [batch.rows.num_rows for batch in batches if batch.kind == "links"] == [2] * 5
    assert [batch.where.line(0) for batch in batches if batch.kind == "links"] == [1, 2, 3, 4, 5]
    assert source.position == source.size


def test_the_digest_changes_with_names_and_contents(write, tmp_path):
    def digest() -> str:
        source = HtmlSource([str(tmp_path / "site")])
        with pytest.raises(SeedrankError, match="only after"):
            source.sha256()
        list(source.batches())
        return source.sha256()

    write({"site/index.html": to("a.pdf")})
    seen = [digest(), digest()]
    assert seen[0] == seen[1]
    write({"site/a.pdf": "x"})
    seen.append(digest())
    write({"site/index.html": to("a.pdf", "b.pdf")})
    seen.append(digest())
    assert len(set(seen)) == 3


@pytest.mark.parametrize(
    ("given", "base_url", "error", "message"),
    [
        (["none"], None, InputError, r"none: folder not found"),
        (["a.html"], None, InputError, r"a\.html: is not a folder"),
        (["empty"], None, InputError, r"empty: holds no HTML page"),
        ([], None, UsageError, r"no folder is given"),
        (["my pages"], None, UsageError, r"'my pages' is not a host name; say where the pages come from: base_url"),
        (["2024"], None, UsageError, r"'2024' is not a host name"),
        (["x/site", "y/site"], None, UsageError, r"two folders would both be http://site/"),
        (["x/site", "y/site"], "http://a/", UsageError, r"base_url is of one folder"),
        (["x/site"], "ftp://a/", UsageError, r"'ftp://a/' is not a URL of a folder"),
        (["x/site"], "http://a/?b", UsageError, r"is not a URL of a folder"),
    ],
)
def test_what_is_given_by_mistake(write, given, base_url, error, message):
    folder = write({"a.html": "x", "empty/a.txt": "x", "my pages/a.html": "", "2024/a.html": "",
                    "x/site/a.html": "", "y/site/a.html": ""})  # fmt: skip
    with pytest.raises(error, match=message) as caught:
        HtmlSource([str(folder / name) for name in given], base_url=base_url)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "host"),
    [
        ("www.apache.org", True), ("a.example", True), ("x.co.uk:8080", True), ("127.0.0.1", True), ("localhost", True),
        ("xn--bcher-kva.de", True), ("WWW.Example.COM", True),
        ("java.base", False), ("api", False), ("v1.2", False), ("node.js", False), ("_static", False),
        ("a..org", False), ("-a.org", False), ("1.2.3.4.5", False), ("256.1.1.1", False),
        ("", False), (".org", False), ("a.org:", False),
    ],
)  # fmt: skip
def test_names_of_hosts(name, host):
    assert looks_like_host(name) is host


NAME = st.sampled_from(["index.html", "a.html", "b", "c.php", "d.pdf", "e f.html", "g?h=1", "\u00e9.html", "%41.html"])
PLACE = st.lists(st.sampled_from(["x", "y", "a.example", "b.example", ".."]), max_size=2).map("/".join)


@pytest.mark.slow
@settings(max_examples=100, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_page_and_any_link_load(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("site") / "site"
    (folder / "x").mkdir(parents=True)
    (folder / "index.html").write_bytes(b"<html>")
    for _ in range(data.draw(st.integers(1, 3))):
        place = folder / data.draw(PLACE).replace("..", "z")
        place.mkdir(parents=True, exist_ok=True)
        address = data.draw(
            st.tuples(PLACE, NAME).map("/".join)
            | st.text(max_size=12)
            | st.sampled_from(["//[", "http://a.example/%zz"])
        )
        page = to(address).encode(errors="replace") + data.draw(st.binary(max_size=20))
        (place / data.draw(NAME)).write_bytes(page)
    try:
        source = HtmlSource([str(folder)])
    except InputError as error:
        assert "holds no HTML page" in str(error)  # there are folders of hosts, and nothing in them
        return
    for batch in source.batches():
        batch.rows.validate(full=True)
    assert source.broken.count == 0


@settings(max_examples=100, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(place=st.sampled_from(["", "x/", "x/y/"]), name=NAME)
def test_a_file_is_found_by_its_own_address(tmp_path_factory, place, name):
    folder = tmp_path_factory.mktemp("site") / "site"
    (folder / place).mkdir(parents=True)
    (folder / place / name).write_text("<html>")
    mirror = open_mirror([str(folder)], None, Rejects())
    (site,) = mirror.sites
    file = os.fsencode(place + name)
    assert mirror.target(site.url(file), site) == (site.url(file), site, file)
