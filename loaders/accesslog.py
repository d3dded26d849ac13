"""Access logs of web servers, in the common or combined format: views of pages, and clicks from page to page.

Successful GETs of pages count (2xx and 304). Requests of robots, by what they say of themselves, and of images, styles
and other files do not unless asked for. Client addresses, users and user agents are read over and never kept.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.errors import InputError, UsageError
from seedrank.core.urls import hosts, normalise, normalise_one, registered_domain
from seedrank.engines.kernels.logs import (
    AGENT,
    FAILED,
    FIELDS,
    HOST,
    NO_REQUEST,
    NO_STATUS,
    NO_TIME,
    OTHER_METHOD,
    REFERER,
    SUCCESS,
    TARGET,
    read_requests,
)
from seedrank.loaders.base import Batch, LoadOptions
from seedrank.loaders.compressed import Input
from seedrank.loaders.files import FileSource
from seedrank.loaders.lines import Lines, first_rows, leave_out, lines, truth
from seedrank.loaders.page_types import types_of

__all__ = ["ROBOTS", "AccessLogSource"]

ROBOTS = (
    "bot|crawl|spider|slurp|archiver|fetch|feed|rss|monitor|check|scan|preview|validator|headless|phantom|python|java/|"
    "perl|ruby|php/|go-http|curl|wget|libwww|httpclient|okhttp|axios|https?://|@"
)
"""What robots say of themselves, an address included; who says nothing at all is one too."""

_BROKEN = {NO_TIME: "has no [time]", NO_REQUEST: 'has no "request"', NO_STATUS: "has no status"}
_LEFT_OUT = {OTHER_METHOD: "of another method than GET", FAILED: "without success"}
_ROBOTS, _FILES, _TIME, _ELSEWHERE = "of robots", "of files that are not pages", "out of time", "for other hosts"


@dataclass(frozen=True)
class _Requests:
    """Some requests: their lines, and where their fields are."""

    some: Lines
    begins: np.ndarray
    stops: np.ndarray
    times: np.ndarray

    def __len__(self) -> int:
        return len(self.times)

    def take(self, keep: np.ndarray) -> _Requests:
        return _Requests(self.some.take(keep), self.begins[:, keep], self.stops[:, keep], self.times[keep])

    def text(self, field: int) -> pa.Array:
        """A field, null where a line has none, in URLs' own escapes."""
        found = self.some.text(self.begins[field], self.stops[field])
        found = pc.if_else(pa.array(self.begins[field] >= 0), found, None)
        if not pc.any(pc.match_substring(found, "\\")).as_py():
            return found
        # Servers write what could break a line as \xhh, and quotes and backslashes after a backslash.
        for text, url in ((r"\\\\", "%5C"), (r'\\"', "%22"), (r"\\x([0-9a-fA-F]{2})", r"%\1")):
            found = pc.replace_substring_regex(found, text, url)
        return found


