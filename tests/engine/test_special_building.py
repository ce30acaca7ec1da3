"""J1 to J3: building between turns with five and more players, and who is called to build."""

from __future__ import annotations

import pickle

import pytest

from engine.actions import (
    Action,
    AgreeToEnd,
    AskToBuild,
    BankTrade,
    BuildCity,
    BuildRoad,
    BuildSettlement,
    BuyCard,
    Discard,
    EndTurn,
    MakeOffer,
    PassOn,
    PlayKnight,
    Resign,
    Roll,
    SetStanding,
    Undo,
)
from engine.config import COLORS, EDITIONS, Config
from engine.events import BuildersCalled, CardBought, Passed, TurnBegan
from engine.game import Game
from engine.resources import KNIGHT
from engine.scenarios import SCENARIOS
from tests.engine.builder import Seeded, Table, cards, edge, events_of, node, seat, table
from tests.engine.tables import five

RICH = "bbbllllwwwgggggooooo"


def asked(t: Table, *seats: int) -> Table:
    """Let these seats ask to build, and end the turn."""
    for s in seats:
        t.play(s, AskToBuild())
    t.play(t.state.on_turn, EndTurn())
    return t


BUILDER = seat(settlements="B4", roads="c4 c5", hand=RICH, cards="kv")


@pytest.mark.parametrize("edition", EDITIONS)
def test_J1_only_the_extension_scenario_has_the_phase_in_either_edition(edition: str) -> None:
    for scenario in SCENARIOS.values():
        players = scenario.players[-1]
        colors = scenario.colors_for(players)[:players]
        game = Game.new(Config(tuple(colors), scenario.id, edition), Seeded(1))
        assert game.rules.data.special_building == (scenario.id == "extension")


def test_J1_called_players_build_clockwise_from_the_left_of_the_player_who_ended_the_turn() -> None:
    t = five(on_turn=3)
    t.play(1, AskToBuild())
    t.play(4, AskToBuild())
    t.play(0, AskToBuild())
    events = t.play(3, EndTurn())
    assert events_of(events, BuildersCalled) == [BuildersCalled((4, 0, 1))]
    for s in (4, 0, 1):
        assert t.game.view().step.kind == "special_building"
        assert t.game.to_act == (s,)
        assert t.code(2, PassOn()) == "wrong-turn"
        events = t.play(s, PassOn())
        assert events[0] == Passed(s)
    assert (t.state.on_turn, t.game.view().step.kind) == (4, "pre_roll")
    assert events_of(events, TurnBegan)


def test_J1_a_called_player_builds_and_buys_as_much_as_the_hand_pays_for() -> None:
    t = asked(five(seat(), BUILDER), 1)
    built: tuple[Action, ...] = (
        BuildRoad(edge("b3")),
        BuildSettlement(node("A5")),
        BuildCity(node("A5")),
        BuyCard(),
        BuyCard(),
    )
    for action in built:
        t.play(1, action)
    assert t.game.view().players[1].cities == 1 << node("A5")
    assert t.hand(1) == "bll"
    t.play(1, PassOn())


def test_J1_a_called_player_can_only_build_or_buy() -> None:
    t = asked(five(seat(hand=RICH), BUILDER), 1)
    assert set(t.game.options(1)) == {BuildRoad, BuildSettlement, BuildCity, BuyCard, PassOn}
    for action in (
        Roll(),
        EndTurn(),
        PlayKnight(),
        BankTrade(cards("llll"), cards("b")),
        MakeOffer(cards("b"), cards("w")),
    ):
        assert t.code(1, action) == "wrong-phase"
        assert t.code(0, action) == "wrong-turn"


def test_J1_a_called_player_pays_and_follows_the_building_rules() -> None:
    t = asked(five(seat(settlements="C6", hand="b"), seat(settlements="B4", roads="c4", hand="blb")), 1)
    assert t.code(1, BuildSettlement(node("B6"))) == "not-connected"
    assert t.code(1, BuyCard()) == "unaffordable"
    t.play(1, BuildRoad(edge("c5")))
    assert t.code(1, BuildRoad(edge("c6"))) == "unaffordable"
    assert t.code(0, BuildRoad(edge("d3"))) == "wrong-turn"


def test_J1_a_piece_can_be_undone_within_the_phase() -> None:
    t = asked(five(seat(), BUILDER), 1)
    t.play(1, BuildRoad(edge("b3")))
    t.play(1, Undo())
    assert t.hand(1) == RICH
    assert t.game.view().step.kind == "special_building"
    t.play(1, PassOn())
    assert not t.game.can_undo(1)


def test_J1_a_player_who_reaches_the_target_in_the_phase_wins_at_the_start_of_their_own_turn() -> None:
    t = five(seat(), seat(), seat(settlements="B4 E3", cities="D9", hand="gggooo"), target=5)
    asked(t, 2)
    t.play(2, BuildCity(node("B4")))
    assert (t.state.all_points(2), t.game.outcome) == (5, None)
    t.play(2, PassOn())
    for action in (Roll(), EndTurn()):
        t.rolls((1, 1))
        t.play(1, action)
    assert t.game.outcome is not None
    assert (t.game.outcome.reason, t.game.outcome.winners) == ("target", (2,))
    assert t.state.dice is None  # before any roll
    assert t.game.last_events[-2] == TurnBegan(2, 3)


