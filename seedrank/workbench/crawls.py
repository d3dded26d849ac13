"""In which order to fetch."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from seedrank import runs
from seedrank.core.errors import GraphError, UsageError
from seedrank.runs import Ranking, Run
from seedrank.workbench.seeds import SeedBench

if TYPE_CHECKING:
    import pyarrow as pa

    from seedrank.crawl.question import CrawlQuestion
    from seedrank.evaluate.crawls import Crawls
    from seedrank.evaluate.experiment import Experiment

__all__ = ["CrawlBench"]

log = logging.getLogger(__name__)


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
        from seedrank.crawl.measures import summary
        from seedrank.evaluate.crawls import Crawls, parameters_of

        started = time.perf_counter()
        seeds = self._named_run(seeds)
        crawls = Crawls(self, value)
        seed_facts, pages = self.crawl_seeds(seeds, question.rng, crawls)
        crawl = crawls.run(question, pages)
        facts = {
            **seed_facts,
            **summary(crawls.yardstick_from(pages), crawl),
            "partial": crawl.partial,
            "discovered": crawl.discovered,
            "pushes": crawl.pushes,
            "revisits": crawl.revisits,
        }
        columns: dict[str, np.ndarray] = {"discovered": crawl.found.astype(np.int64) + 1}
        if crawl.mass is not None:
            columns["bound"] = crawl.mass
        if crawl.times is not None:
            columns["second"] = crawl.times
        ranking = Ranking(crawl.pages.astype(np.int64), crawl.scores, columns)
        parameters = parameters_of(question, seeds, site=self.site, value=value)
        # An order is one long queue: it is worked off in memory, whichever engine is asked for.
        run = self.record(f"crawl {question.name}", parameters, started, facts, {"crawl": "native"})
        self.keep(run, ranking, save=save)
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
        from seedrank.evaluate import ordering
        from seedrank.evaluate.crawls import Crawls

        seeds = self._named_run(seeds)
        crawls = Crawls(self, value)
        _, pages = self.crawl_seeds(seeds, question.rng, crawls)
        return ordering.compare(self, crawls, names, question, pages, seeds)

    def crawl_seeds(self, text: str, rng: int = 1, crawls: Crawls | None = None) -> tuple[dict[str, Any], np.ndarray]:
        """Pages a crawl begins with, and what is to be said of them: a file, ``METHOD:N`` or ``run:ID``."""
        from seedrank.crawl.question import seed_source
        from seedrank.evaluate.crawls import Crawls
        from seedrank.seeds.ask import METHODS, SeedQuestion

        source, count = seed_source(text, (*METHODS, "cores"))
        if source.startswith("run:"):
            run, ranking = runs.read(self.runs_folder, source)
            if run.facts.get("partial"):
                log.warning("run:%s was interrupted: its order is a part", run.id)
            pages = ranking.pages[:count]
            if not len(pages):
                raise UsageError(f"{source} has no pages", hint="name another run")
        elif source == "pagerank":
            pages = (crawls or Crawls(self)).best_pages(count or 1)
        elif source == "cores":
            from seedrank.seeds.cores import CoreQuestion

            pages = self.core_seeds(CoreQuestion(k=count or 1, rng=rng))[1]["id"].to_numpy()
        elif source in METHODS:
            _, table = self.seeds(SeedQuestion(method=source, k=count or 1, rng=rng))
            pages = table["id"].to_numpy()
        else:
            facts, pages = self.known_pages(source)
            return {"seeds": len(pages), "seeds unknown": facts["unknown"]}, pages
        if not len(pages):
            raise GraphError("no page is crawled, so there are no seeds", hint="load pages with their links")
        return {"seeds": len(pages)}, np.asarray(pages, np.int64)

    def _named_run(self, seeds: str) -> str:
        """The same seeds with the id of ``run:latest``, which will be another run later."""
        if seeds.split(":")[:2] != ["run", "latest"]:
            return seeds
        return seeds.replace("latest", runs.read(self.runs_folder, "run:latest")[0].id, 1)
