"""A question, the command that asks it, and the question which that command asks are one and the same."""

from __future__ import annotations

import contextlib
import inspect
import json
import shlex
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cli.seeds
from cli.asking import words_of
from cli.main import command
from seedrank.core.errors import UsageError
from seedrank.questions.asked import Asked, Question, asked_fields
from seedrank.questions.records import question_of
from seedrank.questions.seeds import EvaluateQuestion, ReduceQuestion, SeedQuestion
from seedrank.seeds.methods import SEEDS

TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), min_size=1, max_size=12).filter(
    lambda text: not text.startswith("-")
)
JUDGED = {
    EvaluateQuestion: {"time_limit", "tolerance", "sketch"},
    ReduceQuestion: {"certify"},
}
"""Fields that a command leaves at their defaults."""
KINDS: list[tuple[type[Question], tuple[str, ...], dict[str, str]]] = [
    *((SeedQuestion, SEEDS.fields(name), {"method": name}) for name in SEEDS.names),
    *((kind, tuple(n for n in asked_fields(kind) if n not in left), {}) for kind, left in JUDGED.items()),
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
        patch.setattr(cli.seeds, "opened", listening)
        command().main(words, "seedrank", standalone_mode=False)
    question: Question = heard.value.args[0]
    return question


def values(kind: Any, field: Asked) -> st.SearchStrategy[Any]:
    """Values that a field may have."""
    if field.choices:
        return st.sampled_from(field.choices)
    if kind is bool:
        return st.booleans()
    if "int" in str(kind):
        return st.integers(int(field.least or 0), int(field.most or 10**6))
    if "float" in str(kind):
        low = field.least if field.least is not None else field.above if field.above is not None else -1e6
        high = field.most if field.most is not None else field.below if field.below is not None else 1e6
        rounded = st.floats(low, high).map(lambda number: float(f"{number:.6g}"))
        return rounded.filter(lambda n: (field.above is None or n > low) and (field.below is None or n < high))
    return st.lists(TEXTS, max_size=2).map(tuple) if "tuple" in str(kind) else TEXTS


@st.composite
def questions(draw: st.DrawFn) -> Question:
    """Any question, with any of its fields given."""
    kind, names, decided = draw(st.sampled_from(KINDS))
    hints, known = get_type_hints(kind), asked_fields(kind)
    needed = [name for name in names if known[name].argument]
    free = draw(st.lists(st.sampled_from([name for name in names if name not in needed]), unique=True, max_size=6))
    said = {name: draw(values(hints[name], known[name])) for name in [*needed, *free]}
    try:
        return kind(**said, **decided)
    except UsageError:  # fields that exclude each other
        return kind(**{name: said[name] for name in needed}, **decided)


@settings(max_examples=150)
@given(questions())
def test_a_question_its_command_and_its_question_are_one(question):
    words = [*question.words.split(), *map(_unquoted, words_of(question))]
    assert asked_by(words) == question


@given(questions())
def test_a_question_and_its_record_are_one(question):
    kept = json.loads(json.dumps({**asdict(question), "site": "host"}))
    assert question_of(question.words, kept) == question


@pytest.mark.parametrize("name", SEEDS.names)
def test_a_method_takes_fields_that_it_says_it_uses(name):
    method = SEEDS.method(name)
    taken = set(list(inspect.signature(method.load()).parameters)[1:])
    assert taken <= {*SEEDS.fields(name), "rng", "pagerank"}
    assert method.summary.endswith(".")
    assert method.source


@pytest.mark.parametrize(
    ("fields", "text", "told"),
    [
        ({"k": 0}, "k must be at least 1, not 0", "-k must be at least 1"),
        ({"method": "random", "depth": 3}, "random does not use depth; it goes with maxweight", "does not use --depth"),
        ({"per_site": True, "allocate": "pages"}, "per_site and allocate exclude", "--per-site and --allocate exclude"),
        ({"tolerance": float("nan")}, "tolerance must be", "--tolerance must be"),
        ({"method": "best"}, "there is no method 'best'; one of random, pagerank", "there is no method"),
    ],
)
def test_errors_name_fields_and_the_command_line_options(fields, text, told):
    from cli.asking import option_named

    with pytest.raises(UsageError) as caught:
        SEEDS.check(SeedQuestion(**fields))
    assert text in str(caught.value)
    assert told in caught.value.told(option_named)


def test_a_command_has_the_options_of_its_method_alone(seedrank):
    refused = seedrank("seeds", "random", "--depth", "3")
    assert refused.code == 2
    assert "--depth" in refused.err
    assert "--depth" in seedrank("seeds", "maxweight", "--help").out
    assert "--depth" not in seedrank("seeds", "greedy", "--help").out


def _unquoted(word: str) -> str:
    (plain,) = shlex.split(word)
    return plain
