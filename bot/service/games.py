"""All that is done at tables: each act is carried out once, stored, then reported."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from bot.export import Player, export
from bot.metrics import Metrics
from bot.service.ratings import result_of
from bot.service.repository import GameRepository
from bot.store import Change, Conflict, Store
from bot.store.base import LOOK_JOB
from bot.table.act import Act, By
from bot.table.acts.places import MoveGame, Resume
from bot.table.reminders import next_look
from bot.table.rules import Next, concerned, play
from bot.table.table import OVER, RUNNING, People, Table
from engine.errors import RefereeError
from engine.events import Event
from engine.game import Game
from engine.record import REFEREE
from engine.resources import NOTHING, Hand, hand
from engine.views import View

log = logging.getLogger(__name__)

LOOK_AGAIN_AFTER = 60.0
"""Seconds until the next look at a game in which something that is due couldn't be done."""


@dataclass(frozen=True, slots=True)
class Done:
    """An act that was carried out and stored."""

    act: Act
    by: By
    before: Table
    table: Table
    """After the act; mark what you show of it with `table.version`. If repeated: the latest, as `before`."""
    old: Game | None
    """Before the act; None if there was no game, or it doesn't matter."""
    new: Game | None
    """After the act; it never changes (a later act makes another `Game`). If repeated: the latest, as `old`."""
    events: tuple[Event, ...] = ()
    """What the act has caused in the game, as the one who did it can see it."""
    revision: int = 0
    """Number of the game's records, the act's own included, if it makes one."""
    repeated: bool = False
    """Whether the interaction was carried out before; then this is its earlier result."""

    @property
    def game(self) -> Game:
        """The game after an act to which it matters."""
        assert self.new is not None
        return self.new

    @property
    def seat(self) -> int | None:
        """The seat of the one who did it; None: an onlooker."""
        return self.table.seat_of(self.game, self.by.user)

    @property
    def view(self) -> View:
        """The game as the one who did it can see it."""
        return self.game.view(self.seat)

    @property
    def hand_before(self) -> Hand:
        """The player's resource cards before the act; none if repeated."""
        if self.seat is None or self.old is None or self.repeated:
            return NOTHING
        return hand(self.old.state.hands[self.seat])

    @property
    def secret(self) -> bool:
        """Whether others must not learn who acted, even if all see the effect, as when the last answer closes a window
        (J2, L8)."""
        return self.old is not None and not self.repeated and self.act.acted(self.before, self.old, self.by) == REFEREE


Before = tuple[Table, Game] | None
"""Table and game before an act; None: the game starts or resumes with it."""
Plan = Callable[[Table, Game, Before, People], dict[str, float | None]]
"""From a game after an act, when to do what later, by the job's name (None: no longer). Other jobs stay as they are."""


