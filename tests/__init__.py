"""All tests, one package.

Each worker of pytest-xdist, with what it starts, keeps compiled kernels in a folder of its own. Two processes that
compile a kernel for different types at once can pick the same file in a shared cache of numba, and the later reader
then gets the code for the other types.
"""

from __future__ import annotations

import os
from pathlib import Path

if worker := os.environ.get("PYTEST_XDIST_WORKER"):
    # Before anything imports numba, which reads this once.
    os.environ["NUMBA_CACHE_DIR"] = str(Path(__file__).resolve().parents[1] / ".numba" / worker)
