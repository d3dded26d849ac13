"""Where to start a crawl."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from seedrank import runs
from seedrank.core.errors import UsageError
from seedrank.questions.seeds import EvaluateQuestion, ReduceQuestion, SeedQuestion
from seedrank.runs import Run
from seedrank.session import Session

if TYPE_CHECKING:
    import pyarrow as pa

    from seedrank.seeds.cores import CoreQuestion

__all__ = ["SeedBench"]


class SeedBench(Session):
    """Questions about seeds."""

    def seeds(self, question: SeedQuestion | str, *, save: bool = False, **fields: Any) -> tuple[Run, pa.Table]:
        """Choose seeds; the answer is kept as a run.

        Parameters
        ----------
        question
            What is asked, or the name of a method.
        save
            Also write the answer into the database, for exploration.
        fields
            Fields of `SeedQuestion`, such as ``k=5, hops=3``.

        Returns
        -------
        run, table
            The record, with value, bound and ratio among its facts; and a row per seed with ``gain``,
            ``covered_pages``, ``covered_value``, ``frontier_reached``.
        """
        from seedrank.seeds.posing import choose_seeds

        question = SeedQuestion(method=question, **fields) if isinstance(question, str) else replace(question, **fields)
        run, ranking = choose_seeds(self, question, save=save)
        return run, self.rows(ranking)

    def core_seeds(self, question: CoreQuestion, *, save: bool = False) -> tuple[Run, pa.Table]:
        """Seeds from HITS cores; the answer is kept as a run, with the pages of its cores.

        Parameters
        ----------
        question
            What is asked.
        save
            Also write the cores and their seeds into the database, for exploration.

        Returns
        -------
        run, table
            The record; and a row per seed with ``name`` of its core, ``density``, how many hubs, authorities and
            hosts it has, and its members as lists: ``hubs`` and ``authorities`` (id, url), ``hosts`` (host, pages).
            `core_pages` reads the members of a kept run.
        """
        from seedrank.seeds.posing import find_cores

        run, found = find_cores(self, question, save=save)
        return run, found.with_members(self.rows(found.ranking), self.rows(found.as_ranking()))

    def core_pages(self, name: str = "run:latest") -> pa.Table:
        """Pages of the cores of a kept run: ``n`` of the core, ``role``, ``id``, ``score``."""
        run, _ = runs.read(self.runs_folder, name)
        table = runs.read_table(self.runs_folder, run, "cores")
        if table is None:
            raise UsageError(f"run:{run.id} found no cores", hint="name a run of `seedrank seeds cores`")
        return table

    def evaluate_seeds(self, question: EvaluateQuestion) -> tuple[Run, pa.Table]:
        """How good a list of seeds is: what each adds in the order of the list, and all of them together."""
        from seedrank.seeds.posing import evaluate_seeds

        run, ranking = evaluate_seeds(self, question)
        return run, self.rows(ranking)

    def reduce_seeds(self, question: ReduceQuestion) -> tuple[Run, pa.Table]:
        """The fewest seeds of a list that reach a share of what all of it reaches."""
        from seedrank.seeds.posing import reduce_seeds

        run, ranking = reduce_seeds(self, question)
        return run, self.rows(ranking)
