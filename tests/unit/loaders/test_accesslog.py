"""Access logs, against a regular expression applied line by line, and against tables made of a real one by others."""

from __future__ import annotations

import gzip
import re
from collections import Counter
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import seedrank.loaders.compressed
import seedrank.loaders.lines
from seedrank.core.errors import InputError, UsageError
from seedrank.ingest.merge import Merge
from seedrank.loaders.accesslog import ROBOTS, AccessLogSource
from seedrank.loaders.base import LoadOptions
from seedrank.loaders.table import TableSource
from tests.unit.loaders.spool_reference import Store

SITE = "http://www.example.org"
QUIET = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"
GOOGLEBOT = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"


def line(
    target="/",
    *,
    method="GET",
    status=200,
    referer="-",
    agent=FIREFOX,
    time="17/May/2015:10:05:03 +0000",
    before="192.0.2.7 - -",
) -> str:
    return f'{before} [{time}] "{method} {target} HTTP/1.1" {status} 1234 "{referer}" "{agent}"'


@pytest.fixture
def write(tmp_path):
    def write(*rows: str | bytes, name: str = "access.log") -> str:
        path = tmp_path / name
        path.write_bytes(b"".join((row if isinstance(row, bytes) else row.encode()) + b"\n" for row in rows))
        return str(path)

    return write


def read(file: str, **options) -> tuple[Counter, Counter, Counter, AccessLogSource]:
    """Views, clicks from searches, and clicks by link."""
    source = AccessLogSource([file], **{"site": SITE, **options})
    views, clicks, links, pages = Counter(), Counter(), Counter(), set()
    for batch in source.batches():
        rows = batch.rows.to_pylist()
        if batch.kind == "pages":
            pages |= {row["url"] for row in rows}
        for row in rows:
            if batch.kind == "links":
                links[row["source"], row["target"]] += 1
            elif batch.kind == "events":
                (views if "views" in row else clicks)[row["url"]] += row.get("views", row.get("clicks"))
    assert pages == set(views)
    return views, clicks, links, source


# -- what counts


def test_successful_gets_of_pages_count(write):
    rows = [
        line("/a"), line("/a", status=304), line("/a", status=206), line("/b?x=1"), line("/c.html"),
        line("/d", status=301), line("/d", status=404), line("/d", status=500), line("/d", method="POST"),
        line("/d", method="HEAD"), line("/d.png"), line("/d.css?v=3"), line("/robots.txt"), line("/d.PDF"),
        line("/d", agent=GOOGLEBOT), line("/d", agent="-"), line("/d", agent=""), line("/d", agent="curl/8.5"),
    ]  # fmt: skip
    views, _, _, source = read(write(*rows))
    assert views == {f"{SITE}/a": 3, f"{SITE}/b?x=1": 1, f"{SITE}/c.html": 1}
    assert source.notes[0] == (
        "5 of 18 requests are views of pages; left out are 2 of another method than GET, 3 without success, "
        "4 of robots, 4 of files that are not pages."
    )
    assert source.broken.count == 0


def test_robots_and_files_count_where_asked_for(write):
    file = write(line("/a", agent=GOOGLEBOT), line("/b.png"))
    assert read(file, robots=True)[0] == {f"{SITE}/a": 1}
    source = AccessLogSource([file], site=SITE, assets=True)
    pages = [row for batch in source.batches() if batch.kind == "pages" for row in batch.rows.to_pylist()]
    assert pages == [{"url": f"{SITE}/b.png", "type": "image"}]


def test_referers_are_links_clicks_or_neither(write):
    rows = [
        line("/a", referer=f"{SITE}/"), line("/a", referer=f"{SITE}/"), line("/b", referer="https://blog.example.org/x"),
        line("/a", referer="https://www.google.co.uk/search?q=a"), line("/a", referer="https://duckduckgo.com/"),
        line("/a", referer="https://uk.search.yahoo.com/"), line("/a", referer="http://mail.google.com/"),
        line("/a", referer="http://notgoogle.com/"), line("/a", referer="android-app://x"), line("/a", referer="-"),
    ]  # fmt: skip
    _, clicks, links, source = read(write(*rows))
    assert links == {(f"{SITE}/", f"{SITE}/a"): 2, ("https://blog.example.org/x", f"{SITE}/b"): 1}
    assert clicks == {f"{SITE}/a": 3}
    assert source.notes[1] == (
        "3 views came from links of the same domain, 3 from search engines (clicks) and 2 from elsewhere."
    )


