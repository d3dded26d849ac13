"""docs/reproduction.md and docs/findings.md say what was found: on kept claims with numbers made for the purpose."""

from __future__ import annotations

import copy
import json
import re
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

from docs.reproduction import running
from docs.reproduction.findings import SECTIONS, findings
from docs.reproduction.forest import forest
from docs.reproduction.graphs import EXPERIMENTS, GRAPHS, Command, Graph
from docs.reproduction.page import page
from docs.reproduction.prepare import fold_copies, in_time
from docs.reproduction.results import PAPERS, Results, anchor
from docs.reproduction.simulated import measure_coverage
from seedrank.evaluate.margins import MARGINS
from seedrank.evaluate.pooling import random_effects

SAMPLE = Path(__file__).parent / "reproduction_sample.json"
JUDGED = Command("experiment ordering fpr bfs --quick")
COVERAGE = {"normal, n = 5": 95.0}
POOLED = ("wikispeedia", "musae chameleon", "musae squirrel")
IMPACT = next(paper for paper in PAPERS if paper.name == "impact")


@pytest.fixture
def found() -> list[dict[str, Any]]:
    return json.loads(SAMPLE.read_text(encoding="utf-8"))


def tables(text: str) -> list[list[dict[str, str]]]:
    """Markdown tables: a dictionary a row."""
    result = []
    for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        rows = [[cell.strip() for cell in line.strip().strip("|").split(" | ")] for line in block.splitlines()]
        rows = [[cell.strip("| ") for cell in row] for row in rows]
        result.append([dict(zip(rows[0], row, strict=True)) for row in rows[2:]])
    return result


def table_of(text: str, title: str) -> dict[str, dict[str, str]]:
    """The table of a paper: rows by the anchor of the claim."""
    [rows] = tables(text.partition(f"## {title}\n")[2].partition("### Details")[0])
    return {re.search(r"\(#(.*)\)", row["claim"])[1]: row for row in rows}


def raw(found: list[dict[str, Any]], graph: str, key: str, part: str = "") -> dict[str, Any]:
    claims = [one for record in found if record["graph"] == graph for one in record["claims"]]
    [claim] = [one for one in claims if (one["key"], one["part"]) == (key, part)]
    return claim


def test_cells_are_what_was_found(found):
    rows = table_of(page(Results(found), COVERAGE), IMPACT.title)
    marks = {"holds": "✓", "does not hold": "✗", "cannot be judged": "?"}
    for graph in (*POOLED, "*asf in time*"):
        claim = raw(found, graph.strip("*"), "gain")
        numbers = f"{claim['value']:.3g} [{claim['low']:.3g}, {claim['high']:.3g}]"
        assert rows["claim-gain"][graph] == f"{marks[claim['verdict']]} {numbers}"
    assert rows["claim-queries-early"]["wikispeedia"] == "?"
    assert rows["claim-table-3-views"]["wikispeedia"].startswith("(✓) ")


def test_the_pooled_line_is_over_recorded_graphs_alone(found):
    rows = table_of(page(Results(found), COVERAGE), IMPACT.title)
    some = [raw(found, graph, "gain") for graph in POOLED]
    pooled = random_effects([one["value"] for one in some], [one["error"] for one in some])
    numbers = f"{pooled.value:.3g} [{pooled.low:.3g}, {pooled.high:.3g}]"
    assert rows["claim-gain"]["pooled"] == f"**cannot be judged** {numbers}, 3 graphs"


@pytest.mark.parametrize("graph", ["asf in time", "synthetic web", "cnr-2000"])
def test_graphs_that_are_apart_change_no_pooled_line(graph, found):
    other = copy.deepcopy(found)
    for record in other:
        if record["graph"] == graph:
            for claim in record["claims"]:
                claim.update({name: claim[name] - 500 for name in ("value", "low", "high") if name in claim})
    one, two = Results(found), Results(other)
    assert one.pooled.keys() == two.pooled.keys() != set()
    assert [p.claim for p in one.pooled.values()] == [p.claim for p in two.pooled.values()]
    assert page(one, COVERAGE) != page(two, COVERAGE)


def test_a_claim_of_two_graphs_is_not_pooled(found):
    results = Results([record for record in found if record["graph"] != "wikispeedia"])
    rows = table_of(page(results, COVERAGE), IMPACT.title)
    assert rows["claim-gain"]["pooled"] == "not pooled: 2 of the 3 recorded graphs that it takes"
    assert "measured on fewer than three graphs" in findings(results)


