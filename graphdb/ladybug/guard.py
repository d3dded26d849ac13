"""What a statement of the user's may do when it was not asked to write.

The database runs it in a read-only transaction, which refuses changes of the graph. That is not all a statement can
do: it may end the transaction (``RETURN 1; COMMIT; CREATE …``), read and write files (``LOAD FROM``, ``COPY … TO``,
``EXPORT DATABASE``), change settings (``CALL threads = 1``), or call a function that reads files or crashes the
process (``CALL read_csv_serial(…)``). So only statements that begin like a question are let through.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from seedrank.core.errors import StoreError

__all__ = ["check_read_only", "check_single"]

_ASKING = frozenset({"MATCH", "OPTIONAL", "UNWIND", "WITH", "RETURN", "CALL"})
_LOOKING_AT = frozenset({"EXPLAIN", "PROFILE"})
_HARMLESS_CALLS = frozenset(
    {
        "CURRENT_SETTING",
        "DB_VERSION",
        "SHOW_CONNECTION",
        "SHOW_FUNCTIONS",
        "SHOW_INDEXES",
        "SHOW_TABLES",
        "STATS_INFO",
        "STORAGE_INFO",
        "TABLE_INFO",
    }
)
_TOKEN = re.compile(
    r"""
    //[^\n]* | /\*.*?\*/                                       # comments
    | '(?:[^'\\]|\\.)*' | "(?:[^"\\]|\\.)*" | `(?:[^`]|``)*`   # strings and quoted names
    | (?P<token>\w+|[;=({])
    """,
    re.VERBOSE | re.DOTALL,
)


def check_single(cypher: str) -> None:
    """Refuse an empty text and more than one statement."""
    words = [word for word in _tokens(cypher) if word != ";"]
    if not words:
        raise StoreError("the statement is empty", hint='try "MATCH (p:Page) RETURN p.url LIMIT 10"')
    if ";" in "".join(_tokens(cypher)).rstrip(";"):
        raise StoreError("there is more than one statement", hint="run them one by one")


def check_read_only(cypher: str) -> None:
    """Refuse what does more than ask."""
    words = list(_tokens(cypher))
    first = words[1] if words[0] in _LOOKING_AT and len(words) > 1 else words[0]
    if first not in _ASKING:
        raise _refusal(first)
    for word, following, after in zip(words, [*words[1:], ""], [*words[2:], "", ""], strict=False):
        if word == "LOAD" and following == "FROM":
            raise _refusal("LOAD FROM")
        if word == "CALL" and (following not in _HARMLESS_CALLS or after == "=") and following not in ("{", "("):
            raise _refusal(f"CALL {following}")


def _tokens(cypher: str) -> Iterator[str]:
    """Words in capitals and the signs that matter, without comments, strings and quoted names."""
    return (match["token"].upper() for match in _TOKEN.finditer(cypher) if match["token"])


def _refusal(what: str) -> StoreError:
    return StoreError(f"a query only reads, and {what} does more", hint="allow it with --allow-writes")
