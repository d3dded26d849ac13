"""Common Crawl's web graphs: faithfully made small ones, parts of them against plain Python, and anything else."""

from __future__ import annotations

import gzip
import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import seedrank.loaders.compressed
from seedrank.core.errors import InputError, UsageError
from seedrank.loaders.cc_webgraph import CommonCrawlSource
from tests.unit.loaders.nodes import loaded

pytestmark = pytest.mark.slow

HOSTS = ["com.example", "com.example.blog", "de.beispiel", "org.example", "org.example.www", "uk.co.bbc.news"]
EDGES = [(0, 1), (0, 3), (1, 0), (3, 5), (4, 3), (5, 2)]
RANKED = [3, 0, 5, 1, 2, 4]
"""Vertices by harmonic centrality."""


def name(reversed_name: str) -> str:
    return ".".join(reversed(reversed_name.split(".")))


@dataclass(frozen=True)
class Graph:
    """A graph on disk."""

    folder: Path

    def write(self, file: str, lines: list[str], end: str = "\n") -> str:
        """Lines as a file, packed where its name says so."""
        data = "".join(line + end for line in lines).encode()
        path = self.folder / file
        path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
        return str(path)

    def vertices(self, names: list[str], cut: int = 0, *, hosts: bool = False, more: str = "") -> list[str]:
        """Vertices, in two files where they are cut."""
        lines = [f"{i}\t{one}{f'	{i + 1}' if hosts else ''}{more}" for i, one in enumerate(names)]
        parts = [part for part in (lines[:cut], lines[cut:]) if part]
        return [self.write(f"vertices-{n}.txt.gz", part) for n, part in enumerate(parts)]

    def edges(self, pairs: list[tuple[int, int]], cut: int = 0) -> list[str]:
        """Edges, in two files where they are cut."""
        lines = [f"{source}\t{target}" for source, target in pairs]
        parts = [part for part in (lines[:cut], lines[cut:]) if part]
        return [self.write(f"edges-{n}.txt", part) for n, part in enumerate(parts)]

    def ranks(self, names: list[str], order: list[int], *, header: bool = True, hosts: bool = False) -> str:
        """Ranks, as `process_webgraph.sh` of cc-webgraph sorts them."""
        head = "#harmonicc_pos\t#harmonicc_val\t#pr_pos\t#pr_val\t#host_rev" + "\t#n_hosts" * hosts
        lines = [
            f"{place}\t{1.5e7 / place:.8E}\t{len(order) - place}\t{place * 1e-9}\t{names[i]}{f'	{i}' if hosts else ''}"
            for place, i in enumerate(order, 1)
        ]
        return self.write("ranks.txt.gz", [head] * header + lines)


@pytest.fixture
def graph(tmp_path) -> Graph:
    folder = tmp_path / "graph"
    folder.mkdir()
    return Graph(folder)


def test_a_graph_of_hosts(graph, tmp_path):
    files = graph.vertices(HOSTS, 4) + graph.edges(EDGES, 2)
    # Told apart by what they hold, whatever their order; vertices in theirs.
    source = CommonCrawlSource([files[2], files[0], files[3], files[1]])
    found = loaded(source, tmp_path)
    assert source.level == "host"
    assert {url: (node["source_id"], node["status"]) for url, node in found.nodes.items()} == {
        "http://example.com/": (0, "crawled"),
        "http://blog.example.com/": (1, "crawled"),
        "http://beispiel.de/": (2, "frontier"),
        "http://example.org/": (3, "crawled"),
        "http://www.example.org/": (4, "crawled"),
        "http://news.bbc.co.uk/": (5, "crawled"),
    }
    urls = list(found.nodes)
    assert list(found.links) == [(urls[source], urls[target]) for source, target in EDGES]
    assert source.notes == []
    assert source.size == sum(Path(file).stat().st_size for file in files) == source.position


