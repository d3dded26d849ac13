"""docs/reproduction.md and docs/findings.md say what was found: on kept claims with numbers made for the purpose."""

from __future__ import annotations

import copy
import json
import math
import re
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from docs.reproduction import running, sensitivity
from docs.reproduction.figures import figures_of
from docs.reproduction.findings import MOST, charts, decisive, findings
from docs.reproduction.forest import forest
from docs.reproduction.graphs import EXPERIMENTS, GRAPHS, Command, Graph
from docs.reproduction.page import page
from docs.reproduction.pooling import pool, random_effects
from docs.reproduction.prepare import fold_copies, in_time, split_by_date
from docs.reproduction.referee import asked
from docs.reproduction.results import PAPERS, Results, anchor, mark
from docs.reproduction.simulated import measure_coverage
from seedrank.experiments.claim_specs import MARGINS
from seedrank.runs.experiment import Experiment

SAMPLE = Path(__file__).parent / "reproduction_sample.json"
JUDGED = Command("experiment ordering fpr bfs --quick")
COVERAGE = {"normal, n = 5": 95.0}
POOLED = ("wikispeedia", "ted", "forum")
NUMBER = r"-?\d[\d.]*(?:e[-+]\d+)?"
GAIN, PAYS = "gain at least, hidden", "rw-eg over rw, hidden"
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


def altered(found: list[dict[str, Any]], key: str, change: Callable[[dict[str, Any]], Any]) -> list[dict[str, Any]]:
    """A copy with the claims of a key on the pooled graphs changed."""
    other = copy.deepcopy(found)
    for record in other:
        for claim in record["claims"] if record["graph"] in POOLED else ():
            if claim["key"] == key:
                change(claim)
    return other


def as_claim(found: list[dict[str, Any]], key: str, **of: Any) -> None:
    """Give the claims of “gain” to another claim."""
    for record in found:
        for claim in record["claims"]:
            if claim["key"] == GAIN:
                claim.update(key=key, claim=f"claim {key}", **of)


def test_cells_are_what_was_found(found):
    rows = table_of(page(Results(found), COVERAGE), IMPACT.title)
    marks = {"holds": "✓", "does not hold": "✗", "cannot be judged": "?"}
    for graph in (*POOLED, "*asf in time*"):
        claim = raw(found, graph.strip("*"), GAIN)
        numbers = f"{claim['value']:.3g} [{claim['low']:.3g}, {claim['high']:.3g}]"
        assert rows["claim-gain-at-least-hidden"][graph] == f"{marks[claim['verdict']]} {numbers}"
    assert rows["claim-queries-early-hidden"]["wikispeedia"] == "?"
    assert rows["claim-table-3-views-hidden"]["wikispeedia"].startswith("(✓) ")
    assert rows["claim-table-3-views-hidden"]["pooled"] == "not pooled: it holds by arithmetic"
    units = (rows[one]["unit"] for one in ("claim-gain-at-least-hidden", "claim-table-3-views-hidden"))
    assert tuple(units) == ("points of the ideal", "% in impact")


def test_the_page_begins_with_the_verdicts_of_each_paper(found):
    results = Results(found)
    text = page(results, COVERAGE)
    rows = tables(text)[0]
    assert [row["paper"].partition("]")[0] for row in rows] == [f"[{paper.title}" for paper in results.papers]
    pooled = 0
    for paper, row in zip(results.papers, rows, strict=True):
        *counted, apart = (int(row[name]) for name in ("hold", "do not hold", "cannot be judged", "not pooled"))
        assert sum(counted) + apart == int(row["claims"]) == len(results.keys(paper))
        pooled += sum(counted)
    assert pooled == len(results.pooled)


def test_the_pooled_line_is_over_recorded_graphs_alone(found):
    rows = table_of(page(Results(found), COVERAGE), IMPACT.title)
    some = [raw(found, graph, GAIN) for graph in POOLED]
    pooled = random_effects([one["value"] for one in some])
    numbers = f"{pooled.value:.3g} [{pooled.low:.3g}, {pooled.high:.3g}]"
    assert (
        rows["claim-gain-at-least-hidden"]["pooled"]
        == f"**{Results(found).pooled[GAIN].claim.verdict}** {numbers}, 3 graphs"
    )


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
    assert rows["claim-gain-at-least-hidden"]["pooled"] == "not pooled: 2 of the 3 recorded sites that it takes"


