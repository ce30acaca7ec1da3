"""Undo: a player's last action, until another player acts, or dice or cards are drawn."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.actions import (
    AcceptOffer,
    Action,
    AgreeToCallOff,
    AskToBuild,
    BuildRoad,
    BuyCard,
    CloseOffer,
    DecideFor,
    DeclineOffer,
    EndTrade,
    EndTurn,
    LeaveRobber,
    MakeOffer,
    MoveRobber,
    PassOn,
    PlayKnight,
    PlayMonopoly,
    PlayYearOfPlenty,
    Roll,
    TakeCard,
    Undo,
    WithdrawOffer,
)
from engine.game import Game
from engine.record import REFEREE
from engine.steps.robber import RobberStep
from engine.variants.separate_phases import TradePhase
from tests.engine.builder import Table, cards, edge, hex_, seat, table
from tests.engine.tables import five


def moving() -> Table:
    """Seat 0 moves the robber. At 3.1 they could take a card from either of two others."""
    t = table(
        seat(settlements="B4", roads="c4", hand="b"), seat(settlements="C2", hand="o"), seat(settlements="D3", hand="g")
    )
    t.state.push(RobberStep(0))
    return t


def test_the_end_of_a_turn_can_be_undone_until_another_player_acts() -> None:
    """The turn goes on as it was, with its dice and its number."""
    t = table(seat(settlements="B4", roads="c4", hand="bl"), seat(), dice=[(1, 2), (2, 3)], step="pre_roll")
    t.play(0, Roll())
    before = t.game.view(0)
    t.play(0, EndTurn())
    assert t.game.view().turn == before.turn + 1
    assert t.game.view().undo == 0
    t.play(0, Undo())
    after = t.game.view(0)
    assert (after.turn, after.on_turn, after.dice, after.round) == (before.turn, 0, before.dice, before.round)
    t.play(0, BuildRoad(edge("c3")))
    t.play(0, EndTurn())
    t.play(1, Roll())
    assert t.code(0, Undo()) == "no-undo"


def test_actions_before_the_end_of_a_turn_can_still_be_undone_after_it() -> None:
    """What can be undone before the end of the turn can still be undone after it."""
    t = table(seat(settlements="B4", roads="c4", hand="bl"), seat())
    t.play(0, BuildRoad(edge("c3")))
    t.play(0, EndTurn())
    t.play(0, Undo())
    t.play(0, Undo())
    assert t.hand(0) == "bl"


def test_moving_the_robber_can_be_undone_until_a_card_is_taken() -> None:
    t = moving()
    origin = t.state.robber
    t.play(0, MoveRobber(hex_("3.1")))
    t.play(0, Undo())
    assert t.state.robber == origin
    t.play(0, MoveRobber(hex_("3.1")))
    t.play(0, TakeCard(2))
    assert t.code(0, Undo()) == "no-undo"


def test_the_end_of_a_turn_that_calls_players_to_build_cannot_be_undone() -> None:
    """The end of a turn that calls builders can't be undone, since the call has shown who asked."""
    t = table(seat(hand="b"), seat(hand="b"), seat(hand="b"), seat(), seat(), scenario="extension")
    t.play(1, AskToBuild())
    t.play(0, EndTurn())
    assert t.code(0, Undo()) == "no-undo"


def test_a_turn_can_be_ended_again_after_its_end_was_undone() -> None:
    t = table(seat(settlements="B4", roads="c4", hand="bl"), seat(), dice=[(1, 2)])
    t.play(0, EndTurn())
    t.play(0, Undo())
    assert isinstance(t.game.copy(), Game)
    t.play(0, EndTurn())
    assert t.game.turn == 2


def test_leaving_the_robber_can_be_undone_like_a_move_of_it() -> None:
    t = table(seat(settlements="B4"), seat(settlements="C6", hand="o"), variants=("optional-robber",))
    t.state.push(RobberStep(0))
    before = t.game.view(0)
    t.play(0, LeaveRobber())
    assert t.step.kind == "main"
    t.play(0, Undo())
    assert (t.game.view().step, t.game.view().robber) == (before.step, before.robber)
    t.play(0, MoveRobber(hex_("2.2")))
    assert t.state.robber == hex_("2.2")


def trading() -> Table:
    return table(seat(settlements="B4", roads="c4", hand="blblwgo", cards="yymk"), seat(hand="o"), seat(hand="g"))


