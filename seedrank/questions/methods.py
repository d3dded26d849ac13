"""Methods of a family, registered once: name, summary, source, the fields they use, and the function that answers.

A registration imports nothing heavy: its function does, when it runs. The command line, the checks of a question and
the list of methods read it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from seedrank.core.errors import UsageError, nearest, shorten
from seedrank.questions.question import Question, default_of, fields_of

__all__ = ["Family", "Method"]


@dataclass(frozen=True)
class Method:
    """A way to answer the questions of a family."""

    name: str
    """As on the command line."""
    summary: str
    """One line: what it does."""
    source: str
    """The paper it comes from; empty where there is none."""
    run: Callable[[Any], Any]
    """Takes the family's problem, which holds the question and what a method may need, and gives its result."""
    example: Mapping[str, Any]
    """Fields of a question that help shows as an example."""
    uses: tuple[str, ...] = ()
    """Fields of the question that only some methods use."""
    plugin: Callable[..., Any] | None = None
    """The user's function, of a method that was registered (`seedrank.api.plugins`)."""

    @property
    def help(self) -> str:
        """The summary with its source, as help shows it."""
        return f"{self.summary.removesuffix('.')} ({self.source})." if self.source else self.summary


@dataclass(frozen=True)
class Family:
    """The methods that answer one kind of question."""

    question: type[Question]
    """The class of the question; one of its fields names a method (`Question.chooses`)."""
    built_in: tuple[Method, ...]
    """In the order people see them; methods that users register come after them."""
    _registered: dict[str, Method] = field(default_factory=dict, compare=False)

    @property
    def methods(self) -> tuple[Method, ...]:
        """Every method, those that users registered last."""
        return (*self.built_in, *self._registered.values())

    def register(self, method: Method) -> None:
        """Add a method, or put it in the place of the one that was registered under its name."""
        if any(one.name == method.name for one in self.built_in):
            raise UsageError(f"{self.question.command} has a method {method.name}", hint="choose another name")
        self._registered[method.name] = method

    def is_own(self, name: str) -> bool:
        """Whether a user registered a method: what it gives may change between two calls."""
        return name in self._registered

    def name_of(self, given: Any) -> Any:
        """The name of a registered method by its function; what is no function stays as it is."""
        if not callable(given):
            return given
        for one in self._registered.values():
            if one.plugin is given:
                return one.name
        name = getattr(given, "__name__", "the function")
        raise UsageError(f"{name} is not registered as a method of {self.question.command}", hint="decorate it first")

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the methods."""
        return tuple(one.name for one in self.methods)

    def method(self, name: str) -> Method:
        """A method by name."""
        for one in self.methods:
            if one.name == name:
                return one
        near = nearest(name, self.names)
        hint = f"did you mean {near}?" if near else f"one of {', '.join(self.names)}"
        raise UsageError(f"unknown {self.question.chooses} {shorten(name)}", hint=hint)

    def fields(self, *names: str) -> tuple[str, ...]:
        """The fields that at least one of these methods uses: those of all methods, and their own."""
        special = {field for one in self.methods for field in one.uses}
        own = {field for name in names for field in self.method(name).uses}
        return tuple(name for name in fields_of(self.question) if name not in special or name in own)

    def check(self, question: Question) -> None:
        """Refuse a method that does not exist, and a field that is given and that the method does not use."""
        self.refuse_unused(question, (str(getattr(question, str(question.chooses))),))

    def example(self, name: str) -> Question:
        """A question that a method answers, to show how it is asked."""
        return self.question(**{str(self.question.chooses): name, **self.method(name).example})

    def refuse_unused(self, question: Question, names: Iterable[str]) -> None:
        """Refuse a field that is given and that none of the methods `names` uses."""
        names = tuple(names)
        used = self.fields(*names)
        for name in fields_of(type(question)):
            known = name in fields_of(self.question)
            if known and name not in used and getattr(question, name) != default_of(type(question), name):
                users = ", ".join(one.name for one in self.methods if name in one.uses)
                raise UsageError(
                    f"{' and '.join(names)} {'do' if len(names) > 1 else 'does'} not use {{{name}}}",
                    hint=f"it goes with {users}",
                    fields=(name,),
                )
