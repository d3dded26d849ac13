"""Statements that take their time on the server: sent from a thread, watched, and ended by Ctrl-C."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from seedrank.core.errors import SeedrankError
from seedrank.core.progress import Progress, silent
from seedrank.graphdb.store import HasGds

__all__ = ["call", "watched"]

log = logging.getLogger(__name__)

_POLL_SECONDS = 1.0
_LAST_WORDS = 5.0
"""Seconds a job has to end once it was told to. PageRank takes some three on a busy machine; HITS does not listen."""


def call(
    store: HasGds,
    statement: str,
    parameters: Sequence[Mapping[str, Any]],
    job: str,
    title: str | None,
    **placeholders: str,
) -> list[dict[str, Any]]:
    """Send a statement and wait for its rows; Ctrl-C ends it on the server too, or says that it may go on.

    It is sent from a thread: the driver would wait for the answer before it lets go of the connection.

    Parameters
    ----------
    parameters
        Its parameters; `job` is added. Where there are several of them, it is sent with each at the same time, and the
        rows follow each other.
    job
        By which the server knows it.
    title
        What it does, for people.
    placeholders
        What to fill in.
    """
    answers = [_Answer(store, statement, {**given, "job": job}, placeholders) for given in parameters]
    try:
        return [row for answer in answers for row in answer.wait()]
    except KeyboardInterrupt:
        with suppress(SeedrankError):
            store.call("terminate", {"stop": job})
        if not all(answer.comes_within(_LAST_WORDS) for answer in answers):
            log.warning(
                "%s was asked to stop, and had not after %g s; CALL gds.listProgress('%s') in Neo4j Browser shows "
                "whether it still runs, and restarting the server ends it",
                title or statement, _LAST_WORDS, job,
            )  # fmt: skip
        raise


@contextmanager
def watched(store: HasGds, job: str, title: str, progress: Progress) -> Iterator[None]:
    """Show how far a job is while it runs."""
    if progress is silent:
        yield
        return
    done = threading.Event()
    with progress(title, total=100) as advance:

        def poll() -> None:
            shown = 0
            while not done.wait(_POLL_SECONDS):
                try:
                    now = max((_percent(row["progress"]) for row in store.call("progress", {"job": job})), default=0)
                except (SeedrankError, ValueError):
                    return  # the job matters, not how it is watched
                advance(max(now - shown, 0))
                shown = max(now, shown)

        watcher = threading.Thread(target=poll, daemon=True)
        watcher.start()
        try:
            yield
        finally:
            done.set()
            watcher.join()


class _Answer:
    """The answer of a call that another thread makes.

    An event says that it is there: a thread whose join is interrupted counts as ended in Python 3.11, though it works.
    """

    def __init__(
        self, store: HasGds, statement: str, parameters: Mapping[str, Any], placeholders: Mapping[str, str]
    ) -> None:
        self._make: Callable[[], list[dict[str, Any]]] = lambda: store.call(statement, parameters, **placeholders)
        self._rows: list[dict[str, Any]] = []
        self._error: BaseException | None = None
        self._done = threading.Event()
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        try:
            self._rows = self._make()
        except BaseException as error:
            self._error = error
        finally:
            self._done.set()

    def comes_within(self, seconds: float) -> bool:
        """Whether the call ends within some seconds."""
        return self._done.wait(seconds)

    def wait(self) -> list[dict[str, Any]]:
        """The answer, when it is there."""
        self._done.wait()
        if self._error is not None:
            raise self._error
        return self._rows


def _percent(text: str) -> int:
    """A share such as ``12.5%``; 0 where it is not known."""
    return int(float(text.rstrip("%"))) if text.endswith("%") else 0
