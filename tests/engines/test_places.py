"""The table of places holds every primitive, and calls go where it says."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

from seedrank.engines.base import Engine
from seedrank.engines.choose import FEW_BALLS, PLACES, ChoosingEngine, noted_with
from seedrank.engines.native.engine import NativeEngine
from tests.engines.webs import web_graph

LINKS = {(0, 1), (1, 2), (2, 0), (3, 1), (0, 3)}
PRIMITIVES = {
    name
    for name, member in vars(Engine).items()
    if inspect.isfunction(member) and not name.startswith("_") and name not in ("without", "reversed")
}


class Elsewhere(NativeEngine):
    """The native engine under the name of the other, also of its views."""

    name = "gds"

    def without(self, **left_out):
        return Elsewhere(super().without(**left_out).graph)

    def reversed(self):
        return Elsewhere(super().reversed().graph)


def choosing() -> ChoosingEngine:
    graph = web_graph(5, LINKS)
    return ChoosingEngine("auto", lambda: NativeEngine(graph), lambda: Elsewhere(graph))


def test_every_primitive_is_in_the_table():
    assert set(PLACES) == PRIMITIVES
    assert all(place.title and place.why for place in PLACES.values())
    assert all(place.limit.text for place in PLACES.values() if place.limit is not None)


@pytest.mark.parametrize("name", sorted(PRIMITIVES))
def test_a_chosen_primitive_has_the_signature_and_text_of_the_protocol(name):
    method = getattr(ChoosingEngine, name)
    assert inspect.signature(method) == inspect.signature(getattr(Engine, name))
    assert method.__doc__ == getattr(Engine, name).__doc__


@pytest.mark.parametrize("name", sorted(PRIMITIVES))
def test_a_limit_takes_the_arguments_of_its_primitive(name):
    limit = PLACES[name].limit
    if limit is not None:
        own = list(inspect.signature(getattr(Engine, name)).parameters)[1:]
        assert list(inspect.signature(limit.over).parameters) == own


ARGUMENTS = {
    "links_into": (np.ones(5, bool),),
    "walk_shares": (np.array([0.5]),),
    "bfs_hops": (np.array([0]),),
    "ball_weight": (np.ones(5), 2, np.array([1])),
    "walk_bound": (np.ones(5), 2),
    "ball_bound": (np.ones(5), 2),
    "cocitation": (np.ones(5, bool), np.ones(5, bool)),
}


@pytest.mark.parametrize("name", sorted(PRIMITIVES))
def test_a_call_runs_where_the_table_says(name):
    engine = choosing()
    getattr(engine, name)(*ARGUMENTS.get(name, ()))
    assert engine.journal.since(0.0) == {name: PLACES[name].where}


@pytest.mark.parametrize(
    ("pages", "where"), [(FEW_BALLS, "gds"), (FEW_BALLS + 1, "native"), (None, "native")], ids=["few", "many", "all"]
)
def test_balls_up_to_the_limit_stay_in_the_database(pages, where):
    engine = choosing()
    engine.ball_weight(np.ones(5), 2, pages=None if pages is None else np.zeros(pages, np.int64))
    assert engine.journal.since(0.0) == {"ball_weight": where}


def test_a_reversed_view_runs_where_the_table_says_and_is_noted_with_the_whole():
    engine = choosing()
    view = engine.reversed()
    np.testing.assert_array_equal(view.degrees()[0], engine.degrees()[1])
    view.harmonic()
    assert engine.journal.since(0.0) == {"degrees": "gds", "harmonic": "native"}


def test_by_weights_hits_runs_in_memory_and_walks_do_not():
    graph = web_graph(5, dict.fromkeys(LINKS, 2.0))
    engine = ChoosingEngine("auto", lambda: NativeEngine(graph), lambda: Elsewhere(graph), weighted=True)
    engine.walk()
    engine.without(pages=np.arange(5) == 0).hits()
    assert engine.journal.since(0.0) == {"walk": "gds", "hits": "native"}
    assert [name for name, place in PLACES.items() if place.weighted] == ["hits"]


def test_what_ran_is_told_in_the_order_of_first_use_since_a_time(monkeypatch):
    engine = choosing()
    clock = iter(range(100))
    monkeypatch.setattr("time.perf_counter", lambda: float(next(clock)))
    engine.walk()
    engine.bfs_hops(np.array([0]))
    started = float(next(clock))
    engine.ball_weight(np.ones(5), 1, np.array([0]))
    engine.without(pages=np.arange(5) == 0).walk()
    engine.ball_weight(np.ones(5), 1)
    assert list(engine.journal.since(started).items()) == [("ball_weight", "gds+native"), ("walk", "gds")]
    assert list(engine.journal.since(0.0)) == ["walk", "bfs_hops", "ball_weight"]
    assert engine.journal.since(float(next(clock))) == {}


def test_an_engine_over_a_derived_graph_is_noted_with_the_whole():
    engine, native = choosing(), NativeEngine(web_graph(5, LINKS))
    noted_with(engine, native).hits()
    assert engine.journal.since(0.0) == {"hits": "native"}
    assert noted_with(native, native) is native


def test_once_the_links_are_in_memory_everything_runs_there():
    engine = choosing()
    view = engine.without(pages=np.arange(5) == 0)
    engine.walk()
    engine.harmonic()
    engine.walk()
    view.walk()
    assert engine.journal.since(0.0) == {"walk": "gds+native", "harmonic": "native"}
    graph = web_graph(5, LINKS)
    there = ChoosingEngine("auto", lambda: NativeEngine(graph), lambda: Elsewhere(graph), arrays_there=lambda: True)
    there.reversed().walk()
    assert there.journal.since(0.0) == {"walk": "native"}
