"""Holds the use of a language model within its budgets; beyond them answers quote, and say so."""

from collections.abc import Iterator
from datetime import datetime
from typing import Protocol

from core.agent.reasoner import Ledger
from core.config import BudgetConfig
from core.domain.language_models import LanguageModel
from core.domain.model import Usage
from core.domain.stores import ModelUsage, Spent
from core.llm.null_models import NullLanguageModel


class Budget(Protocol):
    """Asked before a model is, and told afterwards."""

    async def used_up(self, user: str, at: datetime) -> str:
        """Why no model may be asked now, in one sentence; empty where one may."""

    async def spent(self, user: str, usage: Usage, at: datetime) -> None:
        """Write down what an answer took."""


class NoBudget:
    """The null object: no bound, no books."""

    async def used_up(self, user: str, at: datetime) -> str:
        """Never."""
        return ""

    async def spent(self, user: str, usage: Usage, at: datetime) -> None:
        """Nothing is written down."""


class KeptBudget:
    """The budgets of one workspace, by the day and the month of the clock that events carry."""

    def __init__(self, bounds: BudgetConfig, usage: ModelUsage) -> None:
        self._bounds = bounds
        self._usage = usage

    async def used_up(self, user: str, at: datetime) -> str:
        """The first budget that is used up."""
        for whose, period, tokens, cost in self._set():
            first = at.date() if period == "day" else at.date().replace(day=1)
            so_far = await self._usage.since(first, user=user if whose == "your" else None)
            if (tokens and so_far.tokens >= tokens) or (cost and so_far.cost >= cost):
                when = "tomorrow" if period == "day" else "next month"
                owner = "your" if whose == "your" else "this workspace's"
                today = "today" if period == "day" else "this month"
                return f"{owner} budget for the language model is used up for {today}; {when} it is asked again"
        return ""

    async def spent(self, user: str, usage: Usage, at: datetime) -> None:
        """Write it down, also where no budget is set: a bound that is set later counts from the month's start."""
        if usage.calls:
            tokens = usage.prompt_tokens + usage.reply_tokens
            await self._usage.add(user, at.date(), Spent(tokens=tokens, cost=usage.cost))

    def _set(self) -> Iterator[tuple[str, str, int, float]]:
        bounds = self._bounds
        every = (
            ("your", "day", bounds.user_day_tokens, 0.0),
            ("your", "month", 0, bounds.user_month_cost),
            ("our", "day", bounds.workspace_day_tokens, 0.0),
            ("our", "month", 0, bounds.workspace_month_cost),
        )
        return (one for one in every if one[2] or one[3])


async def within(model: LanguageModel, budget: Budget, user: str, at: datetime, ledger: Ledger) -> LanguageModel:
    """``model``, or none where a budget is used up, which ``ledger`` then notes for the footer."""
    over = await budget.used_up(user, at) if model.identity else ""
    if not over:
        return model
    ledger.note(over)
    return NullLanguageModel()
