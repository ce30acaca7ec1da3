"""Which games count for ratings, and what each person's result is: from table and game alone (docs/ratings.md)."""

from __future__ import annotations

from bot.results import CAME, EXCUSED, LEFT, REPLACED, RESIGNED, STAYED, PersonResult, Result
from bot.table.member import Member
from bot.table.reporting import seatings
from bot.table.seats import was_unfair
from bot.table.table import Table
from engine.game import Game


def result_of(table: Table, game: Game) -> Result | None:
    """The result of a game that is over; None if it doesn't count.

    A game counts if it has a winner and was played in a server, between at least two people who played from the start
    and at least one of whom stayed. First games with a coach never count.
    """
    outcome = game.outcome
    if outcome is None or not outcome.winners or table.guild is None or table.lesson or table.coached is not None:
        return None
    people = list[PersonResult]()
    for place, member in enumerate(table.members):
        seat = table.seat_at(game, place)
        points, wins = outcome.points[seat], seat in outcome.winners
        handed = seatings(table, place)
        user, name = (handed[0].about, handed[0].name) if handed else (member.user, member.name)
        if user > 0:
            fate = _fate(table, game, member, user, wins=wins, changed_hands=bool(handed))
            people.append(PersonResult(user, name, points, wins and fate == STAYED, fate))
        if member.is_person and member.user != user:
            people.append(PersonResult(member.user, member.name, points, wins and not member.level, CAME))
    result = Result(table.number, table.guild, table.updated, table.config.scenario, tuple(people))
    counts = sum(person.rated for person in people) > 1 and any(person.fate == STAYED for person in people)
    return result if counts else None


def _fate(table: Table, game: Game, member: Member, user: int, *, wins: bool, changed_hands: bool) -> str:
    """How the game went for the user who began it at a place; `member` sits there at the end, and `wins` or not."""
    if game.state.resigned >> table.seat_at(game, table.members.index(member)) & 1 and not changed_hands:
        return RESIGNED
    if not (changed_hands or member.level):
        return STAYED
    if wins or (not changed_hands and was_unfair(table, user)):
        return EXCUSED
    return LEFT if changed_hands else REPLACED  # even if they got the seat back: another player has played for them
