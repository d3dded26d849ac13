"""One suite over every engine; what an engine does differently is declared here as data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from seedrank.engines.base import Engine
from seedrank.engines.native.engine import NativeEngine
from tests.engines.reference import Links, Weights
from tests.engines.stored import gds_engines
from tests.engines.webs import hosts_graph, web_graph
from tests.few import QUICK
from tests.sparked import spark_engines


@dataclass(frozen=True)
class EngineCase:
    """An engine under test.

    Parameters
    ----------
    name
        As `Engine.name`.
    make
        An engine over a graph, by weights where it has them; for gds made when its server is there.
    finish
        Closes the engine that was made last: another test may look at what is left on the server.
    examples
        How many random graphs a test takes.
    quick
        How many in `make test`.
    derandomised
        Whether they are the same graphs every time.
    tolerance
        By primitive: the largest difference per page from the reference that passes; 1e-9 where it is not named.
    reason
        By primitive: why its tolerance is what it is.
    of_hosts
        The links are those between hosts, made of links between pages.
    """

    name: str
    make: Callable[[int, Links | Weights], Engine] = NotImplemented
    finish: Callable[[], None] = lambda: None
    examples: int = 100
    quick: int = 25
    derandomised: bool = False
    tolerance: Mapping[str, float] = field(default_factory=dict)
    reason: Mapping[str, str] = field(default_factory=dict)
    of_hosts: bool = False

    def each(self, **strategies: Any) -> Callable[[Callable[..., None]], None]:
        """Run the decorated check at once, on `examples` draws; no deadline, since a first draw may compile."""

        def run(check: Callable[..., None]) -> None:
            examples = min(self.examples, self.quick) if QUICK else self.examples
            chosen = settings(max_examples=examples, deadline=None, derandomize=self.derandomised)
            chosen(given(**strategies)(check))()

        return run

    def close(self, primitive: str, ours: np.ndarray, reference: np.ndarray) -> None:
        """Assert that two arrays agree."""
        tolerance = self.tolerance.get(primitive, 1e-9)
        np.testing.assert_allclose(ours, reference, rtol=tolerance, atol=tolerance)


CASES = [
    EngineCase(
        "native",
        lambda pages, links: NativeEngine(web_graph(pages, links)),
        tolerance={"ball_weight": 1e-12, "walk": 1e-11, "walk by stored weights": 1e-6},
        reason={
            "ball_weight": "sums of at most 30 numbers, in another order",
            "walk": "stops at an L1 change of 1e-12, so the L1 error is at most 1e-12 · damping / (1 - damping)",
            "walk by stored weights": "weights are kept as float32: each is off by 6e-8 of itself at most",
        },
    )
]
CASES.append(
    replace(
        CASES[0], make=lambda hosts, links: NativeEngine(hosts_graph(hosts, links)), examples=25, quick=5, of_hosts=True
    )
)
GDS = EngineCase(
    "gds",
    examples=25,
    quick=5,
    tolerance={"ball_weight": 1e-12, "walk": 2e-11, "hits": 1e-9, "walk by stored weights": 1e-6},
    reason={
        "ball_weight": "sums of at most 30 numbers, in another order",
        "walk": "stops at an L1 residual of 1e-12, so the L1 error is at most 1e-12 · damping / (1 - damping)",
        "walk by stored weights": "takes them as float64; declared as wide as in memory, with which it has to agree",
        "hits": "the same steps from the same start; sums in another order, which 60 iterations carry along",
    },
)
SPARK = EngineCase(
    "spark",
    # A job takes a tenth of a second however small the graph, and a test has dozens of them.
    examples=3,
    derandomised=True,
    tolerance={"ball_weight": 1e-12, "walk": 2e-11, "walk by stored weights": 1e-6},
    reason={
        "ball_weight": "sums of at most 30 numbers, in another order",
        "walk": "stops at an L1 residual of 1e-12, so the L1 error is at most 1e-12 · damping / (1 - damping)",
        "walk by stored weights": "weights are kept as float32, as in memory",
    },
)


@pytest.fixture(
    scope="session",
    params=[
        *(pytest.param(case, id=f"{case.name}-hosts" if case.of_hosts else case.name) for case in CASES),
        pytest.param(GDS, id=GDS.name),
        pytest.param(replace(GDS, examples=10, of_hosts=True), id="gds-hosts", marks=pytest.mark.long),
        pytest.param(replace(GDS, examples=300, quick=300), id="gds-deep", marks=pytest.mark.deep),
        pytest.param(SPARK, id=SPARK.name),
        pytest.param(replace(SPARK, examples=25, derandomised=False), id="spark-deep", marks=pytest.mark.deep),
    ],
)
def case(request: pytest.FixtureRequest) -> Iterator[EngineCase]:
    """The engine whose turn it is."""
    if request.param.name == SPARK.name:
        with spark_engines(request.getfixturevalue("spark")) as (make, finish):
            yield replace(request.param, make=make, finish=finish)
        return
    if request.param.name != GDS.name:
        yield request.param
        return
    server = request.getfixturevalue("neo4j_server")
    with gds_engines(server.url, server.user, server.password, of_hosts=request.param.of_hosts) as (make, finish):
        yield replace(request.param, make=make, finish=finish)


@pytest.fixture(autouse=True)
def finished(request: pytest.FixtureRequest) -> Iterator[None]:
    """The engine of a test is closed with it."""
    yield
    if "case" in request.fixturenames:
        request.getfixturevalue("case").finish()
