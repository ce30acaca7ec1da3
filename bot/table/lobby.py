"""The rules of a lobby: who sits at it, and how it begins; pure changes of a `Table`, or a `RefereeError`."""

from __future__ import annotations

import unicodedata
from dataclasses import fields, replace
from hashlib import sha256

from bot.params import Typed
from bot.plaintext import safe_name
from bot.table.options import TableOptions
from bot.table.table import ARCHIVED, CANCELLED, LOBBY, RUNNING, Member, Table, TableChoices
from engine.config import COLORS
from engine.errors import RefereeError
from engine.refusals import Word, Words
from engine.scenarios import SCENARIOS, check
from players import OFFERED

MOST_PHRASE = 100
"""Characters of a phrase."""
COMPUTERS = ("Bot Ada", "Bot Bo", "Bot Kai", "Bot Lou", "Bot Mia", "Bot Noa", "Bot Pip", "Bot Zoe")
"""Names of computers, which nobody takes for people."""
NO_TEXT = ("Cc", "Cs", "Zl", "Zp")
"""Categories of characters that are no text of one line."""


def phrased(table: Table, user: int, phrase: str) -> Table:
    """With a member's words for the chance of the game."""
    _in_lobby(table)
    if table.player(user) is None:
        raise RefereeError("not-member/phrase")
    _check_phrase(phrase)
    return replace(table, members=tuple(replace(m, phrase=phrase) if m.user == user else m for m in table.members))


def joined(table: Table, user: int, name: str, interaction: str, color: str | None = None, phrase: str = "") -> Table:
    """With the user at the table; who is there already gets the new colour and phrase."""
    _in_lobby(table)
    _check_phrase(phrase)
    place = table.player(user)
    scenario = SCENARIOS[table.config.scenario]
    if place is None and len(table.members) >= max(scenario.players):
        table = _with_a_place(table)
    if color is not None:
        _check_color(table, user, color)
    if place is None:
        member = Member(user, safe_name(name), color or "", color is not None, phrase, interaction)
        return seated(table, (*table.members, member))
    old = table.members[place]
    member = replace(
        old,
        name=safe_name(name),
        color=color or old.color,
        asked=old.asked or color is not None,
        phrase=phrase or old.phrase,
    )
    return seated(table, (*table.members[:place], member, *table.members[place + 1 :]))


def left(table: Table, user: int) -> Table:
    """Without the user; the next one is host, and nobody left means cancelled."""
    _in_lobby(table)
    check_member(table, user)
    rest = tuple(member for member in table.members if member.user != user)
    people = [member.user for member in rest if member.is_person]
    if not people:
        return replace(table, status=CANCELLED)
    return replace(seated(table, rest), host=table.host if table.host != user else people[0])


def with_computers(table: Table, user: int, level: str, fill: bool) -> Table:
    """With a computer more, or with one at each free place."""
    if table.status in (RUNNING, ARCHIVED):
        raise RefereeError("not-lobby/computer")
    check_host(table, user)
    _check_level(level)
    most = max(SCENARIOS[table.config.scenario].players)
    if len(table.members) >= most:
        raise _full(table)
    while len(table.members) < most:
        number = min(0, *table.users) - 1
        taken = {member.name for member in table.members}
        name = next(name for name in COMPUTERS if name not in taken)
        table = seated(table, (*table.members, Member(number, name, "", False, "", "", level)))
        if not fill:
            break
    return table


def lesson(table: Table, user: int) -> Table:
    """For a first game: the fixed board, computers that play easily, and tips."""
    table = replace(table, config=replace(table.config, scenario="beginner"))
    table = with_computers(
        replace(table, choices=replace(table.choices, coached=(), lesson=True)), user, "easy", fill=True
    )
    check(table.config)
    return table


def leveled(table: Table, user: int, level: str) -> Table:
    """With all computers at a level."""
    check_host(table, user)
    _check_level(level)
    members = tuple(m if m.is_person else replace(m, level=level) for m in table.members)
    return replace(table, members=members)


