"""Tables in the width of a terminal."""

from __future__ import annotations

import io

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from seedrank.cli.output import draw_table
from seedrank.core.tables import Column, cut_apart, fit, lines_of, middle_cut

TEXTS = st.text(st.characters(codec="utf-8", categories=["L", "N", "P"]), max_size=60)


def heads(table: pa.Table) -> list[str]:
    return drawn(table, 100)[0].split()


def drawn(table: pa.Table, width: int) -> list[str]:
    sink = io.StringIO()
    draw_table(Console(file=sink, width=width, no_color=True), table, total=table.num_rows)
    return sink.getvalue().splitlines()


@pytest.mark.slow
@given(TEXTS, st.integers(0, 70))
def test_a_shortened_text_fits_and_keeps_both_ends(text, width):
    short = middle_cut(text, width)
    assert cell_len(short) <= width
    if cell_len(text) <= width:
        assert short == text
    elif width > 12 and text.isascii():
        assert short[0] == text[0]
        assert short[-1] == text[-1]
        assert "…" in short


@pytest.mark.slow
@given(
    st.lists(
        st.tuples(st.sampled_from(["url", "gain", "id", "host", "what", "score"]), st.booleans()),
        min_size=1,
        max_size=6,
    ),
    st.lists(TEXTS, min_size=1, max_size=4),
    st.sampled_from([20, 80, 100, 140]),
)
def test_what_is_shown_fits_and_the_first_column_and_numbers_are_whole(kinds, texts, width):
    columns = [Column(name, [text[:12] for text in texts] if number else texts, number) for name, number in kinds]
    shown, widths, hidden = fit(columns, width)
    assert shown[0] is columns[0]
    assert len(shown) + len(hidden) == len(columns)
    for one, given_width in zip(shown, widths, strict=True):
        if one.number:
            assert given_width == one.width
    if not shown[0].number or len(shown) > 1:
        assert sum(widths) + 2 * (len(widths) - 1) <= width


def test_minor_columns_go_before_those_that_were_asked_for():
    names = ("rank", "url", "gain", "gain_pages", "covered_value", "frontier_reached")
    columns = [Column(name, ["x" * 60 if name == "url" else "12345678"], name != "url") for name in names]
    shown, _, hidden = fit(columns, 80)
    assert hidden == ["frontier_reached"]
    assert [one.name for one in shown] == ["rank", "url", "gain", "gain_pages", "covered_value"]
    assert fit(columns, 60)[2] == ["frontier_reached", "gain_pages", "covered_value"]


def test_what_repeats_another_column_is_left_out():
    table = pa.table({"url": ["a"], "id": [1], "host": ["h"], "score": [2.5], "gain": [2.5]})
    assert heads(table) == ["url", "gain"]
    table = pa.table({"url": [None], "id": [1], "source_id": [1], "score": [2.5], "gain": [2.0]})
    assert heads(table) == ["url", "id", "score", "gain"]


@pytest.mark.parametrize("width", [80, 100, 140])
def test_a_url_stays_on_one_line_with_its_end(width):
    url = "https://www.example.org/a/long/path/to/a/page/deep/below/the/root/of/this/site/that/ends/in/index.html?x=1"
    table = pa.table({"rank": [1], "url": [url], **{f"number_{n}": [123456.0] for n in range(8)}})
    lines = drawn(table, width)
    assert all(cell_len(line) <= width for line in lines)
    row = lines[1]
    assert "…www.example" in row
    assert "x=1" in row
    assert "not shown" in " ".join(lines[2:]) or width == 140


def test_a_host_is_a_name_where_there_is_no_url():
    table = pa.table({"rank": [1], "id": [0], "source_id": [7], "host": ["h.example"], "score": [2.5]})
    assert heads(table) == ["rank", "host", "score"]
    names = ("rank", "host", "gain", "gain_pages", "covered_value")
    columns = [Column(name, ["x" * 40 if name == "host" else "12345678"], name != "host") for name in names]
    assert "host" not in fit(columns, 60)[2]
    # A user's statement may well give both.
    asked = pa.table({"id": [0], "host": ["h.example"]})
    assert heads(asked) == ["id", "host"]


