"""The links of a view as blocks in Spark, and one pass over them: a Spark job from vector to vector."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from seedrank.engines.spark.block_tasks import Step, Way
from seedrank.engines.spark.pack import ANSWER, NUMBERED, PACKED, collect, joined, numbered, packed, stepped
from seedrank.graphdb.spark import quiet

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["Blocks", "Layout", "Pass"]

_KEPT_TOGETHER = "spark.sql.inMemoryColumnarStorage.batchSize"


@dataclass(frozen=True)
class Layout:
    """How links are cut into blocks, and from which size on vectors go through Spark's shuffle."""

    per_block: int = 4_000_000
    """Links and pages of a block, about: what a task holds, 20 bytes each."""
    one_block: int = 200_000
    """Links and pages up to which one task does it all."""
    through_driver: int = 1 << 26
    """Bytes of values between blocks up to which the driver adds them up, and sends every task the whole vectors."""

    def blocks(self, work: int, parallelism: int) -> int:
        """Blocks of a graph, by the number of its links and pages, and of cores."""
        return 1 if work <= self.one_block else max(parallelism, math.ceil(work / self.per_block))


@dataclass(frozen=True)
class Pass:
    """What a pass over the links gives, a value per page."""

    own: np.ndarray
    """From pages of the same block."""
    received: np.ndarray
    """From pages of other blocks."""
    moved: float
    """How far the blocks are from rest, together."""


class Blocks:
    """Links cut into blocks by sender, kept in Spark's memory and on its disks.

    Parameters
    ----------
    links
        ``sender``, ``receiver``, ``weight``; each pair once.
    degree
        Links that leave each page.
    weighted
        Whether weights are kept.
    """

    def __init__(self, links: DataFrame, degree: np.ndarray, *, weighted: bool, layout: Layout) -> None:
        self.pages = len(degree)
        self.links = int(degree.sum(dtype=np.int64))
        self._spark = links.sparkSession
        count = min(layout.blocks(self.links + self.pages, self._spark.sparkContext.defaultParallelism), self.pages)
        self.bounds = _cut(degree, count)
        self.count = len(self.bounds) - 1
        # A page is named in a message by 8 bytes and its value takes 8 more.
        self._shuffles = 16 * self.pages * (self.count - 1) > layout.through_driver
        bounds = self.bounds
        with quiet():
            cut = links.mapInArrow(partial(numbered, bounds=bounds), NUMBERED)
            made = cut.repartitionById(self.count, cut["block"]).mapInArrow(
                partial(packed, bounds=bounds, weighted=weighted), PACKED
            )
            if self._shuffles:
                # Each block is where it belongs already, but Spark does not know: told once, no pass moves them.
                made = made.repartitionById(self.count, made["block"])
            self._packed = _persisted(made)

    def run(self, step: Step, way: Way, own: np.ndarray, *vectors: np.ndarray) -> Pass:
        """One pass over all links.

        Parameters
        ----------
        step
            What a task does with its block.
        way
            How values from several blocks become one.
        own
            What pages of a block without links have.
        vectors
            What the step takes, a value per page each.
        """
        answer = Pass(own.astype(way.kind), way.empty(self.pages), 0.0)
        if not self.links:
            return answer
        kinds = [vector.dtype.name for vector in vectors]
        rows, given = self._packed, None if self._shuffles else list(vectors)
        with quiet():
            if self._shuffles:
                rows = self._beside(rows, vectors)
            rows = rows.mapInArrow(
                partial(stepped, step=step, bounds=self.bounds, kinds=kinds, vectors=given, split=self._shuffles),
                ANSWER,
            )
            if self._shuffles:
                rows = rows.repartitionById(self.count, rows["block"]).mapInArrow(
                    partial(joined, bounds=self.bounds, way=way), ANSWER
                )
            table = rows.toArrow()
        return self._spread(table, way, answer)

    def close(self) -> None:
        """Let Spark forget the blocks."""
        self._packed.unpersist()

    def _beside(self, rows: DataFrame, vectors: tuple[np.ndarray, ...]) -> DataFrame:
        """The blocks, each with its part of the vectors; the blocks stay where they are."""
        columns = {
            f"vector{k}": pa.array(
                [vector[a:b].tobytes() for a, b in zip(self.bounds[:-1], self.bounds[1:], strict=True)], pa.binary()
            )
            for k, vector in enumerate(vectors)
        }
        table = pa.table({"block": pa.array(range(self.count), pa.int32()), **columns})
        sent = self._spark.createDataFrame(table)
        return rows.join(sent.repartitionById(self.count, sent["block"]).hint("shuffle_hash"), "block")

    def _spread(self, table: pa.Table, way: Way, answer: Pass) -> Pass:
        moved = []
        # Rows come in the order of partitions, so the same numbers are added in the same order every time.
        for row in table.to_batches():
            for cells in zip(*(row.column(name) for name in table.column_names), strict=True):
                block, own, ids, received, far = cells
                place = slice(*self.bounds[block.as_py() : block.as_py() + 2].tolist())
                if own.is_valid:
                    answer.own[place] = np.frombuffer(own.as_buffer(), way.kind)
                    moved.append(far.as_py())
                if ids.is_valid:
                    there = np.frombuffer(ids.as_buffer(), np.int64)
                    collect(answer.received, there, np.frombuffer(received.as_buffer(), way.kind), way)
                elif received.is_valid:
                    answer.received[place] = np.frombuffer(received.as_buffer(), way.kind)
        return Pass(answer.own, answer.received, math.fsum(moved))


def _persisted(blocks: DataFrame) -> DataFrame:
    """The blocks, kept by Spark one by one: what it keeps together may not reach 2 GiB."""
    settings = blocks.sparkSession.conf
    before = settings.get(_KEPT_TOGETHER)
    settings.set(_KEPT_TOGETHER, "1")
    try:
        return blocks.persist()
    finally:
        settings.set(_KEPT_TOGETHER, str(before))


def _cut(degree: np.ndarray, count: int) -> np.ndarray:
    """First page of each block, and the number of pages: about as many links and pages in each."""
    work = np.cumsum(degree.astype(np.int64) + 1)
    cuts = np.searchsorted(work, work[-1] * np.arange(1, count) / count)
    return np.unique(np.concatenate(([0], cuts, [len(degree)]))).astype(np.int64)
