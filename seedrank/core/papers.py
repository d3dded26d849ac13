"""What the papers are called: records name them by number, people by first author and year."""

from __future__ import annotations

__all__ = ["PAPERS", "called"]

PAPERS = {
    "000": "Zheng et al. 2009",
    "001": "Daneshpajouh et al. 2008",
    "002": "Alam et al.",
    "003": "Daneshpajouh et al. 2008",
    "004": "Tran et al. 2015",
}
"""By the number in claims of kept experiments; 001 and 003 are two versions of one paper, 002 gives no year."""


def called(number: str) -> str:
    """The name of a paper, or of several (``001, 003``); what is no known number stays as it is.

    Parameters
    ----------
    number
        As `seedrank.runs.experiment.Claim` has it.
    """
    names = [PAPERS.get(one, one) for one in number.split(", ")]
    return ", ".join(dict.fromkeys(names))
