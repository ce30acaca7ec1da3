"""The record of a finished game stays available, whatever else goes on in the channel; but not for strangers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from bot import export
from bot.export import load
from tests.wire.calls import COMPONENT, Interaction
from tests.wire.openings import called_off, end
from tests.wire.party import Party, Person, party
from tests.wire.places import Channel
from tests.wire.users import Human

RECORDS = ("game verify", "game log", "stats")


@pytest_asyncio.fixture
async def table(tmp_path: Path) -> AsyncIterator[Party]:
    """Four people. They have ended game 1 by agreement."""
    async with party(tmp_path, position=await called_off(tmp_path)) as found:
        yield found
        log = found.bot.log.read_text()
        assert "ERROR" not in log, log


def title(it: Interaction) -> str:
    """The text of the answer, with the names of its files."""
    return " ".join([it.text, *(name for m in it.messages for name in m.files)])


def is_record(it: Interaction) -> bool:
    """Whether it is a file or picture, a verification, or the dice of a game that ended before any roll."""
    return bool(it.messages[0].files) or "Verified" in it.text or it.text == "No dice have been rolled yet."


async def test_a_new_lobby_hides_no_record(table: Party) -> None:
    await table.people[1].slash(table.channel, "game new")
    exported = await table.people[0].slash(table.channel, "game verify")
    files = exported.messages[0].files
    assert sorted(files) == ["game-1.html", "game-1.json"]
    assert export.verified(load(files["game-1.json"].decode())).revision == (await table.read()).revision
    for command in RECORDS:
        it = await table.people[0].slash(table.channel, command)
        assert is_record(it), command


async def test_a_rematch_hides_no_record(table: Party) -> None:
    await table.rematch()
    ann = table.people[0]
    assert "game-1.json" in title(await ann.slash(table.channel, "game verify", game=1))
    assert "game-2.txt" in title(await ann.slash(table.channel, "game log"))
    assert "game-1.txt" in title(await ann.slash(table.channel, "game log", game=1))
    running = await ann.slash(table.channel, "game verify")
    assert "Game 2" in running.text
    assert not running.messages[0].files
    await end(table)
    assert "game-2.json" in title(await ann.slash(table.channel, "game verify"))
    assert "game-1.json" in title(await ann.slash(table.channel, "game verify", game=1))


async def test_matching_games_are_suggested_newest_first(table: Party) -> None:
    await table.rematch()
    human = table.people[0].human
    begun = await human.autocomplete("game log", {"game": ""}, "game")
    assert begun[1] == {"name": "1 · The base game · Alice, Bob, Carol, Dave · over", "value": 1}
    assert [choice["value"] for choice in begun] == [2, 1]
    assert begun[0]["name"].endswith(" · running")
    assert [c["value"] for c in await human.autocomplete("stats", {"game": "over"}, "game")] == [1]
    assert await human.autocomplete("game verify", {"game": ""}, "game", channel=table.wire.world.pier) == []


async def test_only_its_players_see_the_record_of_another_channels_game(table: Party) -> None:
    elsewhere: Channel = table.wire.world.pier
    stranger = Person(table, table.wire.user("Heidi"))
    for command in RECORDS:
        mine = await table.people[2].slash(elsewhere, command, game=1)
        assert is_record(mine), command
        theirs = await stranger.slash(elsewhere, command, game=1)
        missing = await stranger.slash(elsewhere, command, game=999)
        assert theirs.text == "There is no game 1 in this channel or among yours."
        assert missing.text == theirs.text.replace("1", "999")
        assert not theirs.messages[0].files
        here = await stranger.slash(table.channel, command, game=1)
        assert is_record(here), command


async def test_a_forged_button_reveals_nothing_about_another_channels_game(table: Party) -> None:
    """The game's buttons are in its own channel, and in direct messages to its players."""
    elsewhere: Channel = table.wire.world.pier
    mallory = table.wire.user("Heidi")

    async def press(user: Human, verb: str, number: int) -> str:
        data = {"component_type": 2, "custom_id": f"hb:{verb}:{number}:"}
        it = await user.raw(COMPONENT, data, channel=elsewhere)
        await table.wire.until(lambda: it.text)
        assert not any(m.files for m in it.messages)
        return it.text

    for verb in ("board", "stats", "dice", "rules", "hand", "more", "offers", "rematch", "join", "options"):
        answer = await press(mallory, verb, 1)
        assert answer == "There is no game 1 here.", verb
        assert answer == (await press(mallory, verb, 999)).replace("999", "1"), verb
    assert "1" in await press(table.people[0].human, "rules", 1)
