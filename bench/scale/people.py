"""How people play in the bench: legally, and with a rough plan, so that games last as long as people's do."""

from __future__ import annotations

import random

from engine.actions import (
    AcceptOffer,
    Action,
    BankTrade,
    BuildCity,
    BuildRoad,
    BuildSettlement,
    BuyCard,
    CloseOffer,
    DeclineOffer,
    EndTurn,
    MakeOffer,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    PlayYearOfPlenty,
    Roll,
    WithdrawOffer,
)
from engine.domains import Domain
from engine.errors import IllegalAction
from engine.game import Game

WISHES: tuple[tuple[type[Action], float], ...] = (
    (BuildCity, 1.0),
    (BuildSettlement, 1.0),
    (CloseOffer, 0.9),
    (PlayKnight, 0.3),
    (PlayRoadBuilding, 0.5),
    (PlayYearOfPlenty, 0.5),
    (PlayMonopoly, 0.5),
    (Roll, 1.0),
    (WithdrawOffer, 0.5),
    (BuyCard, 0.7),
    (BuildRoad, 0.4),
    (BankTrade, 0.4),
    (MakeOffer, 0.15),
    (EndTurn, 1.0),
)
"""Types of actions in the order in which the player on turn considers them, and how likely they take them."""
ANSWERS = (AcceptOffer, DeclineOffer)
MOST_OFFERS = 2
"""Most open offers at a time."""


def act(game: Game, rng: random.Random) -> tuple[int, Action, Game]:
    """The next action: seat, action, and the game after it. The given game stays as it is."""
    while True:
        seat, action = _choose(game, rng)
        after = game.copy()
        try:
            after.play(seat, action)
        except IllegalAction:  # a deal that can't be closed, because the partner no longer has the cards (E2)
            continue
        return seat, action, after


def _choose(game: Game, rng: random.Random) -> tuple[int, Action]:
    offers = game.view(None).offers
    if offers and rng.random() < 0.6:
        seats = [seat for seat in range(game.state.players) if any(kind in game.options(seat) for kind in ANSWERS)]
        if seats:
            seat = rng.choice(seats)
            kinds = [kind for kind in ANSWERS if kind in game.options(seat)]
            return seat, game.options(seat)[rng.choice(kinds)].sample(rng)
    seat = rng.choice(game.to_act)
    options = game.options(seat)
    for kind, likely in WISHES:
        if kind in options and rng.random() < likely and not (kind is MakeOffer and len(offers) >= MOST_OFFERS):
            return seat, _best(game, options[kind], rng)
    return seat, options[rng.choice([kind for kind in options if kind is not MakeOffer])].sample(rng)


def _best(game: Game, domain: Domain, rng: random.Random) -> Action:
    """The best of a few samples: a place with many pips, a card that the hand doesn't have."""
    return max((domain.sample(rng) for _ in range(5)), key=lambda action: _worth(game, action))


def _worth(game: Game, action: Action) -> int:
    match action:
        case BuildSettlement(at) | BuildCity(at):
            return game.board.pips_at(at)
        case BankTrade(_, get):
            seat = game.to_act[0]
            hand = game.view(seat).players[seat].hand or ()
            return -sum(held for held, n in zip(hand, get, strict=True) if n)
    return 0
