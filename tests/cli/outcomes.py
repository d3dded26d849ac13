"""What commands gave, for tests."""

from __future__ import annotations

import json
from typing import Any


def rows(outcome: Any) -> list[dict[str, Any]]:
    """The rows that a command printed as JSON lines; it has to have succeeded."""
    assert outcome.code == 0, outcome.err
    return [json.loads(line) for line in outcome.out.splitlines()]
