"""How much links count: fields that every question with walks, HITS or pushes has, declared once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from seedrank.questions.question import Question, field

__all__ = ["WEIGHING", "LinkWeights", "Linked"]

LinkWeights = Literal["none", "links"]
"""What a link counts: 1, or its stored weight."""

LINKS = "Links"
WEIGHING = ("weights", "cap_links")
"""Fields of `Linked`: methods that go by weights use them."""


@dataclass(frozen=True, kw_only=True)
class Linked(Question):
    """How much each link of a page counts."""

    weights: Literal["none", "links"] = field(
        "none",
        "links: a link counts as much as its stored weight (a missing one 1, one of 0 nothing); none: each counts 1.",
        panel=LINKS,
        choices=("none", "links"),
    )
    cap_links: int | None = field(
        None,
        "A page hands its score on over its N heaviest links; ties by a hash of both ids.",
        panel=LINKS,
        metavar="N",
        least=1,
        shown="all",
    )
