"""Where links to pages that redirect lead."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from loaders.spool.addresses import Addresses
from loaders.spool.columns import ColumnSpool
from loaders.spool.pages import Pages
from loaders.spool.stored import REDIRECT, StoredPages
from seedrank.core.model import MAX_REDIRECTS, Status
from seedrank.kernels.pages import ends_of_redirects

__all__ = ["Redirects", "find_redirects"]


@dataclass(frozen=True)
class Redirects:
    """Pages that redirect.

    Parameters
    ----------
    pages
        bool per page: whether it redirects.
    ends
        int32 per page: where links to it lead; itself for all pages that do not redirect, and for those whose
        redirects go round or on and on.
    """

    pages: np.ndarray
    ends: np.ndarray


def find_redirects(
    pages: Pages, stored: StoredPages, addresses: Addresses, columns: ColumnSpool, status: np.ndarray
) -> Redirects | None:
    """The redirects of load and store, `None` where there is none; the load's stand before the store's.

    Parameters
    ----------
    pages, stored, addresses, columns
        What load and store know of pages; the columns are finished.
    status
        Of each page without regard to redirects: one that is crawled does not redirect.
    """
    if not len(stored.redirecting) and REDIRECT not in columns.names:
        return None
    to = np.full(pages.count, -1, np.int32)
    to[stored.redirecting] = pages.at_urls(stored.leads_to)
    if REDIRECT in columns.names:
        leads = columns.values(REDIRECT, pages.count)
        given = np.flatnonzero(leads.at >= 0)
        to[given] = pages.at_urls(addresses.find_stored(leads.take(given)))
    to[(status == Status.CRAWLED) | (to == np.arange(pages.count, dtype=np.int32))] = -1
    if (to < 0).all():
        return None
    return Redirects(to >= 0, ends_of_redirects(to, MAX_REDIRECTS))
