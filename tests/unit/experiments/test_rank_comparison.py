"""Two ranks side by side: from files of Common Crawl's form and lists, against a slow reading of the definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from seedrank.core.errors import InputError, UsageError
from seedrank.methods.rank.rank_comparison import compare_ranks


def write(path, names, pagerank=None):
    """A file of ranks: names by harmonic centrality, and their positions by PageRank."""
    places = {name: place for place, name in enumerate(pagerank or names, 1)}
    lines = ["#harmonicc_pos\t#harmonicc_val\t#pr_pos\t#pr_val\t#host_rev"]
    lines += [
        f"{place}\t{1000 - place}\t{places[name]}\t{1 / places[name]}\t{'.'.join(reversed(name.split('.')))}"
        for place, name in enumerate(names, 1)
    ]
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def names(count):
    return [f"h{number}.example" for number in range(count)]


def test_entered_left_and_moved(tmp_path):
    old = write(tmp_path / "old.txt", ["a.example", "b.example", "c.example", "d.example"])
    new = write(tmp_path / "new.txt", ["c.example", "b.example", "a.example", "e.example"])
    found = compare_ranks(old, new)
    assert found.moves.to_pylist() == [
        {"host": "a.example", "rank_old": 1, "rank_new": 3, "move": -2, "change": "moved"},
        {"host": "c.example", "rank_old": 3, "rank_new": 1, "move": 2, "change": "moved"},
        {"host": "b.example", "rank_old": 2, "rank_new": 2, "move": 0, "change": "unmoved"},
        {"host": "d.example", "rank_old": 4, "rank_new": None, "move": None, "change": "left"},
        {"host": "e.example", "rank_old": None, "rank_new": 4, "move": None, "change": "entered"},
    ]
    assert {name: found.facts[name] for name in ("old", "new", "entered", "left", "moved", "unmoved")} == {
        "old": 4, "new": 4, "entered": 1, "left": 1, "moved": 2, "unmoved": 1,
    }  # fmt: skip
    assert found.facts["rank correlation"] == pytest.approx(-1)


def test_positions_by_pagerank(tmp_path):
    old = write(tmp_path / "old.txt", ["a.example", "b.example"], ["b.example", "a.example"])
    new = write(tmp_path / "new.txt", ["b.example", "a.example"])
    assert compare_ranks(old, new).facts["moved"] == 2
    assert compare_ranks(old, new, by="pagerank").facts["moved"] == 0


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 1000), more=st.integers(0, 40))
def test_tops_are_those_of_the_definition(tmp_path_factory, seed, more):
    folder = tmp_path_factory.mktemp("ranks")
    rng = np.random.default_rng(seed)
    old = names(1_000 + more)
    new = [str(name) for name in rng.permutation(old + [f"new{number}.example" for number in range(50)])][: 900 + more]
    found = compare_ranks(write(folder / "old.txt", old), write(folder / "new.txt", new)).facts
    for count in (100, 1_000):
        there = [name for name in old[:count] if name in new]
        label = f"{count:,}"
        kept = sum(name in new[:count] for name in old[:count]) / count
        assert found[f"kept of {label}"] == pytest.approx(kept)
        expected = stats.spearmanr([old.index(name) for name in there], [new.index(name) for name in there])
        assert found[f"rank correlation of {label}"] == pytest.approx(expected.statistic, abs=1e-12)
    assert "kept of 10,000" not in found


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("old.csv", "rank,id,host,score\n1,7,b.example,0.5\n2,3,a.example,0.25\n"),
        ("old.tsv", "host\tscore\nb.example\t0.5\na.example\t0.25\n"),
        ("old.txt", "b.example\na.example\n"),
        ("old.jsonl", '{"host": "b.example"}\n{"host": "a.example"}\n'),
    ],
)
def test_a_list_is_a_rank_with_the_best_first(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    new = write(tmp_path / "new", ["a.example", "b.example"])
    moves = compare_ranks(str(tmp_path / name), new).moves.to_pylist()
    assert {row["host"]: (row["rank_old"], row["rank_new"]) for row in moves} == {
        "a.example": (2, 1),
        "b.example": (1, 2),
    }


def test_a_list_of_pages_goes_by_url(tmp_path):
    (tmp_path / "old.csv").write_text("rank,url,host\n1,http://a.example/1,a.example\n2,http://a.example/2,a.example\n")
    (tmp_path / "new.txt").write_text("http://a.example/2\nhttp://a.example/1\n")
    found = compare_ranks(str(tmp_path / "old.csv"), str(tmp_path / "new.txt"))
    assert (found.moves.column_names[0], found.facts["moved"]) == ("url", 2)
    (tmp_path / "ids.txt").write_text("7\n8\n")
    with pytest.raises(InputError, match="by their ids"):
        compare_ranks(str(tmp_path / "ids.txt"), str(tmp_path / "new.txt"))
    with pytest.raises(UsageError, match="ranks pages"):
        compare_ranks(str(tmp_path / "new.txt"), write(tmp_path / "ranks.txt", ["a.example"]))


def test_what_is_wrong_is_named(tmp_path):
    good = write(tmp_path / "good.txt", ["a.example"])
    twice = write(tmp_path / "twice.txt", ["a.example", "a.example"])
    with pytest.raises(InputError, match=r"twice\.txt.*a\.example.*a name is there twice|a name is there twice"):
        compare_ranks(good, twice)
    with pytest.raises(UsageError, match="harmonic or pagerank"):
        compare_ranks(good, good, by="hits")
    with pytest.raises(UsageError, match="kept in a store"):
        compare_ranks("run:latest", good)
