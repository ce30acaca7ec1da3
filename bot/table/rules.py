"""The one place for what happens at a table: it does an act or an action of the game, and all that follows from it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.projections import Name
from bot.table import waiting
from bot.table.act import Act, By
from bot.table.due import due_after
from bot.table.motions import settled
from bot.table.people import tell_standing
from bot.table.requests import pass_for_unasked
from bot.table.seats import pruned, with_absences, with_seat_news
from bot.table.stops import set_back
from bot.table.table import ARCHIVED, OVER, RUNNING, Table
from bot.table.wishes import fulfilled
from engine.events import Event
from engine.game import Game
from engine.record import REFEREE


@dataclass(frozen=True, slots=True)
class Next:
    """The state after an act."""

    table: Table
    game: Game | None
    """None: there is no game, or it didn't matter."""
    due: tuple[Name, ...]
    """Names of the projections that must be shown again."""
    events: tuple[Event, ...]
    """The game's events that the act itself has caused."""


def concerned(act: Act, table: Table) -> bool:
    """Whether the table's game matters to an act. Then `play` needs it."""
    return act.in_game and table.status in (RUNNING, ARCHIVED, OVER)


def play(before: Table, old: Game | None, game: Game | None, act: Act, by: By) -> Next:
    """Do an act and all that follows from it. Raises `RefereeError` if the act is refused.

    `game`: a copy of the `old` game, to play on, or a game that was just dealt if there was none.
    """
    table = act.on(set_back(before), game, by)
    events = game.last_events if game is not None and (old is None or game.revision > old.revision) else ()
    if game is not None and (table.status == RUNNING or (old is not None and game.outcome != old.outcome)):
        seat = REFEREE if old is None else act.acted(before, old, by)
        table = _in_game(before, old, table, game, by, seat, 0 if act.notifies_later else by.user)
    due = tuple(due_after(before, old, table, game)) if act.is_shown else ()
    # a table is put away once no one has acted at it for long; what the clock does to it doesn't count
    updated = by.at if due and (by.user or act.plays) else before.updated
    return Next(replace(table, version=before.version + bool(due), updated=updated), game, due, events)


def _in_game(before: Table, old: Game | None, table: Table, game: Game, by: By, seat: int, there: int) -> Table:
    """All that follows from an act in a game that goes on or has just ended. `there`: the user who does it themselves,
    0: none."""
    pass_for_unasked(game)
    # a secret request or answer must leave no trace: no new version, nothing to show, no later warning
    noticed = old is None or game.public_revision != old.public_revision
    played = old is None or game.revision != old.revision
    acted = seat if noticed else REFEREE
    if game.outcome is not None:
        table = replace(table, status=OVER)
    if acted != REFEREE:
        table = _answered(table, table.user_at(game, acted))
    if game.outcome is None:
        table = settled(table, game, by.at)
    table = pruned(before, with_seat_news(before, table, game, by.user, by.at), game)
    table = with_absences(table, game, there, by.at)
    new_places = [n for n, member in enumerate(table.members) if member.user != before.members[n].user]
    for place, member in enumerate(table.members):
        if place in new_places or member.level != before.members[place].level:
            tell_standing(table, game, by.people, table.seat_at(game, place))
    table = waiting.with_window(table, game, by.at)
    table = waiting.after(before, table, game, by.people, by.at, acted, played=played)
    return fulfilled(table, game) if played and old is not None else table


def _answered(table: Table, user: int) -> Table:
    """The table without votes to replace a user who has just acted, and who therefore isn't gone."""
    motions, gone = (m for m in table.motions if m.absent != user), (u for u in table.gone if u != user)
    return replace(table, motions=tuple(motions), gone=tuple(gone))
