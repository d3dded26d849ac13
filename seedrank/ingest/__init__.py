"""Loads: from a format's batches to a store or to a folder of arrays."""
