"""Orders: what somebody has decided before, and the bot does for them when it comes to that.

Nobody can tell an order from somebody quick: it takes as long as they do, and its record is like any other. Each looks
at the position as it is when its time has come; what fits no longer isn't done.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import takewhile
from typing import Any

from bot.service.games import GameService, Played, Was
from bot.service.jobs import Jobs
from bot.service.repository import GameRepository
from bot.store import Damaged, Store
from bot.table.checks import check_running
from bot.table.orders import ChangedOrders, Done, Orders
from bot.table.people import tell_standing
from bot.table.preferences import BUILDS
from bot.table.seats import check_playing
from bot.table.table import RUNNING, Job, Table
from engine.actions import (
    Action,
    DeclineOffer,
    Discard,
    EndTrade,
    EndTurn,
    MakeOffer,
    PassOn,
    Roll,
    WithdrawOffer,
)
from engine.domains import Cards
from engine.errors import RefereeError
from engine.events import DiscardTakenBack, Undone
from engine.game import Game
from engine.offer import Offer
from engine.resources import Hand, hand
from engine.steps.special import SpecialBuilding

log = logging.getLogger(__name__)

ORDER = "order"
"""Begins the name of the job of doing something for somebody; the rest is their seat."""
HASTE = (4.0, 12.0)
"""Seconds that an order takes, at least and at most: about as long as somebody who has the game open."""
ROLL, END, DISCARD, DECLINE, PASS = "roll", "end", "discard", "decline", "pass"
"""What an order does."""
MOST, MOST_DONE = 5000, 20
"""Games whose orders are kept in memory; things done by order that are kept to be told."""
IDLE = (EndTurn, EndTrade, MakeOffer, WithdrawOffer)
"""What is always possible: who can do nothing else has nothing to do."""

Listener = Callable[[int, Game], None]


class OrderService:
    """Keeps orders, and carries them out."""

    def __init__(
        self,
        store: Store,
        repository: GameRepository,
        games: GameService,
        jobs: Jobs,
        now: Callable[[], float],
        takes: Callable[[], float] = lambda: random.uniform(*HASTE),
    ) -> None:
        """`now` in seconds since the epoch; `takes`: after how many seconds an order is carried out."""
        self._store, self._repository, self._games, self._jobs = store, repository, games, jobs
        self._now, self._takes = now, takes
        self._listeners: list[Listener] = []
        self._kept: dict[int, Mapping[int, Orders]] = {}
        repository.subscribe(self._seated)
        jobs.when(ORDER, self._carry_out)
        games.plan_by(self.jobs)

    def subscribe(self, listener: Listener) -> None:
        """Have a listener told of a game after each order that was carried out."""
        self._listeners.append(listener)

    async def give(self, number: int, user: int, **changes: Any) -> Orders:
        """Change somebody's orders in a game, as fields of `Orders`; what is left out stays. Nobody else notices.

        Codes: "no-table", "not-started", "archived", "over", "not-playing", "replaced", "orders/no special building".
        """
        return await self._repository.alone(number, lambda table: self._give(table, user, changes))

    async def jobs(self, table: Table, game: Game, was: Was) -> dict[str, float | None]:
        """What is to be done for whom after an action, by the job's name; what was decided before it keeps its time, as
        others would tell an order from a person if they could put it off (M)."""
        if table.choices.paused:
            return {}
        if was is not None and was[0].choices.paused:
            was = None
        found: dict[str, float | None] = {}
        for seat in range(game.config.players):
            wanted = await self.wanted(table, game, seat)
            if wanted is None:
                continue
            same = was is not None and was[1].decision(seat) == game.decision(seat)
            if was is None or not same or wanted != await self.wanted(*was, seat):
                found[f"{ORDER}:{seat}"] = self._now() + self._takes()
        return found

    async def again(self, user: int) -> None:
        """Somebody has decided otherwise, perhaps while a game waits for them."""
        for number in await self._store.played_by(user):
            with suppress(RefereeError):
                table, game = await self._repository.table(number), await self._repository.game(number)
                for name, at in (await self._soon(table, game, await self.of(number, user))).items():
                    await self._jobs.set(Job(number, name, at))

    async def _soon(self, table: Table, game: Game, mine: Orders) -> dict[str, float]:
        """What is to be done for somebody by now, as `jobs`."""
        seat = table.seat_of(game, mine.user)
        if seat is None or table.choices.paused or await self.wanted(table, game, seat, mine) is None:
            return {}
        return {f"{ORDER}:{seat}": self._now() + self._takes()}

    async def wanted(
        self, table: Table, game: Game, seat: int, given: Orders | None = None
    ) -> tuple[Action, str] | None:
        """What is to be done for a seat just now, and by which order; `given`: what they are about to be."""
        member, state = table.member_at(game, seat), game.state
        if member.level or state.resigned >> seat & 1 or game.outcome is not None:
            return None
        step = state.agenda[-1]
        if isinstance(step, SpecialBuilding) and step.seat == seat:
            passing = given or await self.of(table.number, member.user)
            return (PassOn(), PASS) if await self._passes(game, seat, passing) else None
        mine = given or (await self._known(table.number)).get(member.user)
        if mine is None:
            return None
        if seat in game.to_act and (found := _decided(mine, game, seat)) is not None:
            return found
        for offer in state.offers:
            decline = DeclineOffer(offer.id)  # which has to wait while the roads of a card are placed, say
            if offer.accepted >> seat & 1 or not game.options(seat).allows(decline):
                continue
            if _refuses(mine, table, game, offer):
                return decline, DECLINE
        return None

    async def _passes(self, game: Game, seat: int, mine: Orders) -> bool:
        """Whether a seat that is called to build is asked for nothing that it can have (J2)."""
        wanted, options = await self._builds(mine), game.options(seat)
        return bool(wanted) and not any(action in options for what in wanted for action in BUILDS.get(what, ()))

    async def builds(self, number: int, user: int) -> tuple[str, ...]:
        """What somebody wants to be asked for in a game's special building phases; empty: whatever they hold."""
        return await self._builds(await self.of(number, user))

    async def _builds(self, mine: Orders) -> tuple[str, ...]:
        return mine.building or (await self._store.settings(mine.user)).choices.building

    async def of(self, number: int, user: int) -> Orders:
        """Somebody's orders in a game, which are their secret."""
        return (await self._known(number)).get(user) or Orders(user)

    async def _known(self, number: int) -> Mapping[int, Orders]:
        """All orders in a game; where nobody else changes them they are read once."""
        kept = self._kept.get(number)
        if kept is None or self._store.shared:
            kept = self._kept[number] = await self._store.orders(number)
            if len(self._kept) > MOST:
                self._kept.pop(next(iter(self._kept)))
        return kept

    def _seated(self, table: Table) -> None:
        """Forget what was read of a game where somebody who had orders has lost the seat, and the orders with it."""
        known = self._kept.get(table.number, {})
        if any(mine != Orders(user) for user, mine in known.items() if user not in table.users):
            self._kept.pop(table.number)

    async def _give(self, table: Table, user: int, changes: dict[str, Any]) -> Orders:
        check_running(table)
        game = await self._repository.game(table.number)
        check_playing(table, game, user)
        if changes.get("building") and not game.rules.data.special_building:
            raise RefereeError("orders/no special building")
        mine = await self.of(table.number, user)
        given = replace(mine, **changes)
        later = game.copy()
        if given.building != mine.building:
            people = await self._repository.people(table)
            people = replace(people, orders={**people.orders, user: given})
            tell_standing(table, later, people, table.seat_at(game, table.users.index(user)))
        orders, jobs = ChangedOrders(mine, given), await self._soon(table, later, given)
        records = later.records[game.revision :]
        played = later if records else None
        try:  # no version tells of it
            await self._repository.save(
                table, None, (), before=table, game=played, records=records, orders=orders, jobs=jobs
            )
        finally:  # afterwards, as others read meanwhile what was stored before
            self._kept.pop(table.number, None)
        return given

    async def _carry_out(self, job: Job) -> None:
        """Do what an order wants; a refusal is nobody's business, and no log may tell whom it was for (M)."""
        seat = int(job.name.partition(":")[2] or -1)
        if self._now() < self._jobs.since + HASTE[0]:  # while the bot was away nobody could act, or be so quick since
            return await self._jobs.set(Job(job.game, job.name, self._jobs.since + self._takes()))
        try:
            played = await self._repository.alone(job.game, lambda table: self._play(table, job, seat))
        except Damaged:
            raise
        except RefereeError:
            return
        if played is not None:
            for listener in self._listeners:
                listener(job.game, played.game)

    async def _play(self, table: Table, job: Job, seat: int) -> Played | None:
        """Do what is wanted for a seat under the table's lock, with which nobody acts or gives orders meanwhile. What
        has been decided since the job was taken has another time."""
        if table.status != RUNNING or table.choices.paused or not await self._store.has_job(job):
            return None
        game = await self._repository.game(table.number)
        if not 0 <= seat < game.config.players:
            return None
        mine = await self.of(table.number, table.user_at(game, seat))
        wanted = await self.wanted(table, game, seat)  # if by others, these aren't stored any more: `Conflict`
        if wanted is None:
            return None
        action, order = wanted
        about = action.offer if isinstance(action, DeclineOffer) else 0
        done = Done(game.turn, order, about, game.public_revision)
        after = replace(mine, done=(*mine.done, done)[-MOST_DONE:])
        try:
            return await self._games.play_for(table, game, seat, action, ChangedOrders(mine, after))
        finally:
            self._kept.pop(table.number, None)


