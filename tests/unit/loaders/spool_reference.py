"""The semantics of a load, one row at a time, and a store of plain Python: what the spool is held against."""

from __future__ import annotations

import re
from copy import deepcopy
from dataclasses import dataclass, field

import pyarrow as pa

from seedrank.core.urls import hosts, normalise_one

ORDER = ["frontier", "missing", "crawled"]
MAX_REDIRECTS = 10
DROPPED = "dropped"


class Refused(Exception):
    """The load is wrong."""


@dataclass(eq=False)
class Page:
    url: str | None = None
    source_id: int | None = None
    status: str | None = None
    host: str | None = None
    values: dict = field(default_factory=dict)

    def key(self):
        return (
            self.url,
            self.source_id,
            self.status,
            self.host,
            {k: v for k, v in self.values.items() if v is not None},
        )


def host_of(url):
    return hosts(pa.array([url], pa.string()))[0].as_py()


class Store:
    """A store in memory: applies changes, reads like a database, and knows nothing of how a load works."""

    def __init__(self):
        self.pages: list[Page] = []
        self.links: dict = {}
        self.hosts: dict = {}
        self.queries: dict = {}
        self.results: dict = {}
        self.columns: dict = {}
        self.host_types: dict = {}

    def state(self, map_anchors=tuple):
        return (
            [page.key() for page in self.pages],
            {pair: (weight, tuple(map_anchors(anchors))) for pair, (weight, anchors) in self.links.items()},
            {name: {k: v for k, v in values.items() if v is not None} for name, values in self.hosts.items()},
            self.queries,
            self.results,
        )

    def apply(self, changes):
        self.columns |= changes.page_columns
        self.host_types |= changes.host_columns
        for row in changes.new_pages.to_pylist():
            assert row.pop("id") == len(self.pages)
            self.pages.append(Page(row.pop("url"), row.pop("source_id"), row.pop("status"), None, row))
        for row in changes.changed_pages.to_pylist():
            page = self.pages[row.pop("id")]
            given = {name: value for name, value in row.items() if value is not None}
            assert given, "a row that changes nothing"
            for name in ("url", "source_id", "status"):
                if name in given:
                    setattr(page, name, given.pop(name))
            page.values |= given
        for row in changes.page_hosts.to_pylist():
            assert self.pages[row["id"]].host is None
            self.pages[row["id"]].host = row["host"]
        for row in changes.hosts.to_pylist():
            host = self.hosts.setdefault(row.pop("name"), {})
            host |= {name: value for name, value in row.items() if value is not None}
        for table, there in ((changes.new_links, False), (changes.changed_links, True)):
            pairs = list(zip(table["source"].to_pylist(), table["target"].to_pylist(), strict=True))
            assert pairs == sorted(set(pairs))
            for pair, row in zip(pairs, table.to_pylist(), strict=True):
                assert (pair in self.links) == there
                old = self.links.get(pair)
                anchors = (row["anchors"] or []) if "anchors" in row else old[1] if old else []
                assert (row["weight"], anchors) != old
                self.links[pair] = (row["weight"], anchors)
        for row in changes.queries.to_pylist():
            assert self.queries.get(row["text"]) != (row["freq"], row["need"])
            self.queries[row["text"]] = (row["freq"], row["need"])
        for row in changes.results.to_pylist():
            assert self.results.get((row["query"], row["id"])) != (row["rank"], row["clicks"])
            self.results[row["query"], row["id"]] = (row["rank"], row["clicks"])

    # -- what a load reads of a store

    def page_columns(self):
        return self.columns

    def host_columns(self):
        return self.host_types

    def read_pages(self, columns=None):
        kinds = {
            "url": pa.string(),
            "source_id": pa.int64(),
            "status": pa.string(),
            "host": pa.string(),
            **self.columns,
        }
        rows = [
            {"id": i, "url": p.url, "source_id": p.source_id, "status": p.status, "host": p.host, **p.values}
            for i, p in enumerate(self.pages)
        ]
        names = ["id", *(list(kinds) if columns is None else columns)]
        schema = pa.schema([(name, pa.int64() if name == "id" else kinds[name]) for name in names])
        for start in range(0, len(rows), 3):
            yield pa.RecordBatch.from_pylist(rows[start : start + 3], schema)

    def read_links(self, columns=("weight",)):
        schema = pa.schema([("source", pa.int64()), ("target", pa.int64()), ("weight", pa.float64())])
        if "anchors" in columns:
            schema = schema.append(pa.field("anchors", pa.list_(pa.string())))
        rows = [
            {"source": s, "target": t, "weight": w, "anchors": list(a) or None} for (s, t), (w, a) in self.links.items()
        ]
        rows.reverse()
        for start in range(0, len(rows), 4):
            yield pa.RecordBatch.from_pylist(rows[start : start + 4], schema)

    def read_hosts(self):
        schema = pa.schema([("name", pa.string()), ("pages", pa.int64()), *self.host_types.items()])
        return pa.Table.from_pylist([{"name": name, **values} for name, values in sorted(self.hosts.items())], schema)

    def read_queries(self):
        schema = pa.schema([("text", pa.string()), ("freq", pa.float64()), ("need", pa.float64())])
        return pa.Table.from_pylist(
            [{"text": text, "freq": f, "need": n} for text, (f, n) in sorted(self.queries.items())], schema
        )

    def read_results(self):
        schema = pa.schema([("query", pa.string()), ("id", pa.int64()), ("rank", pa.int64()), ("clicks", pa.float64())])
        return pa.Table.from_pylist(
            [{"query": q, "id": i, "rank": r, "clicks": c} for (q, i), (r, c) in sorted(self.results.items())], schema
        )


