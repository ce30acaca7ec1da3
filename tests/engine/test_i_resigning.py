"""I7: what becomes of a player's things and of the awards when the player resigns."""

from __future__ import annotations

from typing import Any

import pytest

from engine.actions import (
    AcceptOffer,
    AgreeToEnd,
    BankTrade,
    BuildSettlement,
    DeclineOffer,
    Discard,
    EndTurn,
    MakeOffer,
    MoveRobber,
    PlayKnight,
    Resign,
    Roll,
    TakeCard,
)
from engine.config import COLORS, Config
from engine.events import AwardMoved, GameEnded, NothingTaken, Produced, Resigned, RobberMoved
from engine.game import Game
from engine.terms import Award, EndReason
from tests.engine.builder import Script, Table, cards, edge, events_of, hex_, node, seat, table
from tests.engine.tables import later


def leaving(**rules: Any) -> Table:
    """Three players, the first with something of everything."""
    return table(
        seat(settlements="B4 A1", roads="c4 e1 e2 e3 e4 e5", hand="bblo", cards="kv", played="kkk"),
        seat(settlements="C6", hand="oo", played="kkk"),
        seat(settlements="F1", hand="w"),
        **rules,
    )


def test_I7_pieces_stay_hand_cards_go_to_the_bank_and_development_cards_leave_the_game() -> None:
    """Pieces stay and block, resource cards go to the bank, development cards leave the game unseen."""
    t = leaving()
    deck = t.game.view().deck
    events = t.play(0, Resign())
    assert events[0] == Resigned(0)
    view = t.game.view()
    leaver = view.players[0]
    assert leaver.resigned
    assert (leaver.hand_size, leaver.development_count) == (0, 0)
    assert leaver.settlements == 1 << node("B4") | 1 << node("A1")
    assert (view.bank, view.deck) == ((19, 19, 18, 19, 17), deck)
    assert view.on_turn == 1
    t.rolls((1, 1))
    t.play(1, Roll())
    t.state.hands[1] = [5] * 5
    t.state.roads[1] |= 1 << edge("c5")
    t.state.reach[1] |= 1 << node("B5")
    assert t.code(1, BuildSettlement(node("B5"))) == "too-close"


def test_I7_a_player_who_left_can_hold_no_award_and_cannot_win() -> None:
    """The seat can hold no award, so both are counted again."""
    t = leaving()
    t.state.army = 0
    t.play(0, Resign())
    assert (t.game.view().longest_road, t.game.view().largest_army) == (None, 1)
    later(t)
    t.play(1, AgreeToEnd())
    t.play(2, AgreeToEnd())
    assert t.game.outcome is not None
    assert t.game.outcome.winners == (1,)


def aside(**config: Any) -> Table:
    """Four players. The largest army is set aside: its holder has left, and two others tie."""
    t = table(seat(played="kkkk"), seat(played="kkk"), seat(played="kkk"), seat(played="k"), **config)
    t.play(0, Resign())
    assert t.game.view().largest_army is None
    return t


def test_I7_an_army_set_aside_is_awarded_again_when_one_of_the_tied_players_leaves() -> None:
    """When one of the two who tie leaves, the other gets it."""
    t = aside()
    assert AwardMoved(Award.LARGEST_ARMY, None, 1, 3) in t.play(2, Resign())
    assert t.game.view().largest_army == 1
    assert t.game.view().players[1].points == 2


def test_I7_an_army_set_aside_stays_aside_while_two_players_tie_or_none_has_three_knights() -> None:
    t = aside()
    assert not events_of(t.play(3, Resign()), AwardMoved)
    assert t.game.view().largest_army is None
    t = table(seat(played="kkk"), seat(played="kk"), seat(played="k"))
    t.play(0, Resign())
    assert t.game.view().largest_army is None


def test_I7_the_holder_of_the_army_keeps_it_when_another_player_leaves() -> None:
    """This holds even if another player has as many knights."""
    t = table(seat(played="kkk"), seat(played="kkk"), seat(played="kk"))
    t.state.army = 1
    assert not events_of(t.play(2, Resign()), AwardMoved)
    assert t.game.view().largest_army == 1


def test_I7_a_road_set_aside_is_awarded_again_when_one_of_the_tied_players_leaves() -> None:
    """The same as for the army."""
    t = table(
        seat(settlements="A1", roads="e1 e2 e3 e4 e5 e6"),
        seat(settlements="B4", roads="c4 c5 c6 c7 c8"),
        seat(settlements="F1", roads="k1 k2 k3 k4 k5"),
    )
    assert t.game.view().longest_road == 0
    assert AwardMoved(Award.LONGEST_ROAD, 0, None, 5) in t.play(0, Resign())
    assert t.game.view().longest_road is None
    t = table(
        seat(settlements="A1", roads="e1 e2 e3 e4 e5 e6"),
        seat(settlements="B4", roads="c4 c5 c6 c7 c8"),
        seat(settlements="F1", roads="k1 k2 k3 k4 k5"),
        seat(),
    )
    t.play(0, Resign())
    assert AwardMoved(Award.LONGEST_ROAD, None, 2, 5) in t.play(1, Resign())


def test_I7_the_current_player_can_win_by_an_army_gained_when_another_player_leaves() -> None:
    """The award brings the last of their points, so they have won (I5)."""
    t = table(seat(played="kkkk"), seat(played="kkk", cities="C6"), seat(played="kkk"), seat(), target=4, on_turn=1)
    t.play(0, Resign())
    assert t.game.outcome is None
    assert t.play(2, Resign())[-1] == GameEnded(EndReason.TARGET, (1,))


