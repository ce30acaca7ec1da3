"""Everything that can happen at a table, at random."""

from __future__ import annotations

import random
from collections.abc import Callable

from bot.table.act import Act
from bot.table.acts.motions import Agree, AskForSeat, Object, Propose
from bot.table.acts.options import SetOptions
from bot.table.acts.orders import CarryOut, GiveOrders
from bot.table.acts.places import CloseUnused, GiveUp, MoveGame, Resume, VoidGame, Warn
from bot.table.acts.play import COMPUTER, Play
from bot.table.acts.seats import DeclineSeat, OfferSeat, Replace, ReturnToSeat, TakeSeat
from bot.table.acts.waiting import Elsewhere, LookAfter, NoteBack, NoteGone, RefreshTimes
from bot.table.acts.wishes import PostWish, WithdrawWish
from bot.table.options import DECIDE, REMIND, VOTE
from bot.table.parts import PACE, PAUSE, RESUME, SUBSTITUTE
from bot.table.preferences import PersonalChoices, UserSettings
from bot.table.table import ARCHIVED, RUNNING
from engine.actions import AgreeToCallOff, AgreeToEnd, Resign
from engine.errors import ConfigError, IllegalAction, RefereeError
from engine.resources import single
from tests.bot.table.desk import ANN, BOB, CEM, DAY, DOT, EVE, FAY, HOUR, NAMES, Desk

KINDS = (PACE, PAUSE, RESUME, SUBSTITUTE)


def some_act(desk: Desk, rng: random.Random) -> Act:
    """A random act, possible now or not."""
    user, place = rng.choice((ANN, BOB, CEM, DOT, EVE, FAY)), rng.randrange(len(desk.table.members))
    want = single(rng.randrange(5), 1)
    acts: tuple[Act, ...] = (
        Propose(rng.choice(KINDS[:3]), pace=rng.choice((0, 120, 3600, 86_400)), expiry=rng.choice((DECIDE, VOTE))),
        Agree(rng.choice(KINDS)),
        Agree(rng.choice(KINDS)),
        Object(rng.choice(KINDS)),
        AskForSeat("Newcomer", place),
        Replace(desk.table.users[place]),
        Replace(desk.table.users[place], left=True),
        ReturnToSeat(),
        OfferSeat(rng.choice((0, EVE, FAY))),
        TakeSeat("Newcomer", place),
        DeclineSeat("Newcomer", rng.choice((None, place))),
        PostWish(want, single(rng.randrange(5), 1)),
        WithdrawWish(),
        NoteGone(user),
        NoteBack(user),
        GiveOrders({"roll": rng.random() < 0.5, "end": True, "never": (rng.randrange(5),)}),
        CarryOut(place),
        SetOptions({"pause": rng.randrange(9)}),
        MoveGame(rng.randrange(5, 9), anybody=rng.random() < 0.5),
        Warn(desk.table.updated),
        *([CloseUnused(ARCHIVED, desk.table.updated)] if rng.random() < 0.1 else ()),
        *([GiveUp(desk.table.updated)] if rng.random() < 0.1 else ()),
        Resume(),
        LookAfter(rng.choice((0.0, 0.0, desk.now)), {user: Elsewhere(1, desk.now - 60)}),
        *([VoidGame("Mod")] if rng.random() < 0.02 else ()),
    )
    return rng.choice(acts)


def an_answer(desk: Desk, rng: random.Random) -> tuple[int, Act]:
    """A user and an act that answers something open at the table; if nothing is open, any user and any act."""
    table, answers = desk.table, list[tuple[int, Act]]()
    for motion in table.motions:
        answers += [(rng.choice(table.users), Agree(motion.kind)), (rng.choice(table.users), Object(motion.kind))]
        answers += [(rng.choice(table.users), Replace(motion.absent))] * bool(motion.absent)
    answers += [(offered.to or EVE, TakeSeat("Newcomer", offered.place)) for offered in table.handovers]
    answers += [(offered.to or EVE, DeclineSeat("Newcomer")) for offered in table.handovers]
    answers += [(member.user, ReturnToSeat()) for member in table.members if member.level]
    answers += [(rng.choice(table.users), Resume())] * (table.status == ARCHIVED)
    return rng.choice(answers) if answers else (rng.choice(list(NAMES)), some_act(desk, rng))


