"""Folders of saved pages: which site a file belongs to, which address it has, and which file an address is saved in."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, unquote_to_bytes

from seedrank.core.errors import InputError, UsageError
from seedrank.core.urls import looks_like_host, normalise_one
from seedrank.loaders.base import Where
from seedrank.loaders.rejects import Rejects

__all__ = ["Mirror", "Site", "open_mirror"]

_INDEXES = (b"index.html", b"index.htm", b"index.xhtml")
"""Names of the page of a folder."""
_ADDED = b".html"
"""What wget adds to the names of pages where it is told to."""
_FOLDERS = "folders.invalid"
"""A host on which the folders of hosts lie side by side, as on disk: wget links them by ``../host/page``."""
_PATH, _QUERY = "/!$&'()*+,;=:@~-._", "/!$&'()*+,;=:@~-._?%"
"""What need not be quoted."""


@dataclass(eq=False)
class Site:
    """A folder whose files are the pages of a site."""

    folder: Path
    """The folder, without symbolic links on the way to it."""
    base: str
    """URL of the folder; it ends with a slash."""
    saved_at: str
    """The same for links as they were saved: on their own host, or beside other hosts' folders."""
    files: dict[bytes, int] = field(default_factory=dict)
    """Its regular files: path below the folder -> size."""
    symbolic: bool = False
    """Whether it has symbolic links, too."""

    def url(self, file: bytes) -> str:
        """Address of a file; an index is its folder's page, and what follows a question mark is a query."""
        path, mark, query = file.partition(b"?")
        folder, slash, name = path.rpartition(b"/")
        path = folder + slash if name in _INDEXES else path
        return self.base + quote(path, _PATH) + (f"?{quote(query.removesuffix(_ADDED), _QUERY)}" if mark else "")

    def path(self, file: bytes) -> Path:
        """Where a file is on disk."""
        return self.folder / os.fsdecode(file)

    def shown(self, file: bytes) -> str:
        """The same for people: bytes that are not UTF-8 are shown by their codes."""
        return os.fsencode(self.path(file)).decode(errors="backslashreplace")

    def find(self, path: bytes, query: bytes | None) -> bytes | None:
        """The file that a path below the site, and a query, is saved in."""
        asked = [] if query is None else [path + b"?" + query, path + b"?" + query + _ADDED]
        folder = path if not path or path.endswith(b"/") else path + b"/"
        for name in (*asked, path, *(folder + index for index in _INDEXES), path + _ADDED):
            real = self._real(name) if self.symbolic else name
            if real in self.files:
                return real
        return None

    def _real(self, name: bytes) -> bytes:
        """The name without symbolic links; where these lead out of the folder it is no name of a file in it."""
        folder = os.fsencode(self.folder)
        real = name if b"\0" in name else os.path.realpath(folder + b"/" + name)
        return real.removeprefix(folder + b"/")


class Mirror:
    """Sites that were saved together.

    Parameters
    ----------
    beside
        How many files and folders lie beside the folders of hosts.
    """

    def __init__(self, sites: Sequence[Site], beside: int) -> None:
        self.sites, self.beside = sites, beside
        self._owners = {base.partition("://")[2]: site for site in sites for base in (site.base, site.saved_at)}

    def target(self, url: str, site: Site) -> tuple[str, Site | None, bytes | None]:
        """Where a link on a saved page leads.

        Parameters
        ----------
        url
            Absolute URL, relative ones by `Site.saved_at`.
        site
            Site of the page.

        Returns
        -------
        tuple
            Its address, the saved site it is of, and its file there.
        """
        whole = normalise_one(url)
        owner, rest = (None, "") if whole is None else self._owner(whole.partition("://")[2], site)
        if owner is None:
            return url, None, None
        path, mark, query = rest.partition("?")
        file = owner.find(unquote_to_bytes(path), unquote_to_bytes(query) if mark else None)
        if file is not None:
            return owner.url(file), owner, file
        folder, slash, name = path.rpartition("/")
        path = folder + slash if name.encode() in _INDEXES else path
        return f"{owner.base}{path}{mark}{query}", owner, None

    def _owner(self, address: str, site: Site) -> tuple[Site | None, str]:
        """The saved site that an address without scheme is of, and the rest of it."""
        cut = len(address)
        while (cut := address.rfind("/", 0, cut)) >= 0:
            if (owner := self._owners.get(address[: cut + 1])) is not None:
                return owner, address[cut + 1 :]
        # A path that begins with no host's folder was absolute on the page's own host.
        own = address.startswith(_FOLDERS)
        return (site, address.removeprefix(_FOLDERS).lstrip("/")) if own else (None, "")


