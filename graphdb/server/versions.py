"""The lines of Neo4j that seedrank runs, and what differs between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

from seedrank.core.errors import UsageError

__all__ = ["FIRST", "LINES", "Line", "line_named"]

FIRST = "5.26"
"""The long-term line: started where nobody chose another."""


@dataclass(frozen=True)
class Line:
    """A line of Neo4j."""

    name: str
    """As it is chosen; versions are pinned in ``pom-<name>.xml``."""
    folder: str
    """Name of its data folder."""
    main_class: str
    """What Java starts."""
    java: tuple[int, ...]
    """Versions of Java it runs on."""
    image: str
    """The official image."""
    jars: str
    """SHA-256 of the list of its jars (`seedrank.graphdb.server.assemble`)."""

    def pom(self) -> bytes:
        """The Maven project that names its versions."""
        return files("seedrank.graphdb.server").joinpath(f"pom-{self.name}.xml").read_bytes()

    def java_flags(self, version: int) -> tuple[str, ...]:
        """What a version of Java must be told beyond the flags of every one."""
        return ("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow") if version >= 25 else ()


LINES: Mapping[str, Line] = {
    line.name: line
    for line in (
        Line(
            name="5.26",
            folder="neo4j",
            main_class="org.neo4j.server.CommunityEntryPoint",
            java=(17, 21),
            image="neo4j:5.26.30-community",
            jars="1d27949c1e3234f430cd3086e49326061997dc815696bac49bb808065644e473",
        ),
        Line(
            name="2026.01",
            folder="neo4j-2026.01",
            main_class="org.neo4j.server.Neo4jCommunity",
            java=(21, 25),
            image="neo4j:2026.01.4-community",
            jars="809cf716bd07d85092efd6627f968e8f27638bf691f6bcc5817c94efd3face0b",
        ),
    )
}


def line_named(name: str) -> Line:
    """A line by its name."""
    try:
        return LINES[name]
    except KeyError:
        raise UsageError(f"unknown Neo4j version {name!r}", hint=f"choose {' or '.join(LINES)}") from None
