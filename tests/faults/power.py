"""Power cuts: what a disk may hold after one, worked out from the trace of a command (``trace.c``).

The model, after a cut between any two calls:

- What was synced is there: the data of a file up to its last ``fsync``, the names in a folder up to the folder's.
- Data written to a file since then is lost, kept, or torn: each block of 4,096 or 512 bytes is as after any of the
  writes, zeros where it never reached the disk; the size is that after any of them, whatever became of the data.
- Names changed since then (create, rename, unlink, mkdir, rmdir) are kept up to some call and lost after it: one call
  for the whole disk, as journals do it, or one for each folder. A rename is kept or lost as a whole.
- Nothing ties data to names: a rename may be kept while the data of the file is lost.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["Cut", "Step", "Tree", "read_trace", "replay", "tree"]

BLOCKS = (4096, 512)
Tree = dict[str, bytes | None]
"""What a folder holds, by path: the content of files, `None` for folders."""


@dataclass(frozen=True)
class Step:
    """A call of the trace."""

    call: str
    inode: int
    number: int
    path: str
    other: str
    data: bytes = field(repr=False)


@dataclass(frozen=True)
class Cut:
    """The power goes before the `at`-th step (from 0; after the last one where it is their number)."""

    at: int
    seed: int


def read_trace(path: Path) -> list[Step]:
    """The calls of a trace, in their order."""
    steps, raw, at = [], path.read_bytes(), 0
    while at < len(raw):
        end = raw.index(b"\n", at)
        call, *numbers = raw[at:end].decode().split(" ")
        inode, number, *lengths = map(int, numbers)
        at, parts = end + 1, []
        for length in lengths:
            parts.append(raw[at : at + length])
            at += length
        steps.append(Step(call, inode, number, os.fsdecode(parts[0]), os.fsdecode(parts[1]), parts[2]))
    return steps


def tree(folder: Path) -> Tree:
    """Everything in a folder."""
    paths = sorted(folder.rglob("*"))
    return {str(path.relative_to(folder)): None if path.is_dir() else path.read_bytes() for path in paths}


def replay(folder: str, before: Tree, steps: Sequence[Step], cut: Cut | None) -> Tree:
    """What a folder holds after a power cut, or without one what it holds when all is done.

    Parameters
    ----------
    folder
        Where the command ran.
    before
        What was in it (`tree`), all of it on disk.
    steps
        The calls.
    cut
        When, and by which chance.
    """
    disk = _Disk(folder, before)
    for step in steps if cut is None else steps[: cut.at]:
        disk.take(step)
    if cut is None:
        return _listed(disk.now, disk.top, _File.written)
    chance = random.Random(cut.seed)
    return _listed(disk.names_after_cut(chance), disk.top, lambda file: file.after_cut(chance))


class _File:
    """Data on disk, and what was written since."""

    def __init__(self, data: bytes = b"") -> None:
        self.synced = data
        self.since: list[tuple[int, bytes, int]] = []  # offset, data, size afterwards
        self.size = len(data)

    def write(self, offset: int, data: bytes) -> None:
        self.size = max(self.size, offset + len(data))
        self.since.append((offset, data, self.size))

    def resize(self, size: int) -> None:
        if size != self.size:
            self.size = size
            self.since.append((size, b"", size))

    def whole(self, data: bytes) -> None:
        """Take over what the calls did not show: the runs of blocks that differ are writes."""
        self.resize(len(data))
        old, block, at = self.written(), BLOCKS[0], 0
        while at < len(data):
            end = at
            while end < len(data) and old[end : end + block] != data[end : end + block]:
                end += block
            if end > at:
                self.write(at, data[at:end])
            at = end + block

    def written(self) -> bytes:
        """The data as programs see it."""
        return self._versions({len(self.since): [0]}, max(1, self._most()))[: self.size]

    def sync(self) -> None:
        self.synced, self.since = self.written(), []

    def after_cut(self, chance: random.Random) -> bytes:
        """The data as the disk may have it."""
        last = len(self.since)
        fate = chance.choice(("lost", "kept", "size alone", "torn", "torn"))
        if not last or fate == "lost":
            return self.synced
        if fate == "kept":
            return self.written()
        block = chance.choice(BLOCKS)
        wanted: dict[int, list[int]] = {}
        for number in range(-(-self._most() // block)):
            writes = 0 if fate == "size alone" else chance.choice((0, last, chance.randint(0, last)))
            wanted.setdefault(writes, []).append(number)
        writes = chance.choice((last, last, chance.randint(0, last)))
        return self._versions(wanted, block)[: self.since[writes - 1][2] if writes else len(self.synced)]

    def _versions(self, wanted: dict[int, list[int]], block: int) -> bytes:
        """Blocks, each as it was after so many writes."""
        data = bytearray(self.synced.ljust(self._most(), b"\0"))
        mixed = bytearray(len(data))
        for writes in range(len(self.since) + 1):
            for number in wanted.get(writes, ()):
                part = slice(number * block, (number + 1) * block)
                mixed[part] = data[part]
            if writes < len(self.since):
                offset, written, size = self.since[writes]
                data[offset : offset + len(written)] = written
                data[size:] = bytes(len(data) - size)
        return bytes(mixed)

    def _most(self) -> int:
        return max([len(self.synced), *(size for _, _, size in self.since)])


class _Folder:
    """A folder is known by itself; `_Names` say what is in it."""


_Node = _File | _Folder
_Names = dict[_Folder, dict[str, _Node]]


@dataclass(frozen=True)
class _Change:
    """What a call does to names: entries of folders that it sets, or removes (`None`)."""

    entries: tuple[tuple[_Folder, str, _Node | None], ...]

    def apply(self, names: _Names) -> None:
        for folder, name, node in self.entries:
            here = names.setdefault(folder, {})  # a folder whose own name is lost is filled all the same
            here.pop(name, None)
            if node is not None:
                here[name] = node
            if isinstance(node, _Folder):
                names.setdefault(node, {})

    def folders(self) -> set[_Folder]:
        return {folder for folder, _, _ in self.entries}


class _Disk:
    """Files and names as programs see them (`now`), and which changes of names are on disk for certain."""

    def __init__(self, root: str, before: Tree) -> None:
        self.root = root
        self.top = _Folder()
        self.start: _Names = {self.top: {}}
        self.now: _Names = {self.top: {}}
        self.changes: list[_Change] = []
        self.synced: dict[_Folder, int] = {}  # so many changes had been made when it was synced
        self.inodes: dict[int, _File] = {}
        for path, data in before.items():
            folder, name = self._place(f"{root}/{path}")
            node = _Folder() if data is None else _File(data)
            for names in (self.start, self.now):
                names[folder][name] = node
                if isinstance(node, _Folder):
                    names[node] = {}

    def take(self, step: Step) -> None:
        """Let a call happen."""
        if step.call in ("write", "size", "content"):
            file = self._file(step)
            if step.call == "write":
                file.write(step.number, step.data)
            elif step.call == "size":
                file.resize(step.number)
            else:
                file.whole(step.data)
        elif step.call == "sync":
            self._sync(step)
        else:
            change = self._change(step)
            change.apply(self.now)
            self.changes.append(change)

    def names_after_cut(self, chance: random.Random) -> _Names:
        """The names as the disk may have them."""
        last = len(self.changes)

        def some() -> int:
            return chance.choice((0, last, chance.randint(0, last)))

        sure = self._sure()
        journal = max([some(), *sure.values()]) if chance.random() < 0.5 else None
        until: dict[_Folder, int] = {}
        names = {folder: dict(entries) for folder, entries in self.start.items()}
        for number, change in enumerate(self.changes, 1):
            folders = change.folders()
            for folder in folders:
                until.setdefault(folder, max(some(), sure.get(folder, 0)) if journal is None else journal)
            if all(until[folder] >= number for folder in folders):
                change.apply(names)
            else:
                until.update(dict.fromkeys(folders, 0))  # what came later in them is lost too
        return names

    def _sure(self) -> dict[_Folder, int]:
        """Up to which change the names in a folder are on disk: what touches two folders is kept in both."""
        sure = dict(self.synced)
        for number in range(len(self.changes), 0, -1):
            folders = self.changes[number - 1].folders()
            if any(sure.get(folder, 0) >= number for folder in folders):
                sure.update({folder: max(sure.get(folder, 0), number) for folder in folders})
        return sure

    def _sync(self, step: Step) -> None:
        if step.number:
            node = self._find(step.path)
            assert isinstance(node, _Folder)
            self.synced[node] = len(self.changes)
        else:
            self._file(step).sync()

    def _change(self, step: Step) -> _Change:
        folder, name = self._place(step.path)
        if step.call in ("create", "mkdir"):
            node: _Node = _Folder()
            if step.call == "create":
                node = self.inodes[step.inode] = _File()
            return _Change(((folder, name, node),))
        node = self.now[folder][name]
        if step.call in ("unlink", "rmdir"):
            return _Change(((folder, name, None),))
        to, called = self._place(step.other)
        if step.call == "link":
            return _Change(((to, called, node),))
        return _Change(((folder, name, self.now[to][called] if step.call == "swap" else None), (to, called, node)))

    def _file(self, step: Step) -> _File:
        """The file of an inode; one that was there before is told by the path under which it is first seen."""
        if step.inode not in self.inodes:
            node = self._find(step.path)
            assert isinstance(node, _File), step
            self.inodes[step.inode] = node
        return self.inodes[step.inode]

    def _place(self, path: str) -> tuple[_Folder, str]:
        parts = Path(os.path.normpath(path)).relative_to(self.root).parts
        folder = self.top
        for part in parts[:-1]:
            node = self.now[folder][part]
            assert isinstance(node, _Folder), path
            folder = node
        return folder, parts[-1]

    def _find(self, path: str) -> _Node:
        if os.path.normpath(path) == self.root:
            return self.top
        folder, name = self._place(path)
        return self.now[folder][name]


def _listed(names: _Names, top: _Folder, content: Callable[[_File], bytes]) -> Tree:
    """What can be reached, by path."""
    found: Tree = {}
    waiting: list[tuple[str, _Folder]] = [("", top)]
    while waiting:
        path, folder = waiting.pop()
        for name, node in sorted(names[folder].items()):
            found[f"{path}{name}"] = content(node) if isinstance(node, _File) else None
            if isinstance(node, _Folder):
                waiting.append((f"{path}{name}/", node))
    return dict(sorted(found.items()))
