"""What this process has in memory, as Linux counts it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

__all__ = ["mapped_bytes", "needs_proc"]

needs_proc = pytest.mark.skipif(sys.platform != "linux", reason="asks /proc")


def mapped_bytes() -> int:
    """Memory that files back, be they on a disk or in memory."""
    lines = [line.split() for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines()]
    return sum(int(line[1]) << 10 for line in lines if line[0] in ("RssFile:", "RssShmem:"))
