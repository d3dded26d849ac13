"""Lists of spam: a host or URL a line, perhaps with a label; they speak of pages that the store has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.errors import InputError
from seedrank.core.urls import hosts, normalise
from seedrank.loaders.base import Batch
from seedrank.loaders.compressed import Input
from seedrank.loaders.files import FileSource
from seedrank.loaders.lines import Lines, leave_out, lines, truth

__all__ = ["SpamListSource"]

_LABELS = {
    1.0: ("spam", "true", "yes"),
    0.0: ("nonspam", "non-spam", "notspam", "normal", "ham", "good", "false", "no"),
    -1.0: ("undecided", "borderline", "unknown", "?", "-"),
}
"""Words by what they say: -1 is that nobody knows."""
_UNDECIDED = -1.0
_WORDS = pa.array([word for words in _LABELS.values() for word in words])
_VALUES = pa.array([value for value, words in _LABELS.items() for _ in words])
_SHARE = r"^(0|1|[01]?\.[0-9]{1,15})$"
_AFTER_SPACE = r"^(?P<name>[^\t ]+)[\t ]+(?P<label>[^\t ]+)$"
_AFTER_COMMA = r"^(?P<name>.+)[,;](?P<label>[^\t ,;/]+)$"
_QUOTED = r'^"(?P<name>[^"]+)"(?:[\t ,;]+"?(?P<label>[^"\t ,;]+)"?)?$'
_HEADER = '^"?(host|hostname|domain|url|name|site)"?([\t ,;].*)?$'
_IN_URLS = r"[?#@\\]"
"""What ends a host, or comes before it, in a URL."""


class SpamListSource(FileSource):
    """Lists, ready to read (`seedrank.loaders.base.Source`); they bring labels and no pages.

    A line is a host (``example.org``) or, where it has a slash, a URL; then perhaps a label, after a tab, a space, a
    comma or a semicolon: spam or not (spam, true, yes; nonspam, normal, ham, false, no), or a number from 0 to 1, of
    which all above 0 are spam. Both may be quoted. Without a label it is spam; one that leaves it open (undecided,
    borderline, unknown) is skipped. Lines that begin with ``#`` are comments.

    Parameters
    ----------
    subdomains
        Whether the label of a host is that of all hosts below it too.
    """

    def __init__(self, files: Sequence[str], *, subdomains: bool = False, strict: bool = False) -> None:
        super().__init__("spam-list", [("spam", Input(str(file))) for file in files], strict=strict)
        self._subdomains = subdomains
        if subdomains:
            self.shaped_by("subdomains=True")
        self._undecided = 0

    def batches(self) -> Iterator[Batch]:
        """Read everything once, in batches of labels."""
        self.check()
        for _, source in self.inputs:
            read, before = False, self._undecided
            for some in lines(source, self.broken):
                for batch in self._read(some):
                    read |= batch.rows.num_rows > 0
                    yield batch
            if not read and self._undecided == before:
                raise InputError("no host or URL", file=source.name, hint="a line is a host or a URL, then a label")
        if self._undecided:
            self.notes.append(f"Skipped as undecided: {self._undecided:,}.")

    def _read(self, some: Lines) -> Iterator[Batch]:
        text = pc.ascii_trim(some.text(some.starts, some.ends), " \t")
        names, labels = _split(text)
        spam = _spam(labels)
        header = pc.and_(pc.match_substring_regex(text, _HEADER, ignore_case=True), pa.array(some.numbers == 1))
        skip = truth(pc.or_(pc.or_(pc.starts_with(text, "#"), pc.equal(text, "")), header))
        wrong = truth(spam.is_null()) | truth(pc.match_substring_regex(names, "[\t ]"))
        leave_out(some, {"has an unknown label": wrong & ~skip}, self.broken)
        undecided = truth(pc.equal(spam, _UNDECIDED)) & ~skip
        self._undecided += int(np.count_nonzero(undecided & ~wrong))
        keep = ~(skip | wrong | undecided)
        by_url = truth(pc.match_substring(names, "/"))
        if (rows := keep & by_url).any():
            found = {"url": names.filter(pa.array(rows)), "spam": spam.filter(pa.array(rows))}
            yield Batch("labels", pa.record_batch(found), some.take(rows).where())
        if (rows := keep & ~by_url).any():
            yield from self._of_hosts(some, rows, names, spam)

    def _of_hosts(self, some: Lines, rows: np.ndarray, names: pa.Array, spam: pa.Array) -> Iterator[Batch]:
        # As in URLs: lower case, no port, other alphabets in their ASCII form.
        names = names.filter(pa.array(rows))
        urls, good = normalise(pc.binary_join_element_wise("http://", names, "/", ""))
        good &= ~truth(pc.match_substring_regex(names, _IN_URLS))
        bad = np.zeros(len(some), np.bool_)
        bad[np.flatnonzero(rows)[~good]] = True
        leave_out(some, {"is not a host": bad}, self.broken)
        rows = rows & ~bad
        if not rows.any():
            return
        found = {
            "host": hosts(urls.filter(pa.array(good))),
            "below": pa.array(np.full(int(np.count_nonzero(rows)), self._subdomains)),
            "spam": spam.filter(pa.array(rows)),
        }
        yield Batch("labels", pa.record_batch(found), some.take(rows).where())


def _split(text: pa.Array) -> tuple[pa.Array, pa.Array]:
    """Name and label of each line; the label is null where there is none."""
    spaced, marked = (pc.extract_regex(text, pattern) for pattern in (_AFTER_SPACE, _AFTER_COMMA))
    # A URL may have commas of its own: what follows one is a label only where it is known.
    known = pc.fill_null(_spam(pc.struct_field(marked, "label")).is_valid(), False)
    known = pc.and_(known, marked.is_valid())
    names = pc.coalesce(pc.struct_field(spaced, "name"), pc.if_else(known, pc.struct_field(marked, "name"), None), text)
    labels = pc.coalesce(pc.struct_field(spaced, "label"), pc.if_else(known, pc.struct_field(marked, "label"), None))
    quoted = pc.extract_regex(text, _QUOTED)
    name, label = (pc.struct_field(quoted, part) for part in ("name", "label"))
    label = pc.if_else(pc.equal(label, ""), None, label)  # what the pattern does not find is empty
    return pc.coalesce(name, names), pc.if_else(quoted.is_valid(), label, labels)


def _spam(labels: pa.Array) -> pa.Array:
    """What labels say, 1 where there is none, null where one is unknown."""
    words = pc.ascii_lower(labels)
    share = pc.if_else(pc.match_substring_regex(words, _SHARE), words, None).cast(pa.float64())
    found = pc.coalesce(_VALUES.take(pc.index_in(words, _WORDS)), share)
    return pc.if_else(labels.is_null(), 1.0, found)
