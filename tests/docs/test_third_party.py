"""THIRD_PARTY.md is current, and a licence that does not go with Apache-2.0 is noticed."""

from __future__ import annotations

import re

import pytest

from docs import third_party


def test_the_file_is_current_and_every_licence_goes(capsys):
    assert third_party.main(["--check"]) == 0, capsys.readouterr().err


def test_what_is_pulled_in_is_pinned():
    pinned = re.findall(r"^([a-z0-9-]+)==", (third_party.ROOT / "constraints.txt").read_text(), re.MULTILINE)
    assert not set(third_party.pulled_in()) - set(pinned)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("MIT", True),
        ("MIT AND BSD-3-Clause", True),
        ("GPL-3.0-only OR MIT", True),
        ("(GPL-3.0-only OR MIT) AND ISC", True),
        ("GPL-3.0-only", False),
        ("MIT AND GPL-2.0", False),
        ("AGPL-3.0-or-later OR SSPL-1.0", False),
        ("not said", False),
        ("", False),
    ],
)
def test_which_licences_go(expression, expected):
    assert third_party.goes(expression) is expected


def test_a_licence_that_does_not_go_is_told(monkeypatch, capsys):
    honest = third_party.licence
    monkeypatch.setattr(third_party, "licence", lambda name: "GPL-3.0-only" if name == "scipy" else honest(name))
    assert third_party.main(["--check"]) == 1
    told = capsys.readouterr().err
    assert "scipy, which seedrank pulls in: GPL-3.0-only does not go with Apache-2.0" in told
    assert "THIRD_PARTY.md is not current" in told


def test_what_is_kept_apart_is_no_part_of_the_product(monkeypatch):
    monkeypatch.setattr(third_party, "APART", {"scipy": "a mistake"})
    monkeypatch.setattr(third_party, "licence", lambda name: "GPL-3.0-only")
    assert any(line.startswith("scipy, which seedrank") for line in third_party.made()[1])


def _needed_without(needed, absent):
    return lambda name, extras: [] if name == absent else needed(name, extras)


def test_what_is_not_installed_keeps_its_rows(monkeypatch):
    before = third_party.made()[0]
    honest = third_party.licence
    monkeypatch.setattr(third_party, "licence", lambda name: None if name == "graphdatascience" else honest(name))
    monkeypatch.setattr(third_party, "needed", _needed_without(third_party.needed, "graphdatascience"))
    assert third_party.made()[0] == before
