"""Clicks on public messages that no projection knows, and on those that a projection doesn't know yet."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import discord
import pytest
from simcord.actors import _component_interaction

from bot.discord.show import channels, lobby
from bot.discord.show.channels import make_ready
from bot.discord.show.messages import plain
from bot.discord.show.wanted import Content
from bot.languages import ENGLISH_CODE, codes, language
from bot.projections import CLOSING, COMMITMENT, FILM, SEED, Kind, Move, Name, Place, Projection, moved
from bot.servers import PAUSE
from bot.table import rules
from bot.table.acts.lobby import AddPhrase
from bot.table.acts.options import sample_table
from bot.table.acts.places import VoidGame
from bot.table.acts.play import Play
from bot.table.beginning import Beginning
from bot.table.table import LOBBY, RUNNING, Table
from bot.words.language import speaking
from engine.actions import EndTurn, MakeOffer, Resign, Roll
from tests.bot.discord.conftest import Opened
from tests.bot.discord.doing import by_components, sure
from tests.bot.discord.hall import BUTTON, Hall, answer, labels, text
from tests.bot.discord.moments import at, ends_plainly, trading
from tests.bot.discord.tables import sides


def lose_notes(hall: Hall, patch: pytest.MonkeyPatch, *kinds: Kind) -> None:
    """From now on, messages of these kinds are posted but not noted, as if the bot were killed in between."""
    projections = hall.services.projections
    note = projections.note

    async def lossy(number: int, shown: Iterable[Projection] = (), gone: Iterable[Name] = ()) -> None:
        marks = [*shown]
        if not any(mark.posted and mark.name.kind in kinds for mark in marks):
            await note(number, marks, gone)

    patch.setattr(projections, "note", lossy)


def lose_answers(patch: pytest.MonkeyPatch, *names: Name) -> None:
    """Have Discord take these messages, but lose its answers to the first two tries. By the next it has forgotten the
    nonce, as it does after minutes."""
    post, tried = channels.post, list[str]()

    async def lossy(client: Any, where: int, table: Table, name: str, *more: Any, **named: Any) -> discord.Message:
        message = await post(client, where, table, name, *more, **named)
        tried.append(name)
        if name in map(str, names) and tried.count(name) < 3:
            raise TimeoutError("no answer")
        return message

    patch.setattr(channels, "post", lossy)


def forget(hall: Hall) -> None:
    """Forget which messages the bot has posted, as a new process does."""
    hall.bot.app.display._known.clear()


async def test_a_stray_loses_its_buttons_and_does_nothing(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        game = await hall.advance(at("pre_roll"))
        person, panel, number = await hall.person(game.to_act[0]), await hall.panel(), (await hall.table()).number
        known = await hall.services.projections.visible(number)
        for one in known.values():
            if one.posted and one.posted.message == panel.id:
                elsewhere = replace(one, place=Place(one.posted.channel, panel.id + 1))
                await hall.services.projections.note(number, [elsewhere])
        # An attempt to send the person's hand concerns no message that others see (M).
        await hall.services.projections.note(
            number, [moved(None, Name(Kind.TOLD, "robbed.1.1", person.id), Move.POST, 1)]
        )
        forget(hall)
        assert "out of date" in answer(await person.click(panel, label="Roll"))
        assert labels(hall.message(panel.id)) == []
        assert "roll the dice" in text(hall.message(panel.id))
        assert (await hall.game()).revision == game.revision


async def test_a_panel_that_was_posted_but_not_noted_works(open_hall: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_hall() as hall:
        await hall.begin()
        game = await hall.advance(at("main"))
        with monkeypatch.context() as patch:
            lose_notes(hall, patch, Kind.PANEL, Kind.TURN)
            await by_components(hall, await hall.person(game.to_act[0]), EndTurn())
        forget(hall)
        panel = next(message for message in hall.channel.history() if "Roll" in labels(message))
        assert panel.id != (await hall.panel()).id
        person = await hall.person((await hall.game()).to_act[0])
        await person.click(panel, label="Roll")
        assert isinstance((await hall.game()).records[-1].action, Roll)
        [current] = [message.id for message in hall.channel.history() if labels(message)]
        assert current == (await hall.panel()).id


def test_a_message_that_differs_only_in_a_time_is_noticed() -> None:
    """Discord returns it for the nonce of an earlier try. Whom a message mentions is noticed elsewhere."""
    client: Any = None
    texts = (
        "<@1551597200998400007>: <t:1790000792:R>",
        "<@1551597200998400008>: <t:1790000792:R>",
        "<@1551597200998400007>: <t:1790000793:R>",
    )
    first, other_person, other_time = (make_ready(client, plain(text)) for text in texts)
    assert first == other_person
    assert first != other_time


async def test_an_offer_that_was_posted_but_not_noted_goes_with_the_turn(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message has buttons of its own, and a text that calls people."""
    async with open_hall() as hall:
        await hall.begin()
        game = await hall.advance(trading)
        person = await hall.person(me := game.to_act[0])
        with monkeypatch.context() as patch:
            lose_notes(hall, patch, Kind.PING)
            await by_components(hall, person, MakeOffer(*sides(game, me)))
        [call] = [message for message in hall.channel.history() if "offers" in text(message) and "<@" in text(message)]
        forget(hall)
        await by_components(hall, person, EndTurn())
        assert call.id not in [message.id for message in hall.channel.history()]


