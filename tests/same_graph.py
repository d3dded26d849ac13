"""Whether two graphs are equal: numbers of pages, links, weights, columns, strings and hosts."""

from __future__ import annotations

import numpy as np

from seedrank.graph import WebGraph

ARRAYS = ("out_offsets", "out_targets", "status", "host", "source_id", "weights")


def check_same(one: WebGraph, other: WebGraph) -> None:
    """Fail with the first part that differs."""
    assert (one.pages, one.links) == (other.pages, other.links)
    for name in ARRAYS:
        mine, theirs = getattr(one, name), getattr(other, name)
        assert (mine is None) == (theirs is None), name
        if mine is not None:
            assert mine.dtype == theirs.dtype, name
            np.testing.assert_array_equal(mine, theirs, err_msg=name)
    assert one.hosts.combine_chunks().equals(other.hosts.combine_chunks()), (one.hosts, other.hosts)
    assert (one.urls is None) == (other.urls is None)
    if one.urls is not None:
        assert one.urls.equals(other.urls)
    assert sorted(one.column_names) == sorted(other.column_names)
    assert sorted(one.text_names) == sorted(other.text_names)
    for name in one.column_names:
        if name in one.text_names:
            assert one.text(name).equals(other.text(name)), name
        else:
            assert one.column(name).dtype == other.column(name).dtype, name
            np.testing.assert_array_equal(one.column(name), other.column(name), err_msg=name)
