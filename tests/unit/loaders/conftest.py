"""What tests of loaders share."""

from __future__ import annotations

import pytest


@pytest.fixture
def write(tmp_path):
    def write(name: str, data: str | bytes) -> str:
        path = tmp_path / name
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return str(path)

    return write
