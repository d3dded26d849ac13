"""Options that ``frontier``, ``explain`` and ``experiment impact`` share, and the question they make."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.options import Settings, asking

if TYPE_CHECKING:
    from seedrank.frontier.ask import FrontierQuestion

__all__ = ["Ask", "asks_of_frontier"]

Ask = Callable[..., Any]
"""``ask(method, budget)`` makes a `FrontierQuestion` of the options."""

IMPACT, WALK, SEARCH = "Impact", "Walks", "Searches"


def _option(panel: str, help_text: str, *names: str, **more: Any) -> Any:
    return typer.Option(*names, help=help_text, rich_help_panel=panel, **more)


# Name -> (type with the option, default).
_OPTIONS: dict[str, tuple[Any, Any]] = {
    "impact": (
        Annotated[str, _option(IMPACT, "Page column that is the impact.", "--impact", metavar="clicks|views|COLUMN")],
        "clicks",
    ),
    "events": (
        Annotated[
            list[str] | None,
            _option(
                IMPACT,
                "Sum impact from events (time, url or id, clicks, views) instead.",
                "--events",
                metavar="FILE",
                show_default=False,
            ),
        ],
        None,
    ),
    "since": (
        Annotated[datetime | None, _option(IMPACT, "Events from this time on.", "--from", show_default="the first")],
        None,
    ),
    "until": (
        Annotated[datetime | None, _option(IMPACT, "Events before this time.", "--to", show_default="the last")],
        None,
    ),
    "transform": (
        Annotated[
            str,
            _option(
                IMPACT,
                "What impact counts as; linear is the paper's, the others spread heavy tails.",
                "--impact-transform",
                metavar="linear|log1p|rank",
            ),
        ],
        "linear",
    ),
    "epsilon": (Annotated[float, _option(IMPACT, "Added to every impact.", "--epsilon")], 0.001),
    "beta": (
        Annotated[
            float,
            _option(IMPACT, "Power of the out-degree in the impact factor; paper: 0 web crawl, 1 Wikipedia.", "--beta"),
        ],
        0.0,
    ),
    "damping": (Annotated[float, _option(WALK, "α of the walks.", "--damping")], 0.85),
    "omega": (Annotated[float, _option(WALK, "rw-eg: share of the links; co-citation has the rest.", "--omega")], 0.8),
    "virtual": (
        Annotated[
            str,
            _option(
                WALK,
                "rw-eg: virtual links from crawled to frontier pages, or (the text leaves it open) among crawled too.",
                "--virtual",
                metavar="df|dd",
            ),
        ],
        "df",
    ),
    "fan_out_cap": (
        Annotated[
            int | None,
            _option(
                WALK,
                "rw-eg: pages with more links make no virtual links; not in the paper.",
                "--fan-out-cap",
                show_default="no cap",
            ),
        ],
        None,
    ),
    "mix": (Annotated[float, _option(SEARCH, "q-hybrid: weight of q-overlap against PageRank.", "--lambda")], 0.5),
    "match": (
        Annotated[
            str,
            _option(
                SEARCH,
                "A page matches a search by all of its words, or by the share it has.",
                "--match",
                metavar="all|share",
            ),
        ],
        "all",
    ),
}


def asks_of_frontier(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options above; it takes ``settings`` and ``ask``."""
    return asking("ask", _OPTIONS, _question)(command)


def _question(
    settings: Settings, given: dict[str, Any], method: str = "rw-eg", budget: str | None = None
) -> FrontierQuestion:
    from seedrank.core.errors import UsageError
    from seedrank.frontier.ask import FrontierQuestion
    from seedrank.frontier.enrich import VIRTUAL
    from seedrank.frontier.impact import TRANSFORMS
    from seedrank.frontier.queries import MATCHES
    from seedrank.frontier.scores import Options

    for option, name, known in (
        ("--impact-transform", "transform", TRANSFORMS),
        ("--virtual", "virtual", VIRTUAL),
        ("--match", "match", MATCHES),
    ):
        if given[name] not in known:
            raise UsageError(f"{option} {given[name]!r} is not known", hint=f"one of {', '.join(known)}")
    if given["fan_out_cap"] is not None and given["fan_out_cap"] < 1:
        raise UsageError(f"--fan-out-cap must be at least 1, not {given['fan_out_cap']}")
    times = {name: None if given[name] is None else given[name].isoformat() for name in ("since", "until")}
    names = ("damping", "omega", "beta", "epsilon", "transform", "virtual", "fan_out_cap", "mix", "match")
    options = Options(**{name: given[name] for name in names}, rng=settings.rng)
    return FrontierQuestion(method, given["impact"], budget, options, tuple(given["events"] or ()), **times)
