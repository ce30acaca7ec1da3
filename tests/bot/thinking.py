"""Computers that think as a test wants."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from engine.actions import Action
from engine.views import View
from players.advice import Advice


def decides(decide: Callable[[str, View], Awaitable[Action]]) -> Any:
    """They do what a function of their level and their view says."""

    async def think(_thought: object, *values: Any) -> Action:
        return await decide(*values)

    return think


def advises(action: Action) -> Any:
    """They always advise the same."""

    async def think(*_values: object) -> Advice:
        return Advice(action, (action,), (), 0.25, 0.25, None)

    return think


async def fails(*_values: object) -> Any:
    """They can't think."""
    raise TimeoutError
