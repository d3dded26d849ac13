"""What is said about the tables of a load: how each file was read, and what of it was not used."""

from __future__ import annotations

from seedrank.core.levels import Level
from seedrank.core.model import TABLES
from seedrank.loaders.layout import Layout

__all__ = ["Remarks"]


class Remarks:
    """Collects remarks file by file; the same remark on several files is one.

    Parameters
    ----------
    dated
        Whether the dates of links count.
    """

    def __init__(self, dated: bool) -> None:
        self._dated = dated
        self._files: dict[str, list[str]] = {}
        self.reads: list[str] = []
        """How each file is read."""

    def add(self, file: str, layout: Layout, level: Level) -> None:
        """Take a file that was read, of an input of this level."""
        columns = (_column(layout, theirs, ours) for theirs, ours in layout.kept.items())
        how = f", {layout.how}" if layout.how else ""
        self.reads.append(f"{file}: {layout.kind}{how}; columns: {', '.join(columns)}")
        told = [layout.remark] if layout.remark else []
        if unused := [*layout.unused, *_counted(layout, level)]:
            told.append(f"columns not used: {', '.join(unused)}")
        if self._dated and layout.kind == "links" and "time" not in layout.kept.values():
            told.append("has no date, so all its links count")
        for remark in told:
            self._files.setdefault(remark, []).append(file)

    def notes(self) -> list[str]:
        """The remarks, each with its files."""
        return [f"{_named(files)}: {remark}" for remark, files in self._files.items()]


def _counted(layout: Layout, level: Level) -> list[str]:
    """Columns that say what is counted anyway: the pages of hosts."""
    return [name for name, ours in layout.kept.items() if (layout.kind, level, ours) == ("hosts", "page", "pages")]


def _column(layout: Layout, theirs: str, ours: str) -> str:
    shown = theirs if theirs == ours else f"{theirs} → {ours}"
    return shown if TABLES[layout.kind].column(ours) else f"{shown} (your own)"


def _named(files: list[str]) -> str:
    return files[0] if len(files) == 1 else f"{files[0]} and {len(files) - 1:,} more"
