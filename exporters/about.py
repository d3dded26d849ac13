"""The statement that goes with every file: which run it is of, and what its score means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from seedrank.core.numbers import counted
from seedrank.core.package import VERSION
from seedrank.exporters.rows import Rows
from seedrank.exporters.targets import Score, Target

__all__ = ["About"]


@dataclass(frozen=True)
class About:
    """What was handed over."""

    target: Target
    """In which format."""
    rows: tuple[Rows, ...]
    """Of each run that it takes; the first has the order."""

    @property
    def score(self) -> Score:
        """What the score means in this file."""
        if self.rows[0].scheduled and self.target.planned is not None:
            return self.target.planned
        return self.target.by_place if self.target.by_place and not self.rows[0].falling else self.target.score

    def sentences(self) -> list[str]:
        """For a header, a line each."""
        runs = " and ".join(f"{one.run.method} ({one.run.name})" for one in self.rows)
        many = counted(len(self.rows[0]), self.rows[0].level)
        what = f"{self.target.name} by seedrank {VERSION}: {many} of {runs}, best first"
        # A record that was edited by hand may hold anything.
        return ["".join(c if c.isprintable() else " " for c in text) for text in (what, str(self.score))]

    def record(self) -> dict[str, Any]:
        """For programs."""
        first = self.rows[0]
        return {
            "target": self.target.name,
            "seedrank": VERSION,
            "runs": [one.run.name for one in self.rows],
            "methods": [one.run.method for one in self.rows],
            "pages": len(first),
            "order": "best first",
            "score": self.score.name,
            "scale": self.score.scale,
            "direction": self.score.direction,
            "left_out": dict(first.left_out),
        }
