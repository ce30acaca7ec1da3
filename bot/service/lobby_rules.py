"""The rules of a lobby: pure changes of a `Table`, or a `RefereeError`."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypedDict

from bot.models import ARCHIVED, CANCELLED, DECIDE, LOBBY, REMIND, RUNNING, VOTE, Member, Table, TableChoices
from bot.params import Typed
from bot.plaintext import safe_name
from engine.config import COLORS, LAYOUTS, Config
from engine.errors import ConfigError, RefereeError
from engine.refusals import Word, Words
from engine.rules import data_of
from engine.scenarios import SCENARIOS, check
from players import OFFERED

MOST_PHRASE = 100
"""Characters of a phrase."""
COMPUTERS = ("Bot Ada", "Bot Bo", "Bot Kai", "Bot Lou", "Bot Mia", "Bot Noa", "Bot Pip", "Bot Zoe")
"""Names of computers, which nobody takes for people."""
LONGEST_PAUSE = 60
"""Seconds that a computer may take for its turn."""
SHORTEST_PACE, LONGEST_PACE, HURRIED = 120, 14 * 86_400, 3600
"""Seconds for a decision; up to how many it is a pace of minutes."""
EXPIRIES = (REMIND, DECIDE, VOTE)
LONGEST_LEAVE = 60
"""Days of vacation in which somebody's time doesn't run."""
FIXED = {"hints", "pace", "expiry", "leave"}
"""Settings that the host alone can't change any more once the game runs."""
NO_TEXT = ("Cc", "Cs", "Zl", "Zp")
"""Categories of characters that are no text of one line."""


class Options(TypedDict, total=False):
    """What can be chosen in the lobby; left out: as it was. See `engine.config.Config`."""

    scenario: str
    edition: str
    variants: Sequence[str]
    target: int
    layout: str
    options: Mapping[str, str]
    shuffle_seats: bool
    round_limit: int
    answer_time: int
    anyone_starts: bool


class TableSettings(TypedDict, total=False):
    """What can be set beside the configuration; left out: as it was. See `bot.models.TableChoices`."""

    look: Mapping[str, bool]
    pause: int
    hints: bool
    pace: int
    expiry: str
    leave: int


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
        return _seated(table, (*table.members, member))
    old = table.members[place]
    member = replace(
        old,
        name=safe_name(name),
        color=color or old.color,
        asked=old.asked or color is not None,
        phrase=phrase or old.phrase,
    )
    return _seated(table, (*table.members[:place], member, *table.members[place + 1 :]))


def left(table: Table, user: int) -> Table:
    """Without the user; the next one is host, and nobody left means cancelled."""
    _in_lobby(table)
    _at_table(table, user)
    rest = tuple(member for member in table.members if member.user != user)
    people = [member.user for member in rest if member.is_person]
    if not people:
        return replace(table, status=CANCELLED)
    return replace(_seated(table, rest), host=table.host if table.host != user else people[0])


def with_computers(table: Table, user: int, level: str, fill: bool) -> Table:
    """With a computer more, or with one at each free place."""
    if table.status in (RUNNING, ARCHIVED):
        raise RefereeError("not-lobby/computer")
    _as_host(table, user)
    _check_level(level)
    most = max(SCENARIOS[table.config.scenario].players)
    if len(table.members) >= most:
        raise _full(table)
    while len(table.members) < most:
        number = min(0, *table.users) - 1
        taken = {member.name for member in table.members}
        name = next(name for name in COMPUTERS if name not in taken)
        table = _seated(table, (*table.members, Member(number, name, "", False, "", "", level)))
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
    _as_host(table, user)
    _check_level(level)
    members = tuple(m if m.is_person else replace(m, level=level) for m in table.members)
    return replace(table, members=members)


def without_computer(table: Table, user: int) -> Table:
    """Without the computer that came last."""
    _as_host(table, user)
    computers = [member for member in table.members if not member.is_person]
    if not computers:
        raise RefereeError("no-computer")
    return _seated(table, tuple(member for member in table.members if member is not computers[-1]))


def configured(table: Table, user: int, changes: Options) -> Table:
    """With other options; refused when no number of players could play it."""
    _as_host(table, user)
    old = table.config
    scenario = changes.get("scenario", old.scenario)
    known = SCENARIOS.get(scenario)
    layout = changes.get("layout", old.layout)
    if known and "layout" not in changes and layout not in (known.layouts or LAYOUTS[:1]):
        layout = LAYOUTS[0]
    own = dict(old.options) if scenario == old.scenario else {}
    given = changes.get("options", {})
    own.update(given)
    config = replace(
        old,
        scenario=scenario,
        edition=changes.get("edition", old.edition),
        variants=tuple(changes.get("variants", old.variants)),
        target=changes.get("target", old.target),
        layout=layout,
        options=tuple(sorted(own.items())),
        shuffle_seats=changes.get("shuffle_seats", old.shuffle_seats),
        round_limit=changes.get("round_limit", old.round_limit),
        answer_time=changes.get("answer_time", old.answer_time),
    )
    if known:  # what went only with another choice goes with it
        kept = given.keys() | {option.name for option in known.offered(config)}
        config = replace(config, options=tuple((name, value) for name, value in config.options if name in kept))
    _check_for_anyone(config)
    anyone = changes.get("anyone_starts", table.anyone_starts)
    return _seated(replace(table, config=config, anyone_starts=anyone), table.members)


