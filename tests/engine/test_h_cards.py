"""Section H: development cards."""

from __future__ import annotations

import pytest

from engine.actions import (
    Action,
    BuildRoad,
    BuyCard,
    EndTurn,
    MoveRobber,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    PlayVictoryPoint,
    PlayYearOfPlenty,
    Roll,
    TakeCard,
    Undo,
)
from engine.events import AwardMoved, Monopolised, PlentyTaken
from engine.terms import Award
from tests.engine.builder import cards, edge, hex_, seat, table

PLAYS: dict[str, Action] = {
    "k": PlayKnight(),
    "r": PlayRoadBuilding(),
    "y": PlayYearOfPlenty(cards("bb")),
    "m": PlayMonopoly(0),
}


@pytest.mark.parametrize(("edition", "deck"), [("2007", (14, 2, 2, 2, 5)), ("1996", (20, 3, 3, 3, 5))])
def test_H1_the_deck_depends_on_the_edition(edition: str, deck: tuple[int, ...]) -> None:
    """14 knights, 2 of each progress card and 5 victory points; in 1996, six more knights and one more of each
    progress card."""
    assert tuple(table(edition=edition).state.deck) == deck


@pytest.mark.parametrize("step", ["pre_roll", "main"])
@pytest.mark.parametrize("card", "krym")
def test_H2_a_card_can_be_played_before_or_after_the_roll(card: str, step: str) -> None:
    """A card can be played before or after the roll."""
    t = table(seat(settlements="B4", cards=card), seat(), step=step)
    t.play(0, PLAYS[card])
    assert t.game.view().players[0].development_count == 0


@pytest.mark.parametrize("card", "krym")
def test_H2_a_card_cannot_be_played_in_the_turn_it_was_bought(card: str) -> None:
    """A card bought in this turn must wait; an older one of the same kind needn't."""
    t = table(seat(settlements="B4", cards=card, fresh=card), seat())
    refused = t.refused(0, PLAYS[card])
    assert refused.code == "too-new"
    assert "this turn" in str(refused)
    assert table(seat(settlements="B4", cards=card * 2, fresh=card), seat()).can(0, PLAYS[card])


def test_H2_a_card_bought_in_one_turn_can_be_played_in_the_next() -> None:
    """A bought card is new until the turn ends."""
    t = table(seat(hand="wgo"), seat(), dice=[(1, 1)])
    t.draws_card("m")
    t.play(0, BuyCard())
    assert t.game.view(0).players[0].fresh_cards == (0, 0, 0, 1, 0)
    assert t.code(0, PlayMonopoly(0)) == "too-new"
    t.play(0, EndTurn())
    t.play(1, Roll())
    assert t.code(0, PlayMonopoly(0)) == "wrong-turn"
    t.play(1, EndTurn())
    t.play(0, PlayMonopoly(0))


def test_H2_only_one_card_can_be_played_in_a_turn() -> None:
    """At most one development card a turn, and only one that is held."""
    t = table(seat(cards="mk"), seat())
    assert t.code(0, PlayYearOfPlenty(cards("bb"))) == "no-such-card"
    t.play(0, PlayMonopoly(0))
    assert t.game.view().card_played
    assert t.code(0, PlayKnight()) == "one-card"
    assert t.code(1, PlayKnight()) == "wrong-turn"


def test_H3_a_knight_moves_the_robber_without_discards() -> None:
    """A knight moves the robber as a seven does, but without discards."""
    t = table(seat(cards="k", hand="bbbbbbbbb"), seat(settlements="C4", hand="ooooooooo"), step="pre_roll")
    t.play(0, PlayKnight())
    assert t.game.view().step.kind == "move_robber"
    assert t.code(0, Roll()) == "wrong-phase"
    t.play(0, MoveRobber(hex_("2.2")))
    assert t.hand(0) == "bbbbbbbbbo"
    assert t.game.view().step.kind == "pre_roll"
    assert t.game.view().players[0].played == (1, 0, 0, 0, 0)


def test_H3_a_knight_counts_for_the_army_only_after_a_card_is_taken() -> None:
    """The army grows when the card has been taken, not when the knight is played."""
    t = table(seat(cards="k", played="kk"), seat(settlements="C4", hand="o"), seat(settlements="B4", hand="o"))
    t.play(0, PlayKnight())
    t.play(0, MoveRobber(hex_("2.2")))
    assert t.game.view().players[0].played[0] == 2
    assert t.game.view().largest_army is None
    assert AwardMoved(Award.LARGEST_ARMY, None, 0, 3) in t.play(0, TakeCard(1))
    assert t.game.view().players[0].played[0] == 3


def test_H4_the_second_free_road_can_continue_the_first() -> None:
    """Two free roads. The second can continue the first, and nothing else can be done in between."""
    t = table(seat(settlements="B4", roads="c4", cards="r"), seat(), step="pre_roll")
    t.play(0, PlayRoadBuilding())
    assert (t.step.kind, t.step.piece) == ("road_building", "road")
    assert t.code(0, Roll()) == "wrong-phase"
    assert t.code(0, BuildRoad(edge("a1"))) == "not-connected"
    assert t.code(1, BuildRoad(edge("c5"))) == "wrong-turn"
    t.play(0, BuildRoad(edge("c5")))
    t.play(0, BuildRoad(edge("c6")))
    assert t.game.view().step.kind == "pre_roll"
    assert t.game.view().players[0].pieces_left[0] == 12
    assert t.hand(0) == ""


