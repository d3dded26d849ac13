"""Results to a terminal, a pipe or a file; everything else to standard error."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

import typer

from seedrank.cli.options import Format, Settings
from seedrank.cli.streams import OUTPUT, output_is_closed, printable, say
from seedrank.core.errors import InputError, UsageError
from seedrank.core.files import whole_file
from seedrank.core.numbers import counted

if TYPE_CHECKING:
    import pyarrow as pa

    from seedrank.core.tables import Sheet
    from seedrank.runs import Answer

__all__ = [
    "By",
    "check_output",
    "draw_sheet",
    "draw_table",
    "emit",
    "emit_answer",
    "emit_by",
    "emit_drawn",
    "emit_object",
    "for_people",
    "printable",
    "remark",
    "remark_about",
    "takes_lists",
    "write_text",
]

_SUFFIXES = {
    ".json": Format.json,
    ".jsonl": Format.json,
    ".csv": Format.csv,
    ".tsv": Format.tsv,
    ".parquet": Format.parquet,
    ".txt": Format.table,
}
_PACKED = (".gz", ".zst")
_TABLE_ROWS = 20
_DIGITS = 6


def remark(settings: Settings, text: str) -> None:
    """A line on standard error, unless ``--quiet``."""
    if not settings.quiet:
        say(text, folds="`" not in text and "seedrank " not in text)  # commands stay whole, to be pasted


def remark_about(settings: Settings, answer: Answer) -> None:
    """What an experiment or a fit is about, and what it left out."""
    for sentence in answer.experiment.about:
        remark(settings, sentence)
    for sentence in answer.experiment.left_out:
        remark(settings, f"left out: {sentence}")


def check_output(settings: Settings) -> None:
    """Refuse a format or file name that cannot be, before any work is done."""
    if settings.output is None:
        if output_is_closed():
            raise InputError("standard output is closed", hint="redirect it, or give -o FILE")
    else:
        if _format(settings) is Format.parquet and settings.output.suffix.lower() in _PACKED:
            raise UsageError(f"{settings.output}: Parquet is packed by itself", hint="name the file FILE.parquet")
        if not settings.output.parent.is_dir():
            raise InputError(
                "its folder does not exist", file=str(settings.output), hint="make it, or name another file"
            )


def for_people(settings: Settings) -> bool:
    """Whether the result is drawn as a table, for people to read."""
    return _format(settings) is Format.table


def emit(settings: Settings, table: pa.Table, *, title: str | None = None) -> None:
    """Give a table to the user, as asked for.

    Parameters
    ----------
    settings
        ``--format``, ``-o``, ``--top``.
    table
        All rows.
    title
        Above a table on a terminal.
    """
    chosen = _format(settings)
    _refuse_twins(table)
    total = table.num_rows
    if settings.top is not None:
        table = table.slice(0, min(settings.top, total))
    elif chosen is Format.table and settings.output is None and sys.stdout.isatty():
        table = table.slice(0, _TABLE_ROWS)
    _to_output(settings, chosen, lambda sink: _write(chosen, table, sink, title, total))
    if settings.output is not None:
        cut = f" of {total:,} (--top {settings.top})" if table.num_rows < total else ""
        remark(settings, f"{counted(table.num_rows, 'row')}{cut} to {printable(settings.output)}")


def emit_answer(settings: Settings, answer: Answer, table: pa.Table | None = None, *, title: str | None = None) -> None:
    """Give an answer to the user: its rows, or `table` in their place, under the name of its method and run."""
    heading = title or f"{answer.run.method} ({answer.run.name})"
    emit(settings, answer.table if table is None else table, title=heading)


def _refuse_twins(table: pa.Table) -> None:
    """Refuse two columns of one name: no format keeps both apart."""
    seen: set[str] = set()
    for name in table.column_names:
        if name in seen:
            raise UsageError(f"two result columns are called {name}", hint="name one of them otherwise, with AS")
        seen.add(name)


def emit_drawn(settings: Settings, draw: Callable[[Any], None]) -> None:
    """Give people what `draw` draws; it takes a rich console."""
    _to_output(settings, Format.table, lambda sink: _draw_on(sink, draw))


def emit_object(settings: Settings, value: dict[str, Any], draw: Callable[[Any], None]) -> None:
    """Give one object: JSON for programs, `draw` (which takes a rich console) for people."""
    import json

    chosen = _format(settings)
    if chosen is Format.table:
        emit_drawn(settings, draw)
    elif chosen is Format.json:
        _to_output(settings, chosen, lambda sink: sink.write((json.dumps(value, indent=2) + "\n").encode()))
    else:
        raise UsageError(f"this command gives one object, not {chosen.value}", hint="use --format json or table")


def takes_lists(settings: Settings) -> bool:
    """Whether the output has room for lists in a row: JSON and Parquet do, a table, CSV and TSV do not."""
    return _format(settings) in (Format.json, Format.parquet)


def write_text(settings: Settings, blocks: Iterable[bytes]) -> None:
    """Give text as it is: to ``-o FILE``, whole, or to standard output."""
    _to_output(settings, Format.table, lambda sink: _write_all(sink, blocks))


def _write_all(sink: IO[bytes], blocks: Iterable[bytes]) -> None:
    for block in blocks:
        sink.write(block)


def _format(settings: Settings) -> Format:
    if settings.format is not None:
        return settings.format
    if settings.output is not None:
        suffixes = [suffix.lower() for suffix in settings.output.suffixes]
        packed = suffixes[-1:] and suffixes[-1] in _PACKED
        try:
            return _SUFFIXES[suffixes[-2 if packed else -1]]
        except (KeyError, IndexError):
            raise UsageError(
                f"the suffix of {settings.output} names no format",
                hint=f"use one of {' '.join(_SUFFIXES)}, perhaps with {' or '.join(_PACKED)}, or give --format",
            ) from None
    return Format.table if sys.stdout.isatty() else Format.json


def _to_output(settings: Settings, chosen: Format, write: Callable[[IO[bytes]], Any]) -> None:
    if settings.output is None:
        if chosen is Format.parquet and sys.stdout.isatty():
            raise UsageError("Parquet is not for a terminal", hint="give -o FILE.parquet")
        try:
            write(sys.stdout.buffer)
            sys.stdout.flush()
        except OSError as error:
            error.filename = OUTPUT
            raise
        return
    with whole_file(settings.output) as half, half.open("wb") as file, _packing(file, settings.output) as sink:
        write(sink)


@contextlib.contextmanager
def _packing(file: IO[bytes], name: Path) -> Iterator[IO[bytes]]:
    """What is written to it goes into the file, packed as the file's name says; the same bytes give the same file."""
    suffix = name.suffix.lower()
    if suffix == ".gz":
        import gzip

        with gzip.GzipFile("", "wb", 6, file, mtime=0) as packed:
            yield packed  # type: ignore[misc]  # all that writers use of a file
    elif suffix == ".zst":
        import pyarrow as pa

        with pa.CompressedOutputStream(pa.PythonFile(file, "w"), "zstd") as packed:
            yield packed
    else:
        yield file


