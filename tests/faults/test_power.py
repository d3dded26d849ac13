"""The power goes in the middle of a command: what it writes is as before or as after, and a repeat completes it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pytest

from seedrank.core.errors import SeedrankError
from seedrank.graph import WebGraph
from seedrank.runs import RunStore
from tests.faults import harness
from tests.faults.harness import Commands, Traced
from tests.faults.power import Cut, Tree, tree

pytestmark = pytest.mark.kill

State = Callable[[Path], object]


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Commands]:
    folder = tmp_path_factory.mktemp("power").resolve()
    with harness.commands(harness.build(folder), folder) as running:
        yield running


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return harness.make_web(tmp_path_factory.mktemp("web"), 400)


@pytest.fixture(scope="module")
def loaded(commands: Commands, web: Path) -> Tree:
    """A folder with the web in a store, its cache and one answer."""
    commands.fill({})
    commands.succeed(*harness.load(web))
    commands.succeed("rank", "pagerank", "--top", "3")
    return tree(commands.folder)


def a_file(name: str) -> State:
    return lambda folder: (folder / name).read_bytes() if (folder / name).exists() else None


def files_in(name: str) -> State:
    return lambda folder: tree(folder / name) if (folder / name).exists() else None


def in_store(folder: Path) -> object:
    """All of the store; `None` where there is none."""
    store = folder / harness.STORE
    return harness.contents(store) if store.exists() else None


def saved_runs(folder: Path) -> object:
    """What every run that was saved into the store names."""
    with duckdb.connect() as database:
        database.execute(f"ATTACH '{folder / harness.STORE}' AS stored (READ_ONLY)")
        return database.execute(
            "SELECT run.method, list(page ORDER BY rank) FROM stored.run JOIN stored.ranked ON ranked.run = run.id "
            "GROUP BY run.id, run.method ORDER BY run.id"
        ).fetchall()


def kept_runs(folder: Path) -> object:
    """What every kept run answers, each of them whole."""
    runs = RunStore(folder / f"{harness.STORE}.seedrank" / "runs")
    return [(run.method, runs.ranking(run).table().to_pydict()) for run in runs.all()]


def arrays(name: str) -> State:
    def state(folder: Path) -> object:
        if not (folder / name).exists():
            return None
        graph = WebGraph.open(folder / name)
        return graph.version, graph.out_offsets.tolist(), graph.out_targets.tolist(), graph.hosts.to_pylist()

    return state


@dataclass(frozen=True)
class Work:
    """A command, what it changes, and what its repeat must leave."""

    command: tuple[str, ...]
    state: State
    settled: Callable[[object, object], bool] = lambda repeated, after: repeated == after
    refused_when_done: bool = False


def check(commands: Commands, start: Tree, work: Work, count: int) -> int:
    """Cut the power `count` times; returns how many different states of the disk that gave."""
    commands.fill(start)
    before = work.state(commands.folder)
    traced = commands.traced(*work.command)
    after = work.state(commands.folder)
    assert before != after, "nothing to lose"
    seen: set[int] = set()
    for cut in traced.cuts(count):
        files = traced.after_cut(cut)
        if (known := hash(tuple(files.items()))) not in seen or cut.at == len(traced.steps):
            seen.add(known)
            check_one(commands, work, traced, cut, files, (before, after))
    return len(seen)


def check_one(
    commands: Commands, work: Work, traced: Traced, cut: Cut, files: Tree, states: tuple[object, object]
) -> None:
    before, after = states
    last = traced.steps[cut.at - 1] if cut.at else None
    where = f"{work.command}: {cut} of {len(traced.steps)}, after {last}"
    commands.fill(files)
    try:
        found = work.state(commands.folder)
    except (SeedrankError, OSError) as error:
        pytest.fail(f"{where}: cannot be read: {error}")
    assert found in (before, after), f"{where}: neither the old nor the new"
    assert cut.at < len(traced.steps) or found == after, f"{where}: reported as done, and lost"
    if work.refused_when_done and found == after:
        return
    again = commands.run(*work.command)
    assert again.code == 0, f"{where}: {again.stderr}"
    assert work.settled(work.state(commands.folder), after), f"{where}: the repeat did not complete it"


def answered(repeated: object, after: object) -> bool:
    """A repeated question is answered alike once more."""
    assert isinstance(repeated, list) and isinstance(after, list)
    return bool(repeated[-1] == after[-1])


QUESTION = ("rank", "harmonic", "--top", "3")
REPORT = Work(("report", "-o", "report.html"), a_file("report.html"), lambda repeated, _: bool(repeated))
SEEDS = Work(("export", "nutch-seeds", "-o", "seeds.txt"), a_file("seeds.txt"))


@dataclass
class Place:
    """What commands begin with."""

    commands: Commands
    web: Path
    loaded: Tree

    def bare(self) -> Tree:
        """The store alone."""
        return {name: data for name, data in self.loaded.items() if name == harness.STORE}

    def after(self, *command: str) -> Tree:
        """The loaded folder once a command was run in it."""
        self.commands.fill(self.loaded)
        self.commands.succeed(*command)
        return tree(self.commands.folder)


CASES: dict[str, tuple[int, Callable[[Place], tuple[Tree, Work]]]] = {
    "first load": (30, lambda at: ({}, Work(tuple(harness.load(at.web)), in_store))),
    "second load": (40, lambda at: (at.loaded, Work(tuple(harness.load(at.web / "later")), in_store))),
    "scores written": (25, lambda at: (at.loaded, Work((*QUESTION, "--write", "harmonic"), in_store))),
    "answer saved": (
        25,
        lambda at: (at.loaded, Work(("seeds", "pagerank", "-k", "5", "--save"), saved_runs, answered)),
    ),
    "answer kept": (25, lambda at: (at.loaded, Work(QUESTION, kept_runs, answered))),
    "first answer and the cache": (30, lambda at: (at.bare(), Work(QUESTION, kept_runs, answered))),
    "answer deleted": (
        15,
        lambda at: (
            at.after(*QUESTION),
            Work(("runs", "delete", "run:latest"), kept_runs, lambda repeated, after: True),
        ),
    ),
    "arrays": (
        20,
        lambda at: (
            {},
            Work((*harness.load(at.web), "--graph", "arrays"), arrays("arrays"), refused_when_done=True),
        ),
    ),
    "arrays replaced": (
        15,
        lambda at: (
            at.after("generate", "--graph", "web", "--pages", "300"),
            Work(("generate", "--graph", "web", "--pages", "400"), arrays("web")),
        ),
    ),
    "report": (9, lambda at: (at.loaded, REPORT)),
    "report replaced": (9, lambda at: ({**at.loaded, "report.html": b"<html>old</html>"}, REPORT)),
    "list for a crawler": (12, lambda at: (at.loaded, SEEDS)),
    "list replaced": (12, lambda at: ({**at.loaded, "seeds.txt": b"https://old.example/"}, SEEDS)),
    "tables": (
        15,
        lambda at: (at.loaded, Work(("export", "parquet", "tables"), files_in("tables"), refused_when_done=True)),
    ),
    "backup": (
        12,
        lambda at: (at.loaded, Work(("backup", "web.zip"), a_file("web.zip"), lambda repeated, _: bool(repeated))),
    ),
    "restore": (
        15,
        lambda at: (
            {"web.zip": at.after("backup", "web.zip")["web.zip"]},
            Work(("restore", "web.zip"), in_store, refused_when_done=True),
        ),
    ),
}


@pytest.fixture(scope="module")
def place(commands: Commands, web: Path, loaded: Tree) -> Place:
    return Place(commands, web, loaded)


@pytest.mark.parametrize("name", CASES)
def test_power_cut(place: Place, name: str) -> None:
    count, made = CASES[name]
    check(place.commands, *made(place), count)


def test_there_are_enough_cuts() -> None:
    assert sum(count for count, _ in CASES.values()) >= 200


@pytest.mark.deep
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("name", CASES)
def test_many_power_cuts(place: Place, name: str) -> None:
    count, made = CASES[name]
    check(place.commands, *made(place), 10 * count)
