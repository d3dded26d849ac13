"""Which primitive ran where: for the log, and for the record of an answer."""

from __future__ import annotations

import logging
import time
from array import array
from bisect import bisect_left
from collections.abc import Iterator

from seedrank.core.numbers import counted
from seedrank.engines.base import Walk

__all__ = ["Journal"]

log = logging.getLogger(__name__)


class Journal:
    """Uses of primitives, in the order of time."""

    def __init__(self) -> None:
        # 8 bytes a call: a selection of many seeds calls some primitives at every seed.
        self._times: dict[tuple[str, str], array[float]] = {}
        self._unfinished: list[tuple[float, str]] = []
        self._untold: dict[tuple[str, str], tuple[int, float, str]] = {}

    def note(self, primitive: str, engine: str, started: float, size: str) -> None:
        """Note a call that ended now.

        Parameters
        ----------
        primitive, engine
            What ran, and where.
        started
            `time.perf_counter` when it began.
        size
            Of the graph, for people.
        """
        use = primitive, engine
        self._times.setdefault(use, array("d")).append(started)
        calls, seconds, _ = self._untold.get(use, (0, 0.0, ""))
        self._untold[use] = calls + 1, seconds + time.perf_counter() - started, size

    def unfinished(self, walk: Walk) -> None:
        """Note a walk that ended at its limit of steps, and warn of it."""
        text = (
            f"a walk did not converge: after {counted(walk.iterations, 'step')} the last moved {walk.residual:.1e}, "
            "so its scores are not final; lower the damping"
        )
        log.warning(text)
        self._unfinished.append((time.perf_counter(), text))

    def unfinished_since(self, started: float) -> str:
        """What is to be said of walks since `started` that did not converge: of the last one; nothing if all did."""
        return next((text for when, text in reversed(self._unfinished) if when >= started), "")

    def since(self, started: float) -> dict[str, str]:
        """Primitives that ran since `started` (`time.perf_counter`), in the order of first use, and the engine of each.

        A primitive that ran in both places has both: ``gds+native``.
        """
        first = []
        for use, times in self._times.items():
            place = bisect_left(times, started)
            if place < len(times):
                first.append((times[place], use))
        ran: dict[str, str] = {}
        for _, (primitive, engine) in sorted(first):
            ran[primitive] = f"{ran[primitive]}+{engine}" if primitive in ran else engine
        return ran

    def tell(self) -> Iterator[tuple[str, str]]:
        """Primitives that ran since they were last told, each with a line on where, how long and on how much."""
        for (primitive, engine), (calls, seconds, size) in self._untold.items():
            times = "" if calls == 1 else f" in {calls:,} calls"
            yield primitive, f"{engine}, {seconds:.1f} s{times}, {size}"
        self._untold.clear()
