"""Section G: where the robber goes, whom it takes from, and who learns what."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.actions import DeclineCard, MoveRobber, Roll, TakeCard
from engine.codec import Secret
from engine.events import CardTaken, NothingTaken, RobberMoved
from engine.steps.robber import RobberStep
from tests.engine.builder import Seat, Table, events_of, hex_, seat, table


def robbing(*seats: Seat, robber: str = "3.3", edition: str = "2007") -> Table:
    """Seat 0 must move the robber."""
    t = table(*seats, robber=robber, edition=edition)
    t.state.push(RobberStep(0))
    return t


def test_G1_the_robber_moves_to_another_land_hex_including_the_desert() -> None:
    """The robber must move to another land hex; the desert is one, the sea isn't."""
    t = robbing(seat(), seat(), robber="1.1")
    places = t.places(0, MoveRobber).split()
    assert len(places) == 18
    assert "3.3" in places
    refused = t.refused(0, MoveRobber(hex_("1.1")))
    assert refused.code == "same-hex"
    assert "1.1" in str(refused)
    assert str(t.refused(0, MoveRobber(hex_("s.1")))) == "s.1 isn't land: the robber stays on land."
    assert t.code(0, MoveRobber(999)) == "unknown-place"
    assert t.code(1, MoveRobber(hex_("3.3"))) == "wrong-turn"
    t.play(0, MoveRobber(hex_("3.3")))
    assert t.game.view().robber == hex_("3.3")
    assert t.game.view().step.kind == "main"


def test_G2_a_single_victim_is_robbed_immediately() -> None:
    """If one opponent there holds cards, one of the cards is taken immediately."""
    t = robbing(seat(hand="b"), seat(settlements="C4", hand="oo"), seat(cities="B4"))
    t.steals(1, "o")
    events = t.play(0, MoveRobber(hex_("2.2")))
    assert (t.hand(0), t.hand(1)) == ("bo", "o")
    assert events[0] == RobberMoved(0, hex_("3.3"), hex_("2.2"))
    assert t.game.view().step.kind == "main"


def test_G2_the_player_who_moved_the_robber_chooses_among_several_victims() -> None:
    """If several such opponents are there, the mover chooses one of them and no one else."""
    t = robbing(seat(cities="C4"), seat(settlements="B4", hand="oo"), seat(cities="C6", hand="l"), seat(hand="b"))
    t.play(0, MoveRobber(hex_("2.2")))
    assert (t.step.kind, t.step.victims) == ("take_card", 0b110)
    for nobody in (0, 3, 7, -1):
        refused = t.refused(0, TakeCard(nobody))
        assert refused.code == "no-victim"
        assert "blue or white" in str(refused)
    assert t.code(1, TakeCard(2)) == "wrong-turn"
    assert t.code(0, DeclineCard()) == "must-take"
    t.play(0, TakeCard(2))
    assert (t.hand(0), t.hand(2)) == ("l", "")


@pytest.mark.parametrize("there", [seat(), seat(settlements="B4"), seat(settlements="F1", hand="ooo")])
def test_G2_with_no_victim_nothing_is_taken(there: Seat) -> None:
    """If no opponent with cards is there, nothing is taken, not even from the mover."""
    t = robbing(seat(settlements="C4", hand="b"), there)
    assert NothingTaken(0) in t.play(0, MoveRobber(hex_("2.2")))
    assert t.hand(0) == "b"
    assert t.game.view().step.kind == "main"


def test_A2_G2_in_1996_taking_a_card_can_be_declined() -> None:
    """In 1996 the mover can decline, even with a single victim."""
    t = robbing(seat(), seat(settlements="C4", hand="o"), edition="1996")
    t.play(0, MoveRobber(hex_("2.2")))
    assert t.game.view().step.kind == "take_card"
    assert t.play(0, DeclineCard()) == (NothingTaken(0),)
    assert t.hand(1) == "o"


def test_G2_each_of_the_victims_cards_is_equally_likely() -> None:
    """Each of the victim's cards is equally likely."""
    taken = Counter[str]()
    for number in range(6):
        t = robbing(seat(), seat(settlements="C4", hand="bwwooo"))
        t.script.next["steal"] = [number]
        t.play(0, MoveRobber(hex_("2.2")))
        taken[t.hand(0)] += 1
    assert taken == {"b": 1, "w": 2, "o": 3}


def test_G3_only_the_thief_and_the_victim_learn_the_card() -> None:
    """Only those two know the card; all others just see that a card was taken."""
    t = robbing(seat(), seat(settlements="C4", hand="o"), seat())
    t.play(0, MoveRobber(hex_("2.2")))
    assert isinstance(events_of(t.game.last_events, CardTaken)[0].card, Secret)
    for viewer, card in ((0, 4), (1, 4), (2, None), (None, None)):
        assert CardTaken(0, 1, card) in t.game.view(viewer).events


def test_G4_the_hex_under_the_robber_produces_nothing() -> None:
    """The robber's hex gives nothing, other hexes with the same number do."""
    t = table(seat(settlements="B2 B8"), seat(), step="pre_roll", robber="1.1", dice=[(4, 6)])
    t.play(0, Roll())
    assert t.hand(0) == "b"
