"""What looks wrong in a graph and in its answers: spam that is labelled, duplicates, traps, hosts that starve."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from seedrank.core.model import Status
from seedrank.methods.worthless import duplicates_of, trapped
from seedrank.output.report.reasons import LARGEST
from seedrank.runs import Run
from seedrank.session import Session

__all__ = ["Wrong", "wrongs"]


@dataclass(frozen=True)
class Wrong:
    """A sign that something is wrong."""

    name: str
    """A word or two, for a chart."""
    count: int
    of: int
    """How many show it, and how many there are."""
    counted: str
    said: str
    """What they are, and what is wrong with those that show it."""

    @property
    def percent(self) -> float:
        """Share of all, in per cent."""
        return 100 * self.count / max(self.of, 1)


def wrongs(session: Session, seeds: Run | None) -> list[Wrong]:
    """The signs that can be looked for here, found or not.

    Parameters
    ----------
    seeds
        The seeds whose reach is looked at; `None` where none were chosen.
    """
    graph = session.graph
    found = []
    if "spam" in graph.column_names:
        spam = graph.column("spam")
        found.append(Wrong("spam", int((spam > 0).sum()), int((~np.isnan(spam)).sum()), "labelled pages", "are spam"))
    if graph.urls is not None and not session.is_derived and graph.pages <= LARGEST:
        crawled = graph.status == Status.CRAWLED
        copies = int((duplicates_of(session).flags & crawled).sum())
        found.append(Wrong("duplicates", copies, int(crawled.sum()), "crawled pages", "repeat others of their host"))
        found.append(Wrong("in traps", int(trapped(session).sum()), graph.pages, "pages", "lie in traps"))
    hosts = len(np.unique(graph.host[(graph.status == Status.CRAWLED) & (graph.host >= 0)]))
    if hosts and seeds is not None:
        some = ", ".join(map(str, seeds.facts.get("hosts_starving_such_as", ())[:1]))
        said = "get less than a tenth of their share of what the seeds reach"
        starving = int(seeds.facts.get("hosts_starving", 0))
        found.append(
            Wrong("hosts starve", starving, hosts, "crawled hosts", f"{said}, such as {some}" if some else said)
        )
    return found
