"""Loops that number pages: which row of a table is which page."""

from __future__ import annotations

import numba
import numpy as np

__all__ = ["ends_of_redirects", "number_ids", "number_rows", "raise_status", "values_at"]


@numba.njit(cache=True, nogil=True)
def values_at(values: np.ndarray, places: np.ndarray) -> np.ndarray:
    """``values[places]``, -1 where a place lies outside."""
    out = np.empty(len(places), values.dtype)
    for i in range(len(places)):
        place = places[i]
        out[i] = values[place] if 0 <= place < len(values) else -1
    return out


@numba.njit(cache=True, nogil=True)
def number_rows(
    urls: np.ndarray,
    ids: np.ndarray,
    keys: np.ndarray,
    page_of_url: np.ndarray,
    page_of_id: np.ndarray,
    url_of_page: np.ndarray,
    id_of_page: np.ndarray,
    same_as: np.ndarray,
    file_of_page: np.ndarray,
    file: int,
    count: int,
    pages: np.ndarray,
) -> tuple[int, int, int]:
    """Find or number the page of each row of a pages table.

    Parameters
    ----------
    urls
        int32 per row: number of the URL, -1 without one, -2 where it cannot be parsed.
    ids
        int64 per row: place of the row's id in `page_of_id`, -1 without one.
    keys
        int64 per row: the id itself.
    page_of_url, page_of_id
        int32: the page, -1 for none yet; in `page_of_id` -2 where the page was left out.
    url_of_page, id_of_page
        int32, int64 per page, -1 for none.
    same_as
        int32 per page: the page it turned out to be, -1 for none. Only a page without URL turns out to be another,
        which has one; it has a single id, which leads to the other from then on.
    file_of_page
        int32 per page: the file of its latest row.
    file
        Number of the file these rows are from.
    count
        Pages so far; there is room for one more per row.
    pages
        int32 per row, filled: the page, -1 where the row is left out.

    Returns
    -------
    tuple
        Pages now; rows that repeat a page of this file; the row whose id already stands for another URL, or -1.
    """
    merged = 0
    for row in range(len(urls)):
        url = urls[row]
        place = ids[row]
        by_id = page_of_id[place] if place >= 0 else -1
        if url == -2 or (url == -1 and by_id == -2):
            if place >= 0 and by_id == -1:
                page_of_id[place] = -2
            pages[row] = -1
            continue
        page = by_id
        if url >= 0:
            by_url = page_of_url[url]
            if by_id >= 0 and by_id != by_url:
                if url_of_page[by_id] >= 0:
                    return count, merged, row
                if by_url >= 0:
                    same_as[by_id] = by_url
                    by_id = by_url
            page = by_url if by_url >= 0 else by_id
        if page < 0:
            page = count
            count += 1
        if url >= 0:
            page_of_url[url] = page
            if url_of_page[page] < 0:
                url_of_page[page] = url
        if place >= 0:
            page_of_id[place] = page
            if id_of_page[page] < 0:
                id_of_page[page] = keys[row]
        if file_of_page[page] == file:
            merged += 1
        file_of_page[page] = file
        pages[row] = page
    return count, merged, -1


@numba.njit(cache=True, nogil=True)
def number_ids(
    ids: np.ndarray,
    places: np.ndarray,
    page_of_id: np.ndarray,
    stored: np.ndarray,
    id_of_page: np.ndarray,
    count: int,
) -> int:
    """Number the pages known by id only, in their order; returns the pages there are now.

    `places` says where each id stands in `page_of_id`, `stored` which page of the store has it (-1 for none).
    """
    for i in range(len(ids)):
        place = places[i]
        if page_of_id[place] != -1:
            continue
        if stored[i] >= 0:
            page_of_id[place] = stored[i]
        else:
            page_of_id[place] = count
            id_of_page[count] = ids[i]
            count += 1
    return count


@numba.njit(cache=True, nogil=True)
def raise_status(pages: np.ndarray, given: np.ndarray, status: np.ndarray) -> None:
    """Raise ``status[pages]`` to what is given; a negative page or status says nothing."""
    for i in range(len(pages)):
        if pages[i] >= 0 and given[i] > status[pages[i]]:
            status[pages[i]] = given[i]


@numba.njit(cache=True, nogil=True)
def ends_of_redirects(to: np.ndarray, most: int) -> np.ndarray:
    """int32 per page: the page at the end of its redirects; itself where it has none, or more than `most`.

    `to` is int32 per page: the page it redirects to, -1 for none.
    """
    ends = np.empty(len(to), np.int32)
    for page in range(len(to)):
        end = page
        steps = 0
        while to[end] >= 0 and steps < most:
            end = to[end]
            steps += 1
        ends[page] = end if to[end] < 0 else page
    return ends
