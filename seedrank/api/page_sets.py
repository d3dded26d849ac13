"""The one rule for lists of pages, tables and values given in Python: each becomes the text that its question has.

What is no text already is kept in a file beside the answers (`RunStore.lists`), so that a kept run can be asked again.
"""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from seedrank.core.errors import InputError, UsageError, shorten
from seedrank.core.files import folder_of
from seedrank.core.levels import addresses
from seedrank.core.model import STATUS_CODES
from seedrank.loaders.frames import as_table, is_frame
from seedrank.loaders.pagelist import PageList, list_of_columns
from seedrank.runs import Answer, Run
from seedrank.session import Session

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Pages", "Table", "Values", "page_frame", "page_text", "table_text", "value_text"]


class SpeaksArrow(Protocol):
    """A frame or column of pandas, polars, pyarrow or any other library that speaks Arrow."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Its rows."""


Pages = str | os.PathLike[str] | int | Iterable[str] | Iterable[int] | np.ndarray | SpeaksArrow | Answer | Run
"""A list of pages: a file, URLs, ids, a frame with ``url`` or ``id`` (and ``weight``), or an answer of any bench."""

Table = str | os.PathLike[str] | SpeaksArrow
"""A table: a file, or a frame."""

Values = str | Sequence[float] | np.ndarray | SpeaksArrow | Callable[..., Any]
"""A value per page: a page column by name, numbers in the order of ids, a Series by URL, or a function of
`Workbench.pages`."""

_NEXT = "give ids or URLs, a frame with a column url or id, an answer, or a file"
_STRINGS = (str, np.str_)


def page_text(session: Session, pages: Any, name: str, *, elsewhere: bool = False) -> str:
    """A list of pages as a question has it.

    Parameters
    ----------
    session
        The view that is asked.
    pages
        A list of pages (`Pages`). In a graph of hosts or domains their names stand for URLs.
    name
        The field, for messages.
    elsewhere
        They are pages of another graph, so an answer is a list of its URLs.
    """
    if isinstance(pages, str):
        if not pages.strip():
            raise _no_pages(name, "names no page")
        return pages
    if isinstance(pages, os.PathLike):
        return str(Path(pages))
    if isinstance(pages, Run):
        return pages.name
    if isinstance(pages, Answer):
        if not elsewhere and (session.runs.folder / pages.run.id).is_dir():
            return pages.run.name
        pages = _named_rows(session, pages)
    listed = _listed(pages, session, name)
    keys, alike = listed.keys, bool((listed.weights == listed.weights[0]).all())
    if listed.by_url and alike:
        texts = addresses(keys, session.level) if session.level != "page" else keys
        if pc.all(pc.match_substring_regex(texts, r"^https?://\S+$")).as_py():
            return " ".join(texts.to_pylist())
    columns = {"url" if listed.by_url else "id": keys, **({} if alike else {"weight": pa.array(listed.weights)})}
    return _kept(session, _parquet(pa.table(columns)), ".parquet")


def table_text(session: Session, table: Any, name: str) -> str:
    """A table as a question has it: its file.

    Parameters
    ----------
    session
        The view that is asked.
    table
        A file, or a frame (`Table`).
    name
        The field, for messages.
    """
    if isinstance(table, str | os.PathLike):
        return os.fspath(table)
    return _kept(session, _parquet(as_table(name, table)), ".parquet")


def value_text(session: Session, values: Any, name: str) -> str:
    """A value per page as a question has it: the name of a column, or a file of NumPy.

    Parameters
    ----------
    session
        The view that is asked.
    values
        `Values`. A Series whose index are URLs is by URL, and pages that it lacks have no value.
    name
        The field, for messages.
    """
    if isinstance(values, str | os.PathLike):
        return os.fspath(values)
    given = _called(values, session, name) if callable(values) else values
    numbers = _by_url(session, given, name) if _has_urls(given) else _numbers(given, name)
    pages = session.graph.pages
    if numbers.shape != (pages,):
        raise UsageError(
            f"{{{name}}} has {numbers.size:,} numbers, and the graph {pages:,} {session.level}s",
            hint="give one for every one in the order of ids, or a Series by URL",
            fields=(name,),
        )
    file = io.BytesIO()
    np.save(file, numbers)
    return _kept(session, file.getvalue(), ".npy")


def page_frame(session: Session) -> pd.DataFrame:
    """Every page, host or domain of a view by its id: names, ``status`` and the columns."""
    graph = session.graph
    table = session.names.of(pa.chunked_array([pa.array(np.arange(graph.pages))]))
    words = pa.array(list(STATUS_CODES))
    table = table.append_column("status", words.take(pa.array(graph.status)))
    texts = set(graph.text_names)
    for name in graph.column_names:
        if name not in table.column_names:
            table = table.append_column(name, graph.text(name) if name in texts else pa.array(graph.column(name)))
    frame = table.to_pandas()
    frame.index.name = "id"
    return frame


# -- lists


def _named_rows(session: Session, answer: Answer) -> pa.Table:
    """The rows of an answer that is not kept here, by the names its pages have everywhere."""
    run = answer.run
    if answer.ranking is None:
        raise UsageError(f"{run.name} ({run.method}) ranks no pages", hint="give an answer that does, such as seeds")
    table = answer.table
    same = (run.store, run.graph) == (session.store.url, session.store.version())
    names = [one for one in ("url", "host", "domain", "source_id", *["id"] * same) if one in table.column_names]
    names = [one for one in names if table[one].null_count < table.num_rows]
    if not names:
        raise UsageError(
            f"the pages of {run.name} have neither URLs nor ids of their source",
            hint="load that graph with URLs or ids, so that its pages are known in another one",
        )
    return table.select(names)


