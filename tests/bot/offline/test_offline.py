"""The offline table: the real bot and database file behind a page; it goes on after a restart and ends cleanly."""

from __future__ import annotations

import asyncio
import logging
import re
import socket
import time
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any

import aiohttp
import pytest
import simcord
from simcord.preview import _server

from bot.cli import main
from bot.discord.client import Harbormaster
from bot.discord.features import FEATURES
from bot.offline import PEOPLE, instructions, open_table, simcord_patches, welcome
from bot.settings import SettingsError
from bot.store import open_store
from bot.table.table import RUNNING
from bot.words.places import names_of
from tests.bot.discord.hall import BUTTON, parts
from tests.bot.offline.page import opened
from tests.bot.playground import ANN, Playground


async def test_the_page_shows_the_channel_and_what_other_people_do(tmp_path: Path) -> None:
    """A tab that does nothing itself shows what another person does."""
    async with open_table(tmp_path / "games.db", seats=6) as table:
        assert [person.name for person in table.preview.viewers] == ["ann", "ben", "cleo", "dan", "eva", "finn"]
        async with opened(table.preview.url) as tab:
            before = tab.shown
            assert len(before["timeline"]) == 1
            ann = table.preview.viewers[0]
            answer = await ann.slash(table.channel, "game new")
            assert answer.ephemeral
            for _ in range(50):
                await asyncio.sleep(0.1)
                state = await tab.state()
                if "Players: " in str(state["messages"]):
                    break
            assert "Players: " in str(state["messages"])
            times = [datetime.fromisoformat(page["profile"]["presentationTime"]) for page in (before, state)]
            assert times[0] < times[1], "what has just happened is in no future"


async def test_selects_below_pictures_stay_open(tmp_path: Path) -> None:
    """simcord still has the line that closes them. When this fails, check whether the patch is still needed."""
    source = Path(_server.__file__).with_name("static") / simcord_patches._SCRIPT.removeprefix("/")
    assert source.read_text("utf-8").count(simcord_patches._CLOSING) == 1
    async with (
        open_table(tmp_path / "games.db") as table,
        aiohttp.ClientSession(table.preview.url.split("/#")[0]) as session,
        session.get(simcord_patches._SCRIPT) as answer,
    ):
        text = await answer.text()
        assert "function fitOpenDropdowns" in text
        assert simcord_patches._CLOSING not in text
        page = source.with_name("index.html").read_text("utf-8")
        assert all(f'id="{name}"' in page for name in re.findall(r"#([\w-]+)", simcord_patches._PLAIN_TABLE))


async def test_pictures_are_served_unchanged(tmp_path: Path) -> None:
    """Pictures don't go through simcord's worker, which is slow and refuses when many wait."""
    async with open_table(tmp_path / "games.db") as table:
        ann, ben, *_ = table.preview.viewers
        await ann.slash(table.channel, "game new")
        await ben.slash(table.channel, "game join")
        await ann.slash(table.channel, "game start")
        await table.bot.app.publisher.idle()
        files = [file for message in table.channel.history() for file in message.attachments]
        assert len(files) == 1
        async with opened(table.preview.url) as tab:
            [picture] = [a for a in tab.shown["assets"].values() if a["filename"] == files[0].filename]
            assert await tab.asset(picture["id"]) == await files[0].read()
            assert table.preview._media_worker is None or table.preview._media_worker._process is None


def with_buttons(channel: simcord.ChannelHandle) -> list[Any]:
    """The messages with buttons."""
    return [message for message in channel.history() if any(parts(message, BUTTON))]


