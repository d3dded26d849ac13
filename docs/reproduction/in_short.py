"""The sentences that docs/findings.md begins with, by claim and verdict."""

from __future__ import annotations

from docs.reproduction.sentences import Finding

__all__ = ["IN_SHORT"]

IN_SHORT: dict[str, tuple[Finding, ...]] = {
    "Which order.": (
        Finding(
            "fpr-alike",
            "Plain FPR brings important pages as early as 5 % windowed RankMass does",
            "Plain FPR and 5 % windowed RankMass differ by more than can be overlooked",
            "Whether plain FPR brings important pages as early as 5 % windowed RankMass is open",
        ),
        Finding(
            "fpr-time",
            "it decides faster",
            "it does not decide faster",
            "whether it decides faster is open",
        ),
    ),
    "Which M.": (
        Finding(
            "every-m-better",
            "Giving links between hosts more weight (FPR@M) brings important pages earlier than windowed RankMass",
            "Giving links between hosts more weight (FPR@M) does not bring important pages noticeably earlier than "
            "windowed RankMass",
            "Whether giving links between hosts more weight (FPR@M) brings important pages earlier than windowed "
            "RankMass is open",
            "Giving links between hosts more weight (FPR@M) brings important pages later than windowed RankMass for "
            "some M",
        ),
        Finding(
            "higher-m",
            "a higher M is better, up to 100",
            "a higher M is not noticeably better",
            "whether a higher M is better is open",
            "a higher M is worse at some step",
        ),
    ),
    "Which frontier pages.": (
        Finding(
            "rw over pagerank",
            "Where views or clicks are known, the walk RW finds much more impact than PageRank",
            "The walk RW does not find much more impact than PageRank",
            "Whether the walk RW finds much more impact than PageRank is open",
        ),
        Finding(
            "learning over walks",
            "a learnt model finds more still",
            "a learnt model does not find noticeably more",
            "whether a learnt model finds more is open",
            "a learnt model finds less",
        ),
    ),
    "Where RW-EG pays.": (
        Finding(
            "rw-eg over rw",
            "RW-EG pays: its virtual links find more than RW",
            "RW-EG does not pay: its virtual links add less than matters",
            "Whether the virtual links of RW-EG pay over RW is open",
            "RW-EG finds less than RW at some budget",
        ),
    ),
    "What cores are good for.": (
        Finding(
            "more pages",
            "Hubs of HITS cores reach more pages than random pages at every depth",
            "Hubs of HITS cores do not reach noticeably more pages than random pages at every depth",
            "Whether hubs of HITS cores reach more pages than random pages at every depth is open",
            "Hubs of HITS cores reach fewer pages than random pages at some depth",
        ),
        Finding(
            "pagerank, depths 1 to 3",
            "the pages found first have more PageRank",
            "the pages found first do not have noticeably more PageRank",
            "whether the pages found first have more PageRank is open",
            "the pages found first have less PageRank",
        ),
        Finding(
            "durable hubs",
            "hubs last longer than random pages",
            "hubs do not last noticeably longer than random pages",
            "whether hubs last longer than random pages is open",
            "hubs vanish sooner than random pages",
        ),
    ),
    "Which seeds.": (
        Finding(
            "maxout-best-pages",
            "MaxOut covers the most pages of a site",
            "No lead of MaxOut over all other methods matters",
            "Which method covers the most pages of a site is open",
            "MaxOut is behind another method",
        ),
        Finding(
            "graph-over-heuristics-pages",
            "every method that looks at the graph beats PageRank and OutDegree",
            "not every method that looks at the graph beats PageRank and OutDegree",
            "whether methods that look at the graph beat PageRank and OutDegree is open",
            "some method that looks at the graph is behind PageRank or OutDegree",
        ),
        Finding(
            "depths-alike-pages",
            "where balls are summed (MaxWeight), two hops are enough",
            "where balls are summed (MaxWeight), three hops differ from two",
            "whether two hops are enough where balls are summed (MaxWeight) is open",
        ),
    ),
}
"""Sentences that begin the page: parts of one sentence each, worded by their verdicts."""