def test_every_claim_has_a_sentence_a_margin_a_unit_and_a_count(found):
    text = page(Results(found), COVERAGE)
    blocks = re.findall(r"<details>.*?</details>", text.partition("### Details")[2], re.DOTALL)
    keys = {claim["key"] for record in found for claim in record["claims"]}
    assert len(blocks) == len(keys)
    for block in blocks:
        assert re.search(r"^> (“.+” .+|Not in the paper.*)\.$", block, re.MULTILINE), block
        assert re.search(r"^Quantity: .+ \(.+\)\. Holds .+; margin [\d.]+, much [\d.]+\.$", block, re.MULTILINE), block
        for row in tables(block)[0]:
            measured = row["estimate [95 % interval]"]
            assert re.fullmatch(r"\d+ .+", row["n, unit"]) or not measured, row
            assert row["verdict"]


def test_what_explains_a_verdict_is_in_the_details(found):
    text = page(Results(found), COVERAGE)
    assert "the store has no searches" in text
    assert "not pooled: in-links stand in for impact" in text
    assert "2 of 2 parts hold" in text
    for margin in MARGINS.values():
        assert f"| {margin.least:g} | {margin.much:g} | {margin.reason} |" in text


def drawn_of(results: Results) -> str:
    return forest(results, IMPACT.title, [(key, "") for key in results.keys(IMPACT)])


def test_text_of_claims_is_not_markup(found):
    for record in found:
        for claim in record["claims"]:
            claim["claim"] = f'<script>"|{claim["key"]}'
    results = Results(found)
    assert "<script>" not in page(results, COVERAGE)
    drawn = drawn_of(results)
    assert "<script>" not in drawn
    ElementTree.fromstring(drawn)


def test_the_forest_draws_every_estimate_and_the_pooled_one(found):
    results = Results(found)
    drawn = drawn_of(results)
    assert drawn == drawn_of(Results(found))
    space = "{http://www.w3.org/2000/svg}"
    groups = {one.get("data-claim"): one for one in ElementTree.fromstring(drawn).iter(f"{space}g")}
    texts = [one.text for one in groups[GAIN].iter(f"{space}text")]
    pooled = results.pooled[GAIN].claim
    assert {*POOLED, "asf in time", "synthetic web", "pooled"} <= set(texts)
    assert f"{mark(pooled)} {pooled.value:.3g} [{pooled.low:.3g}, {pooled.high:.3g}]" in texts
    squares = [one.get("class") for one in groups[GAIN].iter(f"{space}rect") if one.get("width") == "7"]
    assert (squares.count("fill"), squares.count("ink")) == (3, 0)  # the others lie far away: arrows
    assert "queries early, hidden" not in groups  # nothing was measured


def test_the_forest_names_units_and_keeps_to_the_graphs_that_count(found):
    far = copy.deepcopy(found)
    raw(found, "asf in time", GAIN).update(value=7.0, low=6.0, high=8.0)
    raw(far, "asf in time", GAIN).update(value=5000.0, low=4000.0, high=6000.0)
    space = "{http://www.w3.org/2000/svg}"
    drawn = {
        name: next(one for one in ElementTree.fromstring(text).iter(f"{space}g") if one.get("data-claim") == GAIN)
        for name, text in (
            ("near", drawn_of(Results(found))),
            ("far", drawn_of(Results(far))),
        )
    }
    assert "points of the ideal" in [one.text for one in drawn["far"].iter(f"{space}text")]
    squares = {
        name: [one.get("x") for one in group.iter(f"{space}rect") if one.get("class") == "fill"]
        for name, group in drawn.items()
    }
    assert squares["near"] == squares["far"]  # the axis is theirs
    open_ones = [sum(one.get("class") == "ink" for one in drawn[name].iter(f"{space}rect")) for name in ("near", "far")]
    assert open_ones == [1, 0]  # an arrow in place of the square


def lowered(found: list[dict[str, Any]], lower: float, spread: float) -> list[dict[str, Any]]:
    def change(claim: dict[str, Any]) -> None:
        claim["value"] = (claim["value"] - 5) * spread + 5 - lower

    return altered(found, PAYS, change)


