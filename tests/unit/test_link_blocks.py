"""Blocks of links without Spark: cut, packed, stepped and joined as its Python workers do, against dense matrices."""

from __future__ import annotations

from functools import partial

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from seedrank.engines.spark import block_tasks, pack
from tests.engines import reference
from tests.engines.webs import rngs, weighted_webs


def passed(web, cuts, weighted, step, way, own, vectors, *, split):
    """One pass over the links of a web, as `Blocks.run` has Spark do it."""
    bounds = np.unique([0, web.pages, *(cut % web.pages for cut in cuts)]).astype(np.int64)
    ends = np.array(sorted(web.links), np.int64).reshape(-1, 2)
    weight = np.array([web.links[link] for link in sorted(web.links)], np.float32)
    links = pa.record_batch({"sender": ends[:, 0], "receiver": ends[:, 1], "weight": weight})
    blocks = list(pack.packed(pack.numbered(iter([links]), bounds=bounds), bounds=bounds, weighted=weighted))
    kinds = [vector.dtype.name for vector in vectors]
    if split:
        blocks = [with_vectors(block, bounds, vectors) for block in blocks]
    sent = None if split else list(vectors)
    rows = pack.stepped(iter(blocks), step=step, bounds=bounds, kinds=kinds, vectors=sent, split=split)
    if split:
        rows = pack.joined(rows, bounds=bounds, way=way)
    received = way.empty(web.pages)
    for row in pa.Table.from_batches(rows, pack._ANSWER).to_pylist():
        place = slice(*bounds[row["block"] : row["block"] + 2])
        if row["own"] is not None:
            own[place] = np.frombuffer(row["own"], way.kind)
        if row["ids"] is not None:
            pack.collect(received, np.frombuffer(row["ids"], np.int64), np.frombuffer(row["received"], way.kind), way)
        elif row["received"] is not None:
            received[place] = np.frombuffer(row["received"], way.kind)
    return own, received


def with_vectors(batch, bounds, vectors):
    number = batch.column("block")[0].as_py()
    for k, vector in enumerate(vectors):
        part = vector[bounds[number] : bounds[number + 1]].tobytes()
        batch = batch.append_column(f"vector{k}", pa.array([part], pa.binary()))
    return batch


cuts = st.lists(st.integers(0, 29), max_size=4)


@settings(deadline=None)
@given(web=weighted_webs(), cuts=cuts, rng=rngs, weighted=st.booleans(), split=st.booleans())
def test_sums_along_links(web, cuts, rng, weighted, split):
    x = rng.random(web.pages)
    step = partial(block_tasks.totals, weighted=weighted)
    own, received = passed(web, cuts, weighted, step, block_tasks.TOTAL, np.zeros(web.pages), [x], split=split)
    links = web.links if weighted else set(web.links)
    np.testing.assert_allclose(own + received, reference.matrix(web.pages, links).T @ x, rtol=1e-9)


@settings(deadline=None)
@given(web=weighted_webs(), cuts=cuts, rng=rngs, split=st.booleans())
def test_bits_along_links(web, cuts, rng, split):
    x = rng.integers(0, 2**63, web.pages).astype(np.uint64)
    own, received = passed(
        web, cuts, False, block_tasks.reach, block_tasks.BITS, np.zeros(web.pages, np.uint64), [x], split=split
    )
    expected = np.zeros(web.pages, np.uint64)
    for source, target in web.links:
        expected[target] |= x[source]
    np.testing.assert_array_equal(own | received, expected)


@settings(deadline=None, max_examples=30)
@given(web=weighted_webs(12), cuts=cuts, rng=rngs, split=st.booleans(), far=st.sampled_from([0, 1]))
def test_the_lowest_label_that_reaches_a_page(web, cuts, rng, split, far):
    alive = rng.random(web.pages) < 0.8
    start = np.where(alive, rng.integers(0, 50, web.pages), block_tasks.NOTHING)
    labels = start
    for _ in range(web.pages + 1):
        step = partial(block_tasks.lowest, step=far)
        own, received = passed(web, cuts, False, step, block_tasks.LOWEST, labels.copy(), [labels, alive], split=split)
        labels = np.where(alive, np.minimum(own, received), block_tasks.NOTHING)
    stay = reference.without(set(web.links), ~alive, None)
    for page in range(web.pages):
        hops = reference.distances(web.pages, {(b, a) for a, b in stay}, [page])
        from_pages = [
            int(start[p]) + far * hop for p, hop in enumerate(hops) if hop >= 0 and start[p] < block_tasks.NOTHING
        ]
        assert labels[page] == (min(from_pages) if alive[page] else block_tasks.NOTHING)


@settings(deadline=None, max_examples=30)
@given(web=weighted_webs(12), cuts=cuts, rng=rngs, split=st.booleans(), weighted=st.booleans())
def test_blocks_that_solve_their_part_come_to_the_walk(web, cuts, rng, split, weighted):
    links = web.links if weighted else set(web.links)
    strength = reference.matrix(web.pages, links).sum(1)
    coefficient = np.divide(1.0, strength, out=np.zeros(web.pages), where=strength > 0)
    v = rng.random(web.pages)
    v /= v.sum()
    z, outside = v.copy(), np.zeros(web.pages)
    step = partial(block_tasks.solve, damping=0.5, tolerance=1e-14)
    for _ in range(45):
        base = v + outside
        z, outside = passed(
            web, cuts, weighted, step, block_tasks.TOTAL, base.copy(), [z, base, coefficient], split=split
        )
    expected = reference.walk(web.pages, links, [(1, None, None)], 0.5, v, "drop")
    np.testing.assert_allclose(0.5 * z, expected, atol=1e-12)
