"""One rule makes every verdict, and nothing else does."""

from __future__ import annotations

import ast
import math
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t

from docs.reproduction.pooling import pool
from seedrank.experiments import verdicts
from seedrank.experiments.claim_specs import MARGINS, ClaimSpec, alike, greater, within
from seedrank.experiments.intervals import Interval
from seedrank.experiments.verdicts import judge, judge_parts, no_room, undecided

SOURCE = Path(verdicts.__file__).parents[1]


def statement(region, quantity="coverage", **more) -> ClaimSpec:
    return ClaimSpec("000", "key", "a claim", "its words", "section 1", quantity, region, **more)


def found(low: float, high: float, n: int = 30) -> Interval:
    return Interval((low + high) / 2, low, high, n, "sites", (high - low) / 4)


@pytest.mark.parametrize(
    ("region", "low", "high", "verdict"),
    [
        (greater(2), 2.1, 5, "holds"),
        (greater(2), 0.0002, 0.0004, "does not hold"),
        (greater(2), -0.0061, 4.59, "cannot be judged"),
        (alike(2), -1.9, 1.9, "holds"),
        (alike(2), 2.1, 3, "does not hold"),
        (alike(2), -3, -2.1, "does not hold"),
        (alike(2), 1, 3, "cannot be judged"),
        (alike(2), -3, 3, "cannot be judged"),
        (within(5, 10), 5.5, 9, "holds"),
        (within(5, 10), 3, 4, "does not hold"),
        (within(5, 10), 30, 40, "does not hold"),
        (within(5, 10), 4, 12, "cannot be judged"),
    ],
)
def test_the_rule(region, low, high, verdict):
    assert judge(statement(region), found(low, high)).verdict == verdict


@pytest.mark.slow
@given(st.floats(-50, 50), st.floats(0, 20), st.floats(0.01, 10))
def test_no_difference_is_both_better_and_alike(middle, half, margin):
    one = Interval(middle, middle - half, middle + half, 10, "sites")
    better, same = (judge(statement(region), one).verdict for region in (greater(margin), alike(margin)))
    assert not (better == same == "holds") or one.low == one.high == margin


def test_too_few_units_and_single_numbers():
    few = judge(statement(greater(2)), Interval(7, math.nan, math.nan, 3, "splits of this graph"))
    assert few.verdict == "cannot be judged"
    assert few.why == "3 splits of this graph: an interval needs at least 5"
    assert judge(statement(greater(2)), Interval(7, math.nan, math.nan, 1, "graph")).verdict == "figure"
    assert undecided(statement(greater(2)), "no searches").why == "no searches"


@pytest.mark.parametrize(("n", "gap"), [(3, 1.0), (3, 0.2), (5, 1.5), (10, 0.5), (30, 1.0), (200, 0.05)])
def test_what_would_settle_it(n, gap):
    """The same estimate and spread with more units: both the error and Student's quantile fall."""
    claim = judge(statement(greater(3 - gap)), found(1, 5, n=n))
    [units] = [int(one.replace(",", "")) for one in re.findall(r"about ([\d,]+) sites would settle it", claim.why)]
    spread = 2 / t.ppf(0.975, n - 1) * math.sqrt(n)
    half = [t.ppf(0.975, some - 1) * spread / math.sqrt(some) for some in (units - 1, units)]
    assert half[0] >= gap > half[1]


def test_nothing_settles_what_lies_on_the_end():
    assert "no number of sites" in judge(statement(greater(3)), found(1, 5)).why


def test_the_weakest_part_gives_the_verdict():
    parts = {"A - B": found(3, 5), "A - C": found(-4, 1), "A - D": found(1, 6)}
    whole, *others = judge_parts(statement(greater(2)), parts)
    assert [one.verdict for one in others] == ["holds", "does not hold", "cannot be judged"]
    assert (whole.verdict, whole.part, whole.value) == ("does not hold", "", -1.5)
    assert "1 of 3 parts hold, 1 do not; the weakest is A - C" in whole.why