OFFER = MakeOffer(cards("b"), cards("o"))


@pytest.mark.parametrize(
    ("actions", "key"),
    [
        ([], "nothing"),
        ([BuildRoad(edge("c3")), OFFER], "offer"),
        ([OFFER, WithdrawOffer(1)], "canceled"),
        ([AgreeToCallOff()], "vote"),
        ([PlayYearOfPlenty(cards("oo"))], "card"),
        ([PlayMonopoly(1)], "card"),
        ([PlayKnight()], "card"),
        ([BuyCard()], "bought"),
        ([BuildRoad(edge("c3")), BuyCard(), EndTurn(), Undo()], "bought"),
    ],
)
def test_a_refused_undo_says_what_stands_in_the_way(actions: Sequence[Action], key: str) -> None:
    t = trading()
    for action in actions:
        t.play(0, action)
    assert t.refused(0, Undo()).key == f"no-undo/{key}"


def test_a_refused_undo_names_trade_and_answers_to_offers() -> None:
    t = trading()
    t.play(0, OFFER)
    t.play(1, AcceptOffer(1))
    assert t.refused(1, Undo()).key == "no-undo/answer"
    assert t.refused(0, Undo()).key == "no-undo/others"
    t.play(0, CloseOffer(1, 1))
    assert t.refused(0, Undo()).key == "no-undo/trade"
    t.play(2, MakeOffer(cards("g"), cards("b")))
    t.play(0, DeclineOffer(2))
    assert t.refused(0, Undo()).key == "no-undo/answer"
    assert t.refused(2, Undo()).key == "no-undo/others"


def test_a_refused_undo_names_dice_thefts_and_calls() -> None:
    t = table(seat(), seat(), step="pre_roll", dice=[(1, 2)])
    t.play(0, Roll())
    assert t.refused(0, Undo()).key == "no-undo/dice"
    t = moving()
    t.play(0, MoveRobber(hex_("3.2")))
    assert t.refused(0, Undo()).key == "no-undo/stolen"
    t = five(seat(), seat(hand="b"))
    t.play(1, AskToBuild())
    assert t.refused(1, Undo()).key == "no-undo/nothing"  # a secret request is no move
    t.play(0, EndTurn())
    assert t.refused(0, Undo()).key == "no-undo/called"
    t.play(1, PassOn())
    assert t.refused(1, Undo()).key == "no-undo/pass"
    t = table(seat(), seat(), variants=("separate-phases",), step=TradePhase(0))
    t.play(0, EndTrade())
    assert t.refused(0, Undo()).key == "no-undo/phase"


def test_a_refused_undo_names_a_question_about_knights_and_no_one_who_answered_it() -> None:
    t = table(seat(settlements="B4"), seat(cards="k"), seat(cards="v"), variants=("knight-interrupt",))
    t.state.push(RobberStep(0))
    t.play(0, MoveRobber(hex_("2.2")))
    assert t.refused(0, Undo()).key == "no-undo/asked"
    for seat_ in (1, 2):
        t.play(seat_, PassOn())
    assert {t.refused(each, Undo()).key for each in (0, 1, 2)} == {"no-undo/others"}


def test_a_refused_undo_says_that_others_have_acted_or_time_has_run_out() -> None:
    t = table(seat(settlements="B4", roads="c4", hand="bl"), seat(), seat())
    t.play(0, BuildRoad(edge("c3")))
    assert t.refused(1, Undo()).key == "no-undo/others"
    t.play(REFEREE, DecideFor(0))
    assert t.refused(0, Undo()).key == "no-undo/time"


def test_an_undone_end_of_turn_began_no_turn() -> None:
    t = table(players=3)
    t.play(0, EndTurn())
    assert [*t.game.turn_records] == []
    t.play(0, Undo())
    t.play(0, EndTurn())
    t.play(1, Roll())
    assert [record.action for record in t.game.copy().turn_records] == [Roll()]


def test_the_records_of_a_turn_go_on_after_an_undone_end() -> None:
    t = table(players=3)
    t.play(0, EndTurn())
    t.play(1, Roll())
    t.play(1, EndTurn())
    t.play(1, Undo())
    assert [record.action for record in t.game.turn_records] == [Undo(), EndTurn(), Roll()]
