"""Where an answer comes from: the graph by its digest, and the loads that made it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from seedrank.core.errors import SeedrankError
from seedrank.runs import Run

if TYPE_CHECKING:
    from seedrank.session.session import Session

__all__ = ["origin_of"]


def origin_of(session: Session, run: Run) -> dict[str, Any]:
    """The graph that a run was asked of, as it is now; without its digest where it has changed since, or is closed.

    Parameters
    ----------
    session
        The view that was asked.
    run
        The record of the answer.
    """
    from seedrank.graph.fingerprint import fingerprint

    try:
        version, loads = session.store.version(), session.store.loads()
    except SeedrankError as error:
        return {"graph": {"version": run.graph, "sha256": None, "why": error.message}, "loads": []}
    graph: dict[str, Any] = {"version": run.graph, "level": session.level}
    if version != run.graph:
        graph |= {"sha256": None, "why": f"the graph has changed since: it is {version}"}
    elif not session.stored_graph.has_links:
        graph |= {"sha256": None, "why": "its links are in Spark"}
    else:
        held = session.stored_graph
        graph |= {"pages": held.pages, "links": held.links, "sha256": fingerprint(held)}
    return {
        "graph": graph,
        "loads": [
            {"id": one.id, "source": one.source, "sha256": one.sha256, "started": one.started, "state": one.state}
            for one in loads
        ],
    }
