"""Section D: the order of a turn, production, the seven."""

from __future__ import annotations

import random

import pytest

from engine.actions import (
    BankTrade,
    BuildRoad,
    BuyCard,
    Discard,
    EndTurn,
    MakeOffer,
    MoveRobber,
    PlayMonopoly,
    Resign,
    Roll,
    TakeBackDiscard,
    Undo,
)
from engine.config import COLORS, Config
from engine.events import DiscardChosen, Discarded, DiscardsDue, DiscardTakenBack, Produced, Rolled, Shortage, TurnBegan
from engine.game import Game
from engine.steps.discard import DiscardsView
from tests.engine.builder import Seeded, Table, cards, edge, events_of, hex_, seat, table
from tests.engine.invariants import check_cards

RICH = seat(settlements="B4", roads="c4", hand="bblwgooooo", cards="m")


def test_D1_after_a_card_and_the_roll_trading_and_building_mix_in_any_order() -> None:
    """One development card can come before the roll. After it, trade and building mix freely until the turn ends."""
    t = table(RICH, seat(hand="l"), step="pre_roll", dice=[(1, 2)])
    t.play(0, PlayMonopoly(1))
    t.play(0, Roll())
    t.play(0, BuyCard())
    t.play(0, BuildRoad(edge("c3")))
    t.play(0, BankTrade(cards("oooo"), cards("g")))
    t.play(0, BuildRoad(edge("c2")))
    assert t.hand(0) == "g"
    t.play(0, EndTurn())
    assert t.game.view().on_turn == 1


def test_D1_a_card_played_before_the_roll_is_the_only_one_of_the_turn() -> None:
    """A card played before the roll is the only one of this turn."""
    t = table(seat(cards="mm"), seat(), step="pre_roll", dice=[(1, 1)])
    t.play(0, PlayMonopoly(0))
    t.play(0, Roll())
    assert t.code(0, PlayMonopoly(0)) == "one-card"


def test_D2_settlements_produce_one_card_and_cities_two_for_every_player() -> None:
    """Each hex with the number gives a settlement's owner one card and a city's owner two."""
    t = table(
        seat(settlements="B4", cities="C4"),  # 2.2 hills 6 for both; 1.1, 1.2; 2.1, 3.2
        seat(cities="E5"),  # 4.2, 4.3, 5.2 fields 6
        seat(settlements="A1"),
        step="pre_roll",
        dice=[(3, 3)],
    )
    events = t.play(0, Roll())
    assert t.hand(0) == "bbb"
    assert t.hand(1) == "gg"
    assert t.hand(2) == ""
    assert events == (Rolled(0, (3, 3)), Produced(0, cards("bbb")), Produced(1, cards("gg")))
    assert t.game.view().bank == (16, 19, 19, 17, 19)
    assert t.game.view().rolls[6] == 1


def shortage(edition: str, bank: str, *others: str) -> Table:
    """A six is rolled next. At the only hills with that number, seat 0 has a city and each of `others` is a
    settlement."""
    seats = [seat(cities="C4"), *(seat(settlements=x) for x in others)]
    while len(seats) < 3:
        seats.append(seat())
    return table(*seats, step="pre_roll", dice=[(3, 3)], bank=bank, edition=edition)


@pytest.mark.parametrize("edition", ["2007", "1996"])
def test_A2_D2_when_the_bank_cannot_pay_all_players_none_gets_that_resource(edition: str) -> None:
    """If the bank can't pay all who are due a resource, none of them gets any of it."""
    t = shortage(edition, "bb", "B4")
    assert Shortage(0, (0, 1)) in t.play(0, Roll())
    assert t.hand(0) == t.hand(1) == ""


@pytest.mark.parametrize(("edition", "paid"), [("2007", "b"), ("1996", "")])
def test_A2_D2_a_single_claimant_gets_what_is_left_only_in_2007(edition: str, paid: str) -> None:
    """If only one player is due the resource, that player gets what is left; in 1996, nothing."""
    t = shortage(edition, "b")
    assert Shortage(0, (0,)) in t.play(0, Roll())
    assert t.hand(0) == paid


def test_A2_D2_shortage_is_decided_for_each_resource_separately() -> None:
    """A shortage of brick doesn't keep the grain away."""
    t = table(seat(cities="C4 E5"), seat(settlements="B4"), step="pre_roll", dice=[(3, 3)], bank="bbgg")
    t.play(0, Roll())
    assert t.hand(0) == "gg"
    assert t.hand(1) == ""


