"""Lists of pages as crawlers keep them: which part of a line, an object or a file names a page.

Seeds of Apache Nutch and Heritrix, recovery journals of Heritrix, items of URLFrontier, and the seeds of a Browsertrix
configuration (``seeds:``, then ``- URL`` or ``- url: URL`` each).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from seedrank.core.errors import InputError

__all__ = ["address", "is_yaml", "item", "yaml_seeds"]

_JOURNAL = re.compile(r"F([+edifrs]) (.*)")
"""A line of a recovery journal: what happened, and to which URI."""
_COMMENT = re.compile(r"\s+#.*")
_SCHEMES = ("http://", "https://")
_KEY = re.compile(r"[\w.-]+:(\s|$)")
_NEXT = "give a line `- URL` or `- url: URL` for each seed below `seeds:`"


def address(line: str) -> str | None:
    """The page that a line names: what is before a TAB or a comment; `None` for a line that names none.

    Those are directives of Heritrix's seeds (``+…``), and lines of a journal that schedule nothing.
    """
    if line.startswith("+"):
        return None
    journal = _JOURNAL.match(line)
    if journal is not None:
        uri = journal[2].split()
        return uri[0] if journal[1] == "+" and uri else None
    name = line.partition("\t")[0].strip()
    # Other names may hold a # of their own.
    return (_COMMENT.sub("", name) if name.startswith(_SCHEMES) else name) or None


def item(row: dict[str, Any]) -> dict[str, Any]:
    """The part of a JSON object that names the page: of a URLItem its info, else the object itself."""
    for kind in ("known", "discovered"):
        inner = row.get(kind)
        if isinstance(inner, dict) and isinstance(inner.get("info"), dict):
            found: dict[str, Any] = inner["info"]
            return found
    return row


def is_yaml(lines: Iterable[tuple[int, str]]) -> bool:
    """Whether lines, with their numbers, are a configuration with seeds."""
    return any(text.rstrip() == "seeds:" for _, text in lines)


def yaml_seeds(lines: Iterable[tuple[int, str]], file: str) -> Iterator[tuple[int, str]]:
    """Line number and URL of each seed; the other settings are passed over."""
    inside, depth = False, None
    for line, text in lines:
        content = text.strip()
        indent = len(text) - len(text.lstrip())
        if not content or content.startswith("#"):
            continue
        if not indent and not content.startswith("- ") and content != "-":
            inside, depth = content.partition("#")[0].rstrip() == "seeds:", None
        elif inside:
            dashed = content == "-" or content.startswith("- ")
            if dashed and (depth is None or indent == depth):
                depth = indent
                found = _seed(content[1:].strip())
            elif depth is not None and indent > depth:
                # A setting of the seed before; its URL may come after others.
                found = content if content.startswith("url:") else None
            else:
                raise InputError("is not a seed", file=file, line=line, value=content, hint=_NEXT)
            if found is not None:
                yield line, _scalar(found.removeprefix("url:").strip(), file, line)


def _seed(content: str) -> str | None:
    """What follows a dash: a URL, its setting, or `None` where another setting comes first."""
    return content if content and (content.startswith("url:") or not _KEY.match(content)) else None


def _scalar(value: str, file: str, line: int) -> str:
    """A text of YAML, plain or quoted; the escapes are those of JSON."""
    url: Any = None
    if value.startswith('"'):
        try:
            url, end = json.JSONDecoder().raw_decode(value)
        except ValueError:
            end = 0
        rest = value[end:]
    elif value.startswith("'"):
        quoted = re.match(r"'((?:[^']|'')*)'", value)
        url, rest = (quoted[1].replace("''", "'"), value[quoted.end() :]) if quoted else (None, "")
    else:
        url, rest = _COMMENT.sub("", value), ""
    whole = not rest.strip() or rest.lstrip().startswith("#")
    if not isinstance(url, str) or not whole or not url.startswith(_SCHEMES):
        raise InputError("is not a URL", file=file, line=line, value=value, hint=_NEXT)
    return url
