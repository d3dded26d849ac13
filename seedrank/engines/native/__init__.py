"""The primitives in memory, by numba and SciPy."""

from seedrank.engines.native.engine import NativeEngine

__all__ = ["NativeEngine"]
