"""Jars are those that were tested: a changed, added or removed one is named and refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from seedrank.core.errors import StoreError
from seedrank.graphdb.server.assemble import Jars, assemble, check, digest, listing
from seedrank.graphdb.server.versions import LINES, Line

FILES = {"lib/neo4j-1.jar": b"server", "lib/netty-2.jar": b"network", "plugins/proc-3.jar": b"library"}


@pytest.fixture
def jars(tmp_path: Path) -> Jars:
    for path, content in FILES.items():
        (tmp_path / "jars" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "jars" / path).write_bytes(content)
    return Jars(tmp_path / "jars")


@pytest.fixture
def line(jars: Jars) -> Line:
    return replace(LINES["5.26"], jars=digest(listing(jars)))


def test_the_list_has_names_sizes_and_digests(jars):
    rows = [row.split(" ") for row in listing(jars).splitlines()]
    assert [(size, path) for _, size, path in rows] == [
        ("6", "lib/neo4j-1.jar"), ("7", "lib/netty-2.jar"), ("7", "plugins/proc-3.jar"),
    ]  # fmt: skip
    assert rows[0][0] == "b3eacd33433b31b5252351032c9b3e7a2e7aa7738d5decdf0dd6c62680853c06"


def test_jars_that_are_right_get_a_list_beside_them(jars, line):
    check(jars, line)
    kept = jars.folder / "jars.txt"
    assert kept.read_text() == listing(jars)
    check(jars, line)


def test_a_changed_jar_is_named(jars, line):
    check(jars, line)
    (jars.folder / "lib/netty-2.jar").write_bytes(b"NETWORK")
    with pytest.raises(StoreError, match=r"^lib/netty-2\.jar was changed since .*; delete that folder"):
        check(jars, line)


def test_an_added_jar_is_named(jars, line):
    check(jars, line)
    (jars.folder / "plugins/mine.jar").write_bytes(b"")
    with pytest.raises(StoreError, match=r"^plugins/mine\.jar was added since "):
        check(jars, line)


def test_a_removed_jar_is_named(jars, line):
    check(jars, line)
    (jars.folder / "plugins/proc-3.jar").unlink()
    with pytest.raises(StoreError, match=r"^plugins/proc-3\.jar was removed since "):
        check(jars, line)


@pytest.mark.parametrize("kept", [None, "", "nonsense\n", "0 1 lib/neo4j-1.jar\n"])
def test_a_list_that_is_wrong_itself_proves_nothing(jars, line, kept):
    (jars.folder / "lib/netty-2.jar").write_bytes(b"NETWORK")
    if kept is not None:
        (jars.folder / "jars.txt").write_text(kept or listing(jars))
    with pytest.raises(StoreError, match=r"jars of Neo4j 5\.26 .* are not those that seedrank was tested with"):
        check(jars, line)


MAVEN = """#!/bin/sh
for word in "$@"; do case "$word" in -DoutputDirectory=*) target="${word#*=}" ;; esac; done
mkdir -p "$target"
echo "[INFO] Downloaded from there: a.jar"
case "$target" in
  */lib) printf server > "$target/neo4j-1.jar"; printf network > "$target/netty-2.jar" ;;
  */plugins) printf CONTENT > "$target/proc-3.jar" ;;
esac
"""


def maven(folder: Path, content: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program in place of Maven that brings three jars, and one in place of Java."""
    folder.mkdir()
    for name, text in (
        ("mvn", MAVEN.replace("CONTENT", content)),
        ("java", "#!/bin/sh\necho 'openjdk version \"21.0.2\"' >&2\n"),
    ):
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    monkeypatch.delenv("JAVA_HOME", raising=False)


def test_what_maven_brings_is_checked_before_it_is_kept(tmp_path, monkeypatch, line):
    maven(tmp_path / "wrong", "LIBRARY", monkeypatch)
    with pytest.raises(
        StoreError, match=r"what Maven fetched .* is not what seedrank was tested with; check the repos"
    ):
        assemble(line, folder=tmp_path / "fetched" / "abc")
    assert list((tmp_path / "fetched").iterdir()) == []

    maven(tmp_path / "right", "library", monkeypatch)
    fetched = assemble(line, folder=tmp_path / "fetched" / "abc")
    assert (fetched.folder / "jars.txt").read_text() == listing(fetched)
    # And at every start.
    (fetched.lib / "neo4j-1.jar").write_bytes(b"another")
    with pytest.raises(StoreError, match=r"lib/neo4j-1\.jar was changed"):
        assemble(line, folder=tmp_path / "fetched" / "abc")


def test_every_line_has_a_digest_of_its_own():
    digests = [line.jars for line in LINES.values()]
    assert len(set(digests)) == len(LINES) == 2
    assert all(len(bytes.fromhex(one)) == 32 for one in digests)
