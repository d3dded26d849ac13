"""The gds engine: the primitives inside Neo4j, by Cypher and the Graph Data Science library."""

from seedrank.engines.gds.engine import GdsEngine

__all__ = ["GdsEngine"]
