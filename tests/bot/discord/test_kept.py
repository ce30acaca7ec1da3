"""A private draft stays until it is sent, whatever else the person looks at meanwhile."""

from __future__ import annotations

from typing import Any

import pytest

from engine.actions import EndTurn, MakeOffer
from engine.game import Game
from tests.bot.discord.conftest import Opened
from tests.bot.discord.hall import Hall, find_select, labels, reply, text


def can_offer(game: Game) -> bool:
    seat = game.to_act[0]
    return game.view(None).step.kind == "main" and MakeOffer in game.options(seat) and any(game.state.hands[seat])


async def offering(hall: Hall) -> tuple[Any, str, str]:
    """Start a game. Returns a player who can make an offer, and the values to choose for both sides."""
    await hall.begin()
    game = await hall.advance(can_offer)
    seat = game.to_act[0]
    give = next(kind for kind, n in enumerate(game.state.hands[seat]) if n)
    return await hall.person(seat), f"{give}.1", f"{(give + 1) % 5}.1"


async def chosen(person: Any, message: Any, give: str, want: str) -> Any:
    """Choose both sides of a draft. Returns its message."""
    for side, value in (("give", give), ("want", want)):
        result = await person.select(message, [value], custom_id=find_select(message, "draft", side))
        message = reply(result)
    return message


def private(hall: Hall, person: Any, words: str) -> list[Any]:
    """The private messages with these words that a person sees."""
    return [m for m in hall.channel.history(viewer=person) if m.flags.ephemeral and words in text(m)]


@pytest.mark.parametrize("way", ["panel", "hand"])
@pytest.mark.parametrize("look", ["My hand", "More"])
async def test_a_draft_offer_survives_a_look_at_the_hand_or_the_more_menu(
    open_hall: Opened, look: str, way: str
) -> None:
    async with open_hall(3) as hall:
        person, give, want = await offering(hall)
        start = await hall.panel()
        if way == "hand":
            start = reply(await person.click(start, label="My hand"))
        await chosen(person, reply(await person.click(start, label="Offer a trade")), give, want)
        for _ in range(2):
            await person.click(await hall.panel(), label=look)
        [draft] = private(hall, person, "Offer a trade")
        assert "Offer" in labels(draft)
        await person.click(draft, label="Offer")
        assert isinstance((await hall.game()).records[-1].action, MakeOffer)
        assert not private(hall, person, "Offer a trade"), "it is made"


async def test_a_new_draft_offer_replaces_the_one_before(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        person, give, want = await offering(hall)
        await chosen(person, reply(await person.click(await hall.panel(), label="Offer a trade")), give, want)
        again = reply(await person.click(await hall.panel(), label="Offer a trade"))
        await chosen(person, again, give, want)
        await person.click(await hall.panel(), label="My hand")
        assert len(private(hall, person, "Offer a trade")) == 1


async def test_a_draft_offer_disappears_when_the_turn_ends(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        person, give, want = await offering(hall)
        await chosen(person, reply(await person.click(await hall.panel(), label="Offer a trade")), give, want)
        await person.slash(hall.channel, "settings")
        ended = await person.click(await hall.panel(), label="End turn")
        for message in ended.followups:
            if "End turn" in labels(message):
                await person.click(message, label="End turn")
        assert isinstance((await hall.game()).records[-1].action, EndTurn)
        assert not private(hall, person, "Offer a trade")


async def test_an_empty_draft_offer_does_not_stay(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        person, _give, _want = await offering(hall)
        await person.click(await hall.panel(), label="Offer a trade")
        await person.click(await hall.panel(), label="My hand")
        assert not private(hall, person, "You give")