def test_arithmetic_is_marked():
    assert judge(statement(greater(2), arithmetic=True), found(3, 5)).outcome == "holds by construction"


def test_graphs_are_pooled_and_synthetic_ones_are_not():
    on = {name: [judge(statement(greater(2)), found(low, low + 2))] for name, low in (("a", 4), ("b", 5), ("c", 6))}
    on["synthetic"] = [judge(statement(greater(2)), found(90, 92))]
    on["synthetic"][0] = type(on["a"][0])(**{**vars(on["synthetic"][0]), "by_construction": "synthetic web"})
    on["no hosts"] = [judge(statement(greater(2)), found(-50, -40), apart="no hosts")]
    (one,) = pool(on)
    assert set(one.graphs) == {"a", "b", "c"}
    assert one.claim.value == pytest.approx(6)
    assert (one.claim.n, one.claim.unit, one.claim.verdict) == (3, "graphs", "holds")
    assert pool({name: on[name] for name in ("a", "b")}) == []


@pytest.mark.slow
@pytest.mark.parametrize("quantity", MARGINS)
def test_no_interval_reaches_beyond_what_is_possible(quantity):
    """On a graph and pooled, whatever was measured."""
    margin = MARGINS[quantity]
    low, high = max(margin.lowest, -90.0), min(margin.highest, 5000.0)
    values = [low + (high - low) * share for share in (0.001, 0.02, 0.9)]
    wide = [Interval(one, one - 1e5, one + 1e5, 30, "sites", 1.0) for one in values]
    claims = [judge(statement(greater(0.5), quantity), one) for one in wide]
    (one,) = pool({str(n): [claim] for n, claim in enumerate(claims)})
    for claim in (*claims, one.claim):
        assert margin.lowest <= claim.low <= claim.value <= claim.high <= margin.highest


def test_ratios_are_pooled_by_their_logarithms():
    """A tenth as many and ten times as many are the same on average; as per cents, -90 and +900, they are not."""
    on = {str(n): [judge(statement(greater(10), "crawled pages"), found(v, v))] for n, v in enumerate((-90, 0, 900))}
    (one,) = pool(on)
    assert one.claim.value == pytest.approx(0)
    assert 1 + one.claim.high / 100 == pytest.approx(1 / (1 + one.claim.low / 100))


def test_what_holds_by_arithmetic_is_not_pooled():
    on = {name: [judge(statement(greater(0), arithmetic=True), found(-1, 1))] for name in "abcd"}
    assert pool(on) == []


def test_a_stricter_level_widens_the_pooled_interval():
    on = {str(low): [judge(statement(greater(2)), found(low, low + 2))] for low in (4, 5, 6)}
    usual, strict = pool(on)[0].claim, pool(on, 0.999)[0].claim
    assert strict.low < usual.low < usual.value == strict.value
    assert (usual.verdict, strict.verdict) == ("holds", "cannot be judged")


def test_parts_that_few_graphs_have_are_named():
    def graph(parts):
        return judge_parts(statement(greater(2)), {part: found(4, 6) for part in parts})

    (one,) = pool({"a": graph("ABC"), "b": graph("AB"), "c": graph("ABC"), "d": graph("AD")})
    assert [part.claim.part for part in one.parts] == ["A", "B"]
    assert "parts that fewer than 3 graphs have are left out: C, D" in one.claim.why


def test_a_part_that_is_left_out_keeps_a_claim_from_holding_where_a_graph_says_that_it_does_not():
    """FPR@M less than windowed RankMass overall on all graphs, and more at first on none of the two that last."""

    def graph(first):
        parts = {"overall": found(4, 6), **({"at first": found(*first)} if first else {})}
        return judge_parts(statement(greater(2)), parts)

    (held,) = pool({"a": graph((4, 6)), "b": graph((4, 6)), "c": graph(None)})
    assert held.claim.verdict == "holds"
    (one,) = pool({"a": graph((0, 1)), "b": graph((4, 6)), "c": graph(None)})
    assert one.claim.verdict == "cannot be judged"
    assert "at first does not hold on a" in one.claim.why


