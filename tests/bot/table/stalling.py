"""Players who do everything that could win time, and a watch on the time that they get."""

from __future__ import annotations

import random
from collections import defaultdict
from contextlib import suppress
from typing import Any

from bot.table.act import Act
from bot.table.acts.motions import Agree, Object, Propose
from bot.table.acts.orders import GiveOrders
from bot.table.acts.places import CloseUnused, MoveGame, Resume
from bot.table.acts.play import Play
from bot.table.acts.seats import DeclineSeat, OfferSeat, Replace, ReturnToSeat, TakeSeat
from bot.table.acts.waiting import NoteBack, NoteGone
from bot.table.acts.wishes import PostWish, WithdrawWish
from bot.table.options import DECIDE, REMIND, VOTE
from bot.table.parts import PACE, PAUSE, RESUME
from bot.table.table import ARCHIVED, RUNNING
from engine.actions import (
    AcceptOffer,
    Action,
    AgreeToCallOff,
    AgreeToEnd,
    DeclineOffer,
    MakeOffer,
    TakeBackDiscard,
    Undo,
    WithdrawOffer,
)
from engine.errors import IllegalAction, RefereeError
from engine.game import Game
from engine.geometry import bits
from engine.resources import single
from tests.bot.table.desk import ANN, BOB, CEM, DAY, EVE, FAY, HOUR, Desk
from tests.engine.builder import seat
from tests.engine.builder import table as position
from tests.engine.tables import later


def timed(*, expiry: str = VOTE, **more: Any) -> Desk:
    """A game in the main part of Ann's turn, with a turn timer of a day. Vacations stop no clock."""
    seats = (seat(settlements="B4", roads="c4", hand="bbbllw"), seat(hand="wwoo"), seat(hand="go"))
    return Desk.at(later(position(*seats, **more)), pace=DAY, expiry=expiry, leave=0)


def key(game: Game, seat: int) -> tuple[object, ...]:
    """A decision of a seat, apart from all that can be undone."""
    state = game.state
    own = state.roads[seat], state.settlements[seat], state.cities[seat], sum(state.development_cards[seat])
    return (seat, game.turn, game.view(None).step.kind, own, tuple(state.played[seat]))


class Watch:
    """Counts the time that players get for each decision. It must be no more than its length, except that trade makes
    all decisions of the player on turn longer, together by one length at most."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.longest = desk, float(desk.table.options.pace)
        self.waited = defaultdict[tuple[Any, ...], float](float)

    def advance(self, seconds: float) -> None:
        desk, game = self.desk, self.desk.played
        if desk.table.status == RUNNING and not desk.table.paused and desk.table.options.pace:
            for wait in desk.table.waits:
                if not wait.offer and wait.until is not None:
                    self.waited[key(game, wait.seat)] += max(min(wait.until - desk.now, seconds), 0.0)
        desk.now += seconds

    def check(self) -> None:
        desk, game = self.desk, self.desk.played
        self.longest = max(self.longest, desk.table.options.pace)
        if desk.table.paused or desk.table.status != RUNNING:
            return
        for wait in desk.table.waits:
            if wait.offer or wait.until is None:
                continue
            left = wait.until - desk.now
            mine = key(game, wait.seat)
            total = {**self.waited, mine: self.waited[mine] + max(left, 0.0)}
            longer = sum(max(seconds - self.longest, 0.0) for other, seconds in total.items() if other[:2] == mine[:2])
            if left > 0:
                assert longer <= (self.longest if wait.seat == game.state.on_turn else 0.0) + 1e-3, (mine, left)


def some_act(desk: Desk, rng: random.Random) -> tuple[int, Act]:
    """Anything that anyone could do to win time."""
    game, place = desk.played, rng.randrange(len(desk.table.members))
    user = desk.table.users[place]
    seat = desk.table.seat_at(game, place)
    takes = single(rng.randrange(5))
    moves: list[Action] = [
        *([Undo()] * 4),
        AgreeToEnd(rng.random() < 0.5),
        AgreeToCallOff(rng.random() < 0.5),
        MakeOffer(takes, single(rng.randrange(5))),
        *(WithdrawOffer(one.id) for one in game.state.offers),
        *(DeclineOffer(one.id) for one in game.state.offers),
        *(AcceptOffer(one.id) for one in game.state.offers),
        TakeBackDiscard(),
    ]
    if seat in bits(game.awaited) and game.outcome is None:
        moves += [game.options(seat).sample(rng) for _ in range(4)]
    acts: list[Act] = [
        *(Play(rng.choice(moves)) for _ in range(12)),
        Replace(user),
        ReturnToSeat(),
        ReturnToSeat(),
        OfferSeat(rng.choice((EVE, FAY))),
        DeclineSeat("Someone"),
        Propose(rng.choice((PAUSE, RESUME))),
        Propose(PACE, rng.choice((0, HOUR, DAY, 2 * DAY)), rng.choice((REMIND, VOTE, DECIDE))),
        Agree(rng.choice((PACE, PAUSE, RESUME))),
        Agree(rng.choice((PACE, PAUSE, RESUME))),
        Object(PACE),
        PostWish(takes),
        WithdrawWish(),
        NoteGone(user),
        NoteBack(user),
        GiveOrders({"roll": True}),
        MoveGame(rng.randrange(5, 9)),
    ]
    if desk.table.handovers and rng.random() < 0.3:
        offered = desk.table.handovers[0]
        return offered.to, TakeSeat("Someone", offered.place)
    if all(wait.until is not None and wait.until > desk.now for wait in desk.table.waits) and rng.random() < 0.05:
        return 0, CloseUnused(ARCHIVED, desk.table.updated)
    return (user, Resume()) if desk.table.status == ARCHIVED else (user, rng.choice(acts))


def stalled(seed: int, steps: int = 150) -> None:
    """Let everyone at a table do everything that could win time, and check after each act that it wins none."""
    rng = random.Random(seed)
    if rng.random() < 0.5:
        desk = timed(expiry=rng.choice((REMIND, VOTE, DECIDE)))
    else:
        variants = rng.choice(((), ("separate-phases",), ("optional-robber",)))
        expiry = rng.choice((REMIND, VOTE, DECIDE))
        desk = Desk.of(ANN, BOB, CEM, seed=seed % 256, pace=DAY, expiry=expiry, leave=0, variants=variants)
    watch = Watch(desk)
    for _ in range(steps):
        with suppress(RefereeError, IllegalAction):
            desk.act(*some_act(desk, rng))
        if desk.table.status not in (RUNNING, ARCHIVED):
            return
        watch.check()
        watch.advance(rng.choice((1.0, 60.0, HOUR, 7 * HOUR, 23 * HOUR)))
        desk.down(rng.choice((0.0, 0.0, 0.0, 2 * DAY)))
        desk.look()
        if desk.played.outcome is not None:
            return
        watch.check()
