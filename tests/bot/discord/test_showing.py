"""What is shown: each turn's panel, what comes after restarts and outages, hands by direct message."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Iterable
from unittest.mock import AsyncMock

import pytest

from bot.discord.show import lanes
from bot.discord.show.display import Display
from bot.discord.show.private import STILL_FOR
from bot.discord.show.reconcile import Message, reconcile
from bot.discord.show.round import Round
from bot.projections import PANEL, Kind, Move, Name, Place, moved, of_kind
from bot.service import Services
from bot.service.orders import DELAY
from bot.store import Change, Damaged, open_store
from bot.table.acts.play import Play
from engine.actions import EndTurn, Roll
from tests.bot.discord.conftest import Opened
from tests.bot.discord.doing import by_components
from tests.bot.discord.hall import answer, labels, reply, text
from tests.bot.discord.moments import at
from tests.bot.discord.tables import a_turn
from tests.bot.playground import choose


async def test_an_old_panel_loses_its_buttons_and_keeps_its_text(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        game = await hall.advance(at("main"))
        old = await hall.panel()
        person = await hall.person(game.to_act[0])
        await by_components(hall, person, EndTurn())
        new = await hall.panel()
        assert new.id != old.id
        frozen = hall.message(old.id)
        assert labels(frozen) == []
        assert "rolled" in text(frozen)
        assert "Roll" in labels(new)
        follower = await hall.person((await hall.game()).to_act[0])
        sent = next(
            r.json
            for r in reversed(hall.env.http_requests)
            if r.method == "POST" and r.path.endswith("/messages") and str(hall.channel.id) in r.path
        )
        assert sent is not None
        assert [int(user) for user in sent["allowed_mentions"]["users"]] == [follower.id]
        assert sent["allowed_mentions"]["parse"] == []


async def test_the_setup_panel_loses_its_buttons_after_the_last_road(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        setup = await hall.panel()
        await hall.advance(at("pre_roll"))
        content = text(hall.message(setup.id))
        assert content.count("a settlement on") == 8
        assert content.count("a road") == 8
        assert "roll the dice" not in content
        assert labels(hall.message(setup.id)) == []


async def test_buttons_and_forms_still_work_after_a_restart(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        game = await hall.advance(at("pre_roll"))
        person = await hall.person(game.to_act[0])
        panel = await hall.panel()
        await hall.restart()
        await person.click(panel, label="Roll")
        assert isinstance((await hall.game()).records[-1].action, Roll)
        game = await hall.advance(at("main"))
        person = await hall.person(game.to_act[0])
        draft = await person.click(await hall.panel(), label="Offer a trade")
        form = await person.click(reply(draft), label="Type it instead")
        await hall.restart()
        sent = await person.submit_modal(form, {"give": "nonsense", "want": "1 ore"})
        assert "nonsense" in answer(sent)
        old = await hall.panel()
        await by_components(hall, person, EndTurn())
        assert labels(hall.message(old.id)) == []
        assert "rolled" in text(hall.message(old.id))


async def test_the_panel_of_a_turn_that_ended_unseen_loses_its_buttons_after_a_restart(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        game = await hall.advance(at("main"))
        old = await hall.panel()
        table = await hall.table()
        user = table.user_at(game, game.to_act[0])
        await hall.services.games.act(table.number, user, Play(EndTurn()), "unseen")
        await hall.restart()
        assert (await hall.panel()).id != old.id
        assert labels(hall.message(old.id)) == []
        assert "rolled" in text(hall.message(old.id))


async def test_a_game_message_sent_again_while_someone_acts_shows_what_they_did(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `/board` does, just when the action is stored and this process doesn't know it yet."""
    async with open_hall() as hall:
        await hall.begin()
        game = await hall.advance(at("pre_roll"))
        player, store = await hall.person(game.to_act[0]), hall.services.repository._store
        save, again = store.save, list[asyncio.Task[None]]()

        async def saved(change: Change) -> None:
            await save(change)
            if not again:
                again.append(asyncio.ensure_future(hall.bot.app.publisher.again(1)))
                await asyncio.to_thread(time.sleep, 0.1)

        monkeypatch.setattr(store, "save", saved)
        await player.slash(hall.channel, "roll")
        await again[0]
        await hall.env.settle()
        assert "roll the dice" not in text(await hall.panel())


