"""Walk the site that was built: ``python -m docs.check_site FOLDER``, which ``make site`` runs.

Every link inside the site leads to a file, and to an anchor of it where it names one; pictures, styles and scripts are
files of the site. What is wrong is printed, a line each, and ends it with exit code 1.
"""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_ASSETS = {"audio": "src", "embed": "src", "iframe": "src", "img": "src", "link": "href", "object": "data"}
_ASSETS |= {"script": "src", "source": "src", "video": "src"}
_FROM_CSS = re.compile(r"""(?:url\(|@import\s+(?=["']))\s*["']?([^"')\s;]+)""")


class Page(HTMLParser):
    """What a page names: its anchors, where it links to, and what a browser loads with it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.assets: list[str] = _FROM_CSS.findall("".join(re.findall(r"<style.*?</style>", text, re.DOTALL)))
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what an element names."""
        named = {name: value for name, value in attrs if value}
        self.anchors.update(named[name] for name in ("id", "name") if name in named)
        if tag == "a" and "href" in named:
            self.links.append(named["href"])
        if (asset := named.get(_ASSETS.get(tag, ""))) and named.get("rel") not in ("canonical", "next", "prev"):
            self.assets.append(asset)
        for candidate in named.get("srcset", "").split(","):
            self.assets += candidate.split()[:1]
        self.assets += _FROM_CSS.findall(named.get("style", ""))


def wrong_with(site: Path) -> list[str]:
    """What is wrong with a site, a line each."""
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    found = [] if pages else [f"{site} has no pages: run `make site`"]
    for path, page in pages.items():
        lost = [f"{link}: {said}" for link in page.links if (said := _lost(path, link, pages))]
        found += [f"{path.relative_to(site)}: {one}" for one in (*lost, *_not_here(path, page.assets))]
    for path in sorted(site.rglob("*.css")):
        found += [f"{path.relative_to(site)}: {one}" for one in _not_here(path, _FROM_CSS.findall(path.read_text()))]
    return found


def _target(path: Path, address: str) -> Path:
    name = unquote(urlsplit(address).path)
    return (path.parent / name).resolve() if name else path.resolve()


def _lost(path: Path, link: str, pages: dict[Path, Page]) -> str:
    """Why a link leads nowhere; empty where it leads somewhere, or out of the site."""
    if urlsplit(link).scheme:
        return ""
    target, anchor = _target(path, link), unquote(urlsplit(link).fragment)
    if not target.is_file():
        return "no such file"
    if anchor and target in pages and anchor not in pages[target].anchors:
        return "no such anchor"
    return ""


def _not_here(path: Path, assets: list[str]) -> list[str]:
    """Pictures, styles and scripts that are not files of the site."""
    found = []
    for asset in assets:
        address = urlsplit(asset)
        if address.scheme == "data":
            continue
        if address.scheme or address.netloc:
            found.append(f"{asset}: loaded from elsewhere")
        elif address.path and not _target(path, asset).is_file():
            found.append(f"{asset}: no such file")
    return found


def main(arguments: list[str]) -> int:
    wrong = wrong_with(Path(arguments[0]).resolve())
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
