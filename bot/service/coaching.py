"""Coaching in a first game: which tips and plans have been given, and an end of them."""

from __future__ import annotations

from dataclasses import replace

from bot.service.repository import GameRepository
from bot.store import Store
from bot.table.table import Table
from engine.errors import RefereeError

PLAN = "plan."
"""Begins the names of plans, then comes a seat: the latest of each is stored."""


class CoachingService:
    """Each tip is given once, a plan for each position; what was given is stored with the table."""

    def __init__(self, store: Store, repository: GameRepository) -> None:
        self._store, self._repository = store, repository

    async def give(self, number: int, *names: str) -> bool:
        """Note that tips are given now; False where the first has been, or none are wanted. Code: "no-table"."""
        return await self._repository.alone(number, lambda table: self._give(table, names))

    async def stop(self, number: int, user: int, interaction: str) -> None:
        """No more tips. Codes: "no-table", "not-member"."""
        await self._repository.alone(number, lambda table: self._stop(table, user, interaction))

    async def _give(self, before: Table, names: tuple[str, ...]) -> bool:
        given = before.choices.coached
        if given is None or names[0] in given:
            return False
        kept = (old for old in given if not any(_is_followed(old, name) for name in names))
        await self._save(before, (*kept, *names), None)
        return True

    async def _stop(self, before: Table, user: int, interaction: str) -> None:
        if before.player(user) is None:
            raise RefereeError("not-member")
        if not await self._store.interaction(interaction) and before.choices.coached is not None:
            await self._save(before, None, interaction)

    async def _save(self, before: Table, coached: tuple[str, ...] | None, interaction: str | None) -> None:
        choices = replace(before.choices, coached=coached)
        table = replace(before, version=before.version + 1, choices=choices)
        await self._repository.save(table, interaction, (), before=before)


def _is_followed(old: str, name: str) -> bool:
    """Whether nothing need be known of an old name beside a new one: a plan for the same seat, or the same tip."""
    return old == name or (old.startswith(PLAN) and old.split(".")[:2] == name.split(".")[:2])
