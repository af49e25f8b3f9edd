"""Limits what language models may use up; beyond a limit answers are quoted, and say so."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol

from core.agent import messages
from core.agent.reasoner import Ledger, ModelCapability
from core.config import BudgetConfig
from core.domain.errors import ModelUnavailable
from core.domain.language_models import LanguageModel, ModelSpending, ModelUsage
from core.domain.model import Usage
from core.llm.null_models import NullLanguageModel


class Budget(Protocol):
    """Asked before a model is called, and notified of what the call took."""

    async def used_up(self, user: str, at: datetime) -> str:
        """Why no model may be asked now, in one sentence; empty where one may."""

    async def spent(self, user: str, usage: Usage, at: datetime) -> None:
        """Write down what an answer took."""


class NoBudget:
    """The null object: no limit, and nothing is written down."""

    async def used_up(self, user: str, at: datetime) -> str:
        """Never."""
        return ""

    async def spent(self, user: str, usage: Usage, at: datetime) -> None:
        """Nothing is written down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Period:
    """A span of the calendar for which a limit is set, and the words for it."""

    this: str
    next: str
    whole_month: bool

    def begins(self, at: datetime) -> date:
        return at.date().replace(day=1) if self.whole_month else at.date()


_DAY = _Period(this="today", next="tomorrow", whole_month=False)
_MONTH = _Period(this="this month", next="next month", whole_month=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Limit:
    """Tokens and money that one person or the whole workspace may use up in a period; 0 is no limit."""

    owner: str
    per_user: bool
    period: _Period
    tokens: int = 0
    cost: float = 0.0

    def reached(self, spent: ModelSpending) -> bool:
        out_of_tokens = bool(self.tokens) and spent.tokens >= self.tokens
        out_of_money = bool(self.cost) and spent.cost >= self.cost
        return out_of_tokens or out_of_money


class WorkspaceBudget:
    """The limits of one workspace, by the day and the month of the clock that events carry."""

    def __init__(self, bounds: BudgetConfig, store: ModelUsage) -> None:
        self._bounds = bounds
        self._store = store

    async def used_up(self, user: str, at: datetime) -> str:
        """The first limit that is reached, in one sentence; empty where none is."""
        for limit in self._limits():
            first, whose = limit.period.begins(at), user if limit.per_user else None
            if limit.reached(await self._store.since(first, user=whose)):
                this, following = limit.period.this, limit.period.next
                return (
                    f"{limit.owner} budget for the language model is used up for {this}; {following} it is asked again"
                )
        return ""

    async def spent(self, user: str, usage: Usage, at: datetime) -> None:
        """Write it down, also where no limit is set: one that is set later counts from the month's start."""
        if usage.calls:
            tokens = usage.prompt_tokens + usage.reply_tokens
            await self._store.add(user, at.date(), ModelSpending(tokens=tokens, cost=usage.cost))

    def _limits(self) -> Iterator[_Limit]:
        """The limits that are set."""
        bounds = self._bounds
        yours, ours = "your", "this workspace's"
        limits = (
            _Limit(owner=yours, per_user=True, period=_DAY, tokens=bounds.user_day_tokens),
            _Limit(owner=yours, per_user=True, period=_MONTH, cost=bounds.user_month_cost),
            _Limit(owner=ours, per_user=False, period=_DAY, tokens=bounds.workspace_day_tokens),
            _Limit(owner=ours, per_user=False, period=_MONTH, cost=bounds.workspace_month_cost),
        )
        return (limit for limit in limits if limit.tokens or limit.cost)


async def model_for_writing(
    model: LanguageModel, capability: ModelCapability, budget: Budget, user: str, at: datetime, ledger: Ledger
) -> LanguageModel:
    """``model``, or the null model where a limit is reached or it cannot write claims; ``ledger`` then notes why."""
    if not model.identity:
        return model
    reason = await budget.used_up(user, at) or await _incapable(capability)
    if not reason:
        return model
    ledger.note(reason)
    return NullLanguageModel()


async def _incapable(capability: ModelCapability) -> str:
    """Why a model shall not write, in a note for the footer; empty where it may."""
    try:
        able = await capability.capability() == "claims"
    except ModelUnavailable as failure:
        return messages.model_away(failure.words)
    return "" if able else messages.model_not_used()


@asynccontextmanager
async def open_budgeted(
    model: LanguageModel, capability: ModelCapability, budget: Budget, user: str, *, now: Callable[[], datetime]
) -> AsyncIterator[tuple[LanguageModel, Ledger]]:
    """``model_for_writing`` with a new ledger; what it holds when the block is left is charged to ``user``."""
    ledger = Ledger()
    try:
        yield await model_for_writing(model, capability, budget, user, now(), ledger), ledger
    finally:
        await budget.spent(user, ledger.usage, now())
