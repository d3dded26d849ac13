"""Which links a view has and which way they point, as statements and as NumPy take it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from seedrank.engines.gds.catalog import Catalog

__all__ = ["View", "links_from", "links_to"]


@dataclass(frozen=True)
class View:
    """Links that stay: of no page that is gone, between sites of `apart`, within sites of `within`."""

    gone: np.ndarray | None = None
    """Boolean per page; `None` when none is."""
    apart: tuple[np.ndarray, ...] = ()
    """Site numbers per page; a link goes when any has both of its pages in one site (-1 is no site)."""
    within: tuple[np.ndarray, ...] = ()
    """Site numbers per page; a link goes when any has its pages in two sites or one of them in none."""
    reversed: bool = False
    """Whether links point from the page that is linked to, to the one that links."""

    def __bool__(self) -> bool:
        return self.cuts or self.reversed

    @property
    def cuts(self) -> bool:
        """Whether links are left out."""
        return self.gone is not None or bool(self.apart or self.within)

    def keeps(self, source: np.ndarray, target: np.ndarray) -> np.ndarray:
        """Boolean per link: stays; the same from either end."""
        stays = np.ones(len(source), bool)
        for site in self.apart:
            stays &= (site[source] != site[target]) | (site[source] < 0)
        for site in self._all_within():
            stays &= (site[source] == site[target]) & (site[source] >= 0)
        return stays

    def parameters(self) -> dict[str, Any]:
        """``apart`` and ``within`` of the statements, lists of lists by page id, and ``reversed``."""
        return {
            "reversed": self.reversed,
            "apart": [site.tolist() for site in self.apart],
            "within": [site.tolist() for site in self._all_within()],
        }

    def _all_within(self) -> tuple[np.ndarray, ...]:
        """Pages that are gone are in no site, the others in one."""
        return self.within if self.gone is None else (*self.within, -self.gone.astype(np.int32))


def links_from(catalog: Catalog, view: View, pages: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sources and targets of the links of some pages, int64."""
    return _links(catalog, view, "links_to" if view.reversed else "links_from", pages)


def links_to(catalog: Catalog, view: View, pages: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sources and targets of the links to some pages, int64."""
    return _links(catalog, view, "links_from" if view.reversed else "links_to", pages)


def _links(catalog: Catalog, view: View, statement: str, pages: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sources and targets of stored links that stay, as the view has them."""
    row = catalog.run(statement, ids=pages.tolist())[0]
    source, target = np.array(row["source"], np.int64), np.array(row["target"], np.int64)
    stays = view.keeps(source, target)
    source, target = source[stays], target[stays]
    return (target, source) if view.reversed else (source, target)