def test_J1_points_gained_in_the_phase_can_be_lost_before_the_players_own_turn() -> None:
    t = five(
        seat(settlements="F1", roads="k1 k2 k3 k4", hand="bbll"),
        seat(),
        seat(settlements="B4 B7", roads="b2 c4 c5 c6", hand="bl"),
        target=4,
        dice=[(1, 1)],
    )
    asked(t, 2)
    t.play(2, BuildRoad(edge("c7")))
    assert (t.state.longest, t.state.all_points(2), t.game.outcome) == (2, 4, None)
    t.play(2, PassOn())
    t.play(1, Roll())
    asked(t, 0)
    t.play(0, BuildRoad(edge("k5")))
    t.play(0, BuildRoad(edge("k6")))
    t.play(0, PassOn())
    assert (t.state.longest, t.state.on_turn, t.game.outcome) == (0, 2, None)


def test_J1_a_card_bought_in_the_phase_can_be_played_in_the_buyers_next_turn() -> None:
    """H2: also when that turn is the very next one."""
    t = five(seat(), seat(settlements="B4", hand="wgo"))
    asked(t, 1)
    t.draws_card("k")
    (bought,) = events_of(t.play(1, BuyCard()), CardBought)
    assert bought.redact(0).card is None
    assert t.code(1, PlayKnight()) == "wrong-phase"
    assert t.game.view(1).players[1].fresh_cards == (1, 0, 0, 0, 0)
    t.play(1, PassOn())
    t.play(1, PlayKnight())


def test_J1_and_L8_a_knight_bought_in_the_phase_can_answer_the_robber_in_the_next_turn() -> None:
    t = five(seat(), seat(), seat(settlements="B4", hand="wgo"), variants=("knight-interrupt",))
    asked(t, 2)
    t.draws_card("k")
    t.play(2, BuyCard())
    t.play(2, PassOn())
    t.rolls((3, 4))
    t.play(1, Roll())
    t.play(1, t.game.options(1).sample(First()))
    assert t.can(2, PlayKnight())
    assert t.state.fresh[2][KNIGHT] == 0


class First:
    """Chooses the first option each time."""

    def random(self) -> float:
        return 0.0


# --- J2


def sights(t: Table, but: int) -> bytes:
    """All that viewers other than the seat `but` can see."""
    viewers = [None, *(s for s in range(5) if s != but)]
    return pickle.dumps(
        [
            (t.game.view(s), s is not None and (t.game.decision(s), t.game.can_undo(s), dict(t.game.options(s))))
            for s in viewers
        ]
    )


def test_J2_asking_is_hidden_until_the_turn_ends() -> None:
    t = five(seat(hand="bbbbllll", settlements="F1", roads="k1"), BUILDER)
    t.play(0, BuildRoad(edge("k2")))  # an action that can be undone
    before = sights(t, 1)
    assert t.play(1, AskToBuild()) == ()
    assert sights(t, 1) == before
    assert t.game.view(1).asked_to_build
    assert t.code(1, AskToBuild()) == "asked"
    t.play(1, AskToBuild(False))
    assert sights(t, 1) == before
    assert t.code(1, AskToBuild(False)) == "asked"
    t.play(1, AskToBuild())
    t.play(0, Undo())
    assert t.game.view(1).asked_to_build  # another player's undo doesn't change it
    assert events_of(t.play(0, EndTurn()), BuildersCalled) == [BuildersCalled((1,))]
    assert not t.game.view(1).asked_to_build


def test_J2_players_can_ask_before_the_roll_and_while_others_discard() -> None:
    t = five(seat(hand="bbbbbbbb"), seat(), step="pre_roll", dice=[(3, 4)])
    t.play(1, AskToBuild())
    t.play(0, Roll())
    t.play(2, AskToBuild())
    t.play(0, Discard(cards("bbbb")))
    t.play(0, t.game.options(0).sample(First()))
    assert events_of(t.play(0, EndTurn()), BuildersCalled) == [BuildersCalled((1, 2))]


def test_J2_players_cannot_ask_in_their_own_turn_or_in_the_phase_or_in_a_game_without_it() -> None:
    t = five()
    assert t.code(0, AskToBuild()) == "own-turn"
    asked(t, 1)
    assert t.code(2, AskToBuild()) == "wrong-phase"
    assert table(seat(), seat()).code(1, AskToBuild()) == "no-such-phase"
    assert table(seat(), seat()).code(1, SetStanding(3)) == "no-such-phase"
    mayfair = five(scenario="mayfair-expansion")
    assert mayfair.code(1, AskToBuild()) == "no-such-phase"


