"""The game service: one lock per game, each interaction has one effect, and what is told has been stored."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict, Unpack

from bot.store import Store
from bot.tables import Projection, Table, UserSettings
from engine.actions import Action
from engine.events import Event
from engine.game import Game
from engine.view import View


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
    anyone_starts: bool


@dataclass(frozen=True, slots=True)
class Played:
    """An accepted action, stored. `events` are what it did as the player may see it."""

    table: Table
    """After the action; mark what you show of it with `table.version`."""
    game: Game
    """After the action; never changes (a later action makes another `Game`). When repeated: the latest."""
    seat: int
    revision: int
    """Number of records with this action."""
    events: tuple[Event, ...]
    repeated: bool
    """The interaction had been carried out before; this is its earlier result."""

    @property
    def view(self) -> View:
        """The game as the player may see it."""
        return self.game.view(self.seat)


class Service:
    """All methods are coroutines but `peek`, `seat_of`, `user_at` and `drop_cache`.

    Refusals are `RefereeError` with a code and one sentence for the person; they leave no trace. Everything else
    that is raised is a bug or a broken disk. Interaction ids are strings, unique in a run; one that has been
    carried out before has no second effect and gives its result again, also after a restart. Every change goes
    on to its end when the caller is cancelled. A `Game` or `Table` handed out never changes and is always stored.
    """

    def __init__(
        self,
        store: Store,
        *,
        now: Callable[[], float] = time.time,
        entropy: Callable[[int], bytes] = os.urandom,
        games: int = 256,
    ) -> None:
        """`now` in seconds since the epoch, `entropy(n)` n secret bytes, `games` kept in memory."""

    # --- the lobby; each returns the table as it stands afterwards

    async def new_table(
        self,
        guild: int | None,
        channel: int,
        user: int,
        name: str,
        interaction: str,
        *,
        color: str | None = None,
        phrase: str = "",
    ) -> Table:
        """Open a lobby and join it as host; commitment and panel become due.

        Codes: "channel-busy", "color", "phrase".
        """
        raise NotImplementedError

    async def join(
        self, number: int, user: int, name: str, interaction: str, *, color: str | None = None, phrase: str = ""
    ) -> Table:
        """Join a lobby; who has joined may join again with another colour or phrase.

        Codes: "no-table", "not-lobby", "full", "color", "color-taken", "phrase".
        """
        raise NotImplementedError

    async def leave(self, number: int, user: int, interaction: str) -> Table:
        """Leave a lobby: the next one becomes host; with nobody left the table is cancelled.

        Codes: "no-table", "not-lobby", "not-member".
        """
        raise NotImplementedError

    async def set_options(
        self, number: int, user: int, interaction: str, **changes: Unpack[Options]
    ) -> Table:
        """Change options, as host. What no number of players could play is refused at once (`ConfigError`).

        A new scenario keeps what it can of the layout and drops the other scenario's own options.
        Codes: "no-table", "not-lobby", "not-member", "not-host", and those of `engine.scenarios.check`.
        """
        raise NotImplementedError

    async def cancel(self, number: int, user: int, interaction: str) -> Table:
        """Cancel a lobby, as host (a running game ends by `agree_to_end`). Codes as `set_options`."""
        raise NotImplementedError

    async def may_start(self, number: int, user: int) -> Table:
        """Refuse just as `start` would; to be asked before the closing message is posted. Changes nothing."""
        raise NotImplementedError

    async def start(self, number: int, user: int, closing: str, interaction: str) -> Table:
        """Deal the game. `closing` is the id of the message that closed the table: the last part of the chance.

        Panel and all hands become due. Codes: "no-table", "not-lobby", "not-member", "not-host",
        and those of `engine.scenarios.check` (wrong number of players, colours).
        """
        raise NotImplementedError

    async def rematch(self, number: int, user: int, name: str, interaction: str) -> Table:
        """A new lobby in the same channel, same people and options, hosted by `user`, after the end of a game.

        Codes: "no-table", "not-member", "not-over", "channel-busy".
        """
        raise NotImplementedError

    # --- the game

    async def play(
        self, number: int, user: int, action: Action, *, decision: str | None, interaction: str
    ) -> Played:
        """Play an action. `decision` is `Game.decision(seat)` from the button, None for a typed command.

        Panel and the hands that changed become due; the seed, when the game is over.
        Codes: "no-table", "not-started", "not-playing", "stale", "over", and those of `IllegalAction`.
        """
        raise NotImplementedError

    async def resign(self, number: int, user: int, interaction: str) -> Played:
        """`play` of `Resign` (I7)."""
        raise NotImplementedError

    async def agree_to_end(self, number: int, user: int, interaction: str, *, agree: bool = True) -> Played:
        """`play` of `AgreeToEnd` (I6)."""
        raise NotImplementedError

    async def game(self, number: int) -> Game:
        """The game as stored, from memory or by replay; never waits for the game's lock (autocomplete).

        Codes: "no-table", "not-started".
        """
        raise NotImplementedError

    def peek(self, number: int) -> Game | None:
        """The game as stored if it is in memory."""
        raise NotImplementedError

    # --- who and where

    async def table(self, number: int) -> Table:
        """A table of any status. Code: "no-table"."""
        raise NotImplementedError

    async def in_channel(self, channel: int) -> Table | None:
        """The lobby or running game of a channel or thread."""
        raise NotImplementedError

    async def latest(self, channel: int) -> Table | None:
        """The latest table of a channel, whatever its status."""
        raise NotImplementedError

    @staticmethod
    def seat_of(table: Table, game: Game, user: int) -> int | None:
        """The user's seat (seats may have been shuffled, C1), None when not playing."""
        raise NotImplementedError

    @staticmethod
    def user_at(table: Table, game: Game, seat: int) -> int:
        """The user in a seat."""
        raise NotImplementedError

    async def rename(self, number: int, user: int, name: str) -> Table:
        """Note a member's present display name; does nothing when it is the same or they aren't at the table."""
        raise NotImplementedError

    # --- what is shown (no fsync: rides in the next commit)

    async def shown(
        self, number: int, what: str, version: int, *, channel: int | None = None, message: int | None = None
    ) -> None:
        """Note that `what` shows a version, in which message (None: the same message as before).

        Unknown names are fine: a ping, an old panel. A later version that was noted stays.
        """
        raise NotImplementedError

    async def gone(self, number: int, what: str) -> None:
        """Forget a projection: its message was deleted, or nothing is left to do about it."""
        raise NotImplementedError

    async def projections(self, number: int) -> dict[str, Projection]:
        """All that is, or must be, visible of a game, by name."""
        raise NotImplementedError

    async def pending(self) -> list[tuple[Table, tuple[Projection, ...]]]:
        """Tables of this run with what is not yet shown: for redrawing after a restart or an outage."""
        raise NotImplementedError

    # --- people, and the rest

    async def settings(self, user: int) -> UserSettings:
        """Somebody's settings, or the defaults."""
        raise NotImplementedError

    async def change_settings(
        self,
        user: int,
        *,
        dms: bool | None = None,
        dms_closed: bool | None = None,
        standing: int | None = None,
    ) -> UserSettings:
        """Change settings; None: as it was. Switching DMs on forgets that they were closed.

        Code: "standing" (1 to 20 cards).
        """
        raise NotImplementedError

    async def export(self, number: int) -> dict[str, Any]:
        """The finished game as JSON data, seed included, for `verify`. Codes: "no-table", "not-over"."""
        raise NotImplementedError

    def drop_cache(self) -> None:
        """Forget everything in memory; it is read again from the store when needed."""
        raise NotImplementedError
