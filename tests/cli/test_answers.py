"""`python -m benchmarks.answers`: it asks every question of the command line, and sees when an answer changes."""

from __future__ import annotations

import gzip
import json
import shlex
import subprocess
import sys

import pytest

from benchmarks import answers
from seedrank.cli.main import command

EXEMPT = {"db", "demo", "load", "generate"}
"""Commands that do not answer, whatever their options."""
ASKED = [shlex.split(line) for store in answers.STORES for _, line in answers.questions(store)]


def commands(group, words=()):
    """Commands by their words."""
    if not hasattr(group, "commands"):
        yield words, group
        return
    for name in group.commands:
        if name not in EXEMPT:
            yield from commands(group.commands[name], (*words, name))


def test_every_command_is_asked():
    found = [words for words, _ in commands(command())]
    assert len(found) > 80
    assert [words for words in found if not any(tuple(line[: len(words)]) == words for line in ASKED)] == []


def test_every_option_is_asked():
    """By one command of those that have it: methods of a family share theirs."""
    shared = {name for option in command().params for name in option.opts}
    known = {
        (words[0], *option.opts)
        for words, one in commands(command())
        for option in one.params
        if option.opts[0].startswith("-") and option.opts[0] not in shared
    }
    assert len(known) > 100
    assert [
        option
        for option in sorted(known)
        if not any(line[0] == option[0] and set(line) & set(option[1:]) for line in ASKED)
    ] == []


@pytest.mark.parametrize(
    ("now", "where", "equal"),
    [
        ({"score": 0.25, "url": "a"}, "", True),
        ({"score": 0.25 + 1e-12, "url": "a"}, "", False),
        ({"score": 0.25 + 1e-8, "url": "a"}, ".score", False),
        ({"score": 0.25, "url": "b"}, ".url", False),
        ({"score": 0.25}, ".url", False),
        ({"score": 0.25, "url": "a", "more": 1}, ".more", False),
        ([{"score": 0.25, "url": "a"}], "", False),
    ],
)
def test_where_answers_differ(now, where, equal):
    found, same = answers.difference(now, {"score": 0.25, "url": "a"})
    assert found.partition(":")[0] == where
    assert bool(found) == bool(where or isinstance(now, list))
    assert same == equal


@pytest.mark.parametrize(("now", "where"), [([1, 2], ""), ([2, 1], "[0]"), ([1], ""), ([1, True], "[1]")])
def test_orders_and_whole_numbers_are_equal(now, where):
    found, _ = answers.difference(now, [1, 2])
    assert found.partition(":")[0] == where
    assert bool(found) == (now != [1, 2])


def test_what_differs_from_run_to_run_is_left_out():
    assert answers.masked(
        {"seconds": 1.5, "version": "x", "said": "run 20260131-142305-k3v9qa of web.duckdb", "pages": 3}
    ) == {"said": "run RUN of STORE", "pages": 3}


@pytest.mark.slow
def test_a_changed_answer_is_seen(tmp_path):
    (tmp_path / "links.csv").write_text("source,target\nhttp://w.example/a,http://w.example/b\n")
    lines = f"[web]\nload table --links {tmp_path / 'links.csv'}\nrank indegree\nexport csv out/graph\n"
    (tmp_path / "questions.txt").write_text(lines)
    script = (
        "import sys, pathlib; from benchmarks import answers;"
        "answers.QUESTIONS = pathlib.Path(sys.argv.pop()); answers.main()"
    )

    def run(what):
        words = [sys.executable, "-c", script, what, str(tmp_path / "kept.gz"), str(tmp_path / "questions.txt")]
        return subprocess.run(words, capture_output=True, text=True, check=False)

    assert run("keep").returncode == 0
    again = run("compare")
    assert again.returncode == 0, again.stdout
    assert again.stdout.endswith("3 of 3 answers are the same on embedded\n")
    kept = [json.loads(line) for line in gzip.decompress((tmp_path / "kept.gz").read_bytes()).splitlines()]
    kept[2][2]["rows"][0]["score"] += 1
    with gzip.open(tmp_path / "kept.gz", "wt") as file:
        file.writelines(f"{json.dumps(line)}\n" for line in kept)
    another = run("compare")
    assert another.returncode == 1
    assert "ANOTHER  web: seedrank rank indegree\n         .rows[0].score" in another.stdout
