"""L5, L9, L10: a robber that can stay, sail, or spare players; also together with interrupts (L8)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.actions import BankTrade, Discard, EndTurn, LeaveRobber, MoveRobber, PlayKnight, Resign, Roll, TakeCard
from engine.board import Harbor
from engine.config import Config
from engine.events import NothingTaken, RobberMoved
from engine.game import Game
from engine.geometry import bits
from engine.pieces import update_rates
from engine.steps.robber import RobberStep
from engine.steps.turn import Main
from tests.engine.builder import BOARD, Seeded, Table, cards, edge, hex_, seat, table

FREE = "1.1 1.2 1.3 2.1 2.2 2.3 2.4 3.1 3.2 3.4 3.5 4.1 4.2 4.3 4.4 5.1 5.2 5.3"
"""All land but the desert, where the robber stands."""
HARBORS = "s.1 s.3 s.6 s.7 s.10 s.11 s.14 s.15 s.17"


def seven(t: Table, roller: int = 0) -> Table:
    """Let a seat roll a seven."""
    t.rolls((3, 4))
    t.play(roller, Roll())
    return t


def hexes(t: Table, seat: int) -> set[str]:
    """Where the seat can move the robber."""
    return set(t.places(seat, MoveRobber).split())


# --- L5


def test_L5_a_player_who_rolls_a_seven_can_leave_the_robber_and_takes_nothing() -> None:
    t = seven(table(seat(), seat(settlements="C5", hand="bb"), step="pre_roll", variants=("optional-robber",)))
    events = t.play(0, LeaveRobber())
    assert events == (RobberMoved(0, hex_("3.3"), hex_("3.3")), NothingTaken(0))
    assert (t.state.robber, t.hand(0), t.hand(1)) == (hex_("3.3"), "", "bb")
    assert t.game.view().step.kind == "main"


def test_L5_a_player_who_rolls_a_seven_can_still_move_the_robber() -> None:
    t = seven(table(seat(), seat(settlements="B4", hand="b"), step="pre_roll", variants=("optional-robber",)))
    assert hexes(t, 0) == set(FREE.split())
    t.play(0, MoveRobber(hex_("1.1")))
    assert t.hand(0) == "b"


def test_L5_the_robber_can_be_left_only_after_the_discards() -> None:
    t = seven(table(seat(), seat(hand="bbbbllll"), step="pre_roll", variants=("optional-robber",)))
    assert t.code(0, LeaveRobber()) == "wrong-phase"
    t.play(1, Discard(cards("bbbb")))
    t.play(0, LeaveRobber())


def test_L5_a_knight_must_move_the_robber() -> None:
    t = table(seat(cards="k"), seat(), variants=("optional-robber",))
    t.play(0, PlayKnight())
    assert LeaveRobber not in t.game.options(0)
    assert t.code(0, LeaveRobber()) == "must-move"


def test_L5_without_the_rule_the_robber_cannot_be_left() -> None:
    t = seven(table(seat(), seat(), step="pre_roll"))
    assert t.code(0, LeaveRobber()) == "wrong-phase"


def test_L5_and_L8_there_is_no_window_when_the_robber_is_left() -> None:
    variants = ("optional-robber", "knight-interrupt")
    t = seven(table(seat(), seat(cards="k"), seat(cards="k"), step="pre_roll", variants=variants))
    t.play(0, LeaveRobber())
    assert t.game.view().step.kind == "main"


def test_L5_and_L8_a_player_who_answers_a_seven_with_a_knight_must_move_the_robber() -> None:
    variants = ("optional-robber", "knight-interrupt")
    t = seven(table(seat(), seat(cards="k"), step="pre_roll", variants=variants))
    t.play(0, MoveRobber(hex_("1.1")))
    t.play(1, PlayKnight())
    assert t.code(1, LeaveRobber()) == "must-move"


def test_L5_and_L10_the_robber_may_stay_at_a_hex_that_it_could_not_go_to() -> None:
    variants = ("optional-robber", "friendly-robber")
    t = seven(table(seat(), seat(settlements="C5"), robber="2.2", step="pre_roll", variants=variants))
    assert "3.3" not in hexes(t, 0)  # it touches `C5`, of a player with one point
    t.play(0, LeaveRobber())
    assert t.state.robber == hex_("2.2")


# --- L9


def test_L9_the_robber_may_go_to_any_harbor_hex_and_to_no_other_sea() -> None:
    t = seven(table(seat(), seat(), step="pre_roll", variants=("pirate",)))
    assert hexes(t, 0) == {*FREE.split(), *HARBORS.split()}
    assert str(t.refused(0, MoveRobber(hex_("s.2")))) == "s.2 is sea: the robber goes to land or to a harbor."


def test_L9_the_harbor_with_the_robber_gives_no_rate_to_any_player() -> None:
    t = table(
        seat(settlements="A4", hand="gg"),
        seat(settlements="A1", hand="bbb"),
        seat(cities="A5"),
        variants=("pirate",),
        step="pre_roll",
    )

    def rates() -> list[int]:
        return [player.rates[3] for player in t.game.view(None).players]

    assert rates() == [2, 3, 2]
    seven(t)
    t.play(0, MoveRobber(hex_("s.3")))
    assert rates() == [4, 3, 4]  # the harbor of others stays open
    assert t.code(0, BankTrade(cards("gg"), cards("o"))) == "wrong-rate"
    t.play(0, EndTurn())
    seven(t, 1)
    t.play(1, MoveRobber(hex_("s.1")))
    assert rates() == [2, 4, 2]
    assert t.code(1, BankTrade(cards("bbb"), cards("o"))) == "wrong-rate"


def test_L9_another_harbor_at_the_same_intersection_still_gives_its_rate() -> None:
    """Two harbors can share an intersection (K3). Here a second one, for ore, opens onto the edge from `A4` to `A5`
    from below."""
    t = table(seat(settlements="A4", hand="gg"), seat(), variants=("pirate",), step="pre_roll")
    second = Harbor(hex_("1.2"), 0, 4)
    assert BOARD.grid.hex_edges[hex_("1.2")][0] == edge("a4")
    t.state.board = replace(BOARD, harbors=(*BOARD.harbors, second))
    update_rates(t.state, 0)
    assert t.state.rates[0] == [4, 4, 4, 2, 2]
    seven(t)
    t.play(0, MoveRobber(hex_("s.3")))
    assert t.state.rates[0] == [4, 4, 4, 4, 2]


def test_L9_at_a_harbor_hex_a_card_is_taken_from_a_building_as_usual() -> None:
    """`A6` touches the harbor hex s.3, but not its harbor."""
    t = table(
        seat(),
        seat(settlements="A4", hand="b"),
        seat(settlements="A6", hand="w"),
        variants=("pirate",),
        step="pre_roll",
    )
    seven(t)
    t.play(0, MoveRobber(hex_("s.3")))
    assert t.step.victims == 0b110
    t.play(0, TakeCard(2))
    assert t.hand(0) == "w"


def test_L9_land_hexes_produce_as_usual_while_the_robber_is_at_sea() -> None:
    t = table(seat(settlements="B4"), seat(), variants=("pirate",), robber="s.3", step="pre_roll", dice=[(5, 5)])
    t.play(0, Roll())
    assert t.hand(0) == "o"


def test_L9_the_robber_can_also_go_to_a_harbor_without_use() -> None:
    config = Config(("red", "blue"), scenario="islands", variants=("pirate",))
    games = (Game.new(config, Seeded(number)) for number in range(100))
    game, idle = next((g, h.hex) for g in games for h in g.board.harbors if h.side is None)
    state = game.state
    state.on_turn = 0
    state.agenda = []
    state.push(Main(0))
    state.push(RobberStep(0))
    game.play(0, MoveRobber(idle))
    assert state.robber == idle


def test_L9_and_L8_a_knight_moves_the_robber_on_and_reopens_the_harbor() -> None:
    t = table(
        seat(), seat(settlements="A4", cards="k"), seat(), variants=("pirate", "knight-interrupt"), step="pre_roll"
    )
    seven(t)
    t.play(0, MoveRobber(hex_("s.3")))
    assert t.state.rates[1][3] == 4
    t.play(1, PlayKnight())
    assert t.code(1, MoveRobber(hex_("s.3"))) == "same-hex"
    t.play(1, MoveRobber(hex_("s.6")))
    assert t.state.rates[1][3] == 2


# --- L10


def test_L10_the_robber_spares_hexes_of_players_with_fewer_than_three_public_points() -> None:
    t = table(
        seat(settlements="F5", cards="vvv"),  # hidden points don't count
        seat(settlements="B4"),
        seat(settlements="E3", cities="D1"),
        step="pre_roll",
        variants=("friendly-robber",),
    )
    seven(t)
    spared = {"5.2", "5.3", "1.1", "1.2", "2.2"}  # one's own hexes too
    assert hexes(t, 0) == set(FREE.split()) - spared
    assert set(bits(t.step.hexes)) == {hex_(h) for h in set(FREE.split()) - spared}
    assert t.code(0, MoveRobber(hex_("1.1"))) == "alternate-rule"
    t.play(0, MoveRobber(hex_("4.1")))  # three points: fair game


def test_L10_the_rule_also_applies_to_knights() -> None:
    t = table(seat(cards="k"), seat(settlements="B4"), variants=("friendly-robber",))
    t.play(0, PlayKnight())
    assert not hexes(t, 0) & {"1.1", "1.2", "2.2"}


def spread(**config: Any) -> Table:
    """Three players with two points each, whose settlements touch every hex but the desert."""
    pairs = (seat(settlements="E3 D9"), seat(settlements="B4 C3"), seat(settlements="B7 E6"))
    return table(*pairs, step="pre_roll", **config)


def test_L10_the_rule_is_dropped_when_no_other_hex_is_possible() -> None:
    assert hexes(seven(spread(variants=("friendly-robber",))), 0) == set(FREE.split())


def test_L10_the_robber_must_go_to_the_only_hex_that_harms_no_player() -> None:
    assert hexes(seven(spread(variants=("friendly-robber",), robber="1.1")), 0) == {"3.3"}


def test_L10_and_L9_harbor_hexes_count_as_possible() -> None:
    t = seven(spread(variants=("friendly-robber", "pirate")))
    assert hexes(t, 0) == set(HARBORS.split())
    assert t.code(0, MoveRobber(hex_("1.1"))) == "alternate-rule"


def test_L10_and_L9_harbor_hexes_are_spared_too() -> None:
    t = seven(table(seat(settlements="A4"), seat(), step="pre_roll", variants=("friendly-robber", "pirate")))
    assert hexes(t, 0) == {*FREE.split(), *HARBORS.split()} - {"1.2", "s.3"}


def test_L10_the_rule_also_applies_when_the_robber_is_moved_for_a_player_who_left() -> None:
    """I7 settles an open decision by the plainest legal choice."""
    t = seven(
        table(
            seat(settlements="F1"),
            seat(settlements="E3", cities="D9"),
            seat(settlements="C3", cities="B4"),
            seat(settlements="E6 B7"),
            step="pre_roll",
            variants=("friendly-robber",),
        )
    )
    allowed = hexes(t, 0)
    t.play(0, Resign())
    assert BOARD.grid.hex_names[t.state.robber] in allowed