def test_every_claim_has_a_sentence_a_margin_a_unit_and_a_count(found):
    text = page(Results(found), COVERAGE)
    blocks = re.findall(r"<details>.*?</details>", text, re.DOTALL)
    keys = {claim["key"] for record in found for claim in record["claims"]}
    assert len(blocks) == len(keys)
    for block in blocks:
        assert re.search(r"^> (“.+” .+|Not in the paper.*)\.$", block, re.MULTILINE), block
        assert re.search(r"^Quantity: .+\. Holds .+; margin [\d.]+, much [\d.]+\.$", block, re.MULTILINE), block
        for row in tables(block)[0]:
            measured = row["estimate [95 % interval]"]
            assert re.fullmatch(r"\d+ .+", row["n, unit"]) or not measured, row
            assert row["verdict"]
    assert "Not in the paper as a sentence (see section 4.1, table 3)." in text


def test_what_explains_a_verdict_is_in_the_details(found):
    text = page(Results(found), COVERAGE)
    assert "the store has no searches" in text
    assert "not pooled: in-links stand in for impact" in text
    assert "2 of 2 parts hold" in text
    for margin in MARGINS.values():
        assert f"| {margin.least:g} | {margin.much:g} | {margin.reason} |" in text


def test_text_of_claims_is_not_markup(found):
    for record in found:
        for claim in record["claims"]:
            claim["claim"] = f'<script>"|{claim["key"]}'
    results = Results(found)
    assert "<script>" not in page(results, COVERAGE)
    drawn = forest(results, IMPACT)
    assert "<script>" not in drawn
    ElementTree.fromstring(drawn)


def test_the_forest_draws_every_estimate_and_the_pooled_one(found):
    results = Results(found)
    drawn = forest(results, IMPACT)
    assert drawn == forest(Results(found), IMPACT)
    space = "{http://www.w3.org/2000/svg}"
    groups = {one.get("data-claim"): one for one in ElementTree.fromstring(drawn).iter(f"{space}g")}
    texts = [one.text for one in groups["gain"].iter(f"{space}text")]
    pooled = results.pooled["gain"].claim
    assert {*POOLED, "asf in time", "synthetic web", "pooled"} <= set(texts)
    assert f"? {pooled.value:.3g} [{pooled.low:.3g}, {pooled.high:.3g}]" in texts
    squares = [one.get("class") for one in groups["gain"].iter(f"{space}rect") if one.get("width") == "7"]
    assert (squares.count("fill"), squares.count("ink")) == (3, 2)
    assert "queries early" not in groups  # nothing was measured


def test_findings_are_worded_by_the_verdict_and_linked(found):
    text = findings(Results(found))
    places = re.findall(r'<a id="(.*?)">', page(Results(found), COVERAGE))
    bullets = [line for line in text.splitlines() if line.startswith("- ")]
    assert bullets
    for line in bullets:
        assert re.search(r"\(reproduction\.md#(.*?)\)", line)[1] in places
    pays = next(one for some in SECTIONS.values() for one in some if one.key == "rw-eg over rw")
    assert f"**{pays.holds}**" in text
    for lower, sentence in ((4.5, pays.opens), (12.0, pays.worse), (5.4, pays.fails)):
        other = copy.deepcopy(found)
        for graph in POOLED:
            for record in other:
                for claim in record["claims"] if record["graph"] == graph else ():
                    if claim["key"] == "rw-eg over rw":
                        spread = 0.01 if sentence == pays.fails else 1
                        claim["value"] = (claim["value"] - 5) * spread + 5 - lower
                        claim["error"] *= spread
        assert f"**{sentence}**" in findings(Results(other))


def test_every_finding_is_of_a_claim_that_some_experiment_judges():
    """Keys are written down twice: a claim that is renamed must be renamed here."""
    from seedrank.evaluate.cores import statements as cores
    from seedrank.evaluate.coverage import statements as coverage
    from seedrank.evaluate.impact import statements as impact
    from seedrank.evaluate.ordering.claims import STATEMENTS

    known = {one.key for one in STATEMENTS}
    known |= {one.statement.key for one in coverage.ORDERINGS}
    known |= {one.key for one in vars(impact).values() if hasattr(one, "quote")}
    known |= {impact.over_pagerank(walk).key for walk in ("rw", "rw-eg")}
    known |= {one.key for one in (*vars(cores).values(), *cores.PAGERANK.values()) if hasattr(one, "quote")}
    assert {one.key for some in SECTIONS.values() for one in some} <= known


def test_copies_are_folded_into_the_first_page():
    pages = pd.DataFrame({"id": [0, 1, 2, 3, 4], "views": [5, 5, 5, 7, 7]})
    links = pd.DataFrame({"source": [0, 1, 2, 3, 3, 4], "target": [3, 3, 4, 1, 3, 0]})
    kept, folded = fold_copies(pages, links)
    assert kept["id"].tolist() == [0, 2, 3, 4]  # 1 is 0 again; 3 and 4 differ by what they link to
    assert folded.to_numpy().tolist() == [[0, 3], [2, 4], [3, 0], [4, 0]]