def test_J2_a_request_holds_for_one_turn() -> None:
    t = asked(five(), 1)
    t.play(1, PassOn())
    t.play(1, Roll())
    assert t.play(1, EndTurn())[-1] == TurnBegan(2, 3)


def test_J2_there_is_no_phase_when_no_player_is_called() -> None:
    t = five(seat(), seat(hand="bbb"), standing=4)
    events = t.play(0, EndTurn())
    assert not events_of(events, BuildersCalled)
    assert t.game.view().step.kind == "pre_roll"


def test_J2_a_player_with_as_many_cards_as_their_standing_number_is_called() -> None:
    new = Game.new(Config(COLORS[:5], "extension"), Seeded(1))
    assert new.state.standing == [4] * 5  # unless a player says otherwise
    t = five(seat(hand="bbbbbb"), seat(hand="bbbb"), seat(hand="bbb"), seat(hand="bb"), seat(), standing=4)
    before = sights(t, 3)
    assert t.play(3, SetStanding(2)) == ()
    assert sights(t, 3) == before
    assert events_of(t.play(0, EndTurn()), BuildersCalled) == [BuildersCalled((1, 3))]


def test_J2_with_a_standing_number_of_0_a_player_is_called_only_on_request() -> None:
    t = five(seat(), seat(hand=RICH), standing=4)
    t.play(1, SetStanding(0))
    assert not events_of(t.play(0, EndTurn()), BuildersCalled)
    assert t.code(1, SetStanding(100)) == "wrong-count"
    assert t.code(1, SetStanding(-1)) == "wrong-count"


def test_J2_the_player_who_ended_the_turn_is_never_called_and_keeps_the_standing_number() -> None:
    t = five(seat(hand=RICH), standing=4)
    assert not events_of(t.play(0, EndTurn()), BuildersCalled)
    assert t.state.standing == [4] * 5


def test_J2_being_called_does_not_depend_on_hidden_cards() -> None:
    """Hands of the same size and different cards give the same call."""
    calls = []
    for hand in ("bbbb", "wgoo", "blwg"):
        t = five(seat(), seat(hand=hand), seat(cards="kkk"), standing=4)
        calls.append(events_of(t.play(0, EndTurn()), BuildersCalled))
    assert calls == [[BuildersCalled((1,))]] * 3


def test_J2_and_I7_a_player_who_resigned_is_neither_called_nor_waited_for() -> None:
    t = five(seat(), seat(hand="bbbb"), seat(), standing=4)
    t.play(2, AskToBuild())
    t.play(1, Resign())
    assert events_of(t.play(0, EndTurn()), BuildersCalled) == [BuildersCalled((2,))]
    t.play(2, PassOn())
    assert t.state.on_turn == 2  # the turn of seat 1 is skipped


def test_J2_and_I7_the_phase_goes_on_when_a_called_player_resigns() -> None:
    t = asked(five(), 1, 2, 3)
    t.play(1, Resign())
    assert t.game.to_act == (2,)
    t.play(3, Resign())
    assert t.game.to_act == (2,)
    t.play(2, PassOn())
    assert (t.state.on_turn, t.game.view().step.kind) == (2, "pre_roll")


def test_J2_and_I7_when_the_current_player_resigns_called_players_still_build() -> None:
    t = five(seat(hand=RICH), standing=4)
    t.play(2, AskToBuild())
    t.play(0, Resign())
    assert t.game.to_act == (2,)
    t.play(2, PassOn())
    assert t.state.on_turn == 1


def test_J2_and_I6_players_can_agree_to_end_the_game_in_the_phase() -> None:
    t = asked(five(seat(), seat(settlements="B4")), 1)
    t.state.round = 2
    for s in range(5):
        t.play(s, AgreeToEnd())
    assert t.game.outcome is not None
    assert t.game.outcome.winners == (1,)


def test_J2_a_game_with_hidden_requests_replays() -> None:
    config = Config(COLORS[:5], "extension")
    game = Game.new(config, Seeded(3))
    while game.view().step.kind != "pre_roll":
        game.play(game.to_act[0], game.options(game.to_act[0]).sample(First()))
    first = game.to_act[0]
    others = [s for s in range(5) if s != first]
    game.play(others[0], AskToBuild())
    game.play(others[1], SetStanding(1))
    again = Game.replay(config, game.records)
    assert again.hash() == game.hash()
    assert again.view(others[0]) == game.view(others[0])


def test_J3_the_mayfair_expansion_has_no_phase_and_a_discard_limit_of_ten() -> None:
    hands = [seat(hand="b" * 10), seat(hand="l" * 11), seat(), seat(), seat()]
    t = table(*hands, scenario="mayfair-expansion", step="pre_roll", dice=[(3, 4)])
    t.play(0, Roll())
    assert t.step.owed == (0, 5, 0, 0, 0)
    t.play(1, Discard(cards("lllll")))
    t.play(0, t.game.options(0).sample(First()))
    events = t.play(0, EndTurn())
    assert events[-1] == TurnBegan(1, 2)
