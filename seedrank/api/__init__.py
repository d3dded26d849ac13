"""The Python API: open a store, ask it, keep it in order."""
