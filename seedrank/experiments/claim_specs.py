"""The claims of the papers as data (``claims/*.toml``): what each says, what is measured, and when it holds.

``claims/margins.toml`` has the margins and why, ``rule.toml`` what holds for every claim (headroom, budgets,
timed runs, frontiers), and a file per paper its claims. Forms, with the `margin`
``least``, ``much`` or a number, around `than` (0 where it is not given):

- ``greater``: above ``than + margin``
- ``not less``: above ``than − margin``
- ``at most``: below ``than + margin``
- ``alike``: within ± margin of ``than``
- ``within``: from `low` to `high`
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

__all__ = [
    "MARGINS", "RULE", "ClaimSpec", "Decision", "Margin", "Region", "alike", "better_than", "claim_specs", "greater",
    "within",
]  # fmt: skip

_FOLDER = files(__package__).joinpath("claims")


@dataclass(frozen=True)
class Margin:
    """What "better", "similar" and "much" mean for a quantity."""

    quantity: str
    unit: str
    """What is measured, and what stands behind a number of it."""
    least: float
    much: float
    """The smallest difference that matters: "better" is more than this, "similar" is within it, either way; and what
    "much" and "significantly" mean."""
    reason: str
    """Why these."""
    lowest: float = -math.inf
    highest: float = math.inf
    """Between which values every true value lies: what an interval cannot reach beyond."""
    ratio: bool = False
    """Whether it is a ratio, `lowest` being that of nothing: graphs are pooled by its logarithm."""
    pool: str = ""
    """``sites`` where a graph weighs by its sites in the pooled line; otherwise every graph counts alike."""


@dataclass(frozen=True)
class Region:
    """Where an estimate must lie for a claim to hold, ends included."""

    least: float = -math.inf
    most: float = math.inf

    def __str__(self) -> str:
        if self.most == math.inf:
            return f"above {self.least:+.6g}"
        if self.least == -math.inf:
            return f"up to {self.most:.6g}"
        return f"within ± {self.most:.6g}" if self.least == -self.most else f"{self.least:.6g} to {self.most:.6g}"


def greater(margin: float) -> Region:
    """The whole interval above `margin`."""
    return Region(least=margin)


def alike(margin: float) -> Region:
    """The whole interval within ± `margin`."""
    return Region(-margin, margin)


def within(low: float, high: float) -> Region:
    """The whole interval from `low` to `high`."""
    return Region(low, high)


@dataclass(frozen=True)
class Decision:
    """What a crawl operator does by the verdict of a claim."""

    lead: str
    """What is decided, in a few words."""
    then: str
    otherwise: str
    open: str
    """What to do where the claim holds, does not hold, or cannot be judged yet."""
    effect: str
    """What was measured, in words: ``{effect}`` is a difference (41 more), ``{share}`` a share of what could be
    gained."""
    check: str
    """A command that measures it on the reader's own graph."""
    little: str = ""
    """What to do where it cannot be judged, but is less than what counts as much either way; empty: as where open."""
    part: str = ""
    """Of a claim with several parts, the one whose pooled line decides; empty for the claim as a whole."""


@dataclass(frozen=True)
class ClaimSpec:
    """A claim of a paper before anything is measured."""

    paper: str
    """Its identifier (`seedrank.core.references.called` gives its name)."""
    key: str
    """Short name, the same on every graph: what is pooled."""
    claim: str
    """The claim in one line, as we measure it."""
    quote: str
    place: str
    """The paper's sentence, empty where the paper does not say it; and where: section, figure or table."""
    quantity: str
    """Of `MARGINS`."""
    region: Region
    """Where the estimate must lie."""
    arithmetic: bool = False
    """Whether it holds by arithmetic, on every graph."""
    measure: str = ""
    """``pages`` or ``value``, of a claim about one of them."""
    pairs: tuple[tuple[str, str], ...] = ()
    """Methods that are compared, the better one first; all pairs must hold."""
    depths: tuple[int, int] = (0, 0)
    """First and last depth of a crawl that the claim is about."""
    note: str = ""
    """What a reader must know of every result of it."""
    exceeding: bool = False
    """Whether more than the region is told and not failed ("up to")."""
    decision: Decision | None = None
    """What an operator does by it; `None` where it decides nothing."""

    def of(self, **names: str) -> ClaimSpec:
        """The same claim with the words in braces filled in."""
        return replace(self, key=self.key.format(**names), claim=self.claim.format(**names))

    def on(self, frontier: str) -> ClaimSpec:
        """The same claim on one of the two frontiers (`RULE`), which are judged and pooled apart."""
        name = RULE["frontier"][frontier]["name"]
        return replace(self, key=f"{self.key}, {frontier}", claim=f"{self.claim}: {name}")