def arranged(table: Table, user: int, changes: TableSettings) -> Table:
    """With other public pictures or another pace of computers, in the lobby or in the game; with hints or without."""
    _at_table(table, user)
    _is_host(table, user)
    if not table.open or (table.status != LOBBY and FIXED & set(changes)):
        raise RefereeError(f"not-lobby/{table.status}")
    if not 0 <= changes.get("pause", 0) <= LONGEST_PAUSE:
        raise RefereeError("pause", most=LONGEST_PAUSE)
    if not 0 <= changes.get("leave", 0) <= LONGEST_LEAVE:
        raise RefereeError("leave", most=LONGEST_LEAVE)
    check_pace(changes.get("pace", 0), changes.get("expiry", REMIND))
    old = table.choices
    choices = replace(
        old,
        look=replace(old.look, **changes.get("look", {})),
        pause=changes.get("pause", old.pause),
        hints=changes.get("hints", old.hints),
        pace=changes.get("pace", old.pace),
        expiry=changes.get("expiry", old.expiry),
        leave=changes.get("leave", old.leave),
    )
    return replace(table, choices=choices)


def check_pace(pace: int, expiry: str) -> None:
    """Refuse a time for a decision that is out of range, and what can't follow it. Codes: "pace", "expiry"."""
    if pace and not SHORTEST_PACE <= pace <= LONGEST_PACE:
        raise RefereeError("pace")
    if expiry not in EXPIRIES:
        raise RefereeError("expiry", typed=Typed(expiry), possible=Words(EXPIRIES))


def cancelled(table: Table, user: int) -> Table:
    """Given up before it began."""
    _as_host(table, user)
    return replace(table, status=CANCELLED)


def closed(table: Table, user: int) -> Table:
    """Given up by who manages the channel."""
    _in_lobby(table)
    return replace(table, status=CANCELLED, ended_by=user)


def check_start(table: Table, user: int) -> None:
    """Refuse unless the user may start and the game can be played as it stands."""
    _in_lobby(table)
    _at_table(table, user)
    if user != table.host and not table.anyone_starts:
        raise RefereeError("not-host/start")
    check(table.config)


def again(table: Table, user: int, interaction: str, now: float) -> Table:
    """A lobby like this finished one, to which the others are invited."""
    _at_table(table, user)
    if table.open:
        raise RefereeError("not-over/rematch")
    members = tuple(
        replace(member, phrase="", interaction=interaction, level="") for member in table.members if member.user == user
    )
    computers = tuple(member for member in table.members if not member.is_person)
    invited = tuple(other for other in table.people if other != user)
    old = table.choices
    choices = TableChoices(
        look=old.look,
        invited=invited,
        coached=old.coached,
        lesson=old.coached is not None,
        hints=old.hints,
        pause=old.pause,
        pace=old.pace,
        expiry=old.expiry,
        leave=old.leave,
    )
    fresh = replace(table, status=LOBBY, host=user, entropy=(), version=1, created=now, updated=now, choices=choices)
    return _seated(fresh, (*members, *computers))


def with_requests(table: Table) -> Table:
    """At a pace of minutes a special building phase opens with a window for late requests (J2)."""
    pace = table.choices.pace
    opens = 0 < pace <= HURRIED and data_of(table.config).special_building
    return replace(table, config=replace(table.config, request_time=max(min(60, pace // 4), 15) if opens else 0))


def entropy(table: Table, closing: str) -> tuple[str, ...]:
    """What the players mix into the chance: join interactions with phrases, then the closing message."""
    parts = [part for m in table.members for part in (m.interaction, m.phrase) if part]
    return (*parts, closing)


def _seated(table: Table, members: tuple[Member, ...]) -> Table:
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


def _as_host(table: Table, user: int) -> None:
    """Refuse unless the user is the host of a lobby."""
    _in_lobby(table)
    _at_table(table, user)
    _is_host(table, user)


def _is_host(table: Table, user: int) -> None:
    if user != table.host:
        host = next(member.name for member in table.members if member.user == table.host)
        raise RefereeError("not-host", host=host)


def _at_table(table: Table, user: int) -> None:
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


def _check_for_anyone(config: Config) -> None:
    """Refuse what no number of players could play; how many there are counts at the start."""
    scenario = SCENARIOS.get(config.scenario)
    if scenario is None:
        check(config)
        return
    for players in scenario.players:
        try:
            check(replace(config, colors=scenario.colors_for(players)[:players]))
            return
        except ConfigError as error:
            refusal = error
    raise refusal
