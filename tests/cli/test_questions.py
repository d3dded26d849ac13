"""A question, the command that asks it, and the question which that command asks are one and the same."""

from __future__ import annotations

import ast
import contextlib
import inspect
import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seedrank.cli import ask
from seedrank.cli.command_words import families, option_named, used_by, words_of
from seedrank.cli.main import command
from seedrank.core.errors import UsageError
from seedrank.methods.seeds.methods import SEEDS
from seedrank.questions.commands import QUESTIONS
from seedrank.questions.question import Field, Question, fields_of
from seedrank.questions.rank import NEEDS, RankQuestion
from seedrank.questions.seeds import SeedQuestion
from seedrank.runs.record import kind_of_run, question_of

TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), min_size=1, max_size=12).filter(
    lambda text: not text.startswith("-")
)
ORDERS = ("fpr", "fpr@2.5", "windowed-rankmass:7%", "pagerank:partial", "pagerank", "opic", "rw-eg")
FAMILIES = families()
SPECIAL: dict[str, st.SearchStrategy[Any]] = {
    "budget": st.sampled_from(["1", "250", "5%", "0.5%", "100%"]),
    "every": st.sampled_from(["1", "1000", "5%", "0.5%"]),
    "orders": st.lists(st.sampled_from(ORDERS), min_size=1, max_size=3, unique=True).map(tuple),
}
"""Fields whose text has a form of its own."""
KINDS: list[tuple[type[Question], dict[str, str]]] = [
    *((family.question, {str(family.question.chooses): name}) for family in FAMILIES.values() for name in family.names),
    *((kind, {}) for kind in QUESTIONS.values() if kind.chooses is None),
]


class Heard(Exception):
    """The question that a command asked."""


class Listener:
    """In place of a workbench: hears a question and answers none."""

    def __getattr__(self, name: str) -> Any:
        def hear(question: Question, **more: Any) -> None:
            raise Heard(question)

        return hear


def asked_by(words: list[str]) -> Question:
    @contextlib.contextmanager
    def listening(*_: Any, **__: Any) -> Iterator[Listener]:
        yield Listener()

    with pytest.MonkeyPatch.context() as patch, pytest.raises(Heard) as heard:
        patch.setattr(ask, "opened", listening)
        patch.setattr(ask, "_tell_long", lambda *told: None)  # there is no store to go by
        command().main(words, "seedrank", standalone_mode=False)
    question: Question = heard.value.args[0]
    return question


def values(name: str, kind: Any, field: Field) -> st.SearchStrategy[Any]:
    """Values that a field may have."""
    if name in SPECIAL:
        return SPECIAL[name]
    if field.choices:
        return st.sampled_from(field.choices)
    if field.time:
        return st.datetimes().map(lambda time: time.isoformat())
    if kind is bool:
        return st.booleans()
    if "int" in str(kind):
        return st.integers(int(field.least or 0), int(field.most or 10**6))
    if "float" in str(kind):
        low = field.least if field.least is not None else field.above if field.above is not None else -1e6
        high = field.most if field.most is not None else field.below if field.below is not None else 1e6
        rounded = st.floats(low, high).map(lambda number: float(f"{number:.6g}"))
        number = rounded.filter(lambda n: (field.above is None or n > low) and (field.below is None or n < high))
        return st.lists(number, min_size=1, max_size=3).map(tuple) if "tuple" in str(kind) else number
    return st.lists(TEXTS, max_size=2).map(tuple) if "tuple" in str(kind) else TEXTS


@st.composite
def questions(draw: st.DrawFn) -> Question:
    """Any question of any family, with any of its fields given."""
    kind, decided = draw(st.sampled_from(KINDS))
    hints, known = get_type_hints(kind), fields_of(kind)
    # A method may need one of the options.
    must = NEEDS.get(decided.get("method", "")) if kind is RankQuestion else None
    names = list((used_by(kind(**decided, **({must: "x"} if must else {}))) if decided else None) or known)
    needed = [name for name in names if known[name].argument or name == must]
    others = [name for name in names if name not in needed]
    free = draw(st.lists(st.sampled_from(others), unique=True, max_size=6)) if others else []
    said = {name: draw(values(name, hints[name], known[name])) for name in [*needed, *free]}
    try:
        return kind(**said, **decided)
    except UsageError:  # fields that exclude each other
        return kind(**{name: said[name] for name in needed}, **decided)


@pytest.mark.slow
@settings(max_examples=400)
@given(questions())
def test_a_question_its_command_and_its_question_are_one(question):
    words = [*question.words.split(), *words_of(question, used_by(question))]
    try:
        asked = asked_by(words)
    except UsageError as refused:  # of a comparison: an option that none of its orders uses
        assert question.command == "crawl compare" and "not use" in str(refused)
        return
    assert asked == question


@pytest.mark.slow
@settings(max_examples=400)
@given(questions())
def test_a_question_and_its_record_are_one(question):
    kept = json.loads(json.dumps({**asdict(question), "site": "host"}))
    assert question_of(question.title, kept) == question
    assert kind_of_run(question.title) == question.gives


@pytest.mark.parametrize(("family", "name"), [(family, name) for family in FAMILIES for name in FAMILIES[family].names])
def test_a_method_takes_fields_that_it_says_it_uses(family, name):
    """Beside them it may take what its family works out for it, such as PageRank: called, or handed to a parameter."""
    methods = FAMILIES[family]
    method = methods.method(name)
    source = list(ast.walk(ast.parse(inspect.getsource(method.run))))
    called = [one.func for one in source if isinstance(one, ast.Call)]
    names = {one.attr for one in source if isinstance(one, ast.Attribute) and one not in called}
    taken = names & set(fields_of(methods.question))
    assert taken <= set(methods.fields(name))
    assert set(method.uses) <= set(fields_of(methods.question))
    assert method.summary.endswith(".")


@pytest.mark.parametrize(
    ("fields", "text", "told"),
    [
        ({"k": 0}, "k must be at least 1, not 0", "-k must be at least 1"),
        ({"method": "random", "depth": 3}, "random does not use depth; it goes with maxweight", "does not use --depth"),
        ({"per_site": True, "allocate": "pages"}, "per_site and allocate exclude", "--per-site and --allocate exclude"),
        ({"tolerance": float("nan")}, "tolerance must be", "--tolerance must be"),
        ({"method": "finest"}, "unknown method 'finest'; one of best, random, pagerank", "unknown method"),
    ],
)
def test_errors_name_fields_and_the_command_line_options(fields, text, told):
    with pytest.raises(UsageError) as caught:
        SEEDS.check(SeedQuestion(**fields))
    assert text in str(caught.value)
    assert told in caught.value.format(option_named)


def test_a_command_has_the_options_of_its_method_alone(seedrank):
    refused = seedrank("seeds", "random", "--depth", "3")
    assert refused.code == 2
    assert "--depth" in refused.err
    assert "--depth" in seedrank("seeds", "maxweight", "--help").out
    assert "--depth" not in seedrank("seeds", "greedy", "--help").out