def better_than(baseline: str, name: str, claim: str, quantity: str) -> ClaimSpec:
    """A comparison that a user asks for and no paper makes: `name` is better than `baseline`."""
    region = greater(MARGINS[quantity].least)
    return ClaimSpec(
        paper="", key=f"{name} over {baseline}", claim=claim, quote="", place="", quantity=quantity, region=region
    )


@cache
def claim_specs(experiment: str) -> Mapping[str, ClaimSpec]:
    """The claims that an experiment judges, by key, in the order of the file."""
    read = _read(experiment)
    found: dict[str, ClaimSpec] = {}
    for record in read["claim"]:
        for measure in record.get("measures", [""]):
            spec = _spec(read["paper"], record, measure)
            found[spec.key] = spec
    return found


def _spec(paper: str, record: Mapping[str, Any], measure: str) -> ClaimSpec:
    def filled(name: str) -> str:
        text = str(record.get(name, ""))
        return text.replace("{measure}", measure) if measure else text

    first, last = record.get("depths", (0, 0))
    return ClaimSpec(
        paper=paper,
        key=filled("key"),
        claim=filled("claim"),
        quote=filled("quote"),
        place=filled("place"),
        quantity=record["quantity"],
        region=_region(record),
        arithmetic=record.get("arithmetic", False),
        measure=measure,
        pairs=tuple(
            (one, other) for one in record.get("methods", ()) for other in record.get("against", ()) if one != other
        ),
        depths=(first, last),
        note=record.get(f"{measure}_note", record.get("note", "")),
        exceeding=record.get("exceeding", False),
        decision=_decision(record) if measure in ("", "pages") else None,
    )


def _decision(record: Mapping[str, Any]) -> Decision | None:
    if "decides" not in record:
        return None
    names = ("decides", "then", "else", "open", "effect", "check")
    lead, then, otherwise, opened, effect, check = (str(record[name]) for name in names)
    little, part = record.get("little", ""), record.get("decided_by", "")
    return Decision(lead, then, otherwise, opened, effect, check, little=little, part=part)


def _region(record: Mapping[str, Any]) -> Region:
    margins = MARGINS[record["quantity"]]

    def number(value: str | float) -> float:
        return float(getattr(margins, value) if isinstance(value, str) else value)

    than = float(record.get("than", 0.0))
    if record["form"] == "within":
        return Region(number(record["low"]), number(record["high"]))
    margin = number(record["margin"])
    forms: dict[str, Callable[[], Region]] = {
        "greater": lambda: Region(least=than + margin),
        "not less": lambda: Region(least=than - margin),
        "at most": lambda: Region(most=than + margin),
        "alike": lambda: Region(than - margin, than + margin),
    }
    return forms[record["form"]]()


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads(_FOLDER.joinpath(f"{name}.toml").read_text(encoding="utf-8"))


RULE: Mapping[str, Any] = _read("rule")
"""What holds for every claim: headroom, budgets, timed runs, frontiers."""
MARGINS: Mapping[str, Margin] = {name: Margin(**record) for name, record in _read("margins").items()}
"""By the short name of the quantity."""
