"""``seedrank seeds cores``: one seed from each dense hub-authority core."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from cli.open import opened
from cli.options import Settings, shared
from cli.output import emit, remark, takes_lists
from seedrank.core.errors import UsageError

if TYPE_CHECKING:
    from seedrank.seeds.cores import CoreQuestion, Violator

__all__ = ["cores"]

DENSE, SIZED = "Cores by density", "Cores by size"
MEMBERS = ("hubs", "authorities", "hosts")


class Grow(StrEnum):
    """How a core grows."""

    density = "density"
    size = "size"


class Pick(StrEnum):
    """Which hub is the seed."""

    best_hub = "best-hub"
    random = "random"


@shared("store", "database", "engine", "site", "rng", "format", "output", "top", "refresh")
def cores(
    settings: Settings,
    k: Annotated[int, typer.Option("-k", help="Seeds at most, one from each core.")] = 10,
    keep_same_site: Annotated[
        bool, typer.Option("--keep-same-site", help="Leave links within a site in. (Not in the papers.)")
    ] = False,
    core: Annotated[
        Grow, typer.Option("--core", help="Grow a core as long as it is dense, or to a size.")
    ] = Grow.density,
    density: Annotated[
        float | None,
        typer.Option(
            rich_help_panel=DENSE,
            help="Per cent of the links from hubs to authorities that must be there, 1 to 100. \\[default: 100]",
            show_default=False,
        ),
    ] = None,
    cap: Annotated[
        int | None,
        typer.Option(rich_help_panel=DENSE, help="Most hubs of a core; the papers took 999 once.", show_default="none"),
    ] = None,
    stop_first: Annotated[
        bool,
        typer.Option(
            "--stop-first",
            rich_help_panel=DENSE,
            help="The first page that makes a core too thin stops both sides, not its own alone. (A reading.)",
        ),
    ] = False,
    skip_violators: Annotated[
        bool,
        typer.Option(
            "--skip-violators",
            rich_help_panel=DENSE,
            help="Leave such a page out for good and try the next. (Not in the papers.)",
        ),
    ] = False,
    literal: Annotated[
        bool,
        typer.Option(
            "--literal",
            rich_help_panel=DENSE,
            help="As printed: test after each pair and keep the pair that makes the core too thin. (A reading.)",
        ),
    ] = False,
    size: Annotated[
        int | None,
        typer.Option(rich_help_panel=SIZED, help="Hubs and authorities in all. \\[default: 20]", show_default=False),
    ] = None,
    step: Annotated[
        int | None,
        typer.Option(rich_help_panel=SIZED, help="Of each side in a round. \\[default: 1]", show_default=False),
    ] = None,
    pick: Annotated[
        Pick, typer.Option(help="The seed: the best hub, or any of them (the papers say arbitrary).")
    ] = Pick.best_hub,
    iterations: Annotated[int, typer.Option(help="Iterations of HITS.")] = 60,
    save: Annotated[
        bool, typer.Option("--save", help="Also write seeds and cores into the database, to look at.")
    ] = False,
) -> None:
    """Find seeds in different communities, without keywords (Daneshpajouh et al. 2008).

    Links within a site go. HITS ranks the rest; a core grows around the best authority: hubs that all link to the same
    authorities. One hub is the seed, the core is taken out, and all begins again.

    Example: seedrank seeds cores -k 10
    """
    given: dict[Violator, bool] = {"stop-first": stop_first, "skip-violators": skip_violators, "literal": literal}
    rules = [rule for rule, wanted in given.items() if wanted]
    question = _question(core, density, cap, rules, size, step, k, keep_same_site, pick, iterations, settings.rng)
    with opened(settings, write=save) as bench:
        run, table = bench.core_seeds(question, save=save)
    facts = run.facts
    remark(
        settings,
        f"{facts['cores']:,} cores of {facts['pages in cores']:,} pages; "
        f"{facts['links ranked']:,} of {facts['links']:,} links were ranked",
    )
    if not takes_lists(settings):
        table = table.drop_columns(list(MEMBERS))
    emit(settings, table, title=f"{run.method} (run:{run.id})")


def _question(
    core: Grow,
    density: float | None,
    cap: int | None,
    rules: list[Violator],
    size: int | None,
    step: int | None,
    k: int,
    keep_same_site: bool,
    pick: Pick,
    iterations: int,
    rng: int,
) -> CoreQuestion:
    from seedrank.seeds.cores import CoreQuestion, CoreRule

    if len(rules) > 1:
        raise UsageError(f"--{rules[0]} and --{rules[1]} exclude each other", hint="give one of them")
    if core is Grow.size and (density is not None or cap is not None or rules):
        raise UsageError("--density, --cap and what follows a thin core go with --core density", hint="leave them out")
    if core is Grow.density and (size is not None or step is not None):
        raise UsageError("--size and --step go with --core size", hint="add --core size, or leave them out")
    rule = CoreRule(
        core.value,
        density=100.0 if density is None else density,
        cap=cap,
        violator=rules[0] if rules else "close",
        size=20 if size is None else size,
        step=1 if step is None else step,
    )
    return CoreQuestion(k, keep_same_site, iterations, pick.value, rule, rng)
