"""Silence for the one warning of PySpark that is not meant for us."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["quiet"]


@contextmanager
def quiet() -> Iterator[None]:
    """PySpark 4.3 warns that it does not know pandas 3 whenever Arrow is used; it is handed no frame here."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
        yield
