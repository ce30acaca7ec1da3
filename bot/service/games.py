"""Actions in a running game: each is carried out once, stored, then reported."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from bot.export import Player, export
from bot.jobs import LOOK
from bot.metrics import Metrics
from bot.service.repository import GameRepository
from bot.service.results import result_of
from bot.store import Conflict, Store
from bot.table.act import Act, By
from bot.table.acts.play import COMPUTER, PERSON, Play
from bot.table.checks import check_running
from bot.table.log import log_entries
from bot.table.people import People
from bot.table.reminders import next_look
from bot.table.rules import Next, concerned, play
from bot.table.table import OVER, RUNNING, Table
from engine.actions import Action
from engine.errors import RefereeError
from engine.events import Event
from engine.game import Game
from engine.resources import NOTHING, Hand, hand
from engine.views import View

log = logging.getLogger(__name__)

T = TypeVar("T")


AGAIN = 60.0
"""Seconds until the next look at a game in which something that is due couldn't be done."""


@dataclass(frozen=True, slots=True)
class Played:
    """An accepted action, stored. `events` are its effects as the player can see them."""

    table: Table
    """After the action; mark what you show of it with `table.version`."""
    game: Game
    """After the action; it never changes (a later action makes another `Game`). If repeated: the latest."""
    seat: int
    revision: int
    """Number of records, this action included."""
    events: tuple[Event, ...]
    repeated: bool
    """Whether the interaction was carried out before; then this is its earlier result."""
    hand_before: Hand = NOTHING
    """The player's resource cards before the action; none if repeated."""
    secret: bool = False
    """Whether others must not learn who acted, even if all see the effect, as when the last answer closes a window
    (J2, L8)."""

    @property
    def view(self) -> View:
        """The game as the player can see it."""
        return self.game.view(self.seat)


@dataclass(frozen=True, slots=True)
class Done:
    """An act that was carried out and stored."""

    before: Table
    table: Table
    """After the act. If repeated: the latest, as `before`."""
    game: Game | None
    """After the act; None if there is no game or it doesn't matter."""
    old: Game | None
    """Before the act."""
    by: By
    repeated: bool = False
    """Whether the interaction was carried out before."""


Before = tuple[Table, Game] | None
"""Table and game before an action; None: the game starts or resumes with it."""
Plan = Callable[[Table, Game, Before, People], dict[str, float | None]]
"""From a game after an action, when to do what later, by the job's name (None: no longer). Other jobs stay as they
are."""


