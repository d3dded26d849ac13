"""What questions are said to cost beforehand (`seedrank.session.estimates`) against what they take.

    python -m benchmarks.estimates DIR --pages 1000000 5000000 20000000

On webs that `benchmarks.growth` or `benchmarks.paper` made, or that are made now. Goal: within a factor of 2 at each
size.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import seedrank
from benchmarks.growth import SIZES
from benchmarks.running import make_web
from seedrank import CoreQuestion, CrawlQuestion, RankQuestion, SeedQuestion
from seedrank.ingest.synthetic import WebSpec, write_graph
from seedrank.questions.graph import StatsQuestion
from seedrank.questions.question import Question
from seedrank.session.estimates import estimate

QUESTIONS: tuple[Question, ...] = (
    StatsQuestion(),
    SeedQuestion(method="maxout", k=10),
    SeedQuestion(method="maxweight", k=5),
    CoreQuestion(k=4),
    RankQuestion(method="hits", iterations=30),
    RankQuestion(method="pagerank", damping=0.7),
    SeedQuestion(method="pagerank", k=10),
    CrawlQuestion(order="fpr"),
)
FACTOR = 2.0


def show(web: Path) -> None:
    """A line per question."""
    for question in QUESTIONS:
        with seedrank.open(str(web)) as bench:
            told = estimate(bench.session, question)
            assert told is not None
            started = time.perf_counter()
            bench.ask(question)
            took = time.perf_counter() - started
        missed = "" if 1 / FACTOR <= took / told.seconds <= FACTOR else " missed"
        print(f"{question.title:24} {told.seconds:10.1f} {took:10.1f} {took / told.seconds:8.2f}{missed}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, nargs="*", default=list(SIZES))
    options = parser.parse_args()
    small = options.folder / "small"
    if not small.exists():
        write_graph(WebSpec(2_000, rng=2, crawled=1.0), small)
    with seedrank.open(str(small)) as bench:
        for question in QUESTIONS:  # compiles the loops
            bench.ask(question)
    for pages in options.pages:
        web = make_web(options.folder, pages)
        print(f"{web.name:24} {'told, s':>10} {'took, s':>10} {'ratio':>8}")
        show(web)


if __name__ == "__main__":
    main()
