"""Stand-ins for a bot's thinking."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from engine.actions import Action
from engine.views import View
from players.advice import Advice


def decides(decide: Callable[[str, View], Awaitable[Action]]) -> Any:
    """Bots do what a function of their level and view says."""

    async def think(_thought: object, *values: Any) -> Action:
        return await decide(*values)

    return think


def advises(action: Action) -> Any:
    """Every hint is this action."""

    async def think(*_values: object) -> Advice:
        return Advice(action, (action,), (), 0.25, 0.25, None)

    return think


async def fails(*_values: object) -> Any:
    """Thinking fails."""
    raise TimeoutError