def test_a_graph_of_domains_with_ranks_and_further_fields(graph, tmp_path):
    names = ["com.example", "de.beispiel", "org.example"]
    files = [*graph.vertices(names, hosts=True, more="\tx\t"), *graph.edges([(0, 2), (2, 1)])]
    source = CommonCrawlSource(files, ranks=[graph.ranks(names, [2, 0, 1], hosts=True)])
    found = loaded(source, tmp_path)
    assert source.level == "domain"
    kept = ("n_hosts", "harmonicc_pos", "harmonicc_val", "pr_pos", "pr_val")
    assert {url: tuple(node[column] for column in kept) for url, node in found.nodes.items()} == {
        "http://example.com/": (1, 2, 7.5e6, 1, 2 * 1e-9),
        "http://beispiel.de/": (2, 3, 5e6, 0, 3 * 1e-9),
        "http://example.org/": (3, 1, 1.5e7, 2, 1e-9),
    }


def test_the_level_may_be_given(graph, tmp_path):
    source = CommonCrawlSource(graph.vertices(HOSTS), level="domain")
    loaded(source, tmp_path)
    assert source.level == "domain"
    with pytest.raises(UsageError, match="are of hosts or domains"):
        CommonCrawlSource(["a"], level="page")


def test_ranks_without_header_and_of_unknown_hosts(graph, tmp_path):
    ranks = graph.ranks([*HOSTS, "org.gone"], [6, *RANKED], header=False)
    found = loaded(CommonCrawlSource(graph.vertices(HOSTS), ranks=[ranks]), tmp_path)
    assert [node["harmonicc_pos"] for node in found.nodes.values()] == [3, 5, 6, 2, 7, 4]
    assert found.summary.counts["column rows dropped: not in the graph"] == 1


def kept(found) -> list[str]:
    return [url.removeprefix("http://").rstrip("/") for url in found.nodes]


@pytest.mark.parametrize(
    ("part", "wanted"),
    [
        ({"tld": ["org"]}, ["example.org", "www.example.org"]),
        ({"tld": [".DE", "co.uk"]}, ["beispiel.de", "news.bbc.co.uk"]),
        ({"limit": 2}, ["example.com", "blog.example.com"]),
        ({"limit": 2, "ranks": True}, ["example.com", "example.org"]),
        ({"limit": 1, "tld": ["com"], "ranks": True}, ["example.com"]),
        ({"around": ["example.org"]}, ["example.com", "example.org", "www.example.org", "news.bbc.co.uk"]),
        ({"around": ["https://beispiel.de/x", "blog.example.com"]}, HOSTS[0:3] + HOSTS[5:]),
        ({"around": ["beispiel.de"], "hops": 2}, ["beispiel.de", "example.org", "news.bbc.co.uk"]),
        ({"around": ["beispiel.de"], "hops": 2, "limit": 2, "ranks": True}, ["example.org", "news.bbc.co.uk"]),
    ],
)
def test_parts(graph, tmp_path, part, wanted):
    ranks = [graph.ranks(HOSTS, RANKED)] if part.pop("ranks", False) else []
    source = CommonCrawlSource([*graph.vertices(HOSTS, 3), *graph.edges(EDGES)], ranks=ranks, **part)
    found = loaded(source, tmp_path)
    wanted = [name(one) if one in HOSTS else one for one in wanted]
    assert kept(found) == wanted
    urls = [f"http://{name(one)}/" for one in HOSTS]
    pairs = [(urls[source], urls[target]) for source, target in EDGES]
    assert list(found.links) == [pair for pair in pairs if set(pair) <= set(found.nodes)]
    # A host that links only to hosts which are not kept was crawled all the same.
    linking = {source for source, _ in pairs}
    assert {url for url, node in found.nodes.items() if node["status"] == "crawled"} == linking & set(found.nodes)
    assert source.position == source.size