class AccessLogSource(FileSource):
    """Logs, ready to read: pages, their views and clicks, and links weighted by clicks.

    Views of a page are its requests. A referer on the same registered domain is a link that was followed; one of a
    search engine counts as a click from search results (``clicks``); others are only counted, in `notes`.

    Parameters
    ----------
    site
        Scheme and host of the pages, for lines that do not begin with a virtual host.
    robots
        Count requests of robots too.
    assets
        Count requests of images, styles, scripts and other files too; pages get the column ``type``.
    since, until
        Requests from this time (included) to that time (excluded) count; all by default.
    """

    def __init__(
        self,
        files: Sequence[str],
        *,
        site: str = "",
        robots: bool = False,
        assets: bool = False,
        since: datetime | None = None,
        until: datetime | None = None,
        strict: bool = False,
    ) -> None:
        super().__init__("access-log", [("log", Input(str(file))) for file in files], strict=strict)
        self._site = _origin(site)
        self._robots, self._assets = robots, assets
        self._since, self._until = (None if time is None else _seconds(time) for time in (since, until))
        asked = {"site": self._site, "robots": robots, "assets": assets}
        asked_for = [f"{name}={value}" for name, value in asked.items() if value]
        self.shaped_by(*LoadOptions(since=since, until=until).parts(), *asked_for)
        self._all = self._counted = 0
        self._left_out: Counter[str] = Counter()
        self._agents = False
        self._referers = _Referers()

    def batches(self) -> Iterator[Batch]:
        """Read everything once, in batches of pages, events and links."""
        self.check()
        for _, source in self.inputs:
            before = self._all
            for some in lines(source, self.broken):
                yield from self._read(some)
            if self._all == before:
                raise InputError(
                    "no line of an access log",
                    file=source.name,
                    hint="the common and the combined format of Apache and nginx can be read",
                )
        self._note()

    def _read(self, some: Lines) -> Iterator[Batch]:
        shape = (FIELDS, len(some))
        begins, stops, times = np.empty(shape, np.int64), np.empty(shape, np.int64), np.empty(len(some), np.int64)
        kinds = read_requests(some.data, some.starts, some.ends, begins, stops, times)
        good = leave_out(some, {reason: kinds == kind for kind, reason in _BROKEN.items()}, self.broken)
        self._all += int(np.count_nonzero(good))
        for kind, reason in _LEFT_OUT.items():
            self._left_out[reason] += int(np.count_nonzero(kinds == kind))
        requests = _Requests(some, begins, stops, times).take(kinds == SUCCESS)
        requests = self._keep(requests, self._in_time(requests.times), _TIME)
        if not self._robots:
            requests = self._keep(requests, ~self._of_robots(requests), _ROBOTS)
        if not self._assets:
            requests = self._keep(requests, truth(_types(requests).is_null()), _FILES)
        if not len(requests):
            return
        urls, own = self._urls(requests)
        requests = self._keep(requests, own, _ELSEWHERE)
        if len(requests):
            self._counted += len(requests)
            yield from self._batches(requests, urls.filter(pa.array(own)))

    def _batches(self, requests: _Requests, urls: pa.Array) -> Iterator[Batch]:
        some = requests.some
        first = first_rows(urls)
        columns = {"url": urls.take(pa.array(first))}
        if self._assets:
            columns["type"] = _types(requests).take(pa.array(first))
        yield Batch("pages", pa.record_batch(columns), some.take(first).where(), typed=True)
        times = pa.array(requests.times).cast(pa.timestamp("s")).cast(pa.timestamp("us"))
        views = pa.record_batch({"time": times, "url": urls, "views": np.ones(len(urls))})
        yield Batch("events", views, some.where())
        referers = requests.text(REFERER)
        here, search = self._referers.sort(referers, urls)
        if search.any():
            clicks = views.rename_columns(["time", "url", "clicks"]).filter(pa.array(search))
            yield Batch("events", clicks, some.take(search).where())
        if here.any():
            links = pa.record_batch({"source": referers, "target": urls}).filter(pa.array(here))
            yield Batch("links", links, some.take(here).where(), followed=True)

    def _keep(self, requests: _Requests, keep: np.ndarray, reason: str) -> _Requests:
        self._left_out[reason] += int(np.count_nonzero(~keep))
        return requests if keep.all() else requests.take(keep)

    def _in_time(self, times: np.ndarray) -> np.ndarray:
        inside = np.ones(len(times), np.bool_)
        if self._since is not None:
            inside &= times >= self._since
        if self._until is not None:
            inside &= times < self._until
        return inside

    def _of_robots(self, requests: _Requests) -> np.ndarray:
        told = requests.begins[AGENT] >= 0
        self._agents |= bool(told.any())
        agents = requests.text(AGENT).dictionary_encode()
        silent = pc.is_in(agents.dictionary, pa.array(["", "-"]))
        robots = pc.or_(silent, pc.match_substring_regex(agents.dictionary, ROBOTS, ignore_case=True))
        return truth(robots.take(agents.indices))

    def _urls(self, requests: _Requests) -> tuple[pa.Array, np.ndarray]:
        """URLs of requests, and whether each is one of the log's hosts: a proxy is asked for others."""
        paths = requests.text(TARGET)
        named = requests.text(HOST).dictionary_encode()
        bases = pa.array([self._base(name) for name in named.dictionary.to_pylist()], pa.string()).take(named.indices)
        if self._site:
            bases = pc.fill_null(bases, self._site)
        rooted = pc.starts_with(paths, "/")
        absolute = pc.match_substring_regex(paths, "^https?://", ignore_case=True)
        lost = pc.and_(rooted, bases.is_null())
        if pc.any(lost).as_py():
            raise InputError(
                "does not say which host was asked",
                file=requests.some.file,
                line=int(requests.some.numbers[pc.index(lost, True).as_py()]),
                hint="say whose log it is: {site=https://www.example.org}",
                fields=("site",),
            )
        urls = pc.if_else(rooted, pc.binary_join_element_wise(bases, paths, ""), paths)
        same = pc.fill_null(pc.or_(bases.is_null(), pc.equal(hosts(urls), hosts(bases))), True)
        return urls, truth(pc.or_(rooted, pc.and_(absolute, same)))

    def _base(self, name: str | None) -> str | None:
        """Scheme and host of a virtual host, such as ``www.example.org:443``."""
        if name is None:
            return None
        host, _, port = name.rpartition(":") if re.search(r":\d+\Z", name) else (name, "", "")
        if port == "443":
            return f"https://{host}"
        if port not in ("", "80"):
            return f"http://{host}:{port}"
        scheme = self._site.partition(":")[0] if self._site and not port else "http"
        return f"{scheme}://{host}"

    def _note(self) -> None:
        left_out = ", ".join(f"{count:,} {reason}" for reason, count in self._left_out.items() if count)
        more = f"; left out are {left_out}" if left_out else ""
        self.notes.append(f"{self._counted:,} of {self._all:,} requests are views of pages{more}.")
        if not self._robots and not self._agents and self._counted:
            self.notes.append("The log does not name user agents, so robots count too.")
        self.notes += self._referers.notes()