async def test_the_message_of_an_undone_turn_that_was_posted_but_not_noted_is_deleted(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_hall() as hall:
        await hall.begin()
        game = await hall.advance(ends_plainly)
        person, before = await hall.person(game.to_act[0]), await hall.panel()
        with monkeypatch.context() as patch:
            lose_notes(hall, patch, Kind.TURN)
            await sure(person, await person.slash(hall.channel, "end"))
        [lost] = [message for message in hall.channel.history() if message.id > before.id and labels(message)]
        forget(hall)
        await person.slash(hall.channel, "undo")
        assert (await hall.panel()).id == before.id
        assert lost.id not in [message.id for message in hall.channel.history()]


async def test_a_hand_that_was_posted_but_not_noted_works(open_hall: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_hall() as hall:
        await hall.allow_messages()
        with monkeypatch.context() as patch:
            lose_notes(hall, patch, Kind.HAND)
            await hall.begin()
        forget(hall)
        person = await hall.person((await hall.game()).to_act[0])
        [hand] = person.user.dm_channel.history()
        known = await hall.services.projections.visible((await hall.table()).number)
        assert known[Name(Kind.HAND, user=person.id)].posted is None
        assert "out of date" not in answer(await person.user.click(hand, label="What did I miss?"))
        assert "What did I miss?" in labels(person.user.dm_channel.history()[0])


async def test_a_message_keeps_its_buttons_if_it_is_clicked_for_another_game(open_hall: Opened) -> None:
    """Only forged clicks are about a game that their message isn't about."""
    async with open_hall() as hall:
        await hall.begin()
        panel, room = await hall.panel(), hall.channel
        hall.channel = hall.guild.create_text_channel("other")
        await hall.env.advance_time(PAUSE)
        await hall.lobby()
        forget(hall)
        for custom_id in ("hb:hand:2:", "hb:start:2:1.1", "hb:no_verb:2:", "hb:hand:999:", "hb:sit:0::2"):
            stored = hall.env.backend.messages[room.id][panel.id]
            data = {"component_type": BUTTON, "custom_id": custom_id}
            assert answer(await _component_interaction(hall.people[1], stored, data))
            assert labels(hall.env.backend.messages[room.id][panel.id])


async def test_what_is_posted_once_is_there_once_though_answers_are_lost(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The commitment, and what comes at the end: the page with the seed and, as it once did, a film."""
    due_after = rules.due_after
    monkeypatch.setattr(
        rules, "due_after", lambda *of: [n for d in due_after(*of) for n in {SEED: (d, FILM)}.get(d, (d,))]
    )
    lose_answers(monkeypatch, COMMITMENT, SEED, FILM)
    async with open_hall(2) as hall:
        hall.bot.app.display.films = True

        def said(what: str) -> list[int]:
            return [message.id for message in hall.channel.history() if what in text(message)]

        async def noted(name: Name) -> list[int]:
            place = (await hall.services.projections.visible(1))[name].posted
            return [place.message] if place is not None else []

        await hall.people[0].slash(hall.channel, "game new")
        await hall.env.advance_time(600)
        assert said("Provably fair") == await noted(COMMITMENT)
        await hall.people[1].click(await hall.panel(), label="Join")
        await hall.people[0].click(await hall.panel(), label="Start")
        with hall.env._bot_scope():
            await hall.services.games.act(1, hall.people[0].id, Play(Resign()), "gone")
        await hall.env.advance_time(1200)
        assert said("the replay") == await noted(SEED)
        assert said("as a film") == await noted(FILM)
        [page] = said("the replay")
        assert labels(hall.message(page)) == ["Film"]
        requests = len(hall.env.http_requests)
        await hall.env.advance_time(1200)
        gets = [r for r in hall.env.http_requests[requests:] if r.method == "GET" and r.path.endswith("/messages")]
        assert not gets, "nothing is in doubt"


def closings(hall: Hall) -> list[int]:
    """The messages in the channel that close a table, oldest first."""
    return sorted(message.id for message in hall.channel.history() if lobby.LOCK in text(message))


async def close_in_vain(hall: Hall) -> Table:
    """Open a table of two and have it closed, though the answer is lost. Discord forgets the nonce. Returns the table
    before."""
    await hall.people[0].slash(hall.channel, "game new")
    await hall.people[1].click(await hall.panel(), label="Join")
    table = await hall.table()
    assert "try again" in answer(await hall.people[0].click(await hall.panel(), label="Start"))
    await hall.env.advance_time(600)
    assert closings(hall)
    return table


async def test_the_first_message_that_closes_a_table_counts_though_answers_are_lost(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise its id, which is the last that is mixed into the chance, could be chosen by trying."""
    lose_answers(monkeypatch, CLOSING)
    async with open_hall(2, mixed=True) as hall:
        table = await close_in_vain(hall)
        first, *_ = closings(hall)
        for code in ("ja", "de"):
            with speaking(language(code)):
                other = Content(plain(lobby._started(table, 999, "Zoe")))
            await channels.post(hall.bot, hall.channel.id, table, f"in {code}", 1, other)
        assert len(closings(hall)) == 3
        await hall.people[0].click(await hall.panel(), label="Start")
        assert (await hall.table()).status == RUNNING
        assert (await hall.table()).entropy[-1] == str(first)
        assert closings(hall) == [first]


async def test_a_table_that_changes_before_it_is_closed_again_keeps_no_message_from_before(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    lose_answers(monkeypatch, CLOSING)
    async with open_hall(2, mixed=True) as hall:
        table = await close_in_vain(hall)
        before = closings(hall)
        await hall.services.games.act(table.number, table.users[1], AddPhrase("rain tomorrow"), "words")
        assert "try again" in answer(await hall.people[0].click(await hall.panel(), label="Start"))
        await hall.env.advance_time(600)
        [after] = closings(hall)
        assert after > before[-1]
        await hall.people[0].click(await hall.panel(), label="Start")
        assert (await hall.table()).entropy[-1] == str(after)
        assert closings(hall) == [after]


async def test_the_message_that_closed_an_earlier_table_in_the_channel_stays(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_hall(2, mixed=True) as hall:
        await hall.begin()
        await hall.services.games.act(1, 999, VoidGame("Mod"), "void", manages=hall.channel.id)
        [earlier] = closings(hall)
        await hall.env.advance_time(PAUSE)
        lose_answers(monkeypatch, CLOSING)
        await close_in_vain(hall)
        await hall.people[0].click(await hall.panel(), label="Start")
        table = await hall.table()
        assert (table.number, table.status) == (2, RUNNING)
        assert closings(hall) == [earlier, int(table.entropy[-1])]


@pytest.mark.parametrize(("status", "code"), [(403, 50001), (503, 0)])
async def test_no_game_starts_while_the_message_that_closes_it_cant_be_looked_for(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch, status: int, code: int
) -> None:
    lose_answers(monkeypatch, CLOSING)
    async with open_hall(2, mixed=True) as hall:
        await close_in_vain(hall)
        before = closings(hall)
        path = f"/channels/{hall.channel.id}/messages*"
        hall.env.inject_error("GET", path, status=status, code=code, message="no", times=None)
        assert answer(await hall.people[0].click(await hall.panel(), label="Start"))
        hall.env.backend.faults.clear()
        assert (await hall.table()).status == LOBBY
        assert closings(hall) == before
        await hall.people[0].click(await hall.panel(), label="Start")
        assert (await hall.table()).entropy[-1] == str(before[0])


@pytest.mark.parametrize("code", [ENGLISH_CODE, *codes()])
def test_the_message_that_closes_a_table_begins_alike_in_all_languages(code: str) -> None:
    table = sample_table(Beginning())
    with speaking(language(code)):
        said = [lobby._started(table, user, "Zoe") for user in (table.host, 999)]
    assert all(one.startswith(lobby.LOCK) for one in said)
