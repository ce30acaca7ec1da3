"""Before the start: who is at the table, including bots, in which colors, and what they add to the chance; how the game
begins or is canceled. And how a table begins: with its host, as a first game, or as a rematch."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace
from hashlib import sha256

from bot.plaintext import TypedText, is_seen, safe_name
from bot.table.act import Act, By, LobbyAct, check_host, check_lobby, check_member
from bot.table.guests import (
    check_not_barred,
    check_welcome,
    full,
    is_about,
    most_members,
    unkept_seats,
    without_guest,
)
from bot.table.options import HURRIED
from bot.table.parts import FORGOTTEN, Guest, Member
from bot.table.table import CANCELLED, LOBBY, RUNNING, Table, tell_standing
from bot.table.waiting import request_time
from engine.config import COLORS, Config
from engine.errors import RefereeError
from engine.game import Game
from engine.refusals import Word, Words
from engine.rules import data_of
from engine.scenarios import SCENARIOS, check
from players import OFFERED

# --- members

MOST_PHRASE = 100
"""Most characters of lucky words."""
NO_TEXT = ("Cc", "Cs", "Zl", "Zp")
"""Unicode categories of characters that a line of text can't have."""


def with_members(table: Table, members: tuple[Member, ...]) -> Table:
    """The table with these members. A member who asked for no color keeps theirs, or gets the first free color that the
    game can be played with."""
    allowed = SCENARIOS[table.config.scenario].colors_for(len(members))
    taken = {member.color for member in members if member.asked}
    kept = []
    for member in members:
        if not member.asked and (member.color in taken or member.color not in allowed):
            member = replace(member, color="")
        taken.add(member.color)
        kept.append(member)
    free = iter([color for color in dict.fromkeys((*allowed, *COLORS)) if color not in taken])
    members = tuple(member if member.color else replace(member, color=next(free)) for member in kept)
    return replace(table, members=members, config=replace(table.config, colors=tuple(m.color for m in members)))


def entropy(table: Table, closing: str) -> tuple[str, ...]:
    """What the players mix into the chance: each member's joining interaction and digest of lucky words, then the
    closing message.

    The digest proves the same as the words, and can stay when a person wants to be forgotten.
    """
    parts = [part for m in table.members for part in (m.interaction, phrase_digest(m.phrase)) if part]
    return (*parts, closing)


def phrase_digest(phrase: str) -> str:
    """SHA-256 of lucky words, in hex; empty if there are none."""
    return sha256(phrase.encode()).hexdigest() if phrase else ""


def check_phrase(phrase: str) -> None:
    """Refuse lucky words that are too long, more than a line of text, or nothing to see. Code: "phrase"."""
    if len(phrase) > MOST_PHRASE or any(unicodedata.category(c) in NO_TEXT for c in phrase):
        raise RefereeError("phrase", most=MOST_PHRASE)
    if phrase and not is_seen(phrase):
        raise RefereeError("phrase/unseen")


# --- acts

COMPUTERS = ("Bot Ada", "Bot Bo", "Bot Kai", "Bot Lou", "Bot Mia", "Bot Noa", "Bot Pip", "Bot Zoe")
"""Names of bots, which can't be mistaken for people's."""


@dataclass(frozen=True, slots=True)
class Join(LobbyAct):
    """Join the table. A user who is there already gets another color or other lucky words.

    Codes: "phrase", "barred", "not-invited", "full", "color", "color-taken".
    """

    kind = "join"
    name: str
    color: str | None = None
    phrase: str = ""

    def instead(self, table: Table, by: By) -> str:
        return table.status if by.user in table.users else "join"

    def before_start(self, table: Table, by: By) -> Table:
        check_phrase(self.phrase)
        place = table.place_of(by.user)
        if place is None:
            table = _with_room(table, by.user)
        if self.color is not None:
            _check_color(table, by.user, self.color)
        name, asked = safe_name(self.name), self.color is not None
        if place is None:
            new = Member(by.user, name, self.color or "", asked, self.phrase, by.interaction)
            return with_members(without_guest(table, by.user), (*table.members, new))
        old = table.members[place]
        color, phrase = self.color or old.color, self.phrase or old.phrase
        member = replace(old, name=name, color=color, asked=old.asked or asked, phrase=phrase)
        return with_members(table, (*table.members[:place], member, *table.members[place + 1 :]))


