"""The embedded store: Ladybug, a graph database in this process, in one file."""

from graphdb.ladybug.store import LadybugStore

__all__ = ["LadybugStore"]
