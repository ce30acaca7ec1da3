"""Before the start: who is at the table, including bots, in which colors, and what they add to the chance; how the game
begins or is canceled. And how a table begins: with its host, as a first game, or as a rematch."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace
from hashlib import sha256

from bot.plaintext import TypedText, is_seen, safe_name
from bot.table.act import Act, By, LobbyAct, check_host, check_lobby, check_member
from bot.table.options import HURRIED
from bot.table.parts import Member
from bot.table.table import ARCHIVED, CANCELLED, LOBBY, RUNNING, Table, tell_standing
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

    Codes: "phrase", "full", "color", "color-taken".
    """

    kind = "join"
    name: str
    color: str | None = None
    phrase: str = ""

    def before_start(self, table: Table, by: By) -> Table:
        check_phrase(self.phrase)
        place = table.place_of(by.user)
        if place is None and len(table.members) >= max(SCENARIOS[table.config.scenario].players):
            table = _with_room(table)
        if self.color is not None:
            _check_color(table, by.user, self.color)
        name, asked = safe_name(self.name), self.color is not None
        if place is None:
            new = Member(by.user, name, self.color or "", asked, self.phrase, by.interaction)
            return with_members(table, (*table.members, new))
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

    def before_start(self, table: Table, by: By) -> Table:
        check_member(table, by.user)
        remaining = tuple(member for member in table.members if member.user != by.user)
        people = [member.user for member in remaining if member.is_person]
        if not people:
            return replace(table, status=CANCELLED)
        return replace(with_members(table, remaining), host=table.host if table.host != by.user else people[0])


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
        return with_members(table, tuple(member for member in table.members if member is not computers[-1]))


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


def check_start(table: Table, user: int) -> None:
    """Refuse unless the user can start the game, and it can be played as it is. Codes: "not-lobby", "not-member",
    "not-host", and those of `engine.scenarios.check` (a wrong number of players, colors)."""
    check_lobby(table)
    check_member(table, user)
    if user != table.host and not table.anyone_starts:
        raise RefereeError("not-host/start")
    check(table.config)


def _with_room(table: Table) -> Table:
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
        raise RefereeError("level", typed=TypedText(level), possible=Words(OFFERED))


def _check_color(table: Table, user: int, color: str) -> None:
    possible = SCENARIOS[table.config.scenario].colors or COLORS
    if color not in possible:
        raise RefereeError("color", typed=TypedText(color), possible=Words(possible))
    for member in table.members:
        if member.user != user and member.asked and member.color == color:
            free = set(possible) - {m.color for m in table.members if m.asked}
            listed = Words([c for c in possible if c in free])
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
    """A rematch: a lobby like this finished table, to which the others are invited. Codes: "not-member", "not-over"."""
    check_member(table, by.user)
    if table.open:
        raise RefereeError("not-over/rematch")
    host = (replace(m, phrase="", interaction=by.interaction, level="") for m in table.members if m.user == by.user)
    computers = (member for member in table.members if not member.is_person)
    fresh = replace(
        empty_table(table.guild, table.channel, table.config, by),
        anyone_starts=table.anyone_starts,
        options=table.options,
        invited=tuple(other for other in table.people if other != by.user),
        coached=table.coached,
        lesson=table.coached is not None,
    )
    return with_members(fresh, (*host, *computers))


def is_rematch(table: Table, finished: Table) -> bool:
    """Whether an open table is the rematch of a finished one: all who were there are at it or were asked to join,
    except the one who opened it and may have left it again."""
    others = set(finished.people) - {*table.people, *table.invited}
    return table.status == LOBBY and not finished.open and len(others) <= 1


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