def _write(chosen: Format, table: pa.Table, sink: IO[bytes], title: str | None, total: int) -> None:
    if chosen is Format.json:
        from seedrank.cli.text_formats import json_lines

        _write_all(sink, (block.encode() for block in json_lines(table)))
    elif chosen is Format.csv:
        import pyarrow.csv

        _refuse_lists(table, chosen)
        pyarrow.csv.write_csv(table, sink)
    elif chosen is Format.tsv:
        from seedrank.cli.text_formats import tsv_lines

        _refuse_lists(table, chosen)
        _write_all(sink, (block.encode() for block in tsv_lines(table)))
    elif chosen is Format.parquet:
        import pyarrow.parquet

        pyarrow.parquet.write_table(table, sink)
    else:
        _draw_on(sink, lambda console: draw_table(console, table, title=title, total=total))


def _refuse_lists(table: pa.Table, chosen: Format) -> None:
    import pyarrow.types as types

    for field in table.schema:
        if types.is_nested(field.type):
            raise UsageError(
                f"column {field.name} holds lists, and {chosen.value} has no room for them",
                hint="use --format json or parquet",
            )


def _draw_on(sink: IO[bytes], draw: Callable[[Any], None]) -> None:
    """Call `draw` with a console that writes to `sink`."""
    import io

    from rich.console import Console

    if sink is sys.stdout.buffer:
        draw(Console())
        return
    text = io.TextIOWrapper(sink, encoding="utf-8", write_through=True)
    try:
        draw(Console(file=text, width=160, no_color=True))
    finally:
        text.detach()