class Reference:
    """A load, row by row, into a copy of a store."""

    def __init__(self, store: Store, options):
        self.store, self.options = deepcopy(store), options
        self.stored = list(self.store.pages)
        self.new: list[Page] = []
        self.by_url = {}
        for page in reversed(self.stored):
            if page.url is not None:
                self.by_url[self.fold(page.url)] = page
        self.by_id: dict = {}
        self.have_ids = self.sealed = False
        self.alias: dict = {}
        self.status: dict = {}
        self.given_host: dict = {}
        self.first_id: dict = {}
        self.rows: list = []
        self.named: list = []
        self.pairs: dict = {}
        self.sources: set = set()
        self.sums: dict = {}
        self.host_labels: dict = {}
        self.page_labels: list = []

    def fold(self, url):
        return re.sub(r"^https?://(www\.)?", "", url) if self.options.merge_variants else url

    def address(self, text):
        """The URL, None for none, DROPPED where it cannot be parsed."""
        if not text:
            return None
        text = self.options.url_prefix + text
        url = text if self.options.urls == "verbatim" else normalise_one(text)
        return DROPPED if url is None else url

    def page_row(self, row):
        url, number = self.address(row.get("url")), row.get("id")
        self.have_ids |= number is not None
        by_id = self.by_id.get(number) if number is not None else None
        by_id = self.alias.get(by_id, by_id)
        if url == DROPPED or (url is None and by_id == DROPPED):
            if number is not None and by_id is None:
                self.by_id[number] = DROPPED
            return
        by_id = None if by_id == DROPPED else by_id
        page = by_id
        if url is not None:
            by_url = self.by_url.get(self.fold(url))
            if by_id is not None and by_id is not by_url:
                if by_id.url is not None:
                    raise Refused("one id, two URLs")
                if by_url is not None:
                    self.alias[by_id] = by_url
            page = by_url or by_id
        if page is None:
            page = Page()
            self.new.append(page)
        if url is not None:
            self.by_url[self.fold(url)] = page
            page.url = page.url or url
        if number is not None:
            self.by_id[number] = page
            self.first_id.setdefault(page, number)
        values = {k: v for k, v in row.items() if k not in ("url", "id", "status", "host")}
        if "redirect" in values:
            values["redirect"] = self.address(values["redirect"])
            self.named += [] if values["redirect"] in (None, DROPPED) else [values["redirect"]]
        self.rows.append((page, values))
        if row.get("status"):
            self.status[page] = max(self.status.get(page, "frontier"), row["status"], key=ORDER.index)
        if row.get("host"):
            self.given_host[page] = row["host"].lower()

    def redirect_targets(self):
        """Targets of redirects are pages; they are numbered after the rows of the batch that names them."""
        for url in self.named:
            if self.fold(url) not in self.by_url:
                page = self.by_url[self.fold(url)] = Page(url)
                self.new.append(page)
        self.named = []

    def redirected(self, pages):
        """Each page that redirects, and where links to it lead."""
        to = {}
        for page in pages:
            target = self.by_url.get(self.fold(page.values.get("redirect") or ""))
            if target is not None and target is not page and page.status != "crawled":
                to[page] = target
        ends = {}
        for page in to:
            end = page
            for _ in range(MAX_REDIRECTS):
                end = to.get(end, end)
            ends[page] = page if end in to else end
        return ends

    def stored_by_id(self, number):
        return [page for page in self.stored if page.source_id == number]

    def seal(self):
        if self.sealed:
            return
        self.sealed = True
        for page in [page for page in self.new if page not in self.alias and page in self.first_id]:
            there = self.stored_by_id(self.first_id[page])
            if len(there) > 1 and page.url is None:
                raise Refused("ambiguous")
            if len(there) == 1 and (page.url is None or there[0].url is None):
                self.alias[page] = there[0]
        for page in list(self.alias):
            to = self.alias[page]
            self.alias[page] = self.alias.get(to, to)
        gone = sorted(self.alias, key=self.new.index)
        for page in gone:
            to = self.alias[page]
            to.url = to.url or page.url
            for of in (self.given_host, self.first_id):
                if page in of:
                    of.setdefault(to, of[page])
            if page in self.status:
                self.status[to] = max(self.status.get(to, "frontier"), self.status[page], key=ORDER.index)
        self.new = [page for page in self.new if page not in self.alias]
        self.rows = [(self.alias.get(page, page), values) for page, values in self.rows]
        for of in (self.by_url, self.by_id):
            for key, page in of.items():
                of[key] = self.alias.get(page, page) if page != DROPPED else page

    def end(self, value):
        if isinstance(value, str):
            url = self.address(value)
            page = self.by_url.get(self.fold(url))
            if page is None:
                page = self.by_url[self.fold(url)] = Page(url)
                self.new.append(page)
            return page
        if value in self.by_id:
            return self.by_id[value]
        if self.have_ids:
            raise Refused("no such id")
        there = self.stored_by_id(value)
        if len(there) > 1:
            raise Refused("ambiguous")
        numbered = [page for page in self.stored if page.source_id is not None]
        if not there and numbered and all(page.url is not None for page in numbered):
            # The row that gave this id was rejected when the store was filled.
            self.by_id[value] = DROPPED
            return DROPPED
        page = there[0] if there else Page()
        if not there:
            self.new.append(page)
            self.first_id[page] = value
        self.by_id[value] = page
        return page

    def link_row(self, row):
        self.seal()
        ends = row["source"], row["target"]
        if any(isinstance(end, str) and self.address(end) == DROPPED for end in ends):
            return
        source, target = map(self.end, ends)
        if DROPPED in (source, target):
            return
        self.sources.add(source)
        if source is target:
            return
        link = self.pairs.setdefault((source, target), [0.0, []])
        link[0] += 1.0 if row.get("weight") is None else row["weight"]
        anchor = row.get("anchor")
        if anchor and anchor not in link[1] and len(link[1]) < 8:
            link[1].append(anchor)

    def find(self, row):
        self.seal()
        if row.get("url"):
            url = self.address(row["url"])
            return self.by_url.get(self.fold(url)) if url != DROPPED else None
        number = row.get("id")
        if number in self.by_id or self.have_ids:
            page = self.by_id.get(number)
            return None if page == DROPPED else page
        there = self.stored_by_id(number)
        if len(there) > 1:
            raise Refused("ambiguous")
        return there[0] if there else None

    def event_row(self, row):
        page = self.find(row)
        if page is not None:
            names = [name for name in ("clicks", "views") if name in row]
            for name, value in [(name, row[name] or 0.0) for name in names] or [("views", 1.0)]:
                sums = self.sums.setdefault(page, {})
                sums[name] = sums.get(name, 0.0) + value

    def label_row(self, row):
        if "host" in row:
            self.host_labels[row["host"].lower()] = (row["spam"], row["below"])
        elif (page := self.find(row)) is not None:
            self.page_labels.append((page, row["spam"]))

    def label_of(self, host):
        """What the labels say of a host: its own, else that of the nearest host above it that speaks for it."""
        if host in self.host_labels:
            return self.host_labels[host][0]
        while host and "." in host:
            host = host.partition(".")[2]
            if self.host_labels.get(host, (0, False))[1]:
                return self.host_labels[host][0]
        return None

    def query_row(self, row):
        old = self.store.queries.get(row["query"], (None, None))
        new = (row.get("freq"), row.get("need"))
        self.store.queries[row["query"]] = tuple(o if n is None else n for n, o in zip(new, old, strict=True))

    def result_row(self, row, finished):
        page = self.find(row)
        self.store.queries.setdefault(row["query"], (None, None))
        if page is not None:
            finished.append((row, page))

    def host_row(self, row):
        host = self.store.hosts.setdefault(row["host"].lower(), {})
        host |= {name: value for name, value in row.items() if name != "host" and value is not None}

    def run(self, batches) -> Store:
        finished: list = []
        for batch in batches:
            for row in batch.rows.to_pylist():
                if batch.kind == "results":
                    self.result_row(row, finished)
                else:
                    names = {"queries": "query"}
                    getattr(self, f"{names.get(batch.kind, batch.kind[:-1])}_row")(row)
            if batch.kind == "pages":
                self.redirect_targets()
        self.seal()
        self.finish(finished)
        return self.store

    def finish(self, finished):
        store = self.store
        for page, values in self.rows:
            page.values |= {name: value for name, value in values.items() if value not in (None, DROPPED)}
            if values.get("redirect") not in (None, DROPPED):
                page.values["redirect"] = self.by_url[self.fold(values["redirect"])].url
        for page, sums in self.sums.items():
            page.values |= sums
        for page in store.pages + self.new:
            if page.source_id is None:
                page.source_id = self.first_id.get(page)
            derived = "crawled" if page in self.sources else "frontier"
            page.status = max(page.status or "frontier", self.status.get(page, derived), key=ORDER.index)
            if page.host is None:
                page.host = self.given_host.get(page) or (page.url and host_of(page.url))
            if (spam := self.label_of(page.host)) is not None:
                page.values["spam"] = spam
        for page, spam in self.page_labels:
            page.values["spam"] = spam
        store.pages += self.new
        ends = self.redirected(store.pages)
        for page in ends:
            page.status = "missing"
        number = {page: i for i, page in enumerate(store.pages)}
        led: dict = {}
        for (source, target), (weight, anchors) in self.pairs.items():
            end = ends.get(target, target)
            if end is not source:
                link = led.setdefault((source, end), [0.0, []])
                link[0] += weight
                link[1] += [anchor for anchor in anchors if anchor not in link[1]]
        for (source, target), (weight, anchors) in led.items():
            pair = number[source], number[target]
            old_weight, old = store.links.get(pair, (0.0, []))
            united = list(old) + [anchor for anchor in anchors if anchor not in old]
            store.links[pair] = (max(weight, old_weight), united[:8])
        for row, page in finished:
            key = row["query"], number[page]
            old_values = store.results.get(key, (None, None))
            new = (row.get("rank"), row.get("clicks"))
            store.results[key] = tuple(o if n is None else n for n, o in zip(new, old_values, strict=True))
        for host in store.hosts.values():
            host["pages"] = 0
        for page in store.pages:
            if page.host is not None:
                host = store.hosts.setdefault(page.host, {"pages": 0})
                host["pages"] += 1
