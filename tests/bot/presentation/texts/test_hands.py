"""A player's own hand in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.presentation.pickers import unaffordable
from bot.presentation.texts import alt
from bot.presentation.texts.hands import can_buy, development, harbors, own_hand, purchases, rates
from bot.presentation.texts.refusals import sentence
from engine.resources import hand_of
from engine.views import View
from tests.bot.presentation.tables import NAMES, step, view, with_player


def mine(**values: object) -> View:
    plain = {"hand_size": 4, "hand": hand_of(brick=1, lumber=1, grain=2), "all_points": 0, "settlements": 1 << 20}
    return with_player(replace(view(step=step("main")), seat=0), 0, **(plain | values))


def test_what_can_be_paid_and_what_is_missing() -> None:
    text = can_buy(mine())
    assert text == (
        "**You can afford** a road.\n-# Still needed for a settlement: 1 🐑 wool; city: 3 🪨 ore; "
        "development card: 1 🐑 wool and 1 🪨 ore."
    )


def test_an_empty_supply_is_named() -> None:
    bought = {p.what: p for p in purchases(mine(pieces_left=(0, 5, 4)))}
    assert not bought["road"].possible
    assert bought["road"].obstacle == "supply"
    assert "road: no road is left in your supply" in can_buy(mine(pieces_left=(0, 5, 4)))
    assert "bridge" not in bought


def test_too_expensive_names_cost_and_hand() -> None:
    hand = hand_of(ore=2, grain=3, wool=5)
    city = next(p for p in purchases(mine(hand=hand, settlements=1)) if p.what == "city")
    text = sentence(unaffordable(city))
    assert text == "A city costs 2 🌾 grain and 3 🪨 ore; you have 3 🌾 grain and 2 🪨 ore."


def test_new_development_cards_are_marked() -> None:
    text = development(mine(development_cards=(2, 0, 0, 1, 1), fresh_cards=(1, 0, 0, 1, 1)))
    assert text == (
        "**Development cards:** 2 knights (1 new, playable next turn), 1 monopoly (new, playable next turn), "
        "1 victory point."
    )


def test_rates_name_what_is_better_first() -> None:
    assert rates(mine(rates=(3, 3, 2, 3, 3))) == "**Bank:** 🐑 wool 2:1, the rest 3:1."
    assert rates(mine()) == "**Bank:** everything 4:1."


def test_harbors_are_listed() -> None:
    table = mine()
    nodes = table.board.grid.hex_nodes[table.board.grid.hex_names.index("1.1")]
    assert harbors(mine(settlements=1 << nodes[0])) == "3:1 harbor"
    assert harbors(mine(settlements=0)) == ""


def test_hidden_points_are_told_to_the_owner() -> None:
    text = own_hand(mine(points=3, all_points=4), NAMES)
    assert "**Points:** 4 of 10 (3 visible, 1 hidden); 0 knights played." in text


def test_an_onlooker_has_no_hand() -> None:
    with pytest.raises(ValueError, match="onlooker"):
        own_hand(view(), NAMES)
    with pytest.raises(ValueError, match="onlooker"):
        alt.hand(view())


def test_the_hand_picture_in_words() -> None:
    text = alt.hand(mine(development_cards=(1, 0, 0, 0, 0)))
    assert text == "Your hand: 1 brick, 1 lumber and 2 grain. Development cards: 1 knight."
