"""What is decided for a player whose time is over: the plainest legal choice, for every kind of decision."""

from __future__ import annotations

from typing import Any

import pytest

from engine.actions import (
    Action,
    AskToBuild,
    DecideFor,
    DeclineFor,
    EndTurn,
    MakeOffer,
    MoveRobber,
    PlayRoadBuilding,
    Roll,
)
from engine.config import Config
from engine.events import (
    Built,
    CardTaken,
    DecidedFor,
    Discarded,
    OfferAnswered,
    Passed,
    RobberMoved,
    Rolled,
    TurnEnded,
)
from engine.game import Game
from engine.geometry import bits
from engine.record import REFEREE
from tests.engine.builder import BOARD, Table, cards, events_of, hex_, seat, table
from tests.engine.randomly import chance


def late(t: Table, seat: int) -> tuple[Any, ...]:
    """The time of a seat is over. Returns the events after the one that says so."""
    first, *events = t.play(REFEREE, DecideFor(seat))
    assert first == DecidedFor(seat)
    return tuple(events)


def two(**config: Any) -> Table:
    """Two players who can trade, and a third."""
    seats = (seat(settlements="B4", hand="bbl"), seat(settlements="D4", hand="ww"), seat(settlements="C8", hand="o"))
    return table(*seats, **config)


def test_the_dice_are_rolled_for_a_late_player() -> None:
    t = two(step="pre_roll")
    t.rolls((1, 1))
    assert events_of(late(t, 0), Rolled)


def test_a_late_players_turn_is_ended() -> None:
    assert events_of(late(two(), 0), TurnEnded) == [TurnEnded(0)]


@pytest.mark.parametrize("variants", [("separate-phases",), ("separate-phases", "keep-a-settlement")])
def test_a_late_players_turn_is_also_ended_with_separate_phases(variants: tuple[str, ...]) -> None:
    t = two(step="pre_roll", variants=variants)
    t.rolls((1, 1))
    t.play(0, Roll())
    while t.state.on_turn == 0:
        late(t, 0)


def test_a_late_player_discards_the_cards_that_they_have_most_of() -> None:
    t = table(
        seat(settlements="B4", hand="bbbbbbbl"), seat(settlements="D4", hand="wwwwwwwwo"), seat(), step="pre_roll"
    )
    t.rolls((3, 4))
    t.play(0, Roll())
    assert not events_of(late(t, 1), Discarded)
    assert t.game.to_act == (0,)
    assert events_of(late(t, 0), Discarded) == [Discarded(0, cards("bbbb")), Discarded(1, cards("wwww"))]


def test_a_late_players_robber_goes_where_it_harms_no_player() -> None:
    t = two(step="pre_roll")
    t.rolls((3, 4))
    t.play(0, Roll())
    [moved] = events_of(late(t, 0), RobberMoved)
    assert not t.state.board.hex_node_mask[moved.hex] & t.state.buildings
    assert t.game.view().step.kind == "main"


def test_a_victim_is_chosen_for_a_late_player() -> None:
    at = BOARD.hex_node_mask[hex_("4.1")]
    one, other = (BOARD.grid.node_names[n] for n in [*bits(at)][::3])
    t = table(seat(), seat(settlements=one, hand="w"), seat(settlements=other, hand="w"), step="pre_roll")
    t.rolls((3, 4))
    t.play(0, Roll())
    t.play(0, MoveRobber(hex_("4.1")))
    assert t.game.view().step.kind == "take_card"
    assert len(events_of(late(t, 0), CardTaken)) == 1
    assert t.game.view().step.kind == "main"


def test_free_roads_are_placed_for_a_late_player() -> None:
    t = table(seat(settlements="B4", roads="c4", cards="r"), seat(), seat())
    t.play(0, PlayRoadBuilding())
    assert len(events_of(late(t, 0), Built)) == 1
    assert len(events_of(late(t, 0), Built)) == 1
    assert t.game.view().step.kind == "main"


def test_a_late_player_who_is_called_to_build_passes() -> None:
    t = table(*[seat()] * 5, scenario="extension")
    t.state.standing = [0] * 5
    t.play(2, AskToBuild())
    t.play(0, EndTurn())
    assert events_of(late(t, 2), Passed) == [Passed(2)]


