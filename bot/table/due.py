"""What must be shown after a change: the panel, hands that changed or are called, and at the end the seed and film."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bot.projections import FILM, PANEL, SEED, Kind, Name
from bot.table.table import LOBBY, OVER, RUNNING, Table
from bot.table.waiting import decisions, newly_called
from engine.game import Game


def due_after(before: Table, old: Game | None, table: Table, game: Game | None) -> list[Name]:
    """Names of the projections that must be shown again; none if no one can see that anything happened (J2, L8)."""
    end = [SEED, FILM] if table.status == OVER != before.status else []
    noticed = game is not None and old is not None and game.public_revision != old.public_revision
    begins = table.status == RUNNING != before.status
    written = {wait.asks: wait.written for wait in before.waits}
    reminders = [
        Name(Kind.REMINDER, user=table.user_at(game, wait.seat))
        for wait in table.waits
        if game is not None and wait.written not in (0.0, written.get(wait.asks))
    ]
    if not (noticed or begins or _seen(before) != _seen(table)):
        return [*reminders, *end]
    users = list(table.people) if begins else []
    if table.users != before.users and game is not None:
        users += [*table.people, *before.people]
    if noticed:
        assert game is not None
        assert old is not None
        seats = [seat for seat in range(game.config.players) if _hand(old, seat) != _hand(game, seat)]
        changed, awaited = {table.user_at(game, seat) for seat in seats}, newly_called(old, game)
        users += [user for user in table.people if user in changed]
        users += [user for user in table.people if table.seat_of(game, user) in awaited]
    return [PANEL, *(Name(Kind.HAND, user=user) for user in dict.fromkeys(users)), *reminders, *end]


def _seen(table: Table) -> Any:
    """All that anyone is shown of a table."""
    if table.status != LOBBY:
        table = replace(table, members=tuple(replace(member, name="") for member in table.members))
    waits = [wait.public for wait in decisions(table)]
    away = [(absence.user, absence.over) for absence in table.absences]
    table = replace(table, coached=None, acted=(), on_leave=(), stops=(), window=None, absences=())
    table = replace(table, earlier=())
    return replace(table, version=0, updated=0.0, waits=(), orders=()), waits, away


def _hand(game: Game, seat: int) -> tuple[object, ...]:
    """A seat's cards, what it can do with them, and what they became: all that a message about a hand shows."""
    state = game.state
    cards = state.hands[seat], state.development_cards[seat], state.fresh[seat], state.rates[seat]
    pieces = state.roads[seat], state.settlements[seat], state.cities[seat]
    return (*cards, *pieces, state.played[seat], state.all_points(seat))
