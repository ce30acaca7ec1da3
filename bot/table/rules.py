"""The one place for what happens at a table: it does an act or an action of the game, and all that follows from it.

What follows: late requests to build (J2), for which a window doesn't wait if players chose to be asked only if they
request it, and what must be shown again. Last, what must be true of every table that is stored, no matter who did what
at it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from bot.projections import PANEL, SEED, Kind, Name
from bot.table import waiting
from bot.table.act import Act, By
from bot.table.acts.motions import settled
from bot.table.acts.wishes import fulfilled
from bot.table.parts import FORGOTTEN
from bot.table.promptness import Decided, decided
from bot.table.seats import pruned, with_absences, with_seat_news
from bot.table.table import ARCHIVED, CANCELLED, LOBBY, OVER, RUNNING, Table, by_present_clock, tell_standing
from bot.table.waiting import decisions, newly_called
from engine.actions import PassOn
from engine.events import Event
from engine.game import Game
from engine.geometry import bits
from engine.record import REFEREE
from engine.steps.special import LateRequests


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
    decided: tuple[Decided, ...] = ()
    """The decisions of people that it has ended, as far as they say how fast those decide."""


def concerned(act: Act, table: Table) -> bool:
    """Whether the table's game matters to an act. Then `play` needs it."""
    return act.in_game and table.status in (RUNNING, ARCHIVED, OVER)


def play(before: Table, old: Game | None, game: Game | None, act: Act, by: By) -> Next:
    """Do an act and all that follows from it. Raises `RefereeError` if the act is refused.

    `game`: a copy of the `old` game to play on; if there was no game yet, the one that has just been dealt.
    """
    before = by_present_clock(before)
    was, table = act.as_before(before), act.on(before, game, by)
    if table.status != LOBBY == before.status:
        table = replace(table, invited=(), called=(), said_no=())  # seats are kept until the start
    events = game.last_events if game is not None and (old is None or game.revision > old.revision) else ()
    ended: tuple[Decided, ...] = ()
    if game is not None and (table.status == RUNNING or (old is not None and game.outcome != old.outcome)):
        seat = REFEREE if old is None else act.acted(before, old, by)
        there = 0 if act.notifies_later else by.user
        table = _in_game(was, old, table, game, by, seat, there, is_vote=act.is_vote)
        ended = () if old is None else tuple(decided(was, old, table, game, seat, by.at))
    due = tuple(due_after(was, old, table, game)) if act.is_shown else ()
    # a table is put away once no one has acted at it for long; what the clock does to it doesn't count, but for an end.
    # Old games are deleted so long after they ended or were archived
    put_away = table.archived != before.archived or before.status == RUNNING != table.status
    updated = by.at if due and (by.user or act.plays or put_away) else before.updated
    return Next(replace(table, version=before.version + bool(due), updated=updated), game, due, events, ended)


def _in_game(
    before: Table, old: Game | None, table: Table, game: Game, by: By, seat: int, there: int, *, is_vote: bool
) -> Table:
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
        table = _answered(table, table.user_at(game, acted), is_vote=is_vote)
    if game.outcome is None:
        table = settled(table, game, by.at)
    table = pruned(before, with_seat_news(before, table, game, by.user, by.at), game)
    table = with_absences(table, game, there, by.at)
    resumes = before.status == ARCHIVED  # meanwhile anyone's number can have changed
    for place, (old_member, member) in enumerate(zip(before.members, table.members, strict=True)):
        if resumes or (member.user, member.level) != (old_member.user, old_member.level):
            tell_standing(table, game, by.people, table.seat_at(game, place))
    table = waiting.with_window(table, game, by.at)
    table = waiting.with_waits(before, table, game, by.people, by.at, REFEREE if is_vote else acted, played=played)
    return fulfilled(table, game) if played and old is not None else table


def _answered(table: Table, user: int, *, is_vote: bool) -> Table:
    """The table without votes to replace a user who has just acted, and who therefore isn't gone."""
    motions, gone = (m for m in table.motions if is_vote or m.absent != user), (u for u in table.gone if u != user)
    return replace(table, motions=tuple(motions), gone=tuple(gone))


# --- what must be shown


def due_after(before: Table, old: Game | None, table: Table, game: Game | None) -> list[Name]:
    """Names of the projections that must be shown again; none if no one can see that anything happened (J2, L8)."""
    end = [SEED] if table.status == OVER != before.status else []
    noticed = game is not None and old is not None and game.public_revision != old.public_revision
    begins = table.status == RUNNING != before.status
    written = {wait.asks: wait.written for wait in before.waits}
    reminders = [
        Name(Kind.REMINDER, user=table.user_at(game, wait.seat))
        for wait in table.waits
        if game is not None and wait.written not in (0.0, written.get(wait.asks))
    ]
    if not (noticed or begins or _all_seen(before) != _all_seen(table)):
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
    hands = [Name(Kind.HAND, user=user) for user in dict.fromkeys(users) if user < FORGOTTEN]
    return [PANEL, *hands, *reminders, *end]


def _all_seen(table: Table) -> Any:
    """All that anyone is shown of a table."""
    if table.status != LOBBY:
        table = replace(table, members=tuple(replace(member, name="") for member in table.members))
    waits = [wait.public for wait in decisions(table)]
    away = [(absence.user, absence.over) for absence in table.absences]
    table = replace(table, coached=None, acted=(), on_leave=(), stops=(), window=None, absences=())
    table = replace(table, earlier=(), barred=())
    return replace(table, version=0, updated=0.0, waits=(), orders=()), waits, away


def _hand(game: Game, seat: int) -> tuple[object, ...]:
    """A seat's cards, what it can do with them, and what they became: all that a message about a hand shows."""
    state = game.state
    cards = state.hands[seat], state.development_cards[seat], state.fresh[seat], state.rates[seat]
    pieces = state.roads[seat], state.settlements[seat], state.cities[seat]
    return (*cards, *pieces, state.played[seat], state.all_points(seat))


# --- late requests to build


def pass_for_unasked(game: Game) -> None:
    """In an open window, pass for each seat whose standing number is 0, so that the window closes without them.

    Until then, they can still ask. `game` is a copy. That the window doesn't wait for these seats follows from their
    settings, not from any hand.
    """
    unasked = sum(1 << seat for seat, standing in enumerate(game.state.standing) if not standing)
    while isinstance(step := game.state.agenda[-1], LateRequests):
        seat = next(bits(step.awaited(game.state) & unasked), None)
        if seat is None:
            return
        game.play(seat, PassOn())


# --- what must be true


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
    if table.status == RUNNING and waits and waits != seats_awaited(game):  # earlier versions had no waits
        yield "it waits for others than the game does"


def seats_awaited(game: Game) -> set[tuple[int, int, bool]]:
    """The seats that a game waits for outside of windows, each with the number of what it is asked: a decision, or an
    offer (True)."""
    serial = game.state.agenda[-1].serial
    decisions = {(seat, serial, False) for seat in bits(game.awaited)}
    asked = ((offer.id, offer.to & ~offer.accepted & ~offer.declined) for offer in game.state.offers)
    return decisions | {(seat, id, True) for id, seats in asked for seat in bits(seats)}
