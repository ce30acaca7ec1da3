"""Actions in a running game: each carried out once, stored, then told."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any

from bot.export import Player, export
from bot.metrics import Metrics
from bot.plaintext import safe_name
from bot.service.repository import GameRepository
from bot.service.results import result_of
from bot.store import Conflict, Store
from bot.table import waiting
from bot.table.due import due_after
from bot.table.motions import settled
from bot.table.orders import ChangedOrders
from bot.table.reminders import next_look
from bot.table.requests import pass_for_unasked
from bot.table.table import ARCHIVED, OVER, RUNNING, WAITING, Table
from bot.table.visits import noted
from bot.table.wishes import fulfilled
from engine.actions import Action, AgreeToCallOff, AgreeToEnd, CallOff, Resign, SetStanding
from engine.errors import RefereeError
from engine.events import Event
from engine.game import Game
from engine.record import REFEREE
from engine.resources import NOTHING, Hand, hand
from engine.views import View

log = logging.getLogger(__name__)


WHILE_PAUSED = (SetStanding, Resign, AgreeToEnd, AgreeToCallOff)
"""What can be done although a game is paused."""


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
    held: Hand = NOTHING
    """The player's resource cards before it; none when repeated."""
    secret: bool = False
    """Nobody else may learn whose it was, even if all see what follows: the last answer closes a window (J2, L8)."""

    @property
    def view(self) -> View:
        """The game as the player may see it."""
        return self.game.view(self.seat)


Was = tuple[Table, Game] | None
"""How it stood before an action; None: it begins, or begins anew."""
Plan = Callable[[Table, Game, Was], Awaitable[dict[str, float | None]]]
"""Says of a game after an action what has to be done when, by the job's name; what it leaves out stays as it was."""


