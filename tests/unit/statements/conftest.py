from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.unit.statements.web import Web, small_web


@pytest.fixture(scope="session")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with small_web(tmp_path_factory.mktemp("web")) as made:
        yield made
