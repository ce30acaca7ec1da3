"""What a person can bring about, by whatever control: who can do what at a table, and whose rows in the store change.

It is written from what players are told, not from the checks of the acts. A forged control that leads to such a change
has done no more than one that their client offers, or that they can open.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bot.discord.interaction import parse_id
from bot.table.acts.play import PERSON, Play
from bot.table.table import ARCHIVED, CANCELLED, LOBBY, OVER, RUNNING, Table
from engine.actions import AgreeToCallOff, AgreeToEnd, AskToBuild, Resign, SetStanding, Undo
from engine.game import Game
from tests.bot.oracle import Deed
from tests.wire.model import Json

MANAGE_CHANNELS, MANAGE_SERVER, ADMINISTRATOR = 1 << 4, 1 << 5, 1 << 3
Row = tuple[object, ...]
Who = Callable[[Deed, int, bool], bool]
"""Whether a user, who manages the channel or doesn't, can do something."""


def _anybody(deed: Deed, user: int, manages: bool) -> bool:
    return True


def _member(deed: Deed, user: int, manages: bool) -> bool:
    return user in deed.before.users


def _outsider(deed: Deed, user: int, manages: bool) -> bool:
    return user not in deed.before.users


def _host(deed: Deed, user: int, manages: bool) -> bool:
    return manages or user == deed.before.host


def _leader(deed: Deed, user: int, manages: bool) -> bool:
    """The host, or in a game a member who stands in for one who is away."""
    return _host(deed, user, manages) or (deed.before.status == RUNNING and user in deed.before.users)


def _starter(deed: Deed, user: int, manages: bool) -> bool:
    return _host(deed, user, manages) or (deed.before.anyone_starts and user in deed.before.users)


def _manager(deed: Deed, user: int, manages: bool) -> bool:
    return manages


def _invited(deed: Deed, user: int, manages: bool) -> bool:
    return deed.before.is_invited(user)


def _barred(deed: Deed, user: int, manages: bool) -> bool:
    return user in [one.user for one in deed.before.barred]


CAN: Mapping[str, tuple[Who, tuple[str, ...]]] = {
    "join": (_anybody, (LOBBY,)),
    "phrase": (_member, (LOBBY,)),
    "leave": (_member, (LOBBY,)),
    **dict.fromkeys(("computer", "no-computer", "level", "keep", "take-off", "let-back"), (_host, (LOBBY,))),
    "cancel": (_host, (LOBBY,)),
    "start": (_starter, (LOBBY,)),
    "no-thanks": (_invited, (LOBBY,)),
    "make-host": (_leader, (LOBBY, RUNNING)),
    "options": (_leader, (LOBBY, RUNNING)),
    **dict.fromkeys(("play", "propose", "agree", "replace", "wish", "no-wish", "orders"), (_member, (RUNNING,))),
    **dict.fromkeys(("return", "offer"), (_member, (RUNNING,))),
    "object": (_anybody, (RUNNING,)),
    **dict.fromkeys(("ask", "take"), (_outsider, (RUNNING,))),
    "decline": (_anybody, (RUNNING,)),
    "move": (_member, (RUNNING, ARCHIVED)),
    "take-up": (_member, (ARCHIVED,)),
    "call-off": (_manager, (RUNNING, ARCHIVED)),
    "told": (_barred, (LOBBY, RUNNING, ARCHIVED, OVER, CANCELLED)),
    "no-tips": (_member, (LOBBY, RUNNING, ARCHIVED, OVER, CANCELLED)),
    "rename": (_member, (LOBBY, RUNNING, ARCHIVED, OVER)),
    "forget": (_anybody, (LOBBY, OVER, CANCELLED)),
}
"""By the kind of act, who can do it, and at tables of which status."""
ANYTIME = (Resign, AgreeToEnd, AgreeToCallOff, SetStanding, AskToBuild)
"""Actions that no options list, since they need no decision."""
FOLLOWS = {"tips", "order", "back", "rename"}
"""Kinds of acts that no one asks for: they follow."""


def follows(deed: Deed) -> bool:
    """Whether an act can happen by itself just then: a bot's, the clock's, or what follows from any."""
    return deed.by.user <= 0 or not _in_person(deed) or deed.act.kind in FOLLOWS


SHOWN = ("show_leaders", "share")
"""Verbs that show everyone in the channel what only the person saw."""


