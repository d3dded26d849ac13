"""What a managed server is: a line of Neo4j, a folder of its own, ports on the loopback address, memory."""

from __future__ import annotations

import json
import re
import secrets
import shlex
import socket
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from seedrank.core.errors import StoreError, UsageError
from seedrank.core.files import whole_file
from seedrank.graphdb.server.assemble import Jars, data_folder
from seedrank.graphdb.server.versions import FIRST, Line, line_named

__all__ = ["ADDRESS", "USER", "Server", "check_port", "free_port"]

ADDRESS = "127.0.0.1"
USER = "neo4j"

_OURS = "# Written at each start by `seedrank db up`."
_YOURS = "# What you add below is kept."
_SIZE = re.compile(r"[1-9][0-9]*[kmgKMG]")
_HTTP_BELOW_BOLT = 7687 - 7474


@dataclass(frozen=True)
class Server:
    """A local Neo4j managed by seedrank."""

    home: Path = Path()
    """Its folder: data, logs, password, settings. By default that of its line, ``$XDG_DATA_HOME/seedrank/neo4j`` for
    5.26."""
    port: int = 7687
    """Bolt port; 7687 by default."""
    http_port: int = 0
    """Port of Neo4j Browser; `port` - 213 by default, so 7474."""
    heap: str = "2g"
    page_cache: str = "512m"
    """Memory as Java writes it, such as ``2g``; 2g and 512m by default."""
    neo4j: str = FIRST
    """The line of Neo4j: 5.26 (the default) or 2026.01."""

    def __post_init__(self) -> None:
        home = data_folder() / self.line.folder if self.home == Path() else Path(self.home)
        object.__setattr__(self, "home", home.absolute())
        if not self.http_port:
            object.__setattr__(self, "http_port", self.port - _HTTP_BELOW_BOLT)
        for name, port in (("port", self.port), ("HTTP port", self.http_port)):
            if not 1024 <= port <= 65535:
                raise UsageError(f"{name} {port} cannot be used", hint="{port} takes 1237 to 65535", fields=("port",))
        for name, size in (("heap", self.heap), ("page cache", self.page_cache)):
            if not _SIZE.fullmatch(size):
                raise UsageError(f"{size!r} is not a size of the {name}", hint="write it like 512m or 4g")

    @property
    def line(self) -> Line:
        """Its line of Neo4j."""
        return line_named(self.neo4j)

    @property
    def url(self) -> str:
        """The store: what `seedrank.open` takes."""
        return f"neo4j://{ADDRESS}:{self.port}"

    @property
    def browser(self) -> str:
        """Address of Neo4j Browser."""
        return f"http://{ADDRESS}:{self.http_port}/browser/"

    @property
    def password_file(self) -> Path:
        """Holds the password; only the user can read it."""
        return self.home / "password"

    @property
    def log(self) -> Path:
        """What the server prints."""
        return self.home / "logs" / "console.log"

    @property
    def conf(self) -> Path:
        """Folder of its settings."""
        return self.home / "conf"

    @property
    def data(self) -> Path:
        """Folder of its databases."""
        return self.home / "data"

    def password(self) -> str:
        """The password."""
        try:
            return self.password_file.read_text(encoding="utf-8").strip()
        except OSError as error:
            raise StoreError(
                f"{self.password_file} with the server's password cannot be read",
                hint="`seedrank db up --wipe` starts afresh, without the data",
            ) from error

    def environment(self) -> list[str]:
        """Lines for a shell that tell other programs of this server."""
        return [
            f"export NEO4J_URI={self.url}",
            f"export NEO4J_USERNAME={USER}",
            f'export NEO4J_PASSWORD="$(cat {shlex.quote(str(self.password_file))})"',
        ]

    def make_password(self) -> None:
        """A fresh random password in its file, which nobody else can read."""
        self.password_file.unlink(missing_ok=True)
        self.password_file.touch(mode=0o600)
        # Hexadecimal: neo4j-admin takes a password that begins with "-" for an option.
        self.password_file.write_text(secrets.token_hex(16) + "\n", encoding="utf-8")

    def write_conf(self, jars: Jars) -> None:
        """Its settings, as Neo4j reads them."""
        for folder in (self.conf, self.data, self.log.parent, self.home / "run", self.home / "import"):
            folder.mkdir(parents=True, exist_ok=True)
        settings = {
            "server.default_listen_address": ADDRESS,
            "server.bolt.listen_address": f"{ADDRESS}:{self.port}",
            # Without these the server tells clients the default ports.
            "server.bolt.advertised_address": f"{ADDRESS}:{self.port}",
            "server.http.listen_address": f"{ADDRESS}:{self.http_port}",
            "server.http.advertised_address": f"{ADDRESS}:{self.http_port}",
            "server.directories.lib": jars.lib,
            "server.directories.plugins": jars.plugins,
            "server.memory.heap.initial_size": self.heap,
            "server.memory.heap.max_size": self.heap,
            "server.memory.pagecache.size": self.page_cache,
            # Without it an empty server takes half a gigabyte of disk.
            "db.tx_log.preallocate": "false",
            "db.tx_log.rotation.retention_policy": "1G size",
            "dbms.security.procedures.unrestricted": "gds.*",
            "dbms.usage_report.enabled": "false",
        }
        file = self.conf / "neo4j.conf"
        before = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        lines = [_OURS, *(f"{name}={value}" for name, value in settings.items()), _YOURS]
        # What people have added stays; seedrank's settings say where the server is and what it may use.
        lines += [line for line in before if line not in lines and line.partition("=")[0].strip() not in settings]
        with whole_file(file) as half:
            half.write_text("\n".join(lines) + "\n", encoding="utf-8")

    # -- what is known of the server that runs

    def state(self) -> dict[str, Any]:
        """How the server was started: ``kind`` (java or docker), ``pid`` or ``container``; empty when it was not."""
        try:
            state = json.loads((self.home / "server.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return state if isinstance(state, dict) else {}

    def keep_state(self, **state: Any) -> None:
        """Remember how the server was started."""
        settings = {"neo4j": self.neo4j, "port": self.port, "http_port": self.http_port, "heap": self.heap}
        kept = {**settings, "started": time.time(), **state}
        with whole_file(self.home / "server.json") as half:
            half.write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")

    def check_folder(self) -> None:
        """Refuse a folder that another line of Neo4j wrote: the newer would change its data for good."""
        # Where its record is gone, a folder with data counts as one of the first line.
        wrote = self.state().get("neo4j", FIRST) if self.state() or (self.data / "databases").exists() else self.neo4j
        if wrote != self.neo4j:
            raise StoreError(
                f"{self.home} was written by Neo4j {wrote}, and Neo4j {self.neo4j} does not open it",
                hint="start it in a folder of its own; what is exported from the one can be loaded into the other",
            )

    def as_started(self) -> Server:
        """The same server with the ports it was last started with, where it was."""
        state = self.state()
        return replace(self, **{name: state[name] for name in ("port", "http_port", "heap") if name in state})


def check_port(port: int) -> None:
    """Refuse a port that someone listens on."""
    with socket.socket() as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            sock.bind((ADDRESS, port))
        except OSError as error:
            raise StoreError(
                f"port {port} is taken by another program",
                hint="end it, or choose another with {port}",
                fields=("port",),
            ) from error


def free_port() -> int:
    """A port nobody listens on at this moment."""
    with socket.socket() as sock:
        sock.bind((ADDRESS, 0))
        return int(sock.getsockname()[1])
