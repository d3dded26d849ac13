"""Run records: kept whole, read back, deleted."""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from seedrank.core.errors import InputError, StoreError
from seedrank.runs import Ranking, Run, RunStore
from seedrank.runs.record import engine_text, new_id

RANKING = Ranking(np.array([5, 3]), np.array([0.5, 0.25]), {"gain": np.array([10, 2])})


def read(folder: Path, name: str) -> tuple[Run, Ranking]:
    run = RunStore(folder).usable(name, "ranking")
    return run, RunStore(folder).ranking(run)


def record(run_id: str, created: str = "2026-01-01T00:00:00+00:00") -> Run:
    return Run(run_id, "seeds maxout", {"k": np.int64(2)}, "v1", "web.duckdb", "native", "0.1.0", created, 0.5)


def test_a_run_is_read_back_as_it_was_kept(tmp_path):
    RunStore(tmp_path).keep(record("a"), RANKING)
    run, ranking = read(tmp_path, "run:a")
    assert run.parameters == {"k": 2}
    assert ranking.pages.tolist() == [5, 3]
    assert ranking.scores.tolist() == [0.5, 0.25]
    assert ranking.columns["gain"].tolist() == [10, 2]


def test_the_engine_of_each_primitive_is_read_back(tmp_path):
    ran = {"walk": "gds", "bfs_hops": "native", "ball_weight": "gds+native"}
    RunStore(tmp_path).keep(replace(record("a"), engines=ran, asked_engine="auto"), RANKING)
    run = RunStore(tmp_path).record("a")
    assert list(run.engines.items()) == list(ran.items())
    assert run.asked_engine == "auto"


def test_the_database_of_a_server_is_read_back(tmp_path):
    RunStore(tmp_path).keep(replace(record("a"), store="bolt://h:1", database="news"), RANKING)
    assert RunStore(tmp_path).record("a").database == "news"


@pytest.mark.parametrize(
    ("engines", "text"),
    [
        ({}, "native"),
        ({"walk": "gds"}, "gds"),
        ({"walk": "native", "bfs_hops": "native"}, "native"),
        ({"walk": "gds", "bfs_hops": "native"}, "gds (walk), native (bfs_hops)"),
        (
            {"ball_bound": "native", "ball_weight": "gds+native", "bfs_hops": "gds"},
            "native (ball_bound, ball_weight), gds (ball_weight, bfs_hops)",
        ),
    ],
)
def test_engines_in_a_few_words(engines, text):
    assert engine_text(engines) == text


def test_runs_are_ordered_by_when_they_were_kept_also_when_the_clock_jumped_back(tmp_path):
    for name, created in (("b", "2026-01-02"), ("c", "2026-01-01"), ("a", "2025-12-31"), ("d", "2026-01-03")):
        RunStore(tmp_path).keep(record(name, f"{created}T00:00:00+00:00"), RANKING)
        assert read(tmp_path, "run:latest")[0].id == name
        assert RunStore(tmp_path).record("run:latest").id == name
    assert [run.id for run in RunStore(tmp_path).all()] == ["b", "c", "a", "d"]


@pytest.mark.parametrize("damage", [b"", b"\xff", b"many\n", b"-4"])
def test_numbers_go_on_when_their_file_is_lost(damage, tmp_path):
    for name in ("c", "b"):
        RunStore(tmp_path).keep(record(name), RANKING)
    (tmp_path / ".sequence").write_bytes(damage)
    RunStore(tmp_path).keep(record("a"), RANKING)
    assert [run.id for run in RunStore(tmp_path).all()] == ["c", "b", "a"]
    assert [run.sequence for run in RunStore(tmp_path).all()] == [1, 2, 3]


def test_runs_kept_at_once_get_numbers_of_their_own(tmp_path):
    names = [f"r{number}" for number in range(24)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda name: RunStore(tmp_path).keep(record(name), RANKING), names))
    assert sorted(run.sequence for run in RunStore(tmp_path).all()) == list(range(1, 25))


def test_a_record_of_a_later_version_is_read_and_nothing_of_it_lost(tmp_path):
    RunStore(tmp_path).keep(record("a"), RANKING)
    path = tmp_path / "a" / "run.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "format": 9, "mood": {"good": True}}))
    run = read(tmp_path, "a")[0]
    assert run.extra == {"mood": {"good": True}}
    RunStore(tmp_path / "copy").keep(run, RANKING)
    assert json.loads((tmp_path / "copy" / "a" / "run.json").read_text())["mood"] == {"good": True}


