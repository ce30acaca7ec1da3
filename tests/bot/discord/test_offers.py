"""Offers next to their buttons: in the panel, in a player's hand and in the list of all offers."""

from __future__ import annotations

from typing import Any

from engine.actions import MakeOffer
from engine.game import Game
from engine.resources import RESOURCES
from tests.bot.discord.conftest import Opened
from tests.bot.discord.hall import labels, parts, reply, text

SECTION = 9
MOST = 40
"""Most components in a message."""


def sections(message: Any) -> dict[str, str]:
    """The texts that have a button next to them, by the button's label."""
    return {part["accessory"]["label"]: part["components"][0]["content"] for part in parts(message, SECTION)}


def rich(game: Game) -> bool:
    """Whether the player on turn can make an offer, and all players hold at least two cards."""
    able = game.view(None).step.kind == "main" and MakeOffer in game.options(game.to_act[0])
    return able and all(player.hand_size > 1 for player in game.view(None).players)


async def test_offers_are_shown_next_to_the_buttons_that_answer_them(open_hall: Opened) -> None:
    async with open_hall(4) as hall:
        await hall.begin()
        game = await hall.advance(rich)
        seat = game.to_act[0]
        maker, other = await hall.person(seat), await hall.person((seat + 1) % 4)
        kind = next(k for k, n in enumerate(game.state.hands[seat]) if n)
        theirs = next(k for k, n in enumerate(game.state.hands[(seat + 1) % 4]) if n)
        kinds = [theirs, *(k for k in range(5) if k not in (kind, theirs))]

        async def offer(want: int) -> None:
            await maker.slash(hall.channel, "trade offer", give=f"1 {RESOURCES[kind]}", get=f"1 {RESOURCES[want]}")

        for want in kinds[:2]:
            await offer(want)
        await other.slash(hall.channel, "trade want", get=RESOURCES[kind])
        one, two = (found.id for found in (await hall.game()).view(None).offers)
        panel = await hall.panel()
        assert list(sections(panel)) == [f"Accept {one}", f"Accept {two}"]
        assert f"**Offer {one}**" in sections(panel)[f"Accept {one}"]
        assert {f"Decline {one}", f"Counter {one}", f"Cancel offer {one}"} <= set(labels(panel))
        assert len(list(parts(panel, *range(1, 25)))) <= MOST

        hand = reply(await other.click(panel, label="My hand"))
        assert next(iter(sections(hand))) == f"Accept {one}"
        assert all(f"**Offer {n}**" in "".join(sections(hand).values()) for n in (one, two))
        assert f"Cancel offer {one}" not in labels(hand)
        mine = reply(await maker.click(panel, label="My hand"))
        assert list(sections(mine)) == [f"Cancel offer {one}", f"Cancel offer {two}"]
        assert len(list(parts(mine, *range(1, 25)))) <= MOST

        await offer(kinds[2])
        panel = await hall.panel()
        assert not sections(panel)
        assert f"**Offer {two}**" in text(panel)
        menu = reply(await other.click(panel, label="Offers (3)"))
        assert text(menu).startswith("**Open offers**")
        assert len(sections(menu)) == 3
