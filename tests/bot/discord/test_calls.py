"""Who is called where: one notification for a turn, in the channel or by direct message, as each player wants it."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.discord.show.round import MOST_OF_A_KIND
from bot.service.orders import DELAY
from bot.table.preferences import CHANNEL, DM, NEVER
from engine.actions import AgreeToCallOff, Roll
from engine.resources import RESOURCES
from tests.bot.discord.conftest import Opened
from tests.bot.discord.doing import by_commands, by_components
from tests.bot.discord.hall import Hall, text
from tests.bot.discord.moments import before_discards, can_offer
from tests.bot.discord.seen import calls
from tests.bot.discord.tables import a_turn


def hand_of(person: Any) -> int:
    """The id of the one direct message with a person's hand."""
    [message] = [m for m in person.user.dm_channel.history() if "Your hand" in text(m)]
    return int(message.id)


async def choose(hall: Hall, where: str, *people: Any) -> None:
    for person in people or hall.people:
        await hall.remind(person, where)


def notified(hall: Hall, words: str) -> list[int]:
    """The users whom the latest message with these words was to notify in the channel."""
    path = f"/channels/{hall.channel.id}/messages"
    sent = [r.json for r in hall.env.http_requests if (r.method, r.path) == ("POST", path) and words in str(r.json)]
    latest = sent[-1] if sent else None
    return [int(user) for user in latest["allowed_mentions"].get("users", ())] if latest else []


@pytest.mark.parametrize("where", [CHANNEL, NEVER])
async def test_a_player_called_in_the_channel_gets_no_new_direct_message(open_hall: Opened, where: str) -> None:
    async with open_hall() as hall:
        await choose(hall, where)
        await hall.begin()
        hands = {person.id: 0 for person in hall.people}
        for _ in range(8):
            person = await a_turn(hall)
            assert notified(hall, "roll the dice") == [person.id]
            assert hands[person.id] in (0, hand_of(person))
            hands[person.id] = hand_of(person)
            assert "roll the dice" not in text(person.user.dm_channel.history()[-1]), "it would stay for days"


async def test_a_player_called_by_direct_message_is_named_but_not_pinged_in_the_channel(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await choose(hall, DM)
        await hall.begin()
        hands = {person.id: 0 for person in hall.people}
        for turn in range(8):
            person = await a_turn(hall)
            assert notified(hall, "roll the dice") == []
            assert f"**{person.name.title()}**" in text(await hall.panel())
            assert hand_of(person) != hands[person.id], "a new one, also where the hand is the same"
            assert "roll the dice" in text(person.user.dm_channel.history()[-1])
            hands[person.id] = hand_of(person)
            if turn == 4:
                await hall.restart()
                assert hand_of(person) == hands[person.id]


async def test_players_are_called_by_direct_message_to_decide_and_in_the_channel_to_vote(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        game = await hall.advance(before_discards)
        await choose(hall, DM)
        roller = await hall.person(game.to_act[0])
        hands = {p.id: hand_of(p) for p in hall.people if p.user.dm_channel.history()}
        await by_components(hall, roller, Roll())
        called = [await hall.person(seat) for seat in (await hall.game()).to_act]
        assert notified(hall, "choose what to discard") == []
        for person in called:
            if person != roller:
                assert hand_of(person) != hands.get(person.id)
        await by_commands(hall, hall.people[0], AgreeToCallOff())
        assert set(notified(hall, "votes to void the game")) == {p.id for p in hall.people[1:]}


@pytest.mark.parametrize("status", [503, 403])
async def test_the_first_player_is_called_once_if_the_lobbys_last_edit_fails(open_hall: Opened, status: int) -> None:
    async with open_hall() as hall:
        await hall.lobby()
        path = f"/channels/{hall.channel.id}/messages/{(await hall.panel()).id}"
        hall.env.inject_error("PATCH", path, status=status, code=50013, message="no", times=1)
        since = len(hall.env.http_requests)
        await hall.people[0].slash(hall.channel, "game start")
        await hall.env.advance_time(40)
        first = await hall.person((await hall.game()).to_act[0])
        assert [users for users, _said in calls(hall, since)] == [[first.id]]


async def test_a_limit_on_edits_keeps_no_call_back(open_hall: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_hall() as hall:
        await hall.begin()
        game = await hall.advance(before_discards)

        async def limited(self: object, **fields: object) -> None:
            raise discord.RateLimited(600.0)

        monkeypatch.setattr(discord.PartialMessage, "edit", limited)
        since = len(hall.env.http_requests)
        await by_commands(hall, await hall.person(game.to_act[0]), Roll())
        late = sorted([(await hall.person(seat)).id for seat in (await hall.game()).to_act])
        for _ in range(4):
            assert [users for users, _said in calls(hall, since)] == [late]
            await hall.env.advance_time(60)


async def test_a_player_with_closed_direct_messages_is_called_in_the_channel(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await choose(hall, DM)
        await hall.begin()
        for person in hall.people:
            path = f"/channels/{person.user.dm_channel.id}/messages"
            hall.env.inject_error("POST", path, status=403, code=50007, message="closed", times=None)
        called: set[int] = set()
        for _ in range(8):
            person = await a_turn(hall)
            await hall.env.advance_time(DELAY[1] + 1)  # until then, an autopilot could have acted for them
            assert person.id in [*notified(hall, "roll the dice"), *notified(hall, "the game is waiting for you")]
            called.add(person.id)
        assert called == {p.id for p in hall.people}


async def test_a_deleted_hand_is_sent_again(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        person = await a_turn(hall)
        old = hand_of(person)
        channel = await hall.bot.create_dm(person.user)
        await channel.get_partial_message(old).delete()
        while await a_turn(hall) != person:
            pass
        assert hand_of(person) != old


async def test_no_one_is_called_about_one_offer_after_another(open_hall: Opened) -> None:
    """One player makes many different offers in a turn; each takes the place of the one before."""
    async with open_hall(3) as hall:
        await hall.begin()
        game = await hall.advance(can_offer)
        called = await hall.person(game.to_act[0])
        seat = next(seat for seat in range(3) if seat != game.to_act[0] and any(game.state.hands[seat]))
        maker = await hall.person(seat)
        kind = next(kind for kind, n in enumerate(game.state.hands[seat]) if n)
        before = len(hall.env.http_requests)
        for other in range(5):
            for n in (1, 2) if other != kind else ():
                await maker.slash(
                    hall.channel, "trade offer", give=f"1 {RESOURCES[kind]}", get=f"{n} {RESOURCES[other]}"
                )
        path = f"/channels/{hall.channel.id}/messages"
        posts = [r.json for r in hall.env.http_requests[before:] if (r.method, r.path) == ("POST", path)]
        calls = [json for json in posts if json and called.id in map(int, json["allowed_mentions"].get("users", ()))]
        assert len(calls) == MOST_OF_A_KIND
