"""I3 to I6: the largest army, points, and how a game ends."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

from engine.actions import (
    AgreeToCallOff,
    AgreeToEnd,
    AskToBuild,
    BuildCity,
    BuildRoad,
    BuildSettlement,
    CallOff,
    Discard,
    EndTurn,
    Expire,
    MoveRobber,
    PassOn,
    PlayKnight,
    Resign,
    Roll,
)
from engine.config import Config
from engine.errors import IllegalAction
from engine.events import AwardMoved, GameEnded, TurnBegan
from engine.game import Game
from engine.record import REFEREE
from engine.terms import Award, EndReason
from tests.engine.builder import Seeded, Table, cards, edge, hex_, node, seat, table
from tests.engine.invariants import check_cards
from tests.engine.randomly import attempt
from tests.engine.tables import later
from tests.soak.games import any_action, any_config


def test_I3_the_first_player_with_three_knights_takes_the_largest_army() -> None:
    """Three played knights take the largest army, two points."""
    t = table(seat(cards="k", played="kk"), seat(played="kk"))
    t.play(0, PlayKnight())
    assert AwardMoved(Award.LARGEST_ARMY, None, 0, 3) in t.play(0, MoveRobber(hex_("1.1")))
    assert t.game.view().players[0].points == 2


@pytest.mark.parametrize(("mine", "holder"), [("kk", 1), ("kkk", 0)])
def test_I3_the_largest_army_passes_only_to_a_player_with_more_knights(mine: str, holder: int) -> None:
    """An equal number of knights is not enough; one more takes it."""
    t = table(seat(cards="k", played=mine), seat(played="kkk"))
    t.state.army = 1
    t.play(0, PlayKnight())
    t.play(0, MoveRobber(hex_("1.1")))
    assert t.game.view().largest_army == holder


def test_I3_a_player_with_fewer_knights_than_two_tied_players_does_not_take_the_army() -> None:
    """After a holder has resigned and two others tie, the third knight of a player with fewer takes nothing."""
    t = table(seat(cards="k", played="kk"), seat(played="kkkk"), seat(played="kkkk"), seat(played="kkkkk"))
    t.state.army = 3
    t.play(3, Resign())
    assert t.game.view().largest_army is None
    t.play(0, PlayKnight())
    t.play(0, MoveRobber(hex_("1.1")))
    assert t.game.view().largest_army is None


def test_I4_points_add_up_from_buildings_awards_and_cards() -> None:
    """Settlement 1, city 2, victory point card 1, each award 2; hidden cards show to their holder only."""
    t = table(seat(settlements="A1 A3", cities="A5", roads="e1 e2 e3 e4 e5", played="kkk", cards="v"), seat())
    assert t.game.view(1).players[0].points == 8
    assert t.game.view(0).players[0].all_points == 9


def test_I5_reaching_the_target_in_ones_own_turn_wins_immediately() -> None:
    """A player who reaches the target in their own turn has won, without saying so, and everything is shown."""
    t = table(seat(settlements="A1", cards="v", hand="ggooo"), seat(hand="b", cards="k"), target=3)
    assert t.play(0, BuildCity(node("A1")))[-1] == GameEnded(EndReason.TARGET, (0,))
    assert t.game.outcome is not None
    assert t.game.outcome.points == (3, 0)
    view = t.game.view()
    assert view.step.kind == "over"
    assert view.players[1].hand == cards("b")
    assert view.players[1].development_cards == (1, 0, 0, 0, 0)
    assert t.code(0, EndTurn()) == "over"
    assert t.game.to_act == ()


def test_I5_a_target_reached_in_another_players_turn_wins_at_the_start_of_ones_own() -> None:
    """A player who gets their last points in another player's turn wins at the start of their own turn, before the
    roll."""
    t = table(
        seat(roads="d2", hand="blwg"),
        seat(settlements="A1", roads="e1 e2 e3 e4 e5"),
        seat(settlements="F1", roads="k1 k2 k3 k4 k5"),
        target=3,
    )
    t.state.longest = 1
    t.play(0, BuildSettlement(node("C4")))  # the award passes to seat 2, which now has three points
    assert t.game.view().longest_road == 2
    assert t.game.outcome is None
    t.rolls((1, 1))
    t.play(0, EndTurn())
    assert t.game.outcome is None
    t.play(1, Roll())
    events = t.play(1, EndTurn())
    assert events[-1] == GameEnded(EndReason.TARGET, (2,))
    assert isinstance(events[-2], TurnBegan)


def test_I5_gaining_the_longest_road_can_win_immediately() -> None:
    """An award that is gained in the player's own turn can bring the last points."""
    t = table(seat(settlements="A1", roads="e1 e2 e3 e4", hand="bl"), seat(), target=3)
    t.play(0, BuildRoad(edge("e5")))
    assert t.game.outcome is not None


