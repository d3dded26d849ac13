"""The pages of a set that a user names: by a list of pages, or by a page column."""

from __future__ import annotations

import logging
import os

import numpy as np

from seedrank.core.errors import GraphError, UsageError
from seedrank.session import Session

__all__ = ["labels_of", "members"]

log = logging.getLogger(__name__)


def members(session: Session, field: str, named: str | None) -> np.ndarray:
    """Weight per page, above 0 in the set: what a list gives, 1 where a column says yes.

    Parameters
    ----------
    session
        The store.
    field
        The parameter that names the set, for messages.
    named
        A page column, whose pages with a number above 0 or true are members; a file of pages, URLs, or ``run:ID``.
    """
    weights = np.nan_to_num(labels_of(session, field, named))
    if not weights.any():
        raise GraphError(
            f"{{{field}}} {{named}} has no page", hint="name another", fields=(field,), values={"named": named}
        )
    return weights


def labels_of(session: Session, field: str, named: str | None) -> np.ndarray:
    """The same, NaN for pages that the column has no value for; every page that a list does not have is 0."""
    if named is None:
        raise UsageError(f"{{{field}}} is missing", hint="name a file of pages, or a page column", fields=(field,))
    graph = session.graph
    if named not in graph.column_names:
        return _listed(session, field, named)
    if os.path.lexists(named):
        log.warning("%s is a page column and a file: the column is taken; write ./%s for the file", named, named)
    values = np.asarray(graph.column(named), np.float64)
    return np.where(np.isnan(values), np.nan, values > 0)


def _listed(session: Session, field: str, named: str) -> np.ndarray:
    pages = session.graph.pages
    if named.startswith("run:"):
        weights = np.zeros(pages)
        weights[session.run_pages(named)] = 1.0
        return weights
    plain = os.sep not in named and "." not in named and not named.startswith(("http://", "https://"))
    if plain and not os.path.lexists(named):
        known = ", ".join(sorted(session.graph.column_names)) or "none"
        raise UsageError(
            f"{{{field}}} {{named}} is neither a file nor a page column",
            hint="the columns are: {known}",
            fields=(field,),
            values={"named": repr(named), "known": known},
        )
    return session.weights(named, pages)