@dataclass(frozen=True, slots=True)
class AddPhrase(LobbyAct):
    """Set a member's lucky words. Codes: "not-member", "phrase"."""

    kind = "phrase"
    phrase: str

    def before_start(self, table: Table, by: By) -> Table:
        if table.place_of(by.user) is None:
            check_not_barred(table, by.user)
            raise RefereeError("not-member/phrase")
        check_phrase(self.phrase)
        members = (replace(m, phrase=self.phrase) if m.user == by.user else m for m in table.members)
        return replace(table, members=tuple(members))


@dataclass(frozen=True, slots=True)
class Leave(LobbyAct):
    """Leave the table. If it was the host, the next person becomes host; if no one is left, the table is canceled.

    Code: "not-member".
    """

    kind = "leave"

    def instead(self, table: Table, by: By) -> str:
        return "leave" if by.user in table.users else table.status

    def before_start(self, table: Table, by: By) -> Table:
        check_member(table, by.user)
        return without_member(table, by.user)


@dataclass(frozen=True, slots=True)
class AddComputer(LobbyAct):
    """Add a bot of a level, as host; `fill`: one at each free place. None takes a seat that is kept for a person.

    Codes: "not-member", "not-host", "level", "full".
    """

    kind = "computer"
    level: str
    fill: bool = False

    def instead(self, table: Table, by: By) -> str:
        return "computer"

    def before_start(self, table: Table, by: By) -> Table:
        check_host(table, by)
        _check_level(self.level)
        if unkept_seats(table) <= 0:
            raise full(table)
        while unkept_seats(table) > 0:
            number = min(0, *table.users) - 1
            taken = {member.name for member in table.members}
            name = next(name for name in COMPUTERS if name not in taken)
            table = with_members(table, (*table.members, Member(number, name, "", False, "", "", self.level)))
            if not self.fill:
                break
        return table


@dataclass(frozen=True, slots=True)
class SetLevel(LobbyAct):
    """Set the level of all bots, as host. Codes: "not-member", "not-host", "level"."""

    kind = "level"
    level: str

    def before_start(self, table: Table, by: By) -> Table:
        check_host(table, by)
        _check_level(self.level)
        members = (m if m.is_person else replace(m, level=self.level) for m in table.members)
        return replace(table, members=tuple(members))


@dataclass(frozen=True, slots=True)
class RemoveComputer(LobbyAct):
    """Remove the bot that came last, as host. Codes: "not-member", "not-host", "no-computer"."""

    kind = "no-computer"

    def before_start(self, table: Table, by: By) -> Table:
        check_host(table, by)
        if len(table.people) == len(table.members):
            raise RefereeError("no-computer")
        return without_computer(table)


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
    """Cancel the lobby, as host, or as a person of that name who manages the channel. Codes: "not-member",
    "not-host"."""

    kind = "cancel"
    name: str = ""
    log = "canceled before the start"

    def instead(self, table: Table, by: By) -> str:
        return "cancel"

    def before_start(self, table: Table, by: By) -> Table:
        check_host(table, by)
        table = replace(table, status=CANCELLED)
        if by.user == table.host:
            return table
        return replace(table, ended_by=by.user, manager=safe_name(self.name))


@dataclass(frozen=True, slots=True)
class Start(Act):
    """Begin the game that was just dealt. `closing`: id of the message that closed the table, the last part of the
    entropy. Codes: as `check_start`."""

    kind = "start"
    closing: str
    log = "started"

    def on(self, table: Table, game: Game | None, by: By) -> Table:
        check_start(table, by)
        assert game is not None
        table = replace(table, config=game.config, entropy=entropy(table, self.closing), status=RUNNING)
        for seat in range(game.config.players):
            tell_standing(table, game, by.people, seat)
        return table


def config_of(table: Table) -> Config:
    """The configuration that a lobby's game is dealt with. With a turn timer of minutes, a special building phase opens
    with a window for late requests (J2)."""
    pace = table.options.pace
    opens = 0 < pace <= HURRIED and data_of(table.config).special_building
    return replace(table.config, request_time=request_time(pace) if opens else 0)


