"""Answer: what every question gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from seedrank.core.errors import UsageError, shorten
from seedrank.core.files import whole_file
from seedrank.core.levels import Level, name_column
from seedrank.core.package import VERSION
from seedrank.core.tables import SHOWN, as_html, as_text, sheet_of
from seedrank.runs.record import Ranking, Run, now

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

__all__ = ["Answer", "run_name"]


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
        self.origin: Callable[[], Mapping[str, Any]] = dict
        """Gives the graph and the loads that it is of (`Session.origin_of`)."""

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

    @cached_property
    def provenance(self) -> dict[str, Any]:
        """What anyone needs to get it again: version, command, parameters, digest of the graph, loads, time."""
        run = self.run
        return {
            "seedrank": run.version or VERSION,
            "run": run.name,
            "method": run.method,
            "store": run.store,
            "command": _python(run),
            "parameters": dict(run.parameters),
            "rng": run.parameters.get("rng"),
            "engine": run.engine,
            "created": run.created,
            "seconds": run.seconds,
            "graph": {"version": run.graph},
            "loads": [],
            **self.origin(),
            "exported": now(),
            "exported_by": VERSION,
        }

    def export(self, folder: str | Path, *, figures: str = "svg", size: str | None = None) -> list[Path]:
        """Write tables (CSV), charts, claims and ``provenance.json`` into a folder, as `seedrank.export`."""
        from seedrank.runs.experiment_files import export

        return export(self, folder, figures=figures, size=size)

    def to_latex(self, file: str | Path | None = None, table: str | None = None) -> str:
        r"""A table as LaTeX, which needs ``\usepackage{booktabs}``; also written into `file` where one is named.

        Parameters
        ----------
        file
            Such as ``table.tex``.
        table
            Of an experiment: its main one by default, ``claims``, or another of ``answer.tables``.
        """
        from seedrank.core.tables import as_latex

        named = self.table if self.experiment is None else next(iter(self.experiment.tables.values()))
        if table is not None:
            known = {**self.tables, **({} if self.experiment is None else {"claims": self.experiment.claims_table()})}
            if table not in known:
                raise UsageError(f"there is no table {shorten(table)}", hint=f"there are: {', '.join(known) or 'none'}")
            named = known[table]
        text = as_latex(named, f"{self.run.method}, {self.run.name}, seedrank {self.run.version}")
        if file is not None:
            with whole_file(Path(file)) as half:
                half.write_text(text, encoding="utf-8")
        return text

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


def _python(run: Run) -> str | None:
    """The call that asks it again, with every field that is not the default."""
    question = run.question
    if question is None:
        return None
    given = ((one.name, getattr(question, one.name), one.default) for one in fields(question))
    told = (f"{name}={value!r}" for name, value, default in given if value != default)
    return f"bench.ask(seedrank.{type(question).__name__}({', '.join(told)}))"


def run_name(given: str | Run | Answer) -> str:
    """The name of a run, which may be given as its answer or its record."""
    run = given.run if isinstance(given, Answer) else given
    name = run.name if isinstance(run, Run) else run
    if not isinstance(name, str):
        raise UsageError(f"{shorten(name)} names no run", hint="give an answer, run:ID or run:latest")
    return name
