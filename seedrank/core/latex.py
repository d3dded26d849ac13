r"""Tables as LaTeX: a ``tabular`` with the rules of booktabs, an estimate and its interval in one column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from seedrank.core.numbers import show_interval, show_number
from seedrank.core.sanitize import visible

__all__ = ["as_latex", "escaped"]

_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "±": r"$\pm$", "≤": r"$\le$", "≥": r"$\ge$", "∞": r"$\infty$",
}  # fmt: skip


def as_latex(table: pa.Table, caption: str = "") -> str:
    r"""A table for a paper; it needs ``\usepackage{booktabs}``.

    Parameters
    ----------
    table
        Columns ``x_low`` and ``x_high``, or ``low`` and ``high``, behind ``x`` are the ends of its interval.
    caption
        Stands in a comment above it, for whoever reads the file.
    """
    names = [name for name in table.column_names if name not in _all_ends(table.column_names)]
    kinds = [table.schema.field(name).type for name in names]
    aligned = "".join("r" if pa.types.is_integer(kind) or pa.types.is_floating(kind) else "l" for kind in kinds)
    rows = [
        " & ".join(_cell(row[name], *(row[end] for end in ends_of(name, table.column_names))) for name in names)
        for row in table.to_pylist()
    ]
    comment = [f"% {visible(' '.join(caption.split()))}"] if caption else []
    head = " & ".join(escaped(name.replace("_", " ")) for name in names)
    lines = [f"\\begin{{tabular}}{{{aligned}}}", r"\toprule", rf"{head} \\", r"\midrule"]
    lines += [*(rf"{row} \\" for row in rows), r"\bottomrule", r"\end{tabular}"]
    return "\n".join([*comment, *lines, ""])


def escaped(text: str) -> str:
    """Text as LaTeX takes it, on one line."""
    return "".join(_SPECIAL.get(letter, letter) for letter in visible(text))


def ends_of(name: str, names: Sequence[str]) -> tuple[str, ...]:
    """The columns with the ends of the interval around `name`: ``x_low``, ``x_high``, or ``low``, ``high`` after it."""
    place = names.index(name)
    for low, high in ((f"{name}_low", f"{name}_high"), ("low", "high")):
        if tuple(names[place + 1 : place + 3]) == (low, high):
            return low, high
    return ()


def _all_ends(names: Sequence[str]) -> set[str]:
    return {end for name in names for end in ends_of(name, names)}


def _cell(value: Any, low: float | None = None, high: float | None = None) -> str:
    if value is None or value != value:
        return "--"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, int | float):
        return escaped(str(value))
    text = show_interval(value, low, high) if low is not None and high is not None else show_number(value)
    return escaped(text).replace("-", "$-$")
