"""Claims of Tran et al. 2015 where impact is rare: splits without any, and splits nothing can be learnt from."""

from __future__ import annotations

import math

import numpy as np
import pyarrow as pa
import pytest

from seedrank.evaluate.impact.claims import judge
from seedrank.evaluate.impact.measure import summary
from seedrank.evaluate.impact.split import ALL, UNSEEN
from seedrank.evaluate.intervals import Interval, mean_interval, paired_difference

BUDGETS = (0.05, 0.1)
SHARES = {"random": 0.1, "indegree": 0.3, "pagerank": 0.4, "rw-tuned": 0.6, "rw-eg-tuned": 0.65, "ideal": 1.0}
RATIOS = ("mean_impact", "hit_rate", "per_source")


def shares(splits: int, *, empty: int = 0, learnt: int = 0) -> pa.Table:
    """Shares of `splits` splits; the last `empty` have no impact to find, the first `learnt` a model that finds 0.8."""
    rows = []
    for split in range(splits):
        methods = {**SHARES, "learned-tree": 0.8} if split < learnt else SHARES
        for method, share in methods.items():
            for budget in BUDGETS:
                found = math.nan if split >= splits - empty else share + 0.001 * split * (method != "ideal")
                rows += [
                    {
                        **{"split": split, "part": part, "method": method, "pages": 10, "budget": budget},
                        **{"asked": True, "share": found, "ctr": math.nan, "mean_pagerank": 0.01, "scored": 1.0},
                    }
                    for part in (ALL, UNSEEN)
                ]
    return pa.Table.from_pylist(rows)


def claims(table: pa.Table):
    ratios = pa.table(
        {
            **{"split": [0] * 4, "impact": ["clicks"] * 4, "crawled_pages": ["with", "with", "without", "without"]},
            **{"over": ["links", "enriched"] * 2, **{name: [2.0, 2.0, 1.0, 1.0] for name in RATIOS}},
        }
    )
    return {one.claim: one for one in judge({"shares": table, "ratios": ratios}, BUDGETS, "")}


def starting(found, words: str):
    [claim] = [one for text, one in found.items() if text.startswith(words)]
    return claim


def test_splits_without_impact_are_left_out():
    table = shares(10, empty=4)
    found, without = claims(table), claims(shares(6))
    assert found == without
    kept = [row for row in summary(table).to_pylist() if row["method"] == "rw-eg-tuned"]
    assert [row["share"] for row in kept] == pytest.approx([0.6525] * 4)
    assert all(row["low"] <= row["share"] <= row["high"] for row in kept)


def test_a_model_is_compared_on_the_splits_that_have_one():
    claim = starting(claims(shares(10, learnt=4)), "A learnt model beats RW-EG")
    assert claim.verdict == "holds"
    assert "0.15 [0.15, 0.15]" in claim.measured


def test_a_model_is_not_judged_where_no_split_with_one_has_impact():
    table = shares(4, learnt=2)
    rows = [{**row, "share": math.nan} if row["split"] < 2 else row for row in table.to_pylist()]
    assert starting(claims(pa.Table.from_pylist(rows)), "A learnt model beats RW-EG").verdict == "cannot be judged"


def test_nothing_is_judged_where_no_split_has_impact():
    found = claims(shares(3, empty=3))
    for words in ("rw-tuned", "RW-EG is", "Random reaches", "The best method reaches", "The best method is"):
        assert starting(found, words).verdict == "cannot be judged"
    assert all(math.isnan(row["share"]) for row in summary(shares(3, empty=3)).to_pylist())


def test_the_interval_of_a_mean_leaves_out_rows_without_a_value():
    sample, other = np.array([1.0, 2.0, math.nan, 4.0]), np.array([0.0, math.nan, 1.0, 1.0])
    assert mean_interval(sample) == mean_interval(np.array([1.0, 2.0, 4.0]))
    assert paired_difference(sample, other) == mean_interval(np.array([1.0, 3.0]))
    for nothing in (np.array([math.nan] * 3), np.array([])):
        assert str(mean_interval(nothing)) == str(Interval(math.nan, math.nan, math.nan))
