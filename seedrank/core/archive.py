"""The archive of a backup: which members it has, and which of a stranger's are refused.

A ZIP file, its members stored as they are (Parquet is compressed itself): ``manifest.json`` with the number of the
format and the SHA-256 of every other member, a Parquet file for each of `TABLES`, and the files of kept runs as
``runs/ID/NAME``. A later format would add members and raise the number; this one stays readable.
"""

from __future__ import annotations

import hashlib
import json
import re
import stat
import zipfile
from pathlib import Path
from typing import IO, Any

from seedrank.core.errors import InputError

__all__ = ["FORMAT", "MANIFEST", "TABLES", "Member", "open_archive", "run_member"]

FORMAT = 1
MANIFEST = "manifest.json"
TABLES = ("pages", "links", "hosts", "queries", "results", "virtual_links", "runs", "ranked", "cores")
_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+@=,-]*")
_MANIFEST_BYTES = 64 << 20
_BLOCK = 1 << 20


class Member:
    """A member being written: a file for whoever writes it, whose digest is known at the end."""

    def __init__(self, archive: zipfile.ZipFile, name: str) -> None:
        self._file: IO[bytes] = archive.open(zipfile.ZipInfo(name), "w", force_zip64=True)
        self._digest = hashlib.sha256()
        self._bytes = 0
        self.closed = False

    def write(self, data: Any) -> int:
        """Write bytes."""
        view = memoryview(data).cast("B")
        self._digest.update(view)
        self._bytes += len(view)
        self._file.write(view)
        return len(view)

    def tell(self) -> int:
        """How many bytes were written."""
        return self._bytes

    def flush(self) -> None:
        """Nothing waits."""

    def close(self) -> None:
        """Complete it; safe to call twice."""
        if not self.closed:
            self.closed = True
            self._file.close()

    def record(self) -> dict[str, Any]:
        """What the manifest says of it."""
        return {"bytes": self._bytes, "sha256": self._digest.hexdigest()}


def run_member(name: str) -> tuple[str, str] | None:
    """The id of a run and the path of a file in its folder; `None` for a member that is no file of a run."""
    top, *parts = name.split("/")
    if top != "runs" or len(parts) < 2 or not all(_PART.fullmatch(part) for part in parts):
        return None
    return parts[0], "/".join(parts[1:])


def open_archive(path: Path) -> tuple[zipfile.ZipFile, dict[str, Any]]:
    """A backup and its manifest, once every member is known to be what was written.

    Parameters
    ----------
    path
        The file. Refused are members that the manifest does not have, that go elsewhere than into a run's folder,
        links, packed or encrypted ones, and whatever differs from its digest.
    """
    try:
        archive = zipfile.ZipFile(path)
    except (OSError, zipfile.BadZipFile, NotImplementedError) as error:
        reason = getattr(error, "strerror", None) or "it is not a ZIP file, or not all of it"
        raise InputError(
            f"not a backup that can be read: {reason}", file=str(path), hint="name another file"
        ) from error
    try:
        manifest = _manifest(archive, path)
        _check_names(archive, manifest, path)
        for name, member in manifest["members"].items():
            _check_digest(archive, name, member, path)
    except (zipfile.BadZipFile, OSError, EOFError, RuntimeError, NotImplementedError) as error:
        archive.close()
        raise _refused(path, f"it is damaged ({error})") from error
    except BaseException:
        archive.close()
        raise
    return archive, manifest


def _manifest(archive: zipfile.ZipFile, path: Path) -> dict[str, Any]:
    try:
        info = archive.getinfo(MANIFEST)
        if info.file_size > _MANIFEST_BYTES:
            raise ValueError("too long")
        manifest = json.loads(archive.read(info))
        if not isinstance(manifest["format"], int):
            raise TypeError("no format")
        whole = all(
            isinstance(one["bytes"], int) and isinstance(one["sha256"], str) for one in manifest["members"].values()
        )
        if not (whole and isinstance(manifest["loads"], list) and isinstance(manifest["changes"], int)):
            raise TypeError("no members")
    except (KeyError, ValueError, TypeError, AttributeError, RecursionError) as error:
        raise _refused(path, "it has no manifest of seedrank's") from error
    if manifest["format"] > FORMAT:
        raise InputError(
            f"the backup has format {manifest['format']}, and this version reads {FORMAT}",
            file=str(path),
            hint=f"install seedrank {manifest.get('seedrank', '')} or newer".replace("  ", " "),
        )
    return dict(manifest)


def _check_names(archive: zipfile.ZipFile, manifest: dict[str, Any], path: Path) -> None:
    infos = archive.infolist()
    names = [info.filename for info in infos]
    if len(set(names)) < len(names) or {*names} != {*manifest["members"], MANIFEST}:
        raise _refused(path, "its members are not those of its manifest")
    tables = {f"{name}.parquet" for name in TABLES}
    if not tables <= set(names):
        raise _refused(path, f"it lacks {', '.join(sorted(tables - set(names)))}")
    for info in infos:
        kind = stat.S_IFMT(info.external_attr >> 16)
        plain = info.compress_type == zipfile.ZIP_STORED and not info.flag_bits & 1 and kind in (0, stat.S_IFREG)
        known = info.filename in (*tables, MANIFEST) or run_member(info.filename) is not None
        if not (plain and known and not info.is_dir()):
            raise InputError(
                "not a backup of seedrank's: a member that does not belong there",
                file=str(path),
                value=info.filename,
                hint="name another file",
            )
    if sum(info.file_size for info in infos) > path.stat().st_size:
        raise _refused(path, "its members are larger than itself")


def _check_digest(archive: zipfile.ZipFile, name: str, member: dict[str, Any], path: Path) -> None:
    digest = hashlib.sha256()
    with archive.open(name) as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    if digest.hexdigest() != member["sha256"]:
        raise InputError(f"the backup is damaged: {name} differs from its digest", file=str(path), hint="take another")


def _refused(path: Path, why: str) -> InputError:
    return InputError(f"not a backup that can be read: {why}", file=str(path), hint="name another file")
