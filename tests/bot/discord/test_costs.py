"""What is asked for again and again is worked out, sent and posted once."""

from __future__ import annotations

from typing import Any

import pytest

import render
from bot import export
from bot.discord.features import history
from bot.screens import catchup
from bot.service.people import PrivacyService
from bot.table.acts.play import Play
from engine.actions import Resign
from tests.bot.discord.conftest import Opened
from tests.bot.discord.hall import Hall, answer, reply, text

PRESSES = 5


def count(monkeypatch: pytest.MonkeyPatch, place: Any, name: str) -> list[None]:
    """A list that gets longer with each call of a function."""
    calls, function = list[None](), getattr(place, name)

    def counted(*values: Any, **named: Any) -> Any:
        calls.append(None)
        return function(*values, **named)

    monkeypatch.setattr(place, name, counted)
    return calls


async def press(hall: Hall, path: str) -> list[str]:
    """Have two people give a command again and again. Returns what it says."""
    return [answer(await person.slash(hall.channel, path)) for person in hall.people[:2] for _ in range(PRESSES)]


async def test_stats_story_and_what_was_missed_are_worked_out_once_until_something_happens(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_hall(3) as hall:
        await hall.begin(target=14)
        await hall.advance(lambda game: game.turn > 8)
        drawn, told = count(monkeypatch, render, "figures"), count(monkeypatch, history, "log_of")
        missed = count(monkeypatch, catchup, "look_back")
        for _ in range(2):
            for path in ("stats", "game log", "catchup"):
                await press(hall, path)
        assert (len(drawn), len(told), len(missed)) == (1, 2, 2), "people have stories of their own"
        await hall.advance(lambda game: game.turn > 9)
        for path in ("stats", "game log", "catchup"):
            await press(hall, path)
        assert (len(drawn), len(told), len(missed)) == (2, 4, 4)


async def test_a_finished_game_is_checked_once(open_hall: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_hall(2) as hall:
        await hall.begin()
        with hall.env._bot_scope():
            await hall.services.games.act(1, hall.people[0].id, Play(Resign()), "gone")
        checked = count(monkeypatch, export, "verified")
        said = await press(hall, "game verify")
        assert len(set(said)) == 1
        assert said[0].startswith("### Game 1\nVerified: ")
        assert len(checked) == 1


async def test_a_persons_data_are_read_once_a_minute_and_not_kept_when_they_are_forgotten(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_hall(2) as hall:
        read, person = count(monkeypatch, PrivacyService, "data"), hall.people[0]
        page = reply(await person.slash(hall.channel, "privacy"))
        for _ in range(PRESSES):
            page = reply(await person.click(page, label="Export my data"))
        assert len(read) == 1
        await hall.env.advance_time(61)
        page = reply(await person.click(page, label="Export my data"))
        assert len(read) == 2
        page = reply(await person.click(page, label="Forget me"))
        await person.click(page, label="Yes, forget me")
        page = reply(await person.slash(hall.channel, "privacy"))
        await person.click(page, label="Export my data")
        assert len(read) == 3


async def test_a_page_of_the_leaderboard_is_shown_to_everyone_once_a_minute(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        await hall.begin()
        await hall.advance(lambda game: game.turn > 2)
        with hall.env._bot_scope():
            await hall.services.games.act(1, hall.people[0].id, Play(Resign()), "gone")
        await hall.env.advance_time(30)
        person = hall.people[0]

        def shown() -> int:
            return sum("Leaderboard" in text(message) for message in hall.channel.history())

        for _ in range(PRESSES):
            board = reply(await person.slash(hall.channel, "leaderboard"))
            await person.click(board, label="Show everyone here")
        assert shown() == 1
        await hall.env.advance_time(61)
        await person.click(reply(await person.slash(hall.channel, "leaderboard")), label="Show everyone here")
        assert shown() == 2


async def test_a_game_is_moved_once_a_minute(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        await hall.begin()
        host, there = hall.people[0], hall.guild.create_text_channel("there")
        places = [there, hall.channel, there, hall.channel]
        said = [answer(await host.slash(place, "game move", game=1)) for place in places]
        assert [words.split(".")[0] for words in said] == ["Game 1 continues here", *["The game was just moved"] * 3]
        await hall.env.advance_time(61)
        assert "continues here" in answer(await host.slash(hall.channel, "game move", game=1))
        continued = [m for m in hall.channel.history() if "continues in" in text(m)]
        assert len(continued) <= 1