def test_a_frontier_in_time_shows_no_link_that_counts():
    """Old: 0 → 1, 0 → 9 (uncrawled). Later 0 → 2, 2 → 3, 3 → 2, 4 → 2, 9 → 2: 2 and 9 are met, 3 and 4 are not."""

    def pages(rows: list[tuple[int, str]]) -> pd.DataFrame:
        return pd.DataFrame([(i, f"http://x/{i}", status) for i, status in rows], columns=["id", "url", "status"])

    def links(rows: list[tuple[int, int]]) -> pd.DataFrame:
        return pd.DataFrame(rows, columns=["source", "target"])

    made, linked, truth, said = in_time(
        pages([(0, "crawled"), (1, "crawled"), (9, "frontier")]),
        links([(0, 1), (0, 9), (1, 1)]),
        pages([(0, "crawled"), (2, "crawled"), (3, "crawled"), (4, "crawled"), (9, "crawled")]),
        links([(0, 2), (0, 9), (2, 3), (3, 2), (4, 2), (9, 2), (2, 9)]),
    )
    assert made.set_index("id")["status"].to_dict() == {0: "crawled", 1: "crawled", 2: "frontier", 9: "frontier"}
    assert made.set_index("id")["inlinks"].dropna().to_dict() == {0: 0, 1: 1}
    assert sorted(linked.to_numpy().tolist()) == [[0, 1], [0, 2], [0, 9]]
    assert truth.set_index("url")["inlinks"].to_dict() == {"http://x/2": 3, "http://x/9": 1}
    assert said.startswith("4 pages are new, 2 of them linked from a page crawled in both; ")
    assert said.endswith("holds 1 of the new pages")


def test_simulated_coverage_is_a_share_in_per_cent():
    found = measure_coverage(60)
    assert 85 < found["normal, n = 10"] <= 100
    assert found["lognormal(1), n = 10"] < found["normal, n = 10"]


def test_graphs_are_named_once_and_ask_what_there_is():
    names = [graph.name for graph in GRAPHS]
    assert len(set(names)) == len(names)
    for graph in GRAPHS:
        assert any(what.partition(":")[0] in EXPERIMENTS for what in graph.judge)
        assert graph.load.text or all("--store" in one.text for one in graph.judge.values())
    assert len({anchor(one.key) for some in SECTIONS.values() for one in some}) == sum(map(len, SECTIONS.values()))


@pytest.fixture
def tiny(tmp_path, monkeypatch) -> tuple[Path, Path]:
    """A graph of 150 pages on three hosts with an experiment, one that takes too long, and one that fails."""
    random = np.random.default_rng(1)
    data = tmp_path / "data" / "tiny"
    data.mkdir(parents=True)
    ends = random.integers(150, size=(900, 2))
    lines = "".join(f"http://h{i % 3}.example/{i}\thttp://h{j % 3}.example/{j}\n" for i, j in ends)
    (data / "links.tsv").write_text(f"source\ttarget\n{lines}", encoding="utf-8")
    judge = {
        "ordering": JUDGED,
        "ordering: late": Command("experiment ordering fpr --quick", 0),
        "impact: wrong": Command("experiment impact --truth {work}/no-such-file.tsv"),
    }
    graph = Graph("tiny", "", "", "tiny", Command("load table --links {data}/links.tsv"), judge)
    absent = Graph("absent", "", "", "absent", Command("load table --links {data}/links.tsv"))
    monkeypatch.setattr(running, "GRAPHS", [graph, absent])
    return tmp_path / "work", tmp_path / "data"


def test_a_run_keeps_what_it_found_and_goes_on(tiny, monkeypatch, capsys):
    found, left_out = running.run_all(*tiny, [])
    assert [record["graph"] for record in found] == ["tiny"]
    assert {claim["key"] for claim in found[0]["claims"]} >= {"fpr-alike", "every-m-better"}
    assert re.search(r"ordering: \d+ s", capsys.readouterr().out)
    assert [sentence.partition(":")[0] for sentence in left_out] == ["tiny, ordering", "tiny, impact", "absent"]
    assert "took longer than 0 s" in left_out[0]
    assert "WORK/no-such-file.tsv" in left_out[1]
    assert str(tiny[0].parent) not in json.dumps([found, left_out])

    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("a command was run again")

    monkeypatch.setattr(running, "GRAPHS", [replace(running.GRAPHS[0], judge={"ordering": JUDGED})])
    monkeypatch.setattr(subprocess, "run", refuse)
    assert running.run_all(*tiny, []) == (found, [])