def headings(text: str) -> list[str]:
    """The decisions of the findings, in large letters."""
    return re.findall(r"^### (\d+\. .*) \(.*\)$", text, re.MULTILINE)


def finding(text: str, heading: str) -> str:
    """What is said under a heading."""
    blocks = re.split(r"^##+ (?:\d+\. )?", text, flags=re.MULTILINE)
    [block] = [block for block in blocks if block.startswith(f"{heading.rstrip('.')} (")]
    return block


def test_findings_are_worded_by_the_verdict_with_effect_command_and_table(found):
    places = re.findall(r'<a id="(.*?)">', page(Results(found), COVERAGE))
    pays = decisive()[PAYS].decision
    for some, sentence, section in (
        (found, pays.then, "Do this"),
        (lowered(found, 12.0, 1), pays.otherwise, "Do this"),
        (lowered(found, 4.5, 1), pays.little, "Hardly matters"),
        (lowered(found, 4.5, 8), pays.open, "Open: what to do meanwhile"),
    ):
        results = Results(some)
        text = findings(results)
        assert [int(one.partition(".")[0]) for one in headings(text)] == list(range(1, len(headings(text)) + 1))
        block = finding(text, sentence)
        assert sentence.rstrip(".") in text.partition(f"## {section}\n")[2].partition("\n## ")[0]
        effect = r"^\| RW with virtual links .* finds [\d.]+ (more|fewer) of .* \[.* to .*\]: ahead on \d of 3 webs"
        assert re.search(effect, block, re.MULTILINE)
        assert f"On your own graph: `{pays.check}` (" in block
        assert re.search(r"\(reproduction\.md#(.*?)\)", block)[1] in places
        assert ("settle it" in block) == (sentence == pays.open)


def test_the_effect_is_that_of_the_pooled_line(found):
    pays = decisive()[PAYS].decision
    results = Results(found)
    [one] = [part.claim for part in results.pooled[PAYS].parts if part.claim.part == pays.part]
    text = findings(results)
    assert f"finds {one.value:.2g} more of" in finding(text, pays.then)
    assert f" [{one.low:.2g} to {one.high:.2g}]: ahead on 3 of 3 webs" in finding(text, pays.then)
    assert f"{pays.then.rstrip('.')} ({one.value:.2g} more of 100 clicks)\n" in text


def test_findings_are_one_page_ordered_by_how_much_they_move(found):
    """What was not measured is left out; an open decision comes last."""
    orders = ("How to choose seeds", "Which order to fetch in", "Which M")
    for record, name in zip(found[-4:-1], orders, strict=True):
        record["graph"] = record["of"] = {"How to choose seeds": "asf 2024"}.get(name, record["graph"])
    for record in found:
        for claim in record["claims"]:
            if claim["key"] == "steps-of-m":
                claim.update(key="fpr over bfs", value=0.15 + claim["value"])
    text = findings(Results(found))
    assert 2 <= len(headings(text)) <= MOST
    first, second, *_ = headings(text)
    assert "virtual links" in first  # 5.8 of the 5 points that count as much
    assert second.endswith("Fetch by FPR, not breadth first")  # 0.16 of the 0.2
    assert "synthetic web" not in text
    assert "cannot be judged" not in text and "verdict" not in text


def test_what_two_sites_measure_names_the_one_that_is_missing(found):
    results = Results([record for record in found if record["graph"] != "wikispeedia"])
    block = finding(findings(results), decisive()[PAYS].decision.open)
    assert "finds 6.2 more of 100 clicks that could be found on 2 webs; 1 more web would settle it" in block


def test_each_decision_has_its_chart_beside_it(found):
    results = Results(found)
    drawn = charts(results)
    assert re.findall(r"\(pictures/(finding-.*?)\.svg\)", findings(results)) == list(drawn)
    part = decisive()[PAYS].decision.part
    [chart] = [one for one in drawn.values() if "What to add to RW" in one]
    texts = [one.text for one in ElementTree.fromstring(chart).iter("{http://www.w3.org/2000/svg}text")]
    assert texts[-5:-1] == [*POOLED, "mean"] or {*POOLED, "mean"} <= set(texts)
    assert raw(found, "asf in time", PAYS, part) and "asf in time" not in texts  # apart: not in the mean


