"""What is done at a table beside its game's own actions: what an act is, and by whom it is done."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from bot.table.checks import check_lobby, check_running
from bot.table.people import People
from bot.table.table import Table
from engine.errors import UnknownInput
from engine.game import Game
from engine.record import REFEREE


@dataclass(frozen=True, slots=True)
class By:
    """Who does something, and when."""

    user: int
    """0: nobody; the clock, say."""
    at: float
    """Seconds since the epoch."""
    people: People = field(default_factory=People)
    """What those at the table have chosen, and whoever comes to it."""
    interaction: str = ""
    """Id of the interaction by which they do it."""


class Act:
    """Something that can be done at a table: a frozen dataclass whose fields say what exactly.

    Its class says what it does, and refuses it where it can't be done. What follows from that, whoever does what,
    stands in `bot.table.rules`.
    """

    kind: ClassVar[str] = ""
    """Name under which it is kept in the table's log (`bot.table.log`), for ever."""
    in_game: ClassVar[bool] = True
    """Whether the table's game matters to it, where there is one."""
    looks: ClassVar[bool] = False
    """Whether it is what is done for a game at the time that was set for it, so that another has to be set."""
    plays: ClassVar[bool] = False
    """Whether it is an action of the game: where nobody notices one, nothing is done later because of it."""
    asks: ClassVar[bool] = False
    """Whether it goes by more of what people have chosen than by when they are away."""
    erases: ClassVar[bool] = False
    """Whether nothing may be left of what was before, so that the log begins anew; messages stay as they are."""
    log: ClassVar[str] = ""
    """What the log of the process tells of it; empty: nothing."""

    @staticmethod
    def kind_of(name: str) -> Any:
        """The type of the value that has a name in a field that maps names to whatever; raises `UnknownInput`."""
        raise UnknownInput(f"no type of {name!r}")

    @property
    def goes_on(self) -> bool:
        """Whether who does it goes on, and tells of it only when they are done."""
        return False

    def on(self, table: Table, game: Game | None, by: By) -> Table:
        """The table with it done; `game` is a copy, on which it may play. Raises `RefereeError` where it can't be."""
        raise NotImplementedError

    def acted(self, table: Table, game: Game, by: By) -> int:
        """The seat that acts in the game by it, as all may know; the game is as before."""
        return REFEREE


class GameAct(Act):
    """What can be done while a game is under way."""

    def on(self, table: Table, game: Game | None, by: By) -> Table:
        """Codes: "not-started", "archived", "over", and those of `during`."""
        check_running(table)
        assert game is not None
        return self.during(table, game, by)

    def during(self, table: Table, game: Game, by: By) -> Table:
        """The table with it done, and perhaps something played."""
        raise NotImplementedError


class LobbyAct(Act):
    """What can be done before the start."""

    in_game = False

    def on(self, table: Table, game: Game | None, by: By) -> Table:
        """Codes: "not-lobby", and those of `before_start`."""
        check_lobby(table)
        return self.before_start(table, by)

    def before_start(self, table: Table, by: By) -> Table:
        """The table with it done."""
        raise NotImplementedError
