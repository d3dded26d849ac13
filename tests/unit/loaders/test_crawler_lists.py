"""Lists of pages as crawlers keep them, whatever the file is called."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from seedrank.core.errors import InputError
from seedrank.loaders.pagelist import read_page_list
from tests.unit.exporters.made import URLS_OF, rows, written

A, B, C = (f"http://{name}.example/x?y=1#z" for name in "abc")


def listed(tmp_path, text, name="list"):
    (tmp_path / name).write_text(text)
    return read_page_list(str(tmp_path / name)).keys.to_pylist()


NUTCH = f"# seeds\n{A}\tnutch.score=0.5\tuserType=open_source\n\n{B}\n"
HERITRIX = f"# seeds\n{A}  # the first\n+http://(example,\n+ http://d.example/\n\n{B}\n"
JOURNAL = f"F+ {A}\nFe {A}\nFs {A}\nF+ {B} LL http://via.example/\nFd {C}\nFf {C}\nFr {C}\nFi {C}\nF+ \n"
FRONTIER = (
    f'{{"known":{{"info":{{"url":"{A}","key":"a.example"}},"refetchableFromDate":"5"}}}}\n'
    f'{{"discovered":{{"info":{{"url":"{B}"}}}},"ID":"7"}}\n'
)
SCRAPY = f'{{"url": "{A}", "priority": 2, "meta": {{"score": 1.5}}}}\n{{"url": "{B}", "priority": 1, "meta": {{}}}}\n'
YAML = f"""
# a crawl
limit: 5
seeds:
  # two of them
  - url: "{A}"
    scopeType: prefix
    include:
      - http://c.example/
      - url: .*
  - {B} # the second
exclude:
- http://d.example/
"""


@pytest.mark.parametrize("text", [NUTCH, HERITRIX, JOURNAL, FRONTIER, SCRAPY, YAML])
@pytest.mark.parametrize("name", ["list", "list.txt", "list.schedule", "list.yaml"])
def test_lists_of_crawlers_are_told_by_their_content(tmp_path, text, name):
    assert listed(tmp_path, text, name) == [A, B]


@pytest.mark.parametrize("text", [FRONTIER, SCRAPY])
def test_objects_are_read_by_suffix(tmp_path, text):
    assert listed(tmp_path, text, "list.jsonl") == [A, B]


@pytest.mark.parametrize(
    "seed",
    [
        f"- {A}", f'- "{A}"', f"- '{A}'", f"- url: {A}", f"-   url:   '{A}'  # first", f'- "{A}" # first',
        f"- scopeType: page\n    depth: 1\n    url: {A}", f"-\n    url: {A}", '- "http:\\/\\/a.example\\u002fx?y=1#z"',
    ],
)  # fmt: skip
def test_forms_of_a_yaml_seed_are_those_of_yaml(tmp_path, seed):
    text = f"seeds:\n  {seed}\n  - {B}\n"
    assert listed(tmp_path, text) == [A, B]
    known = [one if isinstance(one, str) else one["url"] for one in yaml.safe_load(text)["seeds"]]
    assert known == [A, B]


def test_yaml_items_may_stand_at_the_margin(tmp_path):
    assert listed(tmp_path, f"seeds:\n- {A}\n- url: {B}\nlimit: 3\n") == [A, B]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("seeds:\n", "names no page"),
        ("seeds:\n  - ftp://a.example/\n", "line 2: is not a URL: 'ftp://a.example/'"),
        ('seeds:\n  - "http://a.example/\n', "line 2: is not a URL"),
        ('seeds:\n  - "http://a.example/" b\n', "line 2: is not a URL"),
        ("seeds:\n  - 'http://a.example/\n", "line 2: is not a URL"),
        ("seeds:\n  - [http://a.example/]\n", "line 2: is not a URL"),
        ("seeds:\n  http://a.example/\n", "line 2: is not a seed"),
        (f"seeds:\n    - {A}\n  - {B}\n", "line 3: is not a seed"),
        ("+http://(example,\n", "names no page"),
        ("Fs http://a.example/\n", "names no page"),
        ('{"known": {"info": {"url": 5}}}\n', "line 1, column url: is not a url"),
        ('{"known": {"info": 5}}\n', "neither a column url nor id"),
    ],
)
def test_what_is_no_list(tmp_path, text, message):
    with pytest.raises(InputError) as caught:
        listed(tmp_path, text)
    assert message in str(caught.value)


@pytest.mark.parametrize("name", ["F5 key", "C # sharp", "Fa b"])
def test_names_that_are_no_urls_are_left_as_they_are(tmp_path, name):
    assert listed(tmp_path, f"{name}\n") == [name]


@pytest.mark.slow
@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=10), min_size=1, max_size=5))
@settings(max_examples=100, derandomize=True)
def test_every_list_that_is_exported_is_read_back(tmp_path_factory, tails):
    found = rows([*(f"http://a.example/{tail}" for tail in tails), "http://fine.example/"])
    folder = tmp_path_factory.mktemp("lists")
    for target in set(URLS_OF) - {"gexf", "graphml"}:
        assert listed(folder, written(target, found)) == found.column("url").to_pylist(), target


PIECES = st.sampled_from(
    [b"seeds:", b"\n", b"  ", b"- ", b"url: ", b'"', b"'", b"{", b"}", b'{"known":', b'{"info":', b'"url":', b"http://a/",
     b"F+ ", b"+", b"#", b"\t", b"\xff", b"\x00", b"\r", b"[", b"1", b"\\u00", b"\xed\xa0\x80"]
)  # fmt: skip


@pytest.mark.slow
@given(st.lists(PIECES | st.binary(max_size=4), max_size=14).map(b"".join), st.sampled_from(["", ".yaml", ".jsonl"]))
@settings(max_examples=150, derandomize=True)
def test_any_bytes_are_a_list_or_an_error(tmp_path_factory, data, suffix):
    file = tmp_path_factory.mktemp("fuzz") / f"list{suffix}"
    file.write_bytes(data)
    try:
        found = read_page_list(str(file))
    except InputError:
        return
    assert len(found.keys) == len(found.weights) > 0
