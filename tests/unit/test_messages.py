"""What the library says must suit Python: it names parameters, and the command line turns them into options."""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import seedrank
from seedrank import loaders
from seedrank.cli.command_words import option_named
from seedrank.cli.main import command
from seedrank.core.errors import InputError, StoreError, UsageError
from seedrank.core.model import TABLES
from seedrank.exporters.targets import TARGETS, options_of
from seedrank.graphdb.server import Server
from seedrank.loaders.files import FileSource
from seedrank.loaders.saved_pages import HtmlSource
from seedrank.questions.commands import QUESTIONS
from seedrank.questions.question import Question, fields_of

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PACKAGES = ("seedrank", "graphdb", "loaders", "exporters")

FLAG = re.compile(r"""(?<![^\s(`'"/=])(--[a-z][\w-]*|-[a-zA-Z](?![\w-]))""")
COMMAND = re.compile(r"\bseedrank (?:--?[\w-]+(?: \S+)? )*([a-z]+)\b")
SERVER = re.compile(r"`seedrank db [^`]*`")
"""Starts and stops a server, which Python has no call for: its options may be named with it."""
WITHOUT_PYTHON = ("db", "export")
"""Commands that Python has no call for."""
PLACE = re.compile(r"\{(\w+)(?:=([^{}]*)|\[([^{}]*)\])?\}")
ERRORS = ("Error", "TooLarge", "StoreBusy", "Refused", "refuse", "advising")
"""How the names of functions and classes end that make an error."""
PASS_ON = (
    *("seedrank/questions/", "seedrank/api/page_sets.py", "seedrank/core/errors.py"),
    *("graphdb/statements/tokens.py", "loaders/layout.py"),
)
"""Where `fields` or `values` are not written out: names of question fields, and what a caller gives."""

PROGRAMS = ("graphdb/server/", "graphdb/duckdb/worker.py")
"""Where arguments of docker, java, mvn, neo4j-admin and ps are: single words in a list, or compared with one."""
ALLOWED = {
    # A report is a page for readers with and without Python; nothing of it is raised or logged.
    ("seedrank/output/report/groups.py", "choose some with `seedrank seeds maxweight -k 20`"),
    ("seedrank/output/report/groups.py", "rank it with `seedrank frontier rw`"),
    ("seedrank/output/report/groups.py", "order a crawl with `seedrank crawl fpr`"),
    ("seedrank/output/report/cards.py", "seedrank --store x"),
    ("seedrank/output/report/cards.py", "x stats --suspicious"),
    ("seedrank/output/report/cards.py", "x --by host"),
    (
        "seedrank/output/report/findings.py",
        "x repeat others of their host, such as those below x: `--fold` counts them once.",
    ),
    (
        "seedrank/output/report/findings.py",
        "x look like traps, addresses without end: `seedrank stats --suspicious` lists where they are, `--no-traps` "
        "leaves them out.",
    ),
    ("seedrank/output/report/overview.py", "the store holds no pages yet: fill it with `seedrank load`"),
}


# -- reading sources


def parsed(source: str) -> ast.Module:
    """The tree of a source; every node knows its parent."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        for child in ast.iter_child_nodes(node):
            child.parent = node  # type: ignore[attr-defined]
    return tree


def parents(node: ast.AST) -> Iterator[ast.AST]:
    while (above := getattr(node, "parent", None)) is not None:
        yield above
        node = above


def literal(node: ast.AST) -> str | None:
    """The text of a string, with ``x`` for each value of an f-string; `None` for anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "x" for part in node.values)
    return None


def texts(tree: ast.Module) -> Iterator[tuple[ast.AST, str]]:
    """Every string but docstrings."""
    for node in ast.walk(tree):
        text = literal(node)
        if text is not None and not isinstance(node.parent, ast.Expr | ast.JoinedStr):  # type: ignore[attr-defined]
            yield node, text


def is_no_message(node: ast.AST, text: str, file: str) -> bool:
    """Whether a string names an option of a question, or is an argument of another program."""
    above = list(parents(node))
    if any(isinstance(one, ast.keyword) and one.arg == "names" for one in above):
        return True
    if not file.startswith(PROGRAMS) or " " in text or any(isinstance(one, ast.Raise) for one in above):
        return False
    return any(isinstance(one, ast.List | ast.Tuple | ast.Compare) for one in above)


def error_calls(tree: ast.Module) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called.endswith(ERRORS) or keyword(node, "fields") is not None:
                yield node


def keyword(call: ast.Call, name: str) -> ast.expr | None:
    return next((one.value for one in call.keywords if one.arg == name), None)


def words(node: ast.expr | None) -> list[str] | None:
    """The strings of a tuple, or the keys of a dictionary, where they are written out; `None` where they are not."""
    if node is None:
        return []
    items = node.elts if isinstance(node, ast.Tuple) else node.keys if isinstance(node, ast.Dict) else [None]
    found = [one.value for one in items if isinstance(one, ast.Constant)]
    return found if len(found) == len(items) else None


