"""Judge every paper's claims on recorded graphs and write docs/reproduction.md and docs/findings.md.

    python -m docs.reproduction WORK [--data DIR] [--only GRAPH] [--into DIR]

WORK keeps stores, measurements and findings: a repeated run goes on where it stopped. To judge kept measurements again
(after a change of a claim) remove WORK/found; to measure anew remove WORK.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

from docs.reproduction.findings import charts, findings
from docs.reproduction.forest import forest
from docs.reproduction.page import page
from docs.reproduction.results import Results
from docs.reproduction.running import run_all
from docs.reproduction.simulated import kept_coverage

DOCS = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("SEEDRANK_DATA") or DOCS.parents[1] / "shared" / "data")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of recorded graphs [default: %(default)s]")
    parser.add_argument("--only", action="append", default=[], metavar="GRAPH", help="may be given several times")
    parser.add_argument("--into", type=Path, default=DOCS, help="folder of the documents")
    given = parser.parse_args()
    started = time.perf_counter()
    work = given.work.resolve()
    found, left_out = run_all(work, given.data.resolve(), given.only)
    results = Results(found, left_out)
    (given.into / "pictures").mkdir(parents=True, exist_ok=True)
    pictures = {
        f"forest-{paper.name}": forest(
            results, f"{paper.title}: claims by graph", [(key, "") for key in results.keys(paper)]
        )
        for paper in results.papers
    }
    for old in (given.into / "pictures").glob("finding-*.svg"):
        old.unlink()
    for name, drawn in {**pictures, **charts(results)}.items():
        (given.into / "pictures" / f"{name}.svg").write_text(drawn, encoding="utf-8")
    coverage = kept_coverage(work)
    (given.into / "reproduction.md").write_text(page(results, coverage), encoding="utf-8")
    (given.into / "findings.md").write_text(findings(results), encoding="utf-8")
    print(f"\n{(time.perf_counter() - started) / 60:.1f} minutes in all", flush=True)
    for sentence in left_out:
        print(f"left out: {sentence}", flush=True)


if __name__ == "__main__":
    main()
