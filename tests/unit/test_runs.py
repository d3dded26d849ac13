"""Run records: kept whole, read back, deleted."""

from __future__ import annotations

import time

import numpy as np
import pytest

from seedrank import runs
from seedrank.core.errors import InputError, UsageError

RANKING = runs.Ranking(np.array([5, 3]), np.array([0.5, 0.25]), {"gain": np.array([10, 2])})


def record(run_id: str, created: str = "2026-01-01T00:00:00+00:00") -> runs.Run:
    return runs.Run(run_id, "seeds maxout", {"k": np.int64(2)}, "v1", "web.lbug", "native", "0.1.0", created, 0.5)


def test_a_run_is_read_back_as_it_was_kept(tmp_path):
    runs.save(tmp_path, record("a"), RANKING)
    run, ranking = runs.read(tmp_path, "run:a")
    assert run.parameters == {"k": 2}
    assert ranking.pages.tolist() == [5, 3]
    assert ranking.scores.tolist() == [0.5, 0.25]
    assert ranking.columns["gain"].tolist() == [10, 2]


def test_latest_is_the_newest(tmp_path):
    runs.save(tmp_path, record("b", "2026-01-02T00:00:00+00:00"), RANKING)
    runs.save(tmp_path, record("c", "2026-01-01T00:00:00+00:00"), RANKING)
    assert runs.read(tmp_path, "run:latest")[0].id == "b"
    assert [run.id for run in runs.kept(tmp_path)] == ["b", "c"]


def test_a_run_that_cannot_be_written_leaves_nothing(tmp_path):
    bad = runs.Run("a", "m", {"x": object()}, "v", "s", "native", "0", "now", 0.0)
    with pytest.raises(TypeError):
        runs.save(tmp_path, bad, RANKING)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["run:nope", "run:../a", "run:latest", "run:.hidden"])
def test_an_unknown_run_is_named(tmp_path, name):
    with pytest.raises(UsageError):
        runs.read(tmp_path / "runs", name)


@pytest.mark.parametrize(
    "text",
    ['{"hello": 1}', "", "[]", "\xff", '{"id": "x", "method": 5}', "null"],
)
def test_a_broken_or_foreign_record_is_refused_and_the_others_are_listed(text, tmp_path, caplog):
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "run.json").write_bytes(text.encode("latin-1"))
    runs.save(tmp_path, record("b"), RANKING)
    with pytest.raises(InputError, match="not a run record"):
        runs.record(tmp_path, "x")
    assert [run.id for run in runs.kept(tmp_path)] == ["b"]
    assert "x/run.json: not a run record" in caplog.text
    assert runs.record(tmp_path, "run:latest").id == "b"


def test_a_record_under_another_name_is_refused(tmp_path):
    runs.save(tmp_path, record("b"), RANKING)
    (tmp_path / "b").rename(tmp_path / "c")
    assert runs.kept(tmp_path) == []


def test_a_deleted_run_is_gone(tmp_path):
    runs.save(tmp_path, record("a"), RANKING)
    assert runs.delete(tmp_path, "run:a") == "a"
    assert runs.kept(tmp_path) == []


def test_ids_sort_by_time_and_differ():
    first, second = runs.new_id(), runs.new_id()
    assert first[:15] <= second[:15]
    assert first != second


def test_ids_sort_by_time_within_a_second_too():
    ids = []
    for _ in range(200):
        ids.append(runs.new_id())
        time.sleep(0.0001)
    assert ids == sorted(ids)
    assert len(set(ids)) == 200
