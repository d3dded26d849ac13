"""Work that Spark does for us: followed while it runs, ended by Ctrl-C, and what went wrong told in one line."""

from __future__ import annotations

import re
import signal
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from seedrank.core.errors import InputError, SeedrankError, StoreError
from seedrank.core.progress import Advance, Progress, silent
from seedrank.graphdb.spark.session import quiet

if TYPE_CHECKING:
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

__all__ = ["followed"]

_EVERY_SECONDS = 0.5
_FILE = re.compile(r"reading file (?:file:(?://)?)?(\S+?)\.?(?:\s|$)")
_CODE = re.compile(r"^\[[A-Z0-9_.]+\] ")
_STATE = re.compile(r"\s*SQLSTATE: \w+;?")
_LOST = "most recent failure: "
_busy = threading.local()


@contextmanager
def followed(spark: SparkSession, title: str, progress: Progress = silent) -> Iterator[None]:
    """Follow all jobs that this thread has Spark run: one stage of `progress`, told of every task that is done.

    Ctrl-C cancels them. What Spark or Java says when a job fails becomes one line. Work within other work belongs to
    that.

    Parameters
    ----------
    title
        Of the stage.
    """
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    if getattr(_busy, "group", None):
        yield
        return
    context, group = spark.sparkContext, uuid.uuid4().hex
    interrupted = threading.Event()
    _busy.group = group
    try:
        context.setJobGroup(group, title)
        with quiet(), _ctrl_c(context, group, interrupted), _tasks(context, group, title, progress):
            yield
    except (PySparkException, Py4JError, OSError, EOFError) as error:
        if interrupted.is_set():
            raise KeyboardInterrupt from None
        if not _answers(context):
            raise StoreError(
                "Spark's driver ended in the middle of it, perhaps for want of memory",
                hint="give it more, such as spark.driver.memory 4g in spark-defaults.conf, which SPARK_CONF_DIR names",
            ) from error
        if isinstance(error, (OSError, EOFError)):
            raise
        raise in_words(error) from error
    finally:
        _busy.group = None
        if not interrupted.is_set() and _answers(context):
            for name in ("spark.jobGroup.id", "spark.job.description"):
                context.setLocalProperty(name, None)


def in_words(error: BaseException) -> SeedrankError:
    """What went wrong in Spark: the last cause that says something, and the file where one was read."""
    causes = _causes(error)
    last = next((text for text in map(_plain, reversed(causes)) if text), type(error).__name__)
    for text in causes:
        if found := _FILE.search(text):
            return InputError(
                "Spark cannot read it: {last}", file=unquote(found[1]), hint="look at the file, or give another",
                values={"last": last},
            )  # fmt: skip
    return StoreError(
        "Spark could not do it: {last}", hint="look at the cluster's log, and at the folder", values={"last": last}
    )


def _causes(error: BaseException) -> list[str]:
    """What each cause says, the last cause last."""
    cause: Any = getattr(error, "java_exception", None) or getattr(error, "_origin", None)
    if cause is None:
        return [str(error)]
    texts: list[str] = []
    while cause is not None and len(texts) < 20:
        texts.append(str(cause.getMessage() or ""))
        cause = cause.getCause()
    return texts


def _plain(text: str) -> str:
    """The line that says what happened, without Spark's codes."""
    if "Traceback (most recent call last)" in text:
        lines = [line for line in _STATE.sub("", text).splitlines() if line.strip()]
        return lines[-1].strip()
    text = text.partition(_LOST)[2] or text
    return _STATE.sub("", _CODE.sub("", text.strip().partition("\n")[0])).strip()


@contextmanager
def _ctrl_c(context: SparkContext, group: str, interrupted: threading.Event) -> Iterator[None]:
    """SIGINT cancels the jobs of a group, then does what it did before.

    PySpark waits for a job to end before an exception leaves it, so the jobs have to be cancelled first; and by
    another thread, since this one may be in the middle of a call to Java.
    """
    before: Any = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        interrupted.set()
        threading.Thread(target=context.cancelJobGroup, args=(group,), daemon=True).start()
        before(number, frame)

    signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _tasks(context: SparkContext, group: str, title: str, progress: Progress) -> Iterator[None]:
    """Tell progress of the tasks of a group, from a thread that asks Spark now and then."""
    if progress is silent:
        yield
        return
    with progress(title) as advance:
        tell, done = _Tasks(context, group, advance), threading.Event()

        def poll() -> None:
            while not done.wait(_EVERY_SECONDS):
                _unless_gone(tell)

        thread = threading.Thread(target=poll, daemon=True)
        thread.start()
        try:
            yield
            _unless_gone(tell)
        finally:
            done.set()
            thread.join(10 * _EVERY_SECONDS)


class _Tasks:
    """Adds the tasks that are done since the last call to a stage."""

    def __init__(self, context: SparkContext, group: str, advance: Advance) -> None:
        self._status, self._group, self._advance = context.statusTracker(), group, advance
        self._ended: set[int] = set()
        self._done: dict[int, int] = {}
        self._lock = threading.Lock()

    def __call__(self) -> None:
        """Ask Spark, and tell."""
        with self._lock:
            before = sum(self._done.values())
            for number in set(self._status.getJobIdsForGroup(self._group)) - self._ended:
                job = self._status.getJobInfo(number)
                if job is None:
                    continue
                for stage in job.stageIds:
                    if found := self._status.getStageInfo(stage):
                        self._done[stage] = max(self._done.get(stage, 0), found.numCompletedTasks)
                if job.status != "RUNNING":
                    self._ended.add(number)
            if (after := sum(self._done.values())) > before:
                self._advance(after - before)


def _unless_gone(tell: Callable[[], None]) -> None:
    """Spark may end, or be cancelled, while it is asked how far it is: then there is nothing to tell."""
    from py4j.protocol import Py4JError

    try:
        tell()
    except (Py4JError, OSError):
        return


def _answers(context: SparkContext) -> bool:
    """Whether Java is still there."""
    from py4j.protocol import Py4JError

    try:
        return context._jsc is not None and not context._jsc.sc().isStopped()
    except (Py4JError, OSError, AttributeError):
        return False
