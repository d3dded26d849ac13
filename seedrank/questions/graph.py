"""Questions about the graph itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from seedrank.core.errors import UsageError
from seedrank.questions.question import Kind, Levelled, default_of, field, rng_field

if TYPE_CHECKING:
    from seedrank.runs import Answer
    from seedrank.session import Session

__all__ = ["THRESHOLDS", "StatsQuestion"]

WRONG = "Suspicious"
THRESHOLDS = (
    "farm_hosts", "farm_density", "farm_inside", "source_share", "source_links", "trap_fan_out", "trap_pages",
    "trap_depth", "trap_repeats", "mirror_share", "mirror_paths",
)  # fmt: skip
"""Fields that say from where on something is suspicious."""


@dataclass(frozen=True, kw_only=True)
class StatsQuestion(Levelled):
    """What the store holds, in numbers, which are not kept as a run; or what looks wrong in it, which is."""

    command: ClassVar[str] = "stats"
    gives: ClassVar[Kind] = "table"

    distances: bool = field(
        False, "Also the mean distance between crawled pages, the effective diameter and the share of reachable pairs."
    )
    suspicious: bool = field(
        False,
        "Instead, list what looks wrong, and why: link farms, hosts held up by one other, traps for crawlers, mirrors.",
    )
    farm_hosts: int = field(3, "Farms: fewest hosts of a group.", panel=WRONG, least=2)
    farm_density: float = field(
        0.5,
        "Farms: least share of the pairs of hosts that link both ways.",
        panel=WRONG,
        share=True,
        least=0,
        most=1,
    )
    farm_inside: float = field(
        0.7, "Farms: least share of the links to the hosts that come from the group.", panel=WRONG, share=True,
        least=0, most=1,
    )  # fmt: skip
    source_share: float = field(
        0.95, "One source: least share of the links from other hosts that come from one.", panel=WRONG, share=True,
        above=0, most=1,
    )  # fmt: skip
    source_links: int = field(100, "One source: fewest links from other hosts.", panel=WRONG, least=1)
    trap_fan_out: int = field(
        100,
        "Traps: fewest pages that differ only in their query, or in numbers of their path.",
        panel=WRONG,
        least=2,
    )
    trap_pages: int = field(
        20, "Traps: fewest pages with a session id, a deep path or a part that repeats.", panel=WRONG, least=1
    )
    trap_depth: int = field(15, "Traps: parts that make a path deep.", panel=WRONG, least=1)
    trap_repeats: int = field(3, "Traps: fewest times that a path has the same part.", panel=WRONG, least=2)
    mirror_share: float = field(
        0.5, "Mirrors: least share of the paths of either host that both have.", panel=WRONG, share=True,
        above=0, most=1,
    )  # fmt: skip
    mirror_paths: int = field(10, "Mirrors: fewest distinct paths of a host.", panel=WRONG, least=1)
    rng: int = rng_field()

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in THRESHOLDS:
            if not self.suspicious and getattr(self, name) != default_of(type(self), name):
                raise UsageError(
                    f"{{{name}}} goes with {{suspicious}}", hint="give both, or neither", fields=(name, "suspicious")
                )
        if self.suspicious and self.distances:
            raise UsageError(
                "{distances} and {suspicious} are two questions", hint="ask one", fields=("distances", "suspicious")
            )

    @property
    def title(self) -> str:
        """What its run is called."""
        return "stats suspicious" if self.suspicious else self.words

    def answer(self, session: Session, *, write: str | None = None) -> Answer:
        """Measure the graph, or list what looks wrong; `write` also writes the strong component of each page."""
        from seedrank.experiments.graph_stats import answer as answer_of

        return answer_of(session, self, write=write)
