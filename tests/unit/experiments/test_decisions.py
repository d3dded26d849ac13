"""What is decided by a claim, in words."""

from __future__ import annotations

import pytest

from seedrank.experiments.claim_specs import claim_specs
from seedrank.experiments.decisions import deciding, sentences
from seedrank.experiments.intervals import Interval
from seedrank.experiments.verdicts import judge, judge_parts, no_room

SPEC = claim_specs("ordering")["fpr-alike"]


def claim(low: float, high: float):
    return judge(SPEC, Interval((low + high) / 2, low, high, 10, "seed draws of this graph"))


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (-0.01, 0.02, "Fetch by FPR, not by windowed RankMass. (FPR gathers 0.5 % more of what"),
        (-0.01, 0.02, "[1 % less to 2 % more])"),
        (0.2, 0.3, "Plain FPR and 5 % windowed RankMass differ"),
        (0.2, 0.3, "[20 to 30])"),
        (-0.01, 0.08, "would settle it)"),
        (-0.01, 0.1098, "more webs will hardly settle it: try yours)"),
    ],
)
def test_a_sentence_follows_the_verdict(low, high, said):
    (text,) = sentences([claim(low, high)])
    assert said in text and text.startswith(f"{SPEC.decision.lead}: ")


def test_claims_that_decide_the_same_are_one_sentence():
    faster = judge(claim_specs("ordering")["fpr-time"], Interval(19, 7, 53, 10))
    (text,) = sentences([claim(-0.01, 0.02), faster])
    assert text.startswith("FPR or windowed RankMass: Fetch by FPR, not by windowed RankMass. (FPR gathers ")
    assert text.endswith("; windowed RankMass takes 19 times as long to decide [7 to 53])")


def test_where_nothing_can_be_gained_any_choice_will_do():
    (text,) = sentences([no_room(claim(-0.01, 0.02), "omniscient gains 0.2 %")])
    assert "Any choice will do here: omniscient gains 0.2 %." in text


def test_open_decisions_come_last_and_parts_are_not_told():
    over_bfs = judge(claim_specs("ordering")["fpr over bfs"], Interval(0.2, 0.1, 0.3, 10))
    texts = sentences([claim(-0.01, 0.08), judge(SPEC, Interval(0, -0.01, 0.01, 9), part="one"), over_bfs])
    assert len(texts) == 2 and texts[0].startswith("Which order") and "would settle it" in texts[1]


def test_the_part_that_decides_is_told_and_not_the_weakest():
    spec = claim_specs("coverage")["random-worst-pages"]
    found = {"PageRank - Random": Interval(0.1, -0.1, 0.3, 40), "MaxWeight2 - Random": Interval(0.8, 0.4, 1.2, 40)}
    (text,) = sentences(judge_parts(spec, found))
    assert "gain 80 % of what the best seeds could add to random ones [40 to 100])" in text


def test_what_is_less_than_much_either_way_hardly_matters():
    spec = claim_specs("coverage")["depths-alike-pages"]
    (small,) = sentences([judge(spec, Interval(0.02, -0.02, 0.07, 40))])
    (large,) = sentences([judge(spec, Interval(0.02, -0.3, 0.34, 40))])
    assert spec.decision.little in small and "settle" not in small
    assert spec.decision.open in large and "settle" in large


def test_a_claim_about_the_frontier_decides_on_either():
    assert {"rw over pagerank, hidden", "rw over pagerank, new"} <= set(deciding())
