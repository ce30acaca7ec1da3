"""Actions in a running game: each carried out once, stored, then told."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace

from bot.models import ARCHIVED, OVER, PANEL, RUNNING, SEED, Table, hand_of
from bot.service.deadlines import Deadlines, deadline_of
from bot.service.values import Played
from bot.store import Conflict
from engine.actions import Action, AgreeToEnd, Expire, Resign
from engine.errors import RefereeError
from engine.game import REFEREE, Game

log = logging.getLogger(__name__)

ARCHIVED_GAME = "Nobody has moved in this game for long, so it is archived; take it up again with `/game resume`."


class Playing(Deadlines):
    """Playing at a table."""

    async def play(self, number: int, user: int, action: Action, *, decision: str | None, interaction: str) -> Played:
        """Play an action. `decision` is `Game.decision(seat)` from the button, None for a typed command.

        Panel and the hands that changed become due; the seed, when the game is over.
        Codes: "no-table", "not-started", "not-playing", "stale", "over", and those of `IllegalAction`.
        """
        return await self._tasks.run(
            self._alone(number, lambda: self._play(number, user, action, decision, interaction))
        )

    async def resign(self, number: int, user: int, interaction: str) -> Played:
        """`play` of `Resign` (I7)."""
        return await self.play(number, user, Resign(), decision=None, interaction=interaction)

    async def agree_to_end(self, number: int, user: int, interaction: str, *, agree: bool = True) -> Played:
        """`play` of `AgreeToEnd` (I6)."""
        return await self.play(number, user, AgreeToEnd(agree), decision=None, interaction=interaction)

    async def expire(self, number: int, serial: int) -> Game | None:
        """The referee ends a decision whose time is over (L8); None where that isn't so, or no longer.

        Due is what `play` makes due.
        """
        return await self._tasks.run(self._alone(number, lambda: self._expire(number, serial)))

    async def _expire(self, number: int, serial: int) -> Game | None:
        table = await self.table(number)
        limit = table.deadline
        if limit is None or limit.serial != serial or self._now() < limit.at:
            return None
        old = await self.game(number)
        game = old.copy()
        game.play(REFEREE, Expire(serial))
        await self._store_played(table, old, game, f"expire-{number}-{serial}")
        return game

    async def _play(self, number: int, user: int, action: Action, decision: str | None, interaction: str) -> Played:
        table = await self.table(number)
        if earlier := await self._store.interaction(interaction):
            return await self._played_before(table, user, earlier)
        if table.status == OVER:
            raise RefereeError("over", "This game is over.")
        if table.status == ARCHIVED:
            raise RefereeError("archived", ARCHIVED_GAME)
        old = await self.game(number)
        seat = self.seat_of(table, old, user)
        if seat is None:
            raise RefereeError("not-playing", "You are not playing in this game.")
        if decision is not None and decision != old.decision(seat):
            raise RefereeError("stale", "That button is from an earlier moment; use the present panel.")
        game = old.copy()
        events = game.play(seat, action)
        table = await self._store_played(table, old, game, interaction)
        told = tuple(event.redact(seat) for event in events)
        return Played(table, game, seat, game.revision, told, repeated=False)

    async def _store_played(self, table: Table, old: Game, game: Game, interaction: str) -> Table:
        """Store an action that has been played on a copy; the table after it."""
        over = game.outcome is not None
        # a secret request or answer must leave no trace: no new version, nothing to show, no later warning
        noticed = game.public_revision != old.public_revision
        now, before = self._now(), table
        table = replace(
            before,
            status=OVER if over else RUNNING,
            version=table.version + 1 if noticed else table.version,
            updated=now if noticed else before.updated,
            deadline=deadline_of(table, game, now),
        )
        hands = [hand_of(self.user_at(table, game, s)) for s in _changed_hands(old, game)]
        due = [PANEL, *hands] if noticed else []
        await self._save(table, interaction, [*due, SEED] if over else due, before=before, game=game)
        if noticed:
            log.info("Game %d: version %d stored", table.number, table.version)
        if over:
            log.info("Game %d: over", table.number)
        return table

    async def _played_before(self, table: Table, user: int, earlier: tuple[int, int | None]) -> Played:
        """The result of an interaction that has been carried out, as far as the log tells it."""
        number, record = earlier
        game = await self.game(table.number)
        if number == table.number and record is not None and record >= game.revision:
            raise Conflict("another process has carried it out")
        seat = self.seat_of(table, game, user)
        if number != table.number or record is None or seat is None:
            raise RefereeError("repeated", "That has been done already.")
        then = game
        if record + 1 < game.revision:
            then = await asyncio.to_thread(Game.replay, game.config, game.records[: record + 1])
        told = tuple(event.redact(seat) for event in then.last_events)
        return Played(table, game, seat, record + 1, told, repeated=True)


def _changed_hands(old: Game, new: Game) -> list[int]:
    """Seats whose hand, or what they can do with it, isn't what it was."""
    return [seat for seat in range(new.config.players) if _hand(old, seat) != _hand(new, seat)]


def _hand(game: Game, seat: int) -> tuple[list[int], ...]:
    state = game.state
    return state.hands[seat], state.development_cards[seat], state.fresh[seat], state.rates[seat]