def test_D2_the_bank_pays_out_its_last_cards() -> None:
    """The last card of the bank can be paid out."""
    t = shortage("1996", "bbb", "B4")
    t.play(0, Roll())
    assert (t.hand(0), t.hand(1)) == ("bb", "b")


@pytest.mark.parametrize("action", [EndTurn(), BuyCard(), BankTrade(cards("oooo"), cards("b")), BuildRoad(33)])
def test_D3_before_the_roll_only_a_card_can_be_played(action: EndTurn | BuyCard | BankTrade | BuildRoad) -> None:
    """Before the roll there is no building, no trade and no end of the turn; the refusal says to roll."""
    t = table(RICH, seat(), step="pre_roll")
    refused = t.refused(0, action)
    assert refused.code == "wrong-phase"
    assert "Roll" in str(refused)


def test_D3_offers_are_refused_before_the_roll_and_the_dice_are_rolled_once() -> None:
    """There are no offers before the roll either, and no player rolls twice or for another."""
    t = table(RICH, seat(hand="l"), step="pre_roll", dice=[(1, 1)])
    assert t.code(0, MakeOffer(cards("b"), cards("l"))) == "wrong-phase"
    assert t.code(1, MakeOffer(cards("l"), cards("b"))) == "wrong-turn"
    refused = t.refused(1, Roll())
    assert refused.code == "wrong-turn"
    assert "red" in str(refused)
    t.play(0, Roll())
    assert t.code(0, Roll()) == "wrong-phase"


def seven(*hands: str) -> Table:
    """Seat 0, with a city at hills, has rolled a seven."""
    first, *others = hands
    t = table(seat(cities="B4", hand=first), *(seat(hand=x) for x in others), step="pre_roll", dice=[(3, 4)])
    t.play(0, Roll())
    return t


def test_D4_a_seven_produces_nothing_and_small_hands_are_safe() -> None:
    """A seven produces nothing. Players with seven cards don't discard, and the roller moves the robber."""
    t = seven("bbbbbbb", "ooooooo", "")
    assert t.hand(0) == "bbbbbbb"
    assert t.game.view().step.kind == "move_robber"
    assert t.game.to_act == (0,)


def test_D4_players_over_the_limit_discard_half_rounded_down_in_any_order() -> None:
    """Players with more than seven cards discard half, rounded down, at the same time and in any order; the robber
    waits."""
    t = seven("bbbbbbbb", "bblllwwwo", "ggggggggggg")
    assert t.game.last_events[-1] == DiscardsDue(((0, 4), (1, 4), (2, 5)))
    assert t.step.owed == (4, 4, 5)
    assert list(t.game.to_act) == [0, 1, 2]
    refused = t.refused(0, MoveRobber(hex_("1.1")))
    assert refused.code == "wrong-phase"
    assert "iscard" in str(refused)
    assert t.play(2, Discard(cards("ggggg"))) == (DiscardChosen(2),)
    t.play(0, Discard(cards("bbbb")))
    assert t.game.to_act == (1,)
    assert t.code(2, Discard(cards("ggggg"))) == "nothing-owed"
    t.play(1, Discard(cards("bblo")))
    assert t.hand(1) == "llwww"
    assert t.game.view().step.kind == "move_robber"


def test_D4_discarded_cards_are_shown_when_all_players_have_discarded() -> None:
    """All see immediately who has discarded. What was discarded is shown only when all have, and then the bank gets
    it."""
    t = seven("bbbbbbbb", "llllllll")
    bank = t.game.view().bank
    t.play(0, Discard(cards("bbbb")))
    assert t.game.view(1).players[0].hand_size == 4
    assert t.game.view(1).bank == bank
    assert not events_of(t.game.view(1).events, Discarded)
    events = t.play(1, Discard(cards("llll")))
    assert events == (DiscardChosen(1), Discarded(0, cards("bbbb")), Discarded(1, cards("llll")))
    assert t.game.view().bank == (19 - 4, 19 - 4, 19, 19, 19)


def test_D4_a_discard_must_be_in_the_hand_and_of_the_right_size() -> None:
    """Too few or too many cards are refused with the number owed; so are cards that aren't in the hand."""
    t = seven("bbbbbbbb", "")
    refused = t.refused(0, Discard(cards("bbb")))
    assert refused.code == "wrong-count"
    assert "4" in str(refused)
    assert t.code(0, Discard(cards("bbbbb"))) == "wrong-count"
    assert t.code(0, Discard(cards("bbbl"))) == "not-in-hand"
    assert t.code(0, Discard((5, -1, 0, 0, 0))) == "not-in-hand"
    assert t.code(1, Discard(cards(""))) == "nothing-owed"


