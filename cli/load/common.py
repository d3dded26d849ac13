"""What every ``seedrank load FORMAT`` shares: options of the load, the load itself, and what it says."""

from __future__ import annotations

import inspect
import os
import shlex
import time
from collections.abc import Callable
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from seedrank.cli.ask import opened, reporter
from seedrank.cli.command import add_command, add_group, option_of, own_parameters
from seedrank.cli.options import FILE, Options, Settings, option, shared_default
from seedrank.cli.output import check_output, draw_sheet, draw_table, emit_object, printable, remark
from seedrank.core.errors import UsageError, shorten
from seedrank.core.spark_folder import SCHEME

if TYPE_CHECKING:
    from seedrank.ingest.dry_run import Preview
    from seedrank.loaders.base import LoadOptions, Source, Summary

__all__ = ["COLUMNS", "FILES", "URLS", "Files", "OneFile", "app", "loads"]

FILES = "Files"
COLUMNS = "Columns"
URLS = "URLs"
TIME = "Time"

Files = Annotated[list[str], typer.Argument(metavar="FILE...", help="Plain, .gz or .zst; - is standard input."), FILE]
OneFile = Annotated[str, typer.Argument(metavar="FILE", help="Plain, .gz or .zst; - is standard input."), FILE]

app = typer.Typer()
load = add_group(app, "load", "Load pages, links, hosts, queries and clicks from files.")


class Assumed(StrEnum):
    """What pages without status and links are taken for."""

    crawled = "crawled"


class Urls(StrEnum):
    """What happens to URLs on the way in."""

    normalise = "normalise"
    verbatim = "verbatim"


def _several(help: str, metavar: str) -> tuple[Any, Any]:
    return option(list[str] | None, None, help, panel=COLUMNS, metavar=metavar)


_GROUPS: dict[str, Options] = {
    "urls": {
        "url_prefix": option(str, "", "Put before every URL or name that is read.", panel=URLS),
        "urls": option(Urls, Urls.normalise, "Normalise by the WHATWG rules, or take them as they are.", panel=URLS),
        "merge_variants": option(
            bool, False, "Fold http/https and www. into one page.", "--merge-variants", panel=URLS
        ),
    },
    "tables": {
        "map": _several(
            "A column that the files call otherwise: views=popularity; of links alone: links.weight=n.", "OURS=THEIRS"
        ),
        "status_map": _several("Statuses with other names: page=crawled,external=frontier.", "THEIRS=OURS,..."),
        "missing": _several("A value that means none, such as n/a.", "VALUE"),
        "text": _several("Keep a column of your own as text, even if its values are numbers.", "COLUMN"),
    },
    "assume": {
        "assume": option(
            Assumed | None,
            None,
            "Take pages for crawled even if they have no links: those listed, or all where there are only links.",
        ),
    },
    "strict": {
        "strict": option(bool, False, "Stop at the first URL or record that cannot be read.", "--strict"),
    },
    "rows": {
        "tolerant": option(
            str | None,
            None,
            "Let so many rows, or this share, be bad: they are left out and counted by reason.",
            metavar="N|P%",
            show_default="none",
        ),
        "rejects": option(
            Path | None, None, "Write the rows left out to a file, CSV or as its suffix says.", metavar="FILE"
        ),
    },
    "time": {
        "since": option(
            datetime | None, None, "Take from this time on.", "--from", panel=TIME, show_default="the first"
        ),
        "until": option(datetime | None, None, "Take before this time.", "--to", panel=TIME, show_default="the last"),
    },
    "load": {
        "graph": option(
            Path | None,
            None,
            "Write a new folder of arrays for --store instead: no database, memory that does not grow with links.",
            metavar="DIR",
        ),
        "spool": option(
            Path | None,
            None,
            "Folder for temporary files, about the size of the input.",
            show_default="the system's",
        ),
        "batch_size": option(int | None, None, "Rows per transaction (Neo4j).", min=1, show_default="20000"),
        "bulk": option(bool, False, "Fill an empty Neo4j made by `seedrank db up` with its own importer.", "--bulk"),
        "dry_run": option(bool, False, "Show what the first 10,000 rows would become; write nothing.", "--dry-run"),
    },
}
"""Options by group: name -> (type with the option, default)."""

_SHAPING = (
    "url_prefix",
    "urls",
    "merge_variants",
    "strict",
    "since",
    "until",
    "assume",
    *_GROUPS["rows"],
    *_GROUPS["tables"],
)
"""Options that are fields of `seedrank.loaders.base.LoadOptions`."""