def open_mirror(folders: Sequence[str], base_url: str | None, broken: Rejects) -> Mirror:
    """Look through folders of saved pages.

    Parameters
    ----------
    folders
        Each has a folder per host, as wget and HTTrack write them, or is one site.
    base_url
        URL of the one folder, which is one site then; ``http://NAME/`` by default.
    broken
        Takes folders that cannot be read.
    """
    if base_url is not None and len(folders) != 1:
        raise UsageError("{base_url} is of one folder", hint="load the others one by one", fields=("base_url",))
    sites: list[Site] = []
    beside = 0
    for name in folders:
        folder = _folder(name)
        hosts = [] if base_url is not None else _hosts(folder, name)
        if hosts:
            sites += [Site(one, f"http://{one.name.lower()}/", f"http://{_FOLDERS}/{one.name}/") for one in hosts]
            beside += len(list(folder.iterdir())) - len(hosts)
        else:
            base = _base(folder, base_url)
            sites.append(Site(folder, base, base))
    for base in (bases := [site.base for site in sites]):
        if bases.count(base) > 1:
            raise UsageError(f"two folders would both be {base}", hint="rename one, or load them one by one")
    for site in sites:
        _walk(site, broken)
    return Mirror(sites, beside)


def _folder(name: str) -> Path:
    folder = Path(name)
    if not folder.exists():
        raise InputError("folder not found", file=name, hint="check the path")
    if not folder.is_dir():
        raise InputError("is not a folder", file=name, hint="give the folder that the pages were saved in")
    return folder.resolve()


def _hosts(folder: Path, name: str) -> list[Path]:
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        reason = f"cannot be read ({error.strerror})"
        raise InputError(reason, file=name, hint="check the folder and its permissions") from error
    return [one for one in entries if looks_like_host(one.name) and one.is_dir() and not one.is_symlink()]


def _base(folder: Path, given: str | None) -> str:
    named = f"http://{folder.name.lower()}/"
    base = named if given is None else given if given.endswith("/") else f"{given}/"
    normal = normalise_one(base)
    if normal is None or "?" in normal or (given is None and normal != named):
        wrong = f"{folder.name!r} is not a host name" if given is None else f"{given!r} is not a URL of a folder"
        raise UsageError(
            "{wrong}", hint="say where the pages come from: {base_url}", fields=("base_url",), values={"wrong": wrong}
        )
    return normal


def _walk(site: Site, broken: Rejects) -> None:
    """Find the files of a site; symbolic links are noted and not followed."""
    root = os.fsencode(site.folder)
    found: dict[bytes, int] = {}
    waiting = [b""]
    while waiting:
        below = waiting.pop()
        try:
            with os.scandir(root + b"/" + below) as entries:
                for entry in entries:
                    path = below + entry.name
                    if entry.is_symlink():
                        site.symbolic = True
                    elif entry.is_dir(follow_symlinks=False):
                        waiting.append(path + b"/")
                    elif entry.is_file(follow_symlinks=False):
                        found[path] = entry.stat(follow_symlinks=False).st_size
        except OSError as error:
            broken.add(f"cannot be read ({error.strerror})", Where(site.shown(below), unit="file"))
    site.files.update(sorted(found.items()))