def _origin(site: str) -> str:
    """Scheme and host of a URL."""
    if not site:
        return ""
    url = normalise_one(site)
    if url is None:
        raise UsageError(
            "{site} is not an address: {given}",
            hint="give scheme and host: {site=https://www.example.org}",
            fields=("site",),
            values={"given": repr(site)},
        )
    return "/".join(url.split("/")[:3])


def _seconds(time: datetime) -> float:
    return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()


def _types(requests: _Requests) -> pa.Array:
    """Types by the paths that were asked for; null for a page."""
    paths = requests.text(TARGET)
    return types_of(pc.binary_join_element_wise(pa.scalar("http://host", paths.type), paths, pa.scalar("", paths.type)))


_ENGINES = "aol|ask|baidu|bing|brave|daum|duckduckgo|ecosia|google|kagi|naver|qwant|seznam|sogou|startpage|yahoo|yandex"
_SEARCH = rf"^(([a-z]{{1,3}}|www|[a-z.]*search)\.)?({_ENGINES})\.(com?\.)?[a-z]{{2,3}}$"
"""Hosts of search engines, not of their mail and groups."""


class _Referers:
    """Tells referers apart, and counts them."""

    def __init__(self) -> None:
        self._here = self._search = self._elsewhere = 0

    def sort(self, referers: pa.Array, urls: pa.Array) -> tuple[np.ndarray, np.ndarray]:
        """Whether each request comes from a page of its own registered domain, and whether from a search engine.

        A referer is a URL, ``-``, or null.
        """
        encoded = pc.if_else(pc.is_in(referers, pa.array(["", "-"])), None, referers).dictionary_encode()
        names = hosts(normalise(encoded.dictionary)[0])
        search = truth(pc.match_substring_regex(names, _SEARCH).take(encoded.indices))
        domains = registered_domain(names).take(encoded.indices)
        asked = urls.dictionary_encode()
        own = registered_domain(hosts(normalise(asked.dictionary)[0])).take(asked.indices)
        here = truth(pc.equal(domains, own))
        search &= ~here
        self._here += int(np.count_nonzero(here))
        self._search += int(np.count_nonzero(search))
        known = truth(names.is_valid().take(encoded.indices))
        self._elsewhere += int(np.count_nonzero(known & ~here & ~search))
        return here, search

    def notes(self) -> list[str]:
        """What was counted, in sentences."""
        return [
            f"{self._here:,} views came from links of the same domain, {self._search:,} from search engines (clicks) "
            f"and {self._elsewhere:,} from elsewhere.",
            "The links are those that were followed, not all that the pages have.",
        ]
