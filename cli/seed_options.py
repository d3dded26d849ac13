"""Options that ask for seeds: each declared once, for every command that takes it.

Names and defaults are those of `SeedQuestion` (and `PaperRules` for ``value_…``), repeated here because `--help` must
not wait for NumPy; a test holds them equal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from cli.options import Settings, asking
from seedrank.core.shares import share_of

if TYPE_CHECKING:
    from seedrank.seeds.ask import SeedQuestion

__all__ = ["OPTIONS", "Question", "asks"]

Question = Callable[..., Any]
"""Makes the `SeedQuestion` with what the options said; takes what they do not say, such as ``method``."""

VALUE, SITES, SEARCH = "What a page is worth", "Sites", "How hard to look"


def _option(help_text: str, *names: str, panel: str | None = None, **more: Any) -> Any:
    return typer.Option(*names, help=help_text, rich_help_panel=panel, **more)


# Name -> (type with the option, default).
OPTIONS: dict[str, tuple[Any, Any]] = {
    "k": (Annotated[int, _option("Seeds at most; in every site with --per-site.", "-k")], 5),
    "hops": (Annotated[int, _option("How many links a seed reaches.")], 5),
    "depth": (Annotated[int, _option("d of maxweight, maxscc and rootscc.")], 2),
    "value": (
        Annotated[
            str,
            _option(
                "1 per crawled page, the paper's rules, or a page column.",
                panel=VALUE,
                metavar="uniform|paper|COLUMN",
            ),
        ],
        "uniform",
    ),
    "value_base": (Annotated[float, _option("paper: a crawled page.", panel=VALUE)], 1.0),
    "value_spam": (Annotated[float, _option("paper: a spam page.", panel=VALUE)], -10.0),
    "value_clicked": (Annotated[float, _option("paper: a clicked page.", panel=VALUE)], 10.0),
    "spam_bonus": (
        Annotated[bool, _option("paper, literally: uncrawled links lift spam too.", "--spam-bonus", panel=VALUE)],
        False,
    ),
    "history": (
        Annotated[
            str | None,
            _option(
                "paper: past crawls as a table host, fetched, unique.", panel=VALUE, metavar="FILE", show_default=False
            ),
        ],
        None,
    ),
    "per_site": (Annotated[bool, _option("K in every site; sites are apart.", "--per-site", panel=SITES)], False),
    "allocate": (
        Annotated[
            str | None,
            _option(
                "K in all, split over the sites.",
                panel=SITES,
                metavar="equal|pages|pagerank|harmonic|COLUMN",
                show_default=False,
            ),
        ],
        None,
    ),
    "min_pages": (Annotated[int, _option("Leave out smaller sites.", panel=SITES)], 1),
    "min_external_inlinks": (
        Annotated[int, _option("Leave out sites with fewer links from elsewhere.", panel=SITES)],
        0,
    ),
    "pagerank_of": (
        Annotated[
            Literal["graph", "site"], _option("pagerank: of the whole graph, or of each site alone.", panel=SITES)
        ],
        "graph",
    ),
    "always_k": (Annotated[bool, _option("Add seeds even where they add nothing.", "--always-k")], False),
    "repeats": (Annotated[int, _option("random: draw so often and report the mean.")], 1),
    "certify": (Annotated[bool, _option("Sum the ball of every candidate for a tight bound.", "--certify")], False),
    "time_limit": (
        Annotated[
            float | None,
            _option("Then each seed is the best found so far.", panel=SEARCH, metavar="SECONDS", show_default=False),
        ],
        None,
    ),
    "tolerance": (
        Annotated[str, _option("Accept a seed within this share of the best, such as 0.5%.", panel=SEARCH)],
        "0.0",
    ),
    "sketch": (
        Annotated[
            bool,
            _option(
                "Leave out pages that cannot win at five standard deviations; --no-sketch is exact without condition.",
                "--sketch/--no-sketch",
                panel=SEARCH,
            ),
        ],
        True,
    ),
}

_RULES = {"value_base": "base", "value_spam": "spam", "value_clicked": "clicked", "spam_bonus": "spam_bonus"}


def asks(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a command the options `names`; the decorated function takes ``question: Question`` in their place."""
    return asking("question", {name: OPTIONS[name] for name in names}, _question)


def _question(settings: Settings, given: dict[str, Any], **more: Any) -> SeedQuestion:
    from seedrank.seeds.ask import SeedQuestion
    from seedrank.seeds.value import PaperRules

    given = dict(given)
    rules = {field: given.pop(name) for name, field in _RULES.items() if name in given}
    if "tolerance" in given:
        given["tolerance"] = share_of(given["tolerance"])
    if given.get("history") is not None:
        from loaders.history import read_history

        given["history"] = read_history(given["history"])
    return SeedQuestion(**given, **more, rng=settings.rng, rules=PaperRules(**rules))
