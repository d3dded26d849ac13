"""Links the other way round for graphs whose links are larger than a share of the memory: made on disk, once.

A blocked counting sort. The links are read once to count those into each page (once more for every 8 bytes a page that
do not fit), which gives the offsets. Then they are read once per block of the result: the links that belong into the
block are put there in memory, and the block is written behind the last one. The disk needs room for the result and for
nothing else; memory is a block with 8 bytes for each of its pages, and a few MB of links as they are read.

Blocks are written and brought to disk one after the other in ``.transposing``, a folder beside the links, with a
record of how many links are in place and of the files they are made of. A build that was cut off, by whatever, goes on
after the last whole block; one of other links is begun again. Whole, the files join the graph as all that is made of
it later.
"""

from __future__ import annotations

import bisect
import json
import logging
import os
import shutil
import zlib
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from seedrank.core.errors import InputError, TooLarge
from seedrank.core.files import to_disk, whole_file
from seedrank.core.numbers import show_size
from seedrank.core.resources import free_disk, free_memory, require_disk
from seedrank.engines.kernels.csr import count_targets_from, place_sources, place_weights
from seedrank.graph.folder import add, open_folder, writing
from seedrank.graph.npy import ArrayStream, header, pieces, write_all
from seedrank.graph.webgraph import frozen

__all__ = ["PLACE", "fits_memory", "memory_taken", "refuse_in_memory", "transpose_links", "transpose_weights"]

log = logging.getLogger(__name__)

PLACE = ".transposing"
_SMALL = 64 << 20
"""Bytes that are there, or nothing works."""
_SHARE = 4
"""Transposed links may take the free memory divided by this."""
_LINK = 4
"""Bytes per link: a page, or a weight."""
_PAGE = 8
"""Bytes of memory per page of a block."""

_Place = Callable[[int, np.ndarray, int, np.ndarray], None]
"""Puts all links into a block: first page, places by page, place of the block, the block."""


def fits_memory(needed: int) -> bool:
    """Whether links that need this many bytes are transposed in memory, all at once."""
    return needed <= _SMALL or needed <= _limit()


def memory_taken(needed: int) -> int:
    """Bytes of memory that transposing the links of a folder takes; all at once they would take `needed`."""
    return needed if fits_memory(needed) else _limit()


