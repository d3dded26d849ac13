"""In which order to fetch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from seedrank.runs import Run
from seedrank.workbench.seeds import SeedBench

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

    from seedrank.crawl.question import CrawlQuestion
    from seedrank.evaluate.experiment import Experiment

__all__ = ["CrawlBench"]


class CrawlBench(SeedBench):
    """Questions about crawl orders; a crawl may begin with chosen seeds."""

    def crawl(
        self, question: CrawlQuestion, seeds: str = "pagerank:160", *, value: str | None = None, save: bool = False
    ) -> tuple[Run, pa.Table]:
        """Replay a crawl over the recorded graph; the order is kept as a run.

        Parameters
        ----------
        question
            The order, and when to stop.
        seeds
            A file, ``METHOD:N`` (``pagerank:160`` or any method of `seeds`), or ``run:ID``.
        value
            Also measure by ``uniform``, ``paper`` or a page column.
        save
            Also write the order into the database, for exploration.

        Returns
        -------
        run, table
            The record, with the measures among its facts; and a row per fetch with ``score`` (the key at the fetch),
            ``discovered`` (number of the discovery, from 1), ``bound`` and ``second`` where there are any. An
            interrupted crawl is kept too, with ``partial`` among its facts.
        """
        from seedrank.crawl.replay import replay

        run, ranking = replay(self, question, seeds, value=value, save=save)
        return run, self.rows(ranking)

    def compare_orders(
        self,
        names: Sequence[str],
        question: CrawlQuestion,
        seeds: str = "pagerank:160",
        *,
        value: str | None = None,
    ) -> tuple[Run, Experiment]:
        """Replay several orders from the same seeds, with the same budget, and measure them side by side.

        Parameters
        ----------
        names
            Orders by their short names: ``fpr``, ``fpr@20``, ``windowed-rankmass:5%``, ``pagerank:partial``, ``bfs`` …
        question
            Everything but the order.
        seeds, value
            As for `crawl`.

        Returns
        -------
        run, experiment
            Tables ``orders`` and ``curves`` and the charts of both figures, kept as a run.
        """
        from seedrank.evaluate.ordering.comparison import compare_orders

        return compare_orders(self, names, question, seeds, value=value)

    def crawl_seeds(self, text: str, rng: int = 1) -> tuple[dict[str, Any], np.ndarray]:
        """Pages a crawl begins with and facts about them, from a file, ``METHOD:N`` or ``run:ID``."""
        from seedrank.crawl.starts import start_pages

        return start_pages(self, text, rng)
