"""How many taps it takes to play: one for a button, two for a list, one for each field typed into a form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.actions import (
    AcceptOffer,
    Action,
    BankTrade,
    BuildCity,
    BuildRoad,
    BuildSettlement,
    CloseOffer,
    Discard,
    EndTurn,
    MakeOffer,
    MoveRobber,
    PlayKnight,
    Roll,
    TakeCard,
)
from engine.autoplay import most_plentiful
from engine.domains import Cards
from engine.game import Game
from engine.resources import single
from tests.bot.discord.conftest import Opened
from tests.bot.discord.doing import by_components
from tests.bot.discord.hall import Hall
from tests.bot.discord.moments import at

BUTTON, LIST, FIELD = 1, 2, 1


class Fingers:
    """A person whose taps are counted."""

    def __init__(self, person: Any) -> None:
        self._person = person
        self.taps = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._person, name)

    async def click(self, *given: Any, **how: Any) -> Any:
        self.taps += BUTTON
        return await self._person.click(*given, **how)

    async def select(self, *given: Any, **how: Any) -> Any:
        self.taps += LIST
        return await self._person.select(*given, **how)

    async def submit_modal(self, form: Any, fields: dict[str, Any]) -> Any:
        self.taps += BUTTON + sum(LIST if isinstance(value, list) else FIELD for value in fields.values())
        return await self._person.submit_modal(form, fields)


async def taps(hall: Hall, *actions: Callable[[Game], tuple[int, Action]]) -> int:
    """How many taps it takes to do some actions one after the other, each by its seat."""
    total = 0
    for action in actions:
        game = await hall.game()
        seat, what = action(game)
        fingers = Fingers(await hall.person(seat))
        await by_components(hall, fingers, what)
        after = await hall.game()
        assert after.records[game.revision].action == what
        total += fingers.taps
    return total


def mine(action: type[Action]) -> Callable[[Game], tuple[int, Action]]:
    """The seat that must act first, with its first action of a type."""
    return lambda game: (game.to_act[0], next(iter(game.options(game.to_act[0])[action])))


def possible(action: type[Action]) -> Callable[[Game], bool]:
    """A condition: the player who must act first can do an action of this type."""
    return lambda game: action in game.options(game.to_act[0])


@pytest.mark.parametrize(
    ("action", "most"),
    [(Roll, 1), (EndTurn, 1), (BuildRoad, 3), (BuildSettlement, 3), (BuildCity, 3), (BankTrade, 3)],
    ids=["roll", "end", "road", "settlement", "city", "bank"],
)
async def test_a_common_action_takes_at_most_three_taps(action: type[Action], most: int, open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin(target=14)
        turns = possible(action)
        await hall.advance(lambda game: game.turn > 0 and turns(game))
        assert await taps(hall, mine(action)) <= most


async def test_a_one_for_one_offer_takes_six_taps_and_the_deal_two(open_hall: Opened) -> None:
    def willing(game: Game) -> tuple[int, int, int] | None:
        """Another seat, a resource that it can give, and one that the player on turn can give."""
        me = game.to_act[0]
        if game.view(None).step.kind != "main" or not any(game.state.hands[me]):
            return None
        give = next(kind for kind, n in enumerate(game.state.hands[me]) if n)
        for other in range(game.config.players):
            for kind, n in enumerate(game.state.hands[other]):
                if other != me and n and kind != give:
                    return other, kind, give
        return None

    async with open_hall() as hall:
        await hall.begin(target=14)
        game = await hall.advance(lambda game: willing(game) is not None)
        found = willing(game)
        assert found is not None
        other, want, give = found
        me = game.to_act[0]
        offer = game.state.next_offer
        made = await taps(hall, lambda game: (me, MakeOffer(single(give), single(want))))
        assert made == BUTTON + 2 * LIST + BUTTON
        closed = await taps(hall, lambda game: (other, AcceptOffer(offer)), lambda game: (me, CloseOffer(offer, other)))
        assert closed == 2


async def test_a_knight_takes_at_most_five_taps_and_the_theft_two(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin(target=14)
        await hall.advance(lambda game: game.view(None).step.kind == "main" and possible(PlayKnight)(game))
        assert await taps(hall, mine(PlayKnight), mine(MoveRobber)) <= 5
        if (await hall.game()).view(None).step.kind == "take_card":
            assert await taps(hall, mine(TakeCard)) <= 2


async def test_the_suggested_discard_takes_two_taps(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin(target=14)
        game = await hall.advance(at("discard"))
        seat = game.to_act[0]
        domain = game.options(seat)[Discard]
        assert isinstance(domain, Cards)
        assert await taps(hall, lambda game: (seat, Discard(most_plentiful(domain)))) == 2
