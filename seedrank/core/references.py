"""The papers that methods and claims come from: by first author and year, and as BibTeX."""

from __future__ import annotations

import re
from typing import NamedTuple

from seedrank.core.package import VERSION

__all__ = ["PAPERS", "REFERENCES", "Reference", "called", "software"]


_JOURNALS = ("Journal", "Proceedings of the National", "ACM Transactions")
"""How the names of journals begin."""


class Reference(NamedTuple):
    """A paper."""

    authors: str
    title: str
    venue: str
    year: str = ""

    def bibtex(self) -> str:
        """The entry, with a key such as ``zheng2009``."""
        key = f"{re.sub(r'[^a-z]', '', self.authors.partition(',')[0].lower())}{self.year}"
        kind = "article" if self.venue.startswith(_JOURNALS) else "inproceedings" if self.venue else "misc"
        place = "journal" if kind == "article" else "booktitle"
        return _entry(kind, key, {"author": self.authors, "title": self.title, place: self.venue, "year": self.year})


def software() -> str:
    """The entry of seedrank itself."""
    return _entry("software", "seedrank", {"title": "{seedrank}", "version": VERSION})


def _entry(kind: str, key: str, fields: dict[str, str]) -> str:
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@{kind}{{{key},", *lines, "}"])


REFERENCES = {
    "Zheng et al. 2009": Reference(
        "Zheng, S. and Dmitriev, P. and Giles, C. L.",
        "Graph-based seed selection for web-scale crawlers",
        "CIKM",
        "2009",
    ),
    "Daneshpajouh et al. 2008": Reference(
        "Daneshpajouh, S. and Nasiri, M. M. and Ghodsi, M.",
        "A fast community based algorithm for generating web crawler seeds set",
        "WEBIST",
        "2008",
    ),
    "Alam et al.": Reference(
        "Alam, M. H. and Ha, J. and Sim, K.-S. and Lee, S.",
        "The impact of inter-host links in crawling important pages early",
        "",
    ),
    "Tran et al. 2015": Reference(
        'Tran, G. and T{\\"u}rk, A. and Cambazoglu, B. B. and Nejdl, W.',
        "A random walk model for optimization of search impact in web frontier ranking",
        "SIGIR",
        "2015",
    ),
    "Abiteboul et al. 2003": Reference(
        "Abiteboul, S. and Preda, M. and Cobena, G.", "Adaptive on-line page importance computation", "WWW", "2003"
    ),
    "Azar et al. 2018": Reference(
        "Azar, Y. and Horvitz, E. and Lubetzky, E. and Peres, Y. and Shahaf, D.",
        "Tractable near-optimal policies for crawling",
        "Proceedings of the National Academy of Sciences",
        "2018",
    ),
    "Boldi and Vigna 2013": Reference(
        "Boldi, P. and Vigna, S.",
        "In-core computation of geometric centralities with {HyperBall}: a hundred billion nodes and beyond",
        "ICDM Workshops",
        "2013",
    ),
    "Brin and Page 1998": Reference(
        "Brin, S. and Page, L.", "The anatomy of a large-scale hypertextual web search engine", "WWW", "1998"
    ),
    "Castillo and Baeza-Yates": Reference(
        "Baeza-Yates, R. and Castillo, C. and Marin, M. and Rodriguez, A.",
        "Crawling a country: better strategies than breadth-first for web page ordering",
        "WWW",
        "2005",
    ),
    "Cho et al. 1998": Reference(
        "Cho, J. and Garcia-Molina, H. and Page, L.", "Efficient crawling through {URL} ordering", "WWW", "1998"
    ),
    "Cho and Garcia-Molina 2003": Reference(
        "Cho, J. and Garcia-Molina, H.",
        "Effective page refresh policies for web crawlers",
        "ACM Transactions on Database Systems",
        "2003",
    ),
    "Cho and Schonfeld 2007": Reference(
        "Cho, J. and Schonfeld, U.",
        "{RankMass} crawler: a crawler with high personalized {PageRank} coverage guarantee",
        "VLDB",
        "2007",
    ),
    "Fetterly et al. 2009": Reference(
        "Fetterly, D. and Craswell, N. and Vinay, V.",
        "The impact of crawl policy on web search effectiveness",
        "SIGIR",
        "2009",
    ),
    "Gyöngyi et al. 2004": Reference(
        'Gy{\\"o}ngyi, Z. and Garcia-Molina, H. and Pedersen, J.', "Combating web spam with {TrustRank}", "VLDB", "2004"
    ),
    "Gyöngyi et al. 2006": Reference(
        'Gy{\\"o}ngyi, Z. and Berkhin, P. and Garcia-Molina, H. and Pedersen, J.',
        "Link spam detection based on mass estimation",
        "VLDB",
        "2006",
    ),
    "Kleinberg 1999": Reference(
        "Kleinberg, J. M.", "Authoritative sources in a hyperlinked environment", "Journal of the ACM", "1999"
    ),
    "Kolobov et al. 2019": Reference(
        "Kolobov, A. and Peres, Y. and Lu, C. and Horvitz, E.",
        "Staying up to date with online content changes using reinforcement learning for scheduling",
        "NeurIPS",
        "2019",
    ),
    "Krishnan and Raj 2006": Reference(
        "Krishnan, V. and Raj, R.", "Web spam detection with {Anti-Trust} {Rank}", "AIRWeb", "2006"
    ),
    "Pandey and Olston 2008": Reference("Pandey, S. and Olston, C.", "Crawl ordering by search impact", "WSDM", "2008"),
}
"""By the source of a method (`seedrank.questions.methods.Method`); README.md has them in words."""


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
