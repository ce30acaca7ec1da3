"""An offer that its maker can no longer keep: only the maker learns it, with a button to cancel; all else stays."""

from __future__ import annotations

from typing import Any

import pytest

from bot.words.hands import lacking_for_offer, unkept_lines
from engine.actions import AcceptOffer, BankTrade, BuildRoad, CloseOffer, MakeOffer, WithdrawOffer
from engine.game import Game
from engine.resources import NOTHING, RESOURCES, single
from tests.bot.discord.conftest import Opened
from tests.bot.discord.doing import by_commands, by_components
from tests.bot.discord.hall import Hall, answer, labels, reply, text
from tests.engine.builder import cards, edge, seat, table

LOST = "You can't keep your offer"


def building(game: Game) -> bool:
    """Whether the player on turn can spend their last brick or lumber on a road."""
    view = game.view(None)
    if view.step.kind != "main" or view.offers or BuildRoad not in game.options(game.state.on_turn):
        return False
    return 1 in game.state.hands[game.state.on_turn][:2]


async def about_to_build(hall: Hall) -> tuple[Any, int, int, Any]:
    """Start a game and make an offer. Returns the maker, the offered resource, the offer's number, and a road.

    The road costs the maker the offered card.
    """
    await hall.begin(target=14)
    game = await hall.advance(building)
    me = game.state.on_turn
    person, kind = await hall.person(me), game.state.hands[me][:2].index(1)
    await by_components(hall, person, MakeOffer(single(kind), single(4)))
    return person, kind, game.state.next_offer, next(iter((await hall.game()).options(me)[BuildRoad]))


def test_only_the_maker_sees_which_cards_their_offer_lacks() -> None:
    """Also for a counter-offer. Others and onlookers see the offer as before, regardless of anyone's cards (E3)."""
    t = table(seat(settlements="B4", roads="c4", hand="bl"), seat(hand="ow"))
    t.play(0, MakeOffer(cards("bl"), cards("w")))
    before = t.game.view(None).offers
    t.play(1, MakeOffer(cards("o"), cards("b"), (), before[0].id))
    t.play(0, BuildRoad(edge("c3")))
    views = [t.game.view(who) for who in (0, 1, None)]
    assert [lacking_for_offer(view, view.offers[0]) for view in views] == [cards("bl"), NOTHING, NOTHING]
    assert unkept_lines(views[0]) == [f"⚠️ {LOST} {before[0].id} anymore: missing 1 🧱 brick and 1 🪵 lumber."]
    assert unkept_lines(views[1]) == unkept_lines(views[2]) == []
    t.state.hands[1] = [0, 0, 1, 0, 0]
    assert unkept_lines(t.game.view(1)) == [f"⚠️ {LOST} {before[0].id + 1} anymore: missing 1 🪨 ore."]


@pytest.mark.parametrize("way", [by_components, by_commands])
async def test_a_player_who_spends_offered_cards_is_told_and_can_cancel_the_offer(open_hall: Opened, way: Any) -> None:
    """In the answer to the build, in their hand and in the list of offers, each with the button; for no one else."""
    async with open_hall(5) as hall:
        hall.people, onlooker = hall.people[:4], hall.people[4]
        person, kind, number, road = await about_to_build(hall)
        offers = (await hall.game()).view(None).offers
        done = await way(hall, person, road)
        warning = f"{LOST} {number} anymore: missing 1 "
        assert warning in answer(done)
        assert RESOURCES[kind] in answer(done)
        assert f"Cancel offer {number}" in labels(reply(done))
        assert (await hall.game()).view(None).offers == offers
        assert LOST not in text(await hall.panel())
        hand = await person.slash(hall.channel, "hand")
        assert warning in answer(hand)
        assert f"Cancel offer {number}" in labels(reply(hand))
        for other in (*(p for p in hall.people if p is not person), onlooker):
            for label in ("My hand", "More"):
                opened = await other.click(await hall.panel(), label=label)
                assert LOST not in answer(opened)
            menu = await other.click(reply(opened), label="Offers")
            assert LOST not in answer(menu)
            assert f"Offer {number}" in answer(menu)
        menu = await person.click(reply(await person.click(await hall.panel(), label="More")), label="Offers")
        assert warning in answer(menu)
        await hall.restart()
        await person.click(reply(hand), label=f"Cancel offer {number}")
        assert (await hall.game()).records[-1].action == WithdrawOffer(number)
        assert (await hall.game()).view(None).offers == ()