async def test_a_lobby_and_its_game_go_on_when_the_table_is_reopened(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The same people are in the same channel, the game message works, and no interaction is taken for a repetition."""
    file = tmp_path / "games.db"
    async with open_table(file) as table:
        assert table.waiting is None
        ann, ben, *_ = table.preview.viewers
        answer = await ann.slash(table.channel, "game new")
        assert "Table 1 is open" in answer.response.components[0]["content"]
        await ben.slash(table.channel, "game join")
    async with open_table(file) as table:
        assert table.waiting is not None
        [lobby] = with_buttons(table.channel)
        await table.preview.viewers[0].click(lobby, label="Start")
    for n in range(2):
        async with open_table(file, seats=1) as table:
            assert table.waiting is not None
            assert table.waiting.status == RUNNING
            assert [person.name for person in table.preview.viewers] == ["ann", "ben"]
            repository = table.bot.app.services.repository
            game = await repository.game(1)
            assert game.revision == n + 1
            [panel] = with_buttons(table.channel)
            assert panel.attachments
            user = table.waiting.user_at(game, game.to_act[0])
            [on_turn] = [person for person in table.preview.viewers if person.id == user]
            seat = game.to_act[0]
            [kind] = game.options(seat)
            action: Any = game.options(seat)[kind].sample(Random(1))
            at = names_of(game.view(seat), action.place)[action.at]
            await on_turn.slash(table.channel, "build settlement" if n == 0 else "build road", place=at)
            assert (await repository.game(1)).revision == n + 2
            assert not table.env.errors
    store = await open_store(file)
    assert await store.numbers() == [1]
    assert [record.getMessage() for record in caplog.records if record.levelno > logging.INFO] == []
    await store.close()


async def test_clicks_dont_wait_for_the_wal_file_to_be_folded(tmp_path: Path) -> None:
    """After a click, simcord waits for the timers that the click has started, if they end within seconds."""
    async with open_table(tmp_path / "games.db") as table:
        ann, ben, *_ = table.preview.viewers
        await ann.slash(table.channel, "game new")
        began = time.perf_counter()
        await ben.slash(table.channel, "game join")
        assert time.perf_counter() - began < 1.5


async def test_clicks_dont_wait_for_timers(tmp_path: Path) -> None:
    async with open_table(tmp_path / "games.db") as table:
        done = asyncio.Event()
        table.env._loop.call_later(2.5, done.set)  # type: ignore[union-attr]
        began = time.perf_counter()
        await table.preview.viewers[0].slash(table.channel, "game new")
        assert time.perf_counter() - began < 1.5
        await asyncio.wait_for(done.wait(), 5)


async def test_a_port_in_use_is_refused_with_one_sentence(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        with pytest.raises(SettingsError, match="is taken"):
            async with open_table(tmp_path / "games.db", port=other.getsockname()[1]):
                pass


async def test_a_file_that_is_no_database_is_refused_with_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "games.db").write_text("something else, long enough to be taken for a file of another kind" * 20)
    with pytest.raises(SettingsError, match="can't be used"):
        async with open_table(tmp_path / "games.db"):
            pass


@pytest.mark.parametrize("seats", [1, 4])
async def test_the_welcome_mentions_other_people_only_with_several_seats(tmp_path: Path, seats: int) -> None:
    async with open_table(tmp_path / "games.db", seats=seats) as table, opened(table.preview.url) as tab:
        [text] = tab.public
        assert "/game learn" in text
        assert "/game new" in text
        assert ("Join" in text) == ("Viewing as" in text) == (seats > 1)
    async with open_table(tmp_path / "games.db", seats=seats) as table, opened(table.preview.url) as tab:
        await tab.command("game new")
    async with open_table(tmp_path / "games.db", seats=seats) as table, opened(table.preview.url) as tab:
        await tab.wait(lambda: "**Table 1** continues" in "".join(tab.public))
        assert ("Viewing as" in "".join(tab.public)) == (seats > 1)


async def test_the_welcome_names_only_existing_commands(ground: Playground) -> None:
    tree = Harbormaster(Path("none.db")).tree
    for feature in FEATURES:
        for command in feature.commands:
            tree.add_command(command)
    commands = {command.qualified_name for command in tree.walk_commands()}
    lobby = await ground.lobby(ANN)
    for people in (PEOPLE[:1], PEOPLE[:4]):
        for table in (None, lobby):
            mentioned = re.findall(r"`/([\w ]+)`", welcome(people, table))
            mentioned += re.findall(r" /([a-z]+ [a-z]+)", instructions("", people, table, ""))
            assert mentioned
            assert set(mentioned) <= commands


def test_the_offline_table_refuses_a_postgresql_database(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("DISCORD_TOKEN", raising=False)
    monkeypatch.setenv("DATABASE_URL", "postgresql://ann:secret@127.0.0.1:1/games")
    assert main(["play"]) == 2
    assert capsys.readouterr().err.startswith("harbormaster: The offline table keeps its games in a file")
