"""What a write that was cut off leaves beside a store, and how the store is put right.

The database writes a change twice: first its statements into a log (``.wal``), then, at a checkpoint, the changed
pages into a shadow file, a record that completes the checkpoint into the log, and the pages into the store's own file.
Rows that were copied in bulk stand in the pages only. So a log without that record is half a change, and replaying
it, as the database does by itself, would give a load that calls itself done without its new pages. A change counts
as written when its checkpoint is complete, and not before:

    log without the record    set aside; the store is as before the change
    log with the record       left to the database, which copies the shadow file's pages again

"""

from __future__ import annotations

from pathlib import Path

__all__ = ["is_complete", "is_pending", "remove", "set_aside"]

_LOGS = (".wal", ".wal.checkpoint")
_ASIDE = ".aside"
_COMPANIONS = (*_LOGS, ".shadow", ".checkpoint.intent.lock", ".checkpoint.apply.lock")

# A log: the store's id (16 bytes), a flag and a checksum, then records of a length (8 bytes), so many bytes of which
# the first is the kind, and a checksum (8 bytes).
_HEADER = 25
_LENGTH = _CHECKSUM = 8
_CHECKPOINT = 0xFE
_EMPTY_CHECKPOINT = 58


def is_pending(path: Path) -> bool:
    """Whether a change was cut off and has to be completed or set aside."""
    log, *others = (_beside(path, suffix) for suffix in (".wal", ".wal.checkpoint", ".shadow"))
    # An empty log is that of a command that was cut off before it wrote anything.
    return (log.exists() and log.stat().st_size > 0) or any(file.exists() for file in others)


def set_aside(path: Path) -> list[Path]:
    """Set aside logs of a change that is not complete; nobody else may have the store open.

    Returns
    -------
    list of Path
        Where they are kept, under names that the next cut-off change takes over.
    """
    kept = []
    for log in _logs(path):
        size = log.stat().st_size
        if not size or _has_checkpoint(log):
            continue
        if size < _EMPTY_CHECKPOINT:
            log.unlink()  # the beginning of a checkpoint with nothing to write
        else:
            kept.append(log.replace(log.with_name(log.name + _ASIDE)))
    return kept


def is_complete(path: Path) -> bool:
    """Whether a change beside the store is complete, and the database has only to copy its pages."""
    return any(_has_checkpoint(log) for log in _logs(path))


def remove(path: Path) -> None:
    """Remove a store with everything beside it."""
    # The store goes last: without it, what is left beside would be taken for another store's and refused.
    for suffix in (*_COMPANIONS, *(log + _ASIDE for log in _LOGS), ""):
        _beside(path, suffix).unlink(missing_ok=True)


def _logs(path: Path) -> list[Path]:
    return [log for suffix in _LOGS if (log := _beside(path, suffix)).exists()]


def _has_checkpoint(log: Path) -> bool:
    """Whether a log holds the record that completes a checkpoint."""
    size = log.stat().st_size
    with log.open("rb") as file:
        at = _HEADER
        while at + _LENGTH < size:
            file.seek(at)
            length = int.from_bytes(file.read(_LENGTH), "little")
            end = at + _LENGTH + length + _CHECKSUM
            if end > size:
                break
            if file.read(1) == bytes([_CHECKPOINT]):
                return True
            at = end
    return False


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)