def places(call: ast.Call, tree: ast.Module) -> list[tuple[str, str | None, str | None]]:
    """What the texts of an error name: name, value and key. Constants of the module are looked up."""
    constants = {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    given = [*call.args, *(one.value for one in call.keywords if one.arg not in ("fields", "values", "value"))]
    found = []
    for one in given:
        whole = constants.get(one.id, one) if isinstance(one, ast.Name) else one
        for node in ast.walk(whole):
            text = literal(node)
            if text is not None and not isinstance(getattr(node, "parent", None), ast.JoinedStr):
                found += [(match[1], match[2], match[3]) for match in PLACE.finditer(text)]
    return found


# -- what there is


@functools.cache
def options() -> set[str]:
    """Every option of every command, and what its arguments are called."""

    def below(one: object) -> Iterator[str]:
        for parameter in one.params:  # type: ignore[attr-defined]
            yield from (*parameter.opts, *parameter.secondary_opts)
            if parameter.metavar:
                yield parameter.metavar.strip("[].")
        for inner in getattr(one, "commands", {}).values():
            yield from below(inner)

    return set(below(command()))


def is_known(told: str) -> bool:
    """Whether the command line has this option, or this command in backticks."""
    if told.startswith("`seedrank "):
        return told.strip("`").split()[1] in command().commands
    return told.split()[0] in options()


@functools.cache
def parameters() -> set[str]:
    """Names of everything that people who work in Python can set."""
    bench = [one for name, one in inspect.getmembers(seedrank.Workbench, callable) if not name.startswith("_")]
    for module in pkgutil.iter_modules(loaders.__path__, "seedrank.loaders."):
        importlib.import_module(module.name)
    sources = FileSource.__subclasses__()
    assert seedrank.TableSource in sources
    called = [*bench, seedrank.open, seedrank.LoadOptions, *sources, HtmlSource, Server, *QUESTIONS.values()]
    exported = {name for target in TARGETS.values() for name in options_of(target)}
    return exported.union(*(inspect.signature(one).parameters for one in called))


# -- what is wrong


def flagged(source: str, file: str) -> list[str]:
    """``file:line: text`` of every string that tells people to type something that is not Python."""
    found = []
    for node, text in texts(parsed(source)):
        flag = FLAG.search(SERVER.sub("", text))
        commands = [one for one in COMMAND.findall(text) if one in command().commands and one not in WITHOUT_PYTHON]
        if (flag or commands) and (file, text) not in ALLOWED and not is_no_message(node, text, file):
            found.append(f"{file}:{node.lineno}: {text}")  # type: ignore[attr-defined]
    return found


def misnamed(source: str, file: str) -> list[str]:
    """``file:line: what`` of every ``{name}`` that nothing fills, and of every field that is no parameter or option."""
    tree, found = parsed(source), []
    for call in error_calls(tree):
        fields, values = words(keyword(call, "fields")), words(keyword(call, "values"))
        where = f"{file}:{call.lineno}"
        if fields is None or values is None:
            if not file.startswith(PASS_ON):
                found.append(f"{where}: fields and values are not written out")
            continue
        named = places(call, tree)
        found += [f"{where}: {one[0]} is neither a field nor a value" for one in named if one[0] not in fields + values]
        found += [f"{where}: {name} is no parameter" for name in fields if name not in parameters()]
        # Where the text is made elsewhere, a field is taken to be named without a value.
        told = [one for one in named if one[0] in fields and one[2] != "x"]
        told += [(name, None, None) for name in fields if name not in [one[0] for one in named]]
        found += [f"{where}: no command has {option_named(*one)}" for one in told if not is_known(option_named(*one))]
    return found


def in_library(check: Callable[[str, str], list[str]]) -> str:
    """What `check` finds in the library, a line each."""
    files = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    assert len(files) > 200
    return "\n".join(
        line for path in files for line in check(path.read_text(encoding="utf-8"), str(path.relative_to(ROOT)))
    )


# -- the library


def test_nothing_that_is_said_names_a_flag_or_a_command_python_has_a_call_for():
    found = in_library(flagged)
    assert not found, f"name parameters by {{name}} and fields=(…) instead (seedrank/core/errors.py):\n{found}"


def test_errors_name_parameters_that_exist_in_python_and_on_the_command_line():
    found = in_library(misnamed)
    assert not found, found


def test_what_is_allowed_is_still_there():
    for file, text in ALLOWED:
        assert text in [said for _, said in texts(parsed((ROOT / file).read_text(encoding="utf-8")))]


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=lambda one: one.__name__)
def test_every_field_of_a_question_has_a_name_on_the_command_line(question: type[Question]):
    assert [name for name in fields_of(question) if not is_known(option_named(name))] == []


def test_entries_of_mappings_are_options():
    assert {option_named("columns", key=kind) for kind in TABLES} <= options()
    assert option_named("columns", key="queries") == "--query-columns"
    assert option_named("parameters", key="url") == "--param url=…"


# -- errors themselves