def draw_table(console: Any, table: pa.Table, *, title: str | None = None, total: int = 0) -> None:
    """Draw a table without columns that repeat another; says so when it is the first of `total` rows."""
    from rich.text import Text

    from seedrank.core.tables import sheet_of

    left_out = _repeated(table)
    kept = table.select([name for name in table.column_names if name not in left_out])
    draw_sheet(console, sheet_of(kept, title or "", most=None, empty=True), digits=_DIGITS)
    if table.num_rows < total:
        console.print(Text(f"{table.num_rows:,} of {total:,} rows; --top N shows more, -o FILE takes all", style="dim"))


def draw_sheet(console: Any, sheet: Sheet, *, digits: int = 4) -> None:
    """Draw a table in the width of the console; names the columns that do not fit."""
    from rich.text import Text

    from seedrank.core.tables import columns_of, lines_of, middle_cut

    def line(text: str, style: str) -> None:
        console.print(Text(text, style=style), soft_wrap=True)

    (head, *rows), hidden = lines_of(columns_of(sheet, digits), console.width)
    if sheet.caption:
        line(middle_cut(printable(sheet.caption), console.width), "italic")
    if any(sheet.names):
        line(head, "bold")
    for row in rows:
        line(row, "")
    if hidden:
        console.print(Text(f"not shown for lack of width: {', '.join(hidden)}; -o FILE takes all", style="dim"))


def _repeated(table: pa.Table) -> set[str]:
    """Columns that only repeat another: they would leave no room for what is asked."""
    import pyarrow.compute as pc

    from seedrank.core.levels import name_column

    known = set(table.column_names)
    left_out = set()
    named = name_column(known)
    if named in known and not table[named].null_count and (named == "url" or "source_id" in known):
        # A page is known by its URL, a host by its name.
        left_out = {"id", "source_id", "host"} - {named}
    elif "id" in known and "source_id" in known and table["id"].equals(table["source_id"]):
        left_out = {"source_id"}
    same = {"score": "gain", "gain_pages": "gain", "covered_value": "covered_pages"}
    for name, other in same.items():
        if {name, other} <= known and pc.all(pc.equal(table[name], table[other]), min_count=0).as_py():
            left_out.add(name)
    return left_out


By: TypeAlias = Annotated[
    Literal["page", "host"], typer.Option("--by", help="Rows: pages, or what it means for each host.")
]


def emit_by(settings: Settings, answer: Answer, by: str) -> None:
    """Give an answer to the user by page or by host; say which hosts starve."""
    facts = answer.facts
    if starving := facts.get("hosts_starving"):
        some = ", ".join(map(str, facts["hosts_starving_such_as"][:3]))
        many = counted(starving, "host gets less than a tenth of its", "hosts get less than a tenth of their")
        remark(settings, f"{many} share, such as {some}")
    if facts.get("sites_without_seed"):
        some = ", ".join(map(str, facts["sites_without_seed_such_as"][:3]))
        remark(settings, f"{counted(facts['sites_without_seed'], 'site')} got no seed, such as {some}")
    if by == "page":
        emit_answer(settings, answer)
        return
    if "hosts" not in answer.tables:
        raise UsageError("pages have no hosts here, so there is no table by host", hint="load URLs or a host column")
    emit_answer(settings, answer, answer.tables["hosts"])
