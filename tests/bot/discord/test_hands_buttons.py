"""*My hand* offers what the player can do now and says what is missing for the rest. Only that player sees it."""

from __future__ import annotations

from functools import partial

import pytest

from engine.actions import (
    Action,
    BankTrade,
    BuildCity,
    BuildRoad,
    BuildSettlement,
    BuyCard,
    EndTurn,
    MakeOffer,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    PlayYearOfPlenty,
)
from engine.game import Game
from tests.bot.discord.conftest import Opened
from tests.bot.discord.hall import Hall, labels, reply, text

BUTTONS: dict[str, tuple[type[Action], ...]] = {
    "Road": (BuildRoad,),
    "Settlement": (BuildSettlement,),
    "City": (BuildCity,),
    "Buy card": (BuyCard,),
    "Bank": (BankTrade,),
    "Offer a trade": (MakeOffer,),
    "Play card": (PlayKnight, PlayMonopoly, PlayRoadBuilding, PlayYearOfPlenty),
    "End turn": (EndTurn,),
}


def possible(game: Game, label: str) -> bool:
    """Whether the player on turn can do something that the button with this label is for."""
    seat, options = game.to_act[0], game.options(game.to_act[0])
    if game.turn < 4:
        return False
    able = any(action in options and len(options[action]) for action in BUTTONS[label])
    return able and (label != "Offer a trade" or any(game.state.hands[seat]))


@pytest.mark.parametrize("wanted", BUTTONS)
async def test_a_hands_buttons_match_what_the_player_can_do(open_hall: Opened, wanted: str) -> None:
    async with open_hall(3) as hall:
        await hall.begin(target=20)
        game = await hall.advance(partial(possible, label=wanted), seed=7)
        person = await hall.person(game.to_act[0])
        hand = reply(await person.click(await hall.panel(), label="My hand"))
        for label in BUTTONS:
            assert (label in labels(hand)) == possible(game, label), label
        await person.click(hand, label=wanted)
        assert not refused(hall), "what it offers can be done"


def refused(hall: Hall) -> float:
    """How many refusals the bot has counted."""
    [counter] = hall.bot.metrics.refusals.collect()
    return sum(sample.value for sample in counter.samples if sample.name.endswith("_total"))


def shut_in(game: Game) -> bool:
    """Whether the player on turn could pay for a settlement but has nowhere to place it."""
    seat = game.to_act[0]
    if game.view(None).step.kind != "main" or BuildSettlement in game.options(seat):
        return False
    rich = all(n >= c for n, c in zip(game.state.hands[seat], (1, 1, 1, 1, 0), strict=True))
    return rich and game.view(seat).players[seat].pieces_left[1] > 0


async def test_a_settlement_without_a_place_is_not_called_affordable(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        await hall.begin(target=20)
        game = await hall.advance(shut_in, seed=4)
        person = await hall.person(game.to_act[0])
        hand = reply(await person.click(await hall.panel(), label="My hand"))
        assert "a free corner at your roads" in text(hand)
        [can] = [line for line in text(hand).splitlines() if "afford" in line]
        assert "settlement" not in can
        assert "Settlement" not in labels(hand)
        assert "Build" in labels(await hall.panel()), "what all see tells nothing of a hand"
        message = reply(await person.slash(hall.channel, "help"))
        assert "a free corner at your roads" in text(message)
