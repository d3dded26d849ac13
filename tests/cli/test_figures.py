"""``--figure``: a chart of an answer as a file."""

from __future__ import annotations

import subprocess
import sys
from xml.etree import ElementTree

import pytest

from tests.cli.conftest import made_once

pytestmark = pytest.mark.slow

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
@made_once
def web(seedrank, tmp_path):
    pages = [f"http://{'xyz'[n % 3]}.example/{n}" for n in range(60)]
    links = [(n, target) for n in range(60) for target in {(7 * n + 1) % 60, (3 * n) % 60, n // 2}]
    (tmp_path / "links.csv").write_text("source,target\n" + "".join(f"{pages[a]},{pages[b]}\n" for a, b in links))
    assert seedrank("load", "table", "--links", "links.csv").code == 0
    (tmp_path / "seeds.txt").write_text(f"{pages[1]}\n{pages[5]}\n")
    return tmp_path


def compare(seedrank, *words):
    return seedrank("crawl", "compare", "fpr", "fpr@20", "bfs", "--seeds", "seeds.txt", *words)


def texts(path) -> list[str]:
    return [text.text for text in ElementTree.parse(path).getroot().iter(f"{SVG}text")]


def test_the_main_chart_some_series_and_the_size(seedrank, web):
    outcome = compare(seedrank, "--figure", "f.svg", "--size", "8x5cm", "--series", "bfs,fpr")
    assert outcome.code == 0, outcome.err
    root = ElementTree.parse(web / "f.svg").getroot()
    assert (root.get("width"), root.get("height")) == ("226.77pt", "141.73pt")
    assert {"bfs", "fpr"} <= set(texts(web / "f.svg"))
    assert "fpr@20" not in texts(web / "f.svg")
    assert root.find(f"{SVG}title").text == "PageRank of the pages fetched so far"
    assert "wrote f.svg: PageRank of the pages fetched so far; other charts, by --chart: run-time" in outcome.err


def test_another_chart_and_the_same_file_again(seedrank, web):
    assert compare(seedrank, "--figure", "f.svg", "--chart", "run-time").code == 0
    first = (web / "f.svg").read_bytes()
    assert b"Scheduling time" in first
    # The answer is kept: nothing is measured anew, and the file is the same.
    assert compare(seedrank, "--figure", "f.svg", "--chart", "run-time").code == 0
    assert (web / "f.svg").read_bytes() == first


@pytest.mark.parametrize(("suffix", "begins"), [("pdf", b"%PDF-"), ("png", b"\x89PNG")])
def test_other_formats(seedrank, web, suffix, begins):
    assert compare(seedrank, "--figure", f"f.{suffix}").code == 0
    assert (web / f"f.{suffix}").read_bytes().startswith(begins)
    assert [path.name for path in web.glob("f*")] == [f"f.{suffix}"]


@pytest.mark.slow
def test_a_figure_of_an_experiment(seedrank, web, monkeypatch):
    monkeypatch.setattr("seedrank.experiments.ordering.measure.MOST_AT_ONCE", 1)
    words = ("experiment", "ordering", "--quick", "--figure", "f.svg", "--chart", "area", "--series", "bfs,fpr")
    outcome = seedrank(*words)
    assert outcome.code == 0, outcome.err
    assert [text for text in texts(web / "f.svg") if text in ("bfs", "fpr", "fpr@20")] == ["bfs", "fpr"]
    outcome = seedrank(*words[:-1], "bfs,best")
    assert (outcome.code, outcome.out) == (2, "")
    assert "the chart area has no series 'best'; it has fpr, " in outcome.err
    outcome = seedrank("experiment", "ordering", "--quick", "--figure", "f.svg", "--chart", "none")
    assert outcome.code == 2
    assert "unknown chart 'none'; there are: effectiveness, run-time, " in outcome.err


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--figure", "f.gif"), 2, "the suffix of f.gif names no kind of figure; use one of .svg .pdf .png"),
        (("--figure", "none/f.svg"), 1, "none/f.svg: its folder does not exist"),
        (("--figure", "f.svg", "--size", "big"), 2, "--size 'big' is not a size; write it like 8x5cm, in cm, mm or in"),
        (("--figure", "f.svg", "--size", "1x1cm"), 2, "--size must be from 5x3cm to 100x100cm, not '1x1cm'"),
        (("--figure", "f.svg", "--series", "fpr,x"), 2, "the figure has no series 'x'; it has fpr, fpr@20, bfs"),
        (("--size", "8x5cm"), 2, "--size says how a figure looks; name its file with --figure FILE"),
        (("--chart", "run-time"), 2, "--chart says how a figure looks"),
    ],
)
def test_what_cannot_be_is_refused_in_a_line_before_any_work(seedrank, web, words, code, said):
    outcome = compare(seedrank, *words)
    assert outcome.code == code
    [line] = outcome.err.strip().splitlines()
    assert said in line
    assert not list(web.glob("f.*"))


def test_commands_that_draw_nothing_import_no_charts(web):
    code = "import sys, seedrank.cli.main; sys.argv = ['seedrank', *{words!r}]\nseedrank.cli.main.run()\n"
    code += "print(*sys.modules, file=sys.stderr)"
    for words in (["crawl", "compare", "bfs", "--seeds", "seeds.txt"], ["stats"], ["seeds", "maxout", "-k", "2"]):
        done = subprocess.run(
            [sys.executable, "-c", code.format(words=words)], cwd=web, capture_output=True, text=True, check=True
        )
        assert done.stdout
        modules = set(done.stderr.split())
        assert "numpy" in modules
        assert not {"seedrank.output.charts.vega_lite", "vl_convert"} & modules, words
