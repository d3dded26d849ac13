"""Every kind of question, by the command that asks it."""

from __future__ import annotations

from seedrank.questions.crawl import CompareQuestion, CrawlQuestion
from seedrank.questions.experiments import EXPERIMENTS
from seedrank.questions.frontier import ExplainQuestion, FrontierQuestion, LearnQuestion, TuneQuestion
from seedrank.questions.graph import StatsQuestion
from seedrank.questions.question import Question
from seedrank.questions.rank import RankQuestion
from seedrank.questions.recrawl import NextQuestion, PlanQuestion, RecrawlQuestion, SimulateQuestion
from seedrank.questions.seeds import CoreQuestion, EvaluateQuestion, ReduceQuestion, SeedQuestion, TransferQuestion

__all__ = ["QUESTIONS"]

_ALL: tuple[type[Question], ...] = (
    StatsQuestion,
    RankQuestion,
    SeedQuestion,
    EvaluateQuestion,
    ReduceQuestion,
    TransferQuestion,
    CoreQuestion,
    CrawlQuestion,
    CompareQuestion,
    FrontierQuestion,
    TuneQuestion,
    LearnQuestion,
    ExplainQuestion,
    RecrawlQuestion,
    PlanQuestion,
    NextQuestion,
    SimulateQuestion,
    *EXPERIMENTS.values(),
)
QUESTIONS = {kind.command: kind for kind in _ALL}
"""Every kind of question by the command that asks it."""
