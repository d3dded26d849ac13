"""What seedrank takes, beside peers; and whether its answers are still the same."""

import os
from pathlib import Path

SHARED = Path(os.environ.get("SEEDRANK_DATA") or Path(__file__).resolve().parents[2] / "shared" / "data")
"""The folder of real graphs."""
