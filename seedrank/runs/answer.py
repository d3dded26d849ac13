"""Answer: what every question gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from seedrank.core.errors import UsageError
from seedrank.core.levels import Level, name_column
from seedrank.core.tables import SHOWN, as_html, as_text, sheet_of
from seedrank.runs.record import Ranking, Run

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

__all__ = ["Answer"]


class Answer:
    """An answer: its record and its rows. It unpacks as ``run, table``; an experiment as ``run, experiment``.

    Parameters
    ----------
    run
        The record: what was asked, of which graph, and facts about the whole answer.
    rows
        Gives the table when it is first looked at.
    ranking
        Page ids and scores, where it ranks pages or hosts.
    tables
        Further tables by name, such as ``methods`` of an explanation.
    experiment
        Tables, charts and claims, where it is an experiment or a table with charts.
    """

    def __init__(
        self,
        run: Run,
        rows: Callable[[], pa.Table],
        *,
        ranking: Ranking | None = None,
        tables: Mapping[str, pa.Table] | None = None,
        experiment: Any = None,
    ) -> None:
        self.run = run
        self.ranking = ranking
        self.tables = dict(tables or {})
        self.experiment = experiment
        self._rows = rows

    @cached_property
    def table(self) -> pa.Table:
        """The rows, best first, with the names of pages; the claims of an experiment."""
        return self._rows()

    @property
    def facts(self) -> Mapping[str, Any]:
        """Facts about the whole answer: value, bound, warnings."""
        return self.run.facts

    @property
    def level(self) -> Level:
        """What its rows name: pages, hosts or domains."""
        name = name_column(self.table.column_names)
        return "host" if name == "host" else "domain" if name == "domain" else "page"

    def frame(self) -> pd.DataFrame:
        """The rows as a DataFrame, by their rank where they have one."""
        frame = self.table.to_pandas()
        return frame.set_index("rank") if "rank" in frame else frame

    def to_pandas(self) -> pd.DataFrame:
        """The rows as a DataFrame, every column as it is."""
        return self.table.to_pandas()

    def to_polars(self) -> pl.DataFrame:
        """The rows as a DataFrame of polars."""
        try:
            import polars
        except ImportError:
            raise UsageError("polars is not installed", hint="install it: pip install polars") from None
        return polars.DataFrame(self)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The rows for any library that speaks Arrow: ``polars.DataFrame(answer)``, ``pyarrow.table(answer)``."""
        return self.table.__arrow_c_stream__(requested_schema)

    def __iter__(self) -> Iterator[Any]:
        yield self.run
        yield self.table if self.experiment is None else self.experiment

    def __getitem__(self, place: int) -> Any:
        return (self.run, self.table if self.experiment is None else self.experiment)[place]

    def __len__(self) -> int:
        """How many rows there are."""
        return int(self.table.num_rows)

    def __repr__(self) -> str:
        if self.experiment is not None:
            return f"{as_text(self._heading(), [])}\n{self.experiment!r}"
        return as_text(self._heading(), [sheet_of(self.table)])

    def _repr_html_(self) -> str:
        """The first rows, or the experiment, as a notebook shows them."""
        if self.experiment is not None:
            return f"{as_html(self._heading(), [])}{self.experiment._repr_html_()}"
        return as_html(self._heading(), [sheet_of(self.table)])

    def _heading(self) -> str:
        name = f"{self.run.method} ({self.run.name})"
        if self.experiment is not None:
            return name
        rows = self.table.num_rows
        many = f"{rows:,} row{'' if rows == 1 else 's'}"
        return f"{name}: {many}, the first {SHOWN}" if rows > SHOWN else f"{name}: {many}"
