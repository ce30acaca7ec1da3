"""Section C: seats, who goes first, the two settlements and their roads."""

from __future__ import annotations

from engine.actions import BuildBridge, BuildRoad, BuildSettlement, EndTurn, Roll, Undo
from engine.chance import SeededChance
from engine.config import COLORS, Config
from engine.events import FirstPlayer, FirstRolls, Produced, SeatsTaken
from engine.game import Game
from engine.steps.setup import Setup, setup_order
from tests.engine.builder import Script, Seat, Table, cards, edge, events_of, node, seat, table


def setting_up(*seats: Seat, index: int = 0, first: int = 0) -> Table:
    """A table in setup, of three players unless `seats` are given."""
    t = table(*(seats or (seat(), seat(), seat())), step=Setup(setup_order(first, 3), index))
    t.state.on_turn, t.state.first = -1, first
    t.state.turn = t.state.round = 0
    return t


def test_C1_seats_are_in_the_order_of_joining_or_shuffled() -> None:
    """Seats are in the order of joining, or shuffled; the colors go with the players."""
    plain = Game.new(Config(COLORS[:4], shuffle_seats=False), Script()).view()
    assert [p.player for p in plain.players] == [0, 1, 2, 3]
    orders = set()
    for number in range(60):
        view = Game.new(Config(COLORS[:4]), SeededChance(bytes([number]) * 32, "1", ())).view()
        assert sorted(p.player for p in view.players) == [0, 1, 2, 3]
        assert all(p.color == COLORS[p.player] for p in view.players)
        assert events_of(view.events, SeatsTaken) == [SeatsTaken(tuple(p.player for p in view.players))]
        orders.add(tuple(p.player for p in view.players))
    assert len(orders) > 15


def test_C2_the_highest_roll_goes_first_and_ties_roll_again() -> None:
    """All players roll two dice. Those tied for the highest roll again among themselves, and all rolls are shown."""
    script = Script()
    script.next["first"] = [0, 0, 5, 3, 4, 4, 3, 3, 1, 1, 2, 2]  # 2, 10, 10, 8; then 4, 6
    view = Game.new(Config(COLORS[:4], shuffle_seats=False), script).view()
    assert events_of(view.events, FirstRolls) == [
        FirstRolls(((0, 1, 1), (1, 6, 4), (2, 5, 5), (3, 4, 4))),
        FirstRolls(((1, 2, 2), (2, 3, 3))),
    ]
    assert events_of(view.events, FirstPlayer) == [FirstPlayer(2)]
    assert view.first == 2
    assert view.awaited == 1 << 2


def test_C3_players_place_a_settlement_and_a_road_in_turn_order_then_in_reverse() -> None:
    """Each player places a settlement and a road in turn order, then in reverse, the last player twice in a row."""
    assert setup_order(1, 4) == (1, 2, 3, 0, 0, 3, 2, 1)
    t = setting_up(first=1)
    for who, at, road in ((1, "A1", "a1"), (2, "A5", "a5"), (0, "C1", "f1"), (0, "C5", "f3"), (2, "C9", "f5")):
        assert t.game.to_act == (who,)
        assert t.step.piece == "settlement"
        assert t.code((who + 1) % 3, BuildSettlement(node("F7"))) == "wrong-turn"
        t.play(who, BuildSettlement(node(at)))
        assert t.step.piece == "road"
        assert t.code(who, BuildSettlement(node("F7"))) == "wrong-phase"
        t.play(who, BuildRoad(edge(road)))
    assert t.game.to_act == (1,)


def test_C3_the_road_touches_the_settlement_just_placed() -> None:
    """The second road must touch the second settlement, not the first."""
    t = setting_up(seat(settlements="A1", roads="a1"), seat(), seat(), index=5)
    t.play(0, BuildSettlement(node("D6")))
    assert t.places(0, BuildRoad) == "g5 g6 h3"
    refused = t.refused(0, BuildRoad(edge("b1")))
    assert refused.code == "not-at-settlement"
    assert "b1" in str(refused)
    assert "D6" in str(refused)


def test_C4_the_distance_rule_holds_but_no_road_is_needed() -> None:
    """In setup a settlement can go anywhere on land that the distance rule leaves free."""
    t = setting_up(seat(settlements="C4"), seat(), seat(), index=1)
    free = t.places(1, BuildSettlement).split()
    assert len(free) == 54 - 4
    assert not {"C4", "C3", "C5", "B3"} & set(free)
    refused = t.refused(1, BuildSettlement(node("C5")))
    assert refused.code == "too-close"
    assert "C4" in str(refused)
    assert t.code(1, BuildSettlement(node("C4"))) == "occupied"
    assert t.code(1, BuildSettlement(999)) == "unknown-place"


def test_C4_the_base_board_takes_no_bridge_in_setup() -> None:
    """The base board takes no bridge, not even in setup."""
    t = setting_up()
    t.play(0, BuildSettlement(node("A1")))
    assert t.code(0, BuildBridge(edge("a1"))) in ("wrong-piece", "not-at-settlement")


def test_C5_the_second_settlement_yields_a_card_for_each_producing_hex() -> None:
    """The first settlement gives nothing. The second immediately gives one card per producing hex, and none for the
    desert."""
    t = setting_up()
    assert not events_of(t.play(0, BuildSettlement(node("B4"))), Produced)
    late = setting_up(index=3)
    assert Produced(2, cards("bwo"), setup=True) in late.play(2, BuildSettlement(node("B4")))
    assert late.hand(2) == "bwo"
    assert late.game.view().bank == (18, 19, 18, 19, 18)
    beside = setting_up(index=3)
    beside.play(2, BuildSettlement(node("D6")))  # desert, mountains 3, fields 4
    assert beside.hand(2) == "go"
    coast = setting_up(index=3)
    coast.play(2, BuildSettlement(node("A2")))
    assert coast.hand(2) == "o"


def test_C5_undoing_the_settlement_returns_its_cards_to_the_bank() -> None:
    """Undoing a placement takes its cards back, too."""
    t = setting_up(index=3)
    before = t.game.view().bank
    t.play(2, BuildSettlement(node("B4")))
    t.play(2, Undo())
    assert t.hand(2) == ""
    assert t.game.view().bank == before
    assert t.step.piece == "settlement"


def test_C6_the_player_who_rolled_highest_takes_the_first_turn() -> None:
    """After setup the player who rolled highest is on turn, and the dice are not yet rolled."""
    t = setting_up(index=5, first=2)
    t.play(2, BuildSettlement(node("A1")))
    t.play(2, BuildRoad(edge("a1")))
    view = t.game.view()
    assert (view.step.kind, view.on_turn, view.turn, view.round) == ("pre_roll", 2, 1, 1)
    t.rolls((1, 1))
    t.play(2, Roll())
    t.play(2, EndTurn())
    assert t.game.view().on_turn == 0