def test_a_reason_is_read_to_its_end_over_several_lines():
    why = "5 hosts of 5 domains link to each other both ways, and 98 % of the links to them come from the group"
    table = pa.table({"kind": ["farm"], "name": ["www.junipercross.example"], "hosts": [5], "why": [why]})
    lines = drawn(table, 80)
    assert all(cell_len(line) <= 80 for line in lines)
    assert why in " ".join(" ".join(lines).replace("farm  www.junipercross.example      5", "").split())


def test_a_name_in_a_reason_is_never_cut():
    why = "98.6 % of the 209 links come from www.a-host-with-a-rather-long-name.example; 2 more hosts link to it"
    table = pa.table({"kind": ["one source"], "name": ["marsh.example"], "hosts": [1], "why": [why]})
    lines = drawn(table, 60)
    assert all(cell_len(line) <= 60 for line in lines)
    assert "…" not in "".join(lines)
    start = lines[0].index("why")
    assert "".join(why.split()) == "".join("".join(line[start:].split()) for line in lines[1:])


def test_whole_numbers_have_separators_and_ids_have_none():
    table = pa.table({"url": [None], "id": [17745], "links": [17745], "score": [1234567.25], "seen": [True]})
    assert drawn(table, 100) == ["url     id   links         score  seen", "     17745  17,745  1,234,567.25  yes"]


SHARED = "https://docs.example.org/manuals/en/release-notes/chapters/"
ROWS = [f"{SHARED}{chapter}/section/index.en.html" for chapter in ("about", "issues", "upgrading", "what-is-new")]


def test_rows_of_one_answer_do_not_read_the_same():
    table = pa.table({"rank": range(1, 5), "url": ROWS, "gain": [4000, 3000, 2000, 1000], "covered": [4000] * 4})
    lines = drawn(table, 60)[1:5]
    assert all(len(line) <= 60 for line in lines)
    for chapter, line in zip(("about", "issues", "upgrad", "what-i"), lines, strict=True):
        assert chapter in line, line
        assert "…docs." in line, line


def test_rows_that_differ_in_several_places_are_told_apart():
    urls = [f"{SHARED}{a}/section/{'x' * 40}/{b}/section/index.en.html" for a in "abc" for b in ("one", "two", "six")]
    assert len(set(cut_apart(urls, 32))) == 9
    assert all(cell_len(one) <= 32 for one in cut_apart(urls, 32))


@pytest.mark.slow
@given(st.lists(st.text("ab/é漢", max_size=60), min_size=1, max_size=8), st.integers(0, 40))
def test_cells_that_differ_are_cut_apart(texts, width):
    short = cut_apart(texts, width)
    assert all(cell_len(one) <= width for one in short)
    assert [one for one, text in zip(short, texts, strict=True) if cell_len(text) <= width] == [
        text for text in texts if cell_len(text) <= width
    ]
    if width >= 24:
        assert len(set(short)) == len(set(texts))


def test_orders_side_by_side_lose_microseconds_before_hosts_and_hours():
    names = ["order", "pages", "hosts", "hours", "pagerank", "pagerank_area", "pagerank_pages_50", "seconds"]
    table = pa.table({name: ["fpr", "bfs"] if name == "order" else [0.0524327, 1234.5] for name in names})
    shown = drawn(table.append_column("us_per_page", pa.array([4.66, 4.32])), 80)[0].split()
    assert shown[:4] == names[:4]
    assert not {"seconds", "us_per_page"} & set(shown)


def test_an_address_that_is_too_long_begins_at_its_host():
    long, short = "https://kafka.example/38/javadoc/org/overview-summary.html", "https://kafka.example/"
    (_, *rows), _ = lines_of([Column("url", [long, short], False)], 32)
    assert rows[0].startswith("…kafka.example/")
    assert rows[1] == short
    twins = ["http" + long[5:], long]
    (_, *rows), _ = lines_of([Column("url", twins, False)], 40)
    assert rows[0] != rows[1]
