"""A session on the hosts or domains of a store: every question is answered there as on pages."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import numpy as np

from seedrank.core.levels import PLURAL, HostWeights, Level
from seedrank.graphdb.store import IsGraph, database
from seedrank.session import Session

if TYPE_CHECKING:
    from seedrank.graph import WebGraph
    from seedrank.session.page_names import PageNames

__all__ = ["LevelSession"]

log = logging.getLogger(__name__)


class LevelSession(Session):
    """The graph of hosts or domains of another session; store and kept answers are the same.

    Made by `Session.at`, and forgotten when that session forgets what it knows.

    Parameters
    ----------
    base
        The session on the stored graph.
    level
        ``host`` or ``domain``, above the stored level.
    host_weights
        What a link weighs (`seedrank.graph.levels.level_graph`).
    """

    def __init__(self, base: Session, level: Level, host_weights: HostWeights = "links") -> None:
        super().__init__(
            base.store, engine=base.engine_name, site=base.site, refresh=base.refreshes, progress=base.progress
        )
        self.base = base
        self.host_weights = host_weights
        self._level: Level = level

    @property
    def level(self) -> Level:
        """What a node of the graph is: a host or a domain."""
        return self._level

    @property
    def stored_level(self) -> Level:
        """What a node of the stored graph is."""
        return self.base.level

    @property
    def is_derived(self) -> bool:
        """Whether the graph is made of the stored one: it is."""
        return True

    def at(self, level: Level | None = None, *, host_weights: HostWeights = "links") -> Session:
        """The session to ask at a level; see `Session.at`."""
        return self.base.at(level, host_weights=host_weights)

    def close(self) -> None:
        """Close the engine, if one was used; the store belongs to the other session."""
        self._close_engine()

    def forget(self) -> None:
        """Forget what was worked out from the store, here and in the other session."""
        super().forget()
        self.base.forget()

    def write_scores(self, name: str, values: np.ndarray) -> None:
        """Write a column of hosts into the store; the cached graphs know of it. Domains have no node to write to."""
        from seedrank.session.graph_cache import update_column

        store = database(self.store, "writing scores")
        store.write_host_scores(name, self.names.table["host"], values, progress=self.progress)
        update_column(self.cache_folder / "graph", name, values, of_hosts=True)
        self.base._forget_graph()

    def _read_graph(self) -> WebGraph:
        from seedrank.session.graph_cache import open_level

        folder = self.cache_folder / f"graph-{self.level}-{self.host_weights}"
        found = open_level(
            self.base.stored_graph,
            folder,
            self.level,
            self.host_weights,
            stored=self.base.level,
            progress=self.progress,
        )
        left_out = int(found.meta["left_out"])
        if left_out:
            log.warning(
                "%s %s without a host are left out: they belong to no %s",
                f"{left_out:,}", PLURAL[self.base.level], self.level,
            )  # fmt: skip
        return found

    def _read_names(self) -> PageNames:
        from seedrank.session.page_names import names_of_hosts

        in_memory = isinstance(self.store, IsGraph) or self.base.has_graph
        hosts = self.base.stored_graph.host_names if in_memory else self.store.read_hosts()["name"]
        return names_of_hosts(hosts, self.level)
