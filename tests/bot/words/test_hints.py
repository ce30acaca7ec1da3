"""Hints: each action has a sentence, made from what the seat knows."""

from __future__ import annotations

import random

import pytest

from bot.words.hints import what
from bot.words.why import percent, why
from engine.actions import (
    Action,
    BuildCity,
    BuildRoad,
    BuildSettlement,
    BuyCard,
    DeclineOffer,
    EndTurn,
    MakeOffer,
    MoveRobber,
    PlayMonopoly,
    Roll,
)
from engine.errors import IllegalAction
from engine.game import Game
from engine.geometry import bits
from engine.resources import ORE, WOOL, single
from engine.scenarios import SCENARIOS
from players import computer
from players.advice import Advice, Other
from players.reasons import GROUPS, REASON_KINDS, Reason
from players.table import instead, move
from tests.engine.builder import Table, edge, node, seat, table
from tests.engine.randomly import chance, random_config

NAMES = ("Ann", "Bob", "Cem", "Dot", "Eve", "Fay", "Gus", "Hal")


LACKING = {"rival", "unfair", "victory", *GROUPS} - {"hand"} | {"nearer"}
"""The kinds of reasons that another move can lack."""
SHORT = ("base", "islands")
"""Scenarios of the short run, since all have the same kinds of actions."""


@pytest.mark.parametrize(
    "scenario", [pytest.param(name, marks=[pytest.mark.soak] * (name not in SHORT)) for name in SCENARIOS]
)
def test_every_action_of_a_game_has_a_sentence(scenario: str) -> None:
    rng = random.Random(scenario)
    config = random_config(rng, (scenario,), (5,), rounds=8, variants=0.3)
    game = Game.new(config, chance(1))
    players = [computer("easy", rng) for _ in range(config.players)]
    while game.outcome is None:
        mover, action = move(game, players)
        text = what(game.view(mover), NAMES, action)
        assert text.startswith("**"), action
        assert len(text) < 400
        try:
            game.play(mover, action)
        except IllegalAction:
            game.play(mover, instead(game, mover, action))


def said(found: Table, action: Action, who: int = 0) -> str:
    return what(found.game.view(who), NAMES, action)


def test_a_settlement_hint_names_the_dots_and_a_new_resource() -> None:
    position = table(seat(settlements="C4", hand="blwg"), seat())
    board = position.game.state.board
    have = {board.terrain[h] for h in board.grid.node_hexes[node("C4")]}
    new = next(r for r in range(5) if r not in have)
    at = next(n for h, t in enumerate(board.terrain) if t == new for n in bits(board.hex_node_mask[h]))
    text = said(position, BuildSettlement(at))
    assert f"**Settle at {board.grid.node_names[at]}**" in text
    assert f"{board.pips_at(at)} dots" in text
    assert "which you don't get yet" in text


def test_a_city_hint_says_that_dots_are_doubled() -> None:
    position = table(seat(settlements="C4", hand="ooogg"), seat())
    assert "dots, doubled." in said(position, BuildCity(node("C4")))


def test_a_robber_hint_names_the_players_who_lose() -> None:
    position = table(seat(), seat(settlements="C4"))
    at = next(h for h in position.game.state.board.grid.node_hexes[node("C4")])
    assert "Bob (1 point) loses" in said(position, MoveRobber(at))


def test_a_monopoly_hint_says_how_many_cards_the_others_hold() -> None:
    position = table(seat(hand="w"), seat(hand="www"))
    assert "the others hold 3 together" in said(position, PlayMonopoly(WOOL))


def test_hints_about_offers_name_the_cards() -> None:
    position = table(seat(settlements="C4", hand="oogggw"), seat(hand="o"))
    assert said(position, MakeOffer(single(WOOL), single(ORE))) == "**Offer 1 🐑 wool for 1 🪨 ore.**"
    assert said(position, MakeOffer(single(WOOL), single(ORE), (1,))) == "**Offer Bob 1 🐑 wool for 1 🪨 ore.**"
    position.play(0, MakeOffer(single(WOOL), single(ORE)))
    offer = position.state.offers[0].id
    counter = MakeOffer(single(ORE), single(WOOL, 2), answers=offer)
    assert said(position, counter, who=1) == f"**Counter offer {offer}: 1 🪨 ore for 2 🐑 wool.**"
    assert said(position, DeclineOffer(offer), who=1) == f"**Decline offer {offer}**: 1 🐑 wool for 1 🪨 ore."


def test_an_end_turn_hint_warns_of_a_seven() -> None:
    position = table(seat(settlements="C4", hand="oooooooo"), seat())
    assert "a 7 would cost you half" in said(position, EndTurn())
    assert said(table(seat(), seat(), step="pre_roll"), Roll()) == "**Roll the dice.**"


def test_the_explanation_gives_the_chances_and_what_the_next_best_move_lacks() -> None:
    position = table(seat(settlements="C4", hand="oooggbl"), seat())
    city, road = BuildCity(node("C4")), BuildRoad(edge("c4"))
    reasons = (Reason("points", 1), Reason("production", 9))
    best = Advice(city, (city, road), reasons, 0.251, 0.374, Other(road, 0.31, Reason("rival", seat=1)))
    view = position.game.view(0)
    assert why(view, NAMES, best).splitlines() == [
        "You gain 1 point. It brings 9 more dots.",
        f"Then: {what(view, NAMES, road)}",
        "📈 Your chance to win: 25% → 37%.",
        "-# Next best: Build a road on c4 (31%). It leaves Bob stronger.",
    ]
    bought = Advice(BuyCard(), (BuyCard(),), (Reason("card", 14), Reason("victory", 5)), 0.2, 0.2, None)
    assert why(view, NAMES, bought).splitlines()[0] == (
        "Of the 25 cards that you haven't seen, 14 are knights and 5 are Victory Points."
    )
    hindered = Advice(road, (road,), (Reason("rival", seat=1), Reason("rival", seat=0)), 0.2, 0.2, None)
    assert why(view, NAMES, hindered).splitlines()[0] == "It slows down Bob (0 points) and Ann (1 point)."
    same = Advice(EndTurn(), (EndTurn(),), (), 0.25, 0.25, Other(road, 0.247, None))
    assert why(view, NAMES, same).splitlines() == [
        "📈 Your chance to win: about 25%.",
        "-# About as good: Build a road on c4.",
    ]


@pytest.mark.parametrize("kind", REASON_KINDS)
def test_each_kind_of_reason_has_a_sentence(kind: str) -> None:
    view = table(seat(settlements="C4"), seat()).game.view(0)
    for next_best in (None, Other(EndTurn(), 0.2, Reason(kind, seat=1))):
        if next_best and kind not in LACKING:
            continue
        reasons = () if kind == "unfair" else (Reason(kind, 2, seat=1),)
        text = why(view, NAMES, Advice(Roll(), (Roll(),), reasons, 0.2, 0.3, next_best))
        first, *lines = text.splitlines()
        assert first.endswith(".")
        assert "{" not in text
        assert not next_best or lines[-1].endswith(".")


def test_chances_are_whole_percentages_and_100_only_if_certain() -> None:
    assert [percent(n) for n in (0.0001, 0.004, 0.5, 0.996, 1.0)] == ["1", "1", "50", "99", "100"]
