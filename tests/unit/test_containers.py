"""Containers, as far as they can be tried without an engine: what Compose and the Dockerfile say, run by a shell."""

from __future__ import annotations

import re
import subprocess
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest
import yaml

from seedrank.graphdb.server import LINES, docker
from tests.conftest import REPOSITORY

COMPOSE = yaml.safe_load((REPOSITORY / "docker-compose.yml").read_text(encoding="utf-8"))
DOCKERFILE = (REPOSITORY / "docker" / "neo4j.Dockerfile").read_text(encoding="utf-8")
SETUP = (REPOSITORY / "setup.py").read_text(encoding="utf-8")
OF_SEEDRANK = (REPOSITORY / "docker" / "seedrank.Dockerfile").read_text(encoding="utf-8")
CHECK = "password-of-8-characters-or-more-without-slash"


@pytest.mark.parametrize(
    ("password", "passes"),
    [
        ("eightcha", True), ("a much longer one, with spaces & $igns", True), ("******** ?", True), ("öäüßéèàç", True),
        ("", False), ("seven77", False), ("*", False), ("slash/in/it", False),
    ],
)  # fmt: skip
def test_compose_asks_for_a_password_that_the_server_takes(password: str, passes: bool) -> None:
    service = COMPOSE["services"][CHECK]
    [script] = service["command"]
    # Compose writes a dollar sign twice.
    ran = subprocess.run(
        [*service["entrypoint"], script.replace("$$", "$")],
        env={"NEO4J_PASSWORD": password, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
    )
    assert (ran.returncode == 0) is passes
    assert bool(ran.stderr) is not passes
    assert not password or password not in ran.stderr


def test_the_server_waits_for_that_check() -> None:
    server, check = COMPOSE["services"]["neo4j"], COMPOSE["services"][CHECK]
    assert server["depends_on"] == {CHECK: {"condition": "service_completed_successfully"}}
    assert (check["restart"], check["network_mode"], "ports" in check) == ("no", "none", False)
    assert check["image"] == server["image"] == "${SEEDRANK_NEO4J_IMAGE:-neo4j:5.26.30-community}"


def test_compose_publishes_on_loopback_unless_told() -> None:
    ports = [port for service in COMPOSE["services"].values() for port in service.get("ports", ())]
    assert len(ports) == 2 and all(port.startswith("${SEEDRANK_BIND:-127.0.0.1}:") for port in ports)


def test_a_server_is_healthy_that_lets_us_in_and_has_the_library(tmp_path: Path) -> None:
    test = COMPOSE["services"]["neo4j"]["healthcheck"]["test"]
    assert test[0] == "CMD-SHELL"
    shell = tmp_path / "cypher-shell"
    shell.write_text('#!/bin/sh\n[ "$NEO4J_USERNAME:$NEO4J_PASSWORD" = "neo4j:a/b secret" ] && echo "$@"\n')
    shell.chmod(0o755)
    secret = tmp_path / "auth"
    secret.write_text("neo4j/a/b secret\n")
    for given, healthy in (
        ({"NEO4J_AUTH": "neo4j/a/b secret"}, True),
        ({"NEO4J_AUTH_FILE": str(secret)}, True),
        ({"NEO4J_AUTH": "neo4j/wrong"}, False),
    ):
        ran = subprocess.run(
            ["sh", "-c", test[1].replace("$$", "$")],
            env={**given, "PATH": f"{tmp_path}:/usr/bin:/bin"}, capture_output=True, text=True,
        )  # fmt: skip
        assert (ran.returncode == 0) is healthy, ran
        assert ("gds." in ran.stdout) is healthy


@pytest.mark.parametrize(("name", "must"), [("tls", "SEEDRANK_CERTIFICATES"), ("enterprise", "SEEDRANK_GDS_LICENCE")])
def test_what_stands_beside_compose_adds_to_its_server(name: str, must: str) -> None:
    text = (REPOSITORY / "docker" / f"{name}.yml").read_text(encoding="utf-8")
    more = yaml.safe_load(text)["services"]
    assert more.keys() <= COMPOSE["services"].keys()
    server = more["neo4j"]
    assert not server["environment"].keys() & COMPOSE["services"]["neo4j"]["environment"].keys()
    assert any(volume.startswith(f"${{{must}:?") for volume in server["volumes"])
    assert f"docker/{name}.yml" in text and f"docker/{name}.yml" in (REPOSITORY / "docker-compose.yml").read_text()


def test_a_secret_takes_the_place_of_the_password() -> None:
    class Loader(yaml.SafeLoader):
        """Knows Compose's way to take a value back."""

    Loader.add_constructor("!reset", lambda loader, node: None)
    text = (REPOSITORY / "docker" / "secret.yml").read_text(encoding="utf-8")
    more = yaml.load(text, Loader)
    server = more["services"]["neo4j"]
    assert server["environment"] == {"NEO4J_AUTH": None, "NEO4J_AUTH_FILE": "/run/secrets/neo4j_auth"}
    assert {tuple(service["secrets"]) for service in more["services"].values()} == {("neo4j_auth",)}
    assert more["services"].keys() == COMPOSE["services"].keys()
    assert "NEO4J_PASSWORD:?" not in (REPOSITORY / "docker-compose.yml").read_text(encoding="utf-8")


def test_the_dockerfile_builds_what_the_pom_of_the_line_names() -> None:
    defaults = dict(re.findall(r"^ARG (\w+)=(\S+)$", DOCKERFILE, re.MULTILINE))
    assert defaults["LINE"] in LINES
    builds = {
        defaults["LINE"]: defaults["VERSION"],
        **dict(re.findall(r"LINE=(\S+) --build-arg VERSION=(\S+)", DOCKERFILE)),
    }
    assert builds.keys() == LINES.keys()
    for line, version in builds.items():
        assert f"<neo4j.version>{version}</neo4j.version>" in LINES[line].pom().decode()
    for path in re.findall(r"^COPY (\S+)", DOCKERFILE, re.MULTILINE):
        assert (REPOSITORY / path.replace("${LINE}", defaults["LINE"])).exists()


def test_the_dockerfile_takes_what_the_server_lacks(tmp_path: Path) -> None:
    has = ("netty-buffer-4.1.1.jar", "neo4j-browser-2026.1.jar", "jackson-core-2.18.jar", "annotations-5.26.30.jar")
    library = ("proc-2.13.9.jar", "annotations-2.13.9.jar")
    fetched = ("ejml-core-0.43.jar", "netty-buffer-4.1.2.jar", "neo4j-browser-5.24.0.jar",
               "jackson-core-2.18.jar", "jackson-dataformat-csv-2.18.jar")  # fmt: skip
    for folder, names in (("jars/others", fetched), ("jars/gds", library), ("home/lib", has), ("home/plugins", ())):
        (tmp_path / folder).mkdir(parents=True)
        for name in names:
            (tmp_path / folder / name).touch()
    [script] = re.findall(r"^RUN --mount=\S+ \\\n(.*?)\n(?! )", DOCKERFILE, re.MULTILINE | re.DOTALL)
    script = script.replace("/var/lib/neo4j", str(tmp_path / "home")).replace("/jars/", f"{tmp_path}/jars/")
    subprocess.run(["sh", "-e", "-c", script], check=True, env={"PATH": "/usr/bin:/bin"})
    taken = sorted(file.name for file in (tmp_path / "home" / "plugins").iterdir())
    assert taken == [
        "annotations-2.13.9.jar",
        "ejml-core-0.43.jar",
        "jackson-dataformat-csv-2.18.jar",
        "proc-2.13.9.jar",
    ]


@pytest.mark.parametrize(("label", "inside"), [("yes", True), ("", False), ("<no value>", False)])
def test_an_image_with_gds_fetches_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, label: str, inside: bool
) -> None:
    assert "LABEL seedrank.gds=yes" in DOCKERFILE
    program = tmp_path / "docker"
    program.write_text(f'#!/bin/sh\ncase "$*" in *seedrank.gds*) echo "{label}" ;; *) exit 1 ;; esac\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert docker.has_gds("any") is inside
    assert ("NEO4J_PLUGINS" in docker.environment("1g", "1g", gds_inside=inside)) is not inside


def test_each_line_has_its_image(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SEEDRANK_NEO4J_IMAGE", raising=False)
    assert [docker.image(line) for line in LINES.values()] == [
        "neo4j:5.26.30-community",
        "neo4j:2026.01.4-community",
    ]
    monkeypatch.setenv("SEEDRANK_NEO4J_IMAGE", "mine")
    assert {docker.image(line) for line in LINES.values()} == {"mine"}


# -- the image of seedrank itself


def test_it_is_built_from_files_that_the_engine_is_sent() -> None:
    copied = [word for line in re.findall(r"^COPY (.+)$", OF_SEEDRANK, re.MULTILINE) for word in line.split()[:-1]]
    taken = {*copied, *re.findall(r"type=bind,source=([^,]+)", OF_SEEDRANK)}
    ignored = [line for line in (REPOSITORY / ".dockerignore").read_text().splitlines() if not line.startswith("#")]
    for name in (*taken, "graphdb/server/pom-5.26.xml"):
        assert (REPOSITORY / name).exists(), name
        assert not [one for one in ignored if any(fnmatch(part, one) for part in Path(name).parts)], name
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())
    packages = {"seedrank", *re.findall(r'"(\w+)"', re.findall(r"^TOP = (.+)$", SETUP, re.MULTILINE)[0])}
    assert packages == {name for name in copied if (REPOSITORY / name).is_dir()}
    of_project = {project["project"]["readme"], *project["project"]["license-files"]}
    assert {*of_project, "pyproject.toml", "setup.py"} <= set(copied)
    assert "constraints.txt" in taken


def test_it_runs_as_a_user_whose_home_is_the_volume() -> None:
    last = OF_SEEDRANK.rpartition("\nFROM ")[2]
    said = re.findall(r"^(ENV|USER|WORKDIR|VOLUME|ENTRYPOINT|CMD) (.+)$", last, re.MULTILINE)
    assert said == [
        ("ENV", "HOME=/data"),
        ("USER", "1000:1000"),
        ("WORKDIR", "/data"),
        ("VOLUME", "/data"),
        ("ENTRYPOINT", '["seedrank"]'),
        ("CMD", '["--help"]'),
    ]
    assert "useradd --uid 1000 " in last.partition("\nUSER ")[0]


def test_compose_starts_it_when_it_is_asked_for_only() -> None:
    services = COMPOSE["services"]
    assert [name for name in services if "profiles" not in services[name]] == [CHECK, "neo4j"]
    one = services["seedrank"]
    assert one["profiles"] == ["tools"]
    assert (REPOSITORY / one["build"]["context"] / one["build"]["dockerfile"]).is_file()
    assert one["depends_on"] == {"neo4j": {"condition": "service_healthy"}}
    assert "healthcheck" in services["neo4j"]


def test_compose_lets_it_ask_the_server() -> None:
    services = COMPOSE["services"]
    one = services["seedrank"]
    # neo4j:// would go where the server sends clients of the host: to localhost, which is the container itself.
    assert one["environment"]["SEEDRANK_STORE"] == "bolt://neo4j:7687"
    assert one["environment"]["NEO4J_USERNAME"] == "neo4j"
    assert one["environment"]["NEO4J_PASSWORD"] == services[CHECK]["environment"]["NEO4J_PASSWORD"]
    assert not {"command", "entrypoint", "ports", "user"} & set(one)
    names = [volume.partition(":")[0] for service in services.values() for volume in service.get("volumes", ())]
    assert sorted(COMPOSE["volumes"]) == sorted(name for name in names if name.isalpha())
