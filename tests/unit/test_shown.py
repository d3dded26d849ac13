"""What notebooks and the prompt show: tables of text, whatever the data holds."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import seedrank
from seedrank.core.tables import (
    Bounded,
    Sheet,
    as_html,
    as_markdown,
    as_text,
    markdown_cell,
    middle_cut,
    pairs,
    sheet_of,
    text_of,
)
from seedrank.runs.experiment import Claim, Experiment
from seedrank.runs.record import Run, Runs, asked

HOSTILE = "<script>alert(1)</script>\"'&\x1b[31m\u202e$x$"
TAGS = {"div", "p", "table", "caption", "thead", "tbody", "tr", "th", "td"}
ATTRIBUTES = {("class", "tex2jax_ignore mathjax_ignore"), ("scope", "col"), ("style", "text-align: left")}


class Parsed(HTMLParser):
    """Tags that are open at the end, and the text of every table by rows."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tables: list[list[list[str]]] = []
        self.text = ""
        self.feed(html)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        assert tag in TAGS
        assert set(attrs) <= ATTRIBUTES
        self.open.append(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        # Formulas are left alone within the outer element, so all text must be in it.
        assert self.open[0] == "div"
        self.text += data
        if self.open[-1] in ("td", "th"):
            self.tables[-1][-1][-1] += data


@given(st.lists(st.text(), min_size=2, max_size=2), st.lists(st.tuples(st.text(), st.text())), st.text(), st.text())
def test_text_of_any_kind_is_text(names, rows, caption, title):
    sheet = Sheet(names, rows, caption)
    found = Parsed(as_html(title, [sheet]))
    shown = [[middle_cut(text_of(cell), 300) for cell in row] for row in ([names] if any(names) else []) + rows]
    assert found.tables == [shown]
    for text in (as_text(title, [sheet]), found.text):
        assert all(c.isprintable() or c == "\n" for c in text)


def test_values_are_shown_as_people_read_them():
    values = {
        None: "", float("nan"): "", True: "yes", False: "no", 1234567: "1,234,567", 5.0: "5", 0.000123456: "0.0001235",
        1234.5: "1,234.50", float("inf"): "inf", 1e300: "1e+300", ("a", 2): "a, 2", "a\nb": "a\\nb",
    }  # fmt: skip
    assert [text_of(value) for value in values] == list(values.values())
    assert text_of({"a": [1, None], "b\x1b": "\u202e"}) == "a: 1, , b\\x1b: \\u202e"
    assert text_of("\ud800") == "\\ud800"


def test_long_text_keeps_both_ends():
    url = f"https://a.example/{'x' * 500}/end"
    assert middle_cut(url, 60).startswith("https://a.example/xxx")
    assert middle_cut(url, 60).endswith("/end")
    assert len(middle_cut(url, 60)) == 60
    assert middle_cut("a" * 60, 60) == "a" * 60
    assert "…" in as_text("", [Sheet(("url",), [(url,)])])


def test_an_estimate_stands_with_its_interval_in_one_cell():
    sheet = Sheet(("name", "share"), [("a", Bounded(0.51234, 0.4, 0.6)), ("b", 0.5), ("c", None)])
    assert as_text("", [sheet]).splitlines()[1:] == [
        "name              share",
        "a     0.5123 [0.4, 0.6]",
        "b                   0.5",
        "c",
    ]


def test_documents_have_tables_whose_cells_hold_no_markup():
    lines = as_markdown(("what", "n"), [(markdown_cell("a|<b>\n"), 3)], right=[1])
    assert lines == ["| what | n |", "| --- | ---: |", "| a\\|&lt;b&gt;  | 3 |"]


def test_rows_are_the_first_and_columns_hold_something():
    table = pa.table({"n": range(20), "none": pa.nulls(20), "nan": [float("nan")] * 20, "late": [None] * 15 + [1] * 5})
    assert sheet_of(table) == Sheet(["n"], [(n,) for n in range(10)], total=20)
    assert sheet_of(table, empty=True).names == table.column_names
    assert sheet_of(table, most=None).names == ["n", "late"]
    assert sheet_of(table.slice(0, 0)).names == table.column_names
    assert as_text("empty", [sheet_of(table.slice(0, 0))]).splitlines() == ["empty", "n  none  nan  late"]


def test_text_has_columns_below_each_other_and_ends_where_lines_are_too_long():
    text = as_text("title", [Sheet(("name", "n"), [("a", 1), ("long", 1000)], "what")])
    assert text.splitlines() == ["title", "what", "name      n", "a         1", "long  1,000"]
    wide = as_text("", [Sheet([f"column{n}" for n in range(50)], [range(50)])])
    assert max(map(len, wide.splitlines())) <= 160
    assert "not shown for lack of width: column49, column48" in wide
    assert as_text("", [pairs({"a": 1})]) == "\na  1"


def _hostile_run(**given):
    return Run("20260131-142305-k3v9qa", "seeds maxweight", **given)


def test_a_run_is_one_line_and_a_table():
    run = _hostile_run(
        parameters={"k": 3, "hops": 2, "seeds": HOSTILE}, facts={HOSTILE: HOSTILE}, created="2026-01-31T14:23:05+00:00"
    )
    assert repr(run) == "Run(20260131-142305-k3v9qa: seeds maxweight, hops=2, k=3; 2026-01-31 14:23)"
    about, facts = Parsed(run._repr_html_()).tables
    assert ["asked", "seeds maxweight, hops=2, k=3"] in about
    assert facts == [["<script>alert(1)</script>\"'&\\x1b[31m\\u202e$x$"] * 2]
    assert len(Parsed(_hostile_run()._repr_html_()).tables) == 1


def test_what_was_asked_is_told_of_runs_that_cannot_be_asked_again():
    later = Run("i", HOSTILE, {"colour": HOSTILE}, facts={"partial": True})
    assert later.question is None
    assert asked(later).endswith("(interrupted)")
    assert "\x1b" not in repr(later)
    assert "colour=" in repr(later)
    Parsed(later._repr_html_())


def test_a_list_of_runs_is_a_table_of_the_newest():
    many = Runs(Run(f"{n:03}", "rank pagerank") for n in range(30))
    [table] = Parsed(many._repr_html_()).tables
    assert table[0] == ["id", "asked", "when", "graph"]
    assert [row[0] for row in table[1:]] == [f"{n:03}" for n in range(10, 30)]
    assert repr(many).startswith("30 runs, the newest 20\n")
    assert repr(Runs()) == "0 runs"
    assert Parsed(Runs()._repr_html_()).tables == []
    assert many == [Run(f"{n:03}", "rank pagerank") for n in range(30)]


def test_an_experiment_shows_claims_without_their_parts_and_what_was_left_out():
    claims = [Claim(paper="000", claim=HOSTILE, verdict="holds", part=part) for part in ("", "a", "b")]
    found = Experiment("coverage", {"main": pa.table({"n": [1]})}, [], claims, [HOSTILE])
    shown, left_out = Parsed(found._repr_html_()).tables
    assert len(shown) == 2
    assert shown[1][:2] == ["holds", text_of(HOSTILE)]
    assert left_out == [["left out"], [text_of(HOSTILE)]]
    without = Experiment("crawl-compare", {"orders": pa.table({"order": ["fpr"]}), "curves": pa.table({})}, [], [])
    assert Parsed(without._repr_html_()).tables == [[["order"], ["fpr"]]]
    assert repr(without).splitlines()[1:] == ["orders", "order", "fpr"]


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    urls = [f"https://{host}.example/{n}?q=$<b>" for host in "ab" for n in range(6)]
    pages = pd.DataFrame({"url": urls, "title": HOSTILE.replace("\x1b", ""), "clicks": [float(n) for n in range(12)]})
    links = pd.DataFrame(
        [(urls[n], urls[(n * 5 + step) % 12]) for n in range(12) for step in (1, 2, 4)], columns=["source", "target"]
    )
    with seedrank.open(tmp_path_factory.mktemp("shown") / "<b>.duckdb", create=True) as made:
        made.load(pages=pages, links=links)
        yield made


@pytest.mark.slow
def test_everything_a_workbench_gives_is_shown_as_tables(bench):
    first, second = bench.rank("pagerank"), bench.rank("indegree")
    compared = bench.compare("fpr", "bfs", seeds="pagerank:2")
    same = bench.compare_runs(first.run.id, first.run.id)
    given = [
        first, compared, bench.experiment("ordering", quick=True, seeds=2), bench.stats(), bench.stats(distances=True),
        bench.runs(), first.run, compared.run, bench.compare_runs(first.run.id, second.run.id), same,
    ]  # fmt: skip
    for one in given:
        assert Parsed(one._repr_html_()).tables
        assert "<" not in re.sub(r"<[a-z/][^>]*>", "", one._repr_html_())
        assert len(repr(one).splitlines()) < 60
        assert "object at 0x" not in repr(one)
    [rows] = Parsed(first._repr_html_()).tables
    assert len(rows) == 11
    assert "12 rows, the first 10" in first._repr_html_()
    assert any("?q=$%3Cb%3E" in cell for cell in rows[1])
    [orders] = Parsed(compared._repr_html_()).tables
    assert [row[0] for row in orders] == ["order", "fpr", "bfs"]
    assert "the same was asked of the same graph" in repr(same)


@pytest.mark.slow
def test_two_runs_side_by_side(bench):
    first, second = bench.seeds("random", k=2), bench.seeds("random", k=3)
    found = bench.compare_runs(first.run.id, second.run.id)
    changed, facts, moves = Parsed(found._repr_html_()).tables
    assert changed == [["asked", "first", "second"], ["k", "2", "3"]]
    assert ["pages of the second", "3"] in facts
    assert {"url", "rank_second"} <= set(moves[0])


@pytest.mark.slow
def test_numbers_of_a_graph(bench):
    counts, degrees, columns, loads = Parsed(bench.stats()._repr_html_()).tables
    assert ["pages", "12"] in counts
    assert degrees[0] == ["degree", "mean", "median", "p90", "p99", "max"]
    assert columns[0] == ["column", "pages with a value"]
    assert len(loads) == 2
    assert len(Parsed(bench.stats(distances=True)._repr_html_()).tables) == 5
