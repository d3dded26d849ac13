"""An experiment for people: what it decides, its results with their intervals, then a line per claim."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from seedrank.cli.options import Settings
from seedrank.cli.output import draw_sheet, emit_answer, emit_drawn, for_people, printable

if TYPE_CHECKING:
    from seedrank.core.tables import Sheet
    from seedrank.runs import Answer

__all__ = ["emit_experiment"]

_ROWS = 40
"""Rows of the results that a terminal shows unasked."""
_NARROW = 110
"""Width of a terminal below which verdicts are folded."""
_OPEN = ("cannot be judged", "no data")


def emit_experiment(settings: Settings, answer: Answer) -> None:
    """Give an experiment: to people its main table and its claims, to programs the claims, a row each."""
    if not for_people(settings):
        emit_answer(settings, answer)
        return
    emit_drawn(settings, lambda console: _draw(console, settings, answer))


def _draw(console: Any, settings: Settings, answer: Answer) -> None:
    from rich.text import Text

    quick = "; quick: fewer repeats" if answer.experiment.parameters.get("quick") else ""
    name, table = next(iter(answer.experiment.tables.items()))
    on_screen = settings.output is None and sys.stdout.isatty()
    most = settings.top if settings.top is not None else _ROWS if on_screen else table.num_rows
    console.print(Text(printable(f"{answer.run.method} ({answer.run.name}{quick})"), style="bold"))
    for sentence in answer.experiment.decisions:
        console.print(Text(printable(f"- {sentence}")))
    if answer.experiment.decisions:
        console.print()
    draw_sheet(console, _results(f"Results: {name}", table.column_names, table.slice(0, most).to_pylist()))
    if most < table.num_rows:
        shown = f"{most:,} of {table.num_rows:,} rows; --top N shows more, --into DIR takes all"
        console.print(Text(shown, style="dim"))
    claims = answer.table.slice(0, settings.top).to_pylist()
    if claims:
        console.print()
        console.print(_claims(claims, console.width < _NARROW))
        for line in _notes(claims):
            console.print(Text(printable(line), style="dim"))


def _results(title: str, names: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> Sheet:
    """A table in which an estimate and the ends of its interval share a column."""
    from seedrank.core.tables import Sheet

    ends = {name: _ends(name, names) for name in names}
    hidden = {end for some in ends.values() for end in some}
    columns = [name for name in names if name not in hidden]
    return Sheet(
        columns, [[_value(*(row[each] for each in (name, *ends[name]))) for name in columns] for row in rows], title
    )


def _ends(name: str, names: Sequence[str]) -> tuple[str, ...]:
    """The columns with the ends of the interval around `name`: ``x_low``, ``x_high``, or ``low``, ``high`` after it."""
    place = names.index(name)
    for low, high in ((f"{name}_low", f"{name}_high"), ("low", "high")):
        if tuple(names[place + 1 : place + 3]) == (low, high):
            return low, high
    return ()


def _claims(claims: Sequence[Mapping[str, Any]], narrow: bool) -> Any:
    """Verdict, claim, estimate with interval, units and margin; the parts of a claim are indented below it."""
    from rich.text import Text

    from seedrank.core.tables import text_of

    drawn = _table("Claims")
    drawn.add_column("verdict", max_width=10 if narrow else None)
    drawn.add_column("claim", ratio=1, overflow="fold")
    drawn.add_column("estimate [95 %]", justify="right", no_wrap=True)
    drawn.add_column("n", justify="right", no_wrap=True)
    drawn.add_column("holds if", no_wrap=True)
    for claim in claims:
        name = f"  {claim['part']}" if claim["part"] else claim["claim"]
        cells = claim["verdict"], name, text_of(_value(claim["estimate"], claim["low"], claim["high"], 3), 3)
        units = f"{claim['n']:,}" if claim["n"] else ""
        drawn.add_row(*(Text(printable(cell)) for cell in (*cells, units, claim["region"])))
    return drawn


def _notes(claims: Sequence[Mapping[str, Any]]) -> list[str]:
    """What n counts, and why claims could not be judged, each reason once."""
    units = dict.fromkeys(claim["unit"] for claim in claims if claim["n"] and claim["unit"])
    notes = [f"n counts {' or '.join(units)}"] if units else []
    reasons: dict[tuple[str, str], list[str]] = {}
    for claim in claims:
        if claim["verdict"] in _OPEN and not claim["part"]:
            reasons.setdefault((claim["verdict"], claim["why"]), []).append(claim["claim"])
    return [*notes, *(f"{verdict}: {'; '.join(those)}: {why}" for (verdict, why), those in reasons.items())]


def _table(title: str) -> Any:
    from rich.table import Table

    return Table(title=title, title_justify="left", header_style="bold", box=None, pad_edge=False)


def _value(value: Any, low: float | None = None, high: float | None = None, digits: int = 4) -> Any:
    """A value, with its interval where there is one."""
    from seedrank.core.tables import Bounded

    if value is None or low is None or high is None or low != low or high != high:
        return value
    return Bounded(value, low, high, digits)
