"""Common Crawl's columns of ranks."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seedrank.core.errors import UsageError
from seedrank.core.urls import turned
from seedrank.runs import Run
from tests.unit.exporters.made import graph, read_ranks, rows, written

HOSTS = ["www.a.example", "b.example", "c.co.uk", "localhost"]
URLS = [f"http://{host}/" for host in HOSTS]
HARMONIC = Run("20260131-142305-k3v9qa", "rank harmonic")


def both(web=None, **chosen):
    web = web or graph(URLS, hosts=HOSTS)
    harmonic = rows(URLS, [7.5, 4, 3, 0], order=[2, 0, 3, 1], web=web, run=HARMONIC, **chosen)
    return harmonic, rows(URLS, [0.4, 0.3, 0.2, 0.1], order=[1, 2, 0, 3], web=web)


def test_columns_of_both_runs_by_harmonic_position():
    assert read_ranks(written("cc-ranks", *both())) == [
        ["1", "7.5", "2", "0.3", "c.co.uk"],
        ["2", "4", "3", "0.2", "www.a.example"],
        ["3", "3", "4", "0.1", "localhost"],
        ["4", "0", "1", "0.4", "b.example"],
    ]
    first = written("cc-ranks", *both()).split("\n")[1]
    assert first.endswith("\tuk.co.c")


def test_positions_stay_those_of_the_whole_run():
    found = read_ranks(written("cc-ranks", *both(only=["host=*.*"], top=2)))
    assert [(row[0], row[2]) for row in found] == [("1", "2"), ("2", "3")]
    found = read_ranks(written("cc-ranks", *both(exclude=["host=c.*"])))
    assert [row[0] for row in found] == ["2", "3", "4"]


def test_a_graph_of_domains_has_hosts_counted():
    web = graph(URLS, hosts=HOSTS)
    web._arrays["column-n_hosts"] = pa.array([3.0, 1.0, 12.0, None]).to_numpy(zero_copy_only=False)
    text = written("cc-ranks", *both(web))
    assert text.startswith("#harmonicc_pos\t#harmonicc_val\t#pr_pos\t#pr_val\t#host_rev\t#n_hosts\n")
    assert [row[5] for row in read_ranks(text)] == ["12", "3", "0", "1"]


def test_pages_are_no_hosts():
    web = graph(URLS, hosts=["a.example", "a.example", "b.example", "c.example"])
    with pytest.raises(UsageError, match=r"ranks pages.*rank hosts, with level"):
        written("cc-ranks", *both(web))


def test_both_runs_must_know_a_host():
    web = graph(URLS, hosts=HOSTS)
    fewer = rows(URLS, [1.0, 0.5], order=[1, 2], web=web)
    with pytest.raises(UsageError, match="lacks 2 of the hosts"):
        written("cc-ranks", both(web)[0], fewer)


@pytest.mark.slow
@given(st.lists(st.text(st.sampled_from("abé-.[:]1"), min_size=1), max_size=8), st.integers(0, 3))
@settings(max_examples=100, derandomize=True)
def test_names_are_reversed_label_by_label(names, offset):
    found = turned(pa.array(names, pa.large_string())[offset:])
    assert found.to_pylist() == [".".join(reversed(name.split("."))) for name in names[offset:]]
    assert turned(found).to_pylist() == names[offset:]
