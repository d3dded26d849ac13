"""Fixtures for all tests."""

from __future__ import annotations

import gc
import logging
import os
import secrets
import shutil
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

from seedrank.core.errors import SeedrankError
from seedrank.graphdb.neo4j import Neo4jStore
from seedrank.graphdb.neo4j import connection as neo4j_connection
from seedrank.graphdb.neo4j import open_store as open_neo4j
from seedrank.graphdb.server import ADDRESS, FIRST, LINES, Server, docker, down, free_port, up
from tests.compiled_once import compile_once
from tests.few import QUICK
from tests.notices import UNKNOWN, make_known, noticed
from tests.sparked import SETTINGS, needs_spark

LINE = os.environ.get("SEEDRANK_TEST_NEO4J") or FIRST
"""The line of Neo4j that is tested."""

REPOSITORY = Path(__file__).resolve().parents[1]

# The first call of a kernel compiles it, and these machines are noisy: no deadline per example.
settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("default")

compile_once()

MOST_EXAMPLES = 25 if QUICK else 100_000
"""Most examples a test makes."""

MEMORY_FOLDER = Path("/dev/shm")
if MEMORY_FOLDER.is_dir() and os.access(MEMORY_FOLDER, os.W_OK) and shutil.disk_usage(MEMORY_FOLDER).free > 4 << 30:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY_FOLDER))


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Iterator[None]:
    """Mark what reads real graphs, and what needs Neo4j, whose one database one worker uses."""
    for item in items:
        _limit_examples(item, MOST_EXAMPLES)
        if "shared_data" in getattr(item, "fixturenames", ()):
            item.add_marker("data")
        if _needs_neo4j(item):
            item.add_marker("neo4j")
            item.add_marker(pytest.mark.xdist_group("neo4j"))
        if _needs_spark(item):
            item.add_marker("spark")
            item.add_marker(pytest.mark.xdist_group("spark"))
    yield
    for item in items:
        # pytest-xdist 3.8 writes the group where pytest 9.2 no longer looks (pytest-xdist's issue 1386).
        if grouped := vars(item).get("_nodeid"):
            item._id = type(item.id).parse(grouped)


def pytest_unconfigure() -> None:
    """Commands in this process exempt modules from garbage collection; DuckDB's would then be reported as leaked."""
    gc.unfreeze()


def _limit_examples(item: pytest.Item, most: int) -> None:
    """Let a test of hypothesis make at most so many examples, unless it is one of the long searches."""
    test = getattr(item, "function", None)
    given = getattr(test, "_hypothesis_internal_use_settings", None)
    if is_hypothesis_test(test) and not item.get_closest_marker("deep"):
        wanted = settings.default.max_examples if given is None else given.max_examples
        test._hypothesis_internal_use_settings = settings(given, max_examples=min(wanted, most))


def _needs_neo4j(item: pytest.Item) -> bool:
    """Whether a test asks for the server by a fixture, or by a parameter of a fixture that asks for it in turn."""
    parameters = item.callspec.id.split("-") if hasattr(item, "callspec") else []
    return "neo4j_server" in item.fixturenames or "neo4j" in parameters or "gds" in parameters


def _needs_spark(item: pytest.Item) -> bool:
    """Whether a test asks for Spark, the same ways."""
    parameters = item.callspec.id.split("-") if hasattr(item, "callspec") else []
    return "spark" in item.fixturenames or "spark" in parameters


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """One Spark session on loopback for the whole run; the test is skipped where PySpark or Java is absent."""
    needs_spark()
    from seedrank.graphdb.spark import session

    started = session("local[2]", SETTINGS)
    yield started
    started.stop()


@pytest.fixture(scope="session")
def shared_data() -> Callable[[str], Path]:
    """A folder of real data by name; the test is skipped where it is absent."""

    def find(name: str) -> Path:
        folder = data_folder() / name
        if not folder.is_dir():
            pytest.skip(f"no real data {name}: there is no folder {folder}; SEEDRANK_DATA names the folder above it")
        return folder

    return find


def data_folder() -> Path:
    """The folder of real graphs: ``SEEDRANK_DATA``, else ``../shared/data``."""
    return Path(os.environ.get("SEEDRANK_DATA") or REPOSITORY.parent / "shared" / "data").resolve()


@dataclass(frozen=True)
class Neo4jServer:
    """A live server for the tests; `home` is its folder where it is ours and no container."""

    url: str
    user: str
    password: str
    home: Path | None = None


@pytest.fixture(autouse=True)
def remarks() -> Iterator[None]:
    """Loggers as they were: after a command in this process sent remarks to stderr, caplog would see none."""
    loggers = [logging.getLogger(name) for name in ("seedrank",)]
    before = [(logger.handlers, logger.level, logger.propagate) for logger in loggers]
    yield
    for logger, (handlers, level, propagate) in zip(loggers, before, strict=True):
        logger.handlers, logger.propagate = handlers, propagate
        logger.setLevel(level)


