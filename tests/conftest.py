"""Fixtures for all tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"

# The first call of a kernel compiles it, and these machines are noisy: no deadline per example.
settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("default")


@pytest.fixture(scope="session")
def shared_data() -> Callable[[str], Path]:
    """A folder of real data by name; the test is skipped where it is absent."""

    def find(name: str) -> Path:
        folder = SHARED / name
        if not folder.is_dir():
            pytest.skip(f"real data ../shared/data/{name} is not here")
        return folder

    return find
