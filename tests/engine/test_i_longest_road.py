"""I1, I2: the longest road, with the cases that referees get wrong."""

from __future__ import annotations

import pytest

from engine.actions import BuildRoad, BuildSettlement, Resign, Undo
from engine.events import AwardMoved
from engine.terms import Award
from tests.engine.builder import BOARD, edge, node, seat, table
from tests.engine.invariants import trail_by_hand

RING = "e5 e6 f4 g6 g5 f3"  # around the desert: `C5 C6 C7 D7 D6 D5`
EIGHT = RING + " e7 e8 f5 g8 g7"  # and around 3.4 next to it, sharing f4


@pytest.mark.parametrize(
    ("roads", "own", "other", "length"),
    [
        ("e1 e2 e3 e4 e5", "", "", 5),
        ("e1 e2 e3 e4 e5", "", "C6", 5),  # an opponent at the end: the last segment counts
        ("e1 e2 e3 e4 e5", "", "C1 C6", 5),  # at both ends
        ("e1 e2 e3 e4 e5 e6 e7", "", "C4", 4),  # in the middle it cuts
        ("e1 e2 e3 e4 e5 e6 e7", "C4", "", 7),  # the player's own building doesn't
        ("e1 e2 e3 d2 c3", "", "", 5),
        ("e1 e2 e3 d2 e4", "", "", 4),  # a branch doesn't add up
        ("e1 e2 e3 d2 c3 c2 e4 e5", "", "", 5),  # the two longest of three arms
        (RING, "", "", 6),  # a loop counts in full
        (RING, "", "C5", 6),  # even with an opponent on it: it begins and ends there
        (RING, "", "C5 D7", 3),  # two of them cut it in half
        (RING + " g7", "", "", 7),  # a loop and a tail
        (RING + " g7 g8", "", "D7", 6),  # the tail is cut off
        (RING + " g7 g4", "", "", 7),  # one tail and the whole loop are longer than both tails
        (RING + " g7 e7 e8 e9", "", "", 9),  # tails next to each other: the loop but one segment, and both
        (EIGHT, "", "", 11),  # two loops with a side in common
        (EIGHT, "", "C7", 10),  # cut where they meet
        ("e1 e2 e3 e4 k1 k2 k3", "", "", 4),  # separate parts don't add up
        ("e1", "", "C1 C2", 1),
        ("", "", "", 0),
    ],
)
def test_I1_the_length_is_that_of_the_longest_continuous_road(roads: str, own: str, other: str, length: int) -> None:
    """A continuous road, no segment twice. Opponents' buildings interrupt it, the player's own don't."""
    t = table(seat(roads=roads, settlements=own), seat(settlements=other))
    assert t.game.view().players[0].road_length == length
    walls = {node(n) for n in other.split()}
    assert trail_by_hand([BOARD.grid.edges[edge(r)] for r in roads.split()], walls) == length


def test_I1_the_first_player_with_five_segments_takes_the_award() -> None:
    """Four segments are not enough; the fifth takes the award, worth two points."""
    t = table(seat(roads="e1 e2 e3 e4", hand="bl"), seat(roads="k1 k2 k3 k4"))
    assert t.game.view().longest_road is None
    assert AwardMoved(Award.LONGEST_ROAD, None, 0, 5) in t.play(0, BuildRoad(edge("e5")))
    view = t.game.view()
    assert (view.longest_road, view.players[0].points) == (0, 2)


def test_I1_the_award_passes_only_to_a_strictly_longer_road() -> None:
    """An equal length is not enough; one segment more takes it."""
    t = table(seat(roads="k1 k2 k3 k4", hand="bbll"), seat(roads="e1 e2 e3 e4 e5"))
    assert t.game.view().longest_road == 1
    t.play(0, BuildRoad(edge("k5")))
    assert t.game.view().longest_road == 1
    assert AwardMoved(Award.LONGEST_ROAD, 1, 0, 6) in t.play(0, BuildRoad(edge("k6")))


def test_I1_undoing_a_road_returns_the_award() -> None:
    """Undoing a road also undoes the award."""
    t = table(seat(roads="k1 k2 k3 k4 k5", hand="bl"), seat(roads="e1 e2 e3 e4 e5"))
    t.state.longest = 1
    t.play(0, BuildRoad(edge("k6")))
    assert t.game.view().longest_road == 0
    t.play(0, Undo())
    assert t.game.view().longest_road == 1


@pytest.mark.parametrize(
    ("mine", "second", "third", "holder"),
    [
        ("e1 e2 e3 e4 e5 e6", "d2", "", None),  # 3 and 3: no road has five
        ("e1 e2 e3 e4 e5 e6", "d2", "k1 k2 k3 k4 k5", 2),  # the single longest takes it
        ("e1 e2 e3 e4 e5 e6", "d2 c3 c4 c5 c6", "k1 k2 k3 k4 k5", None),  # a tie of others sets it aside
        ("e1 e2 e3 e4 e5 e6 e7 e8", "d2", "k1 k2 k3 k4 k5", 0),  # the holder is still among the longest
        ("e1 e2 e3 e4 e5 e6 e7 e8", "d2", "k1 k2 k3 k4 k5 k6", 2),  # here it isn't
        ("e1 e2 e3 e4 e5 e6 e7 e8 e9 e10", "d2", "k1 k2 k3 k4 k5 k6", 0),
    ],
)
def test_I2_a_broken_road_keeps_the_award_only_while_among_the_longest(
    mine: str, second: str, third: str, holder: int | None
) -> None:
    """The holder keeps it while among the longest. Otherwise the only longest road of at least five takes it; a tie
    sets it aside."""
    t = table(seat(roads=mine), seat(roads=second, hand="blwg"), seat(roads=third), on_turn=1)
    assert t.game.view().longest_road == 0
    t.play(1, BuildSettlement(node("C4")))
    assert t.game.view().longest_road == holder


def test_I2_the_award_is_set_aside_until_a_single_player_has_the_longest_road() -> None:
    """After a tie among others it waits until one player alone has the longest road, former holder or not."""
    t = table(
        seat(roads="e1 e2 e3 e4 e5 e6"),
        seat(roads="d2 c3 c4 c5 c6", hand="bbllwg"),
        seat(roads="k1 k2 k3 k4 k5"),
        on_turn=1,
    )
    assert AwardMoved(Award.LONGEST_ROAD, 0, None, 5) in t.play(1, BuildSettlement(node("C4")))
    assert [p.points for p in t.game.view().players] == [0, 1, 0]
    assert AwardMoved(Award.LONGEST_ROAD, None, 1, 6) in t.play(1, BuildRoad(edge("c7")))


def test_I2_an_opponent_at_the_end_of_a_road_breaks_nothing() -> None:
    """A settlement at the road's end doesn't change its length."""
    t = table(seat(roads="e1 e2 e3 e4 e5"), seat(roads="f3", settlements="", hand="blwg"), on_turn=1)
    t.state.roads[1] = 1 << edge("d3")
    t.state.reach[1] = BOARD.grid.edge_node_mask[edge("d3")]
    t.play(1, BuildSettlement(node("C6")))
    assert t.game.view().longest_road == 0
    assert t.game.view().players[0].road_length == 5


def test_I7_the_road_of_a_player_who_resigned_no_longer_counts() -> None:
    """The award is counted again without the player who left."""
    t = table(seat(roads="e1 e2 e3 e4 e5 e6"), seat(roads="k1 k2 k3 k4 k5"), seat())
    t.play(0, Resign())
    assert t.game.view().longest_road == 1