def without_computer(table: Table, user: int) -> Table:
    """Without the computer that came last."""
    check_host(table, user)
    computers = [member for member in table.members if not member.is_person]
    if not computers:
        raise RefereeError("no-computer")
    return seated(table, tuple(member for member in table.members if member is not computers[-1]))


def cancelled(table: Table, user: int) -> Table:
    """Given up before it began."""
    check_host(table, user)
    return replace(table, status=CANCELLED)


def closed(table: Table, user: int, name: str) -> Table:
    """Given up by who manages the channel."""
    _in_lobby(table)
    choices = replace(table.choices, manager=safe_name(name))
    return replace(table, status=CANCELLED, ended_by=user, choices=choices)


def check_start(table: Table, user: int) -> None:
    """Refuse unless the user may start and the game can be played as it stands."""
    _in_lobby(table)
    check_member(table, user)
    if user != table.host and not table.anyone_starts:
        raise RefereeError("not-host/start")
    check(table.config)


def again(table: Table, user: int, interaction: str, now: float) -> Table:
    """A lobby like this finished one, to which the others are invited."""
    check_member(table, user)
    if table.open:
        raise RefereeError("not-over/rematch")
    members = tuple(
        replace(member, phrase="", interaction=interaction, level="") for member in table.members if member.user == user
    )
    computers = tuple(member for member in table.members if not member.is_person)
    invited = tuple(other for other in table.people if other != user)
    old = table.choices
    kept = {one.name: getattr(old, one.name) for one in fields(TableOptions)}
    choices = TableChoices(**kept, invited=invited, coached=old.coached, lesson=old.coached is not None)
    fresh = replace(table, status=LOBBY, host=user, entropy=(), version=1, created=now, updated=now, choices=choices)
    return seated(fresh, (*members, *computers))


def entropy(table: Table, closing: str) -> tuple[str, ...]:
    """What the players mix into the chance: join interactions with the digests of phrases, then the closing message.

    The digest proves the same as the phrase, and stays when somebody wants their words forgotten.
    """
    parts = [part for m in table.members for part in (m.interaction, digest(m.phrase)) if part]
    return (*parts, closing)


def digest(phrase: str) -> str:
    """SHA-256 of a phrase as hex; of none, none."""
    return sha256(phrase.encode()).hexdigest() if phrase else ""


def seated(table: Table, members: tuple[Member, ...]) -> Table:
    """With these members; who asked for no colour keeps the one there was, or gets the first free one that can be
    played."""
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


def _with_a_place(table: Table) -> Table:
    """People come before computers: the one that came last makes room."""
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


def _in_lobby(table: Table) -> None:
    """Refuse unless the table is a lobby."""
    if table.status == LOBBY:
        return
    raise RefereeError(f"not-lobby/{table.status}")


def check_host(table: Table, user: int) -> None:
    """Refuse unless the user is the host of a lobby."""
    _in_lobby(table)
    check_member(table, user)
    check_is_host(table, user, table.host)


def check_is_host(table: Table, user: int, host: int) -> None:
    """Refuse all but who decides as host."""
    if user != host:
        raise RefereeError("not-host", host=next(member.name for member in table.members if member.user == host))


def check_member(table: Table, user: int) -> None:
    if table.player(user) is None:
        raise RefereeError("not-member")


def _check_phrase(phrase: str) -> None:
    if len(phrase) > MOST_PHRASE or any(unicodedata.category(c) in NO_TEXT for c in phrase):
        raise RefereeError("phrase", most=MOST_PHRASE)


def _check_color(table: Table, user: int, color: str) -> None:
    scenario = SCENARIOS[table.config.scenario]
    possible = scenario.colors or COLORS
    if color not in possible:
        raise RefereeError("color", typed=Typed(color), possible=Words(possible))
    for member in table.members:
        if member.user != user and member.asked and member.color == color:
            free = set(possible) - {m.color for m in table.members if m.asked}
            listed = Words([c for c in possible if c in free])
            raise RefereeError("color-taken", color=Word(color, capital=True), name=member.name, free=listed)
