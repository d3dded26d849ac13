"""What is decided by a claim, in words."""

from __future__ import annotations

import pytest

from seedrank.experiments.claim_specs import claim_specs
from seedrank.experiments.decisions import deciding, sentences
from seedrank.experiments.intervals import Interval
from seedrank.experiments.verdicts import judge, no_room

SPEC = claim_specs("ordering")["fpr-alike"]


def claim(low: float, high: float):
    return judge(SPEC, Interval((low + high) / 2, low, high, 10, "seed draws of this graph"))


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (-0.01, 0.02, "important pages come as early"),
        (0.2, 0.3, "Plain FPR and 5 % windowed RankMass differ"),
        (-0.01, 0.08, "would settle it)"),
        (-0.01, 0.1098, "more webs will hardly settle it: try yours)"),
    ],
)
def test_a_sentence_follows_the_verdict(low, high, said):
    (text,) = sentences([claim(low, high)])
    assert said in text and text.startswith(f"{SPEC.decision.lead}: ")
    assert "of the headroom [" in text


def test_where_nothing_can_be_gained_any_choice_will_do():
    (text,) = sentences([no_room(claim(-0.01, 0.02), "omniscient gains 0.2 %")])
    assert "Any choice will do here: omniscient gains 0.2 %." in text


def test_open_decisions_come_last_and_parts_are_not_told():
    texts = sentences([claim(-0.01, 0.08), judge(SPEC, Interval(0, -0.01, 0.01, 9), part="one"), claim(-0.01, 0.02)])
    assert len(texts) == 2 and "would settle it" in texts[1]


def test_a_claim_about_the_frontier_decides_on_either():
    assert {"rw over pagerank, hidden", "rw over pagerank, new"} <= set(deciding())
