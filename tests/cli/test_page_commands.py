"""Blocks of commands in the documents: each is run by a test, or has a reason here and is read by the command line."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_examples import world

__all__ = ["world"]

ROOT = Path(__file__).resolve().parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")), ROOT / "benchmarks" / "README.md"]
BIN = Path(sys.executable).parent
ELSEWHERE = {
    "docs/commands": "tests/cli/test_examples.py",
    "docs/explore.md": "tests/docs/test_explore_tour.py",
    "docs/tutorials": "tests/docs/test_tutorials.py",
}
"""Pages that another test runs from the first block to the last."""
HERE = (
    ("docs/formats.md", "seedrank load bvgraph uk-2002 --names uk-2002.urls.gz --graph uk-2002-arrays"),
    ("docs/operations.md", "seedrank check"),
    ("docs/operations.md", "seedrank backup web.zip"),
)
"""Blocks that are run here, by page and first line."""
OF_DOCKER = "needs a Docker engine and images of a registry; tests/unit/test_containers.py reads the files"
OF_A_SERVER = "starts, stops or asks the Neo4j server of this machine; tests/stores/test_neo4j_server.py does"
OF_SPARK = "needs Spark, most of it a cluster; tests/engines/test_spark_cluster.py runs the walk-through"
OF_MAKE = "a target of the Makefile; tests/docs/test_people.py holds its name"
OF_A_RELEASE = "publishes, or checks what is to be published"
NOT_RUN = {
    ("README.md", "make demo"): "tests/docs/test_docs.py runs its command",
    ("README.md", "export NEO4J_PASSWORD=…; docker compose up --detach --wait"): OF_DOCKER,
    ("README.md", "seedrank generate web --pages 2000"): "tests/docs/test_docs.py runs it",
    ("CONTRIBUTING.md", "make test-fast"): OF_MAKE,
    ("CONTRIBUTING.md", "make site"): OF_MAKE,
    ("RELEASE.md", "make docs licences"): OF_A_RELEASE,
    ("RELEASE.md", ".ci/run"): OF_A_RELEASE,
    ("RELEASE.md", "make test-wheel"): OF_A_RELEASE,
    ("RELEASE.md", 'git tag --annotate v0.3.0 --message "Release 0.3.0"'): OF_A_RELEASE,
    ("RELEASE.md", "twine check --strict dist/*"): OF_A_RELEASE,
    ("docs/scale.md", "pip install --constraint constraints.txt '.[spark]'"): OF_SPARK,
    ("docs/scale.md", "export SPARK_LOCAL_IP=127.0.0.1 MASTER=spark://127.0.0.1:7077"): OF_SPARK,
    ("docs/scale.md", 'python -m benchmarks.host_graph cc --hosts 300 --links 2000'): OF_SPARK,
    ("docs/scale.md", 'seedrank --store spark+parquet:wat.spark --master $MASTER load table --links links/'): OF_SPARK,
    ("docs/operations.md", "seedrank db up"): OF_A_SERVER,
    ("docs/operations.md", "seedrank --store neo4j load snap web-NotreDame.txt.gz --bulk"): OF_A_SERVER,
    ("docs/operations.md", "seedrank db projections --store neo4j"): OF_A_SERVER,
    ("docs/operations.md", "seedrank db down"): OF_A_SERVER,
    ("docs/operations.md", "export NEO4J_USERNAME=neo4j NEO4J_PASSWORD=eight-or-more"): OF_DOCKER,
    ("docs/operations.md", "docker compose run --rm seedrank load snap /files/web-NotreDame.txt.gz"): OF_DOCKER,
    ("docs/operations.md", "docker compose stop neo4j"): OF_DOCKER,
    ("docs/operations.md", "docker build --file docker/neo4j.Dockerfile --tag seedrank-neo4j:5.26 ."): OF_DOCKER,
    ("docs/operations.md", "docker build --file docker/seedrank.Dockerfile --tag seedrank ."): OF_DOCKER,
    ("docs/operations.md", 'docker run --rm -it --user "$(id -u):$(id -g)" --volume "$PWD":/data seedrank load snap '
     "web-NotreDame.txt.gz"): OF_DOCKER,
}  # fmt: skip
"""Why the others are not."""


def shell_blocks(page: Path) -> list[str]:
    text = page.read_text(encoding="utf-8")
    return re.findall(r"^```(?:sh|bash|shell)[^\n]*\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def blocks_by_first_line() -> dict[tuple[str, str], str]:
    """Blocks of the pages that no other test runs as a whole, by page and first line."""
    found: dict[tuple[str, str], str] = {}
    for page in PAGES:
        name = page.relative_to(ROOT).as_posix()
        if not name.startswith(tuple(ELSEWHERE)):
            for block in shell_blocks(page):
                key = (name, re.split(r"\s+#", block.partition("\n")[0])[0])
                assert key not in found, f"two blocks of {name} begin with {key[1]}"
                found[key] = block
    return found


def commands_of_seedrank(block: str) -> list[list[str]]:
    """The arguments of each line that calls seedrank: installed, or as a container."""
    found = []
    for line in block.replace("\\\n", " ").splitlines():
        words = shlex.split(line, comments=True)
        while words and re.fullmatch(r"[A-Z][A-Z0-9_]*=.*", words[0]):
            words = words[1:]
        if words[:2] in (["docker", "run"], ["docker", "compose"]) and "run" in words and "seedrank" in words:
            words = words[words.index("seedrank") :]
        if words[:1] == ["seedrank"]:
            found.append(words[1:])
    return found


def test_each_block_is_run_or_has_a_reason():
    assert set(blocks_by_first_line()) == {*HERE, *NOT_RUN}
    for test in ELSEWHERE.values():
        assert (ROOT / test).is_file()


@pytest.mark.docs
@pytest.mark.slow
@pytest.mark.parametrize(("page", "first"), HERE, ids=[": ".join(block) for block in HERE])
def test_a_block_runs(page, first, world, tmp_path):
    shutil.copytree(world, tmp_path, dirs_exist_ok=True)
    environment = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"}
    for line in blocks_by_first_line()[page, first].replace("\\\n", " ").strip().splitlines():
        done = subprocess.run(["bash", "-c", line], cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, f"{line}\n{done.stderr}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_command_line_knows_what_is_shown(page, seedrank):
    """Every command and option of every block; `--help` at the end keeps it from being run."""
    for block in shell_blocks(page):
        for words in commands_of_seedrank(block):
            done = seedrank(*words, "--help")
            assert done.code == 0, f"{' '.join(words)}\n{done.err}"


def test_a_command_that_is_not_known_is_told(seedrank):
    assert commands_of_seedrank("A=1 seedrank stats --bad # x\nls\ndocker run --rm -it seedrank demo\n") == [
        ["stats", "--bad"],
        ["demo"],
    ]
    assert seedrank("stats", "--bad", "--help").code == 2
    assert seedrank("status", "--help").code == 2
