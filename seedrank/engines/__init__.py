"""The primitives every method is written on, once per engine: native (in memory) and gds (inside Neo4j)."""
