"""Who comes to the table: seats that the host keeps for people, people whom the host takes off, and who the host is."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.plaintext import safe_name
from bot.table.act import Act, By, LobbyAct, check_host, check_lobby, check_running
from bot.table.acts.lobby import without_computer, without_member
from bot.table.guests import barred_untold, can_grow, is_about, most_members, unkept_seats, without_guest
from bot.table.parts import Barred, Guest
from bot.table.seats import who_plays
from bot.table.table import Table
from engine.errors import RefereeError
from engine.game import Game
from engine.refusals import Word
from engine.scenarios import SCENARIOS


@dataclass(frozen=True, slots=True)
class KeepSeats(LobbyAct):
    """Keep seats for these people, and for no others, as host; bots make room. Those who had been taken off the table
    can join it again. No seat is kept again for who has declined one.

    `people`: users with their names. Codes: "not-member", "not-host", "keep".
    """

    kind = "keep"
    people: tuple[tuple[int, str], ...]

    def before_start(self, table: Table, by: By) -> Table:
        check_host(table, by)
        return with_guests(table, self.people, by, table.version)


def with_guests(table: Table, people: tuple[tuple[int, str], ...], by: By, since: int = 0) -> Table:
    """The table with seats kept for these people; `since`: the version before, or 0 if it is just being opened. Code:
    "keep"."""
    known, users = {guest.user: guest for guest in table.invited}, {user for user, _ in people}
    if by.user in users.intersection(table.users):
        raise RefereeError("keep/yourself")
    for user, name in people:
        if user in table.users:
            raise RefereeError("keep/seated", name=safe_name(name))
        if user in table.said_no:
            raise RefereeError("keep/declined", name=safe_name(name))
    room = most_members(table) - len(table.people)
    if len(users) > room and not users <= known.keys():
        scenario = Word(SCENARIOS[table.config.scenario].title)
        key = "keep/full" if table.number and can_grow(table) else "keep/most here"
        raise RefereeError(key, n=max(room, 0), scenario=scenario, most=most_members(table))
    for user in known.keys() - users:
        table = without_guest(table, user)
    invited = tuple(known.get(user) or Guest(user, safe_name(name), since) for user, name in dict(people).items())
    barred = tuple(one for one in table.barred if not any(is_about(one, user) for user in users))
    table = replace(table, invited=invited, barred=barred)
    while unkept_seats(table) < 0 and len(table.people) < len(table.members):
        table = without_computer(table)
    return table


@dataclass(frozen=True, slots=True)
class Decline(LobbyAct):
    """Decline the seat that is kept for one: none can be kept again. Code: "not-kept"."""

    kind = "no-thanks"

    def before_start(self, table: Table, by: By) -> Table:
        if not table.is_invited(by.user):
            raise RefereeError("not-kept" if table.place_of(by.user) is None else "not-kept/seated")
        return without_guest(replace(table, said_no=(*table.said_no, by.user)), by.user)


@dataclass(frozen=True, slots=True)
class TakeOff(LobbyAct):
    """Take a person off the table, as host; they can't join it again until the host lets them. Codes: "not-member",
    "not-host", "take-off"."""

    kind = "take-off"
    user: int

    def before_start(self, table: Table, by: By) -> Table:
        check_host(table, by)
        if self.user == by.user:
            raise RefereeError("take-off/yourself")
        if table.place_of(self.user) is None:
            raise RefereeError("take-off/gone")
        member = table.member(self.user)
        if not member.is_person:
            raise RefereeError("take-off/bot")
        if table.people == (self.user,):
            raise RefereeError("take-off/last")
        barred = Barred(self.user, member.name, by_manager=by.user != table.host)
        return replace(without_member(table, self.user), barred=(*table.barred, barred))


@dataclass(frozen=True, slots=True)
class NoteTold(Act):
    """Note that the user is told now that they were taken off the table."""

    kind = "told"
    in_game = False
    is_shown = False

    def on(self, table: Table, game: Game | None, by: By) -> Table:
        untold = barred_untold(table, by.user)
        return replace(table, barred=tuple(replace(one, told=True) if one is untold else one for one in table.barred))


@dataclass(frozen=True, slots=True)
class LetBack(LobbyAct):
    """Let a person join again who was taken off the table, as host. Codes: "not-member", "not-host", "let-back"."""

    kind = "let-back"
    user: int

    def before_start(self, table: Table, by: By) -> Table:
        check_host(table, by)
        barred = tuple(one for one in table.barred if one.user != self.user)
        if barred == table.barred:
            raise RefereeError("let-back")
        return replace(table, barred=barred)


@dataclass(frozen=True, slots=True)
class MakeHost(Act):
    """Make another person at the table its host, as host; in a game, one who plays themselves. Codes: "not-member",
    "not-host", "new-host", and those for a table that isn't open anymore."""

    kind = "make-host"
    user: int

    def on(self, table: Table, game: Game | None, by: By) -> Table:
        if game is None:
            check_lobby(table)
            host, there = table.host, table.people
        else:
            check_running(table)
            host, there = table.host_in(game), who_plays(table, game)
        check_host(table, by, host)
        if self.user not in there:
            raise RefereeError("new-host")
        return replace(table, host=self.user)
