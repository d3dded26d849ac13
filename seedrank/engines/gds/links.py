"""Links of given pages, as a view has them."""

from __future__ import annotations

import numpy as np

from seedrank.engines.gds.catalog import Catalog
from seedrank.engines.gds.view import View

__all__ = ["links_from", "links_to"]


def links_from(catalog: Catalog, view: View, pages: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sources and targets of the links of some pages, int64."""
    if view.reversed:
        target, source = _stored(catalog, view, "links_to", pages)
        return source, target
    return _stored(catalog, view, "links_from", pages)


def links_to(catalog: Catalog, view: View, pages: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sources and targets of the links to some pages, int64."""
    if view.reversed:
        target, source = _stored(catalog, view, "links_from", pages)
        return source, target
    return _stored(catalog, view, "links_to", pages)


def _stored(catalog: Catalog, view: View, statement: str, pages: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sources and targets of stored links that stay in the view."""
    row = catalog.run(statement, ids=pages.tolist())[0]
    source, target = np.array(row["source"], np.int64), np.array(row["target"], np.int64)
    stays = view.keeps(source, target)
    return source[stays], target[stays]
