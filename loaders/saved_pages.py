"""Folders of saved pages: a mirror by wget or HTTrack, documentation by Sphinx or javadoc."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from urllib.parse import quote

from seedrank.core.errors import InputError, SeedrankError, UsageError
from seedrank.loaders.archives.captures import Captures
from seedrank.loaders.base import Batch, Level, Where, head
from seedrank.loaders.html_links import page_links
from seedrank.loaders.mirror import Site, open_mirror
from seedrank.loaders.rejects import Rejects

__all__ = ["HtmlSource"]

_PAGES = (b".html", b".htm", b".xhtml", b".shtml")
_SCRIPTS = (b"", b".php", b".asp", b".aspx", b".jsp", b".cgi")
"""Suffixes of files that are pages where they begin like one."""
_BEGIN = re.compile(
    rb"(?is)\s*(?:<\?xml[^>]{0,200}>\s*|<!--.{0,500}?-->\s*){0,5}<(?:!doctype\s+html|html|head|title)\b"
)
_HEAD = 4096
_MAX_PAGE = 64 << 20
_FOUND, _NOT_FOUND = 200, 404
_REMEMBERED, _SHORT = 1 << 16, 1 << 11
"""Links whose target is remembered, where they are short: pages of a site share most of theirs."""


class HtmlSource:
    """Folders of saved pages, ready to read (`seedrank.loaders.base.Source`).

    Pages are the HTML files, and other files that they link to. What a page links to on a saved site and is not there
    is missing; other sites are frontier.

    Each folder holds a folder per host, or is one site: that of `base_url`, which is ``http://NAME/`` with its name by
    default.
    """

    def __init__(self, folders: Sequence[str], *, base_url: str | None = None, strict: bool = False) -> None:
        if not folders:
            raise UsageError("no folder is given", hint="name one")
        self.files: Sequence[str] = list(folders)
        self.level: Level = "page"
        self.shape = "" if base_url is None else f"base_url={base_url}"
        self.broken = Rejects(strict)
        self.reads: list[str] = []
        self.position = 0
        self._digest: str | None = None
        self._mirror = open_mirror(folders, base_url, self.broken)
        self._pages = {site: {file for file in site.files if self._is_page(site, file)} for site in self._mirror.sites}
        if not any(self._pages.values()):
            raise InputError("holds no HTML page", file=folders[0], hint="pages are files such as index.html")
        bases = [site.base for site in self._mirror.sites]
        sites = ", ".join([*bases[:3], *([f"… ({len(bases):,} in all)"] if len(bases) > 3 else [])])
        names = " ".join(name.encode(errors="backslashreplace").decode() for name in folders)
        self.description = f"html {names} as {sites}"
        self.notes = [f"loaded as {sites}"]
        if self._mirror.beside:
            self.notes.append(f"{self._mirror.beside:,} files and folders beside those of hosts are left out")

    @property
    def size(self) -> int:
        """Bytes of all pages."""
        return sum(site.files[file] for site, files in self._pages.items() for file in files)

    def sha256(self) -> str:
        """Digest of the names of all files and the contents of pages; known once everything was read."""
        if self._digest is None:
            raise SeedrankError("the digest of a folder is known only after it was read")
        return self._digest

    def first(self, rows: int) -> Iterator[Batch]:
        """The first pages and links."""
        return head(self.batches(), rows)

    def batches(self) -> Iterator[Batch]:
        """Read everything once, in the order of file names."""
        whole = hashlib.sha256()
        remembered = lru_cache(_REMEMBERED)(self._mirror.target)
        rows = Captures(self.files[0], unit="page")
        told: set[str] = set()
        number = cut = 0
        for site, pages in self._pages.items():
            whole.update(b"\0".join([site.base.encode(), *site.files, b""]))
            for file in sorted(pages):
                text = self._read(site, file)
                if text is None:
                    continue
                whole.update(hashlib.sha256(text).digest())
                number += 1
                own = site.url(file)
                found = page_links(text, site.saved_at + quote(file))
                cut += found.cut
                rows.page(own, number, _FOUND, mime="text/html", size=len(text))
                for address, anchor in found.links:
                    target = remembered if len(address) < _SHORT else self._mirror.target
                    url, owner, saved = target(address, site)
                    rows.links(own, number, [(url, anchor)])
                    if owner is None or saved in self._pages[owner] or url in told:
                        continue
                    told.add(url)
                    if saved is None:
                        rows.page(url, number, _NOT_FOUND)
                    else:
                        rows.page(url, number, _FOUND, size=owner.files[saved])
                if rows.full:
                    yield from rows.batches()
        yield from rows.batches()
        self._digest = whole.hexdigest()
        if cut:
            self.notes.append(f"{cut:,} pages have more tags than are read: the rest of their links is missing")

    def _is_page(self, site: Site, file: bytes) -> bool:
        name = file.lower().partition(b"?")[0].rpartition(b"/")[2]
        suffix = name[name.rfind(b".") :] if b"." in name else b""
        if suffix in _PAGES or file.lower().endswith(_PAGES):
            return True
        if suffix not in _SCRIPTS:
            return False
        try:
            with site.path(file).open("rb") as opened:
                return _BEGIN.match(opened.read(_HEAD)) is not None
        except OSError as error:
            self.broken.add(f"cannot be read ({error.strerror})", Where(site.shown(file), unit="file"))
            return False

    def _read(self, site: Site, file: bytes) -> bytes | None:
        """The file; `None` where it cannot be read or is too large, which is counted."""
        try:
            with site.path(file).open("rb") as opened:
                text = opened.read(_MAX_PAGE + 1)
        except OSError as error:
            self.broken.add(f"cannot be read ({error.strerror})", Where(site.shown(file), unit="file"))
            return None
        self.position += len(text)
        if len(text) > _MAX_PAGE:
            self.broken.add(f"a page of more than {_MAX_PAGE >> 20} MiB", Where(site.shown(file), unit="file"))
            return None
        return text
