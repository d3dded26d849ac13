"""One rule for lists of pages, tables and values: whatever form they have, wherever a question takes them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import seedrank
from seedrank.core.errors import SeedrankError, UsageError

URLS = [f"https://{host}.example/{n}" for host in "ab" for n in range(6)]
PAGES = pd.DataFrame(
    {
        "url": URLS,
        "status": (["crawled"] * 5 + ["frontier"]) * 2,
        "clicks": [float(n) for n in range(12)],
        "spam": [float(n % 2) for n in range(12)],
    }
)
LINKS = pd.DataFrame(
    [(URLS[source], URLS[(source * 5 + step) % 12]) for source in range(12) for step in (1, 2, 4)],
    columns=["source", "target"],
)
SOME = [4, 0, 7]
"""Pages that are listed below."""


@pytest.fixture(scope="module")
def bench():
    """With URLs and without ids of a source."""
    with seedrank.from_frames(pages=PAGES, links=LINKS) as made:
        yield made


@pytest.fixture(scope="module")
def numbered():
    """Without URLs; the source's ids are not the graph's."""
    links = pd.DataFrame({"source": 100 + (np.arange(12) * 5) % 12, "target": 100 + np.arange(12)})
    with seedrank.from_frames(links=links) as made:
        yield made


def forms(urls, tmp_path):
    file = tmp_path / "list.txt"
    file.write_text("\n".join(urls))
    frame = pd.DataFrame({"url": urls, "note": "x"})
    return {
        "list": urls,
        "tuple": tuple(urls),
        "generator": (url for url in urls),
        "text": " ".join(urls),
        "file": str(file),
        "path": file,
        "array": np.array(urls),
        "objects": np.array(urls, object),
        "series": pd.Series(urls),
        "categories": pd.Series(urls, dtype="category"),
        "polars series": pl.Series(urls),
        "arrow": pa.array(urls),
        "arrow chunks": pa.chunked_array([urls[:1], urls[1:]]),
        "arrow scalars": list(pa.array(urls)),
        "frame": frame,
        "frame by url": frame.set_index("url"),
        "polars frame": pl.DataFrame(frame),
        "table": pa.table({"url": urls}),
        "row batch": pa.RecordBatch.from_pydict({"url": pa.array(urls, pa.large_string())}),
        "ids": SOME,
        "array of ids": np.array(SOME, np.int32),
        "ids as text": [str(n) for n in SOME],
        "frame of ids": pd.DataFrame({"id": SOME}),
        "arrow ids": pa.array(SOME),
    }


def test_every_form_of_a_list_is_the_same_list(bench, tmp_path):
    for form, pages in forms([URLS[n] for n in SOME], tmp_path).items():
        crawl = bench.crawl("bfs", seeds=pages, limit=3)
        assert crawl.table["id"].to_pylist() == SOME, form


@pytest.mark.parametrize(
    ("ask", "what"),
    [
        (lambda bench, pages: bench.evaluate(pages, hops=1), "table"),
        (lambda bench, pages: bench.reduce(pages, hops=1), "table"),
        (lambda bench, pages: bench.transfer(pages), "table"),
        (lambda bench, pages: bench.seeds("outdegree", k=2, hops=1, keep=pages), "table"),
        (lambda bench, pages: bench.rank("pagerank", teleport=pages), "table"),
        (lambda bench, pages: bench.rank("trust", trusted=pages), "table"),
        (lambda bench, pages: bench.rank("distrust", bad=pages), "table"),
        (lambda bench, pages: bench.compare("bfs", seeds=pages), "orders"),
        (lambda bench, pages: bench.crawl("bfs", trusted=pages), "facts"),
    ],
)
def test_every_field_takes_every_form(bench, ask, what, tmp_path):
    urls = [URLS[n] for n in SOME]

    def found(pages):
        answer = ask(bench, pages)
        if what == "orders":
            return answer.experiment.tables["orders"].drop_columns(["seconds", "us_per_page"]).to_pylist()
        return answer.facts["trusted"] if what == "facts" else answer.table.to_pylist()

    expected = found(urls)
    answer = bench.crawl("bfs", seeds=urls, limit=3)
    file = tmp_path / "list.csv"
    pd.DataFrame({"url": urls}).to_csv(file, index=False)
    given = [file, pd.Series(urls), pl.DataFrame({"url": urls}), answer, answer.run.name]
    if ask is not None and "transfer" not in ask.__code__.co_names:
        given.append(SOME)
    for pages in given:
        assert found(pages) == expected


def test_a_number_is_the_id_of_the_source_where_it_gave_some(numbered):
    ids = [103, 111]
    crawl = numbered.crawl("bfs", seeds=ids, limit=2)
    assert crawl.table["source_id"].to_pylist() == ids
    again = numbered.crawl("bfs", seeds=crawl.to_pandas(), limit=2)
    assert again.table["source_id"].to_pylist() == ids
    with pytest.raises(SeedrankError, match="none of its 2 pages is in the graph: '0, 1'"):
        numbered.crawl("bfs", seeds=[0, 1])


# -- weights


def test_weights_of_a_frame_count_where_those_of_a_file_do(bench, tmp_path):
    frame = pd.DataFrame({"url": [URLS[0], URLS[7]], "weight": [1.0, 9.0]})
    frame.to_csv(tmp_path / "weighted.csv", index=False)
    for method, field in (("trust", "trusted"), ("distrust", "bad"), ("pagerank", "teleport")):
        by_frame = bench.rank(method, **{field: frame}).table
        assert by_frame == bench.rank(method, **{field: tmp_path / "weighted.csv"}).table
        assert by_frame != bench.rank(method, **{field: frame[["url"]]}).table


def test_fpr_begins_with_shares_by_weight(bench):
    seeds = pd.DataFrame({"id": [0, 7], "weight": [1.0, 3.0]})
    first = bench.crawl("fpr", seeds=seeds, limit=1)
    assert first.table["id"].to_pylist() == [7]
    assert first.table["score"].to_pylist() == pytest.approx([0.15 * 3 / 4])
    alike = bench.crawl("fpr", seeds=seeds.assign(weight=5.0))
    assert alike.table == bench.crawl("fpr", seeds=[0, 7]).table


@pytest.mark.parametrize(
    "ask",
    [
        lambda bench, pages: bench.crawl("bfs", seeds=pages),
        lambda bench, pages: bench.compare("fpr", "bfs", seeds=pages),
        lambda bench, pages: bench.evaluate(pages),
        lambda bench, pages: bench.reduce(pages),
        lambda bench, pages: bench.seeds("outdegree", keep=pages),
    ],
)
def test_weights_that_would_count_for_nothing_are_refused(bench, ask):
    with pytest.raises(UsageError, match=r"weights.*; leave out"):
        ask(bench, pd.DataFrame({"url": URLS[:2], "weight": [1.0, 2.0]}))
    ask(bench, pd.DataFrame({"url": URLS[:2], "weight": [2.0, 2.0]}))


# -- answers of other graphs


def test_an_answer_of_another_bench_is_its_pages_by_url(bench):
    moved = PAGES.iloc[::-1]
    with seedrank.from_frames(pages=moved, links=LINKS) as other:
        chosen = other.seeds("outdegree", k=3, hops=1)
        urls = chosen.table["url"].to_pylist()
        assert bench.evaluate(chosen, hops=1).table["url"].to_pylist() == urls
        assert bench.crawl("bfs", seeds=chosen, limit=3).table["url"].to_pylist() == urls
        cores = other.cores(k=50)
        assert bench.transfer(cores).facts["listed"] == len(cores)
        assert bench.transfer(cores).tables["transfer"]["old"].to_pylist() == cores.table["url"].to_pylist()


def test_an_answer_whose_pages_have_no_names_stays_with_its_graph(bench):
    matrix = np.roll(np.eye(5), 1, 1)
    with seedrank.from_scipy(matrix) as other:
        chosen = other.seeds("outdegree", k=2, hops=1)
        assert other.evaluate(chosen, hops=1).facts["seeds"] == 2
        with pytest.raises(UsageError, match="have neither URLs nor ids of their source"):
            bench.evaluate(chosen)
    with pytest.raises(UsageError, match="ranks no pages"):
        bench.transfer(bench.experiment("ordering", quick=True, seeds=2))


def test_ids_of_the_source_are_transferred_where_pages_have_nothing_else(numbered, bench):
    links = pd.DataFrame({"source": np.arange(111, 103, -1), "target": np.arange(112, 104, -1)})
    with seedrank.from_frames(links=links) as newer:
        moved = newer.transfer([103, 111, 106])
        assert moved.table["source_id"].to_pylist() == [111, 106]
        assert moved.tables["transfer"].to_pylist() == [
            {"old": 103, "new": None, "rule": "dropped", "similarity": 0.0},
            {"old": 111, "new": 111, "rule": "same", "similarity": 1.0},
            {"old": 106, "new": 106, "rule": "same", "similarity": 1.0},
        ]
        chosen = numbered.seeds("outdegree", k=2, hops=1)
        assert set(newer.transfer(chosen).tables["transfer"]["old"].to_pylist()) == set(
            chosen.table["source_id"].to_pylist()
        )
    with pytest.raises(SeedrankError, match="names pages by number"):
        bench.transfer([3])


def test_answers_and_records_stand_for_the_names_of_runs(bench):
    first, second = bench.rank("pagerank"), bench.rank("indegree")
    assert bench.answer(first).run.id == bench.answer(first.run).run.id == first.run.id
    assert bench.compare_runs(first, second.run).second.id == second.run.id
    assert bench.evaluate(first.run).table == bench.evaluate(first).table
    assert bench.compare_ranks(first, second).moves.num_rows == 12
    assert bench.delete_run(first) == first.run.id


# -- tables


def test_tables_are_frames_too(bench, tmp_path):
    events = pd.DataFrame({"time": ["2024-01-01"] * 3, "url": URLS[:3], "clicks": [5, 3, 1]})
    truth = pd.DataFrame({"url": [URLS[5], URLS[11]], "clicks": [4.0, 1.0]})
    history = pd.DataFrame({"host": ["a.example"], "fetched": [10], "unique": [5]})
    for name, frame in (("events", events), ("truth", truth), ("history", history)):
        frame.to_csv(tmp_path / f"{name}.csv", index=False)
    for given in (events, pl.DataFrame(events), [events.iloc[:1], events.iloc[1:]]):
        assert bench.frontier("rw", events=given).table == bench.frontier("rw", events=tmp_path / "events.csv").table
    by_frame, by_file = (bench.tune(truth=one, splits=5, resamples=2) for one in (truth, str(tmp_path / "truth.csv")))
    assert by_frame.table == by_file.table
    by_frame, by_file = (
        bench.seeds("maxweight", k=2, hops=1, value="paper", history=one) for one in (history, tmp_path / "history.csv")
    )
    assert by_frame.table == by_file.table


# -- values


def test_values_are_columns_arrays_series_and_functions(bench):
    def chosen(value):
        return bench.seeds("maxweight", k=2, hops=1, value=value).table

    column = PAGES.clicks.to_numpy()
    shuffled = PAGES.set_index("url").clicks.sample(frac=1, random_state=1)
    given = (column, list(column), PAGES.clicks, pl.Series(column), pa.array(column), shuffled, lambda p: p["clicks"])
    for value in given:
        assert chosen(value) == chosen("clicks")
    part = PAGES.set_index("url").clicks.iloc[:4]
    assert chosen(part) == chosen(np.where(np.arange(12) < 4, column, np.nan))
    measured = bench.crawl("bfs", seeds=[0], value=column)
    assert measured.facts["value"] == bench.crawl("bfs", seeds=[0], value="clicks").facts["value"]


def test_a_question_with_values_and_frames_is_asked_again_from_its_run(bench):
    answer = bench.seeds("maxweight", k=2, hops=1, value=np.arange(12), keep=pd.DataFrame({"id": [3]}))
    assert bench.ask(answer.run.question).table == answer.table


def test_a_store_that_cannot_be_written_takes_lists_all_the_same(bench, monkeypatch):
    def refused(*_):
        raise PermissionError

    monkeypatch.setattr(type(bench.session.runs), "keep_data", refused)
    assert bench.crawl("bfs", seeds=[4, 0], limit=2).table["id"].to_pylist() == [4, 0]


# -- levels


def test_hosts_are_listed_by_name_by_url_and_by_answer(bench):
    hosts = bench.rank("pagerank", level="host")
    for pages in (
        ["a.example"],
        ["https://a.example/3"],
        pd.DataFrame({"host": ["a.example"]}),
        hosts.table.slice(0, 1),
    ):
        name = "a.example" if not isinstance(pages, pa.Table) else hosts.table["host"][0].as_py()
        crawl = bench.crawl("bfs", level="host", seeds=pages, limit=1)
        assert crawl.table["host"].to_pylist() == [name]
    with pytest.raises(UsageError, match=r"level cannot be 'hosts'"):
        bench.crawl("bfs", level="hosts", seeds=["a.example"])
