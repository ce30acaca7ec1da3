"""Pings: players who are asked or answered learn of it, in one message for each state, which is removed when done."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

import discord
import pytest

from bot.table.reminders import PRESENT
from bot.words.typed import typed
from engine.actions import AgreeToCallOff, DeclineOffer, Discard, MoveRobber
from engine.game import Game
from engine.resources import hand
from engine.steps.discard import DiscardsView
from tests.bot.discord.conftest import Opened
from tests.bot.discord.doing import by_commands, by_components, sure
from tests.bot.discord.hall import Hall, answer, fill, labels, reply, text
from tests.bot.discord.mailbox import Mailbox
from tests.bot.discord.tables import offered


def about_offers(hall: Hall) -> list[discord.Message]:
    """The pings about offers, oldest first."""
    return sorted(
        (m for m in hall.channel.history() if "offer" in text(m) and text(m).startswith("<@")),
        key=lambda m: m.id,
    )


async def test_an_offer_to_all_pings_all_and_answers_ping_its_maker(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        _game, maker, others, number = await offered(hall)
        [asked] = about_offers(hall)
        assert all(f"<@{person.id}>" in text(asked) for person in others)
        assert {user.id for user in asked.mentions} == {person.id for person in others}
        assert maker.name.title() in text(asked)
        assert text(asked).endswith(f"(offer {number}).")
        assert labels(asked) == [f"Accept {number}", f"Decline {number}", f"Counter {number}"]
        assert "is your own" in answer(await maker.click(asked, label=f"Counter {number}"))
        counter = reply(await others[1].click(asked, label=f"Counter {number}"))
        assert "Change something, or accept it" in text(counter)
        assert labels(counter) == [f"Accept {number}", "Type it instead"], "the same again would be no counter-offer"
        await others[0].click(asked, label=f"Accept {number}")
        assert [m.id for m in about_offers(hall)] == [asked.id], "in their own turn, they see it"
        await hall.env.advance_time(PRESENT)
        first, second = about_offers(hall)
        assert first.id == asked.id
        assert f"<@{maker.id}>" in text(second)
        assert {user.id for user in second.mentions} == {maker.id}
        assert "wait for the others" in text(second)
        for person in others[1:]:
            await by_components(hall, person, DeclineOffer(number))
        [last] = about_offers(hall)
        assert last.id != second.id
        assert {user.id for user in last.mentions} == {maker.id}
        assert "make the trade" in text(last)
        with_whom = reply(await maker.click(last, label="Trade"))
        await maker.click(with_whom, label=f"Trade with {others[0].name.title()}")
        assert not about_offers(hall)


async def test_a_player_who_takes_over_a_seat_is_asked_instead_of_the_former_player(open_hall: Opened) -> None:
    """The others are named again, but not notified twice."""
    async with open_hall(5) as hall:
        people, zoe = hall.people[:4], hall.people[4]
        await hall.begin(people)
        _game, maker, (leaver, *others), number = await offered(hall)
        await leaver.slash(hall.channel, "seat give", to=zoe.user)
        [seat] = [m for m in hall.channel.history() if "Take the seat" in labels(m)]
        await zoe.click(seat, label="Take the seat")
        [asked] = [m for m in about_offers(hall) if labels(m)]
        assert list(hall.env.backend.messages[hall.channel.id][asked.id].ping_user_ids) == [zoe.id]
        assert all(f"**{person.name.title()}**" in text(asked) for person in others)
        assert leaver.name.title() not in text(asked)
        await zoe.click(asked, label=f"Accept {number}")
        await hall.env.advance_time(PRESENT)
        first, second = about_offers(hall)
        assert (first.id, [user.id for user in second.mentions]) == (asked.id, [maker.id])


async def test_the_maker_is_told_after_a_while_when_all_decline_an_offer(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        _game, maker, others, number = await offered(hall)
        for person in others:
            await by_components(hall, person, DeclineOffer(number))
        assert not about_offers(hall)
        await hall.env.advance_time(PRESENT)
        [last] = about_offers(hall)
        assert "everyone declined your offer" in text(last)
        assert f"<@{maker.id}>" in text(last)


async def test_no_offer_ping_is_posted_if_all_players_turned_them_off(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        quiet = hall.people[:]
        for person in quiet:
            opened = await person.slash(hall.channel, "settings")
            response = await fill(person, reply(opened), "Your settings", shared={"offer_pings": False})
            assert "Pings for offers and their answers: **off**" in answer(response)
        await offered(hall)
        assert not about_offers(hall), "nobody is to be notified"


async def test_a_vote_pings_only_players_who_have_not_voted(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        await hall.advance(lambda game: game.turn == 2)
        ann, bob, *others = hall.people
        await by_commands(hall, ann, AgreeToCallOff())

        def votes() -> list[discord.Message]:
            return [m for m in hall.channel.history() if "void the game" in text(m) and text(m).startswith("<@")]

        [ping] = votes()
        assert {user.id for user in ping.mentions} == {bob.id, *(person.id for person in others)}
        await by_commands(hall, bob, AgreeToCallOff())
        [ping] = votes()
        assert f"<@{bob.id}>" not in text(ping)
        for person in others:
            await by_commands(hall, person, AgreeToCallOff())
        assert not votes()


@pytest.mark.parametrize("last", ["another", "the roller"])
async def test_the_roller_is_pinged_for_the_robber_only_if_another_player_discarded_last(
    open_hall: Opened, last: str
) -> None:
    """Unless the player who moves the robber discarded last: then they are present."""

    def both_owe(game: Game) -> bool:
        step = game.view(None).step
        return isinstance(step, DiscardsView) and len(game.to_act) > 1 and game.state.on_turn in game.to_act

    async with open_hall() as hall:
        await hall.begin()
        game = await hall.advance(both_owe)
        roller = game.state.on_turn
        others = [seat for seat in game.to_act if seat != roller]
        for seat in [roller, *others] if last == "another" else [*others, roller]:
            options = (await hall.game()).options(seat)
            await by_components(hall, await hall.person(seat), options[Discard].sample(random.Random(1)))
        assert (await hall.game()).view(None).step.kind == "move_robber"
        person = await hall.person(roller)
        asked = [m for m in hall.channel.history() if text(m).startswith(f"<@{person.id}> · move the robber")]
        assert [[user.id for user in m.mentions] for m in asked] == [[person.id]] * (last == "another")
        place = (await hall.game()).options(roller)[MoveRobber].sample(random.Random(1))
        await by_components(hall, person, place)
        assert not [m for m in hall.channel.history() if "move the robber." in text(m) and text(m).startswith("<@")]


async def test_a_player_who_places_twice_in_a_row_is_called_once(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        game = await hall.advance(lambda g: sum(p.roads.bit_count() for p in g.view(None).players) == 3)
        [seat] = game.to_act
        person, calls = await hall.person(seat), set[int]()
        for _ in range(4):
            assert game.to_act == (seat,)
            calls |= {m.id for m in hall.channel.history() if text(m).startswith(person.mention)}
            await by_components(hall, person, next(iter(game.options(seat).actions())))
            game = await hall.game()
        assert game.to_act != (seat,)
        assert len(calls) == 1


async def test_repeating_and_undoing_the_same_action_notifies_a_player_only_once(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same offer, an answer to it, or the end of a turn notifies once in ten minutes. Other terms notify again."""
    async with open_hall(3) as hall:
        await hall.begin()
        game, maker, others, number = await offered(hall)
        [offer] = game.view(None).offers
        mailbox = Mailbox(hall, monkeypatch)

        async def often(*deeds: Callable[[], Awaitable[Any]]) -> dict[int, int]:
            """Do these deeds six times. Returns how often each person was notified in the channel."""
            mailbox.calls.clear()
            for _n in range(6):
                for do in deeds:
                    await do()
                await hall.env.advance_time(5)
            await hall.env.advance_time(PRESENT)  # until then, they count as being at it
            assert sum(call.direct for call in mailbox.calls) <= 1, "a hand comes once"
            return {person.id: sum(not call.direct for call in mailbox.of(person.id)) for person in hall.people}

        nobody = dict.fromkeys((person.id for person in hall.people), 0)
        accept = partial(others[0].slash, hall.channel, "trade accept", offer=str(number))
        decline = partial(others[0].slash, hall.channel, "trade decline", offer=str(number))
        assert await often(accept, decline, accept) == {**nobody, maker.id: 1}

        async def withdraw() -> None:
            for offer in (await hall.game()).view(None).offers:
                await (await hall.person(offer.seat)).slash(hall.channel, "trade cancel", offer=str(offer.id))

        def offers(person: Any, give: Sequence[int], want: Sequence[int], n: int = 1) -> Any:
            terms = {"give": typed(hand(give)), "get": typed(hand([n * count for count in want]))}
            return partial(person.slash, hall.channel, "trade offer", **terms)

        again = offers(maker, offer.give, offer.want)
        assert max((await often(withdraw, again)).values()) == 1, "told again once ten minutes are over"
        [now] = (await hall.game()).view(None).offers
        assert (now.give, now.want) == (offer.give, offer.want)
        assert await often(withdraw, offers(maker, offer.give, offer.want, 2)) == {
            person.id: int(person is not maker) for person in hall.people
        }
        unasked = offers(others[0], offer.want, offer.give)
        assert await often(withdraw, unasked) == {**nobody, maker.id: 1}
        after = await hall.person((offer.seat + 1) % 3)

        async def end() -> None:
            await sure(maker, await maker.slash(hall.channel, "end"))

        told_late = {maker.id: 1}  # of the offer that was made again and still stands
        assert await often(end, partial(maker.slash, hall.channel, "undo")) == {**nobody, after.id: 1, **told_late}
