"""``seedrank explore``: named queries over the graph, and the same for Neo4j Browser."""

from __future__ import annotations

import functools
import inspect
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from seedrank.api.named_queries import queries, statement_of, values_of, writes
from seedrank.cli.completions import offered
from seedrank.cli.lazy_group import group_of
from seedrank.cli.open import opened
from seedrank.cli.options import Settings, remember, shared
from seedrank.cli.output import emit, for_people, remark, takes_lists, write_text
from seedrank.cypher import Header, Parameter

__all__ = ["register"]

_SHARED = ("store", "database", "format", "output", "top")
_HELP = {
    "url": "Address of the page.",
    "source": "Address of the page to start from.",
    "target": "Address of the page to reach.",
    "host": "Name of the host.",
    "core": "Number of the core.",
    "limit": "Rows at most.",
}
"""What a parameter is; the files of the queries have their names and defaults."""
_EXAMPLES = {
    "url": "https://example.org/new",
    "source": "https://example.org/",
    "target": "https://example.org/new",
    "host": "example.org",
}
_DATABASES = {"both": "every", "neo4j": "Neo4j"}
_SECONDS = typer.Option(metavar="SECONDS", min=0.001, help="End the query after this time.", show_default="none")


@shared("format", "output", "top")
def list_queries(
    settings: Settings,
    favourites: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the queries as favourites of Neo4j Browser, to FILE.zip."),
    ] = None,
    style: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a style of Neo4j Browser, to FILE.grass: hosts, status and score."),
    ] = None,
) -> None:
    """List the named queries: what each answers, its parameters, and the databases that it runs on.

    Drop the files of --favourites and --style on the window of Neo4j Browser.

    Example: seedrank explore list --favourites favourites.zip --style style.grass
    """
    if favourites is not None or style is not None:
        _write(settings, favourites, style)
        return
    import pyarrow as pa

    rows = [
        {
            "name": name,
            "answers": header.title,
            "parameters": " ".join(map(_usage, header.parameters)),
            "databases": _DATABASES[header.store],
            "about": header.about,
        }
        for name, header in queries().items()
    ]
    table = pa.Table.from_pylist(rows)
    if for_people(settings):
        table = table.drop_columns("about")
        settings = replace(settings, top=settings.top or table.num_rows)  # a terminal is shown all of them too
    emit(settings, table, title="named queries")


def _write(settings: Settings, favourites: Path | None, style: Path | None) -> None:
    from seedrank.exporters.browser import write_favourites, write_style

    if favourites is not None:
        remark(
            settings, f"{write_favourites(favourites)} favourites in {favourites}; drop it on Neo4j Browser's window"
        )
    if style is not None:
        write_style(style)
        remark(settings, f"style in {style}; drop it on Neo4j Browser's window")


def _usage(parameter: Parameter) -> str:
    """A parameter as an option: ``--url URL``, ``[--limit 25]``."""
    if parameter.default is None:
        return f"--{parameter.name} {_metavar(parameter)}"
    return f"[--{parameter.name} {parameter.default}]"


def _metavar(parameter: Parameter) -> str:
    return "HOST" if parameter.name == "host" else "N" if parameter.default is not None else "URL"


def _register(name: str, header: Header, root: typer.Typer) -> None:
    """Add the command of a query."""

    def run(settings: Settings, **values: Any) -> None:
        paste, allowed, timeout = values.pop("print_"), values.pop("allow_writes", False), values.pop("timeout")
        if paste:
            from seedrank.exporters.browser import pasted

            write_text(settings, [pasted(statement_of(name), values_of(name, values)).encode()])
            return
        from seedrank.api.cypher_queries import explore

        with opened(settings, write=allowed) as bench:
            table = explore(bench.store, name, values, write=allowed, timeout=timeout)
        if not takes_lists(settings):
            from seedrank.cli.pictures import in_words

            table = in_words(table)
        if not table.num_rows:
            remark(settings, "nothing found")
        emit(settings, table, title=header.title)

    example = ["seedrank", "explore", name]
    for parameter in header.parameters:
        if parameter.default is None:
            example += [f"--{parameter.name}", _EXAMPLES[parameter.name]]
    if writes(name):
        example.append("--allow-writes")
    own = [_option(parameter) for parameter in header.parameters]
    run.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [inspect.Parameter("settings", _KEYWORD), *own, *_more(name)]
    )
    where = "" if header.store == "both" else "\n\nIt runs on Neo4j only."
    text = f"{header.title}.\n\n{header.about}{where}\n\nExample: {shlex.join(example)}"
    root.command(name, help=text)(shared(*_SHARED)(run))


_KEYWORD = inspect.Parameter.KEYWORD_ONLY


def _option(parameter: Parameter) -> inspect.Parameter:
    info = typer.Option(
        f"--{parameter.name}",
        metavar=_metavar(parameter),
        help=_HELP[parameter.name],
        min=None if parameter.default is None else 1,
        autocompletion=offered(_metavar(parameter)),
    )
    kind, default = (str, inspect.Parameter.empty) if parameter.default is None else (int, parameter.default)
    return inspect.Parameter(parameter.name, _KEYWORD, default=default, annotation=Annotated[kind, info])


def _more(name: str) -> list[inspect.Parameter]:
    """Options that queries have beside their parameters."""
    paste = typer.Option("--print", help="Print the query and its parameters for Neo4j Browser, and ask no store.")
    allow = typer.Option("--allow-writes", help="Let the query change the graph.")
    flags: dict[str, Any] = {"print_": Annotated[bool, paste]}
    if writes(name):
        flags["allow_writes"] = Annotated[bool, allow]
    found = [inspect.Parameter(flag, _KEYWORD, default=False, annotation=kind) for flag, kind in flags.items()]
    return [
        *found,
        inspect.Parameter("timeout", _KEYWORD, default=None, annotation=Annotated[float | None, _SECONDS]),
    ]


def _alone(context: typer.Context, **given: Any) -> None:
    if context.invoked_subcommand is None:
        list_queries(context, **given)
    else:
        remember(context, {name: value for name, value in given.items() if name not in ("favourites", "style")})


_alone.__signature__ = list_queries.__signature__  # type: ignore[attr-defined]
_alone.__annotations__ = {}
_alone.__doc__ = list_queries.__doc__


def register(root: typer.Typer) -> None:
    """Add the command."""
    known = queries()
    later = {name: functools.partial(_register, name, header) for name, header in known.items()}
    titles = {name: f"{header.title}." for name, header in known.items()}
    app = typer.Typer(cls=group_of(later, titles), rich_markup_mode="rich")
    app.command("list")(list_queries)
    app.callback(invoke_without_command=True)(_alone)
    root.add_typer(app, name="explore", help="Named queries over the graph, and the same for Neo4j Browser.")