class GameService:
    """Acting at a table, and the export of a finished game."""

    def __init__(self, store: Store, repository: GameRepository, now: Callable[[], float], metrics: Metrics) -> None:
        """`now` in seconds since the epoch."""
        self._store = store
        self._repository = repository
        self._now = now
        self._metrics = metrics
        self._plans: list[Plan] = []

    def plan_by(self, plan: Plan) -> None:
        """Call `plan` after the deal and after each act in a game, and store with it what must be done later."""
        self._plans.append(plan)

    async def act(
        self,
        number: int,
        user: int,
        act: Act,
        interaction: str | None = None,
        *,
        manages: int = 0,
        deal: Callable[[Table], Awaitable[Game]] | None = None,
        people: People | None = None,
        still: Callable[[], Awaitable[bool]] | None = None,
    ) -> Done:
        """Do an act at a table, for example play an action; all that shows what has changed becomes due.

        `manages`: a channel that the user manages; 0: none is known.
        `deal` makes the game that begins. `people`: the settings that matter, if known. `still`: whether the act must
        still be done, asked under the table's lock. Codes: "no-table", those of the act; "repeated" for an interaction
        that was carried out elsewhere or by someone else.
        """

        async def alone(before: Table) -> Done:
            old = await self._repository.game(number) if concerned(act, before) else None
            by = By(user, self._now(), interaction=interaction or "", manages=manages == before.channel)
            nothing = Done(act, by, before, before, old, old)
            try:
                if still is not None and not await still():
                    return nothing
                game = old.copy() if old is not None else await deal(before) if deal is not None else None
                newcomers = [user] if user not in before.users and game is not None else []
                by = replace(by, people=people or await self._repository.people(before, *newcomers))
                outcome = play(before, old, game, act, by)
                change = self._change(before, old, outcome, act, by)
                table = before if change is None else await self._repository.save(change, outcome.game)
            except (RefereeError, Conflict):  # nothing is stored twice under one interaction
                if interaction is None or (earlier := await self._store.interaction(interaction)) is None:
                    raise
                return await _repeated(nothing, *earlier)
            self._tell(before, old, outcome, act, table)
            events = () if old is None else _seen_by(before.seat_of(old, user), outcome.events)
            revision = 1 if old is None else old.revision + 1
            return Done(act, by, before, table, old, outcome.game, events, revision)

        return await self._repository.alone(number, alone)

    async def resume(self, number: int, user: int, interaction: str) -> Done:
        """Resume an archived game as one of its players; panel and hands become due. No other table is opened in its
        channel meanwhile. Codes: as `Resume`."""

        async def alone() -> Done:
            return await self.act(number, user, Resume(await self._store.open_table(channel)), interaction)

        channel = (await self._repository.table(number)).channel
        return await self._repository.alone_in(channel, alone)

    async def move(self, number: int, user: int, channel: int, interaction: str, *, anybody: bool = False) -> Done:
        """Move a game to another channel of its server; the panel becomes due. No other table is opened there
        meanwhile. Codes: as `MoveGame`."""

        async def alone() -> Done:
            act = MoveGame(channel, anybody, await self._store.open_table(channel))
            return await self.act(number, user, act, interaction)

        return await self._repository.alone_in(channel, alone)

    async def export(self, number: int) -> dict[str, Any]:
        """The finished game as JSON data, seed included, for `bot.export`. Codes: "no-table", "not-over"."""
        table = await self._repository.table(number)
        if table.status != OVER:
            raise RefereeError("not-over/seed")
        game = await self._repository.game(number)
        players = [Player(member.name, member.color) for member in table.members]
        return export(game, str(number), await self._store.seed(number), table.entropy, players)

    def _change(self, before: Table, old: Game | None, outcome: Next, act: Act, by: By) -> Change | None:
        """What to store of an act; None: nothing."""
        table, game = outcome.table, outcome.game
        records = () if game is None else game.records[0 if old is None else old.revision :]
        jobs = self._jobs(before, old, outcome, act, by)
        if not (by.interaction or records or jobs) and table == before:
            return None
        return Change(
            table,
            by.interaction or None,
            outcome.due,
            since=before.version,
            at=by.at,
            members=table.members != before.members,
            records=[(record.number, record.actor, record.to_json()) for record in records],
            jobs=jobs,
            result=None if game is None or not _ends(before, table) else result_of(table, game),
            decided=outcome.decided,
            user=0 if act.notifies_later else by.user,
            act=act.kind,
        )

    def _jobs(self, before: Table, old: Game | None, outcome: Next, act: Act, by: By) -> dict[str, float | None]:
        """What must be done later with a game that goes on, by the job's name.

        Looking after the awaited players too early does no harm, and sets the next look. An action usually just
        postpones the look, so it changes nothing here, unless that look is overdue.
        """
        table, game = outcome.table, outcome.game
        if game is None or table.status != RUNNING:
            return {}
        if act.plays and old is not None and game.revision > old.revision and not outcome.due:
            return {}  # no one can notice the action
        was = (before, old) if before.status == RUNNING and old is not None else None
        jobs = {name: at for plan in self._plans for name, at in plan(table, game, was, by.people).items()}
        look_before = None if was is None else next_look(*was, by.people, by.at)
        look = next_look(table, game, by.people, by.at)
        sooner = look_before is None or (look is not None and look < look_before) or look_before <= by.at
        if look is not None and (sooner or act.changes_times):
            jobs[LOOK_JOB] = look
        if act.is_scheduled_look and ((at := jobs.get(LOOK_JOB)) is None or at <= by.at):
            jobs[LOOK_JOB] = look if look is None or look > by.at or outcome.due else by.at + LOOK_AGAIN_AFTER
        return jobs

    def _tell(self, before: Table, old: Game | None, outcome: Next, act: Act, table: Table) -> None:
        """Tell the process's log and all who listen what was done, now that it is stored."""
        game = outcome.game
        if game is not None and old is not None and game.public_revision != old.public_revision:
            self._repository.played(table.number, old, game)
            self._metrics.actions.inc()
            log.info("Game %d: turn %d stored", table.number, game.turn)
        if game is not None and _ends(before, table):
            log.info("Game %d: over", table.number)
        if outcome.due and not act.notifies_later:
            self._repository.tell(table)
        if act.log and table.version != before.version:
            log.info("Game %d: %s", table.number, act.log)


async def _repeated(latest: Done, number: int, record: int | None) -> Done:
    """The earlier result of an interaction that was carried out before, at the table with that number, as far as the
    game's log has it. `latest`: the table as it is now."""
    game = latest.new
    if number != latest.table.number or (latest.act.plays and (record is None or latest.seat is None)):
        raise RefereeError("repeated")
    if game is None or record is None:
        return replace(latest, repeated=True)
    if record >= game.revision:
        raise Conflict("another process has carried it out")
    if record + 1 < game.revision:
        game = await asyncio.to_thread(Game.replay, game.config, game.records[: record + 1])
    return replace(latest, events=_seen_by(latest.seat, game.last_events), revision=record + 1, repeated=True)


def _ends(before: Table, table: Table) -> bool:
    """Whether the game has just ended."""
    return table.status == OVER != before.status


def _seen_by(seat: int | None, events: Iterable[Event]) -> tuple[Event, ...]:
    return tuple(event.redact(seat) for event in events)
