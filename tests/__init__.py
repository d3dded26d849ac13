"""All tests, one package.

They share one cache of compiled kernels, with what they start: `seedrank.engines.kernels` saves one kernel at a time.
"""

from __future__ import annotations

import os
from pathlib import Path

# Before anything imports numba, which reads this once.
os.environ.setdefault("NUMBA_CACHE_DIR", str(Path(__file__).resolve().parents[1] / ".numba"))