def test_I5_the_largest_army_can_win_before_the_roll() -> None:
    """A knight before the roll can win the game."""
    t = table(seat(settlements="A1", cards="k", played="kk"), seat(), target=3, step="pre_roll")
    t.play(0, PlayKnight())
    t.play(0, MoveRobber(hex_("5.1")))
    assert t.game.outcome is not None
    assert t.game.outcome.winners == (0,)


def test_I6_points_can_be_counted_after_every_player_has_had_a_turn() -> None:
    """Before that, players can only agree to void the game."""
    t = table(seat(settlements="A1"), seat(settlements="A3"), on_turn=0, dice=[(1, 1)])
    t.play(0, EndTurn())
    t.play(1, Roll())
    t.state.round = 1
    assert not t.game.view().may_count_points
    refused = t.refused(1, AgreeToEnd())
    assert refused.code == "too-early"
    assert "void the game" in str(refused)
    t.play(1, EndTurn())
    assert t.game.view().may_count_points
    t.play(1, AgreeToEnd())


def first_round(**config: Any) -> Table:
    """Five players in the first round of `extension`, the first of them in the main part of the turn."""
    t = table(*(seat(settlements=place) for place in ("A1", "A3", "A5", "F1", "F3")), scenario="extension", **config)
    t.state.turns = [1, 0, 0, 0, 0]
    t.state.standing = [0] * 5
    return t


def to_the_end_of_a_turn(t: Table, last: int, asking: Sequence[int]) -> Table:
    """Play all turns through that of `last`, in which the seats of `asking` ask to build. Then those build."""
    t.rolls(*[(1, 2)] * last)
    for player in range(last + 1):
        if player:
            t.play(player, Roll())
        if player == last:
            for other in asking:
                t.play(other, AskToBuild())
        t.play(player, EndTurn())
    assert t.step.kind == "special_building"
    return t


def test_I6_points_can_be_counted_from_the_end_of_the_last_players_first_turn() -> None:
    """This includes the special building phase after that turn, but none before."""
    assert not to_the_end_of_a_turn(first_round(), 3, (1,)).game.view().may_count_points
    t = to_the_end_of_a_turn(first_round(), 4, (1,))
    assert (t.state.round, t.game.view().may_count_points) == (1, True)
    for player in range(4):
        t.play(player, AgreeToEnd())
    assert t.play(4, AgreeToEnd())[-1] == GameEnded(EndReason.AGREEMENT, (0, 1, 2, 3, 4))


def test_I6_points_can_be_counted_during_late_requests_after_the_last_players_first_turn() -> None:
    """The window of J2 is between the turns, too."""
    for last, possible in ((3, False), (4, True)):
        t = first_round(request_time=60)
        t.state.standing = [20] * 5
        t.rolls(*[(1, 2)] * last)
        for player in range(last + 1):
            if player:
                t.play(player, Roll())
            t.play(player, EndTurn())
            assert t.step.kind == "late_requests"
            if player < last:
                t.play(REFEREE, Expire(t.state.agenda[-1].serial))
        assert t.game.view().may_count_points == possible


def test_I6_players_who_left_before_their_first_turn_are_not_waited_for() -> None:
    """If the last player leaves before their first turn, that of the player before counts."""
    t = to_the_end_of_a_turn(first_round(), 3, asking=(4, 0))
    assert t.code(0, AgreeToEnd()) == "too-early"
    t.play(4, Resign())
    assert t.step.kind == "special_building"
    assert t.game.view().may_count_points
    t = first_round()
    t.play(4, Resign())
    assert to_the_end_of_a_turn(t, 3, asking=(0,)).game.view().may_count_points


@pytest.mark.parametrize("format", [2, 3])
def test_I6_in_formats_2_and_3_points_can_be_counted_from_the_second_round_on(format: int) -> None:
    """Those games keep the rules that they began with."""
    t = to_the_end_of_a_turn(first_round(format=format), 4, (1,))
    assert t.code(0, AgreeToEnd()) == "too-early"
    t.play(1, PassOn())
    t.play(0, AgreeToEnd())


def test_I6_a_game_is_called_off_when_all_players_agree() -> None:
    """No one wins, whatever the points. This is always possible, and the two agreements don't mix."""
    t = table(seat(cities="A1"), seat(), seat())
    t.play(0, AgreeToCallOff())
    assert t.code(0, AgreeToCallOff()) == "voted"
    assert t.code(1, AgreeToCallOff(False)) == "not-voted"
    t.play(0, AgreeToCallOff(False))
    later(t).play(0, AgreeToEnd())
    t.play(0, AgreeToCallOff())
    t.play(1, AgreeToCallOff())
    assert (t.game.view().end_votes, t.game.view().call_off_votes) == (0b001, 0b011)
    assert t.play(2, AgreeToCallOff())[-1] == GameEnded(EndReason.CALLED_OFF, ())


