"""Lines of text from columns, block by block, and what must be escaped in them: no Python per row."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

__all__ = ["beside", "comments", "in_blocks", "json_number", "json_text", "lines", "text", "xml_text"]

_ROWS = 1 << 16
"""Lines of a block."""
_TEXT = pa.large_string()


def in_blocks(rows: int, block: Callable[[slice], bytes]) -> Iterator[bytes]:
    """What `block` gives for one part of the rows after the other."""
    for start in range(0, rows, _ROWS):
        yield block(slice(start, min(start + _ROWS, rows)))


def beside(*parts: pa.Array | str) -> pa.Array:
    """Columns and constants beside each other, row by row; null where one of them is."""
    scalars = (pa.scalar(part, _TEXT) if isinstance(part, str) else part for part in (*parts, ""))
    return pc.binary_join_element_wise(*scalars)


def lines(*parts: pa.Array | str) -> bytes:
    """A line for each row: the columns and constants beside each other; none of them may be missing."""
    found = beside(*parts)
    if found.null_count:
        raise ValueError(f"{found.null_count} of {len(found)} lines have a part that is missing: fill it before")
    whole = pa.LargeListArray.from_arrays(pa.array([0, len(found)], pa.int64()), found)
    joined: str = pc.binary_join(whole, pa.scalar("\n", _TEXT))[0].as_py()
    return f"{joined}\n".encode()


def text(values: pa.Array | np.ndarray) -> pa.Array:
    """Numbers as text."""
    return pa.array(values).cast(_TEXT)


def json_text(values: pa.Array) -> pa.Array:
    """Strings without control characters as JSON has them; YAML reads the same."""
    escaped = pc.replace_substring(pc.replace_substring(values, "\\", "\\\\"), '"', '\\"')
    return beside('"', escaped, '"')


def json_number(values: pa.Array) -> pa.Array:
    """Numbers as JSON has them: null for those that are not finite."""
    return pc.fill_null(pc.if_else(pc.is_finite(values), values, None).cast(_TEXT), "null")


def xml_text(values: pa.Array) -> pa.Array:
    """Strings without control characters as XML has them, in text and in attributes."""
    for letter, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        values = pc.replace_substring(values, letter, entity)
    return values


def comments(about: Sequence[str]) -> bytes:
    """A ``#`` line for each sentence."""
    return "".join(f"# {sentence}\n" for sentence in about).encode()
