"""People who manage a channel can end the table in it. Tables without activity are put away; games can be resumed."""

from __future__ import annotations

from typing import Any

import pytest

from bot.projections import PANEL
from bot.table.table import ARCHIVED, CANCELLED, OVER, RUNNING
from engine.actions import Roll
from tests.bot.discord.conftest import Opened
from tests.bot.discord.hall import Hall, allow, answer, labels, moderator, reply, text
from tests.bot.discord.moments import at

DAY = 86_400


def stranger(hall: Hall) -> Any:
    """A person who doesn't play and can manage nothing."""
    return hall.guild.add_member(hall.env.create_user("eve", global_name="Eve"))


async def test_a_channel_manager_can_cancel_a_lobby_after_confirming_it(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.lobby()
        mod, eve = moderator(hall), stranger(hall)
        refused = await eve.slash(hall.channel, "game cancel")
        assert "aren't at this table" in answer(refused)
        asked = await mod.slash(hall.channel, "game cancel")
        assert "everyone sees that you did it" in answer(asked)
        panel = await hall.panel()
        done = await mod.click(reply(asked), label="Cancel table 1")
        assert "is canceled" in answer(done)
        assert (await hall.table()).status == CANCELLED
        closed = hall.message(panel.id)
        assert "canceled by Mod," in text(closed)
        assert labels(closed) == []
        await eve.slash(hall.channel, "game new")
        assert (await hall.table()).number == 2


async def test_a_channel_manager_can_void_a_game(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        await hall.advance(at("main"))
        mod, eve = moderator(hall), stranger(hall)
        assert "playing" in answer(await eve.slash(hall.channel, "game end", how="off"))
        asked = await mod.slash(hall.channel, "game end", how="off")
        assert "no winner" in answer(asked)
        await mod.click(reply(asked), label="Void game 1")
        assert (await hall.table()).status == OVER
        panel = await hall.panel()
        assert "void" in text(panel)
        assert "Mod, who manages" in text(panel)
        assert any("Check every die" in text(m) for m in hall.channel.history())
        assert "Verified" in answer(await eve.slash(hall.channel, "game verify"))


async def test_a_permission_lost_before_the_click_no_longer_counts(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        mod = moderator(hall)
        asked = await mod.slash(hall.channel, "game end", how="off")
        hall.env.backend.get_member(hall.guild.id, mod.id).role_ids.clear()
        refused = await mod.click(reply(asked), label="Void game 1")
        assert "Manage Channels" in answer(refused)
        assert (await hall.table()).status == RUNNING


async def test_a_player_who_manages_the_channel_is_offered_to_void_the_game(open_hall: Opened) -> None:
    async with open_hall() as hall:
        mod = moderator(hall)
        await hall.begin([*hall.people[:2], mod])
        await hall.advance(at("main"))
        assert "Void the game" not in labels(await hall.change(hall.people[0]))
        asked = await mod.click(await hall.change(mod), label="Void the game")
        await mod.click(reply(asked), label="Void game 1")
        assert (await hall.table()).status == OVER


async def test_a_lobby_left_alone_is_closed_after_a_warning(open_hall: Opened, long_time: None) -> None:
    async with open_hall() as hall:
        await hall.lobby(hall.people[:2])
        panel = await hall.panel()
        await hall.env.advance_time(2 * DAY + 7200)
        [warning] = [m for m in hall.channel.history() if "no activity at this table" in text(m)]
        assert f"<@{hall.people[0].id}>" in text(warning)
        await hall.env.advance_time(DAY + 7200)
        assert (await hall.table()).status == CANCELLED
        assert "closed after three days" in text(hall.message(panel.id))
        assert labels(hall.message(panel.id)) == []
        assert not [m for m in hall.channel.history() if "no activity at this table" in text(m)]


async def test_a_game_without_moves_is_archived_and_can_be_resumed(open_hall: Opened, long_time: None) -> None:
    async with open_hall() as hall:
        await hall.begin()
        game = await hall.advance(at("pre_roll"))
        person = await hall.person(game.to_act[0])
        old = await hall.panel()
        more = reply(await person.click(old, label="More"))
        await hall.env.advance_time(27 * DAY + 7200)
        [warning] = [m for m in hall.channel.history() if "no moves in this game for 27 days" in text(m)]
        assert f"<@{person.id}>" in text(warning)
        assert "Roll" in labels(await hall.panel())
        await hall.env.advance_time(3 * DAY + 7200)
        assert (await hall.table()).status == ARCHIVED
        assert labels(hall.message(old.id)) == []
        notice = await hall.panel()
        assert labels(notice) == ["Resume", "What did I miss?"]
        assert "No moves for 30 days" in text(notice)
        assert "archived" in answer(await person.slash(hall.channel, "roll"))
        assert "archived" in answer(await person.click(more, label="Pause, leave, change…"))
        mine = await person.slash(hall.channel, "hand")
        assert "The game is archived. Resume it with `/game resume`." in answer(mine)
        assert labels(reply(mine)) == ["Resume"]
        waiting = answer(await person.slash(hall.channel, "games"))
        assert "Game 1 is archived: resume it with `/game resume`." in waiting
        await hall.restart()
        refused = await stranger(hall).click(notice, label="Resume")
        assert "Only players of this game" in answer(refused)
        other = next(p for p in hall.people if p is not person)
        await other.click(notice, label="Resume")
        assert (await hall.table()).status == RUNNING
        shown = hall.message(notice.id)
        assert (text(shown), labels(shown)) == ("Game 1 was archived after 30 days without a move.", [])
        panel = await hall.panel()
        assert panel.id not in (old.id, notice.id)
        await person.click(panel, label="Roll")
        assert isinstance((await hall.game()).records[-1].action, Roll)


@pytest.mark.soak
async def test_an_archived_game_can_be_resumed_by_command(open_hall: Opened, long_time: None) -> None:
    async with open_hall() as hall:
        await hall.begin()
        await hall.advance(at("pre_roll"))
        for days in (28, 4):
            await hall.env.advance_time(days * DAY)
        assert (await hall.table()).status == ARCHIVED
        place, person = hall.guild.create_text_channel("elsewhere"), hall.people[1]
        hall.env.inject_error("GET", f"/channels/{hall.channel.id}", status=404, code=10003, message="no", times=1)
        gone = answer(await person.slash(place, "game resume", game=1))
        await allow(hall, send_messages=False, manage_roles=True)
        closed = answer(await person.slash(place, "game resume", game=1))
        assert gone == closed
        assert "Use `/game move` in another channel." in gone
        assert (await hall.table()).status == ARCHIVED
        await allow(hall, send_messages=True)
        assert "resumed" in answer(await person.slash(place, "game resume", game=1))
        assert (await hall.table()).status == RUNNING


@pytest.mark.soak
async def test_an_archived_game_can_be_moved_to_another_channel(open_hall: Opened, long_time: None) -> None:
    """Its own channel has another game by now."""
    async with open_hall() as hall:
        await hall.begin()
        await hall.advance(at("pre_roll"))
        person = await hall.person((await hall.game()).to_act[0])
        for days in (28, 4):
            await hall.env.advance_time(days * DAY)
        notice = await hall.panel()
        assert "open" in answer(await hall.people[0].slash(hall.channel, "game new"))
        refused = answer(await hall.people[1].slash(hall.channel, "game resume"))
        assert "Game 2 is using this channel" in refused
        assert "`/game move`" in refused
        place = hall.guild.create_text_channel("elsewhere")
        assert "continues here" in answer(await hall.people[1].slash(place, "game move", game=1))
        assert (await hall.services.repository.table(1)).status == RUNNING
        assert labels(hall.message(notice.id)) == []
        marks = await hall.services.projections.visible(1)
        hall.channel = place
        panel = hall.message(marks[PANEL].posted)
        await person.click(panel, label="Roll")
        assert isinstance((await hall.services.repository.game(1)).records[-1].action, Roll)
