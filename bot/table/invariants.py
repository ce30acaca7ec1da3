"""What must be true of every table that is stored, no matter what was done at it."""

from __future__ import annotations

from collections.abc import Iterator

from bot.table.table import CANCELLED, LOBBY, OVER, RUNNING, Table
from engine.game import Game
from engine.geometry import bits


def faults(table: Table, game: Game | None) -> Iterator[str]:
    """What is wrong with a table and its game, without anything secret; the game can be unknown (None)."""
    if len({*table.users}) < len(table.users):
        yield "someone sits in two seats"
    if table.config.colors != tuple(member.color for member in table.members):
        yield "the colors aren't those of the members"
    if table.status != CANCELLED and table.host not in table.people:
        yield "the host isn't at the table"
    if any(not member.is_person and not member.level for member in table.members):
        yield "a bot has no level"
    if table.status != RUNNING and table.deadline is not None:
        yield "a game that doesn't go on has a deadline"
    if table.status in (OVER, LOBBY, CANCELLED) and table.waits:
        yield "a game that isn't played waits for someone"
    if game is None:
        return
    if (game.outcome is None) == (table.status == OVER):
        yield "the game is over, or the table is, but not both"
    waits = {(wait.seat, wait.serial, wait.offer) for wait in table.waits}
    if table.status == RUNNING and waits and waits != awaited(game):  # earlier versions had no waits
        yield "it waits for others than the game does"


def awaited(game: Game) -> set[tuple[int, int, bool]]:
    """The seats that a game waits for outside of windows, each with the number of what it is asked: a decision, or an
    offer (True)."""
    serial = game.state.agenda[-1].serial
    decisions = {(seat, serial, False) for seat in bits(game.awaited)}
    asked = ((offer.id, offer.to & ~offer.accepted & ~offer.declined) for offer in game.state.offers)
    return decisions | {(seat, id, True) for id, seats in asked for seat in bits(seats)}