def test_loaded_pages_have_views_and_links_have_clicks(write, tmp_path):
    file = write(line("/a"), line("/b", referer=f"{SITE}/a"), line("/b", referer=f"{SITE}/a"))
    with Merge(tmp_path / "spool", LoadOptions()) as spool:
        for batch in AccessLogSource([file], site=SITE).batches():
            spool.add(batch)
        changes, _ = spool.finish()
        assert changes.new_pages.select(["url", "views"]).to_pylist() == [
            {"url": f"{SITE}/a", "views": 1.0},
            {"url": f"{SITE}/b", "views": 2.0},
        ]
        assert changes.new_links.to_pylist() == [{"source": 0, "target": 1, "weight": 2.0}]
        stored = " ".join(str(table) for table in vars(changes).values())
    assert "192.0.2.7" not in stored
    assert "Mozilla" not in stored


def test_what_the_crawl_did_not_fetch_stays_frontier(write, tmp_path):
    """People go on from /b, which the crawler has only seen, and from /d, which it does not know at all."""
    store = Store()
    crawl = write(f"source\ttarget\n{SITE}/a\t{SITE}/b", name="links.tsv")
    log = write(line("/c", referer=f"{SITE}/b"), line("/c", referer=f"{SITE}/d"), line("/b", referer=f"{SITE}/a"))
    for source in (TableSource(links=[crawl]), AccessLogSource([log], site=SITE)):
        with Merge(tmp_path / "spool", LoadOptions(), store) as spool:
            for batch in source.batches():
                spool.add(batch)
            store.apply(spool.finish()[0])
    assert {page.url.removeprefix(SITE): page.status for page in store.pages} == {
        "/a": "crawled",
        "/b": "frontier",
        "/c": "frontier",
        "/d": "crawled",
    }
    assert store.pages[1].values["views"] == 1
    assert set(store.links) == {(0, 1), (1, 2), (3, 2)}


def test_time(write):
    rows = [line(f"/{i}", time=f"{i:02}/Jan/2024:23:30:00 -0100") for i in range(1, 6)]
    assert read(write(*rows), since=datetime(2024, 1, 3, 0, 30), until=datetime(2024, 1, 5, 0, 30, tzinfo=UTC))[0] == {
        f"{SITE}/{i}": 1 for i in (2, 3)
    }


@pytest.mark.parametrize(
    "when",
    [
        "29/Feb/2024:23:59:59 +0000",
        "01/Mar/2000:00:00:00 -0730",
        "31/Dec/1999:12:00:00 +1345",
        "01/jan/1970:00:00:00 +0000",
    ],
)
def test_times_are_those_of_the_calendar(write, when):
    source = AccessLogSource([write(line(time=when))], site=SITE)
    events = [batch for batch in source.batches() if batch.kind == "events"]
    expected = datetime.strptime(when, "%d/%b/%Y:%H:%M:%S %z").astimezone(UTC).replace(tzinfo=None)
    assert events[0].rows["time"].to_pylist() == [expected]


# -- whose pages


def test_virtual_hosts(write):
    rows = [
        line("/1", before="www.example.org:443 192.0.2.7 - -"),
        line("/2", before="www.example.org:80 192.0.2.7 - bob"),
        line("/3", before="shop.example.org:8080 192.0.2.7 - -"),
        line("/4", before="www.example.org 192.0.2.7 - -"),
    ]
    urls = ["https://www.example.org/1", f"{SITE}/2", "http://shop.example.org:8080/3", f"{SITE}/4"]
    assert list(read(write(*rows), site="")[0]) == urls
    assert list(read(write(rows[3]), site="https://other.example")[0]) == ["https://www.example.org/4"]


def test_a_client_is_never_taken_for_a_host(write):
    """A user's name may have spaces: the line then has as many words as one with a host."""
    for before in ("192.0.2.7 - Jane Doe", "client.example.net - Jane Doe", "client.example.net - J D -"):
        assert list(read(write(line("/a", before=before)))[0]) == [f"{SITE}/a"]


def test_a_log_without_hosts_needs_a_site(write):
    with pytest.raises(InputError, match=r"access.log, line 2: does not say which host was asked; .*site="):
        read(write(line(status=404), line()), site="")
    with pytest.raises(UsageError, match=r"site is not an address: 'example.org'"):
        AccessLogSource(["a"], site="example.org")


