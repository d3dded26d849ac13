"""What is asked about: pages, hosts or domains."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from seedrank.core.errors import UsageError
from seedrank.questions.question import Question, field

__all__ = ["Levelled"]


@dataclass(frozen=True, kw_only=True)
class Levelled(Question):
    """A question about pages, or about hosts or domains and the links between them."""

    level: Literal["page", "host", "domain"] | None = field(
        None,
        "Ask about pages, hosts or registered domains.",
        choices=("page", "host", "domain"),
        shown="as stored",
    )
    host_weights: Literal["links", "pages"] = field(
        "links",
        "A link between hosts weighs what the links between their pages do, or each page counts once.",
        choices=("links", "pages"),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.host_weights != "links" and self.level in (None, "page"):
            raise UsageError(
                "{host_weights} goes with hosts or domains",
                hint="add {level=host} or {level=domain}",
                fields=("host_weights", "level"),
            )
