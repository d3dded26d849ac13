"""Where a visitor came from: a page of the same site, a search engine, or somewhere else."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.urls import hosts, normalise, registered_domain
from seedrank.loaders.lines import truth

__all__ = ["Referers"]

_ENGINES = "aol|ask|baidu|bing|brave|daum|duckduckgo|ecosia|google|kagi|naver|qwant|seznam|sogou|startpage|yahoo|yandex"
_SEARCH = rf"^(([a-z]{{1,3}}|www|[a-z.]*search)\.)?({_ENGINES})\.(com?\.)?[a-z]{{2,3}}$"
"""Hosts of search engines, not of their mail and groups."""


class Referers:
    """Tells referers apart, and counts them."""

    def __init__(self) -> None:
        self._here = self._search = self._elsewhere = 0

    def sort(self, referers: pa.Array, urls: pa.Array) -> tuple[np.ndarray, np.ndarray]:
        """Whether each request comes from a page of its own registered domain, and whether from a search engine.

        Parameters
        ----------
        referers
            As requests name them: a URL, ``-``, or null.
        urls
            What was asked for.
        """
        encoded = pc.if_else(pc.is_in(referers, pa.array(["", "-"])), None, referers).dictionary_encode()
        names = hosts(normalise(encoded.dictionary)[0])
        search = truth(pc.match_substring_regex(names, _SEARCH).take(encoded.indices))
        domains = registered_domain(names).take(encoded.indices)
        asked = urls.dictionary_encode()
        own = registered_domain(hosts(normalise(asked.dictionary)[0])).take(asked.indices)
        here = truth(pc.equal(domains, own))
        search &= ~here
        self._here += int(np.count_nonzero(here))
        self._search += int(np.count_nonzero(search))
        known = truth(names.is_valid().take(encoded.indices))
        self._elsewhere += int(np.count_nonzero(known & ~here & ~search))
        return here, search

    def notes(self) -> list[str]:
        """What was counted, in sentences."""
        return [
            f"{self._here:,} views came from links of the same domain, {self._search:,} from search engines (clicks) "
            f"and {self._elsewhere:,} from elsewhere.",
            "The links are those that were followed, not all that the pages have.",
        ]
