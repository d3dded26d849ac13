"""Lists of pages in every form people have them."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from seedrank.core.errors import InputError
from seedrank.loaders.pagelist import read_page_list


def listed(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    found = read_page_list(str(tmp_path / name))
    return found.keys.to_pylist(), found.weights.tolist()


def test_lines_with_comments_and_text_after_a_tab(tmp_path):
    text = "# seeds\nhttp://a.example/\tnutch.score=1\n\nhttp://b.example/\n"
    assert listed(tmp_path, "seeds.txt", text) == (["http://a.example/", "http://b.example/"], [1, 1])


def test_lines_of_numbers_are_ids(tmp_path):
    assert listed(tmp_path, "seeds", "7\n9\n") == ([7, 9], [1, 1])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("t.csv", "url,weight\nhttp://a.example/,2\nhttp://b.example/,\n"),
        ("t.tsv", "weight\turl\n2\thttp://a.example/\n\thttp://b.example/\n"),
        ("t.jsonl", '{"url": "http://a.example/", "weight": 2}\n{"url": "http://b.example/"}\n'),
    ],
)
def test_tables_with_weights(tmp_path, name, text):
    assert listed(tmp_path, name, text) == (["http://a.example/", "http://b.example/"], [2, 1])


def test_quotes_are_text_where_no_field_is_quoted(tmp_path):
    assert listed(tmp_path, "t.csv", 'url,weight\n"a,2\nb,3\n') == (['"a', "b"], [2, 3])


def test_parquet(tmp_path):
    pq.write_table(pa.table({"id": [3, 4]}), tmp_path / "t.parquet")
    assert read_page_list(str(tmp_path / "t.parquet")).keys.to_pylist() == [3, 4]


def test_what_a_method_wrote_is_read_as_the_same_pages(tmp_path):
    assert listed(tmp_path, "a.csv", "rank,id,source_id,url\n1,0,70,\n2,1,90,\n")[0] == [70, 90]
    assert listed(tmp_path, "b.csv", "rank,id,source_id,url\n1,0,,http://a.example/\n")[0] == ["http://a.example/"]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("x.txt", "# nothing\n", "names no page"),
        ("x.csv", "name\na\n", "neither a column url nor id"),
        ("x.csv", "url\n", "names no page"),
        ("x.json", "{broken", "cannot be read"),
        ("x.csv", "url,weight\nhttp://a.example/,heavy\n", "weight"),
    ],
)
def test_what_is_no_list(tmp_path, name, text, message):
    with pytest.raises(InputError, match=message):
        listed(tmp_path, name, text)


def test_a_missing_file(tmp_path):
    with pytest.raises(InputError, match="file not found"):
        read_page_list(str(tmp_path / "gone.txt"))


@pytest.mark.parametrize(
    ("level", "header", "row", "key"),
    [
        ("host", "rank,id,source_id,host,score", "1,0,70,a.example,2", "a.example"),
        ("host", "url,host", "http://a.example/x,b.example", "b.example"),
        ("host", "url,host", "http://a.example/x,", "http://a.example/x"),
        ("domain", "rank,id,source_id,domain,score", "1,0,,example.org,2", "example.org"),
        ("domain", "host", "www.example.org", "www.example.org"),
        ("domain", "id,n", "7,1", 7),
        ("page", "id,host", "7,a.example", 7),
    ],
)
def test_tables_for_graphs_of_hosts_and_domains(tmp_path, level, header, row, key):
    (tmp_path / "t.csv").write_text(f"{header}\n{row}\n")
    assert read_page_list(str(tmp_path / "t.csv"), level).keys.to_pylist() == [key]


def test_a_table_for_hosts_without_names(tmp_path):
    (tmp_path / "t.csv").write_text("name\na.example\n")
    with pytest.raises(InputError, match="has neither a column host nor id"):
        read_page_list(str(tmp_path / "t.csv"), "host")