def test_links_of_a_machine_and_of_people_are_told_apart(found):
    key = "rw over pagerank, hidden"
    part = "rw - pagerank at the larger budget"
    as_claim(found, key, part=part)
    block = finding(
        findings(Results(found)), "Rank by RW where a machine recommends the links, by PageRank where people set them"
    )
    ted, forum, other = (raw(found, graph, key, part)["value"] for graph in ("ted", "forum", "wikispeedia"))
    assert f"RW finds {ted:.2g} more of 100 clicks that could be found than PageRank where a machine " in block
    assert "recommends the links (ted: ahead on 1 of 1 web)" in block
    people = f"{min(forum, other):.2g} to {max(forum, other):.2g} more where people set them (wikispeedia and forum: "
    assert f"and {people}ahead on 2 of 2 webs)" in block


def test_hidden_pages_and_new_pages_are_set_side_by_side(found):
    key = "rw over pagerank"
    as_claim(found, f"{key}, hidden", part="rw - pagerank at the larger budget")
    new = copy.deepcopy(next(record for record in found if record["graph"] == "ted"))
    new.update(graph="ted in time", of="ted in time")
    for claim in new["claims"]:
        if claim["key"] == f"{key}, hidden":
            claim.update(key=f"{key}, new", value=claim["value"] - 20)
    block = finding(findings(Results([*found, new])), "Judge by pages that a later crawl adds")
    assert "| Pages hidden at random flatter: RW leads PageRank by " in block
    hidden = raw(found, "ted", f"{key}, hidden", "rw - pagerank at the larger budget")["value"]
    assert f"by {hidden:.2g} of 100 clicks among hidden pages and {hidden - 20:.2g} among new ones (ted)" in block
    assert "2 more webs would settle it" in block


def test_every_pooled_line_is_recomputed_from_the_cells_that_are_printed(found):
    """As a referee would: the printed estimates, averaged by site, with Student's interval over the sites."""
    again = copy.deepcopy(next(record for record in found if record["graph"] == "ted"))
    again.update(graph="youtube 2016", of="youtube 2016")
    other = copy.deepcopy(again)
    other.update(graph="youtube 2008-03-27", of="youtube 2008-03-27")
    for claim in (*again["claims"], *other["claims"]):
        claim["value"] = claim.get("value", math.nan) + 3.0
    results = Results([*found, again, other])
    text = page(results, COVERAGE)
    checked = 0
    for block in re.findall(r'<a id=".*?">.*?</details>', text, re.DOTALL):
        key = next((one for one in results.pooled if f'id="{anchor(one)}"' in block), "")
        if not key:
            continue
        whole, *parts = tables(block)
        rows = [{row["graph"]: row["estimate [95 % interval]"] for row in whole}]
        if parts:
            rows = [{"**pooled**": row["pooled"], **{n: c for n, c in row.items() if n not in ("part", "pooled")}}
                    for row in parts[0]]  # fmt: skip
        one = results.pooled[key]
        counted = set(one.graphs).union(*(part.graphs for part in one.parts))
        for line in rows:
            numbers = {name: [float(n) for n in re.findall(NUMBER, cell)] for name, cell in line.items()}
            pooled = numbers.pop("**pooled**", [])
            if not pooled:
                continue
            by_site: dict[str, list[float]] = {}
            for name, cell in numbers.items():
                if cell and name.strip("*") in counted:
                    by_site.setdefault(results.sites.get(name, name), []).append(cell[0])
            expected = random_effects([float(np.mean(values)) for values in by_site.values()])
            assert pooled == pytest.approx([expected.value, expected.low, expected.high], rel=0.03, abs=0.05), key
            checked += 1
    assert checked >= 3
    assert results.pooled[PAYS].claim.n == 4  # youtube counts once


