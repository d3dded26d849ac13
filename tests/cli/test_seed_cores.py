"""``seedrank seeds cores`` from the command line."""

from __future__ import annotations

import csv

import pytest

from tests.cli.conftest import made_once
from tests.cli.outcomes import rows

LINKS = [(f"http://hub{i}.example/", f"http://authority{j}.example/") for i in range(4) for j in range(3)]
LINKS += [(f"http://other{i}.example.org/", "http://place.example.org/") for i in range(2)]
LINKS += [("http://hub0.example/", "http://hub0.example/inside")]


def load(seedrank, tmp_path, links=LINKS):
    (tmp_path / "links.csv").write_text("source,target\n" + "".join(f"{a},{b}\n" for a, b in links))
    assert seedrank("load", "table", "--links", "links.csv").code == 0


@pytest.fixture
@made_once
def web(seedrank, tmp_path):
    load(seedrank, tmp_path)
    return tmp_path


@pytest.mark.slow
def test_rows_carry_the_members(seedrank, web):
    outcome = seedrank("seeds", "cores", "-k", "2")
    first, second = rows(outcome)
    assert first["url"] == "http://hub0.example/"
    assert {page["url"] for page in first["hubs"]} == {f"http://hub{i}.example/" for i in range(4)}
    assert {page["url"] for page in first["authorities"]} == {f"http://authority{j}.example/" for j in range(3)}
    assert (first["density"], first["hub_count"], first["authority_count"], first["host_count"]) == (100, 4, 3, 7)
    assert {"host": "hub0.example", "pages": 1} in first["hosts"]
    assert first["name"]
    assert second["name"].startswith("example")
    assert [page["url"] for page in second["authorities"]] == ["http://place.example.org/"]
    assert "14 of 15 links were ranked" in outcome.err


@pytest.mark.slow
def test_tables_leave_the_lists_out(seedrank, web):
    assert seedrank("seeds", "cores", "-o", "seeds.csv").code == 0
    with (web / "seeds.csv").open() as file:
        found = list(csv.DictReader(file))
    assert len(found) == 2
    assert "hubs" not in found[0]
    assert seedrank("seeds", "cores", "--format", "table").out.startswith("seeds cores (run:")


@pytest.mark.slow
def test_the_pages_of_cores_are_kept(seedrank, web):
    import seedrank as package

    rows(seedrank("seeds", "cores"))
    with package.open("web.duckdb", read_only=True) as bench:
        members = bench.answer().tables["cores"]
    assert members.column_names == ["n", "role", "id", "score"]
    assert members.num_rows == 10
    assert seedrank("export", "urls").out.startswith("http://hub0.example/")


@pytest.mark.slow
def test_saved_cores_can_be_drawn(seedrank, web):
    rows(seedrank("seeds", "cores", "--save"))
    found = rows(
        seedrank(
            "query",
            "MATCH (:Run)-[c:CORE]->(p:Page) RETURN c.n AS n, c.role AS role, count(*) AS pages ORDER BY n, role",
        )
    )
    assert found == [
        {"n": 1, "role": "authority", "pages": 3},
        {"n": 1, "role": "hub", "pages": 4},
        {"n": 2, "role": "authority", "pages": 1},
        {"n": 2, "role": "hub", "pages": 2},
    ]
    assert len(rows(seedrank("query", "MATCH (:Run)-[:RANKED]->(p:Page) RETURN p.id AS id"))) == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        ("--core", "size", "--size", "5", "--step", "2"),
        ("--literal",),
        ("--stop-first",),
        ("--skip-violators", "--density", "60"),
        ("--cap", "2"),
        ("--pick", "random", "--rng", "4"),
        ("--keep-same-site", "--iterations", "20"),
    ],
)
def test_every_reading(seedrank, web, options):
    assert rows(seedrank("seeds", "cores", "-k", "2", *options))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--density", "0"), "--density must be at least 1"),
        (("--density", "100.5"), "--density must be at most 100, not 100.5"),
        (("-k", "0"), "k must be at least 1"),
        (("--iterations", "0"), "iterations must be at least 1"),
        (("--cap", "0"), "cap must be at least 1"),
        (("--core", "size", "--size", "1"), "size must be at least 2"),
        (("--core", "size", "--step", "0"), "step must be at least 1"),
        (("--size", "9"), "--core size"),
        (("--core", "size", "--literal"), "--core density"),
        (("--literal", "--stop-first"), "exclude each other"),
        (("--engine", "gds"), "--engine native"),
    ],
)
def test_bad_questions_are_one_line(seedrank, web, options, message):
    outcome = seedrank("seeds", "cores", *options)
    assert outcome.code in (1, 2)
    assert message in outcome.err
    assert "Traceback" not in outcome.err


@pytest.mark.slow
def test_more_cores_than_there_are(seedrank, web):
    outcome = seedrank("seeds", "cores", "-k", "9")
    assert len(rows(outcome)) == 2
    assert "9 cores were asked for, and there are 2" in outcome.err


@pytest.mark.slow
def test_a_graph_without_hosts(seedrank, tmp_path):
    (tmp_path / "links.txt").write_text("1 2\n1 3\n4 2\n4 3\n")
    assert seedrank("load", "snap", "links.txt").code == 0
    outcome = seedrank("seeds", "cores")
    assert outcome.code == 1
    assert "load URLs or a host column, or give --keep-same-site" in outcome.err
    (only,) = rows(seedrank("seeds", "cores", "--keep-same-site"))
    assert (only["hub_count"], only["name"], only["hosts"], only["hubs"][0]["url"]) == (2, "", [], None)


@pytest.mark.slow
def test_no_link_between_sites(seedrank, tmp_path):
    load(seedrank, tmp_path, [("http://a.example/", "http://a.example/x")])
    outcome = seedrank("seeds", "cores")
    assert rows(outcome) == []
    assert "no link is left between sites" in outcome.err


@pytest.mark.slow
def test_the_experiment(seedrank, web):
    (web / "old.csv").write_text("url\nhttp://hub0.example/\nhttp://gone.example/\n")
    outcome = seedrank("experiment", "cores", "--quick", "--transfer-from", "old.csv", "--into", "figures")
    found = rows(outcome)
    assert {row["verdict"] for row in found} <= {"cannot be judged", "no data"}  # too few pages
    assert {"durable hubs", "replaced seeds, pages"} <= {row["key"] for row in found}
    survival = (web / "figures" / "cores-survival.csv").read_text().splitlines()
    assert survival[1] == '"hubs",2,1,1,0'
    assert (web / "figures" / "cores-sizes.csv").is_file()
    assert rows(seedrank("runs"))[-1]["method"] == "experiment cores"


@pytest.mark.slow
def test_an_experiment_with_seeds_that_are_all_gone(seedrank, web):
    (web / "old.csv").write_text("url\nhttp://gone.example/\n")
    outcome = seedrank("experiment", "cores", "--quick", "--transfer-from", "old.csv")
    assert outcome.code == 1
    assert "none of its 1 pages is left" in outcome.err
    assert "Traceback" not in outcome.err
