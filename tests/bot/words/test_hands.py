"""A player's own hand in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.screens.pickers import unaffordable
from bot.words import help, pictures
from bot.words.hands import bank_rates, blocked_harbors, can_buy, development_line, own_hand, purchases
from bot.words.refusals import refusal_sentence
from engine.domains import Options
from engine.geometry import mask_of
from engine.outcome import Outcome
from engine.resources import hand_of
from engine.terms import EndReason
from engine.views import View
from tests.bot.screens.tables import NAMES, step, view, with_player


def mine(**values: object) -> View:
    plain = {"hand_size": 4, "hand": hand_of(brick=1, lumber=1, grain=2), "all_points": 0, "settlements": 1 << 20}
    main = replace(view(step=step("main")), seat=0)
    grid = main.board.grid
    near = [node for edge in grid.node_edges[20] for node in grid.edges[edge]]
    plain["roads"] = mask_of(edge for node in near for edge in grid.node_edges[node])
    return with_player(main, 0, **(plain | values))


def test_a_piece_with_no_place_to_go_is_not_called_affordable() -> None:
    rich = hand_of(brick=1, lumber=1, wool=1, grain=3, ore=3)
    closed = replace(mine(hand=rich), free_intersections=0)
    assert can_buy(closed) == (
        "**You can afford** a road, a city or a development card.\n-# Missing · settlement: a free corner at your roads"
    )
    poor = replace(mine(), free_intersections=0)
    assert "settlement: 1 🐑 and a free corner at your roads · city" in can_buy(poor)
    walled = mine(hand=rich, roads=(1 << len(closed.board.grid.edges)) - 1)
    assert "road: a free edge next to your roads and buildings" in can_buy(walled)
    keeping = replace(mine(hand=rich), config=replace(closed.config, variants=("keep-a-settlement",)))
    assert "city: another settlement, since your last one must stay" in can_buy(keeping)


def test_the_hand_says_what_is_affordable_and_what_is_missing() -> None:
    text = can_buy(mine())
    assert text == (
        "**You can afford** a road.\n-# Missing · settlement: 1 🐑 · city: 3 🪨 · development card: 1 🐑 1 🪨"
    )


def test_an_empty_supply_is_named() -> None:
    bought = {p.what: p for p in purchases(mine(pieces_left=(0, 5, 4)))}
    assert not bought["road"].possible
    assert bought["road"].obstacle == "supply"
    assert "road: no roads left" in can_buy(mine(pieces_left=(0, 5, 4)))
    assert "bridge" not in bought


def test_the_refusal_of_an_unaffordable_piece_names_cost_and_hand() -> None:
    hand = hand_of(ore=2, grain=3, wool=5)
    city = next(p for p in purchases(mine(hand=hand, settlements=1)) if p.what == "city")
    text = refusal_sentence(unaffordable(city))
    assert text == "A city costs 2 🌾 grain and 3 🪨 ore; you have 3 🌾 grain and 2 🪨 ore."


def test_new_development_cards_are_marked() -> None:
    text = development_line(mine(development_cards=(2, 0, 0, 1, 1), fresh_cards=(1, 0, 0, 1, 1)))
    assert text == (
        "**Development cards:** 2 knights (1 new, playable next turn), 1 Monopoly (new, playable next turn), 1 "
        "Victory Point."
    )


def test_development_cards_that_cant_be_used_now_say_why() -> None:
    cards = {"development_cards": (0, 1, 1, 0, 0), "fresh_cards": (0, 0, 0, 0, 0)}
    table = mine(**cards)
    assert development_line(table) == "**Development cards:** 1 Road Building, 1 Year of Plenty."
    walled = mine(**cards, roads=(1 << len(table.board.grid.edges)) - 1)
    assert "1 Road Building (no free edge next to your roads and buildings)" in development_line(walled)
    assert "1 Road Building (no roads left)" in development_line(mine(**cards, pieces_left=(0, 5, 4)))
    assert "1 Year of Plenty (the bank is empty)" in development_line(replace(table, bank=(0, 0, 0, 0, 0)))
    before_roll = replace(table, step=step("pre_roll"), on_turn=0)
    assert "after the roll" not in development_line(before_roll)
    later = replace(before_roll, config=replace(table.config, variants=("cards-after-roll",)))
    assert development_line(later).endswith("In this game you play them after the roll.")


def test_the_hand_says_if_there_are_too_few_cards_to_trade_with_the_bank() -> None:
    assert "Too few cards of one kind to trade" in own_hand(mine(), NAMES)
    assert "Too few cards of one kind" not in own_hand(mine(hand=hand_of(brick=4)), NAMES)


def test_better_bank_rates_are_named_first() -> None:
    assert bank_rates(mine(rates=(3, 3, 2, 3, 3))) == "**Bank:** 🐑 wool 2:1, the rest 3:1."
    assert bank_rates(mine()) == "**Bank:** everything 4:1."


def test_harbors_blocked_by_the_robber_are_named() -> None:
    table = mine()
    nodes = table.board.grid.hex_nodes[table.board.grid.hex_names.index("1.1")]
    owner = mine(settlements=1 << nodes[0])
    assert blocked_harbors(owner) == ""
    hex_ = next(hex_ for _kind, nodes_, hex_ in owner.board.harbor_nodes if nodes_ >> nodes[0] & 1)
    assert blocked_harbors(replace(owner, robber=hex_)) == "3:1 harbor"


def test_the_owner_reads_their_hidden_points() -> None:
    text = own_hand(mine(points=3, all_points=4), NAMES)
    assert "**Points:** 4 of 10 (3 visible, 1 hidden)" in text


@pytest.mark.parametrize("left", [False, True])
def test_for_whom_the_game_is_over_the_hand_gives_no_advice(left: bool) -> None:
    held = mine(development_cards=(1, 0, 0, 0, 0), fresh_cards=(1, 0, 0, 0, 0), resigned=left)
    ended = held if left else replace(held, outcome=Outcome(EndReason.TARGET, (1,), (2, 10, 3, 4)), step=step("over"))
    assert own_hand(ended, NAMES).splitlines() == [
        "**Your hand** (4 cards): 1 🧱 brick, 1 🪵 lumber and 2 🌾 grain.",
        "**Development cards:** 1 knight.",
        "**Points:** 0 of 10",
    ]
    assert left or "afford" not in help.playing(ended, Options(), "")


def test_an_onlooker_has_no_hand() -> None:
    with pytest.raises(ValueError, match="onlooker"):
        own_hand(view(), NAMES)
    with pytest.raises(ValueError, match="onlooker"):
        pictures.hand_alt(view())


def test_the_hand_picture_has_an_alternative_text() -> None:
    text = pictures.hand_alt(mine(development_cards=(1, 0, 0, 0, 0)))
    assert text == "Your hand: 1 brick, 1 lumber and 2 grain. Development cards: 1 knight."
