"""Errors have one shape, ``seedrank: what is wrong; what to do``, and one of two exit codes."""

from __future__ import annotations

import logging

import pytest

from seedrank.cli import options

COMMAND = "seedrank seeds greedy"
GREEDY = f"see {COMMAND} --help"
TIME = "a time such as 2024-01-31 or 2024-01-31T12:00:00"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("seeds greedy -k x", f"-k must be a whole number, not 'x'; {GREEDY}"),
        ("seeds greedy --time-limit abc", f"--time-limit must be a number, not 'abc'; {GREEDY}"),
        ("seeds greedy --format xml", f"--format must be one of table, json, csv, tsv, parquet, not 'xml'; {GREEDY}"),
        ("seeds greedy --top 0", f"--top must be at least 1, not 0; {GREEDY}"),
        ("seeds greedy -k 0", "-k must be at least 1, not 0"),
        ("load access-log --from now x", f"--from must be {TIME}, not 'now'; see seedrank load access-log --help"),
        ("seeds nope", "unknown command 'nope'; see seedrank seeds --help"),
        ("seds", "unknown command 'seds'; did you mean seeds?"),
        ("seeds greedy --hop 3", "seedrank seeds greedy has no option --hop; did you mean --hops?"),
        ("seeds greedy --nope", f"seedrank seeds greedy has no option --nope; {GREEDY}"),
        (
            "seeds greedy --depth 3",
            f"{COMMAND} does not use --depth; it goes with maxweight, maxscc, rootscc",
        ),
        ("seeds greedy -k", f"-k needs a value; {GREEDY}"),
        ("seeds greedy --fold=yes", f"--fold takes no value; {GREEDY}"),
        ("explain", "URL is missing; see seedrank explain --help"),
        ("load warc", "FILE is missing; see seedrank load warc --help"),
        ("stats more words", "'more words' is more than seedrank stats takes; see seedrank stats --help"),
    ],
)
def test_a_wrong_command_line(seedrank, words, said):
    done = seedrank(*words.split())
    assert (done.code, done.out, done.err) == (2, "", f"seedrank: {said}\n")


def test_what_is_not_there_ends_alike(seedrank, tmp_path):
    """A store, a run and a file: the command is right, and fails."""
    (tmp_path / "links.txt").write_text("0\t1\n1\t0\n")
    assert seedrank("load", "snap", "links.txt").code == 0
    for words, said in {
        "--store none.duckdb stats": "none.duckdb does not exist; load a graph first: `seedrank load` makes the store",
        "--store none.duckdb runs show run:latest": "none.duckdb does not exist; load a graph first: "
        "`seedrank load` makes the store",
        "runs show nope": "run 'nope' does not exist; list the runs of this store",
        "runs show run:latest": "run:latest does not exist; ask a question first: no run is kept for this store yet",
        "runs delete run:nope": "run 'nope' does not exist; list the runs of this store",
        "crawl bfs --seeds run:nope": "run 'nope' does not exist; list the runs of this store",
        "export urls --run nope": "run 'nope' does not exist; list the runs of this store",
        "export cc-ranks": "no run of rank harmonic is kept; rank by it first",
    }.items():
        done = seedrank(*words.split())
        assert (done.code, done.out, done.err) == (1, "", f"seedrank: {said}\n"), words
    assert seedrank("load", "snap", "none.txt").code == 1


def test_the_exit_codes_are_in_the_help(seedrank):
    shown = " ".join(seedrank("--help").out.split())
    assert (
        "Exit codes: 0 done; 1 failed, also where a store, a run or a file does not exist; 2 a wrong command" in shown
    )


@pytest.mark.parametrize(
    ("flags", "level"),
    [("-q", "ERROR"), ("-v", "DEBUG"), ("-qv", "ERROR"), ("-vq", "ERROR"), ("--verbose", "DEBUG"), ("", "INFO")],
)
@pytest.mark.parametrize("before", [True, False])
def test_how_much_is_said(seedrank, flags, level, before):
    seedrank(*flags.split() if before else (), "runs", "list", *() if before else flags.split())
    assert {logging.getLevelName(logging.getLogger(name).level) for name in options.LOGGERS} == {level}


def test_an_interrupt_while_a_class_is_made_is_an_interrupt(seedrank, monkeypatch):
    class Interrupting:
        def __set_name__(self, owner, name):
            raise KeyboardInterrupt

    monkeypatch.setattr("seedrank.cli.runs.opened", lambda *given: type("Made", (), {"member": Interrupting()}))
    outcome = seedrank("runs", "list")
    assert (outcome.code, outcome.err) == (130, "seedrank: interrupted\n")
