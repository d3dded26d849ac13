"""Run commands in this process, as the command line would."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass

import pytest

import cli.main


@dataclass(frozen=True)
class Outcome:
    """What a command printed and how it ended."""

    code: int
    out: str
    err: str


@pytest.fixture
def seedrank(monkeypatch, capsys, tmp_path) -> Callable[..., Outcome]:
    """``seedrank("load", "snap", file)``; the working folder is empty and belongs to the test."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SEEDRANK_STORE", raising=False)

    def run(*arguments: object) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["seedrank", *map(str, arguments)])
        capsys.readouterr()
        try:
            cli.main.main()
            code = 0
        except SystemExit as leaving:
            code = int(leaving.code or 0)
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    return run