def test_H4_undo_removes_free_roads_one_at_a_time() -> None:
    """A free road can be undone and then placed elsewhere."""
    t = table(seat(settlements="B4", cards="r"), seat())
    t.play(0, PlayRoadBuilding())
    t.play(0, BuildRoad(edge("c4")))
    t.play(0, BuildRoad(edge("c5")))
    t.play(0, Undo())
    assert t.game.view().step.kind == "road_building"
    t.play(0, BuildRoad(edge("c3")))
    assert t.game.view().step.kind == "main"


FOURTEEN = "c1 c2 c3 c4 c5 c6 c7 c8 e1 e2 e3 e4 e5 e6"


def test_H4_only_one_road_is_placed_if_the_supply_has_one_left() -> None:
    """If the supply has one road left, only that one is placed."""
    t = table(seat(settlements="B4", roads=FOURTEEN, cards="r"), seat())
    t.play(0, PlayRoadBuilding())
    t.play(0, BuildRoad(edge("e7")))
    assert t.game.view().step.kind == "main"


def test_H4_only_one_road_is_placed_if_the_board_has_room_for_one() -> None:
    """The second road is waived if no legal place is left, and only then."""
    # from `A1` a road can only go to `A2`, where blue is
    t = table(seat(settlements="A1", cards="r"), seat(settlements="A3", roads="b1 a2"))
    t.state.buildings |= 1 << 1  # blue's building at `A2`, against the distance rule
    t.state.cities[1] |= 1 << 1
    t.play(0, PlayRoadBuilding())
    assert t.places(0, BuildRoad) == "a1"
    t.play(0, BuildRoad(edge("a1")))
    assert t.game.view().step.kind == "main"


def test_H4_the_card_cannot_be_played_if_no_road_can_be_placed() -> None:
    """Without roads in the supply, or without a place, the card can't be played."""
    t = table(seat(settlements="B4", roads=FOURTEEN + " e7", cards="r"), seat())
    assert t.code(0, PlayRoadBuilding()) == "no-pieces"
    assert table(seat(cards="r"), seat()).code(0, PlayRoadBuilding()) == "nowhere"


def test_H5_year_of_plenty_takes_any_two_cards_equal_or_different() -> None:
    """Any two cards from the bank, usable immediately."""
    t = table(seat(settlements="B4", cards="y"), seat())
    assert t.play(0, PlayYearOfPlenty(cards("bl")))[-1] == PlentyTaken(0, cards("bl"))
    t.play(0, BuildRoad(edge("c4")))
    same = table(seat(cards="y"), seat())
    same.play(0, PlayYearOfPlenty(cards("oo")))
    assert same.hand(0) == "oo"


def test_H5_year_of_plenty_is_limited_to_what_the_bank_holds() -> None:
    """The bank gives what it has, even if that is only one card. If it is empty, the card can't be played."""
    t = table(seat(cards="y"), seat(), bank="ow")
    refused = t.refused(0, PlayYearOfPlenty(cards("oo")))
    assert refused.code == "bank-short"
    assert "1 wool and 1 ore" in str(refused)
    for wrong in ("o", "owb"[:0], "oww"):
        assert t.code(0, PlayYearOfPlenty(cards(wrong))) in ("wrong-count", "bank-short")
    t.play(0, PlayYearOfPlenty(cards("ow")))
    one = table(seat(cards="y"), seat(), bank="o")
    one.play(0, PlayYearOfPlenty(cards("o")))
    assert one.hand(0) == "o"
    assert table(seat(cards="y"), seat(), bank="").code(0, PlayYearOfPlenty(cards("o"))) == "bank-empty"


def test_H6_monopoly_takes_all_cards_of_a_resource_from_the_other_players() -> None:
    """Every other player hands over all cards of the resource named."""
    t = table(seat(cards="m", hand="b"), seat(hand="bbo"), seat(hand="b"), seat(hand="l"))
    assert t.play(0, PlayMonopoly(0))[-1] == Monopolised(0, 0, ((1, 2), (2, 1)))
    assert [t.hand(s) for s in range(4)] == ["bbbb", "o", "", "l"]
    for wrong in (5, -1):
        assert table(seat(cards="m"), seat()).code(0, PlayMonopoly(wrong)) == "no-resource"


def test_H7_victory_point_cards_stay_hidden_and_are_counted_for_the_holder() -> None:
    """They are never played, only their holder sees their points, and they can win the moment they are bought."""
    t = table(seat(settlements="A1", cards="vv", hand="wgo"), seat(), target=4)
    assert t.code(0, PlayVictoryPoint()) == "wrong-phase"
    assert t.game.view(0).players[0].all_points == 3
    assert t.game.view(1).players[0].all_points is None
    assert t.game.view(1).players[0].points == 1
    t.draws_card("v")
    t.play(0, BuyCard())
    assert t.game.outcome is not None
    assert t.game.outcome.winners == (0,)
    assert t.game.view(1).players[0].development_cards == (0, 0, 0, 0, 3)
