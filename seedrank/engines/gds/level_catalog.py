"""The projections of a level: hosts or domains in the place of pages.

One statement takes the links of pages together into a projection, whose nodes are the numbers of hosts or domains. All
else reads that projection, by statements that give the same columns as those on pages: an engine does not know the
difference.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from seedrank.core.levels import HostWeights, Level
from seedrank.core.progress import Progress, silent
from seedrank.engines.gds.catalog import Catalog, GdsStore, Projection
from seedrank.graph.levels import level_names

__all__ = ["LevelCatalog"]

_PROJECT = {"links": "level_project", "pages": "level_project_pages"}
_INSTEAD = {
    "cocited": "level_cocited",
    "component_links": "level_component_links",
    "degrees": "level_degrees",
    "link_sums": "level_link_sums",
    "links_from": "level_links_from",
    "links_to": "level_links_to",
    "project_view": "level_project_view",
    "project_walk": "level_project_walk",
    "targets": "level_targets",
    "view_cocited": "level_cocited",
    "view_coupled": "level_coupled",
    "view_link_sums": "level_link_sums",
    "weighted_in_sums": "level_weighted_in_sums",
    "weighted_out_sums": "level_weighted_out_sums",
}
"""Statements on pages, and what is sent in their place."""


class LevelCatalog(Catalog):
    """The projections of an engine on hosts or domains, and its views.

    Parameters
    ----------
    level
        ``host`` or ``domain``; hosts are numbered as in the graph in memory (`seedrank.graph.levels.level_names`).
    host_weights
        What a link weighs.
    weighted
        Whether walks and HITS go by the weights; projections have them in any case.
    keep
        Whether projections that another command may use stay on the server.
    """

    def __init__(
        self,
        store: GdsStore,
        level: Level,
        host_weights: HostWeights = "links",
        progress: Progress = silent,
        *,
        weighted: bool = False,
        keep: bool = False,
    ) -> None:
        super().__init__(store, progress, weighted=weighted, keep=keep)
        self.level = (level, host_weights)
        hosts = store.read_hosts()["name"]
        node, names = level_names(hosts, level)
        self._node = dict(zip(hosts.to_pylist(), node.tolist(), strict=True))
        self._statement = _PROJECT[host_weights]
        self._whole: Projection | None = None
        self._nodes = len(names)
        # How many links there are is known when they are projected: an engine is made when it is used.
        links = self.whole().links
        self.pages, self.links = self._nodes, links

    def close(self) -> None:
        """Drop every projection that does not stay; safe to call twice."""
        super().close()
        self._whole = None

    def run(self, statement: str, title: str | None = None, **parameters: Any) -> list[dict[str, Any]]:
        """The rows of a statement, on the level where it is one on pages."""
        if statement not in _INSTEAD:
            return super().run(statement, title, **parameters)
        return super().run(_INSTEAD[statement], title, **{**self._of_level(), **parameters})

    def run_together(
        self, statement: str, parts: Sequence[Mapping[str, Any]], **parameters: Any
    ) -> list[dict[str, Any]]:
        """The rows of a statement for several parts of the work, on the level where it is one on pages."""
        if statement not in _INSTEAD:
            return super().run_together(statement, parts, **parameters)
        return super().run_together(_INSTEAD[statement], parts, **{**self._of_level(), **parameters})

    def _of_level(self) -> dict[str, Any]:
        return {"reversed": False, "apart": [], "within": [], "base": self.whole().name, "nodes": self._nodes}

    def balls(self, ids: list[int], hops: int) -> list[dict[str, Any]]:
        """Nodes within `hops` of each of some nodes."""
        rows = self.run("view_balls", name=self.whole().name, nodes=ids, hops=hops)
        return [{"page": row["node"], "ball": row["ball"]} for row in rows]

    def whole(self, *, reversed: bool = False) -> Projection:
        """The whole graph of the level; its links the other way round if asked, in a projection of its own."""
        if reversed:
            name, links = self.project("project_view", "projecting hosts", shared=True, reversed=True)
            return Projection(name, self._nodes, links)
        if self._whole is None:
            name, links = self.project(self._statement, "projecting hosts", shared=True, node=self._node)
            self._whole = Projection(name, self._nodes, links)
        return self._whole