def test_I6_a_player_who_resigned_neither_agrees_nor_holds_up_the_others() -> None:
    t = table(seat(), seat(), seat())
    t.play(0, AgreeToCallOff())
    t.play(2, AgreeToCallOff())
    t.play(0, Resign())
    assert t.game.view().call_off_votes == 0b100
    t = table(seat(), seat(), seat())
    t.play(1, AgreeToCallOff())
    t.play(2, AgreeToCallOff())
    assert t.play(0, Resign())[-1] == GameEnded(EndReason.CALLED_OFF, ())


def test_I6_in_format_1_points_can_be_counted_at_any_time() -> None:
    """It keeps the rules that it began with."""
    game = Game.new(Config(("red", "blue"), format=1), Seeded(1))
    game.play(0, AgreeToEnd())
    assert game.play(1, AgreeToEnd())[-1].reason is EndReason.AGREEMENT  # type: ignore[attr-defined]


def test_I6_when_all_players_agree_to_end_the_game_the_most_points_win() -> None:
    """When all agree, the game ends and the most points win, including hidden ones."""
    t = later(table(seat(settlements="A1"), seat(settlements="A3", cards="v"), seat()))
    t.play(2, AgreeToEnd())
    assert t.code(2, AgreeToEnd()) == "voted"
    assert t.code(1, AgreeToEnd(False)) == "not-voted"
    t.play(2, AgreeToEnd(False))
    t.play(0, AgreeToEnd())
    t.play(1, AgreeToEnd())
    assert t.game.view().end_votes == 0b011
    assert t.play(2, AgreeToEnd())[-1] == GameEnded(EndReason.AGREEMENT, (1,))


def test_I6_tied_players_share_the_win() -> None:
    """Equal points share the win."""
    t = later(table(seat(settlements="A1"), seat(settlements="A3"), seat()))
    for player in range(3):
        t.play(player, AgreeToEnd())
    assert t.game.outcome is not None
    assert t.game.outcome.winners == (0, 1)


def test_I6_at_the_round_limit_the_most_points_win() -> None:
    """At the round limit the most points win, and all players have had the same number of turns."""
    t = table(seat(settlements="A1"), seat(cities="A3"), round_limit=2, on_turn=1, dice=[(1, 1), (1, 1)])
    t.play(1, EndTurn())
    for player in (0, 1):
        assert t.game.view().round == 2
        t.play(player, Roll())
        events = t.play(player, EndTurn())
    assert events[-1] == GameEnded(EndReason.ROUNDS, (1,))
    assert t.game.view().round == 2


def test_I6_ending_the_game_by_agreement_during_discards_loses_no_card() -> None:
    """When the game ends, chosen discards are in the bank, and a knight that is being played is among the played
    cards."""
    t = table(seat(hand="bbbbbbbb"), seat(hand="oooooooo"), step="pre_roll", dice=[(3, 4)])
    t.play(0, Roll())
    t.play(0, Discard(cards("bbbb")))
    k = table(seat(cards="k"), seat())
    k.play(0, PlayKnight())
    for player in (0, 1):
        later(t).play(player, AgreeToEnd())
        later(k).play(player, AgreeToEnd())
    assert t.game.view().bank == (15, 19, 19, 19, 11)
    assert k.game.view().players[0].played[0] == 1


def test_I6_a_game_that_is_called_off_has_no_winner() -> None:
    """The referee can void a game, and then no one wins, whatever the points."""
    t = table(seat(cities="A1 C3"), seat(), target=3)
    assert t.play(REFEREE, CallOff())[-1] == GameEnded(EndReason.CALLED_OFF, ())
    assert t.game.outcome is not None
    assert t.game.outcome.winners == ()
    assert t.game.to_act == ()
    assert t.code(0, EndTurn()) == "over"


def test_I6_only_the_referee_can_call_off_a_game() -> None:
    """A player can't, on turn or not."""
    t = table(seat(), seat())
    for player in (0, 1):
        with pytest.raises(IllegalAction):
            t.play(player, CallOff())


@pytest.mark.parametrize("number", range(12))
def test_I6_a_game_can_be_called_off_at_any_moment_without_losing_cards(number: int) -> None:
    """At any moment no card is lost, and the game replays to the same position."""
    rng = random.Random(number)
    game = Game.new(any_config(rng), Seeded(number))
    for _ in range(rng.randrange(200)):
        if game.outcome is None:
            attempt(game, *any_action(game, rng))
    if game.outcome is None:
        game.play(REFEREE, CallOff())
        check_cards(game)
        assert game.view(None).players[0].hand is not None
    assert Game.replay(game.config, game.records).hash() == game.hash()
