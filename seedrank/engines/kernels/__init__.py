"""The numba loops, and nothing else: NumPy arrays in, NumPy arrays out, no Python objects inside.

Kernels are compiled on first use and cached on disk (`cache=True`); results do not depend on the number of threads:
a parallel loop runs over chunks that the graph alone fixes, or over workers that share no result.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

# Threads that wait for each other go to sleep: on a machine with other work, spinning costs a millisecond at the end of
# every loop, which is a hundred times what waking them costs. Read by OpenMP when numba first loads it.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")


def _can_write(folder: Path) -> bool:
    """Whether files can be made in a folder, or the folder itself where it is not there yet."""
    there = next(one for one in (folder, *folder.parents) if one.exists())
    return there.is_dir() and os.access(there, os.W_OK)


def _place_for_cache(can_write: Callable[[Path], bool] = _can_write) -> None:
    """Name a temporary folder for compiled loops where neither the package nor the user's cache can be written.

    Numba gives up where it finds no place; so these are compiled anew by every command. Read when numba is imported.
    """
    home = os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()
    if "NUMBA_CACHE_DIR" in os.environ or can_write(Path(__file__).parent / "__pycache__") or can_write(Path(home)):
        return
    place = tempfile.mkdtemp(prefix="seedrank-")
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    os.environ["NUMBA_CACHE_DIR"] = place


_place_for_cache()

from seedrank.engines.kernels.numba_fixes import heed_interrupts, share_cache, tell_compiling  # noqa: E402 - numba reads the place

heed_interrupts()
share_cache()
tell_compiling()
