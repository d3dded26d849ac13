"""Nutch's files made by hand, in plain Python: what Hadoop and Nutch write, and a slow reader of it."""

from __future__ import annotations

import bz2
import gzip
import struct
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime

import pyarrow as pa

SYNC = bytes(range(100, 116))
TEXT = "org.apache.hadoop.io.Text"
DATUM = "org.apache.nutch.crawl.CrawlDatum"
PARSE = "org.apache.nutch.parse.ParseData"
INLINKS = "org.apache.nutch.crawl.Inlinks"
PROTOCOL_STATUS = "org.apache.nutch.protocol.ProtocolStatus"

CODECS = {
    "DefaultCodec": zlib.compress,
    "GzipCodec": gzip.compress,
    "BZip2Codec": bz2.compress,
    "ZStandardCodec": lambda data: pa.Codec("zstd").compress(data, asbytes=True),
}

NAMES = {
    1: "db_unfetched", 2: "db_fetched", 3: "db_gone", 4: "db_redir_temp", 5: "db_redir_perm", 6: "db_notmodified",
    7: "db_duplicate", 8: "db_orphan", 33: "fetch_success", 34: "fetch_retry", 35: "fetch_redir_temp",
    36: "fetch_redir_perm", 37: "fetch_gone", 38: "fetch_notmodified", 65: "signature", 66: "injected", 67: "linked",
    68: "parse_metadata",
}  # fmt: skip


# -- Hadoop


def vint(value: int) -> bytes:
    if -112 <= value <= 127:
        return struct.pack("b", value)
    first = -112 if value >= 0 else -120
    value = value if value >= 0 else ~value
    size = (value.bit_length() + 7) // 8
    return struct.pack("b", first - size) + value.to_bytes(size)


def text(value: str | bytes) -> bytes:
    raw = value if isinstance(value, bytes) else value.encode()
    return vint(len(raw)) + raw


def read_text(data: bytes) -> str:
    """A text of at most 255 bytes."""
    return data[1:].decode() if data[0] < 128 else data[2:].decode()


def sequence_file(
    pairs: list[tuple[bytes, bytes]],
    value_class: str,
    *,
    compression: str = "none",
    codec: str = "DefaultCodec",
    key_class: str = TEXT,
    sync_every: int = 3,
) -> bytes:
    """A SequenceFile of keys and values; a sync mark, or a block, every `sync_every` records."""
    pack = CODECS[codec]
    packed = compression != "none"
    head = b"SEQ\x06" + text(key_class) + text(value_class) + bytes([packed, compression == "block"])
    if packed:
        head += text(f"org.apache.hadoop.io.compress.{codec}")
    out = head + struct.pack(">i", 1) + text("made") + text("by hand") + SYNC
    mark = b"\xff\xff\xff\xff" + SYNC
    for first in range(0, len(pairs), sync_every):
        group = pairs[first : first + sync_every]
        if compression == "block":
            out += mark + vint(len(group))
            for side in (0, 1):
                lengths = b"".join(vint(len(pair[side])) for pair in group)
                for buffer in (lengths, b"".join(pair[side] for pair in group)):
                    out += vint(len(pack(buffer))) + pack(buffer)
            continue
        if first:
            out += mark
        for key, value in group:
            value = pack(value) if packed else value
            out += struct.pack(">ii", len(key) + len(value), len(key)) + key + value
    return out