def _decided(mine: Orders, game: Game, seat: int) -> tuple[Action, str] | None:
    """What somebody has decided about what they owe."""
    options = game.options(seat)
    if mine.roll and set(options) == {Roll}:  # no development card could come first
        return Roll(), ROLL
    if mine.keep is not None and isinstance(cards := options.get(Discard), Cards):
        if DiscardTakenBack(seat) in game.view(None).events:  # who has taken it back wants to choose (D4)
            return None
        return Discard(thrown(cards, mine.keep)), DISCARD
    if mine.end and EndTurn in options and not any(map(_is_live, game.state.offers)) and _is_idle(game, seat):
        return None if _has_ended(game, seat) else (EndTurn(), END)
    return None


def _is_live(offer: Offer) -> bool:
    """Whether something may still come of an offer: somebody has accepted it, or hasn't answered yet."""
    return bool(offer.accepted or offer.to & ~offer.declined)


def _is_idle(game: Game, seat: int) -> bool:
    """Whether the seat on turn can only end its turn or trade with others, also in a building phase to come (L11)."""
    options = game.options(seat)
    if not all(action in IDLE for action in options):
        return False
    if EndTrade not in options:
        return True
    later = game.copy()
    later.play(seat, EndTrade())
    return _is_idle(later, seat)


