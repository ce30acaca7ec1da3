"""Players who play as people do: they roll, sometimes make an offer, build what they can, and end the turn."""

from __future__ import annotations

import random
from typing import cast

from engine.actions import (
    AcceptOffer,
    Action,
    AgreeToCallOff,
    AgreeToEnd,
    AskToBuild,
    BankTrade,
    BuildCity,
    BuildRoad,
    BuildSettlement,
    BuyCard,
    CallOff,
    CloseOffer,
    DeclineOffer,
    EndTurn,
    MakeOffer,
    PlaceAction,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    PlayYearOfPlenty,
    Resign,
    Roll,
    SetStanding,
    Undo,
    WithdrawOffer,
)
from engine.events import OfferMade
from engine.game import Game
from engine.geometry import bits
from engine.resources import NOTHING, single
from engine.rules import data_of

DEALS = 0.5
"""How often the player on turn makes an offer, at most once a turn; and how often a player who can pay accepts it."""
ROADS, CARDS_BOUGHT = 0.5, 0.5
"""How often a player who can pay for a road builds it, and for a card buys it."""
CARDS = (PlayKnight, PlayMonopoly, PlayYearOfPlenty, PlayRoadBuilding)


def choose(game: Game, rng: random.Random) -> tuple[int, Action]:
    """The next action: (seat, action)."""
    view = game.view(None)
    if view.offers:
        return _on_offer(game, rng)
    seat = rng.choice(game.to_act)
    options = game.options(seat)
    if EndTurn in options:
        return seat, _on_turn(game, seat, rng)
    if Roll in options:
        playable = [kind for kind in CARDS if kind in options]
        if playable and rng.random() < 0.2:
            return seat, options[rng.choice(playable)].sample(rng)
        return seat, Roll()
    chosen = rng.choice([kind for kind in options if kind not in _ASIDE])
    if chosen in (BuildSettlement, BuildRoad):
        return seat, _placed(game, seat, chosen, rng)
    return seat, options[chosen].sample(rng)


_ASIDE = (Undo, AgreeToEnd, AgreeToCallOff, AskToBuild, Resign, SetStanding, CallOff)


def _placed(game: Game, seat: int, kind: type[Action], rng: random.Random) -> Action:
    """The best place for a piece: by its pips, or for a road by those of the free intersection that it leads to."""
    view = game.view(seat)
    board, free = view.board, view.free_intersections

    def worth(action: Action) -> float:
        at = cast(PlaceAction, action).at
        if kind is not BuildRoad:
            return board.pips_at(at)
        return max((board.pips_at(node) for node in board.grid.edges[at] if free >> node & 1), default=rng.random())

    return max(game.options(seat)[kind], key=worth)


def _lacking(game: Game, seat: int) -> tuple[int, ...]:
    """What the hand lacks for a settlement if there is a place for one, else for a city, else for a road."""
    view = game.view(seat)
    me, data = view.players[seat], data_of(game.config)
    reached = any(
        view.free_intersections >> node & 1 for edge in bits(me.roads) for node in view.board.grid.edges[edge]
    )
    aim = data.settlement_cost if reached else data.city_cost if me.settlements else data.road_cost
    return tuple(max(0, cost - have) for cost, have in zip(aim, me.hand or NOTHING, strict=True))


def _on_turn(game: Game, seat: int, rng: random.Random) -> Action:
    options, view = game.options(seat), game.view(seat)
    for best in (BuildCity, BuildSettlement):
        if best in options:
            return _placed(game, seat, best, rng)
    playable = [kind for kind in CARDS if kind in options]
    if playable and rng.random() < 0.5:
        return options[rng.choice(playable)].sample(rng)
    lacking = [kind for kind, n in enumerate(_lacking(game, seat)) if n]
    if BankTrade in options and lacking:
        trades = [t for t in options[BankTrade] if isinstance(t, BankTrade) and any(t.get[kind] for kind in lacking)]
        if trades:
            return rng.choice(trades)
    held = view.players[seat].hand or NOTHING
    offered = any(isinstance(event, OfferMade) for event in view.events)
    if MakeOffer in options and lacking and not offered and rng.random() < DEALS:
        give = max(range(5), key=lambda kind: held[kind])
        offer = MakeOffer(single(give), single(rng.choice(lacking)))
        if options.allows(offer):
            return offer
    if BuildRoad in options and rng.random() < ROADS:
        return _placed(game, seat, BuildRoad, rng)
    if BuyCard in options and rng.random() < CARDS_BOUGHT:
        return BuyCard()
    return EndTurn()


def _on_offer(game: Game, rng: random.Random) -> tuple[int, Action]:
    """Each other player who can pay answers. Then the maker trades with one of them, or cancels the offer."""
    offer = game.view(None).offers[0]
    for seat in range(game.config.players):
        if not (offer.accepted | offer.declined) >> seat & 1 and game.options(seat).allows(AcceptOffer(offer.id)):
            return seat, AcceptOffer(offer.id) if rng.random() < DEALS else DeclineOffer(offer.id)
    options = game.options(offer.seat)
    if CloseOffer in options:
        return offer.seat, options[CloseOffer].sample(rng)
    return offer.seat, WithdrawOffer(offer.id)
