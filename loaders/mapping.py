"""What users say about their tables: other names of columns and statuses, marks of missing values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.errors import InputError, UsageError, shorten
from seedrank.core.model import KINDS, TABLES, Status
from seedrank.loaders.base import LoadOptions, Where, several
from seedrank.loaders.columns import convert
from seedrank.loaders.layout import Layout, called, has_needed, with_ends
from seedrank.loaders.rejects import Rejects, Sieve
from seedrank.loaders.times import holds_months

__all__ = ["Reading", "shape_of"]

_MARK = "name what stands for no value with {missing}"
_LABELS = [status.label for status in Status]


class Reading:
    """How the tables of one load are to be read: what `LoadOptions` say about columns and values.

    Parameters
    ----------
    options
        As given; `None` where tables are read for something else than a load, and users cannot say.
    rejects
        Takes bad rows where some are tolerated.

    Attributes
    ----------
    mappable
        Whether users can say: only then errors tell them to.
    dated
        Whether the dates of links count.
    missing
        Marks of missing values.
    url_prefix
        As in `LoadOptions`.

    Raises
    ------
    UsageError
        For a kind of table, a column or a status that does not exist.
    """

    def __init__(self, options: LoadOptions | None, rejects: Rejects | None = None) -> None:
        self.mappable = options is not None
        self.rejects = rejects or Rejects()
        options = options or LoadOptions()
        self.url_prefix = options.url_prefix
        self.dated = options.since is not None or options.until is not None
        self.missing = several(options.missing)
        self._renames = _renames(options.map)
        _check_statuses(options.status_map)
        self._their_statuses = pa.array(list(options.status_map), pa.string())
        self._our_statuses = pa.array(list(options.status_map.values()), pa.string())
        self._text = several(options.text)
        self._seen: dict[str, None] = {}
        self._used: set[tuple[str, str]] = set()
        self._own: set[str] = set()
        self._months: dict[tuple[str, str], bool] = {}

    def is_header(self, kind: str, names: Sequence[str]) -> bool:
        """Whether names are the columns that a kind of table needs, perhaps among others."""
        renamed = with_ends(kind, names, self.renamed(kind))
        return has_needed(kind, [called(kind, renamed.get(name, name)) for name in names])

    def layout(
        self,
        kind: str,
        names: Sequence[str],
        *,
        file: str | None = None,
        line: int | None = None,
        otherwise: str | None = None,
    ) -> Layout:
        """The columns of a file, or without `file` those a user names for files without header (`Layout.of`)."""
        unread = ("time",) if kind == "links" and not self.dated else ()
        renamed = self.renamed(kind) if self.mappable else None
        layout = Layout.of(kind, names, file=file, line=line, renamed=renamed, unread=unread, otherwise=otherwise)
        if file is not None:
            self._used.update((renamed[name], name) for name in names if renamed and name in renamed)
            self._seen.update(dict.fromkeys(names))
            self._check_text(layout)
        return layout

    def renamed(self, kind: str) -> dict[str, str]:
        """Name in a file of this kind to name in the table; what is said of this kind alone has precedence."""
        table = TABLES[kind]
        fits = [(ours, theirs) for of, ours, theirs in self._renames if of is None and _has(table.kind, ours)]
        fits += [(ours, theirs) for of, ours, theirs in self._renames if of == kind]
        return {theirs: ours for ours, theirs in fits}

    def check_used(self) -> None:
        """Raise `UsageError` for what is said of a column that no table has; after the last table was opened."""
        columns = ", ".join(self._seen)
        for _, ours, theirs in self._renames:
            if (ours, theirs) not in self._used:
                raise UsageError(
                    "{map}: no table has a column {theirs} to take for {ours}",
                    hint="the columns are {columns}",
                    fields=("map",),
                    values={"theirs": shorten(theirs), "ours": shorten(ours), "columns": columns},
                )
        for name in self._text:
            if name not in self._own:
                raise UsageError(
                    "{text}: no table of pages or hosts has a column {name} of your own",
                    hint="the columns are {columns}",
                    fields=("text",),
                    values={"name": shorten(name), "columns": columns},
                )

    def statuses(self, labels: pa.Array) -> pa.Array:
        """Statuses by our names."""
        if not len(self._their_statuses):
            return labels
        return pc.coalesce(self._our_statuses.take(pc.index_in(labels, self._their_statuses)), labels)

    def is_text(self, column: str) -> bool:
        """Whether a column of the user's own is text, whatever its values are."""
        return column in self._text

    def convert(
        self,
        values: pa.Array,
        kind: pa.DataType,
        *,
        column: str,
        where: Where,
        flag: bool = False,
        sieve: Sieve | None = None,
    ) -> pa.Array:
        """Values of a column in another type (`convert`); errors about numbers name `missing`."""
        months = pa.types.is_timestamp(kind) and self._has_months(values, where.file, column)
        try:
            return convert(values, kind, column=column, where=where, flag=flag, months=months, sieve=sieve)
        except InputError as error:
            if self.mappable and pa.types.is_floating(kind) and error.column is not None:
                raise error.advising(_MARK, joined=", or ", fields=("missing",)) from None
            raise

    def _has_months(self, values: pa.Array, file: str, column: str) -> bool:
        """Whether six digits are months in a column of a file, as its first values say."""
        if (file, column) not in self._months and values.null_count < len(values):
            self._months[file, column] = holds_months(values)
        return self._months.get((file, column), False)

    def without_missing(self, values: pa.Array) -> pa.Array:
        """The same with null for every mark of a missing value, in the type that the values have."""
        marks = [mark for mark in (_as(mark, values.type) for mark in self.missing) if mark is not None]
        if not marks:
            return values
        return pc.if_else(pc.is_in(values, pa.array(marks, values.type)), pa.scalar(None, values.type), values)

    def _check_text(self, layout: Layout) -> None:
        for name, shown in layout.kept.items():
            if TABLES[layout.kind].column(shown) is None:
                self._own.add(shown)
            elif {name, shown} & set(self._text):
                raise UsageError(
                    "{text}: {name} is a column of ours, with a type of its own",
                    hint="leave it out",
                    fields=("text",),
                    values={"name": shorten(shown)},
                )