def test_D4_another_players_discard_does_not_change_ones_own_decision() -> None:
    """The id of a decision changes with the player's own actions and new steps, not with what others do meanwhile."""
    t = seven("bbbbbbbb", "llllllll")
    mine, theirs = t.game.decision(1), t.game.decision(0)
    t.play(0, Discard(cards("bbbb")))
    assert t.game.decision(1) == mine
    assert t.game.decision(0) != theirs
    t.play(1, Discard(cards("llll")))
    assert t.game.decision(1) != mine


def test_D4_a_discard_can_be_undone_while_others_still_owe_theirs() -> None:
    """The cards are in the hand again, all see that the seat owes again, and it can choose other cards."""
    t = seven("bbbbbbll", "llllllll")
    before = t.game.view()
    t.play(0, Discard(cards("bbbb")))
    chosen = [t.game.view(who).agenda[-1][1][1] for who in (0, 1, None)]
    assert chosen == [(cards("bbbb"), None), (None, None), (None, None)]
    mine, theirs = (t.game.view(who).step for who in (0, 1))
    assert isinstance(mine, DiscardsView)
    assert isinstance(theirs, DiscardsView)
    assert (mine.chosen, theirs.chosen) == (cards("bbbb"), None)
    assert t.can(0, TakeBackDiscard())
    assert not t.can(1, TakeBackDiscard())
    assert t.play(0, TakeBackDiscard()) == (DiscardTakenBack(0),)
    after = t.game.view()
    assert (after.players, after.bank, after.step) == (before.players, before.bank, before.step)
    assert t.hand(0) == "bbbbbbll"
    t.play(1, Discard(cards("llll")))
    t.play(1, TakeBackDiscard())
    t.play(0, Discard(cards("bbll")))
    t.play(1, Discard(cards("llll")))
    assert t.game.view().step.kind == "move_robber"
    assert events_of(t.game.last_events, Discarded) == [Discarded(0, cards("bbll")), Discarded(1, cards("llll"))]


def test_D4_a_discard_cannot_be_undone_twice_or_after_the_last_one_is_in() -> None:
    """A discard can't be undone twice, before it is made, after the last one is in, or after leaving the game (I7)."""
    t = seven("bbbbbbbb", "llllllll", "oooooooo")
    assert t.code(0, TakeBackDiscard()) == "not-discarded"
    t.play(0, Discard(cards("bbbb")))
    t.play(0, TakeBackDiscard())
    assert t.code(0, TakeBackDiscard()) == "not-discarded"
    assert t.code(0, Undo()) == "no-undo"
    t.play(0, Discard(cards("bbbb")))
    t.play(1, Discard(cards("llll")))
    t.play(1, Resign())
    assert t.code(1, TakeBackDiscard()) == "not-playing"
    t.play(2, Discard(cards("oooo")))
    assert t.code(0, TakeBackDiscard()) == "wrong-phase"
    assert t.code(2, TakeBackDiscard()) == "wrong-turn"
    check_cards(t.game)


def test_D4_a_game_with_undone_discards_replays() -> None:
    """Undoing a discard is a record like any other, and no id of a decision comes twice."""
    rng = random.Random(4)
    game, ids = Game.new(Config(COLORS[:4]), Seeded(11)), set[tuple[int, str]]()
    taken_back = 0
    while game.outcome is None and taken_back < 5:
        back = [s for s in range(4) if TakeBackDiscard in game.options(s)]
        who = rng.choice(back) if back and rng.random() < 0.5 else rng.choice(game.to_act)
        ids.add(mine := (who, game.decision(who)))
        game.play(who, game.options(who).sample(rng))
        assert (who, game.decision(who)) not in ids, mine
        taken_back += game.records[-1].action == TakeBackDiscard()
        check_cards(game)
    assert taken_back == 5
    again = Game.replay(game.config, game.records)
    assert again.hash() == game.hash()
    assert [again.view(s) for s in (None, 0, 1)] == [game.view(s) for s in (None, 0, 1)]


def test_D5_the_turn_passes_clockwise() -> None:
    """After the last seat the first one is on turn again, and a round has passed."""
    t = table(players=3, on_turn=2)
    assert TurnBegan(0, 2) in t.play(2, EndTurn())
    view = t.game.view()
    assert (view.on_turn, view.step.kind, view.dice, view.round) == (0, "pre_roll", None, 2)
    assert t.code(2, EndTurn()) == "wrong-turn"
