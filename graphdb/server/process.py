"""A local Neo4j managed by seedrank as a Java process: start, find again, stop, and run its admin tool."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from seedrank.core.errors import StoreError
from seedrank.graphdb.server.assemble import Jars
from seedrank.graphdb.server.config import Server
from seedrank.graphdb.server.java import find_java

__all__ = ["admin", "admin_failed", "alive", "is_ours", "last_error", "start", "stop"]

_FLAGS = (
    "-XX:+UseG1GC",
    "-XX:-OmitStackTraceInFastThrow",
    "-XX:+DisableExplicitGC",
    "-Dio.netty.tryReflectionSetAccessible=true",
    "-Djdk.nio.maxCachedBufferSize=1024",
    "-Djdk.tls.ephemeralDHKeySize=2048",
    "-Dlog4j2.disable.jmx=true",
    "-Dlog4j.layout.jsonTemplate.maxStringLength=32768",
    "-Dfile.encoding=UTF-8",
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
)
_SECONDS_TO_STOP = 60.0


def start(server: Server, jars: Jars) -> int:
    """Start the server in a session of its own, so that it outlives the terminal; returns its process id."""
    java = find_java(server.line)
    command = [
        str(java.program),
        f"-Xms{server.heap}",
        f"-Xmx{server.heap}",
        *_FLAGS,
        *server.line.java_flags(java.version),
        "-cp",
        jars.class_path(server.conf),
        server.line.main_class,
        f"--home-dir={server.home}",
        f"--config-dir={server.conf}",
        "--console-mode",
    ]
    log = os.open(server.log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        # Not Popen: it would complain about a process that outlives it.
        return os.posix_spawn(
            command[0],
            command,
            _environment(server),
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                (os.POSIX_SPAWN_DUP2, log, 1),
                (os.POSIX_SPAWN_DUP2, log, 2),
            ],
            setsid=True,
        )
    finally:
        os.close(log)


def stop(pid: int, seconds: float = _SECONDS_TO_STOP) -> None:
    """Ask a process to end, wait, and end it where it does not."""
    for number, patience in ((signal.SIGTERM, seconds), (signal.SIGKILL, 10.0)):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline:
            if not alive(pid):
                return
            time.sleep(0.1)


def alive(pid: int) -> bool:
    """Whether a process runs; one of our own children that has ended is let go of."""
    with contextlib.suppress(ChildProcessError):
        if os.waitpid(pid, os.WNOHANG)[0] == pid:
            return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def is_ours(pid: int, home: Path) -> bool:
    """Whether a process is the server of this folder; process ids are used again after a restart of the machine."""
    for _ in range(40):
        if not alive(pid):
            return False
        if words := _command_line(pid):
            # A whole word: the name of one folder may begin like that of another.
            return f"--home-dir={home}" in words
        # Java starts itself a second time; between the two a process has no command line.
        time.sleep(0.05)
    return False


def admin(server: Server, jars: Jars, arguments: Sequence[str], *, heap: str | None = None) -> str:
    """Run ``neo4j-admin`` for a server that is stopped; returns what it printed."""
    tool = ["-cp", jars.class_path(server.conf), "org.neo4j.cli.AdminTool", *arguments]
    java = find_java(server.line)
    flags = (*_FLAGS, *server.line.java_flags(java.version))
    command = [str(java.program), f"-Xmx{heap or server.heap}", *flags, *tool]
    answer = subprocess.run(
        command, env=_environment(server), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    printed = answer.stdout + answer.stderr
    if answer.returncode:
        raise admin_failed(server, arguments, printed)
    return printed


def admin_failed(server: Server, arguments: Sequence[str], printed: str) -> StoreError:
    """The error for an admin command that failed; what it printed is kept beside the log."""
    report = server.log.parent / "admin.log"
    report.write_text(printed, encoding="utf-8")
    return StoreError(f"neo4j-admin {' '.join(arguments[:3])} failed: {last_error(report)}", hint=f"see {report}")


def last_error(log: Path) -> str:
    """The line of a log that says best why a program ended."""
    try:
        lines = [line.strip() for line in log.read_text(encoding="utf-8", errors="replace").splitlines()]
    except OSError:
        return "it left no log"
    for sign in ("Caused by:", "ERROR", "Error", "Exception"):
        found = [line for line in lines if sign in line]
        if found:
            return found[-1][-300:]
    return next((line[-300:] for line in reversed(lines) if line), "it printed nothing")


def _command_line(pid: int) -> list[str]:
    """The words of a process's command line; empty while it has none."""
    proc = Path(f"/proc/{pid}/cmdline")
    if proc.exists():
        return [word for word in proc.read_bytes().decode(errors="replace").split("\0") if word]
    answer = subprocess.run(
        ["ps", "-ww", "-p", str(pid), "-o", "command="], capture_output=True, text=True, check=False
    )
    # Between options only: there may be blanks in the name of a folder.
    return re.split(r" +(?=-)", answer.stdout.strip()) if answer.stdout.strip() else []


def _environment(server: Server) -> dict[str, str]:
    # Settings and a password of other servers are none of this one's business.
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NEO4J_")}
    return {**kept, "NEO4J_HOME": str(server.home), "NEO4J_CONF": str(server.conf)}