def _listed(pages: Any, session: Session, name: str) -> PageList:
    """A list of pages that is neither text nor an answer."""
    if isinstance(pages, Mapping):
        raise UsageError(
            f"{{{name}}} is a mapping, not a list of pages", hint="give a frame with url and weight", fields=(name,)
        )
    if is_frame(pages):
        table = as_table(name, _with_index(pages))
        return list_of_columns({one: table[one] for one in table.column_names}, name, session.level)
    keys = _keys(pages, name)
    return PageList(name, keys, np.ones(len(keys)))


def _with_index(frame: Any) -> Any:
    """A frame of pandas with its index as a column, where that names pages."""
    named = getattr(getattr(frame, "index", None), "name", None)
    return frame.reset_index() if named in ("url", "source_id", "id", "host", "domain") else frame


def _keys(pages: Any, name: str) -> pa.Array:
    """URLs (string) or ids (int64) of a column, an array or a list."""
    if isinstance(pages, int | np.integer | pa.Scalar) and not isinstance(pages, bool):
        pages = [pages]
    if isinstance(pages, bytes) or not isinstance(pages, Iterable):
        raise _no_pages(name, f"is {shorten(pages)}")
    if getattr(pages, "dtype", None) == np.bool_:
        raise _no_pages(name, "is an array of true and false", "give the ids: numpy.flatnonzero(array)")
    items = pages.to_pylist() if isinstance(pages, pa.Array | pa.ChunkedArray) else list(pages)
    items = [item.as_py() if isinstance(item, pa.Scalar) else item for item in items]
    if not items:
        raise _no_pages(name, "names no page")
    if all(isinstance(item, _STRINGS) and item.strip() for item in items):
        texts = [str(item).strip() for item in items]
        if not all(text.isdecimal() and len(text) < 19 for text in texts):
            return pa.array(texts, pa.string())
        items = [int(text) for text in texts]
    for row, item in enumerate(items, 1):
        if not isinstance(item, int | np.integer) or isinstance(item, bool) or not 0 <= item < 1 << 63:
            raise _no_pages(name, f"names no page in row {row}: {shorten(item)}")
    return pa.array(items, pa.int64())


def _no_pages(name: str, what: str, hint: str = _NEXT) -> UsageError:
    return UsageError(f"{{{name}}} {{what}}", hint=hint, fields=(name,), values={"what": what})


# -- values


def _called(function: Callable[..., Any], session: Session, name: str) -> Any:
    """What a function makes of the pages; its own failures are told in a line, with their trace behind them."""
    pages = page_frame(session)
    try:
        return function(pages)
    except Exception as error:
        raise UsageError(
            f"the function given as {{{name}}} failed: {{why}}",
            hint="it takes the frame of pages and gives a number for each; its columns are {columns}",
            fields=(name,),
            values={"why": f"{type(error).__name__}: {error}", "columns": ", ".join(map(str, pages.columns))},
        ) from error


def _has_urls(values: Any) -> bool:
    """Whether a Series is by URL or name: its index are texts."""
    index = getattr(values, "index", None)
    return index is not None and not callable(index) and len(index) > 0 and isinstance(index[0], str)


def _by_url(session: Session, values: Any, name: str) -> np.ndarray:
    """A number per page from a Series by URL, NaN where it has none."""
    numbers, keys = _numbers(values, name), pa.array([str(one) for one in values.index], pa.string())
    ids, known = session.names.find(PageList(name, keys, np.ones(len(keys))))
    if not known.any():
        raise UsageError(
            f"{{{name}}}: none of its {len(keys):,} URLs is in the graph, such as {{first}}",
            hint="check the URLs",
            fields=(name,),
            values={"first": shorten(keys[0].as_py())},
        )
    found = np.full(session.graph.pages, np.nan)
    found[ids[known]] = numbers[known]
    return found


def _numbers(values: Any, name: str) -> np.ndarray:
    """Numbers as float64: NaN where there is none."""
    try:
        plain = values.to_numpy() if hasattr(values, "to_numpy") else values
        numbers = np.asarray(plain, np.float64)
    except (TypeError, ValueError, pa.ArrowException):
        numbers = np.empty(0)
    if not numbers.size or np.isinf(numbers).any() or np.isnan(numbers).all():
        raise UsageError(
            f"{{{name}}} must be finite numbers, one per page",
            hint="give a page column by name, an array in the order of ids, a Series by URL, or a function of pages()",
            fields=(name,),
        )
    return numbers


# -- files


def _parquet(table: pa.Table) -> bytes:
    file = io.BytesIO()
    pq.write_table(table, file)
    return file.getvalue()


def _kept(session: Session, data: bytes, suffix: str) -> str:
    """The file that keeps what was given; where nothing may be written beside the store, until the process ends."""
    try:
        return str(session.runs.keep_data(data, suffix))
    except (OSError, InputError):
        path = session.once(_elsewhere) / f"{hashlib.sha256(data).hexdigest()[:16]}{suffix}"
        path.write_bytes(data)
        return str(path)


def _elsewhere(session: Session) -> Path:
    return folder_of(session)[0]
