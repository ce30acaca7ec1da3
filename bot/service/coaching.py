"""Coaching in a first game: which tips have been given, and an end of them."""

from __future__ import annotations

from dataclasses import replace

from bot.models import Table
from bot.service.repository import GameRepository
from bot.store import Store
from engine.errors import RefereeError


class CoachingService:
    """Each tip is given once; what was given is stored with the table."""

    def __init__(self, store: Store, repository: GameRepository) -> None:
        self._store, self._repository = store, repository

    async def give(self, number: int, tip: str) -> bool:
        """Note that a tip is given now; False where it has been, or none are wanted. Code: "no-table"."""
        return await self._repository.alone(number, lambda table: self._give(table, tip))

    async def stop(self, number: int, user: int, interaction: str) -> None:
        """No more tips. Codes: "no-table", "not-member"."""
        await self._repository.alone(number, lambda table: self._stop(table, user, interaction))

    async def _give(self, before: Table, tip: str) -> bool:
        given = before.choices.coached
        if given is None or tip in given:
            return False
        await self._save(before, (*given, tip), None)
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
