"""Sections A and B: what makes a game, as the position shows it (boards: tests/engine/scenarios)."""

from __future__ import annotations

import pytest

from engine.actions import ChooseYield, DeclineCard
from engine.chance import SeededChance
from engine.config import COLORS, Config
from engine.errors import ConfigError, IllegalAction
from engine.game import Game
from engine.geometry import bits
from engine.scenarios import SCENARIOS
from engine.steps.take_card import TakeStep
from tests.engine.builder import Script, node, seat, table


@pytest.mark.parametrize("players", [2, 3, 4])
def test_A1_the_base_board_takes_two_to_four_players(players: int) -> None:
    """The base board takes two to four players, two by the rules for three."""
    game = Game.new(Config(COLORS[:players]), Script())
    assert len(game.view().players) == players
    assert {p.color for p in game.view().players} == set(COLORS[:players])


def test_A1_an_impossible_number_of_players_is_refused() -> None:
    """A configuration that can't be played is refused, with the reason."""
    with pytest.raises(ConfigError) as refused:
        Game.new(Config(COLORS[:5]), Script())
    assert refused.value.code == "players"
    assert "at most 4" in str(refused.value)
    with pytest.raises(ConfigError, match="You need at least 2 players to start"):
        Game.new(Config(COLORS[:1]), Script())


@pytest.mark.parametrize(("edition", "bank", "deck"), [("2007", 19, 25), ("1996", 24, 34)])
def test_A2_the_edition_sets_the_numbers_of_cards(edition: str, bank: int, deck: int) -> None:
    """A set has 19 cards of each resource and 25 development cards; in 1996, 24 and 34."""
    view = table(edition=edition).game.view()
    assert view.bank == (bank,) * 5
    assert view.deck == deck


@pytest.mark.parametrize(("edition", "step"), [("2007", "pre_roll"), ("1996", "choose_yield")])
def test_A2_on_the_fixed_board_players_pick_the_settlement_that_yields_only_in_1996(edition: str, step: str) -> None:
    """On the fixed board the starred settlement gives cards; in 1996 each player picks one of the two."""
    config = Config(("white", "red", "blue", "orange"), scenario="beginner", edition=edition, shuffle_seats=False)
    game = Game.new(config, Script())
    assert game.view().step.kind == step
    blue = 2
    if edition == "2007":
        assert game.view(blue).players[blue].hand == (1, 1, 0, 0, 1)
        return
    assert list(game.to_act) == [0, 1, 2, 3]
    for player in (3, 2, 0, 1):  # all at the same time, in any order
        own = game.view().players[player].settlements
        assert list(game.options(player).actions()) == [ChooseYield(at) for at in bits(own)]
        with pytest.raises(IllegalAction) as refused:
            game.play(player, ChooseYield(node("A1")))
        assert refused.value.code == "not-yours"
        assert " or ".join(game.state.board.grid.node_names[at] for at in bits(own)) in str(refused.value)
        assert sum(game.view(player).players[player].hand or ()) == 0
        game.play(player, next(game.options(player).actions()))
        assert sum(game.view(player).players[player].hand or ()) > 0
    assert game.view().step.kind == "pre_roll"
    assert game.to_act == (game.state.first,)


def test_A2_taking_a_card_may_be_declined_only_in_1996() -> None:
    """Taking a card is compulsory where possible; in 1996 the player can decline."""
    around = (seat(), seat(settlements="C5", hand="b"), seat(settlements="D6", hand="o"))
    new = table(*around, step=TakeStep(0))
    assert new.code(0, DeclineCard()) == "must-take"
    old = table(*around, step=TakeStep(0), edition="1996")
    assert old.can(0, DeclineCard())


@pytest.mark.parametrize("target", [3, 10, 20])
def test_A3_the_victory_target_is_3_to_20(target: int) -> None:
    """The target is 10 points, or what was chosen from 3 to 20."""
    assert table(target=target).game.rules.data.target == target


@pytest.mark.parametrize("target", [2, 21])
def test_A3_other_targets_are_refused(target: int) -> None:
    """A target below 3 or above 20 can't be played."""
    with pytest.raises(ConfigError, match="3 to 20"):
        table(target=target)


def test_B7_with_three_players_the_fixed_board_has_no_red() -> None:
    """On the fixed board with three players, red is not played, and no red piece is there."""
    config = Config(("orange", "blue", "white"), scenario="beginner")
    game = Game.new(config, SeededChance(bytes(32), "1", ()))
    pieces = {p.color: p for p in SCENARIOS["beginner"].start}
    assert "red" in pieces
    assert not game.state.buildings >> pieces["red"].settlement & 1
    assert all(p.settlements.bit_count() == p.roads.bit_count() == 2 for p in game.view().players)


def test_B8_the_robber_starts_on_the_desert() -> None:
    """The robber starts on the desert."""
    game = Game.new(Config(COLORS[:3]), SeededChance(bytes(32), "1", ()))
    assert game.board.terrain[game.view().robber] == 5