def test_parts_are_pooled_one_by_one():
    def graph(shift):
        return judge_parts(
            statement(greater(2)), {"A": found(4 + shift, 6 + shift), "B": found(-9 + shift, -7 + shift)}
        )

    (one,) = pool({str(shift): graph(shift) for shift in range(4)})
    assert [part.claim.verdict for part in one.parts] == ["holds", "does not hold"]
    assert one.claim.verdict == "does not hold"


def test_every_margin_has_a_reason():
    for margin in MARGINS.values():
        assert 0 < margin.least <= margin.much
        assert len(margin.reason) > 10


@pytest.mark.slow
def test_no_verdict_is_made_elsewhere():
    """No other module names a verdict where it makes a claim, or makes a claim by itself."""
    allowed = {"experiments/verdicts.py", "experiments/decisions.py"}  # what is decided by a verdict reads it
    places = []
    for path in SOURCE.rglob("*.py"):
        name = path.relative_to(SOURCE).as_posix()
        if name in allowed or not name.startswith("experiments/"):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            called = isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Claim"
            named = isinstance(node, ast.Constant) and node.value in ("holds", "does not hold", "cannot be judged")
            if called or named:
                places.append(f"{name}:{node.lineno}")
    assert places == []


def test_recordings_of_one_site_are_averaged_and_count_once():
    graphs = {name: [judge(statement(greater(2)), found(v - 1, v + 1))] for name, v in (("a", 1), ("b", 3), ("c", 8))}
    graphs["c again"] = [judge(statement(greater(2)), found(19, 21))]
    (one,) = pool(graphs, sites={"c": "c", "c again": "c"})
    assert (one.claim.n, one.claim.unit, one.claim.value) == (3, "sites", pytest.approx((1 + 3 + 14) / 3))
    assert pool(graphs, sites=dict.fromkeys(("b", "c", "c again"), "one")) == []


def test_graphs_without_room_are_outside_the_count():
    here = {name: [judge(statement(greater(2)), found(4, 6))] for name in "abc"}
    here["c"] = [no_room(claim, "nothing to gain") for claim in here["c"]]
    assert (here["c"][0].verdict, here["c"][0].apart) == ("no room", "no room: nothing to gain")
    assert pool(here) == []


def test_more_than_up_to_is_told_and_not_failed():
    spec = statement(within(-math.inf, 10), exceeding=True)
    assert judge(spec, found(11, 12)).verdict == "exceeds"
    assert judge(spec, found(8, 9)).verdict == "holds"
    assert judge(spec, found(9, 12)).verdict == "cannot be judged"
    (one,) = pool({name: [judge(spec, found(v, v + 1))] for name, v in (("a", 30), ("b", 31), ("c", 32))})
    assert one.claim.verdict == "exceeds"


def test_a_graph_weighs_by_its_sites_where_sites_are_drawn():
    """By the printed numbers: estimate, error and sites of each graph."""
    values, errors, sites = [0.1, 0.3, 0.2], [0.02, 0.05, 0.04], [60, 20, 40]
    claims = {
        str(n): [judge(statement(greater(0.05), "coverage gain"), Interval(v, v - 2 * e, v + 2 * e, k, "sites", e))]
        for n, (v, e, k) in enumerate(zip(values, errors, sites, strict=True))
    }
    (one,) = pool(claims)
    share = [k / 120 for k in sites]
    between = max(0, 0.01 - sum(e * e for e in errors) / 3)  # the variance of the three estimates is 0.01
    error = math.sqrt(sum(w * w * (e * e + between) for w, e in zip(share, errors, strict=True)))
    middle = sum(w * v for w, v in zip(share, values, strict=True))
    assert one.claim.value == pytest.approx(middle)
    assert one.claim.high - middle == pytest.approx(t.ppf(0.975, 2) * error)
    assert (one.claim.n, one.claim.unit) == (3, "graphs")
    assert one.claim.why.endswith("over 120 sites")
