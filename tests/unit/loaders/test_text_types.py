"""The type of a text column equals what its values say one by one."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seedrank.ingest.merge.text_types import BOOL, FLOAT, INT, TEXT, TextType
from seedrank.loaders.base import Where

WORDS = ["1", "-20", "+3", "0", "1.5", "1e3", "nan", "inf", "n/a", "-", "x", "true", "False", "", None, " 7 "]
WORDS += ["007", "0x1F", "99999999999999999999", "1,5", "."]
MARKS = {"n/a", "-", ".", "nan"}


def reads(text: str, kind: pa.DataType) -> bool:
    if kind == BOOL:
        return text.lower() in ("true", "false")
    try:
        pa.scalar(text).cast(kind)
    except pa.ArrowInvalid:
        return False
    return True


def is_number(text: str) -> bool:
    return reads(text, FLOAT) and text not in ("nan", "inf")


@pytest.mark.slow
@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=4), max_size=4))
def test_types_and_misfits(batches):
    found, line = TextType(), 1
    seen: list[tuple[int, str]] = []
    for texts in batches:
        found.see(pa.array(texts, pa.string()), Where("f", line))
        seen += [(line + row, text.strip()) for row, text in enumerate(texts) if text and text.strip()]
        line += len(texts)
    texts = [text for _, text in seen]
    first = {kind: next((one for one in seen if not reads(one[1], kind)), None) for kind in (INT, FLOAT, BOOL)}
    for kind, expected in first.items():
        got = found.misfit(kind)
        assert (got and (got[1], got[2])) == expected
    coded = any(text in ("007", "0x1F") for text in texts)
    kinds = [] if coded else [kind for kind in (INT, FLOAT, BOOL) if first[kind] is None]
    assert found.type == (kinds[0] if kinds else TEXT)
    numbers, truths = sum(map(is_number, texts)), sum(reads(text, BOOL) for text in texts)
    marks = sum(text in MARKS for text in texts)
    expected = None
    if not kinds and not coded:
        for kind, fits in ((FLOAT, numbers), (BOOL, truths)):
            if expected is None and fits and (2 * fits > len(texts) or fits + marks == len(texts)):
                expected = kind, first[kind]
    stray = found.stray()
    assert (stray and (stray[0], stray[1][1:])) == expected