def test_answers_to_a_referee_are_of_this_run(found):
    """Halving margins, stricter intervals and what each graph says by itself, on claims made for it."""
    results = Results(found)
    assert "**Were the margins chosen to fit?**" in "\n".join(asked(results))
    assert sensitivity.decided(results) == [
        key for key, one in results.pooled.items() if one.claim.verdict in ("holds", "does not hold")
    ]
    assert PAYS in sensitivity.decided(results)
    strict = {one.claim.key: one.claim for one in pool(results.claims, 1 - 0.05 / len(results.pooled), results.sites)}
    opened = [key for key in sensitivity.decided(results) if strict[key].verdict == "cannot be judged"]
    assert sensitivity.open_for_every_claim(results) == opened != []
    assert PAYS in sensitivity.with_margins(results, 100)
    assert sensitivity.with_margins(results, 1) == []

    apart = iter(range(-40, 100, 40))

    def alone(claim: dict[str, Any]) -> None:
        claim.update(verdict="does not hold", value=float(next(apart)))

    other = Results(altered(found, GAIN, alone))
    assert sensitivity.agreed(other)[GAIN] == "does not hold"
    assert GAIN not in sensitivity.agreed(results)
    assert asked(other) != asked(results)


def test_a_fourth_graph_is_left_out_in_turn(found):
    fourth = copy.deepcopy(next(record for record in found if record["graph"] == POOLED[0]))
    fourth.update(graph="fourth", of="fourth")
    for claim in fourth["claims"]:
        if claim["key"] == PAYS:
            claim["value"] = -50.0
    assert sensitivity.without_a_graph(Results(found)) == {}
    assert sensitivity.without_a_graph(Results([*found, fourth]))[PAYS] == ["fourth"]


def test_orders_are_quoted_from_their_tables(found):
    """Early pages over draws with their intervals, and the paper's own seeds once."""
    orders = ("fpr", "fpr@2", "fpr@20", "fpr@100", "windowed-rankmass:5%")
    values = [0.5, 0.5, 0.5, 0.48, 0.5]
    draws = [
        {"set": draw, "order": order, "share": share, "pagerank": value * (1 + 0.01 * draw), "pagerank_area": value}
        for draw in range(6)
        for share in (0.01, 0.05)
        for order, value in zip(orders, values, strict=True)
    ]
    tables = {
        "reached": pa.Table.from_pylist(draws),
        "seed-sets": pa.Table.from_pylist([row for row in draws if row["share"] == 0.01]),
        "paper-seeds": pa.table({"order": orders, "pagerank_area": values}),
    }
    figures = json.loads(json.dumps(figures_of(Experiment("ordering", tables, [], []))))
    assert figures["over windowed"]["0.01"]["fpr@100"] == pytest.approx([-4, -4, -4])
    assert figures["over windowed"]["paper seeds"]["fpr@100"] == pytest.approx([-4])
    found[0].update(experiment="ordering", figures=figures)
    text = "\n".join(asked(Results(found)))
    assert re.search(rf"\| {found[0]['graph']} \| 0 \[0, 0\] \|.*\| -4 \[-4, -4\] \|.*\| -4 \|", text)


def test_effects_are_told_as_times_too(found):
    """Of the webs that count: the second recording of one does not, nor what was generated."""
    for record in found:
        for claim in record["claims"]:
            if claim["key"] == "steps-of-m":
                claim.update(key="fpr over bfs", value=0.15 + claim["value"])
    times = {"asf 2024": 1.4, "webkb": 2.14, "polblogs": 1.9, "cnr-2000": 9.0}
    for record in found:
        if record["graph"] in times:
            record["figures"] = {"times": [times[record["graph"]]]}
    block = finding(findings(Results(found)), "Fetch by FPR, not breadth first.")
    assert ", and 1.4 to 2.1 times its PageRank after 5 % of the pages: ahead on 3 of 3 webs" in block


def test_a_share_of_what_could_be_gained_ends_at_all_of_it(found):
    key, part = "random-worst-pages", "MaxWeight2 - Random"
    gains = iter((0.6, 0.9, 1.0, 1.0))
    for record in found:
        for claim in record["claims"]:
            if claim["key"] == "steps-of-m":
                claim.update(key=key, part=part, quantity="coverage gain", least=0.2, value=next(gains))
    results = Results(found)
    assert results.pooled[key].parts[0].claim.high > 1
    assert " of what the best seeds could add to random ones [32 to 100]: ahead on 3 of 3 webs" in findings(results)
    drawn = charts(results)["finding-how-to-choose-seeds"]
    labels = [one.text for one in ElementTree.fromstring(drawn).iter("{http://www.w3.org/2000/svg}text")]
    assert "100" in labels and "120" not in labels and "150" not in labels