def read_sequence(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Keys and values of a SequenceFile without blocks, deflated or plain."""
    at = 4
    for _ in range(2):
        at += 1 + data[at]
    packed, blocks = data[at], data[at + 1]
    at += 2
    assert not blocks
    if packed:
        at += 1 + data[at]
    assert data[at : at + 4] == bytes(4), "metadata"
    sync = data[at + 4 : at + 20]
    at += 20
    while at < len(data):
        (length,) = struct.unpack_from(">i", data, at)
        if length == -1:
            assert data[at + 4 : at + 20] == sync
            at += 20
            continue
        (key,) = struct.unpack_from(">i", data, at + 4)
        value = data[at + 8 + key : at + 8 + length]
        yield data[at + 8 : at + 8 + key], zlib.decompress(value) if packed else value
        at += 8 + length


# -- Nutch


def string(value: str | None) -> bytes:
    raw = b"" if value is None else value.encode()
    return struct.pack(">i", -1 if value is None else len(raw)) + raw


def strings(values: list[str | None] | None) -> bytes:
    if values is None:
        return struct.pack(">i", -1)
    return struct.pack(">i", len(values)) + b"".join(map(string, values))


class ProtocolStatus(tuple):
    """Code and arguments of a ProtocolStatus."""

    def __str__(self) -> str:
        names = {1: "success", 12: "moved", 13: "temp_moved", 14: "notfound"}
        code, arguments = self
        said = f"{names[code]}({code}), lastModified=0"
        if arguments is None:
            return said
        if len(arguments) == 1:
            return f"{said}: {arguments[0]}"
        return said + "".join(f", args[{i}]={one}" for i, one in enumerate(arguments) if one is not None)


class Unknown:
    """A value of a class that nobody knows."""

    def __str__(self) -> str:
        return "?"


def metadata(values: dict[str, object]) -> bytes:
    """A MapWritable."""
    classes = {PROTOCOL_STATUS: 1, "com.example.Unknown": 2}
    out = bytes([len(classes)])
    for name, number in classes.items():
        out += bytes([number]) + struct.pack(">H", len(name)) + name.encode()
    out += struct.pack(">i", len(values))
    for name, value in values.items():
        out += struct.pack("b", -116) + text(name)
        if isinstance(value, ProtocolStatus):
            code, arguments = value
            out += b"\x01\x02" + bytes([code]) + bytes(8) + strings(arguments)
        elif isinstance(value, Unknown):
            out += b"\x02" + b"whatever it writes"
        elif isinstance(value, bool):
            out += struct.pack(">b?", -126, value)
        elif isinstance(value, bytes):
            out += struct.pack(">bi", -125, len(value)) + value
        elif isinstance(value, float):
            out += struct.pack(">bf", -124, value)
        elif isinstance(value, int):
            out += struct.pack(">bq", -122, value)
        elif value is None:
            out += struct.pack("b", -119)
        else:
            out += struct.pack("b", -116) + text(str(value))
    return out


def datum(
    status: int,
    *,
    time: int = 1425921389000,
    interval: int = 2592000,
    score: float = 1.0,
    signature: bytes = b"",
    meta: dict[str, object] | None = None,
    version: int = 7,
) -> bytes:
    """A CrawlDatum."""
    out = struct.pack(">bbqbifq", version, status, time, 0, interval, score, 0)
    out += bytes([len(signature)]) + signature
    return out + (b"\0" if not meta else b"\x01" + metadata(meta))


def outlink(url: str | bytes, anchor: str | bytes, meta: dict[str, object] | None = None) -> bytes:
    return text(url) + text(anchor) + (b"\0" if not meta else b"\x01" + metadata(meta))


def parse_data(links: list[bytes], *, redirect: str | None = None, version: int = 5) -> bytes:
    """A ParseData with such `outlink` links."""
    status = struct.pack(">bbh", 2, 1, 0 if redirect is None else 100)
    status += strings(None if redirect is None else [redirect, "0"])
    out = bytes([version]) + status + text("A title") + struct.pack(">i", len(links)) + b"".join(links)
    content = struct.pack(">i", 1) + text("Content-Type") + struct.pack(">i", 1) + text("text/html")
    return out + content + struct.pack(">i", 0)


def inlinks(links: list[tuple[str, str]], *, flagged: bool = True, meta: dict[str, object] | None = None) -> bytes:
    """An Inlinks; the flag of metadata came with a later release."""
    tail = (b"\0" if not meta else b"\x01" + metadata(meta)) if flagged else b""
    return struct.pack(">i", len(links)) + b"".join(text(url) + text(anchor) + tail for url, anchor in links)


# -- as Nutch's tools print it


def java_time(milliseconds: int, zone: str = "UTC") -> str:
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime(f"%a %b %d %H:%M:%S {zone} %Y")


def datum_text(status: int, *, time=1425921389000, interval=2592000, score=1.0, signature=b"", meta=None) -> str:
    """What Java's ``CrawlDatum.toString`` gives."""
    lines = [
        "Version: 7",
        f"Status: {status} ({NAMES[status]})",
        f"Fetch time: {java_time(time)}",
        "Modified time: Thu Jan 01 00:00:00 UTC 1970",
        "Retries since fetch: 0",
        f"Retry interval: {interval} seconds ({interval // 86400} days)",
        f"Score: {score}",
        f"Signature: {signature.hex() or 'null'}",
        "Metadata: ",
        " ",
    ]
    said = "\n".join(lines)
    return said + "".join(f"\t{name}={value}\n" for name, value in (meta or {}).items())


def datum_csv(url, status, *, time=1425921389000, interval=2592000, score=1.0, signature=b"", meta=None) -> str:
    fields = [
        f'"{url}"', status, f'"{NAMES[status]}"', java_time(time), "Thu Jan 01 00:00:00 UTC 1970", 0,
        float(interval), interval / 86400, score, f'"{signature.hex() or "null"}"',
        '"' + "".join(f"{name}:{value}|||" for name, value in (meta or {}).items()) + '"',
    ]  # fmt: skip
    return ",".join(map(str, fields)) + "\n"


def datum_json(url, status, *, time=1425921389000, interval=2592000, score=1.0, signature=b"", meta=None) -> dict:
    return {
        "url": url,
        "statusCode": status,
        "statusName": NAMES[status],
        "fetchTime": java_time(time),
        "modifiedTime": "Thu Jan 01 00:00:00 UTC 1970",
        "retriesSinceFetch": 0,
        "retryIntervalSeconds": interval,
        "retryIntervalDays": interval // 86400,
        "score": score,
        "signature": signature.hex() or "null",
        "metadata": {name: str(value) for name, value in (meta or {}).items()},
    }
