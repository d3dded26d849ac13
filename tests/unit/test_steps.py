"""Parts of an experiment: kept whole or not at all, one table or several."""

from __future__ import annotations

import pyarrow as pa
import pytest

from seedrank.experiments.checkpoints import Steps

KEY = {"experiment": "ordering", "graph": "v1"}


def several() -> dict[str, pa.Table]:
    return {
        "row": pa.table({"order": ["fpr"], "pages": [3], "spam": pa.array([None], pa.float64())}),
        "curve": pa.table({"pages": [0, 1, 3], "share": [0.0, 0.5, 1.0]}),
        "empty": pa.table({"x": pa.array([], pa.int64())}),
    }


def never():
    pytest.fail("it is kept")


def test_several_tables_of_a_part_come_back_as_they_were(tmp_path):
    made = Steps(tmp_path, KEY).tables("part", several)
    again = Steps(tmp_path, KEY)
    found = again.tables("part", never)
    assert list(found) == list(made)
    for name, table in several().items():
        assert found[name].equals(table)
        assert found[name].schema == table.schema
    assert again.reused == 1


def test_a_part_that_fails_keeps_none_of_its_tables(tmp_path):
    def fails():
        several()
        raise KeyboardInterrupt

    steps = Steps(tmp_path, KEY)
    with pytest.raises(KeyboardInterrupt):
        steps.tables("part", fails)
    assert not steps.folder.exists()
    assert list(Steps(tmp_path, KEY).tables("part", several)) == ["row", "curve", "empty"]


@pytest.mark.parametrize("cut", [0, 100, -20])
def test_a_damaged_part_is_made_anew(tmp_path, cut):
    steps = Steps(tmp_path, KEY)
    steps.tables("part", several)
    [file] = steps.folder.glob("*.parquet")
    file.write_bytes(file.read_bytes()[:cut])
    again = Steps(tmp_path, KEY)
    assert again.tables("part", several)["curve"].equals(several()["curve"])
    assert again.reused == 0
    assert Steps(tmp_path, KEY).tables("part", never)


def test_one_table_and_several_may_have_the_same_name(tmp_path):
    steps = Steps(tmp_path, KEY)
    alone = pa.table({"x": [1]})
    steps.table("part", lambda: alone)
    steps.tables("part", several)
    again = Steps(tmp_path, KEY)
    assert again.table("part", never).equals(alone)
    assert list(again.tables("part", never)) == list(several())


def test_refresh_makes_parts_anew(tmp_path):
    Steps(tmp_path, KEY).tables("part", several)
    fresh = Steps(tmp_path, KEY, fresh=True)
    assert fresh.tables("part", lambda: {"other": pa.table({"x": [1]})}).keys() == {"other"}
    assert fresh.reused == 0
