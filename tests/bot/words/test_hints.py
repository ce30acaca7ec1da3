"""Hints: each action has a sentence, made of what the seat knows."""

from __future__ import annotations

import random

import pytest

from bot.words.hints import hint
from engine.actions import (
    BuildCity,
    BuildSettlement,
    BuyCard,
    DeclineOffer,
    EndTurn,
    MakeOffer,
    MoveRobber,
    PlayKnight,
    PlayMonopoly,
    Roll,
)
from engine.errors import IllegalAction
from engine.game import Game
from engine.geometry import bits
from engine.resources import ORE, WOOL, single
from engine.scenarios import SCENARIOS
from players import computer
from players.table import instead, move
from tests.engine.builder import Table, hex_, node, seat, table
from tests.engine.randomly import chance, random_config

NAMES = ("Ann", "Bob", "Cem", "Dot", "Eve", "Fay", "Gus", "Hal")


SHORT = ("base", "peanut", "big-islands")
"""Scenarios of the short run: what there is to do is the same in all."""


@pytest.mark.parametrize(
    "scenario", [pytest.param(name, marks=[pytest.mark.soak] * (name not in SHORT)) for name in SCENARIOS]
)
def test_every_action_of_a_game_has_a_sentence(scenario: str) -> None:
    rng = random.Random(scenario)
    config = random_config(rng, (scenario,), (5,), rounds=15, variants=0.3)
    game = Game.new(config, chance(1))
    players = [computer("easy", rng) for _ in range(config.players)]
    while game.outcome is None:
        mover, action = move(game, players)
        found = hint(game.view(mover), NAMES, action)
        assert found.startswith("**"), action
        assert len(found) < 400
        try:
            game.play(mover, action)
        except IllegalAction:
            game.play(mover, instead(game, mover, action))


def said(found: Table, action: object, who: int = 0) -> str:
    return hint(found.game.view(who), NAMES, action)  # type: ignore[arg-type]


def test_a_place_to_settle_says_what_it_brings() -> None:
    found = table(seat(settlements="C4", hand="blwg"), seat())
    board = found.game.state.board
    have = {board.terrain[h] for h in board.grid.node_hexes[node("C4")]}
    new = next(r for r in range(5) if r not in have)
    at = next(n for h, t in enumerate(board.terrain) if t == new for n in bits(board.hex_node_mask[h]))
    text = said(found, BuildSettlement(at))
    assert f"**Settle at {board.grid.node_names[at]}**" in text
    assert f"{board.pips_at(at)} dots" in text
    assert "You then have 2 of 10 points." in text
    assert "which you need" in text


def test_a_city_doubles_its_dots() -> None:
    found = table(seat(settlements="C4", hand="ooogg"), seat())
    assert "doubled. You then have 2 of 10 points." in said(found, BuildCity(node("C4")))


def test_the_robber_names_who_loses() -> None:
    found = table(seat(), seat(settlements="C4"))
    at = next(h for h in found.game.state.board.grid.node_hexes[node("C4")])
    assert "Bob (1 point) loses" in said(found, MoveRobber(at))


def test_a_knight_for_the_robber_on_ones_own_hex() -> None:
    at = "3.3"
    inside = next(
        n
        for n in table().game.state.board.grid.node_names
        if table().game.state.board.hex_node_mask[hex_(at)] >> node(n) & 1
    )
    found = table(seat(settlements=inside, cards="k", hand="wgo"), seat(), robber=at)
    assert "the robber is on your 3.3" in said(found, PlayKnight())
    assert "drive the robber off" in said(found, BuyCard())
    away = table(seat(settlements=inside, cards="k"), seat(), robber="1.1")
    assert "1 knight" in said(away, PlayKnight())


def test_a_monopoly_tells_what_the_bank_tells() -> None:
    found = table(seat(hand="w"), seat(hand="www"))
    assert "the others hold 3 together" in said(found, PlayMonopoly(WOOL))


def test_an_offer_says_what_it_is_good_for() -> None:
    found = table(seat(settlements="C4", hand="oogggw"), seat(hand="o"))
    assert "Then you can afford a city" in said(found, MakeOffer(single(WOOL), single(ORE)))
    found.play(0, MakeOffer(single(WOOL), single(ORE)))
    assert "doesn't get you anything new" in said(found, DeclineOffer(found.state.offers[0].id), who=1)


def test_the_end_of_a_turn_warns_of_a_seven() -> None:
    found = table(seat(settlements="C4", hand="oooooooo"), seat())
    assert "a 7 would cost you half" in said(found, EndTurn())
    assert said(table(seat(), seat(), step="pre_roll"), Roll()) == "**Roll the dice**."
