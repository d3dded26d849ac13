"""Strong components by Pearce's variant of Tarjan's algorithm, without recursion, and their condensation."""

from __future__ import annotations

import numba
import numpy as np

__all__ = ["condense", "number", "strong"]


@numba.njit(cache=True, nogil=True)
def strong(offsets: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """int32 per page: a label shared by the pages of one strong component, pages-1 downwards.

    D. J. Pearce, "A space-efficient algorithm for finding strongly connected components" (2016): one array holds the
    index of a page on its way and the label of a page that is done; labels are larger than every index in use.
    """
    pages = len(offsets) - 1
    label = np.zeros(pages, np.int32)
    path = np.empty(pages, np.uint32)
    position = np.empty(pages, np.int64)
    first = np.empty(pages, np.int32)
    waiting = np.empty(pages, np.uint32)
    depth = 0
    waits = 0
    index = 1
    component = pages
    for start in range(pages):
        if label[start] != 0:
            continue
        path[0] = start
        position[0] = offsets[start]
        first[0] = index
        label[start] = index
        index += 1
        depth = 1
        while depth > 0:
            page = path[depth - 1]
            i = position[depth - 1]
            end = offsets[page + 1]
            low = label[page]
            descended = False
            while i < end:
                target = targets[i]
                of_target = label[target]
                i += 1
                if of_target == 0:
                    label[page] = low
                    position[depth - 1] = i
                    path[depth] = target
                    position[depth] = offsets[target]
                    first[depth] = index
                    label[target] = index
                    index += 1
                    depth += 1
                    descended = True
                    break
                if of_target < low:
                    low = of_target
            if descended:
                continue
            depth -= 1
            if low == first[depth]:
                index -= 1
                while waits > 0 and label[waiting[waits - 1]] >= low:
                    waits -= 1
                    label[waiting[waits]] = component
                    index -= 1
                label[page] = component
                component -= 1
            else:
                label[page] = low
                waiting[waits] = page
                waits += 1
                if label[path[depth - 1]] > low:
                    label[path[depth - 1]] = low
    for page in range(pages):
        label[page] -= 1
    return label


@numba.njit(cache=True, nogil=True)
def number(label: np.ndarray) -> int:
    """Renumber labels in place, 0 upwards by their smallest page; returns how many there are."""
    names = np.full(len(label), -1, np.int32)
    count = 0
    for page in range(len(label)):
        old = label[page]
        if names[old] < 0:
            names[old] = count
            count += 1
        label[page] = names[old]
    return count


@numba.njit(cache=True, nogil=True)
def condense(
    offsets: np.ndarray, targets: np.ndarray, component: np.ndarray, starts: np.ndarray, members: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Distinct arcs between components as CSR, in the order they are met within a component."""
    count = len(starts) - 1
    arc_offsets = np.zeros(count + 1, np.int64)
    seen = np.full(count, -1, np.int32)
    # Room for the most there can be; the system gives what is written to.
    arcs = np.empty(len(targets), np.int32)
    found = 0
    for c in range(count):
        for m in range(starts[c], starts[c + 1]):
            page = members[m]
            for i in range(offsets[page], offsets[np.int64(page) + 1]):
                other = component[targets[i]]
                if other != c and seen[other] != c:
                    seen[other] = c
                    arcs[found] = other
                    found += 1
        arc_offsets[c + 1] = found
    return arc_offsets, arcs[:found].copy()