def test_one_error_two_ways_to_say_it():
    error = StoreError(
        "{url} has no {engine}: {columns[links]}",
        hint="use {engine=native}, {refresh=True} or {create=True}",
        fields=("engine", "columns", "refresh", "create"),
        values={"url": "{engine}.duckdb"},
    )
    assert str(error) == (
        '{engine}.duckdb has no engine: columns["links"]; use engine="native", refresh=True or create=True'
    )
    assert error.format(option_named) == (
        "{engine}.duckdb has no --engine: --link-columns; use --engine native, --refresh or `seedrank load`"
    )


def test_a_further_step_keeps_what_an_error_knows():
    error = InputError("no column {name}", file="a.csv", line=3, fields=("impact",), values={"name": "{impact}"})
    first = error.advising("name it with {impact}", joined=", or ")
    second = first.advising("use {hide}", joined=", or ", fields=("hide",))
    assert str(error) == "a.csv, line 3: no column {impact}"
    assert str(first) == "a.csv, line 3: no column {impact}; name it with impact"
    assert second.format(option_named) == "a.csv, line 3: no column {impact}; name it with --impact, or use --hide"


@pytest.mark.parametrize(
    ("question", "name", "text"),
    [
        (seedrank.SeedQuestion, "k", "k must be a whole number, not '{k}'"),
        (seedrank.RankQuestion, "level", "level cannot be '{level}'"),
        (seedrank.SeedQuestion, "tolerance", "tolerance must be a number, not '{tolerance}'"),
        (seedrank.CrawlQuestion, "every", "every '{every}' is not a number of pages"),
        (seedrank.FrontierQuestion, "since", "since is not a time: '{since}'"),
    ],
)
def test_what_people_give_is_shown_as_it_is(question, name, text):
    with pytest.raises(UsageError) as caught:
        question(**{name: f"{{{name}}}"})
    assert caught.value.message == text


# -- these tests can fail

FLAGS = '''
"""A module's docstring may name --flags."""
HINT = "use --engine native"
WAYS = {1: ("a third column", "read it with -k 3")}


def ask(url):
    """So may a function's: --refresh."""
    log.warning("column %s is gone: use --refresh", url)
    if url:
        return "no such thing", f"leave out {url}, or give --param {url}=…"
    raise StoreError(f"{url} is not there", hint="a long one "
        "that ends with -o FILE")
    raise StoreError("it is empty", hint="load it with `seedrank load`")
    raise StoreError("it is empty", hint=f"load it: seedrank --store {url} load table")
    check_port(7687, option="--port")
    raise StoreError("is taken", hint=("--port",))
    return ["docker", "--rm", f"--name={url}"]
'''


def test_flags_are_found_wherever_they_are_said():
    lines = [int(one.split(":")[1]) for one in flagged(FLAGS, "loaders/sample.py")]
    assert sorted(lines) == [3, 4, 9, 11, 12, 14, 15, 16, 17, 18, 18]
    assert [line for line in sorted(lines) if line < 18] == sorted(
        int(one.split(":")[1]) for one in flagged(FLAGS, "graphdb/server/sample.py")
    )


NO_FLAGS = """
field = asked(None, "Events from this time.", names=("--from",))
raise StoreError("too little memory", hint="give the server more (`seedrank db up --heap 8g`), or use {engine=native}")
log.info("a hub-authority core of 20-30 pages -- or fewer")
raise StoreError("no rows", hint="export them with `seedrank export parquet DIR`")
"""


def test_what_is_no_flag_is_left_alone():
    assert flagged(NO_FLAGS, "seedrank/sample.py") == []


NAMES = """
HINT = "give {more=True}"
raise StoreError("{url} is not there", hint="use {engine=native}", fields=("engine",))
raise UsageError("{colour} is wrong", fields=("colour",))
raise UsageError("use {engine=False}", fields=("engine",))
raise UsageError("no", hint=HINT, fields=("engine",))
raise UsageError("use {refresh=True}")
raise refuse(text, 3, f"{text} is {{wrong}}", "allow it with {write=True}", fields=("write",))
raise UsageError("use {engine}", fields=some)
raise UsageError("name {columns[colours]}", fields=("columns",))
"""


def test_wrong_names_are_found():
    assert [one.removeprefix("loaders/sample.py:") for one in misnamed(NAMES, "loaders/sample.py")] == [
        "3: url is neither a field nor a value",
        "4: colour is no parameter",
        "4: no command has --colour",
        "5: no command has --no-engine",
        "6: more is neither a field nor a value",
        "7: refresh is neither a field nor a value",
        "8: wrong is neither a field nor a value",
        "9: fields and values are not written out",
        "10: no command has --colour-columns",
    ]


RIGHT = """
raise StoreError("{url} has no {engine}", hint="use {engine=native}", fields=("engine",), values={"url": url})
raise UsageError("{write=True} and {timeout=5}", fields=("write", "timeout"))
raise UsageError(f"a map {{a: 1}} of {count}")
raise UsageError(f"name {{columns[{kind}]}}", hint="see {file}", fields=("columns", "file"))
"""


def test_right_names_are_left_alone():
    assert misnamed(RIGHT, "loaders/sample.py") == []