async def test_the_message_of_a_game_that_cant_be_read_can_be_asked_for_again(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """News about a channel comes for all its games. One that is damaged must not hold up the others."""
    async with open_hall() as hall:
        await hall.begin()
        with monkeypatch.context() as patch:
            patch.setattr(hall.services.repository, "table", AsyncMock(side_effect=Damaged(1)))
            await hall.bot.app.publisher.again(1)
            assert PANEL not in await hall.services.projections.visible(1)


async def test_a_process_that_stood_still_posts_nothing_once_another_one_owns_the_game(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process has perhaps posted the message meanwhile, and deleted it again."""
    async with open_hall() as hall:
        await hall.begin()
        game = await hall.advance(at("main"))
        posts, player = {message.id for message in hall.channel.history()}, await hall.person(game.to_act[0])
        with monkeypatch.context() as patch:
            patch.setattr(Display, "is_ours", lambda display, number: False)
            await player.slash(hall.channel, "end")
        assert {message.id for message in hall.channel.history()} == posts
        await hall.restart()
        assert (await hall.panel()).id not in posts


async def test_an_old_panel_that_was_posted_but_not_recorded_loses_its_buttons_after_a_restart(
    open_hall: Opened,
) -> None:
    """The bot was killed in between, and when it starts again, another turn is on."""
    async with open_hall() as hall:
        await hall.begin()
        game = await hall.advance(at("main"))
        lost = await hall.panel()
        user, name = (await hall.table()).user_at(game, game.to_act[0]), Name(Kind.TURN, str(game.turn))
        await hall.bot.close()
        store = await open_store(hall.path, namespace="test")
        version = (await store.visible(1))[name].version
        await store.note(1, [moved(None, name, Move.POST, version - 1)], gone=[name])
        await Services.of(store).games.act(1, user, Play(EndTurn()), "unseen")
        await store.close()
        await hall.restart(closed=True)
        assert (await hall.panel()).id != lost.id
        assert labels(hall.message(lost.id)) == []
        assert "rolled" in text(hall.message(lost.id))
        assert name not in await hall.services.projections.visible(1)


async def test_a_ping_that_was_posted_but_not_recorded_is_deleted_when_it_is_not_needed(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        await hall.advance(lambda game: game.revision == 3)  # the next player is called
        game = await hall.advance(lambda game: game.revision == 4)  # and owes a road
        [lost] = [message for message in hall.channel.history() if text(message).startswith("<@")]
        store, user = hall.services.projections, (await hall.table()).user_at(game, game.to_act[0])
        [ping] = of_kind(await store.visible(1), Kind.PING)
        assert ping.posted == Place(hall.channel.id, lost.id)
        action = choose(game, game.to_act[0], random.Random(1))
        await hall.services.games.act(1, user, Play(action), "unseen")
        await store.note(1, [moved(None, ping.name, Move.POST, ping.version - 1)], gone=[ping.name])
        room = await hall.room()
        notice = await room.send(f"<@{user}>, Discord won't let me message you.")
        await hall.restart()
        left = {message.id for message in hall.channel.history()}
        assert lost.id not in left
        assert notice.id in left, "an earlier game's, or one that is just being posted"
        assert ping.name not in await hall.services.projections.visible(1)


async def test_a_change_that_was_not_shown_is_shown_after_a_restart(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_hall() as hall:
        await hall.begin()
        game = await hall.advance(at("pre_roll"))
        table = await hall.table()
        user = table.user_at(game, game.to_act[0])
        monkeypatch.setattr(hall.services.repository, "tell", lambda *change: None)
        await hall.services.games.act(table.number, user, Play(Roll()), "unseen")
        await hall.env.settle()
        assert "rolled" not in text(await hall.panel())
        await hall.restart()
        await hall.env.settle()
        assert "rolled" in text(await hall.panel())


async def test_the_panel_is_updated_after_failed_edits(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        game = await hall.advance(at("pre_roll"))
        path = f"/channels/{hall.channel.id}/messages/*"
        hall.env.inject_error("PATCH", path, status=403, code=0, message="no", times=4)
        await (await hall.person(game.to_act[0])).slash(hall.channel, "roll")
        await hall.env.advance_time(20)
        assert "rolled" in text(await hall.panel())


async def test_a_panel_that_is_too_old_to_be_edited_is_posted_again(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        game = await hall.advance(at("pre_roll"))
        old = await hall.panel()
        path = f"/channels/{hall.channel.id}/messages/*"
        hall.env.inject_error("PATCH", path, status=400, code=30046, message="too old", times=1)
        await (await hall.person(game.to_act[0])).slash(hall.channel, "roll")
        assert (await hall.panel()).id != old.id
        assert "rolled" in text(await hall.panel())


async def test_only_the_player_is_told_of_their_closed_direct_messages_and_play_goes_on(open_hall: Opened) -> None:
    async with open_hall() as hall:
        closed = hall.people[1]
        path = f"/channels/{closed.user.dm_channel.id}/messages"
        hall.env.inject_error("POST", path, status=403, code=50007, message="closed", times=None)
        await hall.begin()
        await hall.advance(lambda g: g.revision > 40)
        await hall.restart()
        await hall.env.advance_time(STILL_FOR + 60)
        assert "won't let me message you" in answer(await closed.slash(hall.channel, "hand"))
        for _ in range(8):
            await a_turn(hall)
            await hall.env.advance_time(DELAY[1] + 1)
        assert not [m for m in hall.channel.history() if "won't let me message you" in text(m)]
        assert (await hall.services.people.settings(closed.id)).dms_closed
        open_hands = hall.people[0].user.dm_channel.history()
        assert len(open_hands) == 1
        assert "Your hand" in text(open_hands[0])


async def test_hands_are_private(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        await hall.advance(lambda g: g.revision > 60)
        person = hall.people[2]
        result = await person.click(await hall.panel(), label="My hand")
        assert reply(result).ephemeral
        assert "Your hand" in answer(result)
        assert [a.filename for a in reply(result).attachments] == ["hand.png"]
        typed = await person.slash(hall.channel, "hand")
        assert answer(typed) == answer(result)
        assert not any("Your hand" in text(m) for m in hall.channel.history())


async def test_a_panel_comes_back_if_it_is_deleted_while_it_is_being_shown(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_hall() as hall:
        await hall.begin()
        await hall.advance(at("pre_roll"))
        gone, publisher, first = await hall.panel(), hall.bot.app.publisher, [True]

        async def reconcile_and_delete(round: Round, messages: Iterable[Message]) -> float | None:
            held = await reconcile(round, messages)
            if first:
                first.clear()
                del hall.env.backend.messages[hall.channel.id][gone.id]
                await publisher.again(1)
            return held

        monkeypatch.setattr(lanes, "reconcile", reconcile_and_delete)
        publisher.refresh(1)
        await publisher.wait_shown(1)
        assert (await hall.panel()).id != gone.id


async def test_a_deleted_panel_comes_back_with_the_board_command(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        game = await hall.advance(at("pre_roll"))
        gone = await hall.panel()
        await gone.delete()
        person = await hall.person(game.to_act[0])
        await person.slash(hall.channel, "board")
        new = await hall.panel()
        assert new.id != gone.id
        await person.click(new, label="Roll")
        assert isinstance((await hall.game()).records[-1].action, Roll)
