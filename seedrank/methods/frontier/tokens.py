"""Words of URLs, anchors and searches, found in bulk: lower case, runs of letters and digits, percent signs decoded."""

from __future__ import annotations

from urllib.parse import unquote

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

__all__ = ["Vocabulary", "words"]

_NO_WORD = r"[^\pL\pN]+"
_LINE_ENDS = r"%(?i:0a|0d)|[\r\n]"
_BLOCK = 1 << 18
"""Texts at a time: their words take a few hundred bytes each."""


def words(texts: pa.Array) -> tuple[np.ndarray, pa.Array]:
    """Words of texts: for each the number of its text (int64, ascending), and the word; a null has none."""
    texts = pc.fill_null(texts.cast(pa.string()), "")
    pieces = pc.split_pattern_regex(pc.utf8_lower(_unquoted(texts)), _NO_WORD)
    owner, found = pc.list_parent_indices(pieces).to_numpy(), pc.list_flatten(pieces)
    proper = pc.not_equal(found, "")
    return owner[proper.to_numpy(zero_copy_only=False)], found.filter(proper)


def _unquoted(texts: pa.Array) -> pa.Array:
    """Texts with %XX decoded; all of a block in one go, since decoding one by one is slow."""
    coded = pc.match_substring(texts, "%")
    if not pc.any(coded).as_py():
        return texts
    lines = pc.replace_substring_regex(texts.filter(coded), _LINE_ENDS, " ")
    decoded = unquote("\n".join(lines.to_pylist()), errors="replace").split("\n")
    return pc.replace_with_mask(texts, coded, pa.array(decoded, pa.string()))


class Vocabulary:
    """The words that count: those of the searches."""

    def __init__(self, texts: pa.Array) -> None:
        owner, found = words(texts)
        self.words = found.unique()
        term = pc.index_in(found, value_set=self.words).to_numpy().astype(np.int64)
        pairs = np.unique(owner * max(len(self.words), 1) + term)
        self.text, self.term = np.divmod(pairs, max(len(self.words), 1))
        """Distinct words of each search: number of the search, number of the word."""

    def pairs(self, owner: np.ndarray, texts: pa.Array) -> np.ndarray:
        """Distinct pairs owner · words + word, ascending, of words that count in texts of owners (int64)."""
        found: list[np.ndarray] = []
        for start in range(0, len(texts), _BLOCK):
            rows, some = words(texts.slice(start, _BLOCK))
            term = pc.index_in(some, value_set=self.words)
            known = term.is_valid().to_numpy(zero_copy_only=False)
            numbers = term.drop_null().to_numpy().astype(np.int64)
            found.append(np.unique(owner[start + rows[known]] * len(self.words) + numbers))
        return np.unique(np.concatenate(found)) if found else np.empty(0, np.int64)
