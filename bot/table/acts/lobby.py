"""Before the start: who is at the table, including bots, and how the game begins or is canceled."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.params import Typed
from bot.plaintext import safe_name
from bot.table import lobby
from bot.table.act import Act, By, LobbyAct
from bot.table.checks import check_host, check_lobby, check_member
from bot.table.lobby import seated
from bot.table.member import Member
from bot.table.options import HURRIED
from bot.table.people import tell_standing
from bot.table.table import ARCHIVED, CANCELLED, RUNNING, Table
from bot.table.waiting import request_time
from engine.config import COLORS, Config
from engine.errors import RefereeError
from engine.game import Game
from engine.refusals import Word, Words
from engine.rules import data_of
from engine.scenarios import SCENARIOS, check
from players import OFFERED

COMPUTERS = ("Bot Ada", "Bot Bo", "Bot Kai", "Bot Lou", "Bot Mia", "Bot Noa", "Bot Pip", "Bot Zoe")
"""Names of bots, which can't be mistaken for people's."""


@dataclass(frozen=True, slots=True)
class Join(LobbyAct):
    """Join the table. A user who is there already gets another color or other lucky words.

    Codes: "phrase", "full", "color", "color-taken".
    """

    kind = "join"
    name: str
    color: str | None = None
    phrase: str = ""

    def before_start(self, table: Table, by: By) -> Table:
        lobby.check_phrase(self.phrase)
        place = table.place_of(by.user)
        if place is None and len(table.members) >= max(SCENARIOS[table.config.scenario].players):
            table = _with_a_place(table)
        if self.color is not None:
            _check_color(table, by.user, self.color)
        name, asked = safe_name(self.name), self.color is not None
        if place is None:
            new = Member(by.user, name, self.color or "", asked, self.phrase, by.interaction)
            return seated(table, (*table.members, new))
        old = table.members[place]
        color, phrase = self.color or old.color, self.phrase or old.phrase
        member = replace(old, name=name, color=color, asked=old.asked or asked, phrase=phrase)
        return seated(table, (*table.members[:place], member, *table.members[place + 1 :]))


@dataclass(frozen=True, slots=True)
class AddPhrase(LobbyAct):
    """Set a member's lucky words. Codes: "not-member", "phrase"."""

    kind = "phrase"
    phrase: str

    def before_start(self, table: Table, by: By) -> Table:
        if table.place_of(by.user) is None:
            raise RefereeError("not-member/phrase")
        lobby.check_phrase(self.phrase)
        members = (replace(m, phrase=self.phrase) if m.user == by.user else m for m in table.members)
        return replace(table, members=tuple(members))


@dataclass(frozen=True, slots=True)
class Leave(LobbyAct):
    """Leave the table. If it was the host, the next person becomes host; if no one is left, the table is canceled.

    Code: "not-member".
    """

    kind = "leave"

    def before_start(self, table: Table, by: By) -> Table:
        check_member(table, by.user)
        remaining = tuple(member for member in table.members if member.user != by.user)
        people = [member.user for member in remaining if member.is_person]
        if not people:
            return replace(table, status=CANCELLED)
        return replace(seated(table, remaining), host=table.host if table.host != by.user else people[0])


@dataclass(frozen=True, slots=True)
class AddComputer(LobbyAct):
    """Add a bot of a level, as host; `fill`: one at each free place. Codes: "not-member", "not-host", "level",
    "full"."""

    kind = "computer"
    level: str
    fill: bool = False

    def on(self, table: Table, game: Game | None, by: By) -> Table:
        if table.status in (RUNNING, ARCHIVED):
            raise RefereeError("not-lobby/computer")
        return LobbyAct.on(self, table, game, by)

    def before_start(self, table: Table, by: By) -> Table:
        check_host(table, by.user)
        _check_level(self.level)
        most = max(SCENARIOS[table.config.scenario].players)
        if len(table.members) >= most:
            raise _full(table)
        while len(table.members) < most:
            number = min(0, *table.users) - 1
            taken = {member.name for member in table.members}
            name = next(name for name in COMPUTERS if name not in taken)
            table = seated(table, (*table.members, Member(number, name, "", False, "", "", self.level)))
            if not self.fill:
                break
        return table