def check_start(table: Table, by: By) -> None:
    """Refuse those who can't start the game, and a game that can't be played as it is. Codes: "not-lobby",
    "not-member", "not-host", and those of `engine.scenarios.check` (a wrong number of players, colors)."""
    check_lobby(table)
    if not by.manages:
        check_member(table, by.user)
        if by.user != table.host and not table.anyone_starts:
            raise RefereeError("not-host/start")
    check(table.config)


def without_member(table: Table, user: int) -> Table:
    """The table after a member has left it. If it was the host, the next person becomes host; if no person is left, the
    table is canceled."""
    remaining = tuple(member for member in table.members if member.user != user)
    people = [member.user for member in remaining if member.is_person]
    if not people:
        return replace(table, status=CANCELLED)
    return replace(with_members(table, remaining), host=table.host if table.host != user else people[0])


def without_computer(table: Table) -> Table:
    """The table after the bot that came last has left, if there is one."""
    last = next((member for member in reversed(table.members) if not member.is_person), None)
    return with_members(table, tuple(member for member in table.members if member is not last))


def _with_room(table: Table, user: int) -> Table:
    """The table with room for a user: if there is no free seat that isn't kept for others, the bot that came last
    leaves. Codes: "barred", "not-invited", "full"."""
    check_welcome(table, user)
    room = most_members(table) - (0 if table.is_invited(user) else len(table.invited))
    if len(table.people) >= room:
        raise full(table)
    return table if len(table.members) < room else without_computer(table)


def _check_level(level: str) -> None:
    if level not in OFFERED:
        raise RefereeError("level", typed=TypedText(level), possible=Words(OFFERED))


def _check_color(table: Table, user: int, color: str) -> None:
    possible = SCENARIOS[table.config.scenario].colors or COLORS
    if color not in possible:
        raise RefereeError("color", typed=TypedText(color), possible=Words(possible))
    for member in table.members:
        if member.user != user and member.asked and member.color == color:
            taken = {m.color for m in table.members if m.asked and m.user != user}
            listed = Words([c for c in possible if c not in taken])
            raise RefereeError("color-taken", color=Word(color), name=member.name, free=listed)


# --- how a table begins


def new_lobby(guild: int | None, channel: int, config: Config, host: Join, by: By) -> Table:
    """A lobby with its host. Codes: as `Join`."""
    return host.on(empty_table(guild, channel, config, by), None, by)


def first_game(table: Table, by: By) -> Table:
    """The lobby set up for a first game: the fixed board, easy bots, and tips."""
    table = replace(table, config=replace(table.config, scenario="beginner"), coached=(), lesson=True)
    table = AddComputer("easy", fill=True).on(table, None, by)
    check(table.config)
    return table


def rematch(table: Table, by: By) -> Table:
    """A rematch: a lobby like this finished table, with seats kept for the others. Codes: "not-member", "not-over"."""
    check_member(table, by.user)
    if table.open:
        raise RefereeError("not-over/rematch")
    host = (replace(m, phrase="", interaction=by.interaction, level="") for m in table.members if m.user == by.user)
    computers = (member for member in table.members if not member.is_person)
    others = (m for m in table.members if m.is_person and m.user < FORGOTTEN and m.user != by.user)
    fresh = replace(
        empty_table(table.guild, table.channel, table.config, by),
        anyone_starts=table.anyone_starts,
        options=table.options,
        invited=tuple(Guest(member.user, member.name) for member in others),
        barred=tuple(one for one in table.barred if not any(is_about(one, user) for user in table.users)),
        rematch_of=table.number,
        coached=table.coached,
        lesson=table.coached is not None,
    )
    return with_members(fresh, (*host, *computers))


def is_rematch(table: Table, finished: Table) -> bool:
    """Whether a table is the open rematch of a finished one."""
    return table.status == LOBBY and table.rematch_of == finished.number


def empty_table(guild: int | None, channel: int, config: Config, by: By) -> Table:
    """A lobby without anyone at it."""
    return Table(
        number=0,
        guild=guild,
        channel=channel,
        status=LOBBY,
        host=by.user,
        anyone_starts=False,
        config=config,
        members=(),
        commitment="",
        entropy=(),
        version=1,
        created=by.at,
        updated=by.at,
    )