class GameService:
    """Playing at a table, ending a game from outside, and what is told at the end."""

    def __init__(self, store: Store, repository: GameRepository, now: Callable[[], float], metrics: Metrics) -> None:
        """`now` in seconds since the epoch."""
        self._store = store
        self._repository = repository
        self._now = now
        self._metrics = metrics
        self._plans: list[Plan] = []

    def plan_by(self, plan: Plan) -> None:
        """Have somebody say after the deal and each action what has to be done later, stored with it."""
        self._plans.append(plan)

    async def planned(
        self, table: Table, game: Game, before: Table | None = None, was: Was = None
    ) -> dict[str, float | None]:
        """What has to be done later with a game that goes on, by the job's name; `before`: the table as it was, for
        the next look; `was`: how it stood, for all else.

        A look after those who are awaited that comes too early does no harm, and sets the next. So an action, which as
        a rule only moves it away, changes nothing, unless what was to be done was held up.
        """
        jobs = {name: at for plan in self._plans for name, at in (await plan(table, game, was)).items()}
        then, now = None if before is None else next_look(before), next_look(table)
        if now is not None and (then is None or now < then or then <= table.updated):
            jobs[WAITING] = now
        return jobs

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
        """Play an action. `decision` is `Game.decision(seat)` from the button, None for a typed command; `computer`:
        a computer plays in the user's seat, and nobody else can.

        Panel and the hands that changed become due; the seed, when the game is over.
        Codes: "no-table", "over", "archived", "not-started", "paused", "not-playing", "replaced", "stale", and those
        of `IllegalAction`; "repeated" for an interaction that was carried out elsewhere, or by somebody else.
        """
        return await self._repository.alone(
            number, lambda table: self._play(table, user, action, decision, interaction, computer)
        )

    async def play_for(self, table: Table, old: Game, seat: int, action: Action, orders: ChangedOrders) -> Played:
        """Play what somebody has decided before, under the table's lock (`GameRepository.alone`), on the game as it is
        then; `orders`: theirs, which tell of it afterwards. Raises `Conflict` where others are stored by now.

        Due is what `submit_action` makes due.
        """
        id = f"order-{table.number}-{old.revision}-{seat}"
        return await self._played(table, old, seat, action, id, in_person=False, orders=orders)

    async def save(
        self,
        before: Table,
        old: Game,
        game: Game,
        interaction: str,
        seat: int = REFEREE,
        orders: ChangedOrders | None = None,
        /,
        looked: bool = False,
    ) -> Table:
        """Store an action that a seat has played on a copy of the old game, under the table's lock
        (`GameRepository.alone`); the table after it. `looked`: whoever looks after those who are awaited has done it,
        and says when to look again."""
        pass_for_unasked(game)
        over = game.outcome is not None
        # a secret request or answer must leave no trace: no new version, nothing to show, no later warning
        noticed = game.public_revision != old.public_revision
        now = self._now()
        table = replace(
            before,
            status=OVER if over else RUNNING,
            version=before.version + 1 if noticed else before.version,
            updated=now if noticed else before.updated,
            deadline=waiting.deadline_of(before, game, now),
        )
        people = await self._repository.people(before)
        if noticed:
            table = waiting.after(table, game, people, now, seat)
        if noticed and seat != REFEREE:
            table = _answered(table, table.user_at(game, seat))
        if not over and game.state.resigned != old.state.resigned:
            table = settled(table, game, people, now)
        table = fulfilled(table, game)
        jobs = await self.planned(table, game, before, (before, old)) if noticed and not over else {}
        if looked:
            jobs.pop(WAITING, None)
        records = game.records[old.revision :]
        await self._repository.save(
            *(table, interaction, due_after(before, old, table, game)),
            before=before,
            members=table.members != before.members,
            game=game,
            records=records,
            jobs=jobs,
            orders=orders,
            result=result_of(table, game),
        )
        if noticed:
            self._metrics.actions.inc()
            log.info("Game %d: turn %d stored", table.number, game.turn)
        if over:
            log.info("Game %d: over", table.number)
        return table

    async def call_off(self, number: int, user: int, name: str, interaction: str) -> Table:
        """End a running or archived game without a winner for somebody who manages the channel (the caller has
        checked that); panel, hands and seed become due.

        Codes: "no-table", "not-started", "over".
        """
        return await self._repository.alone(number, lambda table: self._call_off(table, user, name, interaction))

    async def export(self, number: int) -> dict[str, Any]:
        """The finished game as JSON data, seed included, for `bot.verify`. Codes: "no-table", "not-over"."""
        table = await self._repository.table(number)
        if table.status != OVER:
            raise RefereeError("not-over/seed")
        game = await self._repository.game(number)
        players = [Player(member.name, member.color) for member in table.members]
        return export(game, str(number), await self._store.seed(number), table.entropy, players)

    async def _play(
        self,
        table: Table,
        user: int,
        action: Action,
        decision: str | None,
        interaction: str,
        computer: bool,
    ) -> Played:
        if earlier := await self._store.interaction(interaction):
            return await self._played_before(table, user, earlier)
        if table.status == OVER:
            raise RefereeError("over")
        if table.status == ARCHIVED:
            raise RefereeError("archived")
        if table.choices.paused and not isinstance(action, WHILE_PAUSED):
            raise RefereeError("paused")
        old = await self._repository.game(table.number)
        seat = table.seat_of(old, user)
        if seat is None:
            raise RefereeError("not-playing")
        if bool(table.member_at(old, seat).level) != computer and not isinstance(action, SetStanding):
            raise RefereeError("replaced")
        if decision is not None and decision != old.decision(seat):
            raise RefereeError("stale")
        return await self._played(table, old, seat, action, interaction, in_person=not computer)

    async def _played(
        self,
        table: Table,
        old: Game,
        seat: int,
        action: Action,
        interaction: str,
        *,
        in_person: bool,
        orders: ChangedOrders | None = None,
    ) -> Played:
        """Play an action of a seat that may act, and store it."""
        game, secret = old.copy(), old.rules.is_quiet(old.state.agenda[-1], type(action))
        events = game.play(seat, action)
        if game.public_revision != old.public_revision and not secret:
            user = table.user_at(old, seat)
            table = noted(table, user, game.public_revision, self._now(), in_person=in_person)
        revision = game.revision
        table = await self.save(table, old, game, interaction, REFEREE if secret else seat, orders)
        told, held = tuple(event.redact(seat) for event in events), hand(old.state.hands[seat])
        return Played(table, game, seat, revision, told, repeated=False, held=held, secret=secret)

    async def _played_before(self, table: Table, user: int, earlier: tuple[int, int | None]) -> Played:
        """The result of an interaction that has been carried out, as far as the log tells it."""
        number, record = earlier
        game = await self._repository.game(table.number)
        if number == table.number and record is not None and record >= game.revision:
            raise Conflict("another process has carried it out")
        seat = table.seat_of(game, user)
        if number != table.number or record is None or seat is None:
            raise RefereeError("repeated")
        then = game
        if record + 1 < game.revision:
            then = await asyncio.to_thread(Game.replay, game.config, game.records[: record + 1])
        told = tuple(event.redact(seat) for event in then.last_events)
        return Played(table, game, seat, record + 1, told, repeated=True)

    async def _call_off(self, table: Table, user: int, name: str, interaction: str) -> Table:
        if await self._store.interaction(interaction):
            return table
        if table.status not in (RUNNING, ARCHIVED):
            raise RefereeError("over")
        old = await self._repository.game(table.number)
        game = old.copy()
        game.play(REFEREE, CallOff())
        log.info("Game %d: called off by who manages the channel", table.number)
        ended = replace(table, ended_by=user, choices=replace(table.choices, manager=safe_name(name)))
        return await self.save(ended, old, game, interaction)


def _answered(table: Table, user: int) -> Table:
    """Without votes to replace somebody who has just done something, who isn't gone either."""
    choices = table.choices
    left, gone = tuple(v for v in choices.replacing if v[0] != user), tuple(u for u in choices.gone if u != user)
    return replace(table, choices=replace(choices, replacing=left, gone=gone))
