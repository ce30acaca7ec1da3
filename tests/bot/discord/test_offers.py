"""Offers above their buttons: in the panel, in a player's hand and in the list of all offers."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

from engine.actions import MakeOffer
from engine.game import Game
from engine.resources import RESOURCES
from tests.bot.discord.conftest import Opened
from tests.bot.discord.hall import find_select, labels, parts, reply, text

ROW, TEXT = 1, 10
MOST = 40
"""Most components in a message."""


def offered(message: Any) -> dict[str, list[str]]:
    """The buttons right below each text about an offer, by the text's first word after "Offer"."""
    found: dict[str, list[str]] = {}
    shown = list(parts(message, ROW, TEXT))
    for above, below in pairwise(shown):
        about = re.match(r"\*\*Offer (\d+)\*\*", above.get("content", ""))
        if about and below["type"] == ROW:
            found[about[1]] = [button["label"] for button in below["components"]]
    return found


def rich(game: Game) -> bool:
    """Whether the player on turn can make an offer, and all players hold at least two cards."""
    able = game.view(None).step.kind == "main" and MakeOffer in game.options(game.to_act[0])
    return able and all(player.hand_size > 1 for player in game.view(None).players)


async def test_all_buttons_of_an_offer_stand_right_below_it(open_hall: Opened) -> None:
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
        assert list(offered(panel)) == [str(one), str(two)]
        for n in (one, two):
            assert offered(panel)[str(n)] == [f"Accept {n}", f"Decline {n}", f"Counter {n}", f"Cancel offer {n}"]
        assert len(list(parts(panel, *range(1, 25)))) <= MOST

        hand = reply(await other.click(panel, label="My hand"))
        assert offered(hand)[str(one)][0] == f"Accept {one}"
        assert list(offered(hand)) == [str(one), str(two)]
        assert f"Cancel offer {one}" not in labels(hand)
        mine = reply(await maker.click(panel, label="My hand"))
        assert offered(mine) == {str(n): [f"Cancel offer {n}"] for n in (one, two)}
        assert len(list(parts(mine, *range(1, 25)))) <= MOST

        await offer(kinds[2])
        panel = await hall.panel()
        assert not offered(panel)
        assert f"**Offer {two}**" in text(panel)
        menu = reply(await other.click(panel, label="Offers (3)"))
        assert text(menu).startswith("**Open offers**")
        assert len(offered(menu)) == 3


async def test_a_counteroffer_begins_with_what_its_player_holds_and_is_there_once(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        await hall.begin()

        def fitting(game: Game) -> bool:
            return rich(game) and lacking(game) is not None

        def lacking(game: Game) -> tuple[int, int] | None:
            """Another seat, and a resource that neither it nor the player on turn holds."""
            me = game.to_act[0]
            hands = game.state.hands
            pairs = ((seat, kind) for seat in range(3) for kind in range(5) if seat != me)
            return next(((s, k) for s, k in pairs if not hands[s][k] and not hands[me][k]), None)

        game = await hall.advance(fitting)
        seat, found = game.to_act[0], lacking(game)
        assert found is not None
        other, want = await hall.person(found[0]), found[1]
        give = next(kind for kind, n in enumerate(game.state.hands[seat]) if n)
        maker = await hall.person(seat)
        await maker.slash(hall.channel, "trade offer", give=f"1 {RESOURCES[give]}", get=f"1 {RESOURCES[want]}")
        [offer] = (await hall.game()).view(None).offers
        counter = reply(await other.click(await hall.panel(), label=f"Counter {offer.id}"))
        assert "You give nothing yet and want 1" in text(counter)
        held = next(kind for kind, n in enumerate(game.state.hands[found[0]]) if n)
        if held != give:
            await other.select(counter, [f"{held}.1"], custom_id=find_select(counter, "draft", "give"))
        await other.click(await hall.panel(), label=f"Counter {offer.id}")
        mine = [m for m in hall.channel.history(viewer=other) if f"Counter offer {offer.id}" in text(m)]
        assert len(mine) == 1


async def test_a_resource_for_itself_is_not_offered_where_the_rules_forbid_it(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        await hall.begin()
        game = await hall.advance(rich)
        seat = game.to_act[0]
        person = await hall.person(seat)
        kind = next(kind for kind, n in enumerate(game.state.hands[seat]) if n)
        draft = reply(await person.click(await hall.panel(), label="Offer a trade"))
        for side in ("give", "want"):
            draft = reply(await person.select(draft, [f"{kind}.1"], custom_id=find_select(draft, "draft", side)))
        assert "The same resource can't be on both sides" in text(draft)
        assert "Offer" not in labels(draft)