def test_in_setup_a_late_player_gets_the_best_free_place() -> None:
    game = Game.new(Config(("orange", "blue", "white")), chance(1))
    while not game.turn:
        [awaited] = game.to_act
        free = game.board.settle_mask & ~game.state.closed
        best = max(game.board.pips_at(n) for n in bits(free))
        before = game.state.settlements[awaited]
        game.play(REFEREE, DecideFor(awaited))
        for node in bits(game.state.settlements[awaited] & ~before):
            assert game.board.pips_at(node) == best


def test_the_settlement_that_yields_is_chosen_for_a_late_player() -> None:
    game = Game.new(Config(("orange", "blue", "white"), "beginner", "1996"), chance(1))
    seen = set[str]()
    while not game.turn:
        seen.add(game.view().step.kind)
        game.play(REFEREE, DecideFor(game.to_act[0]))
    assert "choose_yield" in seen


def test_an_unanswered_offer_is_declined_for_a_late_player_and_other_offers_stay() -> None:
    t = two()
    t.play(0, MakeOffer(cards("b"), cards("w"), (1, 2)))
    t.play(0, MakeOffer(cards("l"), cards("w"), (1,)))
    first, second = (offer.id for offer in t.state.offers)
    assert t.play(REFEREE, DeclineFor(1, first)) == (DecidedFor(1), OfferAnswered(1, first, False))
    assert [o.declined for o in t.state.offers] == [2, 0]
    for seat_, offer in ((1, first), (0, first), (2, second), (1, 99), (-1, second)):
        assert t.code(REFEREE, DeclineFor(seat_, offer)) == "not-due"


def test_an_offer_is_declined_for_a_late_player_while_free_roads_are_placed() -> None:
    """Otherwise a game in which no one answers would not go on."""
    others = seat(settlements="D4", hand="ww"), seat(settlements="C8", hand="o")
    t = table(seat(settlements="B4", roads="c4", hand="bbl", cards="r"), *others)
    t.play(0, MakeOffer(cards("b"), cards("w"), (1, 2)))
    t.play(0, PlayRoadBuilding())
    [offer] = t.state.offers
    assert t.play(REFEREE, DeclineFor(1, offer.id)) == (DecidedFor(1), OfferAnswered(1, offer.id, False))
    assert (offer.declined, t.game.view().step.kind) == (2, "road_building")


@pytest.mark.parametrize("action", [DecideFor(0), DeclineFor(0, 1)])
def test_only_the_referee_can_decide_for_a_late_player(action: Action) -> None:
    assert two().code(0, action) == "wrong-phase"


def test_nothing_is_decided_for_a_player_who_owes_no_decision() -> None:
    t = two()
    for s in (-1, 1, 2, 3, 9):
        assert t.code(REFEREE, DecideFor(s)) == "not-due"


def test_answers_to_the_robber_have_their_own_time_limit() -> None:
    t = table(
        seat(settlements="B4"),
        seat(settlements="D4", cards="k"),
        seat(),
        step="pre_roll",
        variants=("knight-interrupt",),
    )
    t.rolls((3, 4))
    t.play(0, Roll())
    t.play(0, MoveRobber(hex_("4.1")))
    assert t.game.view().step.kind == "interrupt"
    assert t.code(REFEREE, DecideFor(1)) == "not-due"


def test_a_decision_for_a_late_player_makes_old_buttons_stale_and_cannot_be_undone() -> None:
    t = two(step="pre_roll")
    t.rolls((1, 1))
    before = t.game.decision(0)
    late(t, 0)
    assert t.game.decision(0) != before
    assert not t.game.can_undo(0)


def test_a_game_without_active_players_ends_at_the_round_limit_and_replays() -> None:
    game = Game.new(Config(("red", "blue", "white"), round_limit=12), chance(7))
    while game.outcome is None:
        game.play(REFEREE, DecideFor(game.to_act[0]))
    assert Game.replay(game.config, game.records).hash() == game.hash()
