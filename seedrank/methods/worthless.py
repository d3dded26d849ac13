"""Pages that are worth nothing where duplicates count once and traps not at all."""

from __future__ import annotations

import numpy as np

from seedrank.methods.suspicious.duplicates import Duplicates, duplicates
from seedrank.methods.suspicious.traps import traps_of
from seedrank.session import Session

__all__ = ["duplicates_of", "trapped", "worthless"]


def worthless(session: Session, *, fold: bool, no_traps: bool) -> np.ndarray:
    """Boolean per page: a duplicate, where `fold`, or in a trap, where `no_traps`; no page above the level of pages."""
    flags = np.zeros(session.graph.pages, bool)
    if session.is_derived:
        return flags
    if fold:
        flags |= duplicates_of(session).flags
    if no_traps:
        flags |= trapped(session)
    return flags


def duplicates_of(session: Session) -> Duplicates:
    """The duplicates of the graph, looked for once."""
    return session.once(_duplicates)


def trapped(session: Session) -> np.ndarray:
    """Boolean per page: whether it lies in a trap, looked for once."""
    return session.once(_trapped)


def _duplicates(session: Session) -> Duplicates:
    return duplicates(session.graph)


def _trapped(session: Session) -> np.ndarray:
    return traps_of(session.graph)
