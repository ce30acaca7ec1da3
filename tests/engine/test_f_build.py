"""Section F: what can be built where, and for what."""

from __future__ import annotations

import pytest

from engine.actions import Action, BuildBridge, BuildCity, BuildRoad, BuildSettlement, BuyCard, Undo
from engine.events import Built, CardBought
from engine.refusals import CardList
from engine.terms import Piece
from tests.engine.builder import Seat, edge, node, seat, table

ALL = "bbbbllllwwwwggggoooo"


@pytest.mark.parametrize(
    ("action", "cost", "words"),
    [
        (BuildRoad(edge("c3")), "bl", "1 brick and 1 lumber"),
        (BuildSettlement(node("B6")), "blwg", "1 brick, 1 lumber, 1 wool and 1 grain"),
        (BuildCity(node("B4")), "ggooo", "2 grain and 3 ore"),
        (BuyCard(), "wgo", "1 wool, 1 grain and 1 ore"),
    ],
)
def test_F_each_thing_built_or_bought_has_its_cost(action: Action, cost: str, words: str) -> None:
    """Each thing has its cost, which goes to the bank. With one card less it is refused, and the refusal names the
    cost."""
    start = seat(settlements="B4", roads="c4 c5", hand=cost)
    t = table(start, seat())
    t.play(0, action)
    assert t.hand(0) == ""
    assert t.game.view().bank == (19,) * 5
    for missing in set(cost):
        poor = table(seat(settlements="B4", roads="c4 c5", hand=cost.replace(missing, "", 1)), seat())
        refused = poor.refused(0, action)
        assert refused.code == "unaffordable"
        assert words in str(refused)
        lacking = refused.params["missing"]
        assert isinstance(lacking, CardList)
        assert sum(lacking.hand) == 1


ROADS = "c1 c2 c3 c4 c5 c6 c7 c8 e1 e2 e3 e4 e5 e6"


def test_F1_a_player_has_fifteen_roads() -> None:
    """After fifteen roads no more can be built."""
    t = table(seat(settlements="B4", roads=ROADS, hand=ALL), seat())
    t.play(0, BuildRoad(edge("e7")))
    assert t.game.view().players[0].pieces_left[0] == 0
    refused = t.refused(0, BuildRoad(edge("e8")))
    assert refused.code == "no-pieces"
    assert "15" in str(refused)


def test_F1_a_player_has_five_settlements_and_a_city_returns_one() -> None:
    """With five settlements on the board, a sixth needs a city first, which returns its settlement."""
    t = table(seat(settlements="A1 A3 A5 A7 B9", roads="e1 e2 e3", hand=ALL), seat())
    refused = t.refused(0, BuildSettlement(node("C2")))
    assert refused.code == "no-pieces"
    assert "city" in str(refused)
    t.play(0, BuildCity(node("A1")))
    t.play(0, BuildSettlement(node("C2")))
    assert t.game.view().players[0].pieces_left == (12, 0, 3)


def test_F1_a_player_has_four_cities() -> None:
    """After four cities no more can be built."""
    t = table(seat(settlements="A1", cities="A3 A5 A7 B9", hand=ALL), seat())
    assert t.code(0, BuildCity(node("A1"))) == "no-pieces"


def test_F2_a_road_touches_the_players_own_road_or_building() -> None:
    """A road goes on a free edge next to the player's own road or building."""
    t = table(seat(settlements="B4", cities="F2", roads="e5", hand=ALL), seat(roads="c5"))
    assert t.places(0, BuildRoad) == "b2 c3 c4 d3 e4 e6 f3 k1 k2"
    assert t.refused(0, BuildRoad(edge("a1"))).code == "not-connected"
    refused = t.refused(0, BuildRoad(edge("c5")))
    assert refused.code == "occupied"
    assert "blue" in str(refused)
    assert t.code(0, BuildRoad(edge("e5"))) == "occupied"
    assert t.code(0, BuildRoad(999)) == "unknown-place"
    assert t.code(0, BuildRoad(-1)) == "unknown-place"


def test_F2_a_road_cannot_continue_past_an_opponents_building() -> None:
    """A player's road that ends at an opponent's building can't be continued past it."""
    t = table(seat(roads="e3 e4", hand=ALL), seat(settlements="C5"))
    assert t.places(0, BuildRoad) == "d2 e2 f2"
    refused = t.refused(0, BuildRoad(edge("e5")))
    assert refused.code == "blocked"
    assert "C5" in str(refused)
    around = table(seat(roads="e4 f3", hand=ALL), seat(settlements="C5"))
    assert "e5" not in around.places(0, BuildRoad).split()