def test_hosts_around_those_of_a_file(graph, tmp_path):
    (tmp_path / "mine.txt").write_text("beispiel.de\ngone.example\nhttp://blog.example.com/a\n")
    source = CommonCrawlSource([*graph.vertices(HOSTS), *graph.edges(EDGES)], around=[str(tmp_path / "mine.txt")])
    shape = source.shape
    assert len(kept(loaded(source, tmp_path))) == 4
    assert source.notes == ["not in the graph: gone.example", "4 of 6 hosts are kept"]
    assert source.shape.startswith(shape) and "gone.example" in source.shape


NAMES = st.lists(st.sampled_from(["org", "com", "uk.co"]).flatmap(lambda top: st.text("abc.", max_size=4).map(
    lambda rest: ".".join(part for part in [top, *rest.split(".")] if part)
)), min_size=1, max_size=12, unique=True).map(sorted)  # fmt: skip


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), names=NAMES, block=st.integers(8, 200))
def test_parts_of_any_graph(graph, tmp_path, monkeypatch, data, names, block):
    count = len(names)
    pairs = data.draw(
        st.lists(st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)), min_size=1, max_size=20)
    )
    order = data.draw(st.permutations(range(count)))
    tld = data.draw(st.sampled_from([[], ["org"], ["co.uk", "com"]]))
    limit = data.draw(st.none() | st.integers(1, count))
    by_rank = data.draw(st.booleans())
    around = data.draw(st.lists(st.sampled_from(range(count)), max_size=2))
    hops = data.draw(st.integers(1, 3))

    near = set(around) or set(range(count))
    for _ in range(hops):
        near |= {t for s, t in pairs if s in near} | {s for s, t in pairs if t in near}
    tops = [".".join(reversed(one.split("."))) for one in tld]
    chosen = [i for i in (order if by_rank else range(count))
              if i in near and (not tops or any(f"{names[i]}.".startswith(f"{top}.") for top in tops))]  # fmt: skip
    wanted = sorted(chosen[:limit])

    monkeypatch.setattr(seedrank.loaders.compressed, "BLOCK", block)
    cut = data.draw(st.integers(0, count - 1))
    source = CommonCrawlSource(
        [*graph.edges(pairs, len(pairs) // 2), *graph.vertices(names, cut)],
        ranks=[graph.ranks(names, order)] if by_rank else [],
        tld=tld, limit=limit, around=[name(names[i]) for i in around], hops=hops,
    )  # fmt: skip
    if not wanted:
        with pytest.raises(InputError, match="no host is left"):
            loaded(source, tmp_path)
        return
    found = loaded(source, tmp_path)
    assert kept(found) == [name(names[i]) for i in wanted]
    urls = [f"http://{name(one)}/" for one in names]
    assert set(found.links) == {(urls[s], urls[t]) for s, t in pairs if s != t and {s, t} <= set(wanted)}
    linking = {s for s, _ in pairs}  # also where a host only links to itself
    assert {i for i in wanted if found.nodes[urls[i]]["status"] == "crawled"} == linking & set(wanted)
    assert source.position == source.size
    if by_rank:
        assert all(found.nodes[urls[i]]["harmonicc_pos"] == order.index(i) + 1 for i in wanted)


def refused(graph, tmp_path, files, **options) -> str:
    with pytest.raises(InputError) as caught:
        loaded(CommonCrawlSource(files, **options), tmp_path)
    text = str(caught.value)
    assert "\n" not in text
    return text.replace(f"{graph.folder}/", "")


def test_ids_that_are_not_dense(graph, tmp_path):
    files = [graph.write("v.txt", ["0\tcom.a", "1\tcom.b", "3\tcom.d"])]
    assert refused(graph, tmp_path, files) == (
        "v.txt, line 3, column id: vertex 2 is expected here: ids count from 0 without gaps: 3; "
        "give all files of vertices, in their order; load a part of a graph with `load table`"
    )
    first, second = graph.vertices(HOSTS, 3)
    assert "vertex 0 is expected here" in refused(graph, tmp_path, [second, first])


def test_names_out_of_order_are_said(graph, tmp_path):
    files = [graph.write("a.txt", ["0\tcom.a", "1\torg.a"]), graph.write("b.txt", ["2\tcom.b", "3\tcom.a"])]
    source = CommonCrawlSource(files)
    assert len(loaded(source, tmp_path).nodes) == 3  # one name is there twice
    assert [note.replace(f"{graph.folder}/", "") for note in source.notes] == [
        "b.txt, line 1: names are not in the order of Common Crawl's graphs (by the reversed name); "
        "they are loaded as they are"
    ]


def test_what_is_wrong_is_named(graph, tmp_path):
    vertices, edges = graph.vertices(HOSTS), graph.edges([(0, 6)])
    assert "edges-0.txt, line 1, column target: no vertex has this id: there are 6, from 0: 6" in refused(
        graph, tmp_path, [*vertices, *edges]
    )
    assert "edges-0.txt: holds edges, and no file holds vertices" in refused(graph, tmp_path, edges)
    assert "ranks.txt.gz: holds ranks; give it with ranks" in refused(graph, tmp_path, [graph.ranks(HOSTS, RANKED)])
    assert "holds neither vertices nor edges: b'<html>'" in refused(graph, tmp_path, [graph.write("x", ["<html>"])])
    assert "is empty" in refused(graph, tmp_path, [graph.write("y", [])])
    assert "cannot be read twice" in refused(graph, tmp_path, ["-"])
    mixed = [*vertices, graph.write("z", ["6\torg.z\t4"])]
    assert re.search(r"z: 3 fields a line, and 2 in vertices-0", refused(graph, tmp_path, mixed))
    wrong = graph.write("r", ["1\t2\t3\t4\tcom.a", "x\t2\t3\t4\tcom.b"])
    assert "r, line 2, column harmonicc_pos: is not" in refused(graph, tmp_path, vertices, ranks=[wrong])
    wrong = graph.write("r", ["2\t2\t3\t4\tcom.a", "1\t2\t3\t4\tcom.b"])
    assert "r, line 2, column harmonicc_pos: positions do not ascend: 1" in refused(
        graph, tmp_path, vertices, ranks=[wrong]
    )
    assert "r: 2 fields a line are not ranks" in refused(
        graph, tmp_path, vertices, ranks=[graph.write("r", ["1\tcom.a"])]
    )
    assert "none of the 1 hosts to look around is in the graph, such as: 'gone.example'" in refused(
        graph, tmp_path, vertices, around=["gone.example"]
    )


@pytest.mark.parametrize("options", [{"tld": [""]}, {"tld": ["a b"]}, {"limit": 0}, {"hops": 0}])
def test_options_that_cannot_be(options):
    with pytest.raises(UsageError):
        CommonCrawlSource(["vertices"], **options)


FIELDS = st.sampled_from([b"0", b"1", b"2", b"-1", b"9" * 30, b"com.a", b"org", b"", b"\xff", b"#", b"1e5"])
LINES = st.lists(st.lists(FIELDS, max_size=6).map(b"\t".join), max_size=6).map(b"\n".join)
ANYTHING = st.one_of(
    st.binary(max_size=60), LINES, LINES.map(gzip.compress), LINES.map(lambda text: gzip.compress(text)[:-3])
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    vertices=st.one_of(st.just(b"0\tcom.a\n1\torg.b\n"), ANYTHING),
    edges=st.one_of(st.just(b"0\t1\n"), ANYTHING),
    ranks=ANYTHING,
    part=st.sampled_from([{}, {"limit": 1}, {"tld": ["org"]}, {"around": ["a.com"]}]),
)
def test_any_bytes_load_or_are_refused(graph, tmp_path, vertices, edges, ranks, part):
    for file, data in (("vertices", vertices), ("edges", edges), ("ranks", ranks)):
        (graph.folder / file).write_bytes(data)
    named = {file: str(graph.folder / file) for file in ("vertices", "edges", "ranks")}
    source = CommonCrawlSource([named["vertices"], named["edges"]], ranks=[named["ranks"]], **part)
    try:
        found = loaded(source, tmp_path)
    except InputError as error:
        assert "\n" not in str(error)
    else:
        assert found.nodes
