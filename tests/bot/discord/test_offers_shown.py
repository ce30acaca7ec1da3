"""Offers in the game message, whatever else goes on: it can be drawn, and each button of an offer is of use to
someone."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from bot.discord.show.panel import panel_layout
from bot.screens.controls import Button, Do, Open
from bot.screens.trade import offer_buttons, panel_offers
from bot.screens.viewer import Viewer
from engine.actions import AcceptOffer, CloseOffer, MakeOffer, PlayRoadBuilding
from engine.domains import Offers
from engine.errors import IllegalAction
from engine.geometry import bits
from engine.terms import StepKind
from tests.bot.screens.played import move, new_game, table
from tests.engine import builder
from tests.engine.builder import cards, seat

ASKED = (1, 2, 3)


def positions(accepted: Sequence[int], later: bool) -> Iterator[Viewer]:
    """An offer that some have accepted, and the same while its maker places free roads; `later`: they accept then."""
    made = builder.table(seat(hand="bblwgo", cards="r", settlements="A1"), *(seat(hand="bblwgo"),) * 3)
    made.play(0, MakeOffer(cards("b"), cards("l")))
    for other in () if later else accepted:
        made.play(other, AcceptOffer(1))
    yield Viewer(table(made.game.config), made.game)
    made.play(0, PlayRoadBuilding())
    for other in accepted if later else ():
        made.play(other, AcceptOffer(1))
    assert made.game.view().step.kind is StepKind.ROAD_BUILDING
    yield Viewer(table(made.game.config), made.game)


def is_of_use(button: Button, public: Viewer) -> bool:
    """Whether anyone could do what a button is for."""
    options = [public.game.options(player) for player in range(len(ASKED) + 1)]
    match button.target:
        case Do(action=action):
            return any(found.allows(action) for found in options)
        case Open(verb="draft"):
            return any(isinstance(found.get(MakeOffer), Offers) for found in options)
        case Open(verb="close"):
            return any(found.allows(CloseOffer(1, other)) for found in options for other in ASKED)
    return False


@pytest.mark.parametrize("later", [False, True])
@pytest.mark.parametrize("accepted", [ASKED[:n] for n in range(4)])
def test_each_button_of_an_offer_is_of_use_while_free_roads_are_placed_too(
    accepted: Sequence[int], later: bool
) -> None:
    for public in positions(accepted, later):
        layout: Any = panel_layout(public)
        assert layout.to_components()
        [offer] = public.view.offers
        assert all(is_of_use(button, public) for button in offer_buttons(public, offer))


@pytest.mark.parametrize("scenario", ["base", "islands", "big-island"])
@pytest.mark.parametrize("edition", ["2007", "1996"])
def test_the_game_message_can_be_drawn_at_any_moment_of_a_game_full_of_offers(scenario: str, edition: str) -> None:
    game, rng = new_game(scenario, 6, edition), random.Random(scenario)
    for _ in range(1500):
        if game.outcome is not None:
            break
        move(game, rng)
        turn = game.view().on_turn
        for offer in game.view().offers:  # one accepts at once, so that there are such offers in all kinds of steps
            for other in bits(offer.to) if not offer.accepted else ():
                if game.options(other).allows(AcceptOffer(offer.id)):
                    with suppress(IllegalAction):  # the other one can no longer give it
                        game.play(other, AcceptOffer(offer.id))
                    break
        if turn is not None and game.view().offers and game.options(turn).allows(PlayRoadBuilding()):
            game.play(turn, PlayRoadBuilding())
        layout: Any = panel_layout(Viewer(table(game.config), game))
        assert layout.to_components()


def test_in_a_pause_the_game_message_has_no_buttons_of_offers() -> None:
    for public in positions(ASKED[:1], later=False):
        told = ["an offer"]
        assert panel_offers(public, told)[1]
        paused = Viewer(replace(public.table, paused=1.0), public.game)
        assert panel_offers(paused, told) == (told, [])