async def test_an_offer_that_cant_be_kept_is_reported_once_and_the_hand_keeps_showing_it(open_hall: Opened) -> None:
    """A trade with the bank says it next to the next trades; answers to later actions don't repeat it."""
    async with open_hall() as hall:
        await hall.begin(target=14)

        def spending(game: Game) -> bool:
            view = game.view(None)
            if view.step.kind != "main" or view.offers or BankTrade not in game.options(game.state.on_turn):
                return False
            [give, *_rest] = [t.give for t in game.options(game.state.on_turn)[BankTrade] if isinstance(t, BankTrade)]
            return max(give) == max(game.state.hands[game.state.on_turn])

        game = await hall.advance(spending)
        me = game.state.on_turn
        person = await hall.person(me)
        trade = next(iter(game.options(me)[BankTrade]))
        assert isinstance(trade, BankTrade)
        kind = next(k for k, n in enumerate(trade.give) if n)
        other = next(k for k in range(5) if k != kind)
        await by_components(hall, person, MakeOffer(single(kind, 2), single(other)))
        done = await by_components(hall, person, trade)
        lost = trade.give[kind] > game.state.hands[me][kind] - 2
        assert (LOST in answer(done)) == lost
        assert lost
        again = await person.slash(hall.channel, "trade decline", offer="99")
        assert LOST not in answer(again)
        assert LOST in answer(await person.click(await hall.panel(), label="My hand"))


async def test_only_its_maker_learns_that_a_counter_offers_cards_went_in_a_deal(open_hall: Opened) -> None:
    """The counter-offer's maker did nothing wrong. Their hand and their list of offers say it; nothing public does."""
    async with open_hall() as hall:
        await hall.begin(target=14)

        def able(game: Game) -> bool:
            view, turn = game.view(None), game.state.on_turn
            if view.step.kind != "main" or view.offers or not any(game.state.hands[turn]):
                return False
            other = game.state.hands[(turn + 1) % 4]
            gives = [k for k, n in enumerate(game.state.hands[turn]) if n]
            return 1 in other and any(k != other.index(1) for k in gives)

        game = await hall.advance(able)
        me, they = game.state.on_turn, (game.state.on_turn + 1) % 4
        maker, other = await hall.person(me), await hall.person(they)
        asked = game.state.hands[they].index(1)
        give = next(k for k, n in enumerate(game.state.hands[me]) if n and k != asked)
        third = next(k for k in range(5) if k not in (asked, give))
        first = game.state.next_offer
        await by_components(hall, maker, MakeOffer(single(give), single(asked)))
        await by_commands(hall, other, MakeOffer(single(asked), single(third)))
        await by_components(hall, other, AcceptOffer(first))
        done = await by_components(hall, maker, CloseOffer(first, they))
        assert LOST not in answer(done)
        assert LOST not in text(await hall.panel())
        assert f"{LOST} {first + 1}" in answer(await other.click(await hall.panel(), label="My hand"))
        menu = await other.click(reply(await other.click(await hall.panel(), label="More")), label="Offers")
        assert f"{LOST} {first + 1}" in answer(menu)
        await other.click(reply(menu), label=f"Cancel offer {first + 1}")
        assert (await hall.game()).view(None).offers == ()


async def test_a_player_can_cancel_each_of_their_many_offers_in_two_taps(open_hall: Opened) -> None:
    """By the panel's list, directly from the hand, or when a fifth offer is refused. Others have the list, too."""
    async with open_hall() as hall:
        await hall.begin(target=14)
        game = await hall.advance(
            lambda g: g.view(None).step.kind == "main" and g.turn > 4 and any(g.state.hands[g.state.on_turn])
        )
        me = game.state.on_turn
        person, kind = await hall.person(me), next(k for k, n in enumerate(game.state.hands[me]) if n)
        kinds = [k for k in range(5) if k != kind]
        first = game.state.next_offer
        for want in kinds:
            await person.slash(hall.channel, "trade offer", give=RESOURCES[kind], get=RESOURCES[want])
        numbers = [first + n for n in range(4)]
        everything = {f"Cancel offer {n}" for n in numbers}
        hand = await person.click(await hall.panel(), label="My hand")
        assert everything <= set(labels(reply(hand)))
        menu = await person.click(await hall.panel(), label="Offers (4)")
        assert everything <= set(labels(reply(menu)))
        full = await person.click(await hall.panel(), label="Offer a trade")
        assert "You have 4 open offers" in answer(full)
        assert everything <= set(labels(reply(full)))
        left = await person.click(reply(full), label=f"Cancel offer {numbers[0]}")
        assert len((await hall.game()).view(None).offers) == 3
        other = await hall.person((me + 1) % 4)
        theirs = await other.click(await hall.panel(), label="My hand")
        assert "Offers (3)" in labels(reply(theirs))
        assert left is not None