class GameService:
    """Playing at a table, ending a game from outside, and the export of a finished game."""

    def __init__(self, store: Store, repository: GameRepository, now: Callable[[], float], metrics: Metrics) -> None:
        """`now` in seconds since the epoch."""
        self._store = store
        self._repository = repository
        self._now = now
        self._metrics = metrics
        self._plans: list[Plan] = []

    def plan_by(self, plan: Plan) -> None:
        """Call `plan` after the deal and after each action, and store with it what must be done later."""
        self._plans.append(plan)

    async def submit_action(
        self,
        number: int,
        user: int,
        action: Action,
        *,
        decision: str | None,
        interaction: str,
        computer: bool = False,
    ) -> Played:
        """Play an action. `decision`: the button's `Game.decision(seat)`; None for a typed command. `computer`: a bot
        plays in the user's seat, and no one else can.

        The panel and the hands that changed become due, and the seed when the game is over. Codes: "no-table",
        "over", "archived", "not-started", "paused", "not-playing", "replaced", "stale", and those of `IllegalAction`;
        "repeated" for an interaction that was carried out elsewhere or by someone else.
        """
        act = Play(action, decision, COMPUTER if computer else PERSON)
        return await self._repository.alone(number, lambda table: self._play(table, user, act, interaction))

    async def act(
        self,
        number: int,
        user: int,
        act: Act,
        interaction: str | None = None,
        *,
        deal: Callable[[Table], Awaitable[Game]] | None = None,
        people: People | None = None,
        still: Callable[[], Awaitable[bool]] | None = None,
    ) -> Done:
        """Do an act at a table; the panel and all else that shows it become due. `deal` makes the game that begins.
        `people`: the settings that matter, if known. `still`: whether the act must still be done, asked under the
        table's lock.

        Codes: "no-table", those of the act; "repeated" for an interaction that was carried out elsewhere.
        """

        async def once(before: Table) -> Done:
            old = await self._repository.game(before.number) if concerned(act, before) else None
            nothing = Done(before, before, old, old, By(user, self._now()))

            async def again(earlier: tuple[int, int | None]) -> Done:
                if earlier[0] != before.number:
                    raise RefereeError("repeated")
                return replace(nothing, repeated=True)

            async def do() -> Done:
                if still is not None and not await still():
                    return nothing
                game = old.copy() if old is not None else await deal(before) if deal is not None else None
                newcomers = [user] if user not in before.users and game is not None else []
                settings = people or await self._repository.people(before, *newcomers)
                by = By(user, self._now(), settings, interaction or "")
                outcome = play(before, old, game, act, by)
                table = await self._stored(before, old, outcome, act, by)
                if act.log and table.version != before.version:
                    log.info("Game %d: %s", before.number, act.log)
                return Done(before, table, outcome.game, old, by)

            return await self._once(interaction, do, again)

        return await self._repository.alone(number, once)

    async def export(self, number: int) -> dict[str, Any]:
        """The finished game as JSON data, seed included, for `bot.verify`. Codes: "no-table", "not-over"."""
        table = await self._repository.table(number)
        if table.status != OVER:
            raise RefereeError("not-over/seed")
        game = await self._repository.game(number)
        players = [Player(member.name, member.color) for member in table.members]
        return export(game, str(number), await self._store.seed(number), table.entropy, players)

    async def _once(
        self,
        interaction: str | None,
        do: Callable[[], Awaitable[T]],
        again: Callable[[tuple[int, int | None]], Awaitable[T]],
    ) -> T:
        """Return the result of `do`; if it fails and the interaction was carried out before, the earlier result by
        `again`. Nothing is stored twice under one interaction, so it need only be looked up after a failure."""
        try:
            return await do()
        except (RefereeError, Conflict):
            if interaction is None or (earlier := await self._store.interaction(interaction)) is None:
                raise
            return await again(earlier)

    async def _play(self, table: Table, user: int, act: Play, interaction: str) -> Played:
        async def do() -> Played:
            check_running(table)
            return await self._played(table, await self._repository.game(table.number), user, act, interaction)

        return await self._once(interaction, do, partial(self._played_before, table, user))

    async def _played(self, table: Table, old: Game, user: int, act: Play, interaction: str) -> Played:
        """Play an action and store it."""
        by = By(user, self._now(), await self._repository.people(table), interaction)
        outcome = play(table, old, old.copy(), act, by)
        seat, game = table.seat_of(old, user), outcome.game
        assert seat is not None
        assert game is not None
        stored = await self._stored(table, old, outcome, act, by)
        events, cards = tuple(event.redact(seat) for event in outcome.events), hand(old.state.hands[seat])
        secret, revision = act.is_secret(old), old.revision + 1
        return Played(stored, game, seat, revision, events, repeated=False, hand_before=cards, secret=secret)

    async def _played_before(self, table: Table, user: int, earlier: tuple[int, int | None]) -> Played:
        """The earlier result of an interaction that was carried out before, as far as the log has it."""
        number, record = earlier
        game = await self._repository.game(table.number)
        if number == table.number and record is not None and record >= game.revision:
            raise Conflict("another process has carried it out")
        seat = table.seat_of(game, user)
        if number != table.number or record is None or seat is None:
            raise RefereeError("repeated")
        game_then = game
        if record + 1 < game.revision:
            game_then = await asyncio.to_thread(Game.replay, game.config, game.records[: record + 1])
        events = tuple(event.redact(seat) for event in game_then.last_events)
        return Played(table, game, seat, record + 1, events, repeated=True)

    async def _stored(self, before: Table, old: Game | None, outcome: Next, act: Act, by: By) -> Table:
        """Store what has happened, with the jobs that follow from it."""
        table, game, jobs, result = outcome.table, outcome.game, dict[str, float | None](), None
        records = () if game is None else game.records[old.revision if old is not None else 0 :]
        over = table.status == OVER != before.status
        if over and game is not None:
            result = result_of(table, game)
        elif game is not None and table.status == RUNNING and (outcome.due or not (act.plays and records)):
            jobs = self._planned(table, game, (before, old) if before.status == RUNNING and old else None, by)
            if act.is_scheduled_look and (LOOK not in jobs or (at := jobs[LOOK]) is None or at <= by.at):
                at = next_look(table, game, by.people)
                jobs[LOOK] = at if at is None or at > by.at or outcome.due else by.at + AGAIN
        if not (by.interaction or act.erases) and table == before and not (records or jobs):
            return before
        stored = await self._repository.save(
            table,
            by.interaction or None,
            outcome.due,
            before=before,
            members=table.members != before.members,
            game=game if records else None,
            records=records,
            jobs=jobs,
            result=result,
            acts=log_entries(before, outcome, act, by),
        )
        noticed = game is not None and (old is None or game.public_revision != old.public_revision)
        if game is not None and old is not None and noticed:
            self._repository.played(table.number, old, game)
            self._metrics.actions.inc()
            log.info("Game %d: turn %d stored", table.number, game.turn)
        if over:
            log.info("Game %d: over", table.number)
        if outcome.due and not act.notifies_later:
            self._repository.tell(stored)
        return stored

    def _planned(self, table: Table, game: Game, was: Before, by: By) -> dict[str, float | None]:
        """What must be done later with a game that goes on, by the job's name.

        Looking after the awaited players too early does no harm, and sets the next look. An action usually just
        postpones the look, so it changes nothing here, unless that look is overdue.
        """
        jobs = {name: at for plan in self._plans for name, at in plan(table, game, was, by.people).items()}
        look_before = None if was is None else next_look(*was, by.people)
        look = next_look(table, game, by.people)
        if look is not None and (look_before is None or look < look_before or look_before <= by.at):
            jobs[LOOK] = look
        return jobs