def test_F2_a_road_can_continue_past_the_players_own_building() -> None:
    """A player's own building is no obstacle, and neither are other players' roads."""
    t = table(seat(settlements="C5", roads="e4", hand=ALL), seat(roads="f3"))
    assert "e5" in t.places(0, BuildRoad).split()


@pytest.mark.parametrize("who", ["settlements", "cities"])
@pytest.mark.parametrize("whose", [0, 1])
def test_F3_the_distance_rule_applies_to_every_players_buildings(who: str, whose: int) -> None:
    """No neighboring intersection can have a building of any player, including one's own."""
    pieces: list[Seat] = [seat(roads="e4 e5 c4", hand=ALL), seat()]
    if whose == 0:
        pieces[0] = Seat(roads="e4 e5 c4", hand=ALL, **{who: "C5"})
    else:
        pieces[1] = Seat(**{who: "C5"})
    t = table(*pieces)
    assert t.places(0, BuildSettlement) == "B4 B5"
    for name in ("C4", "C6"):
        refused = t.refused(0, BuildSettlement(node(name)))
        assert refused.code == "too-close"
        assert "C5" in str(refused)
        assert name in str(refused)
    assert t.code(0, BuildSettlement(node("C5"))) == "occupied"


def test_F4_a_settlement_needs_the_players_own_road_and_other_players_roads_do_not_matter() -> None:
    """A settlement needs the player's own road at its intersection; opponents' roads there are no hindrance."""
    t = table(seat(roads="e4", hand=ALL), seat(roads="d2 f3 c6"))
    assert t.places(0, BuildSettlement) == "C4 C5"
    refused = t.refused(0, BuildSettlement(node("B6")))
    assert refused.code == "not-connected"
    t.play(0, BuildSettlement(node("C4")))
    assert t.code(0, BuildSettlement(999)) == "unknown-place"


def test_F5_a_city_replaces_the_players_own_settlement_even_a_new_one() -> None:
    """A city replaces the player's own settlement, built in this turn or before."""
    t = table(seat(roads="e4", hand=ALL), seat(settlements="A1"))
    t.play(0, BuildSettlement(node("C4")))
    assert t.play(0, BuildCity(node("C4"))) == (Built(0, Piece.CITY, node("C4")),)
    player = t.game.view().players[0]
    assert (player.settlements, player.cities) == (0, 1 << node("C4"))
    for name in ("C4", "A1", "F1"):
        refused = t.refused(0, BuildCity(node(name)))
        assert refused.code == "no-settlement"
        assert name in str(refused)
    assert t.code(0, BuildCity(999)) == "unknown-place"


def test_F6_cards_come_from_the_deck_until_it_is_empty() -> None:
    """A bought card comes from the deck, its kind is the buyer's secret, and an empty deck sells nothing."""
    t = table(seat(hand=ALL), seat())
    t.draws_card("y")
    (event,) = t.play(0, BuyCard())
    assert isinstance(event, CardBought)
    assert event.redact(0) == CardBought(0, 2)
    assert event.redact(1) == event.redact(None) == CardBought(0, None)
    assert t.game.view().deck == 24
    assert t.game.view(0).players[0].development_cards == (0, 0, 1, 0, 0)
    t.state.deck = [0] * 5
    assert t.code(0, BuyCard()) == "no-cards"


def test_F_building_can_be_undone_but_buying_a_card_cannot() -> None:
    """Undo takes back the last piece and its cost, but not a card that was drawn."""
    t = table(seat(settlements="B4", roads="c4", hand="bblwgo"), seat())
    before = t.game.view(0).players
    t.play(0, BuildRoad(edge("c3")))
    assert t.code(1, Undo()) == "no-undo"
    t.play(0, Undo())
    assert t.game.view(0).players == before
    t.play(0, BuildRoad(edge("c3")))
    t.play(0, BuyCard())
    assert t.code(0, Undo()) == "no-undo"


def test_F_players_build_only_in_their_own_turn() -> None:
    """Only the player on turn builds, and a bridge needs a board with bridges."""
    t = table(seat(hand=ALL), seat(settlements="B4", roads="c4 c5", hand=ALL))
    for action in (BuildRoad(edge("c3")), BuildSettlement(node("B6")), BuildCity(node("B4")), BuyCard()):
        assert t.code(1, action) == "wrong-turn"
    assert table(seat(settlements="B4", hand=ALL), seat()).code(0, BuildBridge(edge("c3"))) == "wrong-piece"