def test_what_a_record_lacks_is_left_empty(tmp_path):
    RunStore(tmp_path).keep(record("a"), RANKING)
    (tmp_path / "a" / "run.json").write_text('{"id": "a", "method": "seeds maxout"}')
    run, ranking = read(tmp_path, "run:latest")
    assert (run.method, run.parameters, run.seconds, run.created) == ("seeds maxout", {}, 0.0, "")
    assert ranking.pages.tolist() == [5, 3]


@pytest.mark.parametrize("with_digest", [True, False])
@pytest.mark.parametrize("table", [None, {"rank": [1]}, {"id": ["x"], "score": [1.0]}, {"id": [1], "score": [[1.0]]}])
def test_a_foreign_ranking_is_named_and_nobody_is_told_to_delete_it(table, with_digest, tmp_path):
    RunStore(tmp_path).keep(record("a"), RANKING)
    path = tmp_path / "a" / "ranking.parquet"
    if not with_digest:
        kept = path.with_name("run.json")
        kept.write_text(json.dumps({**json.loads(kept.read_text()), "files": {}}))
    if table is None:
        path.write_bytes(b"none")
    else:
        pq.write_table(pa.table(table), path)
    with pytest.raises(InputError, match=r"ranking\.parquet: the kept ranking cannot be read") as raised:
        read(tmp_path, "a")
    assert "delete" not in str(raised.value) and "remove" not in str(raised.value)


def test_a_ranking_that_was_changed_is_refused_though_it_can_be_read(tmp_path):
    RunStore(tmp_path).keep(record("a"), RANKING)
    path = tmp_path / "a" / "ranking.parquet"
    pq.write_table(pq.read_table(path).slice(1), path)
    with pytest.raises(InputError, match="differs from its checksum"):
        read(tmp_path, "a")


def test_a_run_that_cannot_be_written_leaves_nothing(tmp_path):
    bad = Run("a", "m", {"x": object()}, "v", "s", "native", "0", "now", 0.0)
    with pytest.raises(TypeError):
        RunStore(tmp_path).keep(bad, RANKING)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["run:nope", "run:../a", "run:latest", "run:.hidden"])
def test_an_unknown_run_is_named(tmp_path, name):
    with pytest.raises(StoreError, match="does not exist; "):
        read(tmp_path / "runs", name)


@pytest.mark.parametrize(
    "text",
    [
        '{"hello": 1}',
        '{"id": "x", "method": "m", "engines": "gds"}',
        "",
        "[]",
        "\xff",
        '{"id": "x", "method": 5}',
        "null",
        "[" * 100_000,
    ],
)
def test_a_broken_or_foreign_record_is_refused_and_the_others_are_listed(text, tmp_path, caplog):
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "run.json").write_bytes(text.encode("latin-1"))
    RunStore(tmp_path).keep(record("b"), RANKING)
    with pytest.raises(InputError, match="not a run record"):
        RunStore(tmp_path).record("x")
    assert [run.id for run in RunStore(tmp_path).all()] == ["b"]
    assert "x/run.json: not a run record" in caplog.text
    assert "remove" not in caplog.text and "delete" not in caplog.text
    assert RunStore(tmp_path).record("run:latest").id == "b"


def test_a_record_under_another_name_is_refused(tmp_path):
    RunStore(tmp_path).keep(record("b"), RANKING)
    (tmp_path / "b").rename(tmp_path / "c")
    assert RunStore(tmp_path).all() == []


def test_a_deleted_run_is_gone(tmp_path):
    RunStore(tmp_path).keep(record("a"), RANKING)
    assert RunStore(tmp_path).delete("run:a") == "a"
    assert RunStore(tmp_path).all() == []


def test_ids_sort_by_time_and_differ():
    first, second = new_id(), new_id()
    assert first[:15] <= second[:15]
    assert first != second


def test_ids_sort_by_time_within_a_second_too():
    ids = []
    for _ in range(200):
        ids.append(new_id())
        time.sleep(0.0001)
    assert ids == sorted(ids)
    assert len(set(ids)) == 200
