"""Where a game is played: it is moved to another channel, voided by the channel's managers, put away, resumed, given
up."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.plaintext import safe_name
from bot.table.act import Act, By
from bot.table.table import ARCHIVED, OVER, RUNNING, Table, stopped
from bot.table.waiting import restarted
from engine.actions import CallOff
from engine.errors import RefereeError
from engine.game import Game
from engine.record import REFEREE


@dataclass(frozen=True, slots=True)
class MoveGame(Act):
    """Move the game to another channel of its server. Only its host can move a running game, unless it can't be shown
    (`anybody`): then any player can, and all times start over. Moving an archived game resumes it. `busy`: the open
    table of the new channel.

    Codes: "not-started", "over", "not-playing", "not-host", "channel-busy", "same-channel".
    """

    kind = "move"
    channel: int
    anybody: bool = False
    busy: Table | None = None
    log = "moved to another channel"

    def on(self, table: Table, game: Game | None, by: By) -> Table:
        if table.place_of(by.user) is None:
            raise RefereeError("not-playing")
        if table.status not in (RUNNING, ARCHIVED):
            raise RefereeError("over" if table.status == OVER else "not-started", number=table.number)
        if table.channel == self.channel and table.status == RUNNING:
            raise RefereeError("same-channel")
        assert game is not None
        _check_not_left(table, game, by.user)
        host, archived = table.host_in(game), table.status == ARCHIVED
        if by.user != host and not self.anybody and not archived:
            raise RefereeError("not-host/move", host=table.member(host).name)
        if self.busy is not None:
            raise RefereeError(f"channel-busy/{self.busy.status}", number=self.busy.number)
        table = replace(table, channel=self.channel)
        if archived:
            return _awake(table, game, by)
        table = _called_by_panel(table)
        return restarted(table, game, by.at) if self.anybody else table


@dataclass(frozen=True, slots=True)
class VoidGame(Act):
    """Void the game, as a person of that name who manages the channel (the caller has checked that).

    Codes: "not-started", "over".
    """

    kind = "call-off"
    name: str
    log = "voided by someone who manages the channel"

    def on(self, table: Table, game: Game | None, by: By) -> Table:
        if table.status not in (RUNNING, ARCHIVED):
            raise RefereeError("over")
        assert game is not None
        game.play(REFEREE, CallOff())
        return replace(table, ended_by=by.user, manager=safe_name(self.name))


@dataclass(frozen=True, slots=True)
class Resume(Act):
    """Resume an archived game, as one of its players. `busy`: its channel's open table.

    Codes: "not-playing", "not-archived", "channel-busy".
    """

    kind = "take-up"
    busy: Table | None = None
    log = "resumed"

    def on(self, table: Table, game: Game | None, by: By) -> Table:
        if table.place_of(by.user) is None:
            raise RefereeError("not-playing/resume")
        if table.status != ARCHIVED:
            raise RefereeError("not-archived", number=table.number)
        if self.busy is not None:
            raise RefereeError("channel-busy", number=self.busy.number, waiting=table.number)
        assert game is not None
        _check_not_left(table, game, by.user)
        return _awake(table, game, by)


@dataclass(frozen=True, slots=True)
class Warn(Act):
    """Warn all that the table will be put away, unless it has been touched since `updated`."""

    kind = "warn"
    updated: float
    in_game = False

    def on(self, table: Table, game: Game | None, by: By) -> Table:
        return replace(table, warned=by.at) if table.open and table.updated == self.updated else table


@dataclass(frozen=True, slots=True)
class CloseUnused(Act):
    """Give a table that has long been untouched, or whose channel is gone, another `status`, unless it has been touched
    since `updated`."""

    kind = "put-away"
    status: str
    updated: float
    in_game = False
    log = "closed or archived, since no one has used it for long, or can use it"

    def on(self, table: Table, game: Game | None, by: By) -> Table:
        if not table.open or table.updated != self.updated:
            return table
        return replace(table, status=self.status, deadline=None, archived=by.at if self.status == ARCHIVED else 0.0)


@dataclass(frozen=True, slots=True)
class GiveUp(Act):
    """Void an archived game that no one has resumed, unless it has been touched since `updated`. As it can't go on
    anymore, its seed is published. It is deleted when it would have been anyway."""

    kind = "give-up"
    updated: float
    log = "voided, since no one has resumed it"

    def on(self, table: Table, game: Game | None, by: By) -> Table:
        if table.status != ARCHIVED or table.updated != self.updated:
            return table
        assert game is not None
        game.play(REFEREE, CallOff())
        return table


def _check_not_left(table: Table, game: Game, user: int) -> None:
    """Refuse a member who has resigned: where and when the others go on is no longer up to them."""
    seat = table.seat_of(game, user)
    if seat is not None and game.state.resigned >> seat & 1:
        raise RefereeError("not-playing/resigned")


def _awake(table: Table, game: Game, by: By) -> Table:
    """An archived table when it is resumed: not paused, without motions, and without the players who were late. Time
    has stood still; only what was over begins again, and all where no timer says when that is."""
    running = replace(_called_by_panel(table), status=RUNNING, paused=0.0, archived=0.0, missed=(), motions=())
    since = min(filter(None, (table.paused, table.archived)), default=0.0)
    over = any(wait.until is not None and wait.until <= since for wait in table.waits)
    if over or not since or not table.options.pace:
        return restarted(running, game, by.at)
    return stopped(running, since, by.at)


def _called_by_panel(table: Table) -> Table:
    """The table without the calls that stand: a new game message calls the same players."""
    return replace(table, waits=tuple(replace(wait, pinged=0.0, again=False) for wait in table.waits))