def _as(mark: str, kind: pa.DataType) -> object:
    """A mark in the type of a column, `None` where it cannot be there."""
    try:
        return pa.scalar(mark).cast(kind).as_py()
    except pa.ArrowException:
        return None


def _has(kind: str, ours: str) -> bool:
    return TABLES[kind].open or TABLES[kind].column(called(kind, ours)) is not None


def _target(ours: str) -> tuple[str | None, str]:
    """Kind of table (`None` for all) and column of a name such as ``links.weight``."""
    kind, dot, column = ours.rpartition(".")
    if not dot:
        return None, ours
    if kind not in KINDS:
        raise UsageError(
            "{map}: unknown table {kind}",
            hint=f"say KIND.COLUMN, with one of {', '.join(KINDS)}",
            fields=("map",),
            values={"kind": shorten(kind)},
        )
    if not _has(kind, column):
        raise UsageError(
            f"{{map}}: {kind} have no column {{column}}",
            hint=f"one of {_names(column.name for column in TABLES[kind].columns)}",
            fields=("map",),
            values={"column": shorten(column)},
        )
    return kind, column


def _renames(given: Mapping[str, str | Sequence[str]]) -> list[tuple[str | None, str, str]]:
    """Kind of table (`None` for all), our name and theirs; one of theirs may have one name of ours in a kind."""
    renames = [(*_target(ours), theirs) for ours, names in given.items() for theirs in several(names)]
    claimed: dict[tuple[str | None, str], str] = {}
    for kind, ours, theirs in renames:
        if claimed.setdefault((kind, theirs), ours) != ours:
            raise UsageError(
                "{map}: {theirs} is taken for two columns, {one} and {other}",
                hint="leave one out",
                fields=("map",),
                values={"theirs": shorten(theirs), "one": claimed[kind, theirs], "other": ours},
            )
    return renames


def shape_of(options: LoadOptions) -> list[str]:
    """The options that shape what is read of tables, as `seedrank.loaders.base.Source.shape` has them."""
    heeded = ("url_prefix", "map", "status_map", "missing", "text")
    return LoadOptions(**{name: getattr(options, name) for name in heeded}).parts()


def _check_statuses(given: Mapping[str, str]) -> None:
    for theirs, ours in given.items():
        if ours not in _LABELS:
            raise UsageError(
                "{status_map}: {theirs} cannot be {ours}, which is not a status",
                hint=f"one of {_names(_LABELS)}",
                fields=("status_map",),
                values={"theirs": shorten(theirs), "ours": shorten(ours)},
            )


def _names(names: Iterable[str]) -> str:
    return ", ".join(names)
