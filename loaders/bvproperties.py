"""The properties of a compressed graph: how many pages and links it has, and how its lists are coded."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from seedrank.core.errors import InputError, shorten
from seedrank.engines.kernels.bvgraph import DELTA, GAMMA, GOLOMB, NIBBLE, UNARY, ZETA
from seedrank.graph import MAX_PAGES
from seedrank.loaders.compressed import Input

__all__ = ["Properties", "read_properties"]

_MOST_BYTES = 1 << 20
_MOST_LINKS = 1 << 62

_KINDS = ("OUTDEGREES", "REFERENCES", "BLOCK_COUNT", "BLOCKS", "INTERVALS", "RESIDUALS")
"""What is coded, in the order the kernel has it."""
_CODINGS = {"UNARY": UNARY, "GAMMA": GAMMA, "DELTA": DELTA, "ZETA": ZETA, "GOLOMB": GOLOMB, "NIBBLE": NIBBLE}
_DEFAULTS = {"REFERENCES": "UNARY", "RESIDUALS": "ZETA"}
_CHECK = "check the file, or fetch it again"
_FLAG = re.compile(r"([A-Z]+(?:_COUNT)?)_([A-Z]+)([1-9]?)\Z")


@dataclass(frozen=True)
class Properties:
    """What ``NAME.properties`` says."""

    pages: int
    links: int
    """How many."""
    window: int
    """How many lists back a list may copy from."""
    shortest: int
    """Length of the shortest interval, 0 where intervals are not used."""
    little: bool
    """Whether the first bit of a byte is its lowest."""
    codes: np.ndarray
    offset_codes: np.ndarray
    """Coding and parameter of each kind of number, as `seedrank.engines.kernels.bvgraph` takes them."""


def read_properties(source: Input) -> Properties:
    """Read the properties of a graph.

    Raises
    ------
    InputError
        Where one is missing or wrong, or the graph is none that can be read.
    """
    with source.raw() as file:
        text = file.read(_MOST_BYTES).decode("latin-1")
    found = _pairs(text)
    file_name = source.name
    _check_kind(found, file_name)
    _number(found, "version", 1, file_name, default=0)
    order = found.get("endianness", "big")
    if order not in ("big", "little"):
        raise InputError("endianness is neither big nor little", file=file_name, value=order, hint=_CHECK)
    codes, offset_codes = _codes(found, file_name)
    return Properties(
        pages=_number(found, "nodes", MAX_PAGES, file_name),
        links=_number(found, "arcs", _MOST_LINKS, file_name),
        window=_number(found, "windowsize", 2**31 - 1, file_name),
        shortest=_number(found, "minintervallength", 2**31 - 1, file_name),
        little=order == "little",
        codes=codes,
        offset_codes=offset_codes,
    )


def _pairs(text: str) -> dict[str, str]:
    """Keys and values of a Java properties file."""
    found = {}
    for line in text.splitlines():
        key, mark, value = line.partition("=")
        if mark and not line.lstrip().startswith(("#", "!")):
            found[key.strip().lower()] = value.strip().replace("\\", "")
    return found


def _check_kind(found: dict[str, str], file: str) -> None:
    kind = found.get("graphclass", "").removeprefix("class ")
    if kind.rpartition(".")[2] == "BVGraph":
        return
    below = found.get("underlyinggraph")
    hint = "only a BVGraph can be read" if below is None else f"load the graph under it, {shorten(below)}"
    raise InputError("graphclass is not BVGraph", file=file, value=kind, hint=hint)


def _number(
    found: dict[str, str], key: str, most: int, file: str, *, least: int = 0, default: int | None = None
) -> int:
    text = found.get(key)
    if text is None:
        if default is not None:
            return default
        raise InputError(f"{key} is missing", file=file, hint=_CHECK)
    if not (text.isascii() and text.isdigit() and len(text) < 20 and least <= int(text) <= most):
        raise InputError(f"{key} is not a whole number from {least} to {most}", file=file, value=text, hint=_CHECK)
    return int(text)


def _codes(found: dict[str, str], file: str) -> tuple[np.ndarray, np.ndarray]:
    k = _number(found, "zetak", 56, file, least=1, default=3)
    chosen = {kind: (_CODINGS[_DEFAULTS.get(kind, "GAMMA")], k) for kind in (*_KINDS, "OFFSETS")}
    flags = [flag.strip().upper() for flag in found.get("compressionflags", "").split("|") if flag.strip()]
    for flag in flags:
        parts = _FLAG.match(flag)
        if parts is None or parts[1] not in chosen or parts[2] not in _CODINGS:
            raise InputError("compressionflags has an unknown coding", file=file, value=flag, hint=_CHECK)
        chosen[parts[1]] = (_CODINGS[parts[2]], int(parts[3] or k))
    if "endianness" in found and "BLOCK_COUNT" not in " ".join(flags):
        # webgraph-rs, which alone writes an endianness, codes counts of blocks as it does blocks.
        chosen["BLOCK_COUNT"] = chosen["BLOCKS"]
    codes = np.array([chosen[kind] for kind in _KINDS], np.int64)
    return codes, np.array([chosen["OFFSETS"]], np.int64)
