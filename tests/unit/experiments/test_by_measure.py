"""Orders judged by a measure of the user's against a baseline: areas, gains, margins, copies, and what is refused."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import seedrank
from seedrank.core.errors import GraphError, UsageError
from seedrank.experiments.copies import copied_share, remark_on_copies
from seedrank.graph import WebGraph
from seedrank.methods.crawl.methods import CRAWL

pytestmark = pytest.mark.slow

PAGES = 400


@pytest.fixture
def bench(tmp_path):
    draw = np.random.default_rng(3)
    url = np.array([f"https://h{page % 7}.example/{page}" for page in range(PAGES)])
    source, target = draw.integers(0, PAGES, (2, 6 * PAGES))
    pages = pd.DataFrame({"url": url, "worth": np.arange(PAGES) ** 2.0, "none": 0.0})
    links = pd.DataFrame({"source": url[source], "target": url[target]})
    with seedrank.open(tmp_path / "x.duckdb", create=True) as made:
        made.load(pages=pages, links=links)
        yield made
    CRAWL._registered.clear()


def test_an_order_of_ones_own_is_judged_by_a_column_against_a_baseline(bench):
    @seedrank.crawl_order("worthiest", batch="2%")
    def score(known, worth):
        return worth[known]

    answer = bench.experiment("ordering", orders=["fpr", score], measure="worth", baseline="fpr", seeds=2, seed_sets=6)
    found = answer.experiment
    rows = {row["order"]: row for row in found.tables["orders"].to_pylist()}
    sets = found.tables["seed-sets"].to_pandas().pivot(index="set", columns="order", values="value_area")
    assert len(sets) == 6
    for name, row in rows.items():
        assert row["area"] == pytest.approx(sets[name].mean())
    gain = 100 * (sets["worthiest"].mean() / sets["fpr"].mean() - 1)
    assert rows["worthiest"]["gain"] == pytest.approx(gain)
    assert rows["worthiest"]["holds_if"] == "above +5"
    assert rows["fpr"]["verdict"] == "baseline"
    [claim] = found.claims
    assert (claim.claim, claim.region) == ("worthiest gathers more of worth than fpr", "above +5")
    assert gain > 20 and claim.low > 5
    assert "holds if above +5" in repr(answer)
    assert "Nadeau and Bengio" in found.about[0]
    assert answer.run.question.measure == "worth"
    assert [chart.name for chart in found.charts] == ["gathered", "gain"]
    # The function is another one now: nothing of what was kept is used.
    seedrank.crawl_order("worthiest", batch="2%")(lambda known: -known)
    again = bench.experiment(
        "ordering", orders=["fpr", "worthiest"], measure="worth", baseline="fpr", seeds=2, seed_sets=6
    )
    assert again.experiment.claims[0].value < gain / 2


def test_what_cannot_be_judged_is_refused_at_once(bench):
    with pytest.raises(GraphError, match="no page has none above 0, so there is nothing to gather"):
        bench.experiment("ordering", measure="none")
    with pytest.raises(GraphError, match="pages have no column 'views'"):
        bench.experiment("ordering", measure="views")
    with pytest.raises(UsageError, match="orders has nothing beside baseline; name another"):
        bench.experiment("ordering", orders=["fpr"], measure="worth", baseline="fpr")
    with pytest.raises(UsageError, match="fpr and bfs do not use impact"):
        bench.experiment("ordering", orders=["fpr"], measure="worth", impact="worth")
    with pytest.raises(UsageError, match="unknown order 'nothing'"):
        bench.experiment("ordering", orders=["fpr"], measure="worth", baseline="nothing")


def test_rw_takes_its_impact(bench):
    found = bench.experiment(
        "ordering", orders=["rw"], measure="worth", baseline="random", impact="worth", seeds=2, seed_sets=2
    ).experiment
    assert found.parameters["impact"] == "worth"
    assert found.claims[0].outcome == "cannot be judged"  # two draws give no interval
    assert found.claims[0].why == "2 seed draws of this graph: an interval needs at least 5"


def test_copies_have_the_links_and_the_measure_of_another_page():
    links = [(0, 3), (0, 4), (1, 4), (1, 3), (2, 3), (2, 4), (3, 0), (4, 0), (5, 1)]
    graph = WebGraph.from_links(7, *np.array(links).T)
    measure = np.array([1.0, 1, 2, 3, 3, np.nan, 3])
    # 0 and 1; 3 and 4; 2 has another measure, the measure of 5 is not known, and 6 links nowhere.
    assert copied_share(graph, measure) == pytest.approx(4 / 5)
    assert remark_on_copies(graph, measure).startswith("80 % of the pages with links have the links and the value of")
    assert remark_on_copies(graph, np.arange(7.0)) == ""
