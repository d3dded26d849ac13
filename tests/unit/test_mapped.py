"""Tables in files: mapped, and let go of."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa

from seedrank.core.changes import map_table, unload_tables
from tests.resident import mapped_bytes, needs_proc

ROWS = 1 << 21


def written(path: Path) -> pa.Table:
    table = pa.table({"x": np.arange(ROWS)})
    with pa.ipc.new_file(str(path), table.schema) as sink:
        sink.write_table(table, max_chunksize=ROWS // 8)
    return table


def test_a_table_outlives_its_file(tmp_path: Path) -> None:
    table = written(tmp_path / "x.arrow")
    found = map_table(tmp_path / "x.arrow")
    (tmp_path / "x.arrow").unlink()
    assert found.equals(table)


@needs_proc
def test_what_is_unloaded_is_read_again(tmp_path: Path) -> None:
    table = written(tmp_path / "x.arrow")
    found = map_table(tmp_path / "x.arrow")
    unread = mapped_bytes()
    assert found.equals(table)
    assert mapped_bytes() - unread > table.nbytes // 2
    unload_tables()
    assert mapped_bytes() - unread < table.nbytes // 8
    assert found.equals(table)