def transpose_links(folder: Path, arrays: Mapping[str, np.ndarray], record: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """Make ``in_offsets`` and ``in_sources`` on disk, mapped.

    Raises
    ------
    StoreError
        The disk has too little room.
    OSError
        The folder cannot be written.
    """
    offsets, targets = arrays["out_offsets"], arrays["out_targets"]

    def place(first: int, fill: np.ndarray, low: int, block: np.ndarray) -> None:
        # Two lanes look at every link and put down those to pages of their own half.
        middle = int(np.searchsorted(fill, low + len(block) // 2))
        halves = (first, fill[:middle]), (first + middle, fill[middle:])
        row = 0
        with ThreadPoolExecutor(len(halves)) as lanes:
            for start, piece in pieces(targets):
                links = frozen(offsets), row, start, piece
                done = [lanes.submit(place_sources, *links, page, places, low, block) for page, places in halves]
                row = max(lane.result() for lane in done)

    with _transposing(folder, ("in_offsets", "in_sources")) as there:
        if not there:
            made_of = _made_of(record, ("out_offsets", "out_targets"))
            build = _Build(folder, made_of, _limit())
            build.announce(len(targets), len(offsets) - 1, counting=True)
            in_offsets = build.count(targets, len(offsets) - 1)
            checksum = build.fill("in_sources", np.int32, in_offsets, place)
            build.join(("in_offsets", "in_sources"), {"in_sources": checksum})
    return _opened(folder, ("in_offsets", "in_sources"))


def transpose_weights(folder: Path, arrays: Mapping[str, np.ndarray], record: Mapping[str, Any]) -> np.ndarray:
    """Make ``in_weights`` on disk, mapped, where ``in_offsets`` are there already; as `transpose_links`."""
    targets, weights, in_offsets = arrays["out_targets"], arrays["weights"], arrays["in_offsets"]

    def place(first: int, fill: np.ndarray, low: int, block: np.ndarray) -> None:
        for (_, piece), (_, weighing) in zip(pieces(targets), pieces(weights), strict=True):
            place_weights(piece, weighing, first, fill, low, block)

    with _transposing(folder, ("in_weights",)) as there:
        if not there:
            build = _Build(folder, _made_of(record, ("out_offsets", "out_targets", "weights")), _limit())
            build.announce(len(targets), len(in_offsets) - 1, counting=False)
            checksum = build.fill("in_weights", np.float32, in_offsets, place)
            build.join(("in_weights",), {"in_weights": checksum})
    return _opened(folder, ("in_weights",))["in_weights"]


def refuse_in_memory(needed: int, folder: Path, error: OSError) -> None:
    """Refuse to transpose links in memory, because nothing can be written to their folder, where it is too small."""
    free = free_memory()
    if free is not None and needed > free:
        raise TooLarge(
            f"links the other way round need {show_size(needed)} of memory, and {show_size(free)} are free; "
            "{folder} cannot be written ({why}), or they would be made there",
            hint="make it writable, or copy it to a disk that is",
            values={"folder": folder, "why": error.strerror or error},
        ) from error


@dataclass
class _Build:
    """Files that are being made of a graph, in its folder `PLACE`."""

    folder: Path
    """Of the graph."""
    made_of: str
    """Digest of what they are made of; empty where nothing tells, so that nothing is used again."""
    limit: int
    """Bytes of memory."""

    def __post_init__(self) -> None:
        self.place = self.folder / PLACE

    def announce(self, links: int, pages: int, *, counting: bool) -> None:
        """Say what will be needed, and refuse where the disk does not have it."""
        size, reads = _LINK * links, _blocks(_LINK * links + _PAGE * pages, self.limit)
        if counting:
            size, reads = size + 8 * (pages + 1), reads + max(1, -(-pages // max(self.limit // _PAGE, 1)))
        held = sum(path.stat().st_blocks * 512 for path in self.place.glob("*"))
        require_disk(max(size - held, 0), self.folder, "transposing the links")
        self.place.mkdir(exist_ok=True)
        log.info(
            "transposing %s links in %s: %s of disk (%s free), up to %s of memory; they are read %d times",
            f"{links:,}", self.folder, show_size(size), show_size(free_disk(self.folder) + held),
            show_size(self.limit), reads,
        )  # fmt: skip

    def count(self, targets: np.ndarray, pages: int) -> np.ndarray:
        """``in_offsets``, mapped."""
        path = self.place / "in_offsets.npy"
        if self._kept("in_offsets", path, len(header(np.int64, pages + 1)) + 8 * (pages + 1)) is None:
            self._forget("in_offsets")
            stream, total = ArrayStream(path, np.int64), 0
            try:
                stream.write(np.zeros(1, np.int64))
                step = max(self.limit // _PAGE, 1)
                for first in range(0, pages, step):
                    counts = np.zeros(min(step, pages - first), np.int64)
                    for _, piece in pieces(targets):
                        count_targets_from(piece, first, counts)
                    np.cumsum(counts, out=counts)
                    counts += total
                    total = int(counts[-1])
                    stream.write(counts)
                    del counts  # or the next would be made beside it
                stream.close()
            finally:
                stream.discard()
            if total != len(targets):
                raise InputError("names pages that do not exist", file=str(self.folder / "out_targets.npy"))
            to_disk(path)
            self._keep("in_offsets", links=total, crc32=0)
        return np.asanyarray(np.load(path, mmap_mode="r"))

    def fill(self, name: str, dtype: Any, in_offsets: np.ndarray, place: _Place) -> int:
        """A file with a value per link, by target; returns its checksum."""
        path, links = self.place / f"{name}.npy", int(in_offsets[-1])
        start = header(dtype, links)
        kept = self._kept(name, path, len(start) + _LINK * links)
        done, checksum = kept or (0, zlib.crc32(start))
        if kept is None:
            self._forget(name)
        with path.open("wb" if kept is None else "r+b", buffering=0) as file:
            if kept is None:
                os.posix_fallocate(file.fileno(), 0, len(start) + _LINK * max(links, 1))
                file.truncate(len(start) + _LINK * links)
                write_all(file, start)
            else:
                log.info("going on after %s of %s links", f"{done:,}", f"{links:,}")
            for low, high, first, last in _cut(in_offsets, done, self.limit):
                block = np.zeros(high - low, dtype)
                place(first, np.array(in_offsets[first:last]), low, block)
                file.seek(len(start) + _LINK * low)
                content = block.view(np.uint8).data
                with ThreadPoolExecutor(1) as beside:
                    summed = beside.submit(zlib.crc32, content, checksum)
                    write_all(file, content)
                    os.fsync(file.fileno())
                    checksum = summed.result()
                del block, content  # or the next would be made beside it
                self._keep(name, links=high, crc32=checksum)
                if high < links:
                    log.info("transposed: %s of %s links", f"{high:,}", f"{links:,}")
        return checksum

    def join(self, names: tuple[str, ...], checksums: Mapping[str, int]) -> None:
        """Make the files a part of the graph."""
        add(self.folder, {name: self.place / f"{name}.npy" for name in names}, checksums)
        shutil.rmtree(self.place, ignore_errors=True)

    def _keep(self, name: str, **facts: int) -> None:
        with whole_file(self.place / f"{name}.json") as half:
            half.write_text(json.dumps({"made_of": self.made_of, **facts}), encoding="utf-8")

    def _forget(self, name: str) -> None:
        """Remove the record of a file before it is begun again: it must not vouch for the new one."""
        (self.place / f"{name}.json").unlink(missing_ok=True)
        to_disk(self.place)

    def _kept(self, name: str, path: Path, size: int) -> tuple[int, int] | None:
        """Links in place and their checksum, of an earlier build of the same file."""
        try:
            record = json.loads((self.place / f"{name}.json").read_bytes())
            if self.made_of and record["made_of"] == self.made_of and path.stat().st_size == size:
                return int(record["links"]), int(record["crc32"])
        except (OSError, ValueError, KeyError, TypeError):
            pass
        return None


@contextmanager
def _transposing(folder: Path, names: tuple[str, ...]) -> Iterator[bool]:
    """The right to add files to a folder; gives whether another process has made these in the meantime."""
    with writing(folder, wait=True):
        _, there, _ = open_folder(folder)
        try:
            yield all(name in there for name in names)
        except OSError:
            shutil.rmtree(folder / PLACE, ignore_errors=True)
            raise


def _opened(folder: Path, names: tuple[str, ...]) -> dict[str, np.ndarray]:
    _, arrays, _ = open_folder(folder)
    return {name: arrays[name] for name in names}


def _limit() -> int:
    free = free_memory()
    return _SMALL if free is None else max(_SMALL, free // _SHARE)


def _made_of(record: Mapping[str, Any], names: tuple[str, ...]) -> str:
    files = record.get("files", {})
    return json.dumps([[name, files[name]["bytes"], files[name]["crc32"]] for name in names]) if files else ""


def _blocks(size: int, limit: int) -> int:
    return max(1, -(-size // max(limit - 2 * _PAGE, 1)))


def _cut(in_offsets: np.ndarray, low: int, limit: int) -> Iterator[tuple[int, int, int, int]]:
    """Blocks of the links by target from place `low` on, alike in size: places, and pages whose links are in them."""
    pages, links = len(in_offsets) - 1, int(in_offsets[-1])
    whole = _LINK * links + _PAGE * pages
    limit = min(limit, -(-whole // _blocks(whole, limit)) + 2 * _PAGE)
    while low < links:
        first = int(np.searchsorted(in_offsets, low, side="right")) - 1

        def size(page: int, low: int = low, first: int = first) -> int:
            return _LINK * max(int(in_offsets[page]) - low, 0) + _PAGE * (page - first)

        last = bisect.bisect_right(range(first, pages), limit, key=size) + first - 1
        high = max(int(in_offsets[last]), low) + max((limit - size(last) - _PAGE) // _LINK, 0)
        high = max(min(high, int(in_offsets[last + 1])), low + 1)
        yield low, high, first, last + 1
        low = high
