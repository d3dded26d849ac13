"""Families of methods by their command, and who uses an option that a command does not have."""

from __future__ import annotations

from collections.abc import Sequence

from seedrank.cli.option_names import option_named
from seedrank.methods.crawl.methods import CRAWL
from seedrank.methods.frontier.methods import FRONTIER
from seedrank.methods.rank.methods import RANK
from seedrank.methods.seeds.methods import SEEDS
from seedrank.questions.methods import Family
from seedrank.questions.question import Question, fields_of

__all__ = ["FAMILIES", "used_by", "users_of"]

FAMILIES: dict[str, Family] = {family.question.command: family for family in (RANK, SEEDS, CRAWL, FRONTIER)}


def used_by(question: Question) -> tuple[str, ...] | None:
    """Fields that the question's method uses; `None` where its command takes them all."""
    family = FAMILIES.get(question.command)
    method = getattr(question, str(question.chooses), None)
    return family.fields(method) if family is not None and method in family.names else None


def users_of(option: str, words: Sequence[str]) -> list[str]:
    """Methods that use an option, of the family that the words of a command name; none where it is unknown."""
    family = next((FAMILIES[word] for word in words if word in FAMILIES), None)
    if family is None:
        return []
    names = {name for name, field in fields_of(family.question).items() if option in (option_named(name), *field.names)}
    return [one.name for one in family.methods if names & set(one.uses)]