@pytest.mark.parametrize("format", [1, 2, 3])
def test_I7_up_to_format_3_the_army_stays_aside_when_another_player_leaves(format: int) -> None:
    """Those games keep the rules that they began with."""
    t = aside(format=format)
    assert not events_of(t.play(2, Resign()), AwardMoved)
    assert t.game.view().largest_army is None


def test_I7_a_player_who_left_gets_no_turns_and_no_cards() -> None:
    """The seat that has left gets no turns and no cards."""
    t = leaving(on_turn=1, dice=[(3, 3)])
    t.play(0, Resign())
    t.play(1, EndTurn())
    assert Produced(0, cards("b")) not in t.play(2, Roll())
    assert t.hand(0) == ""
    assert t.hand(1) == "boo"  # 2.2 is at `C6` too
    t.play(2, EndTurn())
    assert t.game.view().on_turn == 1
    assert t.code(0, Roll()) == "not-playing"
    assert t.code(0, Resign()) == "not-playing"


def test_I7_if_the_player_moving_the_robber_leaves_it_goes_where_it_harms_no_player() -> None:
    """If the player who must move the robber leaves, it goes where it harms no one and takes nothing."""
    t = table(
        seat(hand="bbbb"), seat(settlements="C4", hand="oo"), seat(settlements="C6"), step="pre_roll", dice=[(3, 4)]
    )
    t.play(0, Roll())
    events = t.play(0, Resign())
    (moved,) = events_of(events, RobberMoved)
    assert not t.state.buildings & t.game.board.hex_node_mask[moved.hex]
    assert t.hand(1) == "oo"
    assert t.game.view().on_turn == 1


def test_I7_if_the_player_choosing_a_victim_leaves_no_card_is_taken() -> None:
    """If the player who must choose a victim leaves, no card is taken."""
    t = table(seat(cards="k"), seat(settlements="C4", hand="o"), seat(settlements="B4", hand="o"))
    t.play(0, PlayKnight())
    t.play(0, MoveRobber(hex_("2.2")))
    assert NothingTaken(0) in t.play(0, Resign())
    assert (t.hand(1), t.hand(2)) == ("o", "o")


def test_I7_a_victim_who_leaves_can_no_longer_be_robbed() -> None:
    """When one of two victims leaves, the card comes from the other."""
    t = table(seat(cards="k"), seat(settlements="C4", hand="o"), seat(settlements="B4", hand="w"))
    t.play(0, PlayKnight())
    t.play(0, MoveRobber(hex_("2.2")))
    t.play(1, Resign())
    assert t.hand(0) == "w"
    assert t.game.view().step.kind == "main"


def test_I7_a_player_who_leaves_owing_a_discard_is_no_longer_waited_for() -> None:
    """A player who leaves owing a discard gives everything to the bank, and the others no longer wait for them."""
    t = table(seat(hand="b"), seat(hand="oooooooo"), seat(hand="wwwwwwww"), step="pre_roll", dice=[(3, 4)])
    t.play(0, Roll())
    t.play(1, Resign())
    assert t.step.owed == (0, 0, 4)
    t.play(2, Discard(cards("wwww")))
    assert t.game.view().step.kind == "move_robber"
    assert t.game.view().bank == (18, 19, 15, 19, 19)


def test_I7_offers_by_or_only_to_a_player_who_leaves_end() -> None:
    """Offers by the seat or only to it end. Those that also ask others stay."""
    t = table(seat(hand="bb"), seat(hand="o"), seat(hand="w"))
    t.play(0, MakeOffer(cards("b"), cards("o"), (1,)))
    t.play(0, MakeOffer(cards("b"), cards("w")))
    t.play(1, MakeOffer(cards("o"), cards("b")))
    t.play(1, Resign())
    assert [(o.id, o.to) for o in t.game.view().offers] == [(2, 1 << 2)]


def test_I7_and_E2_offers_that_become_equal_when_a_player_leaves_are_merged() -> None:
    """The first one stays, with the answers to both."""
    for way in (False, True):
        t = table(seat(hand="bb"), seat(hand="o"), seat(hand="w"), seat(hand="w"))
        t.play(0, MakeOffer(cards("b"), cards("w"), (2, 3)))
        t.play(0, MakeOffer(cards("b"), cards("w")))
        t.play(2, DeclineOffer(1))
        t.play(2, AcceptOffer(2))
        t.play(3, (AcceptOffer, DeclineOffer)[way](1))
        t.play(1, Resign())
        assert [(o.id, o.to, o.accepted, o.declined) for o in t.game.view().offers] == [
            (1, 0b1100, 0b0100 if way else 0b1100, 0b1000 if way else 0)
        ]


def test_I7_the_last_player_left_wins() -> None:
    """When one seat is left, it wins, whatever its points."""
    t = table(seat(cities="A1"), seat(), seat())
    t.play(0, Resign())
    assert t.game.outcome is None
    assert t.play(2, Resign())[-1] == GameEnded(EndReason.LAST, (1,))


def test_I7_a_player_who_leaves_during_setup_is_skipped() -> None:
    """A player who leaves during setup is skipped; nothing else changes."""
    game = Game.new(Config(COLORS[:3], shuffle_seats=False), Script())
    game.play(0, next(game.options(0).actions()))
    game.play(0, Resign())
    assert game.to_act == (1,)
    while game.view().step.kind == "setup":
        who = game.to_act[0]
        game.play(who, next(game.options(who).actions()))
    assert game.view().on_turn == 1


def test_I7_players_cannot_leave_after_the_game_has_ended() -> None:
    """A game that is over stays as it is."""
    t = table(seat(), seat())
    t.play(0, Resign())
    for action in (Resign(), AgreeToEnd(), BankTrade(cards("bbbb"), cards("o")), TakeCard(0)):
        assert t.code(1, action) == "over"
