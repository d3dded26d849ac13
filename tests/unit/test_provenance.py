"""Where an answer comes from: its digest of the graph, what is written beside it, and its tables as LaTeX."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import seedrank
from seedrank.core.errors import UsageError
from seedrank.core.package import VERSION
from seedrank.core.tables import as_latex, escaped
from seedrank.graph.fingerprint import fingerprint

PAGES = pd.DataFrame(
    {
        "url": [f"https://{host}.example/{n}" for host in "ab" for n in range(6)],
        "status": (["crawled"] * 5 + ["frontier"]) * 2,
        "clicks": [float(n) if n % 5 else None for n in range(12)],
        "title": [f"page {n}" for n in range(12)],
    }
)
LINKS = pd.DataFrame(
    [
        (PAGES.url[source], PAGES.url[(source * 5 + step) % 12], 1 + source % 3)
        for source in range(12)
        for step in (1, 2)
    ],
    columns=["source", "target", "weight"],
)


def loaded(folder, pages=PAGES, links=LINKS):
    folder.mkdir()
    bench = seedrank.open(folder / "x.duckdb", create=True)
    bench.load(pages=pages, links=links)
    return bench


def test_the_digest_of_a_graph_is_the_same_in_any_order_of_rows(tmp_path):
    draw = np.random.default_rng(1)
    with (
        loaded(tmp_path / "a") as one,
        loaded(tmp_path / "b", PAGES.iloc[draw.permutation(12)], LINKS.iloc[draw.permutation(len(LINKS))]) as other,
    ):
        assert one.graph.urls.to_pylist() != other.graph.urls.to_pylist()
        assert fingerprint(one.graph) == fingerprint(other.graph)


@pytest.mark.parametrize(
    ("pages", "links"),
    [
        (PAGES.assign(clicks=PAGES.clicks.fillna(0)), LINKS),
        (PAGES.assign(title=[*PAGES.title[:11], "other"]), LINKS),
        (PAGES.assign(status="crawled"), LINKS),
        (PAGES.rename(columns={"clicks": "views"}), LINKS),
        (PAGES, LINKS.iloc[:-1]),
        (PAGES, LINKS.assign(weight=1)),
        (PAGES, LINKS.rename(columns={"source": "target", "target": "source"})),
        (PAGES.assign(clicks=PAGES.clicks[::-1].to_numpy()), LINKS),
    ],
)
def test_another_graph_has_another_digest(tmp_path, pages, links):
    with loaded(tmp_path / "a") as one, loaded(tmp_path / "b", pages, links) as other:
        assert fingerprint(one.graph) != fingerprint(other.graph)


def test_an_answer_is_exported_with_where_it_comes_from(tmp_path):
    with loaded(tmp_path / "a") as bench:
        answer = bench.seeds("maxweight", k=2, hops=1)
        files = answer.export(str(tmp_path / "out"))
        digest = fingerprint(bench.graph)
        [load] = bench.store.loads()
    assert {file.name for file in files} >= {"provenance.json", "seeds-maxweight.csv"}
    record = json.loads((tmp_path / "out" / "provenance.json").read_text())
    assert record["seedrank"] == VERSION and record["run"] == answer.run.name and record["rng"] == 1
    assert record["graph"]["sha256"] == digest and record["graph"]["pages"] == 12
    assert [one["sha256"] for one in record["loads"]] == [load.sha256]
    assert record["command"] == "bench.ask(seedrank.SeedQuestion(hops=1, method='maxweight', k=2))"
    assert (tmp_path / "out" / "seeds-maxweight.csv").read_text().count("\n") == 3


def test_a_kept_answer_of_an_older_graph_has_no_digest(tmp_path):
    with loaded(tmp_path / "a") as bench:
        name = bench.rank("pagerank").run.name
        assert bench.answer(name).provenance["graph"]["sha256"] == fingerprint(bench.graph)
        bench.load(links=pd.DataFrame({"source": ["https://a.example/0"], "target": ["https://c.example/"]}))
        graph = bench.answer(name).provenance["graph"]
        assert graph["sha256"] is None and graph["why"].startswith("the graph has changed since: it is ")
        again = bench.rank("pagerank")
    # A store that is closed says so; a file is written all the same.
    assert again.export(tmp_path / "out")[0].exists()


@pytest.mark.slow
def test_an_experiment_is_exported_with_figures_of_a_kind_and_size(tmp_path):
    with loaded(tmp_path / "a") as bench:
        answer = bench.compare("fpr", "bfs", seeds="pagerank:2")
        names = {file.name for file in answer.export(tmp_path / "out", figures="pdf", size="8x5cm")}
        assert {"crawl-compare-orders.csv", "crawl-compare-effectiveness.pdf", "provenance.json"} <= names
        assert not [name for name in names if name.endswith(".svg")]
        assert (tmp_path / "out" / "crawl-compare-effectiveness.pdf").read_bytes().startswith(b"%PDF")
        alone = {file.name for file in seedrank.export(answer.experiment, tmp_path / "alone")}
        assert {"crawl-compare-effectiveness.svg", "provenance.json"} <= alone
        with pytest.raises(UsageError, match="figures cannot be 'jpg'; one of svg, pdf, png"):
            answer.export(tmp_path / "none", figures="jpg")
        assert not (tmp_path / "none").exists()
        assert answer.to_latex(tmp_path / "table.tex", "curves") == (tmp_path / "table.tex").read_text()
        with pytest.raises(UsageError, match="there is no table 'x'; there are: orders, curves, claims"):
            answer.to_latex(table="x")


def test_a_table_becomes_latex():
    table = pa.table({
        "order": ["fpr@2_x", "50 % & more"], "gain": [-1.5, None], "low": [-2.0, None], "high": [-1.0, None],
        "draws": [10, 5], "url": ["https://a.example/~b#c", "\\input{x}"], "new": [True, None],
    })  # fmt: skip
    assert as_latex(table, "what\nit is").splitlines() == [
        "% what it is",
        r"\begin{tabular}{lrrll}",
        r"\toprule",
        r"order & gain & draws & url & new \\",
        r"\midrule",
        r"fpr@2\_x & $-$1.5 [$-$2, $-$1] & 10 & https://a.example/\textasciitilde{}b\#c & yes \\",
        r"50 \% \& more & -- & 5 & \textbackslash{}input\{x\} & -- \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]
    assert escaped("a\nb") == escaped("a b") or "\n" not in escaped("a\nb")
