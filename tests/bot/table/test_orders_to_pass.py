"""Orders: a pass in the special building phase for a player who can get nothing that they want to be asked for (J2)."""

from __future__ import annotations

import pytest

from bot.table.acts.orders import GiveOrders, automatic_action, builds
from bot.table.preferences import BUILDS, UserSettings
from engine.actions import AskToBuild, BuildCity, BuildRoad, EndTurn, PassOn, Roll
from tests.bot.table.desk import ANN, BOB, CEM, EVE, Desk
from tests.bot.table.windows import five
from tests.engine.builder import edge, node, seat
from tests.engine.builder import table as position

ALL = tuple(BUILDS)
CITY = ("city",)


def called(hand: str = "", building: tuple[str, ...] = ALL, *, asks: bool = False, before_roll: bool = False) -> Desk:
    """A game in which Bob is called to build, as he holds cards, or `asks`, perhaps `before_roll`. In all his games, he
    wants to be asked only for what `building` names."""
    bob = seat(settlements="B4", roads="c4", hand=hand)
    desk = Desk.at(position(seat(), bob, *[seat()] * 3, scenario="extension", on_turn=4 if before_roll else 0))
    desk.choose(BOB, building=building)
    if before_roll:
        desk.play(EVE, EndTurn())
    desk.played.state.standing[1] = 1
    if asks:
        desk.play(BOB, AskToBuild())
    if before_roll:
        desk.play(ANN, Roll())
    desk.play(ANN, EndTurn())
    assert (desk.played.view(None).step.kind, desk.awaited) == ("special_building", BOB)
    return desk


@pytest.mark.parametrize(
    ("hand", "building", "passes"),
    [
        ("b", ALL, True),
        ("bl", ALL, False),  # a road
        ("bl", CITY, True),
        ("gggooo", CITY, False),
        ("gggooo", ("road", "settlement"), True),
        ("wgo", ("development card",), False),
        ("b", (), False),  # Bob decides himself
    ],
)
def test_an_autopilot_passes_for_a_player_who_can_get_nothing_they_want(
    hand: str, building: tuple[str, ...], passes: bool
) -> None:
    desk = called(hand, building=building)
    assert desk.carry_out(BOB) == ([PassOn()] if passes else [])
    assert [deed.order for deed in desk.table.orders_of(BOB).done] == ["pass"] * passes


@pytest.mark.parametrize(("hand", "passes"), [("bl", False), ("b", True)])
def test_an_autopilot_passes_for_a_player_who_asked_only_if_there_is_nothing_to_get(hand: str, passes: bool) -> None:
    desk = called(hand, CITY, asks=True)
    assert desk.carry_out(BOB) == ([PassOn()] if passes else [])


@pytest.mark.parametrize("hand", ["bl", "b"])
def test_a_request_before_the_roll_counts_as_well(hand: str) -> None:
    desk = called(hand, CITY, asks=True, before_roll=True)
    assert desk.carry_out(BOB) == ([] if hand == "bl" else [PassOn()])


def test_what_a_player_built_in_their_own_turn_keeps_no_later_pass_back() -> None:
    bob = seat(settlements="B4", roads="c4", hand="bbll")
    desk = Desk.at(position(seat(), bob, *[seat()] * 3, scenario="extension", on_turn=1))
    desk.choose(BOB, building=CITY)
    desk.played.state.standing[1] = 1
    for user, *actions in ((BOB, BuildRoad(edge("c5")), EndTurn()), (CEM, Roll(), EndTurn())):
        for action in actions:
            desk.play(user, action)
    assert desk.carry_out(BOB) == [PassOn()]


def test_an_autopilot_does_not_pass_for_a_player_who_has_just_built() -> None:
    """They can still undo that."""
    desk = called("gggooo", CITY)
    desk.play(BOB, BuildCity(node("B4")))
    assert desk.carry_out(BOB) == []


def test_a_request_in_an_earlier_turn_counts_no_longer() -> None:
    desk = called("bl", CITY, asks=True)
    desk.play(BOB, PassOn())
    for user in (BOB, CEM):
        desk.play(user, Roll())
        desk.play(user, EndTurn())
    assert desk.carry_out(BOB) == [PassOn()]


@pytest.mark.parametrize("building", [(), ("road",)])
def test_an_autopilot_for_one_game_overrides_the_players_settings(building: tuple[str, ...]) -> None:
    """Whatever Bob is asked for in his other games, in this one he passes unless he can get a city."""
    desk = called("bl", building=building)
    desk.order(BOB, building=CITY)
    assert builds(desk.table, desk.people, BOB) == CITY
    assert desk.carry_out(BOB) == [PassOn()]


def test_a_player_who_sets_an_autopilot_to_pass_is_called_to_build_in_that_game() -> None:
    """They needn't ask, since the order says what they want to be called for, until they drop it. Others must ask."""
    desk = five(always=())
    for building, number in ((CITY, 4), (("city", "road"), 4), ((), 0), (CITY, 4)):
        assert desk.order(CEM, building=building).due == ()
        assert desk.played.state.standing == [0, 0, number, 0, 0]
    desk.settings[CEM] = UserSettings(CEM, standing=0)
    desk.order(CEM, roll=True)
    assert desk.played.state.standing == [0, 0, 4, 0, 0], "the order is about this game"


def test_an_autopilot_cant_pass_in_a_game_without_special_building() -> None:
    desk = Desk.at(position(players=3))
    assert desk.refused(ANN, GiveOrders({"building": CITY})) == "orders/no special building"
    desk.order(ANN, building=())
    desk.choose(ANN, building=ALL)
    assert automatic_action(desk.table, desk.played, desk.people, 0) is None
