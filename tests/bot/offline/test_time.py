"""Time goes on at the offline table, whatever its page does and however long something takes."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest

import render
from bot.offline import CLICK_WITHIN, open_table
from tests.bot.offline.page import opened
from tests.bot.offline.person import Person

STANDING = 15.0
"""The longest that a bot's move can take, in seconds, before it counts as stuck."""


@pytest.mark.soak
async def test_bots_play_on_if_the_process_that_thinks_for_them_freezes(tmp_path: Path) -> None:
    async with open_table(tmp_path / "games.db", seats=1) as table, opened(table.preview.url) as tab:
        person = Person(tab)
        await person.play(lambda: person.waits and bool(multiprocessing.active_children()))
        freeze()
        await plays_on(person)


@pytest.mark.soak
async def test_bots_play_on_after_a_click_that_hangs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_table(tmp_path / "games.db", seats=1) as table, opened(table.preview.url) as tab:
        person = Person(tab)
        await person.play(lambda: person.waits)
        plain = render.hand

        def slowly(*values: Any) -> bytes:
            time.sleep(CLICK_WITHIN + 1)
            return plain(*values)

        with monkeypatch.context() as hanging:
            hanging.setattr(render, "hand", slowly)
            assert (await tab.press("My hand"))["settlement"] == "timeout"
        await plays_on(person)


async def test_a_table_closed_while_a_bot_thinks_logs_no_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_table(tmp_path / "games.db", seats=1) as table, opened(table.preview.url) as tab:
        person = Person(tab)
        await person.play(lambda: person.waits and bool(multiprocessing.active_children()))
        freeze()
        await asyncio.sleep(4)
    assert [record.getMessage() for record in caplog.records if record.levelno > logging.INFO] == []


def freeze() -> None:
    """Stop the process that thinks for the bots."""
    for process in multiprocessing.active_children():
        assert process.pid is not None
        os.kill(process.pid, signal.SIGSTOP)


async def plays_on(person: Person) -> None:
    """Check that the game goes on for some turns without standing still."""
    until, turns = time.monotonic() + 45, person.turns
    await person.play(lambda: person.turns > turns + 2 or time.monotonic() > until)
    assert person.longest < STANDING, person.stood
    assert person.turns > turns + 2
    assert person.failed == []


@pytest.mark.soak  # only there, as other tests work without a page, too
async def test_bots_play_on_while_no_page_is_open(tmp_path: Path) -> None:
    async with open_table(tmp_path / "games.db", seats=1) as table:
        async with opened(table.preview.url) as tab:
            person = Person(tab)
            await person.play(lambda: person.waits)
            await tab.close()
        await asyncio.sleep(STANDING)
        async with opened(table.preview.url) as later:
            assert later.panel != tab.panel


async def test_the_click_that_ends_a_game_is_answered_before_its_film_is_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, drawn = render.film, asyncio.Event()
    loop = asyncio.get_running_loop()

    def slowly(*values: Any) -> bytes:
        time.sleep(3)
        loop.call_soon_threadsafe(drawn.set)
        return plain(*values)

    monkeypatch.setattr(render, "film", slowly)
    async with (
        open_table(tmp_path / "games.db", seats=2) as table,
        opened(table.preview.url) as ann,
        opened(table.preview.url, "Ben") as ben,
    ):
        await ann.command("game new")
        await ben.command("game join")
        await ann.wait(lambda: "Provably fair" in "".join(ann.public))
        await ann.command("game start")
        for tab, what in (ann, "Vote"), (ben, "Agree"):
            for label in ("More", "Pause, leave, change…", f"{what}: void the game"):
                await tab.press(label)
            receipt = await tab.press("Yes, void it")
            if tab is ann:  # her vote adds a part to the message, which renumbers the parts below it
                await ben.wait(lambda: "Ann: votes to void" in ben.panel)
        assert receipt["settlement"] == "settled"
        assert not drawn.is_set()
        await ben.wait(lambda: "the replay" in "".join(ben.public), 30)