def test_requests_to_a_proxy_count_for_the_own_host_only(write):
    rows = [line(f"{SITE}/a"), line("http://elsewhere.example/"), line("*"), line("/b c")]
    views, _, _, source = read(write(*rows))
    assert views == {f"{SITE}/a": 1, f"{SITE}/b c": 1}
    assert "2 for other hosts" in source.notes[0]


def test_escapes_of_servers_become_those_of_urls(write):
    rows = [line(r"/caf\xc3\xa9"), line(r"/a\"b"), line(r"/a\\x41"), line("/a", referer=rf"{SITE}/\xe2\x82\xac")]
    views, _, links, _ = read(write(*rows))
    assert list(views) == [f"{SITE}/caf%c3%a9", f"{SITE}/a%22b", f"{SITE}/a%5Cx41", f"{SITE}/a"]
    assert links == {(f"{SITE}/%e2%82%ac", f"{SITE}/a"): 1}


def test_common_format(write):
    views, _, _, source = read(write('192.0.2.7 - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.0" 200 -'))
    assert views == {f"{SITE}/a": 1}
    assert "The log does not name user agents, so robots count too." in source.notes


# -- what is broken


def test_broken_lines_are_counted(write, monkeypatch):
    good = line("/a")
    rows = [
        good,
        "hello",
        good.replace("May", "Mai"),
        good.replace("17/", "32/"),
        good.replace('"GET', "GET").replace("HTTP/1.1", "HTTP/1.1 ").split('" 200')[0],
        good.replace(" 200 ", " 2x0 "),
        good + "\0",
        good.encode() + b"\xff",
        line("/" + "a" * (2 << 20)),
        "",
        good,
    ]
    monkeypatch.setattr(seedrank.loaders.compressed, "BLOCK", 1 << 16)
    file = write(*rows)
    views, _, _, source = read(file)
    assert views == {f"{SITE}/a": 2}
    assert source.broken.count == 8
    assert source.broken.first[0] == f"{file}: line 2: has no [time]"
    with pytest.raises(InputError, match=r"line 7: a NUL byte|line 2: has no"):
        read(file, strict=True)
    with pytest.raises(InputError, match="no line of an access log"):
        read(write("a", "b"))
    with pytest.raises(InputError, match="no line of an access log"):
        read(write())


def test_more_broken_lines_than_are_listed(write):
    _, _, _, source = read(write(line(), *["x"] * 1000))
    assert (source.broken.count, len(source.broken.first)) == (1000, 5)


# -- against a reference

LINE = re.compile(
    r"(?P<words>.*?) \[(?P<time>[^\]]*)\] "
    r'"(?P<request>(?:[^"\\]|\\.)*)" (?P<status>\d{3}) \S+'
    r'(?: "(?P<referer>(?:[^"\\]|\\.)*)" "(?P<agent>(?:[^"\\]|\\.)*)")?'
)

paths = st.sampled_from(["/", "/a", "/b/c.html?q=\\x41", "/x.png", "/robots.txt", '/d\\"e', "/f g"])
requests = st.builds(
    lambda method, path, version: f"{method} {path}{version}",
    st.sampled_from(["GET", "GET", "GET", "POST", "HEAD"]),
    paths,
    st.sampled_from([" HTTP/1.1", " HTTP/1.1", ""]),
) | st.sampled_from(["-", "", "GET", "GET ", "\\x16\\x03\\x01"])
good_lines = st.builds(
    lambda before, day, request, status, tail: (
        f'{before} [{day:02}/May/2015:10:05:03 +0200] "{request}" {status} 17{tail}'
    ),
    st.sampled_from(["192.0.2.7 - -", "192.0.2.7 - a b", "www.example.org:80 192.0.2.7 - -", "192.0.2.7 - [x]"]),
    st.integers(1, 31),
    requests,
    st.sampled_from([200, 200, 200, 304, 404, 301]),
    st.builds(
        lambda referer, agent: f' "{referer}" "{agent}"',
        st.sampled_from(["-", "", f"{SITE}/a", 'http://www.example.org/r?x=\\"', "http://www.google.com/", "junk"]),
        st.sampled_from([FIREFOX, GOOGLEBOT, "-", 'a \\" b']),
    )
    | st.just(""),
)