def shows_everyone(payload: Json) -> bool:
    """Whether an interaction asks to show something to everyone in the channel."""
    data = payload["data"] if isinstance(payload["data"], dict) else {}
    address = parse_id(str(data.get("custom_id")))
    return data.get("name") == "board" or (address is not None and address.verb in SHOWN)


def _in_person(deed: Deed) -> bool:
    return not isinstance(deed.act, Play) or deed.act.how == PERSON


@dataclass(frozen=True)
class Change:
    """What one interaction has changed."""

    payload: Json
    user: int
    rows: Mapping[str, frozenset[Row]]
    """By the store's table, rows that are new or were there before."""
    deeds: list[Deed]
    games: Mapping[int, Game]
    """Games as they were before."""
    unexplained: list[int]
    """Numbers of tables that have changed, although no act is known."""
    opened: list[Table]
    """Tables that are new."""
    plays_in: frozenset[int]
    """The channels of the person's other tables."""

    @property
    def rights(self) -> int:
        """What the person can do in the channel, as Discord has sent it."""
        member = self.payload.get("member") or {}
        return int(member.get("permissions") or 0)

    @property
    def manages_channel(self) -> bool:
        return bool(self.rights & (MANAGE_CHANNELS | MANAGE_SERVER | ADMINISTRATOR))

    def unlawful(self) -> list[str]:
        """What the person can't have brought about."""
        found = [f"{deed.act} at table {deed.before.number}" for deed in self._mine if not self._can(deed)]
        found += [f"{deed.act} by {deed.by.user}" for deed in self.deeds if not (deed in self._mine or follows(deed))]
        found += [f"table {number} changed without an act" for number in self.unexplained]
        found += [f"opened {table.number}" for table in self.opened if not self._can_open(table)]
        for name, rows in self.rows.items():
            if not all(self._is_theirs(name, row) for row in rows):
                found.append(f"{name}: {' | '.join(str(row)[:300] for row in sorted(rows, key=str)[:3])}")
        return found

    @property
    def _mine(self) -> list[Deed]:
        return [deed for deed in self.deeds if deed.by.user == self.user and _in_person(deed)]

    def _can(self, deed: Deed) -> bool:
        before, act = deed.before, deed.act
        who, statuses = CAN.get(act.kind, (None, ()))
        manages = self.manages_channel and str(before.channel) == self.payload["channel_id"]
        if who is None:
            return act.kind in FOLLOWS
        if before.status not in statuses or not who(deed, self.user, manages):
            return False
        if isinstance(act, Play) and isinstance(act.action, SetStanding):  # a setting, chosen anywhere for all games
            return self.user in before.users
        guild = self.payload.get("guild_id")
        here = self._is_here(before) or self.user in before.users
        return (
            here and guild in (None, str(before.guild)) and (not isinstance(act, Play) or self._can_play(before, act))
        )

    def _can_play(self, before: Table, act: Play) -> bool:
        """Whether a player's client offers an action: it is legal, and the control isn't of an earlier decision."""
        game = self.games[before.number]
        seat = before.seat_of(game, self.user)
        data = self.payload["data"]
        address = parse_id(data["custom_id"]) if isinstance(data.get("custom_id"), str) else None
        if seat is None:
            return False
        if address is not None and address.decision not in ("", game.decision(seat)):
            return False
        action, options = act.action, game.options(seat)
        if isinstance(action, Undo):
            return game.can_undo(seat)
        listed = type(action) in options and action in options[type(action)]
        return listed or isinstance(action, ANYTIME)

    def _is_here(self, table: Table) -> bool:
        """Whether a table is in the present channel, or in one where the person plays."""
        return str(table.channel) == self.payload["channel_id"] or table.channel in self.plays_in

    def _can_open(self, table: Table) -> bool:
        return table.host == self.user and str(table.channel) == self.payload["channel_id"]

    def _is_theirs(self, name: str, row: Row) -> bool:
        """Whether a row is the person's own, or is about a table, whose changes are acts."""
        guild = self.payload.get("guild_id")
        if name == "people":
            return row[1] == self.user
        if name == "subscriptions":
            return row[2] in (self.user, 0) and str(row[1]) == guild
        if name in ("servers", "overviews"):
            server = bool(self.rights & (MANAGE_SERVER | ADMINISTRATOR))
            return str(row[1]) == guild and server
        return True