def some_move(desk: Desk, rng: random.Random) -> None:
    """Let a player whom the game waits for act, or now and then resign or vote to end the game."""
    assert desk.game is not None
    if desk.game.outcome is not None or not desk.game.to_act:
        return
    seat = rng.choice(desk.game.to_act)
    user, how = desk.table.user_at(desk.game, seat), COMPUTER if desk.table.member_at(desk.game, seat).level else ""
    action = desk.game.options(seat).sample(rng)
    if rng.random() < 0.03 and not how:
        action = rng.choice((Resign(), AgreeToEnd(), AgreeToCallOff()))
    desk.act(user, Play(action, how=how or "person"))


def choose(desk: Desk, rng: random.Random) -> None:
    """Let someone go on vacation or come back, with or without quiet hours."""
    user = rng.choice(list(NAMES))
    begin = desk.now + rng.choice((0.0, DAY))
    away = (begin, begin + rng.choice((HOUR, 5 * DAY, 40 * DAY))) if rng.random() < 0.7 else None
    old = desk.settings.get(user, UserSettings(user)).choices.vacation
    if away is None and old is not None and old[0] < desk.now:
        away = (old[0], min(old[1], desk.now))
    quiet = (22 * 60, 8 * 60) if rng.random() < 0.3 else None
    desk.settings[user] = UserSettings(user, choices=PersonalChoices(vacation=away, quiet=quiet, zone="Europe/Berlin"))
    if desk.table.status == RUNNING:
        desk.act(0, RefreshTimes())


def stand_still(desk: Desk, rng: random.Random) -> None:
    """Let the process be away, or set its clock back, and check that everyone has as much time as before."""
    left = {wait.asks: wait.until - desk.now for wait in desk.table.waits if wait.until and wait.until > desk.now}
    away = any(stop.user for stop in desk.table.stops)
    ahead = any(stop.user and stop.begin > desk.now for stop in desk.table.stops)
    seconds = rng.choice((20.0, HOUR, 3 * DAY)) if rng.random() < 0.7 else -rng.choice((HOUR, 2 * DAY))
    desk.down(seconds)
    if desk.table.status == RUNNING:
        desk.act(0, RefreshTimes())
        away = away or any(stop.user for stop in desk.table.stops)  # a vacation that was over can lie ahead again
        for wait in desk.table.waits:
            if wait.asks not in left or desk.table.paused or wait.until is None or ahead:
                continue
            more = wait.until - desk.now - left[wait.asks]
            assert more > -1.0 if away and seconds < 0 else away or abs(more) < 1.0, "time has run that mustn't"
        desk.act(0, LookAfter())


def go_on(seed: int, steps: int = 60, look: Callable[[Desk], None] = lambda desk: None) -> Desk:
    """A game after random steps of everything that can happen at its table; `look` is called after each step."""
    rng = random.Random(seed)
    users = (ANN, BOB, CEM, DOT)[: rng.randrange(2, 5)]
    pace, expiry = rng.choice((0, 120, 3600, 86_400, 86_400)), rng.choice((REMIND, DECIDE, VOTE))
    variants = rng.choice(((), ("knight-interrupt",), ("friendly-robber",)))
    desk = Desk.of(*users, seed=seed % 256, pace=pace, expiry=expiry, variants=variants, leave=rng.choice((0, 3, 14)))
    for _ in range(steps):
        kind = rng.random()
        try:
            if kind < 0.35:
                some_move(desk, rng)
            elif kind < 0.55:
                desk.act(rng.choice(list(NAMES)), some_act(desk, rng))
            elif kind < 0.75:
                desk.act(*an_answer(desk, rng))
            elif kind < 0.80:
                choose(desk, rng)
            elif kind < 0.85:
                stand_still(desk, rng)
            else:
                desk.pass_time(rng.choice((60.0, HOUR, DAY, 3 * DAY)))
        except (RefereeError, IllegalAction, ConfigError):
            pass
        look(desk)
    return desk