def expected(rows: list[str]) -> tuple[Counter, Counter]:
    """Views and links by the rules as the command's help states them, line by line."""
    views, links = Counter(), Counter()
    for row in rows:
        found = LINE.fullmatch(row)
        assert found is not None, row
        method, _, rest = found["request"].partition(" ")
        target = re.sub(r" HTTP/[0-9.]+$", "", rest)
        agent = found["agent"]
        robot = agent is not None and (agent in ("", "-") or re.search(ROBOTS, agent, re.IGNORECASE))
        file = re.search(r"\.png$|^/robots\.txt$", target)
        if method != "GET" or not target or found["status"] not in ("200", "304") or robot or file:
            continue
        url = SITE + unescaped(target)
        views[url] += 1
        referer = found["referer"]
        if referer is not None and referer.startswith(SITE):
            links[unescaped(referer), url] += 1
    return views, links


def unescaped(text: str) -> str:
    return re.sub(
        r"\\(\\|\"|x([0-9a-fA-F]{2}))",
        lambda found: f"%{found[2]}" if found[2] else {"\\": "%5C", '"': "%22"}[found[1]],
        text,
    )


@pytest.mark.slow
@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=QUIET)
@given(rows=st.lists(good_lines, min_size=1, max_size=12), block=st.integers(4, 400))
def test_as_a_regular_expression_reads_it(tmp_path, monkeypatch, rows, block):
    monkeypatch.setattr(seedrank.loaders.compressed, "BLOCK", block)
    path = tmp_path / "access.log"
    path.write_text("\n".join(rows))
    views, _, links, source = read(str(path))
    assert (views, links) == expected(rows)
    assert source.broken.count == 0


@pytest.mark.slow
@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=QUIET)
@given(data=st.data(), junk=st.binary(max_size=80))
def test_any_bytes_load_or_are_refused(tmp_path, data, junk):
    row = data.draw(good_lines).encode()
    at = data.draw(st.integers(0, len(row)))
    path = tmp_path / "access.log"
    path.write_bytes(row[:at] + junk + (row[at:] if data.draw(st.booleans()) else b"") + b"\n" + row)
    try:
        with Merge(tmp_path / "spool", LoadOptions()) as spool:
            for batch in AccessLogSource([str(path)], site=SITE).batches():
                spool.add(batch)
            spool.finish()
    except InputError:
        pass


# -- a real log


def test_a_real_log_counts_as_the_tables_that_others_made_of_it(shared_data, tmp_path):
    folder = shared_data("access-log-semicomplete")
    site = "http://www.semicomplete.com"
    with gzip.open(folder / "requests_anonymised.tsv.gz", "rt") as file:
        requests = [row.rstrip("\n").split("\t") for row in file][1:]
    path = tmp_path / "access.log.gz"
    with gzip.open(path, "wt") as log:
        for time, _, method, target, status, _, referer, robot in requests:
            agent = GOOGLEBOT if robot == "1" else FIREFOX
            row = line(target, method=method, status=status, referer=referer or "-", agent=agent, time=time)
            log.write(row + "\n")
    views, _, links, source = read(str(path), site=site)
    assert source.broken.count == 0
    assert source.notes[0].startswith(f"1,913 of {len(requests):,} requests are views of pages")

    theirs = _table(folder / "page_views.tsv")
    # They take documents and archives for pages.
    files = {row for row in theirs if re.search(r"\.(jar|pdf|swf|doc)$", row[0])}
    assert {(url,): count for url, count in views.items()} == {
        row: count for row, count in theirs.items() if row not in files
    }
    assert sum(theirs.values()) == 1_955 == sum(views.values()) + sum(theirs[row] for row in files)

    # They write the host with www., and addresses without fragments, which the spool drops here.
    ours = Counter()
    for (referer, url), count in links.items():
        ours[referer.replace("//semicomplete.com", "//www.semicomplete.com").partition("#")[0], url] += count
    inside = {row: n for row, n in _table(folder / "click_edges.tsv").items() if row[0].startswith(site)}
    assert dict(ours) == {row: n for row, n in inside.items() if (row[1],) not in files}


def _table(path) -> dict[tuple[str, ...], int]:
    rows = [row.split("\t") for row in path.read_text().splitlines()[1:]]
    return {tuple(row[:-1]): int(row[-1]) for row in rows}
