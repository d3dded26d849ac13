"""References of methods as BibTeX."""

from __future__ import annotations

import re

from seedrank.core.errors import UsageError, shorten
from seedrank.core.references import PAPERS, REFERENCES, software
from seedrank.methods.crawl.methods import CRAWL
from seedrank.methods.frontier.methods import FRONTIER
from seedrank.methods.rank.methods import RANK
from seedrank.methods.recrawl.methods import POLICIES
from seedrank.methods.seeds.methods import SEEDS
from seedrank.runs import Answer

__all__ = ["bibtex"]

_OTHERS = {
    "cores": PAPERS["001"],
    "coverage": PAPERS["000"],
    "ordering": PAPERS["002"],
    "impact": PAPERS["004"],
}
"""Experiments, and seeds from cores."""


def bibtex(*methods: str | Answer) -> str:
    """BibTeX entries of the papers that methods come from, and of seedrank; of all papers where no method is named.

    Parameters
    ----------
    methods
        Names of methods (``maxweight``, ``fpr@20``) and experiments (``ordering``), or answers.
    """
    names = [name for one in methods for name in (_names(one) if isinstance(one, Answer) else [one])]
    sources = dict.fromkeys(source for name in names for source in _sources(name)) if methods else REFERENCES
    entries = [REFERENCES[source].bibtex() for source in sources if source in REFERENCES]
    return "\n\n".join([software(), *entries, ""])


def _names(answer: Answer) -> list[str]:
    """Methods of an answer."""
    question = answer.run.question
    orders = getattr(question, "orders", ())
    return [answer.run.method.split()[-1], *orders] if orders != () else [answer.run.method.split()[-1]]


def _sources(name: str) -> list[str]:
    """Where a method comes from: several names where families share it, as random; none where it is nobody's."""
    plain = re.split("[@:]", name)[0] if isinstance(name, str) else ""
    methods = [one for family in (SEEDS, CRAWL, FRONTIER, RANK) for one in family.methods]
    found = [one for one in (*methods, *POLICIES) if one.name == plain]
    if not found and plain not in (*_OTHERS, "compare"):
        raise UsageError(f"no method is called {shorten(name)}", hint="name one as it is asked for, such as maxweight")
    sources = [one.source for one in found if one.source]
    return [*sources, _OTHERS[plain]] if plain in _OTHERS else sources
