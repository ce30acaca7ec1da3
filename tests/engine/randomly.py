"""Random configurations, random actions and random nonsense, all from a seed."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from engine import actions as a
from engine.actions import ACTIONS, Action, BuildRoad, EndTurn, Undo
from engine.chance import SeededChance
from engine.config import COLORS, EDITIONS, Config
from engine.errors import IllegalAction
from engine.game import Game
from engine.geometry import bits
from engine.record import REFEREE
from engine.resources import Hand, hand
from engine.scenarios import SCENARIOS, Scenario
from engine.steps.special import LateRequests
from engine.terms import StepKind
from engine.variants import VARIANTS

PLAIN = ("base", "base", "base", "beginner")


def chance(seed: int, words: Sequence[str] = ()) -> SeededChance:
    """The real chance, seeded with a number, and with what the players mixed in."""
    return SeededChance(seed.to_bytes(32, "big"), str(seed), words)


def random_config(
    rng: random.Random,
    scenarios: Sequence[str] = PLAIN,
    targets: Sequence[int] = (3, 4, 5),
    rounds: int = 15,
    variants: float = 0,
    players: int = 0,
) -> Config:
    """Any configuration that can be played, with any number of players if `players` is 0. Each alternate rule is in it
    with the probability `variants`."""
    scenario = SCENARIOS[rng.choice(scenarios)]
    players = players or rng.choice(scenario.players)
    colors = rng.sample(scenario.colors_for(players), players)
    layouts = [x for x in scenario.layouts if x != "balanced"]  # a balanced one takes long to find
    return Config(
        colors=tuple(colors),
        scenario=scenario.id,
        edition=rng.choice(EDITIONS),
        variants=tuple(v for v in VARIANTS if rng.random() < variants),
        target=rng.choice(targets),
        layout=rng.choice(layouts) if layouts else "spiral",
        options=random_options(scenario, rng),
        shuffle_seats=rng.random() < 0.8,
        round_limit=rng.choice((rounds, rounds, 3)),
        request_time=60 * (players == 6),
    )


def random_options(scenario: Scenario, rng: random.Random) -> tuple[tuple[str, str], ...]:
    """A choice for each option of a scenario. Numbers of hexes of each terrain are in balance (K6)."""
    chosen = {o.name: rng.choice(o.choices)[0] for o in scenario.options if o.only_with is None}
    for o in scenario.options:
        if o.only_with is not None and chosen[o.only_with[0]] == o.only_with[1]:
            chosen[o.name] = str(rng.randint(4, 8))
    return tuple(chosen.items())


def random_action(game: Game, rng: random.Random) -> tuple[int, Action]:
    """A possible next action at a lively table: usually one that is awaited, sometimes any other."""
    luck, everybody = rng.random(), range(game.config.players)
    often = 0.2 if game.state.agenda[-1].kind is StepKind.DISCARD else 0.06  # players who have discarded can undo that
    others = [s for s in everybody if game.options(s)] if luck < often or game.state.offers else []
    undoing = [s for s in everybody if game.can_undo(s)] if 0.06 <= luck < 0.1 else []
    active = [s for s in everybody if not game.state.resigned >> s & 1]
    if others and rng.random() < 0.7:
        seat = rng.choice(others)
        options = game.options(seat)
        return seat, options.sample(rng, offers=rng.random() < 0.5 or list(options) == [a.MakeOffer])
    if undoing:
        return undoing[0], a.Undo()
    if 0.1 <= luck < 0.102:
        return rng.choice(active), a.Resign()
    if 0.102 <= luck < 0.107:
        seat = rng.choice(active)
        if game.view().may_count_points:
            return seat, a.AgreeToEnd(not game.state.votes >> seat & 1)
        return seat, a.AgreeToCallOff(not game.view().call_off_votes >> seat & 1)
    if 0.107 <= luck < 0.112:
        return REFEREE, time_over(game, rng)
    seat = rng.choice(game.to_act)
    options = game.options(seat)
    if rng.random() < 0.5:  # each kind of action is equally likely, however many there are of it
        domain = options[rng.choice(list(options))]
        return seat, counter(game, seat, rng) if domain is options.get(a.MakeOffer) else domain.sample(rng)
    return seat, options.sample(rng)


def time_over(game: Game, rng: random.Random) -> Action:
    """What the referee does when the time is over for the decision, or for an answer to an offer."""
    step = game.state.agenda[-1]
    if a.Expire in game.rules.referee.get(type(step), {}):
        return a.Expire(step.serial)
    for offer in game.state.offers:
        if waiting := [*bits(offer.to & ~offer.accepted & ~offer.declined)]:
            return a.DeclineFor(rng.choice(waiting), offer.id)
    return a.DecideFor(rng.choice(game.to_act))


def counter(game: Game, seat: int, rng: random.Random) -> Action:
    """An offer that the rules allow, of any shape; it can answer another one."""
    domain = game.options(seat)[a.MakeOffer]
    for _ in range(20):
        offer = wild_offer(game, rng)
        if offer in domain:
            return offer
    return domain.sample(rng)


def wild_hand(rng: random.Random) -> Hand:
    """Some cards, rarely nonsense."""
    if rng.random() < 0.05:
        return hand(rng.randint(-2, 3) for _ in range(5))
    cards = [0] * 5
    for _ in range(rng.choice((0, 1, 1, 1, 2, 2, 3, 4, 8))):
        cards[rng.randrange(5)] += 1
    return hand(cards)


def wild_offer(game: Game, rng: random.Random) -> a.MakeOffer:
    """Any offer, possible or not."""
    seats = rng.sample(range(-1, game.config.players + 1), rng.choice((0, 0, 1, 2)))
    ids = [-1, -1, 0, *(o.id for o in game.state.offers)]
    return a.MakeOffer(wild_hand(rng), wild_hand(rng), tuple(seats), rng.choice(ids))


def wild_action(game: Game, rng: random.Random) -> tuple[int, Action]:
    """Any action of any seat, possible or not."""
    seat = rng.randrange(-2, game.config.players + 1)
    cls: type[Any] = rng.choice(list(ACTIONS.values()))
    if cls is a.MakeOffer:
        return seat, wild_offer(game, rng)
    if cls in (a.Discard, a.PlayYearOfPlenty):
        return seat, cls(wild_hand(rng))
    if cls is a.BankTrade:
        lot = [0] * 5
        lot[rng.randrange(5)] = rng.choice((2, 3, 4, 6, 8))
        return seat, a.BankTrade(hand(lot), wild_hand(rng))
    if cls in (a.AgreeToEnd, a.AgreeToCallOff, a.AskToBuild):
        return seat, cls(rng.random() < 0.5)
    if cls is a.CloseOffer:
        return seat, a.CloseOffer(rng.randrange(-1, game.state.next_offer + 1), rng.randrange(-1, 5))
    names = [f.name for f in fields(cls)]
    if names == ["at"]:
        return seat, cls(rng.choice((-1, 10**9, *range(75))))
    if cls is a.Expire:
        return max(seat, 0), a.Expire(game.state.agenda[-1].serial)
    if cls is a.CallOff:
        return max(seat, 0), a.CallOff()
    if cls is a.DecideFor:
        return max(seat, 0), a.DecideFor(max(seat, 0))
    if cls is a.DeclineFor:
        return max(seat, 0), a.DeclineFor(max(seat, 0), rng.randrange(-1, game.state.next_offer + 1))
    if names:
        return seat, cls(rng.randrange(-1, game.state.next_offer + 6))
    return seat, cls()


def allowed(game: Game, seat: int, action: Action) -> bool:
    """Whether an action is possible according to what the engine shows a front."""
    if game.outcome is not None or not 0 <= seat < game.config.players or game.state.resigned >> seat & 1:
        return False
    if isinstance(action, a.Undo):
        return game.can_undo(seat)
    if isinstance(action, a.Resign):
        return True
    if isinstance(action, a.AgreeToEnd):
        return game.view().may_count_points and action.agree != bool(game.view().end_votes >> seat & 1)
    if isinstance(action, a.AgreeToCallOff):
        return action.agree != bool(game.view().call_off_votes >> seat & 1)
    if isinstance(action, a.AskToBuild):
        step = game.state.agenda[-1]
        called = game.rules.data.special_building and game.state.on_turn not in (-1, seat)
        called = called or (isinstance(step, LateRequests) and step.seat != seat)
        return called and action.wanted != game.view(seat).asked_to_build
    if isinstance(action, a.SetStanding):
        return game.rules.data.special_building and 0 <= action.cards < 100
    return game.options(seat).allows(action)


def trace(game: Game) -> tuple[object, ...]:
    """Everything that a refusal must leave unchanged."""
    seats = range(game.config.players)
    undo, ids = [game.can_undo(s) for s in seats], [game.decision(s) for s in seats]
    return game.hash(), game.revision, game.last_events, undo, ids


def attempt(game: Game, seat: int, action: Action) -> IllegalAction | None:
    """Play an action. Returns the refusal, if it is refused."""
    try:
        game.play(seat, action)
    except IllegalAction as error:
        return error
    return None


def played(seed: int, undoing: bool = False) -> Game:
    """A random game to five points. `undoing`: each road and each end of a turn is undone and done again, where
    possible."""
    game = Game.new(Config(COLORS[:4], target=5), SeededChance(seed.to_bytes(32, "big"), "1", ()))
    rng = random.Random(seed)
    while game.outcome is None:
        seat = rng.choice(game.to_act)
        options = game.options(seat)
        action = options[rng.choice(list(options))].sample(rng)
        game.play(seat, action)
        if undoing and game.outcome is None and game.can_undo(seat) and isinstance(action, (BuildRoad, EndTurn)):
            game.play(seat, Undo())
            game.play(seat, action)
    return game


def lively(seed: int, most: int = 6000, words: Sequence[str] = (), **choice: object) -> Game:
    """A random game in which people also undo, trade, resign and agree. `words`: what the players mixed in."""
    rng = random.Random(seed)
    game = Game.new(random_config(rng, **choice), chance(seed, words))  # type: ignore[arg-type]
    while game.outcome is None and game.revision < most:
        attempt(game, *random_action(game, rng))
    return game
