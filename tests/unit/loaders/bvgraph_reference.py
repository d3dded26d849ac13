"""An encoder of BVGraph, bit by bit, for comparison: obviously right, and slow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

Choose = Callable[[int], int]
"""Chooses one of 0 to n: which of the encodings of a list is written."""


@dataclass
class Settings:
    window: int = 7
    shortest: int = 4
    k: int = 3
    little: bool = False
    codings: dict[str, str] = field(default_factory=dict)

    def coding(self, kind: str) -> str:
        default = {"REFERENCES": "UNARY", "RESIDUALS": "ZETA"}.get(kind, "GAMMA")
        return self.codings.get(kind, default)


class Bits:
    def __init__(self, *, little: bool = False) -> None:
        self.bits: list[int] = []
        self.little = little

    def put(self, value: int, width: int) -> None:
        bits = [value >> place & 1 for place in range(width)]
        self.bits += bits if self.little else bits[::-1]

    def number(self, value: int, coding: str, k: int = 3) -> None:
        if coding == "UNARY":
            self.bits += [0] * value + [1]
        elif coding in ("GAMMA", "DELTA"):
            width = (value + 1).bit_length() - 1
            self.number(width, "UNARY" if coding == "GAMMA" else "GAMMA")
            self.put(value + 1 - (1 << width), width)
        elif coding == "ZETA":
            step = 0
            while value + 1 >= 1 << (step + 1) * k:
                step += 1
            self.number(step, "UNARY")
            self.minimal(value + 1 - (1 << step * k), (1 << (step + 1) * k) - (1 << step * k))
        elif coding == "GOLOMB":
            self.number(value // k, "UNARY")
            self.minimal(value % k, k)
        else:
            threes = [value >> place & 7 for place in range(0, max(value.bit_length(), 1), 3)][::-1]
            for i, three in enumerate(threes):
                self.put(i == len(threes) - 1, 1)
                self.put(three, 3)

    def minimal(self, value: int, below: int) -> None:
        """A number below `below` in the fewest bits, of two lengths."""
        width = below.bit_length() - 1
        short = (1 << width + 1) - below
        if value < short:
            self.put(value, width)
        else:
            # The last bit comes by itself, in either order of bits.
            self.put((value + short) >> 1, width)
            self.put((value + short) & 1, 1)

    def bytes(self) -> bytes:
        padded = self.bits + [0] * (-len(self.bits) % 8)
        order = range(8) if self.little else range(7, -1, -1)
        return bytes(
            sum(bit << place for bit, place in zip(padded[at : at + 8], order, strict=True))
            for at in range(0, len(padded), 8)
        )


def natural(value: int) -> int:
    return 2 * value if value >= 0 else -2 * value - 1


def encode(lists: Sequence[Sequence[int]], settings: Settings, choose: Choose = lambda n: n) -> tuple[bytes, bytes]:
    """The bytes of ``.graph`` and ``.offsets``; `lists` are ascending."""
    out = Bits(little=settings.little)
    offsets = Bits()
    last = 0
    for page, targets in enumerate(lists):
        offsets.number(len(out.bits) - last, settings.coding("OFFSETS"))
        last = len(out.bits)
        _encode_list(out, page, targets, lists, settings, choose)
    offsets.number(len(out.bits) - last, settings.coding("OFFSETS"))
    return out.bytes(), offsets.bytes()


def _encode_list(out: Bits, page: int, targets: Sequence[int], lists, settings: Settings, choose: Choose) -> None:
    def write(kind: str, value: int) -> None:
        out.number(value, settings.coding(kind), settings.k)

    write("OUTDEGREES", len(targets))
    if not targets:
        return
    rest = list(targets)
    if settings.window:
        reference = choose(min(settings.window, page))
        write("REFERENCES", reference)
        if reference:
            listed = lists[page - reference]
            copied = [target in targets and choose(3) > 0 for target in listed]
            rest = [target for target in targets if target not in listed or not copied[listed.index(target)]]
            blocks = _blocks(copied)
            write("BLOCK_COUNT", len(blocks))
            for i, block in enumerate(blocks):
                write("BLOCKS", block - (i > 0))
    if not rest:
        return
    if settings.shortest:
        intervals = [run for run in _runs(rest) if len(run) >= settings.shortest and choose(3) > 0]
        write("INTERVALS", len(intervals))
        previous = None
        for run in intervals:
            write("INTERVALS", natural(run[0] - page) if previous is None else run[0] - previous - 1)
            write("INTERVALS", len(run) - settings.shortest)
            previous = run[-1] + 1
        rest = [target for target in rest if not any(target in run for run in intervals)]
    previous = None
    for target in rest:
        write("RESIDUALS", natural(target - page) if previous is None else target - previous - 1)
        previous = target


def _blocks(copied: list[bool]) -> list[int]:
    """Lengths of blocks that are copied and skipped in turn; the last, which follows from the others, is left out."""
    blocks = [0]
    state = True
    for one in copied:
        if one != state:
            blocks.append(0)
            state = one
        blocks[-1] += 1
    return blocks[:-1]


def _runs(values: list[int]) -> list[list[int]]:
    runs: list[list[int]] = []
    for value in values:
        if runs and runs[-1][-1] == value - 1:
            runs[-1].append(value)
        else:
            runs.append([value])
    return runs


def properties(lists: Sequence[Sequence[int]], settings: Settings, **other: object) -> str:
    """The text of ``.properties``."""
    found = {
        "graphclass": "it.unimi.dsi.webgraph.BVGraph",
        "version": 0,
        "nodes": len(lists),
        "arcs": sum(map(len, lists)),
        "windowsize": settings.window,
        "maxrefcount": 3,
        "minintervallength": settings.shortest,
        "zetak": settings.k,
        "compressionflags": " | ".join(f"{kind}_{coding}" for kind, coding in settings.codings.items()),
    }
    if settings.little:
        found |= {"version": 1, "endianness": "little"}
    found |= other
    return "#BVGraph properties\n" + "".join(f"{key}={value}\n" for key, value in found.items())


def write(folder: Path, lists, settings: Settings | None = None, choose: Choose = lambda n: n, **other: object) -> str:
    """Write a graph of these lists; returns the name its files share."""
    settings = settings or Settings()
    graph, offsets = encode(lists, settings, choose)
    (folder / "g.graph").write_bytes(graph)
    (folder / "g.offsets").write_bytes(offsets)
    (folder / "g.properties").write_text(properties(lists, settings, **other))
    return str(folder / "g")
