"""Keeps what reaches people over days: which message notifies whom, and what happens in the channel meanwhile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import pytest

from bot.discord.show import channels
from bot.discord.show.private import occasion
from bot.projections import Kind
from bot.table.options import DAY
from bot.table.table import Table
from bot.table.time import Wait
from bot.table.waiting import decisions
from engine.game import Game
from tests.bot.discord.hall import Hall

REMIND = "ping:remind."
"""Prefix of the projections of reminders in the channel."""
KINDS = {
    "hand": "hands",
    "offer": "offers",
    "replacing": "votes",
    "replaced": "votes",
    "closed": "notes",
}
"""What a call is about, by the first part of its projection's name; all other calls are about decisions."""
DEEDS = {"MESSAGE_CREATE": "posts", "MESSAGE_UPDATE": "edits", "MESSAGE_DELETE": "deletions"}


@dataclass(frozen=True, slots=True)
class Call:
    """One person's notification by a new message."""

    at: float
    user: int
    name: str
    """Name of the message's projection."""
    direct: bool
    """Whether it was a direct message."""
    wait: Wait | None
    """The game's wait for the person's decision at that time, if any."""
    occasion: str
    """Occasion for a direct message with their hand: what they must decide or learn immediately."""

    @property
    def kind(self) -> str:
        """What the call is about, roughly."""
        if self.reminds:
            return "reminders"
        name = self.name.removeprefix("ping:").partition(":")[0].partition(".")[0]
        return KINDS.get(name, "decisions")

    @property
    def reminds(self) -> bool:
        """Whether the call is a reminder."""
        return self.name.startswith((REMIND, Kind.REMINDER))


class Mailbox:
    """All messages posted, edited or deleted in a hall's channel, and whom the bot notifies, there or elsewhere."""

    def __init__(self, hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
        self.hall, self.begun = hall, hall.env.now().timestamp()
        self.calls: list[Call] = []
        self.deeds: list[tuple[float, str]] = []
        self._posted: ContextVar[tuple[str, Table, Game | None] | None] = ContextVar("posted", default=None)
        post: Any = channels.post

        async def posting(client: Any, channel: int, table: Table, name: str, since: int, said: Any, **how: Any) -> Any:
            game = await hall.services.repository.game(table.number) if table.entropy else None
            token = self._posted.set((name, table, game))
            try:
                return await post(client, channel, table, name, since, said, **how)
            finally:
                self._posted.reset(token)

        monkeypatch.setattr(channels, "post", posting)
        hall.env.backend.subscribers.append(self._happened)

    def _happened(self, event: str, payload: Mapping[str, Any]) -> None:
        if event not in DEEDS:
            return
        backend, number = self.hall.env.backend, int(payload["channel_id"])
        now, channel = self.hall.env.now().timestamp(), backend.channels[number]
        if number == self.hall.channel.id:
            self.deeds.append((now, DEEDS[event]))
        if event == "MESSAGE_CREATE" and (posted := self._posted.get()):  # not for answers to interactions
            direct = channel.guild_id is None
            message = backend.messages[number][int(payload["id"])]
            called = [u for u in channel.recipient_ids if u != backend.bot_user.id] if direct else message.ping_user_ids
            self.calls += [self._call(now, user, direct, *posted) for user in called]

    def _call(self, now: float, user: int, direct: bool, name: str, table: Table, game: Game | None) -> Call:
        seat = None if game is None else table.seat_of(game, user)
        if game is None or seat is None:
            return Call(now, user, name, direct, None, "")
        wait = next((wait for wait in decisions(table) if wait.seat == seat), None)
        return Call(now, user, name, direct, wait, occasion(game.view(seat), seat))

    @property
    def days(self) -> int:
        """How many days have begun."""
        return self.day(self.hall.env.now().timestamp())

    def day(self, at: float) -> int:
        """The day of a moment; the first day is 1."""
        return int((at - self.begun) // DAY) + 1

    def of(self, user: int) -> list[Call]:
        """A user's calls."""
        return [call for call in self.calls if call.user == user]

    def daily(self, user: int) -> Counter[int]:
        """How often a user was notified, by day."""
        return Counter(self.day(call.at) for call in self.of(user))

    def lines(self, people: Sequence[tuple[str, int]]) -> Iterator[str]:
        """Lines of a table: how many messages notified each person on each day, and what happened in the channel."""
        calls = [(who, self.day(call.at)) for who, user in people for call in self.of(user)]
        counts = Counter([*calls, *((deed, self.day(at)) for at, deed in self.deeds)])
        columns = [*(who for who, _ in people), *DEEDS.values()]
        rows = [[day, *(counts[column, day] for column in columns)] for day in range(1, self.days + 1)]
        return _table(["day", *columns], [*rows, ["all", *map(sum, zip(*(row[1:] for row in rows), strict=True))]])

    def kinds(self, people: Sequence[tuple[str, int]]) -> Iterator[str]:
        """Lines of a table: what the messages to each person were about."""
        counts = Counter((call.user, call.kind) for call in self.calls)
        kinds = sorted({call.kind for call in self.calls})
        return _table(["", *kinds], [[who, *(counts[user, kind] for kind in kinds)] for who, user in people])


def _table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> Iterator[str]:
    for row in (head, *rows):
        yield "  ".join(str(cell).rjust(max(len(name), 6)) for name, cell in zip(head, row, strict=True))
