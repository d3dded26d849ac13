"""Web archives made for tests, record by record."""

from __future__ import annotations

import gzip

from seedrank.ingest.merge import Merge
from seedrank.loaders.base import LoadOptions
from tests.unit.loaders.spool_reference import Store


def http(status=200, body=b"", *, reason="OK", **headers):
    """A response; names of headers have _ for -."""
    lines = [f"HTTP/1.1 {status} {reason}", *(f"{name.replace('_', '-')}: {value}" for name, value in headers.items())]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def html(body, **headers):
    return http(200, body if isinstance(body, bytes) else body.encode(), **{"Content_Type": "text/html", **headers})


def warc_record(url, block, *, kind="response", length=None):
    head = [
        "WARC/1.0",
        f"WARC-Type: {kind}",
        "WARC-Date: 2024-05-18T01:58:10Z",
        "WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000000>",
        f"Content-Length: {len(block) if length is None else length}",
    ]
    if kind == "response":
        head.append("Content-Type: application/http; msgtype=response")
    if url:
        head.append(f"WARC-Target-URI: {url}")
    return "\r\n".join(head).encode() + b"\r\n\r\n" + block + b"\r\n\r\n"


def arc_record(url, block, *, length=None):
    size = len(block) if length is None else length
    return f"{url} 192.0.2.1 20240518015810 text/html {size}\n".encode() + block + b"\n"


ARC_HEAD = arc_record("filedesc://made.arc", b"1 1 Made\nURL IP-address Archive-date Content-type Archive-length\n")


def write(path, records, *, packed=True):
    """An archive of records, each a gzip member of its own."""
    path.write_bytes(b"".join(gzip.compress(record, mtime=0) if packed else record for record in records))
    return str(path)


def loaded(folder, source, store=None):
    """A source in a store of plain objects: pages by URL, links by the URLs of their ends, and the summary."""
    store = store or Store()
    with Merge(folder / "spool", LoadOptions(), store) as spool:
        for batch in source.batches():
            spool.add(batch)
        changes, summary = spool.finish()
        store.apply(changes)
    pages = {page.url: page for page in store.pages}
    urls = [page.url for page in store.pages]
    links = {(urls[s], urls[t]): (weight, list(anchors)) for (s, t), (weight, anchors) in store.links.items()}
    return pages, links, summary


def facts(pages):
    """What is known of pages, without hosts."""
    return {url: (page.status, {k: v for k, v in page.values.items() if v is not None}) for url, page in pages.items()}
