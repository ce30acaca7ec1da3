"""Players who go about it as people do: roll, offer now and then, build what they can, end the turn."""

from __future__ import annotations

import random

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
from engine.resources import single

DEALS = 0.4
"""How often somebody on turn makes an offer, once a turn; and how often one who can pay takes it."""
BUILDS = ((BuildCity, 1.0), (BuildSettlement, 1.0), (BuyCard, 0.8), (BuildRoad, 0.6))
CARDS = (PlayKnight, PlayMonopoly, PlayYearOfPlenty, PlayRoadBuilding)


def choose(game: Game, rng: random.Random) -> tuple[int, Action]:
    """Who does what next: (seat, action)."""
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
    owed = [kind for kind in options if kind not in _ASIDE]
    return seat, options[rng.choice(owed)].sample(rng)


_ASIDE = (Undo, AgreeToEnd, AgreeToCallOff, AskToBuild, Resign, SetStanding, CallOff)


def _on_turn(game: Game, seat: int, rng: random.Random) -> Action:
    options, view = game.options(seat), game.view(seat)
    for kind, liking in BUILDS:
        if kind in options and rng.random() < liking:
            return options[kind].sample(rng)
    playable = [kind for kind in CARDS if kind in options]
    if playable and rng.random() < 0.5:
        return options[rng.choice(playable)].sample(rng)
    if BankTrade in options and rng.random() < 0.5:
        return options[BankTrade].sample(rng)
    held = view.players[seat].hand or (0,) * 5
    offered = any(isinstance(event, OfferMade) for event in view.events)
    lacking = [kind for kind in range(5) if not held[kind]]
    if MakeOffer in options and lacking and any(held) and not offered and rng.random() < DEALS:
        give = max(range(5), key=lambda kind: held[kind])
        offer = MakeOffer(single(give), single(rng.choice(lacking)))
        if options.allows(offer):
            return offer
    return EndTurn()


def _on_offer(game: Game, rng: random.Random) -> tuple[int, Action]:
    """Each of the others answers in turn; then the deal is closed with somebody, or the offer withdrawn."""
    offer = game.view(None).offers[0]
    for seat in range(game.config.players):
        if seat == offer.seat or (offer.accepted | offer.declined) >> seat & 1:
            continue
        options = game.options(seat)
        if options.allows(AcceptOffer(offer.id)) and rng.random() < DEALS:
            return seat, AcceptOffer(offer.id)
        if options.allows(DeclineOffer(offer.id)):
            return seat, DeclineOffer(offer.id)
    options = game.options(offer.seat)
    if CloseOffer in options:
        return offer.seat, options[CloseOffer].sample(rng)
    return offer.seat, WithdrawOffer(offer.id)
