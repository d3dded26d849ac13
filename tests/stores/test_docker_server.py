"""A managed server in a container, where a Docker engine answers: start, fill in bulk, stop, start again, wipe."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator

import pytest

from seedrank.core.errors import StoreError
from seedrank.graphdb.server import LINES, Server, connect, docker, down, free_port, is_running, status, up
from seedrank.graphdb.server.bulk import bulk_load
from tests.conftest import LINE
from tests.stores import graphs
from tests.stores.graphs import SMALL


@pytest.fixture
def contained(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server in a container of its own."""
    if not docker.usable(LINES[LINE]):
        pytest.skip("no Docker engine answers, or the image cannot be had")
    server = Server(tmp_path_factory.mktemp("docker"), port=free_port(), http_port=free_port(), heap="512m", neo4j=LINE)
    try:
        yield up(server, use_docker=True)
    finally:
        down(server)
        docker.remove(server)


def test_a_server_in_a_container(contained: Server) -> None:
    bulk_load(contained, graphs.everything(SMALL), graphs.load("first"))
    with connect(contained) as store:
        assert graphs.read(store) == graphs.plain(SMALL)
    with pytest.raises(StoreError, match="is not empty"):
        bulk_load(contained, graphs.everything(SMALL), graphs.load("second"))
    seen = status(Server(contained.home, neo4j=LINE))
    assert (seen.running, seen.kind, seen.url, seen.browser) == (True, "docker", contained.url, contained.browser)
    assert seen.version.startswith(LINE) and seen.gds.startswith("2.") and seen.bytes > 0
    assert "Started." in seen.log.read_text()

    name, password = docker.container_name(contained), contained.password()
    command = ["docker", "container", "inspect", "--format", "{{.Path}} {{.Args}} {{.HostConfig.PortBindings}}", name]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert password not in shown
    assert "127.0.0.1" in shown and "0.0.0.0" not in shown

    assert down(contained) is True and down(contained) is False
    assert not docker.exists(contained)
    up(contained)
    assert contained.state()["kind"] == "docker"
    with connect(contained) as store:
        assert graphs.read(store) == graphs.plain(SMALL)

    up(contained, wipe=True, use_docker=True)
    assert is_running(contained) and contained.password() != password
    with connect(contained) as store:
        assert store.is_empty()
