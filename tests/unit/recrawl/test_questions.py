"""Times and budgets as people write them, and what a plan advises."""

from __future__ import annotations

import pytest

from seedrank.core.errors import UsageError
from seedrank.output.advice import recommended_policy, recrawl_advice
from seedrank.questions.recrawl import PlanQuestion, days_of, per_day
from seedrank.runs import Run


@pytest.mark.parametrize(
    ("text", "days"),
    [("6h", 0.25), ("1 day", 1), ("30d", 30), ("2w", 14), ("3 weeks", 21), ("90", 90), ("0.5", 0.5), ("12 HOURS", 0.5)],
)
def test_times(text, days):
    assert days_of("min_interval", text) == pytest.approx(days)


@pytest.mark.parametrize(
    ("text", "number"),
    [("5000/day", 5000), ("200/hour", 4800), ("70_000/week", 10_000), ("1,000", 1000), ("0.5", 0.5), ("24/h", 576)],
)
def test_budgets(text, number):
    assert per_day("budget", text) == pytest.approx(number)


@pytest.mark.parametrize("text", ["", "h", "-1d", "1e3d", "2 months", "nan", "1d2h", "٣d", "9" * 40])
def test_what_is_no_time_is_refused(text):
    with pytest.raises(UsageError, match="is not a time"):
        days_of("min_interval", text)


@pytest.mark.parametrize("text", ["", "0", "-5/day", "5/month", "5 h/day", "5/day/day", "many", "inf"])
def test_what_is_no_budget_is_refused(text):
    with pytest.raises(UsageError, match=r"budget .* is not a number of fetches"):
        PlanQuestion(budget=text)


def row(freshness, never):
    return {"freshness": freshness, "never": never}


def test_the_freshest_of_the_policies_that_leave_the_fewest_pages_out_is_recommended():
    compared = {"harmonic": row(0.91, 0.0), "optimum": row(0.92, 0.3), "uniform": row(0.6, 0.0)}
    assert recommended_policy(compared) == "harmonic"
    assert recommended_policy({**compared, "optimum": row(0.92, 0.0)}) == "optimum"
    facts = {"compared": compared, "policy": "harmonic", "importance": "views"}
    assert recrawl_advice(Run("x", "recrawl plan", facts=facts)) == [
        "Come back by harmonic: 91.0 % of what pages are worth (views) is fresh, and no page is left out; "
        "optimum 92.0 % (30 % never again), uniform 60.0 %."
    ]
    said = recrawl_advice(Run("x", "recrawl plan", facts={**facts, "policy": "uniform"}))
    assert said[1:] == ["This plan is by uniform."]
    assert recrawl_advice(Run("x", "seeds best", facts={"compared": compared})) == []