def loads(name: str, *groups: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make a command of a function that gives a source: it is loaded into the store and its summary printed.

    Parameters
    ----------
    groups
        Options beside the function's own: ``urls``, ``strict``, ``time``, ``tables``, ``assume``. The function takes
        those it names itself (``strict``, ``url_prefix``), or ``options``: all that shape the load, as
        `seedrank.loaders.base.LoadOptions`.
    """
    offered = {name: option for group in (*groups, "rows", "load") for name, option in _GROUPS[group].items()}

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        # What it gives, and `options`, are imported when it runs, so that help comes quickly.
        own = own_parameters(function, {"Source": Any, "LoadOptions": Any})
        named = {one.name for one in own}
        kept = [one for one in own if one.name not in (*offered, "options")]
        options = {one.name: (one.annotation, one.default) for one in kept} | offered

        def run(settings: Settings, **values: Any) -> None:
            said = {name: values[name] for name in offered}
            shape = _shape(said)
            _refuse_database_options(settings, said)
            if settings.store.startswith(SCHEME) and said["graph"] is None:
                _refuse_in_spark(values, {name: default for name, (_, default) in options.items()})
            source = function(**{name: value for name, value in {**values, "options": shape}.items() if name in named})
            if said["dry_run"]:
                _try_load(settings, source, shape, said["spool"])
            elif said["graph"] is not None:
                _load_graph(settings, source, shape, said["spool"], said["graph"])
            else:
                _load(settings, source, shape, said["spool"], said["batch_size"], said["bulk"])

        shared = ("store", "database", "format", "output")
        add_command(load, name, run, *shared, options=options, help=inspect.getdoc(function))
        return function

    return decorate


def _shape(said: dict[str, Any]) -> LoadOptions:
    from seedrank.loaders.base import LoadOptions

    given = {name: said[name] for name in _SHAPING if name in said}
    return LoadOptions(**{name: _READ[name](value) if name in _READ else value for name, value in given.items()})


def _map(given: list[str] | None) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for ours, theirs in _pairs("--map", given or [], "views=popularity"):
        found.setdefault(ours, []).append(theirs)
    return found


def _status_map(given: list[str] | None) -> dict[str, str]:
    parts = [part for one in given or [] for part in one.split(",")]
    return dict(_pairs("--status-map", parts, "page=crawled,external=frontier"))


def _pairs(option: str, given: list[str], such_as: str) -> list[tuple[str, str]]:
    pairs = [tuple(word.strip() for word in one.partition("=")[::2]) for one in given]
    for one, (left, right) in zip(given, pairs, strict=True):
        if not left or not right:
            raise UsageError(f"{option} {shorten(one)} is not a pair", hint=f"give {option} {such_as}")
    return [(left, right) for left, right in pairs]


_READ: dict[str, Callable[[Any], Any]] = {
    "map": _map,
    "status_map": _status_map,
    "urls": lambda given: given.value,
    "assume": lambda given: None if given is None else given.value,
    "missing": lambda given: tuple(given or ()),
    "text": lambda given: tuple(given or ()),
}
"""How what was said becomes a field of `seedrank.loaders.base.LoadOptions`, where it is not the same."""


def _load(
    settings: Settings, source: Source, options: LoadOptions, spool: Path | None, batch_size: int | None, bulk: bool
) -> None:
    if settings.store.startswith(SCHEME):
        _load_in_spark(settings, source)
        return
    with opened(settings, create=True, batch_size=batch_size) as bench:
        summary, seconds = bench.load(source, options, spool=spool, bulk=bulk)
    _report(settings, summary, seconds, settings.store)


def _load_graph(settings: Settings, source: Source, options: LoadOptions, spool: Path | None, folder: Path) -> None:
    import seedrank

    check_output(settings)
    summary, seconds = seedrank.load_graph(source, folder, options, spool=spool, progress=reporter(settings))
    _report(settings, summary, seconds, str(folder))


def _refuse_database_options(settings: Settings, said: dict[str, Any]) -> None:
    """Refuse options that say how or where a database is written, where none is."""
    if said["graph"] is None:
        return
    for name in ("bulk", "batch_size"):
        if said[name]:
            raise UsageError(
                f"--graph writes no database, and {option_of(name)} says how", hint="leave out one of them"
            )
    if settings.store not in (shared_default("store"), os.environ.get("SEEDRANK_STORE")):
        raise UsageError("--graph writes no database, and --store says where", hint="leave out one of them")


_IN_SPARK = ("files", "level", "links")
"""What loads by Spark heed."""


def _refuse_in_spark(said: dict[str, Any], defaults: dict[str, Any]) -> None:
    """Refuse options that Spark, which reads the files itself, would not heed."""
    for name, value in said.items():
        if name not in _IN_SPARK and value != defaults.get(name):
            raise UsageError(
                f"{_OPTIONS.get(name, option_of(name))} does not go with a folder that Spark writes",
                hint="load into an embedded store, and write the folder with `seedrank export spark DIR`",
            )


_OPTIONS = {"since": "--from", "until": "--to"}
"""Options that are not called as what they set."""


def _report(settings: Settings, summary: Summary, seconds: float, store: str) -> None:
    _remark(settings, summary)
    read = sum(count for name, count in summary.counts.items() if name.endswith(" rows"))
    facts = {**summary.counts, "seconds": round(seconds, 2), "rows per second": round(read / max(seconds, 1e-9))}
    emit_object(settings, facts, lambda console: _draw(console, store, facts))


def _load_in_spark(settings: Settings, source: Source) -> None:
    """Common Crawl's graphs, and links by name, go straight into a folder that Spark reads; whatever else does not."""
    from seedrank.graphdb.spark.common_crawl import convert
    from seedrank.graphdb.spark.named_links import number
    from seedrank.loaders.cc_webgraph import CommonCrawlSource
    from seedrank.loaders.table import TableSource

    started = time.perf_counter()
    cluster: Any = {"master": settings.master, "progress": reporter(settings)}
    if isinstance(source, CommonCrawlSource):
        files = source.whole_files("vertices"), source.whole_files("edges")
        counts = convert(*files, settings.store, level=source.level, **cluster)
    elif isinstance(source, TableSource) and {kind for kind, _ in source.inputs} == {"links"}:
        counts = number([file.name for _, file in source.inputs], settings.store, **cluster)
    else:
        raise UsageError(
            f"{settings.store} is written whole: from Common Crawl's graph files, or from a table of links alone",
            hint="load into an embedded store, and write the folder with `seedrank export spark DIR`",
        )
    facts = {**counts, "seconds": round(time.perf_counter() - started, 2)}
    emit_object(settings, facts, lambda console: _draw(console, settings.store, facts))


def _remark(settings: Settings, summary: Summary) -> None:
    for line in summary.unparsable:
        remark(settings, f"left out, not a URL: {line}")
    for line in summary.broken:
        remark(settings, f"left out, broken: {line}")
    for line in summary.notes:
        remark(settings, line)


def _draw(console: Any, store: str, facts: dict[str, Any]) -> None:
    from seedrank.core.tables import pairs

    draw_sheet(console, pairs(facts))
    console.print(f"Next: seedrank --store {shlex.quote(printable(store))} stats", markup=False, highlight=False)


# -- what the first rows would become

_KINDS = {"int64": "whole numbers", "double": "numbers", "bool": "true or false", "string": "text"}


def _try_load(settings: Settings, source: Source, options: LoadOptions, spool: Path | None) -> None:
    """Read the first rows of a source, print what they would become, and write nothing."""
    from seedrank.ingest.dry_run import preview

    check_output(settings)
    tried = preview(source, options, spool=spool)
    columns = {name: _KINDS.get(str(kind), str(kind)) for name, kind in tried.columns.items()}
    facts = {
        "first rows": tried.rows,
        "files": tried.reads,
        "counts": tried.summary.counts,
        "columns": columns,
        "pages": tried.pages,
    }
    emit_object(settings, facts, lambda console: _draw_preview(console, tried, columns))
    _remark(settings, tried.summary)


def _draw_preview(console: Any, tried: Preview, columns: dict[str, str]) -> None:
    import pyarrow as pa

    from seedrank.core.tables import pairs

    def say(text: str) -> None:
        console.print(printable(text), markup=False, highlight=False, soft_wrap=True)

    say(f"From the first {tried.rows:,} rows of each table; nothing was written.")
    for line in tried.reads:
        say(line)
    draw_sheet(console, pairs(tried.summary.counts))
    if columns:
        say(f"Columns of pages: {', '.join(f'{name} ({kind})' for name, kind in columns.items())}")
    if tried.pages:
        draw_table(console, pa.Table.from_pylist(tried.pages))
