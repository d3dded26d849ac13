"""The pages of a set that a user names: by a list of pages, or by a page column."""

from __future__ import annotations

import logging
import os

import numpy as np

from seedrank.core.errors import GraphError, UsageError, shorten
from seedrank.session import Session
from seedrank.session.page_lists import page_weights

__all__ = ["labels_of", "members"]

log = logging.getLogger(__name__)


def members(session: Session, named: str) -> np.ndarray:
    """Weight per page, above 0 in the set: what a list gives, 1 where a column says yes.

    Parameters
    ----------
    named
        A page column, whose pages with a number above 0 or true are members; a file of pages, URLs, or ``run:ID``.
    """
    weights = np.nan_to_num(labels_of(session, named))
    if not weights.any():
        raise GraphError(f"{named}: no page is above 0", hint="name a column or a list with some")
    return weights


def labels_of(session: Session, named: str) -> np.ndarray:
    """The same, NaN for pages that the column has no value for; every page that a list does not have is 0."""
    graph = session.graph
    if named not in graph.column_names:
        return _listed(session, named)
    if os.path.lexists(named):
        log.warning("%s is a page column and a file: the column is taken; write ./%s for the file", named, named)
    values = np.asarray(graph.column(named), np.float64)
    return np.where(np.isnan(values), np.nan, values > 0)


def _listed(session: Session, named: str) -> np.ndarray:
    pages = session.graph.pages
    plain = os.sep not in named and "." not in named and not named.startswith("run:")
    if plain and not os.path.lexists(named):
        known = ", ".join(sorted(session.graph.column_names)) or "none"
        raise UsageError(f"{shorten(named)} is neither a file nor a page column", hint=f"the columns are: {known}")
    return page_weights(session, named, pages)
