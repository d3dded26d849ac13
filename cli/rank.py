"""``seedrank rank``: how central pages and hosts are."""

from __future__ import annotations

from typing import Annotated

import typer

from seedrank.cli.ask import answer_to, opened
from seedrank.cli.command import add_group, command, methods_class
from seedrank.cli.completion import completer
from seedrank.cli.options import READING, Settings, column_for
from seedrank.cli.output import check_output, emit, emit_answer, remark
from seedrank.methods.rank.methods import RANK
from seedrank.questions.rank import RankQuestion

__all__ = ["app"]

_SHARED = ("store", "database", "engine", "master", "format", "output", "top", "refresh")


def _rank(
    settings: Settings,
    question: RankQuestion,
    write: Annotated[str | None, column_for("the scores")] = None,
) -> None:
    answer = answer_to(settings, question, write=write)
    error = answer.facts.get("relative_standard_error")
    if error:
        remark(settings, f"estimated by HyperBall counters, relative standard error {100 * error:.1f} %")
    emit_answer(settings, answer)


app = typer.Typer()
rank = add_group(app, "rank", "Rank pages or hosts by how central they are.", methods_class(RANK, _rank, *_SHARED))


@command(rank, "compare", *READING)
def compare(
    settings: Settings,
    old: Annotated[
        str,
        typer.Argument(
            metavar="OLD",
            help="run:ID, ranks of Common Crawl, or a list, best first.",
        ),
    ],
    new: Annotated[str, typer.Argument(metavar="NEW", help="A later ranking, in any of these forms.")],
    by: Annotated[
        str,
        typer.Option(
            "--by",
            metavar="harmonic|pagerank",
            help="Whose positions count in files, and in runs of centrality.",
            autocompletion=completer("harmonic", "pagerank"),
        ),
    ] = "harmonic",
) -> None:
    """Compare two ranks of hosts, domains or pages: who entered, left and moved, and how alike their tops are.

    Rows are those that moved most first, then who left, then who entered; move is the places won in NEW.

    Example: seedrank rank compare cc-main-2024-ranks.txt.gz run:latest
    """
    from seedrank.methods.rank.rank_comparison import compare_ranks

    if any(name.startswith("run:") for name in (old, new)):
        with opened(settings) as bench:
            found = bench.compare_ranks(old, new, by=by)
    else:
        check_output(settings)
        found = compare_ranks(old, new, by=by)
    remark(settings, ", ".join(f"{name} {_text(value)}" for name, value in found.facts.items() if value is not None))
    emit(settings, found.moves, title=f"{old} and {new}")


def _text(value: float) -> str:
    return f"{value:.4f}" if isinstance(value, float) else f"{value:,}"
