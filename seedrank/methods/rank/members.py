"""The pages of a set that a user names: by a list of pages, or by a page column."""

from __future__ import annotations

import logging
import os

import numpy as np

from seedrank.core.errors import GraphError, UsageError, shorten
from seedrank.session import Session
from seedrank.session.page_lists import known_pages, page_weights

__all__ = ["labels_of", "members"]

log = logging.getLogger(__name__)


def members(session: Session, named: str) -> np.ndarray:
    """Weight per page, above 0 in the set: what a list gives, 1 where a column says yes.

    Parameters
    ----------
    named
        A page column, whose pages with a number above 0 or true are members; a file of pages, URLs, or ``run:ID``.
    """
    column = _column(session, named)
    weights = page_weights(session, named, session.graph.pages) if column is None else np.nan_to_num(column)
    if not weights.any():
        raise GraphError(f"{named}: no page is above 0", hint="name a column or a list with some")
    return weights


def labels_of(session: Session, named: str) -> np.ndarray:
    """1 per page in the set and 0 elsewhere, NaN for pages that a column has no value for; weights are refused."""
    column = _column(session, named)
    if column is not None:
        return column
    labels = np.zeros(session.graph.pages)
    labels[known_pages(session, named)[1]] = 1
    return labels


def _column(session: Session, named: str) -> np.ndarray | None:
    """What a page column says, NaN where it has no value; `None` for a list."""
    graph = session.graph
    if named not in graph.column_names:
        _check_list(session, named)
        return None
    if os.path.lexists(named):
        log.warning("%s is a page column and a file: the column is taken; write ./%s for the file", named, named)
    values = np.asarray(graph.column(named), np.float64)
    return np.where(np.isnan(values), np.nan, values > 0)


def _check_list(session: Session, named: str) -> None:
    """Refuse a word that is neither a list nor a column."""
    plain = os.sep not in named and "." not in named and not named.startswith("run:")
    if plain and not os.path.lexists(named):
        known = ", ".join(sorted(session.graph.column_names)) or "none"
        raise UsageError(f"{shorten(named)} is neither a file nor a page column", hint=f"the columns are: {known}")