def _has_ended(game: Game, seat: int) -> bool:
    """Whether the seat on turn has ended this turn before, and taken that back: it wants to go on itself."""
    if Undone(seat) not in game.view(None).events:
        return False
    since = takewhile(lambda record: (record.actor, record.action) != (seat, Roll()), reversed(game.records))
    return (seat, EndTurn()) in ((record.actor, record.action) for record in since)


def thrown(cards: Cards, keep: tuple[int, ...]) -> Hand:
    """What is discarded by somebody who would keep some kinds: the others first, each time of what is most."""
    left, chosen = list(cards.caps), [0] * 5
    for _ in range(cards.total):
        kind = max(range(5), key=lambda r: (left[r] > 0, r not in keep, left[r], -r))
        left[kind] -= 1
        chosen[kind] += 1
    return hand(chosen)


def _refuses(mine: Orders, table: Table, game: Game, offer: Offer) -> bool:
    """Whether somebody never accepts such an offer: it wants what they don't give, comes from whom they don't trade
    with, or gives too little."""
    if any(offer.want[kind] for kind in mine.never) or table.user_at(game, offer.seat) in mine.refused:
        return True
    return _too_little(mine, offer)


def _too_little(mine: Orders, offer: Offer) -> bool:
    return sum(offer.give) < mine.least * sum(offer.want)