@pytest.fixture(autouse=True)
def no_fsync(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing waits for the disk in this process, except where power cuts and broken disks are tried."""
    if not request.node.get_closest_marker("kill"):
        monkeypatch.setattr(os, "fsync", lambda file: None)


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """SIGINT interrupts this process and its children, even if the runner was started to ignore it (``nohup … &``)."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(autouse=True)
def notices(request: pytest.FixtureRequest) -> Iterator[None]:
    """What Neo4j remarks on our statements fails the test."""
    if "neo4j" not in request.node.keywords:
        yield
        return
    # A bulk import makes a database that knows the names of its files only, and prefixes and models bring new names.
    with noticed(UNKNOWN if {"managed", "prefixed", "model"} & set(request.fixturenames) else frozenset()) as found:
        yield
    assert not found, "the server remarks on statements:\n" + "\n".join(sorted(set(found)))


@pytest.fixture(scope="session")
def neo4j_server(started_neo4j: Neo4jServer) -> Neo4jServer:
    """One Neo4j server for the whole run, which says what it thinks of statements and knows the names of the schema."""
    neo4j_connection.NOTIFICATIONS = "INFORMATION"
    with open_neo4j(started_neo4j.url, auth=(started_neo4j.user, started_neo4j.password)) as store:
        make_known(store)
        store.create_schema()  # statements name its indexes
    return started_neo4j


@pytest.fixture(scope="session")
def started_neo4j(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Neo4jServer]:
    """One Neo4j server for the whole run.

    The one ``NEO4J_URI`` names; a container where a Docker engine answers; one assembled by Maven, of the line that
    ``SEEDRANK_TEST_NEO4J`` names (5.26). Where none can be had the test is skipped with the reason, or fails under
    ``SEEDRANK_REQUIRE_NEO4J=1``.
    """
    if "PYTEST_XDIST_WORKER" in os.environ and "@neo4j" not in os.environ["PYTEST_CURRENT_TEST"]:
        pytest.fail("a second worker asks for the one Neo4j server: use --dist loadgroup, and see _needs_neo4j")
    if os.environ.get("NEO4J_URI"):
        yield _named_server()
        return
    if docker.usable(LINES[LINE]):
        yield from _container(request)
        return
    server = Server(tmp_path_factory.mktemp("neo4j"), port=free_port(), http_port=free_port(), heap="1g", neo4j=LINE)
    try:
        up(server, use_docker=False)
    except SeedrankError as error:
        _keep_logs(server.home / "logs")
        down(server)
        (pytest.fail if os.environ.get("SEEDRANK_REQUIRE_NEO4J") == "1" else pytest.skip)(f"no Neo4j server: {error}")
    yield Neo4jServer(server.url, "neo4j", server.password(), server.home)
    if request.session.testsfailed:
        _keep_logs(server.home / "logs")
    down(server)


@pytest.fixture(scope="session")
def empty_neo4j(neo4j_server: Neo4jServer) -> Iterator[Callable[[], None]]:
    """Deletes everything on the live server."""
    with open_neo4j(neo4j_server.url, auth=(neo4j_server.user, neo4j_server.password)) as store:
        yield lambda: None if store.is_empty() else store.wipe()


@pytest.fixture
def neo4j_store(
    neo4j_server: Neo4jServer, empty_neo4j: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Neo4jStore]:
    """An empty database on the live server, and the environment to open it; emptied again afterwards."""
    monkeypatch.setenv("NEO4J_USERNAME", neo4j_server.user)
    monkeypatch.setenv("NEO4J_PASSWORD", neo4j_server.password)
    empty_neo4j()
    with open_neo4j(neo4j_server.url) as store:
        yield store
    empty_neo4j()


def _named_server() -> Neo4jServer:
    user, password = os.environ.get("NEO4J_USERNAME", "neo4j"), os.environ.get("NEO4J_PASSWORD", "")
    server = Neo4jServer(os.environ["NEO4J_URI"], user, password)
    with open_neo4j(server.url, auth=(user, password)) as store:
        if not store.is_empty():
            pytest.fail("NEO4J_URI names a database that holds data, and the tests would delete it")
    return server


def _container(request: pytest.FixtureRequest) -> Iterator[Neo4jServer]:
    from testcontainers.core import utils

    try:
        from testcontainers.community.neo4j import Neo4jContainer
    except ImportError:
        from testcontainers.neo4j import Neo4jContainer

    password, image = secrets.token_hex(16), docker.image(LINES[LINE])
    container = Neo4jContainer(image, password=password)
    environment = docker.environment(heap="1g", page_cache="256m", gds_inside=docker.has_gds(image))
    if is_loopback(container.get_docker_client().host(), utils.inside_container()):
        bolt, http = free_port(), free_port()
        container.ports = {"7687": (ADDRESS, bolt), "7474": (ADDRESS, http)}  # type: ignore[dict-item]
        environment["NEO4J_server_bolt_advertised__address"] = f"{ADDRESS}:{bolt}"
        environment["NEO4J_server_http_advertised__address"] = f"{ADDRESS}:{http}"
    for name, value in environment.items():
        container.with_env(name, value)
    try:
        container.start()
        yield Neo4jServer(container.get_connection_url(), "neo4j", password)
    finally:
        if request.session.testsfailed:
            _keep_logs(*container.get_logs())
        container.stop()


def is_loopback(host: str, inside_container: bool) -> bool:
    """Whether what Docker publishes on the loopback address is reached from here.

    With an engine elsewhere it is not. Nor from inside a container, unless that has the network of its host: there
    ``docker0``, the engine's own bridge, is among its interfaces.
    """
    if host not in ("localhost", ADDRESS):
        return False
    return not inside_container or Path("/sys/class/net/docker0").exists()


def _keep_logs(*logs: Path | bytes) -> None:
    """Copy a server's logs to where the run's artefacts are looked for."""
    folder = REPOSITORY / ".logs"
    folder.mkdir(exist_ok=True)
    for number, log in enumerate(logs):
        if isinstance(log, bytes):
            (folder / f"neo4j-{number}.log").write_bytes(log)
        elif log.is_dir():
            shutil.copytree(log, folder / "neo4j", dirs_exist_ok=True)
