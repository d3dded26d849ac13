"""Seeds for Apache Nutch: ``bin/nutch inject CRAWLDB DIR`` reads them.

A line per page: the URL, a TAB, ``nutch.score=…``. Higher is fetched sooner. Scores are scaled so that the best is 1,
Nutch's own score of an injected page.
"""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

__all__ = ["nutch_seeds"]


def nutch_seeds(rows: pa.Table) -> tuple[Iterator[bytes], int]:
    """Lines of a seed file, best first, and how many pages were left out because they have no URL.

    Parameters
    ----------
    rows
        ``url`` and ``score`` of an answer, best first. URLs are normal, so they hold no TAB and no line end; any that
        do (loaded verbatim) are left out as well.
    """
    usable = pc.and_(
        pc.is_valid(rows["url"]), pc.invert(pc.fill_null(pc.match_substring_regex(rows["url"], r"[\t\r\n]|^#"), True))
    )
    kept = rows.filter(usable)
    best = pc.max(kept["score"]).as_py() or 0.0
    scores = pc.divide(kept["score"], best) if best > 0 else pa.array([1.0] * kept.num_rows)

    def lines() -> Iterator[bytes]:
        table = pa.table({"url": kept["url"].cast(pa.string()), "score": scores})
        for batch in table.to_batches():
            text = pc.binary_join_element_wise(
                batch.column("url"), pc.cast(batch.column("score"), pa.string()), "\tnutch.score="
            )
            yield ("\n".join(text.to_pylist()) + "\n").encode()

    return lines(), rows.num_rows - kept.num_rows
