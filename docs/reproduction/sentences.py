"""What a verdict means for a crawl, in words: sentences of docs/findings.md by claim and verdict."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["SECTIONS", "Finding"]


@dataclass(frozen=True)
class Finding:
    """A claim and what it means for a crawl.

    Parameters
    ----------
    key
        Of the claim.
    holds, fails, opens
        The sentence where it holds, does not hold, cannot be judged.
    worse
        Instead of `fails`, where the whole interval is below the smallest difference that matters, the other way.
    """

    key: str
    holds: str
    fails: str
    opens: str
    worse: str = ""


SECTIONS: dict[str, tuple[Finding, ...]] = {
    "Which order to fetch in": (
        Finding(
            "every-m-better",
            "Fetch by FPR@M rather than by 5 % windowed RankMass: important pages come earlier, for every M.",
            "FPR@M does not bring important pages noticeably earlier than 5 % windowed RankMass: choose by time.",
            "Whether every FPR@M brings important pages earlier than 5 % windowed RankMass is open.",
            "Some FPR@M brings important pages later than 5 % windowed RankMass.",
        ),
        Finding(
            "fpr-alike",
            "Plain FPR is as effective as 5 % windowed RankMass: take it where deciding must be quick.",
            "Plain FPR and 5 % windowed RankMass differ by more than can be overlooked.",
            "Whether plain FPR is as effective as 5 % windowed RankMass is open.",
        ),
        Finding(
            "fpr-time",
            "FPR decides faster than 5 % windowed RankMass.",
            "FPR does not decide faster than 5 % windowed RankMass.",
            "Whether FPR decides faster than 5 % windowed RankMass is open.",
        ),
        Finding(
            "fpr-m-time",
            "FPR@M costs more time than windowed RankMass at first and less overall.",
            "Not both are so: that FPR@M costs more time than windowed RankMass at first, and less overall.",
            "Whether FPR@M costs more time at first and less overall is open.",
        ),
    ),
    "Which M, and when it matters": (
        Finding(
            "higher-m",
            "Raise M: 20 is better than 2, and 100 better than 20.",
            "Raising M does not pay at every step from 2 to 20 to 100.",
            "Whether every step of M from 2 to 20 to 100 pays is open.",
            "Some step of M from 2 to 20 to 100 makes the order worse.",
        ),
        Finding(
            "steps-of-m",
            "Most of the gain comes from M = 2 to 20.",
            "The step from M = 2 to 20 does not gain noticeably more than that from 20 to 100.",
            "Which step of M gains more is open.",
        ),
        Finding(
            "m-above-100",
            "M above 100 changes nothing.",
            "M above 100 still makes a difference.",
            "Whether M above 100 makes a difference is open.",
        ),
        Finding(
            "m-100-best",
            "FPR@100 is the best of the paper's orders.",
            "FPR@100 is not ahead of every other order of the paper.",
            "Whether FPR@100 is the best of the paper's orders is open.",
            "FPR@100 is behind another order of the paper.",
        ),
    ),
    "Which frontier pages to fetch, and where RW-EG pays": (
        Finding(
            "rw over pagerank",
            "With clicks or views at hand, RW finds much more impact than PageRank.",
            "RW does not find much more impact than PageRank.",
            "Whether RW finds much more impact than PageRank is open.",
        ),
        Finding(
            "rw-eg over rw",
            "RW-EG pays: its virtual links find more impact than RW.",
            "RW-EG does not pay over RW: the virtual links add less than matters.",
            "Whether RW-EG pays over RW is open.",
            "RW-EG finds less impact than RW.",
        ),
        Finding(
            "queries early",
            "For small budgets rank by searches: they find more than the walks.",
            "Searches do not beat the walks at small budgets.",
            "Whether searches beat the walks at small budgets is open.",
            "Searches find less than the walks at small budgets.",
        ),
        Finding(
            "rw-eg late",
            "For budgets above 6 % rank by RW-EG: it beats every other method.",
            "At budgets above 6 % RW-EG is not ahead of every other method.",
            "Whether RW-EG beats every other method at budgets above 6 % is open.",
            "At budgets above 6 % another method finds more than RW-EG.",
        ),
        Finding(
            "learning over walks",
            "Learn a model where impact of some frontier pages is known: it finds more than RW and RW-EG.",
            "A learnt model does not find noticeably more than RW and RW-EG.",
            "Whether a learnt model finds more than RW and RW-EG is open.",
            "A learnt model finds less than RW or RW-EG.",
        ),
        Finding(
            "gain",
            "Expect 5 to 10 points of the ideal over the best baseline, as the paper says.",
            "The gain of the walks over the best baseline is not the paper's 5 to 10 points of the ideal.",
            "Whether the walks gain 5 to 10 points of the ideal over the best baseline is open.",
        ),
    ),
    "What HITS cores are good for": (
        Finding(
            "more pages",
            "Start from hubs of cores to reach more pages at every depth than from random pages.",
            "Hubs of cores do not reach noticeably more pages than random pages at every depth.",
            "Whether hubs of cores reach more pages than random pages at every depth is open.",
            "At some depth hubs of cores reach fewer pages than random pages.",
        ),
        *(
            Finding(
                f"pagerank, depths {depths}",
                f"Pages found from hubs at depths {depths} have more PageRank than those from random pages.",
                f"Pages found from hubs do not have noticeably more PageRank at each of the depths {depths}.",
                f"Whether pages found from hubs have more PageRank at depths {depths} is open.",
                f"At some of the depths {depths} pages found from hubs have less PageRank than from random pages.",
            )
            for depths in ("1 to 3", "2 to 4")
        ),
        Finding(
            "durable hubs",
            "Hubs last longer than random pages: a list of seeds keeps.",
            "Hubs do not last noticeably longer than random pages: choose seeds anew.",
            "Whether hubs last longer than random pages is open.",
            "Hubs vanish sooner than random pages.",
        ),
        Finding(
            "replaced seeds, pages",
            "Replace seeds that are gone (`seeds transfer`): the crawl reaches more pages.",
            "Replacing seeds that are gone reaches hardly more pages.",
            "Whether replacing seeds that are gone reaches more pages is open.",
        ),
        Finding(
            "replaced seeds, random",
            "Replacements reach more pages than as many random pages in their place.",
            "Replacements do not reach noticeably more pages than as many random pages in their place.",
            "Whether replacements reach more pages than random pages in their place is open.",
        ),
    ),
    "Which seeds cover a site": (
        Finding(
            "pagerank-over-random-pages",
            "Pages of high PageRank cover more than random pages.",
            "Pages of high PageRank do not cover noticeably more than random pages.",
            "Whether pages of high PageRank cover more than random pages is open.",
            "Pages of high PageRank cover less than random pages.",
        ),
        Finding(
            "random-worst-pages",
            "Any method beats random seeds by far.",
            "Not every method beats random seeds by far.",
            "Whether every method beats random seeds by far is open.",
        ),
        Finding(
            "graph-over-heuristics-pages",
            "Choose seeds on the graph: every such method covers more pages than PageRank and OutDegree.",
            "Not every graph method covers noticeably more pages than PageRank and OutDegree.",
            "Whether every graph method covers more pages than PageRank and OutDegree is open.",
            "Some graph method covers fewer pages than PageRank or OutDegree.",
        ),
        Finding(
            "maxout-best-pages",
            "MaxOut covers the most pages.",
            "MaxOut is not noticeably ahead of every other method.",
            "Whether MaxOut covers the most pages is open.",
            "MaxOut is behind another method.",
        ),
        Finding(
            "depths-alike-pages",
            "Looking two hops ahead is enough.",
            "Two and three hops ahead differ by more than can be overlooked.",
            "Whether looking two hops ahead is enough is open.",
        ),
    ),
}
