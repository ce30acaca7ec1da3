"""The replay at a game's end."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.discord.show import channels
from bot.projections import FILM, SEED
from bot.screens.controls import Picture
from bot.screens.viewer import Viewer
from bot.table.table import Table
from engine.actions import Resign
from tests.bot.discord.conftest import Opened
from tests.bot.discord.hall import text


async def test_a_replay_that_could_not_be_sent_is_not_drawn_again(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_hall(2) as hall:
        await hall.begin()
        display, drawn, tried = hall.bot.app.display, list[int](), list[str]()
        draw, post = display.pictures.film, channels.post

        async def film(public: Viewer) -> Picture:
            drawn.append(public.table.number)
            return await draw(public)

        async def fails(client: Any, where: int, table: Table, name: str, *more: Any, **named: Any) -> discord.Message:
            tried.append(name)
            if name == FILM and tried.count(name) < 3:
                raise TimeoutError
            return await post(client, where, table, name, *more, **named)

        monkeypatch.setattr(display.pictures, "film", film)
        monkeypatch.setattr(channels, "post", fails)
        display.films = True
        with hall.env._bot_scope():
            await hall.services.games.submit_action(1, hall.people[0].id, Resign(), decision=None, interaction="gone")
        await hall.env.advance_time(30)
        [posted] = [message for message in hall.channel.history() if "the replay" in text(message)]
        assert [file.filename for file in posted.attachments] == ["game-1.webp"]
        assert (drawn, display.drawn.get(1)) == ([1], None)


async def test_a_message_stored_for_an_older_version_does_not_stay_due_forever(open_hall: Opened) -> None:
    """The table can be read as it was before the game ended, although the game is over by then."""
    async with open_hall(2) as hall:
        await hall.begin()
        with hall.env._bot_scope():
            await hall.services.games.submit_action(1, hall.people[0].id, Resign(), decision=None, interaction="gone")
        await hall.env.advance_time(30)
        store = hall.services.projections
        seed = (await store.visible(1))[SEED]
        await store.gone(1, SEED)
        await store.shown(1, SEED, seed.shown - 1, seed.channel, seed.message)
        await hall.bot.store._database.mark(  # type: ignore[union-attr]
            "UPDATE projections SET due = ? WHERE game = 1 AND what = ?", seed.due, SEED
        )
        count = len(list(hall.channel.history()))
        assert (await store.visible(1))[SEED].pending
        with hall.env._bot_scope():
            hall.bot.app.publisher.refresh(1)
        await hall.env.advance_time(30)
        assert not (await store.visible(1))[SEED].pending
        assert len(list(hall.channel.history())) == count
