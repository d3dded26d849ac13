"""docs/py2neo.md says which names of py2neo are here, and the product imports none of them."""

from __future__ import annotations

import importlib
import inspect
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from seedrank import graphdb
from seedrank.graphdb import py2neo

ROOT = Path(__file__).resolve().parents[2]
_ROW = re.compile(r"^\| `([\w.]+)` \|(.*)\|(.*)\|$", re.MULTILINE)


def table() -> dict[str, tuple[list[str], list[str]]]:
    """What is here and what is left out, by class or module."""
    text = (ROOT / "docs" / "py2neo.md").read_text(encoding="utf-8").partition("## Which names are here")[2]
    return {name: (re.findall(r"`(\w+)`", here), re.findall(r"`(\w+)`", out)) for name, here, out in _ROW.findall(text)}


def has(owner: Any, name: str) -> bool:
    """Whether a module has a name, or a class an attribute: of its own, or set on its instances."""
    if hasattr(owner, name) or name in getattr(owner, "__dataclass_fields__", {}):
        return True
    ours = [one for one in getattr(owner, "__mro__", ()) if one.__module__.startswith("seedrank.graphdb.py2neo")]
    return any(re.search(rf"self\.{name}\b[^=\n]*=[^=]", inspect.getsource(one)) for one in ours)


@pytest.mark.parametrize("name", table())
def test_the_table_says_what_is_here(name):
    here, out = table()[name]
    owner = getattr(py2neo, name, None) or (
        importlib.import_module("seedrank.graphdb.py2neo.bulk") if "bulk" in name else py2neo
    )
    assert here or out
    assert [one for one in here if not has(owner, one)] == []
    assert [one for one in out if has(owner, one)] == []


def test_everything_that_is_here_is_in_the_table():
    known = table()
    named = {one for name in ("py2neo", "py2neo.matching", "py2neo.cypher") for one in known[name][0]}
    assert set(py2neo.__all__) - named == {"ALL", "ANY", "NOT", "Table"}, "ours, or of a module py2neo does not name"
    classes = {
        name
        for name in py2neo.__all__
        if getattr(getattr(py2neo, name), "__module__", "").startswith("seedrank.graphdb")
    }
    assert {name for name in classes if inspect.isclass(getattr(py2neo, name))} <= set(known)


def test_nothing_of_the_product_may_import_it():
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    [contract] = [one for one in contracts if one["type"] == "protected"]
    assert contract["protected_modules"] == ["seedrank.graphdb.py2neo"]
    assert contract["allowed_importers"] == []
    assert "py2neo" not in Path(graphdb.__file__).read_text(encoding="utf-8")
