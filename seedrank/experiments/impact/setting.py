"""Which frontier is judged, and by what impact: its size, and in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from seedrank.core.model import Status
from seedrank.methods.frontier.tables import later_impact
from seedrank.questions.experiments import ImpactExperiment
from seedrank.questions.frontier import Trying
from seedrank.session import Session

__all__ = ["Setting", "setting_of"]


@dataclass(frozen=True)
class Setting:
    """What a trial of methods is made of.

    Parameters
    ----------
    pages
        Pages of known impact in a split, at most.
    about
        Which frontier it is, what it can show, and what the impact is; a sentence each.
    left_out
        Pages of known impact that are not judged, a sentence.
    """

    pages: int
    about: Sequence[str]
    left_out: Sequence[str] = ()


def setting_of(session: Session, question: ImpactExperiment | Trying) -> Setting:
    """The setting of a question; reads the table of what became known, where it names one."""
    impact = f"impact: {question.impact}"
    if question.impact not in ("clicks", "views"):
        impact += ", which stands in for clicks or views"
    if question.events:
        impact += ", summed from events"
    status = session.graph.status
    crawled, frontier, missing = (status == one for one in (Status.CRAWLED, Status.FRONTIER, Status.MISSING))
    if question.truth is None:
        hidden = (
            f"frontier: {100 * question.hide:.3g} % of the crawled pages, hidden at random in each of "
            f"{question.splits} splits; it shows which method finds pages like those crawled, not pages that are new"
        )
        return Setting(round(question.hide * int(crawled.sum())), [hidden, impact])
    later = later_impact(question.truth, question.impact, session.names.find, len(status))
    judged = frontier & later.known
    new = (
        f"frontier: {int(judged.sum()):,} frontier pages whose impact became known since ({question.truth}), as in a "
        f"later recording; it shows which method finds pages that are new, on this one frontier, divided anew in each "
        f"of {question.splits} splits"
    )
    counts = {
        "crawled already": int((later.named & crawled).sum()),
        "missing": int((later.named & missing).sum()),
        f"without {question.impact}": int((later.named & frontier & ~judged).sum()),
        "not in the store": later.unknown,
    }
    left_out = []
    if any(counts.values()):
        parts = ", ".join(f"{count:,} {why}" for why, count in counts.items() if count)
        such_as = f", such as {', '.join(later.unknown_such_as)}" if later.unknown else ""
        left_out.append(f"{sum(counts.values()):,} pages of {question.truth}: {parts}{such_as}")
    return Setting(int(judged.sum()), [new, impact], left_out)
