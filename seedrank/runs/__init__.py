"""Answers and their records: what was asked, of which graph, by which version, and what came out."""

from __future__ import annotations

from seedrank.runs.answer import Answer, run_name
from seedrank.runs.record import Ranking, Run
from seedrank.runs.store import RunStore

__all__ = ["Answer", "Ranking", "Run", "RunStore", "run_name"]
