"""What a crawl operator has to decide, and what to do by the verdict of a claim: the sentences of docs/findings.md."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["DECISIONS", "Decision"]


@dataclass(frozen=True)
class Decision:
    """A decision and what to do.

    Parameters
    ----------
    key
        Of the claim that decides it.
    lead
        What is decided, in a few words.
    holds, fails, opens
        What to do where the claim holds, does not hold, or cannot be judged yet.
    command
        Checks it on the reader's own graph.
    paper
        Whose chart shows it: ``coverage``, ``cores``, ``ordering`` or ``impact``.
    part
        Of a claim with several parts, the one that decides; empty for the claim as a whole.
    """

    key: str
    lead: str
    holds: str
    fails: str
    opens: str
    command: str
    paper: str
    part: str = ""


DECISIONS = (
    Decision(
        "fpr-time",
        "Which order, where deciding must be quick",
        "Fetch by plain FPR: it decides faster than 5 % windowed RankMass.",
        "Plain FPR does not decide faster than 5 % windowed RankMass.",
        "Plain FPR or 5 % windowed RankMass: time them on your machine.",
        "seedrank experiment ordering --quick",
        "ordering",
    ),
    Decision(
        "fpr-alike",
        "Which order, for important pages early",
        "Plain FPR brings important pages as early as 5 % windowed RankMass.",
        "Plain FPR and 5 % windowed RankMass differ: compare them on your web.",
        "Whether plain FPR is as good as 5 % windowed RankMass is not known yet: compare them on your web.",
        "seedrank crawl compare fpr windowed-rankmass:5%",
        "ordering",
    ),
    Decision(
        "m-above-100",
        "Which M",
        "Do not tune M above 100: it changes less than matters.",
        "M above 100 still changes the order: try it.",
        "Whether M above 100 changes anything is not known yet.",
        "seedrank crawl compare fpr fpr@20 fpr@100",
        "ordering",
    ),
    Decision(
        "rw over pagerank, hidden",
        "Which frontier pages, with clicks or views at hand",
        "Rank the frontier by RW, not by PageRank.",
        "RW finds no more than PageRank on average: look at the kind of your links first (below).",
        "RW over PageRank pays on some webs and not on others: look at the kind of your links first (below).",
        "seedrank frontier tune --impact views",
        "impact",
        part="rw - pagerank at the larger budget",
    ),
    Decision(
        "rw-eg over rw, hidden",
        "Whether virtual links pay (RW-EG)",
        "Use RW-EG: its virtual links find more than RW alone.",
        "Leave virtual links out: RW-EG finds no more than RW.",
        "Whether RW-EG finds more than RW is not known yet: tune it on your own pages.",
        "seedrank frontier tune --impact views",
        "impact",
        part="rw-eg - rw at the larger budget",
    ),
    Decision(
        "learning over walks, hidden",
        "Whether to learn a model",
        "Learn a model: it finds more than RW and RW-EG.",
        "Do not learn a model for this: it finds no more than RW and RW-EG.",
        "Whether a learnt model finds more than RW and RW-EG is not known yet.",
        "seedrank frontier learn model.json --impact views",
        "impact",
    ),
    Decision(
        "depths-alike-pages",
        "How far to look ahead for seeds",
        "Look two hops ahead (MaxWeight, depth 2): a third adds less than matters.",
        "Look three hops ahead: it covers more than two.",
        "Whether a third hop adds anything is not known yet; two are the default.",
        "seedrank experiment coverage --quick",
        "coverage",
    ),
    Decision(
        "graph-over-heuristics-pages",
        "Which method of choosing seeds",
        "Choose seeds on the graph: every such method covers more than PageRank and OutDegree.",
        "Not every graph method covers more than OutDegree: take MaxWeight, and leave strong components alone.",
        "Whether every graph method covers more than PageRank and OutDegree is not known yet: take MaxWeight.",
        "seedrank experiment coverage --quick",
        "coverage",
    ),
    Decision(
        "more pages",
        "Whether to start from hubs of HITS cores",
        "Start from hubs of cores: they reach more pages at every depth than random pages.",
        "Do not count on hubs of cores: they reach no more pages at every depth than random pages.",
        "Whether hubs of cores reach more pages at every depth than random pages is not known yet.",
        "seedrank experiment cores --quick",
        "cores",
    ),
)
"""Beside those that are measured by themselves (`docs.reproduction.findings`): ten at most in all."""
