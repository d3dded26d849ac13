"""Which order is recommended, by what the curves of a comparison say."""

from __future__ import annotations

import pyarrow as pa

from seedrank.core.model import Status
from seedrank.methods.seeds.choose import choose
from seedrank.output.advice import order_advice, seed_advice
from seedrank.questions.seeds import SeedQuestion
from tests.unit.test_wrong import session_of


def compared(shares: dict[str, list[float]], spam: dict[str, float | None] | None = None, hosts=None, copies=None):
    """Orders that hold these shares of PageRank after 0, 1, 5, 20 and 100 of 100 pages."""
    rows = [
        {"order": name, "pages": pages, "pagerank": share, "hosts": number}
        for name, all_shares in shares.items()
        for pages, share, number in zip(
            (0, 1, 5, 20, 100), [0.0, *all_shares, 1.0], [0, 1, 1, (hosts or {}).get(name, 5), 10], strict=True
        )
    ]
    orders = [
        {"order": name, "spam_10": (spam or {}).get(name), "duplicates_10": (copies or {}).get(name)} for name in shares
    ]
    return order_advice(orders, pa.Table.from_pylist(rows))


def test_the_order_that_gathers_the_most_where_people_stop():
    assert compared({"fpr": [0.1, 0.3, 0.5], "opic": [0.1, 0.2, 0.7], "bfs": [0.1, 0.2, 0.4]}) == [
        "Fetch in the order of opic: the first 1, 5 and 20 % of the pages hold 10, 20 and 70 % of all PageRank; "
        "breadth first 10, 20 and 40 %."
    ]


def test_a_tie_goes_to_breadth_first():
    (said,) = compared({"fpr": [0.11, 0.21, 0.4], "bfs": [0.1, 0.21, 0.41]})
    assert said.startswith("It hardly matters in which order: fetch breadth first (the first 1, 5 and 20 % ")


def test_spam_speaks_before_a_tie():
    shares = {"fpr": [0.1, 0.2, 0.4], "bfs": [0.1, 0.2, 0.4]}
    (said,) = compared(shares, {"fpr": 0.05, "bfs": 0.005})
    assert said.startswith("Fetch breadth first: fpr gathers no more")
    assert said.endswith("brings more spam: 5.0 % of the labelled pages among its first tenth, 0.5 % breadth first.")
    (said,) = compared(shares, {"fpr": 0.005, "bfs": 0.05})
    assert said.startswith("Fetch in the order of fpr: it gathers as much as breadth first, and of the labelled pages")
    (said,) = compared(shares, {"fpr": 0.021, "bfs": 0.02})
    assert said.startswith("It hardly matters")


def test_duplicates_speak_before_a_tie():
    shares = {"fpr": [0.1, 0.2, 0.4], "bfs": [0.1, 0.2, 0.4]}
    (said,) = compared(shares, copies={"fpr": 0.05, "bfs": 0.005})
    assert said.startswith("Fetch breadth first: fpr gathers no more")
    assert said.endswith("brings more duplicates: 5.0 % of the pages among its first tenth, 0.5 % breadth first.")
    (said,) = compared(shares, copies={"fpr": 0.005, "bfs": 0.05})
    assert said.endswith("of the pages among the first tenth 0.5 % repeat others, 5.0 % breadth first.")
    (said,) = compared({"fpr": [0.3, 0.5, 0.8], "bfs": [0.1, 0.2, 0.4]}, copies={"fpr": 0.2, "bfs": 0.02})
    assert said.endswith("2.0 % breadth first: leave duplicates out first.")


def test_starving_hosts_speak_before_a_tie():
    (said,) = compared({"fpr": [0.1, 0.2, 0.4], "bfs": [0.1, 0.2, 0.4]}, hosts={"fpr": 9, "bfs": 5})
    assert said.endswith("its first fifth comes to 9 hosts, that of breadth first to 5.")


def test_spam_weighs_against_what_an_order_gains():
    spam = {"fpr": 0.2, "bfs": 0.02}
    (said,) = compared({"fpr": [0.13, 0.23, 0.43], "bfs": [0.1, 0.2, 0.4]}, spam)
    assert said.startswith("Fetch breadth first: fpr gathers little more")
    (said,) = compared({"fpr": [0.3, 0.5, 0.8], "bfs": [0.1, 0.2, 0.4]}, spam)
    assert said.startswith("Fetch in the order of fpr")
    assert said.endswith("2.0 % breadth first: leave spam out first.")


def test_one_order_alone():
    assert compared({"bfs": [0.1, 0.2, 0.4]}) == []
    (said,) = compared({"fpr": [0.1, 0.2, 0.4]})
    assert (
        said == "Fetch in the order of fpr: the first 1, 5 and 20 % of the pages hold 10, 20 and 40 % of all PageRank."
    )


def test_seeds_that_all_add_much_are_too_few(tmp_path):
    urls = [f"https://{host}.example/{page}" for host in "abcdefgh" for page in range(4)]
    session = session_of(urls, [Status.CRAWLED] * 32, tmp_path)
    few, all_reached = (seed_advice(choose(session, SeedQuestion(k=k)).run, "page")[0] for k in (3, 32))
    assert "The last still adds more than 5 % of it: more seeds reach more." in few
    assert "more seeds" not in all_reached
