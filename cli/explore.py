"""``seedrank explore``: named queries over the graph, and the same for Neo4j Browser."""

from __future__ import annotations

import functools
import shlex
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from seedrank.api.cypher_queries import queries, statement_of, values_of, writes
from seedrank.cli.ask import opened
from seedrank.cli.command import add_command, add_group, command, group_class
from seedrank.cli.completion import completer
from seedrank.cli.options import READING, Options, Settings
from seedrank.cli.output import emit, for_people, remark, takes_lists, write_text
from seedrank.cypher import Header, Parameter

__all__ = ["app"]

_HELP = {
    "url": "Address of the page.",
    "source": "Address of the page to start from.",
    "target": "Address of the page to reach.",
    "host": "Name of the host.",
    "core": "Number of the core.",
    "column": "Property that --write wrote.",
    "limit": "Rows at most.",
}
"""What a parameter is; the files of the queries have their names and defaults."""
_EXAMPLES = {
    "url": "https://example.org/new",
    "source": "https://example.org/",
    "target": "https://example.org/new",
    "host": "example.org",
    "column": "component",
}
_DATABASES = {"both": "every", "neo4j": "Neo4j"}
_SECONDS = typer.Option(metavar="SECONDS", min=0.001, help="End the query after this time.", show_default="none")


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
    named = {"host": "HOST", "column": "COLUMN"}
    return "N" if parameter.default is not None else named.get(parameter.name, "URL")


def _run(name: str, header: Header, settings: Settings, values: Mapping[str, Any]) -> None:
    """Print a query, or run it."""
    given = {one.name: values[one.name] for one in header.parameters}
    if values["print_"]:
        from seedrank.exporters.browser import pasted

        write_text(settings, [pasted(statement_of(name), values_of(name, given)).encode()])
        return
    allowed = values.get("allow_writes", False)
    with opened(settings, write=allowed) as bench:
        table = bench.explore(name, write=allowed, timeout=values["timeout"], **given)
    if not takes_lists(settings):
        from seedrank.cli.text_formats import in_words

        table = in_words(table)
    if not table.num_rows:
        remark(settings, "nothing found")
    emit(settings, table, title=header.title)


def _build(name: str, header: Header) -> typer.Typer:
    """An app with the command of a query."""
    example = ["seedrank", "explore", name]
    for parameter in header.parameters:
        if parameter.default is None:
            example += [f"--{parameter.name}", _EXAMPLES[parameter.name]]
    if writes(name):
        example.append("--allow-writes")
    where = "" if header.store == "both" else "\n\nIt runs on Neo4j only."
    app = typer.Typer()
    add_command(
        app,
        name,
        lambda settings, **values: _run(name, header, settings, values),
        *READING,
        options=_options(name, header),
        help=f"{header.title}.\n\n{header.about}{where}\n\nExample: {shlex.join(example)}",
    )
    return app


def _options(name: str, header: Header) -> Options:
    """Type and default of a query's parameters, and of what all queries have beside them."""
    found = {one.name: _option(one) for one in header.parameters}
    paste = typer.Option("--print", help="Print the query and its parameters for Neo4j Browser, and ask no store.")
    found["print_"] = Annotated[bool, paste], False
    if writes(name):
        found["allow_writes"] = (
            Annotated[bool, typer.Option("--allow-writes", help="Let the query change the graph.")],
            False,
        )
    return {**found, "timeout": (Annotated[float | None, _SECONDS], None)}


def _option(parameter: Parameter) -> tuple[Any, Any]:
    required = parameter.default is None
    kind: Any = str if required else int
    info = typer.Option(
        f"--{parameter.name}",
        metavar=_metavar(parameter),
        help=_HELP[parameter.name],
        min=None if required else 1,
        autocompletion=completer(_metavar(parameter)) if parameter.name in ("host", "column") else None,
    )
    return Annotated[kind, info], ... if required else parameter.default


app = typer.Typer()
explore = add_group(
    app,
    "explore",
    "Named queries over the graph, and the same for Neo4j Browser.",
    group_class(
        {name: functools.partial(_build, name, header) for name, header in queries().items()},
        {name: f"{header.title}." for name, header in queries().items()},
    ),
    alone=True,
)


@command(explore, "list", "format", "output", "top", alone=True)
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
