"""The numba loops, and nothing else: NumPy arrays in, NumPy arrays out, no Python objects inside.

Kernels are compiled on first use and cached on disk (`cache=True`); results do not depend on the number of threads.
"""
