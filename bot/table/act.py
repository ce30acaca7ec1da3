"""Acts: what is done at a table in addition to its game's actions, and who does it. And checks of when something can be
done, and who can do it; each raises a `RefereeError`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from bot.table.guests import check_not_barred
from bot.table.table import ARCHIVED, CANCELLED, LOBBY, OVER, RUNNING, People, Table
from engine.errors import RefereeError
from engine.game import Game
from engine.record import REFEREE


@dataclass(frozen=True, slots=True)
class By:
    """Who does something, and when."""

    user: int
    """0: no one, for example the clock."""
    at: float
    """Seconds since the epoch."""
    people: People = field(default_factory=People)
    """Settings of the people at the table, and of a person who joins it."""
    interaction: str = ""
    """Id of the interaction by which they do it."""
    manages: bool = False
    """Whether they manage the table's channel or server, and so may do before the start what a host may; the caller has
    checked that."""


class Act:
    """Something that can be done at a table: a frozen dataclass whose fields hold the details.

    Its class does the act, and refuses it if it is impossible. What follows from all acts, no matter who does them, is
    in `bot.table.rules`.
    """

    kind: ClassVar[str] = ""
    """Its name in tables' audits, which never changes."""
    in_game: ClassVar[bool] = True
    """Whether the act needs the table's game, if there is one."""
    is_scheduled_look: ClassVar[bool] = False
    """Whether the act is the scheduled look after a game, so that the next look must be set."""
    changes_times: ClassVar[bool] = False
    """Whether a person's settings have changed by which times are reckoned: then the next look must be set, too."""
    plays: ClassVar[bool] = False
    """Whether the act is an action of the game. If no one can notice such an action, no later jobs follow from it."""
    is_shown: ClassVar[bool] = True
    """Whether messages must show what the act changes; otherwise they stay as they are."""
    log: ClassVar[str] = ""
    """What the process's log says about the act; empty: nothing."""

    @property
    def notifies_later(self) -> bool:
        """Whether the player who acts, a bot, goes on, so that listeners are notified only at the end of its turn."""
        return False

    @property
    def is_vote(self) -> bool:
        """Whether a player only says how the game should end. That gives a decision no more time, who is late stays
        late, and others' votes to replace them stay: else one vote an hour would keep the others waiting without
        end."""
        return False

    def on(self, table: Table, game: Game | None, by: By) -> Table:
        """The table after the act. `game` is a copy, on which the act can play. Raises `RefereeError` if refused."""
        raise NotImplementedError

    def as_before(self, table: Table) -> Table:
        """The table before the act, to which the one after it is compared. Different if it changes how someone is
        called."""
        return table

    def acted(self, table: Table, game: Game, by: By) -> int:
        """The seat that acts in the game, as far as all may know; else `REFEREE`. `game`: as it was before the act."""
        return REFEREE


class GameAct(Act):
    """What can be done while a game is running."""

    def on(self, table: Table, game: Game | None, by: By) -> Table:
        """Codes: "not-started", "archived", "over", and those of `during`."""
        check_running(table)
        assert game is not None
        return self.during(table, game, by)

    def during(self, table: Table, game: Game, by: By) -> Table:
        """The table after the act, which can also play on `game`."""
        raise NotImplementedError


class LobbyAct(Act):
    """What can be done before the start."""

    in_game = False

    def on(self, table: Table, game: Game | None, by: By) -> Table:
        """Codes: "not-lobby", and those of `before_start`."""
        if table.status in (RUNNING, ARCHIVED):
            raise RefereeError(f"not-lobby/{self.instead(table, by)}")
        check_lobby(table)
        return self.before_start(table, by)

    def instead(self, table: Table, by: By) -> str:
        """Which sentence says that the game has started, and what the person can do instead, if anything."""
        return table.status

    def before_start(self, table: Table, by: By) -> Table:
        """The table after the act."""
        raise NotImplementedError


# --- checks


def check_lobby(table: Table) -> None:
    """Refuse a table that isn't a lobby anymore. Code: "not-lobby"."""
    if table.status != LOBBY:
        raise RefereeError(f"not-lobby/{table.status}")


def check_running(table: Table) -> None:
    """Refuse a table whose game isn't running. Codes: "not-started", "archived", "over"."""
    if table.status in (LOBBY, CANCELLED):
        raise RefereeError("not-started", number=table.number)
    if table.status == ARCHIVED:
        raise RefereeError("archived")
    if table.status == OVER:
        raise RefereeError("over")


def check_member(table: Table, user: int) -> None:
    """Refuse a user who isn't at the table. Codes: "barred", "not-member"."""
    if table.place_of(user) is None:
        check_not_barred(table, user)
        raise RefereeError("not-member")


def check_host(table: Table, by: By, host: int | None = None) -> None:
    """Refuse all but the host, and before the start those who manage the channel. `host`: the user who decides as host
    now. Codes: "not-member", "not-host"."""
    if by.manages and table.status == LOBBY:
        return
    check_member(table, by.user)
    host = table.host if host is None else host
    if by.user != host:
        raise RefereeError("not-host", host=table.member(host).name)