def test_times_are_read_from_the_tables():
    columns = {"along": ["k", "k"], "k": [1, 1], "measure": ["pages"] * 2, "method": ["MaxWeight2", "MaxOut"],
               "over_random": [40.0, 9.0], "low": [30.0, 8.0], "high": [50.0, 10.0]}  # fmt: skip
    assert figures_of(Experiment("coverage", {"coverage": pa.table(columns)}, [], [])) == {"times": [1.4, 1.3, 1.5]}


def test_readings_and_budgets_are_quoted_from_their_tables(found):
    ratios = [
        {"split": split, "impact": "views", "crawled_pages": group, "over": "links", "mean_impact": mean + 0.1 * split,
         "hit_rate": rate, "per_source": math.nan}
        for split in range(6)
        for group, mean, rate in (("with", 3.0, 0.5), ("without", 1.0, 0.5), ("random", 2.0, 0.5))
    ]  # fmt: skip
    shares = {
        "asked": [True] * 4,
        "part": ["unseen"] * 4,
        "budget": [0.01, 0.01, 0.1, 0.1],
        "pages": [1.0, 2.0, 10, 11],
    }
    tables = {"shares": pa.table(shares), "ratios": pa.Table.from_pylist(ratios)}
    figures = figures_of(Experiment("impact", tables, [], []))
    assert figures["pages"] == {"0.01": 1.5, "0.1": 10.5}
    assert figures["table 2"]["views"]["hit_rate"] == [0.0]  # the same in every split: no interval
    same = {f"{one}, same size" for one in ("mean_impact", "hit_rate")}
    assert set(figures["table 2"]["views"]) == {"mean_impact", "hit_rate"} | same
    found[0].update(experiment="impact", figures=figures)
    text = "\n".join(asked(Results(found)))
    assert re.search(rf"\| {found[0]['graph']} \(views\) \| 160 \[\d+, \d+\] \| 44.4 \[\d+.*?\] \| 0 \| 0 \|  \|", text)


def test_a_decision_says_what_to_do_and_how_to_check_it():
    for spec in decisive().values():
        one = spec.decision
        assert all(text.endswith(".") for text in (one.then, one.otherwise, one.open))
        assert one.check.startswith("seedrank ")
        assert len(one.then) <= 60 and ("{effect}" in one.effect or "{share}" in one.effect)
    assert len({spec.decision.lead for spec in decisive().values()}) + 1 <= MOST  # with how to judge a frontier


def test_the_newest_pages_are_the_frontier_of_the_older_ones():
    """Ten pages by age, 0 the oldest; 6 to 9 are new: 6 is linked from 0, 7 from 6 alone; x was never crawled."""
    pages = pd.DataFrame(
        {"url": [*map(str, range(10)), "x"], "status": ["crawled"] * 10 + ["frontier"],
         "views": [*range(10), math.nan], "created": [f"2007-01-{n + 1:02d}" for n in range(10)] + [None]}
    )  # fmt: skip
    links = pd.DataFrame({"source": ["0", "6", "1", "2"], "target": ["6", "7", "x", "2"]})
    older, seen, truth, said = split_by_date(pages, links)
    status = older.set_index("url")["status"].to_dict()
    assert status == {**dict.fromkeys("012345", "crawled"), "6": "frontier", "x": "frontier"}
    assert older.set_index("url")["views"].isna().to_dict()["6"]
    assert seen.to_numpy().tolist() == [["0", "6"], ["1", "x"]]
    assert truth.to_numpy().tolist() == [["6", 6]]
    assert said.startswith("4 pages are newer than 2007-01-06, 1 of them linked")


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
    assert found["pooled, 3 graphs, one a hundred times as exact"] > 85
    assert found["lognormal(1), n = 10"] < found["normal, n = 10"]


def test_graphs_are_named_once_and_ask_what_there_is():
    names = [graph.name for graph in GRAPHS]
    assert len(set(names)) == len(names)
    for graph in GRAPHS:
        assert any(what.partition(":")[0] in EXPERIMENTS for what in graph.judge)
        assert graph.load.text or all("--store" in one.text for one in graph.judge.values())
    assert len({anchor(key) for key in decisive()}) == len(decisive())


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
