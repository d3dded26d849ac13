"""Standard streams that are closed, full, broken, or know no letters but ASCII."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from tests.cli.shells import shell

pytestmark = [pytest.mark.slow, pytest.mark.long]

URL = "http://a.example/straße"


@pytest.fixture(scope="module")
def web(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("streams")
    (folder / "pages.csv").write_text(f"url,clicks,kind\n{URL},3,ü\nhttp://b.example/,,page\n")
    (folder / "links.csv").write_text(f"source,target\n{URL},http://b.example/\n")
    done = shell("S load table --pages pages.csv --links links.csv --urls verbatim", folder)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.parametrize(("inward", "out", "err"), list(itertools.product(("", "<&-"), ("", ">&-"), ("", "2>&-"))))
def test_closed_streams_are_one_line_and_never_the_store(web, inward, out, err):
    before = (web / "web.duckdb").read_bytes()
    done = shell(f"S stats {inward} {out} {err}", web)
    assert done.returncode == (1 if out else 0)
    assert (web / "web.duckdb").read_bytes() == before
    if out and not err:
        assert done.stderr == "seedrank: standard output is closed; redirect it, or give -o FILE\n"
    assert "Traceback" not in done.stderr


def test_a_file_needs_no_standard_output(web):
    done = shell("S rank pagerank -o ranks.csv <&- >&- 2>&-", web)
    assert done.returncode == 0
    assert (web / "ranks.csv").read_text().count("\n") == 3


@pytest.mark.parametrize("command", ["load snap -", "query -", "load table --pages -"])
def test_a_closed_input_is_named(web, command):
    done = shell(f"S {command} --store other.duckdb <&-" if "load" in command else f"S {command} <&-", web)
    assert done.returncode == 1
    assert "standard input is closed" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "command",
    [
        "stats",
        "rank pagerank --format csv",
        "rank pagerank --format json",
        "rank pagerank --format table",
        "rank pagerank --format parquet",
        "--help",
        "--version",
    ],
)
def test_a_reader_that_left_is_no_failure(web, command):
    # It leaves before the command has begun.
    done = shell(f"S {command} > >(exec 0<&-) & wait $!", web)
    assert (done.returncode, done.stderr.count("Traceback")) == (0, 0), done.stderr


def test_remarks_that_nobody_reads_do_not_stop_the_work(web):
    done = shell("S rank pagerank 2> >(exec 0<&-) > answer & wait $!", web)
    assert done.returncode == 0
    assert (web / "answer").read_text().count("\n") == 2
    failed = shell("S rank pagerank --damping 5 2> >(exec 0<&-) & wait $!", web)
    assert failed.returncode == 2


@pytest.mark.parametrize("command", ["stats", "stats --format table", "rank pagerank --format csv", "--help"])
def test_a_full_output_is_one_line(web, command):
    done = shell(f"S -q {command} >/dev/full", web)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "No space left on device" in done.stderr


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONIOENCODING": "ascii"},
        {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
    ],
    ids=["ioencoding", "locale"],
)
@pytest.mark.parametrize(
    "command",
    [
        "stats --format table",
        "rank pagerank --format table",
        "rank pagerank --format csv",
        "query 'MATCH (p:Page) RETURN p.url AS `größe`' --format table",
        "seeds evaluate straße.txt",
        "stats --store straße.duckdb",
    ],
)
def test_ascii_output_shows_codes(web, command, environment):
    done = shell(f"S -q {command}", web, environment=environment)
    assert done.returncode == (1 if "straße." in command else 0), done.stderr
    assert "Traceback" not in done.stderr
    assert "fault" not in done.stderr
    if "table" in command and "stats" not in command:
        assert "stra\\xdfe" in done.stdout


def test_names_that_are_not_utf_8(web):
    for command in (
        "seeds evaluate $'se\\xffeds.csv'",
        "rank pagerank --teleport $'se\\xffeds.csv'",
        "rank pagerank -o $'ra\\xffnks.csv'",
        "load table --pages $'se\\xffeds.csv' --store other.duckdb",
        "report -o $'re\\xffport.html'",
    ):
        done = shell(f"printf 'url\\nhttp://b.example/\\n' > $'se\\xffeds.csv'; S {command}", web)
        assert done.returncode == 0, (command, done.stderr)
    for command in (
        "stats --store $'b\\xffd.duckdb'",
        "seeds random --value $'\\xff'",
        "seeds random --only $'host=\\xff'",
        "query $'RETURN \"\\xff\" AS a'",
        "query 'RETURN $a AS a' -p a=$'\\xff'",
        "explain $'\\xff'",
        "runs show $'\\xff'",
    ):
        done = shell(f"S {command}", web)
        assert done.returncode in (1, 2), (command, done.stderr)
        assert done.stderr.count("\n") == 1, (command, done.stderr)
        assert "fault" not in done.stderr, (command, done.stderr)
