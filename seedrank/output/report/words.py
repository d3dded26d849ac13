"""Words of the report that not everybody knows, each with what it means."""

from __future__ import annotations

import re
from collections.abc import Sequence

from seedrank.methods.crawl.methods import CRAWL
from seedrank.methods.frontier.methods import FRONTIER
from seedrank.methods.seeds.methods import SEEDS

__all__ = ["meanings"]

_WORDS = {
    "seeds": "pages from which a crawl starts",
    "frontier": "pages that crawled pages link to and that are not crawled yet",
    "PageRank": "how well linked a page is: the share of their time that people who follow links at random spend on it",
    "breadth first": "pages in the order in which links to them are found",
    "maxweight": "picks one seed after the other: the page with the most around it, a few links away, not covered yet",
    "greedy": "picks one seed after the other: the page that adds the most to what the others reach",
    "fpr": "fetches first what the pages fetched so far point to the most (Fractional PageRank)",
    "rw": "ranks a page by the pages that link to it: those that people use count more",
    "rw-eg": "ranks a page by the pages that link to it and those linked beside it: those that people use count more",
}
"""In plain words, before what the register of methods says of the same name."""


def meanings(sentences: Sequence[str]) -> list[tuple[str, str]]:
    """The words that occur in sentences and need to be explained, with their meanings, in the order they occur."""
    known = {
        name: one.summary.removesuffix(".")
        for family in (FRONTIER, CRAWL, SEEDS)
        for name in family.names
        for one in (family.method(name),)
        if "-" in name or name.startswith(("max", "root"))  # others are words of their own: random, pagerank, …
    } | _WORDS
    text = " ".join(sentences)
    places = {word: re.search(rf"(?<![\w/.-]){re.escape(word)}(?![\w/-])", text) for word in known}
    return [(word, known[word]) for _, word in sorted((found.start(), word) for word, found in places.items() if found)]
