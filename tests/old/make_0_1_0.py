"""Make store-0.1.0.tar.xz: what version 0.1.0 left on disk, one run of every kind.

    python tests/old/make_0_1_0.py

It was run once, with the code of the commit below; the archive beside it is what the tests open. The environment must
hold the packages of constraints.txt of that commit, the embedded database above all.

The archive holds a folder with

    web.lbug             an embedded store: 400 pages with hosts, clicks, searches, rankings saved and scores written
    web.lbug.seedrank/   its cache (format 1, with in-links) and its runs, one or more of every kind
    arrays/              a folder of WebGraph arrays (format 1, with in-links and URLs)
    arrays.seedrank/     its runs
    impact.model         a model of `frontier learn`
    expected.json        what 0.1.0 answered
"""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

COMMIT = "6c379f5"
HERE = Path(__file__).resolve().parent
ARCHIVE = HERE / "store-0.1.0.tar.xz"

LOAD = [f"--{kind} web/{kind}.parquet" for kind in ("pages", "links", "hosts", "queries", "results")]
COMMANDS = [
    "generate web --pages 400 --seed 7 --hosts 12 --crawled 0.6 --inter-host 0.2",
    f"load table {' '.join(LOAD)}",
    "rank pagerank --write score",
    "rank pagerank --level host",
    "rank hits",
    "seeds maxweight -k 5 --save",
    "seeds random -k 5 --rng 3",
    "seeds greedy -k 3 -o seeds.csv",
    "seeds evaluate seeds.csv",
    "seeds reduce seeds.csv",
    "seeds cores -k 3 --save",
    "crawl fpr --limit 100 --save",
    "crawl compare fpr bfs --limit 100",
    "frontier rw-eg --budget 10% --save --save-links",
    "frontier q-overlap --budget 10%",
    "frontier tune --resamples 5",
    "frontier learn --model impact.model",
    "frontier learned --model impact.model --budget 10%",
    "experiment coverage --quick --min-pages 10",
    "experiment cores --quick",
    "experiment ordering --quick",
    "experiment impact --quick",
]
ARRAYS = [
    "generate --graph arrays --pages 400 --seed 7 --hosts 12 --urls",
    "--store arrays rank pagerank",
    "--store arrays seeds maxweight -k 5",
]
ASKED = [
    ("web.lbug", "stats"),
    ("web.lbug", "rank pagerank --top 20"),
    ("web.lbug", "seeds maxweight -k 5"),
    ("web.lbug", "frontier learned --model impact.model --budget 10% --top 20"),
    ("arrays", "rank pagerank --top 20"),
    ("web.lbug", "explain https://www.garnetden.example/chess-quilt-2/puzzle-train-10/"),
    ("web.lbug", "runs"),
    ("arrays", "runs"),
]
"""Asked last; their answers go into expected.json."""


def main() -> None:
    """Make the archive anew."""
    with tempfile.TemporaryDirectory() as name:
        code, work = Path(name) / "code", Path(name) / "store-0.1.0"
        work.mkdir()
        archived = subprocess.run(
            ["git", "archive", COMMIT], cwd=HERE.parents[1], check=True, capture_output=True
        ).stdout
        with tarfile.open(fileobj=io.BytesIO(archived)) as tar:
            tar.extractall(code, filter="data")

        def seedrank(words: str, *options: str) -> str:
            command = [sys.executable, "-c", "from cli.main import main; main()", *options, *words.split()]
            environment = {**os.environ, "PYTHONPATH": str(code), "SEEDRANK_STORE": "web.lbug"}
            done = subprocess.run(command, cwd=work, env=environment, capture_output=True, text=True)
            if done.returncode:
                sys.exit(f"{words}: {done.stderr}")
            return done.stdout

        for words in [*COMMANDS, *ARRAYS]:
            seedrank(words)
        expected = {f"{store}: {words}": seedrank(words, "--store", store) for store, words in ASKED}
        (work / "expected.json").write_text(json.dumps(expected, indent=1) + "\n", encoding="utf-8")
        shutil.rmtree(work / "web")
        shutil.rmtree(work / "web.lbug.seedrank" / "experiments", ignore_errors=True)
        with tarfile.open(ARCHIVE, "w:xz", preset=9) as tar:
            tar.add(work, work.name, filter=_anonymous)


def _anonymous(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member


if __name__ == "__main__":
    main()
