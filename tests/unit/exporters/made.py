"""Rows of a made graph, and readers of every format by its own rules: none of them is the project's code."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET

import numpy as np
import yaml

from seedrank.core.model import Status
from seedrank.exporters.about import About
from seedrank.exporters.rows import rows_of
from seedrank.exporters.targets import TARGETS
from seedrank.graph import WebGraph
from seedrank.runs import Ranking, Run

RUN = Run("20260131-142305-k3v9qa", "rank pagerank")


def graph(urls, links=(), *, status=None, hosts=None, weights=None) -> WebGraph:
    """A graph of these URLs (`None` is a page without one); links are pairs of numbers."""
    names = sorted({host for host in hosts or () if host is not None})
    return WebGraph.from_links(
        len(urls),
        np.array([a for a, _ in links], np.int64),
        np.array([b for _, b in links], np.int64),
        weights=weights,
        urls=urls,
        status=status,
        host=None if hosts is None else [-1 if host is None else names.index(host) for host in hosts],
        host_names=names,
    )


def rows(urls, scores=None, *, order=None, run=RUN, **more):
    """All pages in the order of their numbers, or `order`, with falling scores."""
    chosen = {name: more.pop(name) for name in ("top", "only", "exclude", "with_missing") if name in more}
    web = more.pop("web", None) or graph(urls, **more)
    pages = np.arange(len(urls)) if order is None else np.array(order)
    values = np.linspace(1, 0.5, len(pages)) if scores is None else np.array(scores, float)
    return rows_of(web, run, Ranking(pages, values), **chosen)


def written(target: str, *found, **options) -> str:
    """The file of a target."""
    about = About(TARGETS[target], found)
    return b"".join(TARGETS[target].load()(*found, about.sentences(), **options)).decode()


# -- readers


def read_urls(text: str) -> list[str]:
    return text.split("\n")[:-1]


def read_nutch(text: str) -> list[tuple[str, dict[str, str]]]:
    """As Nutch's Injector does: key and value at the first TAB, both trimmed, `#` and empty lines left out."""
    found = []
    for line in re.split(r"\r\n|\r|\n", text):
        url, _, rest = line.partition("\t")
        if url.strip() and not url.strip().startswith("#"):
            found.append((url.strip(), dict(entry.split("=", 1) for entry in rest.strip().split("\t") if "=" in entry)))
    return found


def read_heritrix_seeds(text: str) -> list[str]:
    """As TextSeedModule does, by the two patterns of its lines (Java's white space is ASCII)."""
    found = []
    for line in re.split(r"\r\n|\r|\n", text):
        if re.fullmatch(r"\s*(#.*)?", line, re.ASCII):
            continue
        entry = re.fullmatch(r"\s*(\S+)\s*(#.*)?", line, re.ASCII)
        assert entry, line
        assert entry[1][0].isalnum(), line
        found.append(entry[1])
    return found


def read_heritrix_journal(text: str) -> list[str]:
    """As importRecoverFormat does: a tag of three letters, then URI, path and via between white space."""
    found = []
    for line in re.split(r"\r\n|\r|\n", text):
        if len(line) >= 4 and re.fullmatch(r"F\+ ", line[:3]):
            uri, *rest = re.split(r"\s+", line[3:].strip(), flags=re.ASCII)
            assert rest == []
            found.append(uri)
    return found


def read_urlfrontier(text: str) -> list[tuple[str, str, int, float]]:
    """URL, queue, date and score of each item, as protobuf's JSON has URLItem: no other fields, 64 bits as text."""
    found = []
    for line in text.split("\n")[:-1]:
        item = json.loads(line)
        assert set(item) == {"known"}
        assert set(item["known"]) == {"info", "refetchableFromDate"}
        info, date = item["known"]["info"], item["known"]["refetchableFromDate"]
        assert set(info) == {"url", "key", "crawlID", "metadata"}
        assert set(info["metadata"]) == {"score"}
        [score] = info["metadata"]["score"]["values"]
        assert isinstance(date, str) and isinstance(score, str)
        found.append((info["url"], info["key"], int(date), float(score)))
    return found


def read_scrapy(text: str) -> list[dict]:
    """Arguments of Request: a URL with a scheme, a whole number, and a dictionary."""
    found = [json.loads(line) for line in text.split("\n")[:-1]]
    for request in found:
        assert set(request) == {"url", "priority", "meta"}
        assert type(request["priority"]) is int
        assert isinstance(request["meta"], dict)
        assert "://" in request["url"]
    return found


def read_browsertrix(text: str) -> list[str]:
    config = yaml.safe_load(text)
    assert set(config) == {"seeds"}
    assert all(set(seed) == {"url"} for seed in config["seeds"])
    return [seed["url"] for seed in config["seeds"]]


def read_xml(text: str, node: str) -> list[str]:
    """URLs of the nodes of GEXF (`label`) or GraphML (`data`)."""
    root = ET.fromstring(text)
    space = root.tag.partition("}")[0] + "}"
    found = []
    for one in root.iter(f"{space}{node}"):
        label = one.get("label") or next(d.text for d in one if d.get("key") == "label")
        found.append(str(label))
    return found


def read_ranks(text: str) -> list[list[str]]:
    """Fields of Common Crawl's ranks after their header, with the labels of names in their usual order."""
    header, *lines = text.split("\n")[:-1]
    titles = header.split("\t")
    assert titles[:5] == ["#harmonicc_pos", "#harmonicc_val", "#pr_pos", "#pr_val", "#host_rev"]
    found = [line.split("\t") for line in lines]
    assert all(len(fields) == len(titles) for fields in found)
    return [[*fields[:4], ".".join(fields[4].split(".")[::-1]), *fields[5:]] for fields in found]


URLS_OF = {
    "urls": read_urls,
    "nutch-seeds": lambda text: [url for url, _ in read_nutch(text)],
    "heritrix-seeds": read_heritrix_seeds,
    "heritrix-action": read_heritrix_journal,
    "urlfrontier": lambda text: [url for url, *_ in read_urlfrontier(text)],
    "scrapy": lambda text: [request["url"] for request in read_scrapy(text)],
    "browsertrix": read_browsertrix,
    "gexf": lambda text: read_xml(text, "node"),
    "graphml": lambda text: read_xml(text, "node"),
}
"""The URLs of a file, in its order, by target."""

MISSING, FRONTIER, CRAWLED = Status.MISSING, Status.FRONTIER, Status.CRAWLED
