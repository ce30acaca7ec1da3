"""A seat's last offer and whether it has traded, read from the log, compared with the events of that moment."""

from __future__ import annotations

import random

from engine.actions import EndTurn, MakeOffer, Roll, WithdrawOffer
from engine.events import BankTraded, OfferMade, Traded
from engine.game import Game
from engine.log.offers import has_traded, last_offer
from tests.engine.builder import cards, seat, table
from tests.engine.randomly import attempt, chance, random_action, random_config


def test_E2_each_players_last_offer_can_be_read_from_the_log() -> None:
    """This includes counter-offers, with all players whom they asked."""
    t = table(seat(hand="bb"), seat(hand="ow"), seat(hand="g"), step="pre_roll", dice=[(1, 1)])
    t.play(0, Roll())
    records = t.game.records
    assert [last_offer(records, who) for who in range(3)] == [None] * 3
    t.play(0, MakeOffer(cards("b"), cards("o")))
    t.play(1, MakeOffer(cards("w"), cards("b"), (), 1))
    t.play(2, MakeOffer(cards("g"), cards("b")))
    t.play(0, WithdrawOffer(1))
    assert last_offer(records, 0) == MakeOffer(cards("b"), cards("o"))
    assert last_offer(records, 1) == MakeOffer(cards("w"), cards("b"), (0,), 1)
    assert last_offer(records, 2) == MakeOffer(cards("g"), cards("b"), (0,))
    t.play(0, MakeOffer(cards("bb"), cards("g"), (2,)))
    t.play(0, EndTurn())
    assert last_offer(records, 0) == MakeOffer(cards("bb"), cards("g"), (2,))


def test_E2_the_last_offer_names_the_players_who_were_asked() -> None:
    asked = set[tuple[bool, bool]]()
    for seed in range(8):
        rng = random.Random(seed)
        scenarios = ("base", "extension")
        game = Game.new(random_config(rng, scenarios, (8,), rounds=30, variants=0.2), chance(seed))
        while game.outcome is None and game.revision < 800:
            if attempt(game, *random_action(game, rng)) is not None:
                continue
            for event in game.last_events:
                if isinstance(event, OfferMade):
                    offer = last_offer(game.records, event.seat)
                    assert offer is not None
                    others = tuple(s for s in range(game.config.players) if s != event.seat)
                    playing = tuple(s for s in others if not game.state.resigned >> s & 1)
                    assert (offer.give, offer.want, offer.answers) == (event.give, event.want, event.answers)
                    assert set(offer.to or playing) == set(event.to)
                    asked.add((game.state.on_turn == event.seat, event.answers != -1))
    assert len(asked) >= 3


def test_E_whether_a_seat_has_traded_can_be_read_from_the_log() -> None:
    ways = set[tuple[type, bool]]()
    for seed in range(12):
        rng = random.Random(seed)
        game = Game.new(random_config(rng, ("base",), (8,), rounds=40), chance(seed))
        traded = set[int]()
        while game.outcome is None and game.revision < 1500 and len(traded) < game.config.players:
            before = game.state.offers[:]
            if attempt(game, *random_action(game, rng)) is not None:
                continue
            for event in game.last_events:
                if isinstance(event, BankTraded):
                    traded.add(event.seat)
                elif isinstance(event, Traded):
                    traded |= {event.seat, event.partner}
                    made = next(o for o in before if o not in game.state.offers)
                    ways.add((Traded, made.seat == event.seat))
            assert {who for who in range(game.config.players) if has_traded(game.records, who)} == traded
    assert len(ways) == 2, "an own offer that was closed, and another's that was accepted"
