"""Everything a load brings, parsed, merged, numbered and compared with the store, before the first write.

Rows are staged in a DuckDB database of the load's own and settled by SQL once the last has come; what does not fit in
memory is spilled to a temporary folder. What holds:

Pages. A page is known by its URL; a row without one by its id, through the ids of this load's pages tables, else
through the ``source_id`` of the store's pages. New pages are numbered in order of first appearance. Of several rows of
a page the last value that is not null stands; its source id is the first. An id that stands for two URLs is an error.
A page of the store without URL takes the URL of the row with its id. Rows that only bring columns (`Batch.known`) add
no page: those of pages that are neither in the store nor in the load by then are left out and counted. So are links by
an id that the store does not have where all its pages with ids have URLs: the row that gave the id was rejected then.

Status. What the tables give (the largest of several), else crawled where the load has a link from the page, be it to
itself, else frontier; in the store it only ever rises, frontier < missing < crawled. A load without statuses that
brings links from a page therefore makes it crawled, even if an earlier load called it frontier: its links are known
now.

Redirects. A page whose column ``redirect`` names another page, in the load or in the store, is missing unless it is
crawled, and the load's links to it lead to the page at the end of its redirects (at most ten), which is a page even
where nothing else names it. Redirects that go round lead nowhere: links stay as they are, as do the links that the
store has already.

Types. As the tables give it; of a page that is new to the store else what its URL says (`seedrank.loaders.page_types`),
unless the load has a link from it; else none, an ordinary page.

Hosts. As the tables give it, else from the URL; the host that a page has in the store stands.

Links. Weights of a pair add within a load; across loads the larger stands. Anchors are united, at most eight. A link
from a page to itself is left out.

Events and results of pages that neither the store nor the load has are left out and counted; so are labels, which say
of all pages of a host, or of a page, whether they are spam. The label of a page counts before that of its host, and of
the names above a host the most specific.
"""

from seedrank.ingest.merge.merge import Merge

__all__ = ["Merge"]
