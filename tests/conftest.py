"""Fixtures for all tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Callable[[str], Path]:
    """A folder of real data by name; the test is skipped where it is absent."""

    def find(name: str) -> Path:
        folder = SHARED / name
        if not folder.is_dir():
            pytest.skip(f"real data ../shared/data/{name} is not here")
        return folder

    return find
