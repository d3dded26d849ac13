"""Models as plain numbers: trees and a linear model, predicted by NumPy and kept as JSON.

No code is stored and none is run on reading, so a model file from elsewhere is safe to open.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from seedrank.core.errors import InputError
from seedrank.core.files import whole_file
from seedrank.core.package import VERSION

__all__ = ["FORMAT", "KINDS", "Linear", "Model", "Tree", "read_model", "write_model"]

FORMAT = 2
"""Of model files. A later version adds fields, and a higher number only where the ones here mean something else.

Format 1 had scores of walks as they are, which shrink as the graph grows; format 2 has them relative to uniform ones.
"""
KINDS = ("tree", "sgd", "boosting")
_AGAIN = "learn it again"


@dataclass(frozen=True)
class Tree:
    """A regression tree as arrays over its nodes."""

    feature: np.ndarray
    """int64: number of the feature a node asks for, -1 at a leaf."""
    threshold: np.ndarray
    """float64: at most this goes left."""
    left: np.ndarray
    right: np.ndarray
    """int64: the next node."""
    value: np.ndarray
    """float64: what a leaf says."""

    def predict(self, rows: np.ndarray) -> np.ndarray:
        """float64 per row; all rows go down a level at a time."""
        node = np.zeros(len(rows), np.int64)
        # As scikit-learn compares: features in single precision.
        rows = rows.astype(np.float32)
        going = np.flatnonzero(self.feature[node] >= 0)
        while len(going):
            at = node[going]
            left = rows[going, self.feature[at]] <= self.threshold[at]
            node[going] = np.where(left, self.left[at], self.right[at])
            going = going[self.feature[node[going]] >= 0]
        return self.value[node]


@dataclass(frozen=True)
class Linear:
    """A linear model of log-scaled, standardised features."""

    scale: np.ndarray
    """float64 per feature: ``log1p(x / scale)`` is what is standardised."""
    mean: np.ndarray
    spread: np.ndarray
    """float64 per feature, of the scaled values."""
    weight: np.ndarray
    """float64 per feature."""
    intercept: float
    """Added to the sum."""

    def predict(self, rows: np.ndarray) -> np.ndarray:
        """float64 per row."""
        return ((np.log1p(rows / self.scale) - self.mean) / self.spread) @ self.weight + self.intercept


@dataclass(frozen=True)
class Model:
    """What was learnt."""

    kind: str
    """One of `KINDS`."""
    features: tuple[str, ...]
    """Names of the columns it takes, in order."""
    parts: tuple[Tree | Linear, ...]
    """Trees, or one linear model."""
    base: float
    rate: float
    """A prediction is ``base + rate · Σ parts``."""
    importance: np.ndarray
    """float64 per feature, sums to 1 where any feature counts."""
    about: dict[str, Any] = field(default_factory=dict)
    """Impact, pages learnt from, shares reached: for people."""

    def predict(self, rows: np.ndarray) -> np.ndarray:
        """Impact expected of pages, float64 per row of features."""
        total = np.zeros(len(rows))
        for part in self.parts:
            total += part.predict(rows)
        return self.base + self.rate * total


def write_model(model: Model, file: Path) -> None:
    """Write a model; the file appears whole or not at all."""
    record = {
        "seedrank model": FORMAT,
        "seedrank": VERSION,
        "kind": model.kind,
        "features": list(model.features),
        "base": model.base,
        "rate": model.rate,
        "importance": model.importance.tolist(),
        "about": model.about,
        "parts": [{name: np.asarray(value).tolist() for name, value in vars(part).items()} for part in model.parts],
    }
    with whole_file(file) as half:
        half.write_text(json.dumps(record) + "\n", encoding="utf-8")


def read_model(file: str | Path, there: tuple[str, ...]) -> Model:
    """Read a model.

    One that needs features which are not `there`, with this version and this store, is refused.
    """
    try:
        record = json.loads(Path(file).read_text(encoding="utf-8"))
        number = record["seedrank model"]
    except OSError as error:
        raise InputError(error.strerror or "cannot be read", file=str(file), hint=_AGAIN) from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError("is not a model of seedrank", file=str(file), hint=_AGAIN) from error
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        raise InputError("is not a model of seedrank", file=str(file), hint=_AGAIN)
    if number > FORMAT:
        raise InputError(
            f"is a model of another version of seedrank, a later one (format {number})",
            file=str(file),
            hint="use it with that version, or learn it again with this one",
        )
    if number < FORMAT:
        raise InputError(
            f"is a model of an earlier form (format {number}), learnt from scores that depend on the size of the graph",
            file=str(file),
            hint=_AGAIN,
        )
    try:
        missing = [name for name in record["features"] if name not in there]
        if missing:
            raise InputError(
                f"needs features that are not to be had here: {', '.join(map(str, missing))}",
                file=str(file),
                hint="load searches where it learnt from them, or learn it again on this store",
            )
        kind = record["kind"]
        if kind not in KINDS:
            raise ValueError(kind)
        make = _linear if kind == "sgd" else _tree
        parts = tuple(make(part, len(record["features"])) for part in record["parts"])
        features = tuple(record["features"])
        importance = np.array(record.get("importance", [0.0] * len(features)), np.float64)
        base, rate = float(record["base"]), float(record["rate"])
        return Model(kind, features, parts, base, rate, importance, dict(record.get("about", {})))
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise InputError("is a model that was damaged", file=str(file), hint=_AGAIN) from error


def _tree(part: dict[str, Any], features: int) -> Tree:
    whole = {name: np.array(part[name], np.int64) for name in ("feature", "left", "right")}
    tree = Tree(threshold=np.array(part["threshold"], np.float64), value=np.array(part["value"], np.float64), **whole)
    nodes = len(tree.feature)
    inner = tree.feature >= 0
    if not nodes or {len(array) for array in vars(tree).values()} != {nodes} or (tree.feature >= features).any():
        raise ValueError("a tree of another shape")
    # Children stand after their parent: every walk down the tree ends.
    for child in (tree.left[inner], tree.right[inner]):
        if (child <= np.flatnonzero(inner)).any() or (child >= nodes).any():
            raise ValueError("a tree with a loop")
    return tree


def _linear(part: dict[str, Any], features: int) -> Linear:
    arrays = {name: np.array(part[name], np.float64) for name in ("scale", "mean", "spread", "weight")}
    if any(array.shape != (features,) for array in arrays.values()):
        raise ValueError("a linear model of another shape")
    return Linear(intercept=float(part["intercept"]), **arrays)