@dataclass(frozen=True, slots=True)
class SetLevel(LobbyAct):
    """Set the level of all bots, as host. Codes: "not-member", "not-host", "level"."""

    kind = "level"
    level: str

    def before_start(self, table: Table, by: By) -> Table:
        check_host(table, by.user)
        _check_level(self.level)
        members = (m if m.is_person else replace(m, level=self.level) for m in table.members)
        return replace(table, members=tuple(members))


@dataclass(frozen=True, slots=True)
class RemoveComputer(LobbyAct):
    """Remove the bot that came last, as host. Codes: "not-member", "not-host", "no-computer"."""

    kind = "no-computer"

    def before_start(self, table: Table, by: By) -> Table:
        check_host(table, by.user)
        computers = [member for member in table.members if not member.is_person]
        if not computers:
            raise RefereeError("no-computer")
        return seated(table, tuple(member for member in table.members if member is not computers[-1]))


@dataclass(frozen=True, slots=True)
class Rename(Act):
    """Give a user their new display name. A lobby shows it immediately, a game with its next change."""

    kind = "rename"
    name: str
    in_game = False

    def on(self, table: Table, game: Game | None, by: By) -> Table:
        return table.renamed(by.user, self.name)


@dataclass(frozen=True, slots=True)
class Cancel(LobbyAct):
    """Cancel the lobby, as host. Codes: "not-member", "not-host"."""

    kind = "cancel"
    log = "canceled before the start"

    def before_start(self, table: Table, by: By) -> Table:
        check_host(table, by.user)
        return replace(table, status=CANCELLED)


@dataclass(frozen=True, slots=True)
class Close(LobbyAct):
    """Cancel the lobby, as a person of that name who manages the channel (the caller has checked that)."""

    kind = "close"
    name: str
    log = "canceled by someone who manages the channel"

    def before_start(self, table: Table, by: By) -> Table:
        return replace(table, status=CANCELLED, ended_by=by.user, manager=safe_name(self.name))


@dataclass(frozen=True, slots=True)
class Start(Act):
    """Begin the game that was just dealt. `closing`: id of the message that closed the table, the last part of the
    entropy. Codes: as `check_start`."""

    kind = "start"
    closing: str
    log = "started"

    def on(self, table: Table, game: Game | None, by: By) -> Table:
        check_start(table, by.user)
        assert game is not None
        table = replace(table, config=game.config, entropy=lobby.entropy(table, self.closing), status=RUNNING)
        for seat in range(game.config.players):
            tell_standing(table, game, by.people, seat)
        return table


def config_of(table: Table) -> Config:
    """The configuration that a lobby's game is dealt with. With a turn timer of minutes, a special building phase opens
    with a window for late requests (J2)."""
    pace = table.options.pace
    opens = 0 < pace <= HURRIED and data_of(table.config).special_building
    return replace(table.config, request_time=request_time(pace) if opens else 0)


def check_start(table: Table, user: int) -> None:
    """Refuse unless the user can start the game, and it can be played as it is. Codes: "not-lobby", "not-member",
    "not-host", and those of `engine.scenarios.check` (a wrong number of players, colors)."""
    check_lobby(table)
    check_member(table, user)
    if user != table.host and not table.anyone_starts:
        raise RefereeError("not-host/start")
    check(table.config)


def _with_a_place(table: Table) -> Table:
    """The table with room for a person: the bot that came last leaves. Code: "full"."""
    computers = [member for member in table.members if not member.is_person]
    if not computers:
        raise _full(table)
    return replace(table, members=tuple(member for member in table.members if member is not computers[-1]))


def _full(table: Table) -> RefereeError:
    scenario = SCENARIOS[table.config.scenario]
    return RefereeError("full", players=len(table.members), scenario=Word(scenario.title))


def _check_level(level: str) -> None:
    if level not in OFFERED:
        raise RefereeError("level", typed=Typed(level), possible=Words(OFFERED))


def _check_color(table: Table, user: int, color: str) -> None:
    possible = SCENARIOS[table.config.scenario].colors or COLORS
    if color not in possible:
        raise RefereeError("color", typed=Typed(color), possible=Words(possible))
    for member in table.members:
        if member.user != user and member.asked and member.color == color:
            free = set(possible) - {m.color for m in table.members if m.asked}
            listed = Words([c for c in possible if c in free])
            raise RefereeError("color-taken", color=Word(color), name=member.name, free=listed)
