"""Where to start a crawl."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from seedrank import runs
from seedrank.core.errors import UsageError
from seedrank.core.model import Status
from seedrank.desk import Desk
from seedrank.runs import Run

if TYPE_CHECKING:
    import pyarrow as pa

    from seedrank.seeds.ask import SeedQuestion
    from seedrank.seeds.cores import CoreQuestion
    from seedrank.seeds.coverage import Selection

__all__ = ["SeedBench"]


class SeedBench(Desk):
    """Questions about seeds."""

    def seeds(
        self,
        question: SeedQuestion,
        *,
        only: Sequence[str] = (),
        exclude: Sequence[str] = (),
        keep: str | None = None,
        save: bool = False,
    ) -> tuple[Run, pa.Table]:
        """Choose seeds; the answer is kept as a run.

        Parameters
        ----------
        question
            What is asked.
        only, exclude
            Conditions on candidates, such as ``host=*.example``.
        keep
            A file of seeds in use: they count as chosen first.
        save
            Also write the answer into the database, for exploration.

        Returns
        -------
        run, table
            The record, with value, bound and ratio among its facts; and a row per seed with ``gain``,
            ``covered_pages``, ``covered_value``, ``frontier_reached``.
        """
        from seedrank.seeds.posing import choose_seeds

        run, ranking = choose_seeds(self, question, only=only, exclude=exclude, keep=keep, save=save)
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

    def evaluate_seeds(self, file: str, question: SeedQuestion) -> tuple[Run, pa.Table]:
        """How good a list of seeds is: what each adds in the order of the list, and all of them together.

        Pages of the list that are not in the graph, not crawled or given twice are counted in the run's facts.
        """
        from seedrank.seeds import ask
        from seedrank.seeds.bound import upper_bound
        from seedrank.seeds.coverage import cover_in_order

        started = time.perf_counter()
        facts, pages = self.known_pages(file)
        alive = self.graph.status[pages] == Status.CRAWLED
        facts["not crawled"] = int((~alive).sum())
        question = replace(question, k=max(len(pages), 1))
        every = np.ones(self.graph.pages, bool)
        problem = ask.pose(question, self.graph, self.engine, self.sites, every, np.empty(0, np.int64))
        selection = cover_in_order(problem, [pages])
        bound = upper_bound(problem, selection, tight=question.certify)
        value = float(selection.covered_value[-1]) if len(pages) else 0.0
        facts |= {
            "seeds": len(pages),
            "value": value,
            "pages": int(selection.covered_pages[-1]) if len(pages) else 0,
            "bound": bound.value,
            "bound form": bound.form,
            "ratio": bound.ratio(value),
            "add nothing": int((selection.gain <= 0).sum()),
        }
        return self._judged("evaluate", file, question, started, facts, selection)

    def reduce_seeds(self, file: str, question: SeedQuestion, share: float) -> tuple[Run, pa.Table]:
        """The fewest seeds of a list (by greedy choice) that reach `share` (in (0, 1]) of what all of it reaches."""
        from seedrank.seeds import ask
        from seedrank.seeds.reduce import reduce

        if not 0 < share <= 1:
            raise UsageError(f"a share of {share:.6g} cannot be kept", hint="give more than 0 % and at most 100 %")
        started = time.perf_counter()
        facts, pages = self.known_pages(file)
        question = replace(question, k=max(len(pages), 1))
        listed = np.zeros(self.graph.pages, bool)
        listed[pages] = True
        problem = ask.pose(question, self.graph, self.engine, self.sites, listed, np.empty(0, np.int64))
        selection, whole = reduce(problem, share)
        reached = float(selection.covered_value[-1]) if len(selection.pages) else 0.0
        facts |= {"of": len(pages), "seeds": len(selection.pages), "value": reached, "value of all": whole}
        facts |= ask.search_facts(question, selection)
        return self._judged("reduce", file, question, started, facts, selection, share=share)

    def _judged(
        self,
        what: str,
        file: str,
        question: SeedQuestion,
        started: float,
        facts: dict[str, Any],
        selection: Selection,
        **more: Any,
    ) -> tuple[Run, pa.Table]:
        """Keep what was found about a list, with everything it depends on."""
        from seedrank.seeds.posing import seed_ranking

        names = ("hops", "value", "rules", "history", "certify", "time_limit", "tolerance", "sketch")
        asked = asdict(question)
        parameters = {"file": file, **{name: asked[name] for name in names}, "site": self.site, **more}
        run = self.record(f"seeds {what}", parameters, started, facts)
        ranking = seed_ranking(selection)
        self.keep(run, ranking, save=False)
        return run, self.rows(ranking)
