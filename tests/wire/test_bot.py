"""The unmodified bot over real sockets: logging in, all that people use, and what is refused."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from bot import export
from bot.export import load
from players import computer
from tests.bot.discord.hall import reply
from tests.wire.messages import EPHEMERAL, SILENT, V2
from tests.wire.model import EVERYTHING, Permission
from tests.wire.openings import begun, main_step, on_turn, roll_step
from tests.wire.party import Party, Person, party

SIGNATURE = b"\x89PNG\r\n\x1a\n"
POSITIONS = {"begun": begun, "to roll": roll_step, "rolled": main_step}


def game(position: str) -> pytest.MarkDecorator:
    """The table's game has reached that position."""
    return pytest.mark.parametrize("table", [position], indirect=True)


@pytest_asyncio.fixture
async def table(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Party]:
    """A bot and four people, whose game can have reached a position. It must not log an error."""
    env, param = {}, getattr(request, "param", "")
    if param == "postgresql":
        env["DATABASE_URL"] = request.getfixturevalue("new_database")()
    position = await POSITIONS[param](tmp_path) if param in POSITIONS else None
    async with party(tmp_path, env=env, position=position) as found:
        yield found
        log = found.bot.log.read_text()
        assert "ERROR" not in log, log


async def until_step(table: Party, *steps: str) -> None:
    """Play until the game is in one of these steps."""
    for _ in range(300):
        if (await table.game()).view(None).step.kind in steps:
            return
        await table.step()
    raise AssertionError(f"never {steps}")


# --- logging in


async def test_unchanged_commands_are_registered_only_once(table: Party) -> None:
    assert len(table.wire.calls("PUT /applications/")) == 1
    names = {command["name"] for command in table.wire.world.commands[0]}
    assert {"game", "build", "trade", "play", "roll", "end", "hand", "settings"} <= names
    await table.bot.restart()
    assert len(table.wire.calls("PUT /applications/")) == 1
    assert (await table.people[0].slash(table.channel, "game new")).kind == 5


@game("begun")
async def test_harbormaster_stops_cleanly_when_asked(table: Party) -> None:
    assert await table.bot.stop() == 0
    assert not table.bot.database.with_name("game.db-wal").exists()


# --- what people use


async def test_a_game_is_started_with_buttons(table: Party) -> None:
    await table.begin()
    await table.panel_current()
    panel = await table.panel()
    assert panel.flags & V2
    assert panel.files["board.png"].startswith(SIGNATURE)
    assert all("Alice (" in alt for alt in panel.alt_texts)
    first = (await on_turn(table)).human
    assert [ping.user for ping in table.wire.world.pings if ping.message is panel] == [first]
    assert table.panels() == [panel]  # the lobby has lost its buttons


@game("begun")
async def test_a_command_suggests_legal_places_and_carries_out_the_choice(table: Party) -> None:
    person = await on_turn(table)
    choices = await person.human.autocomplete("build settlement", {"place": ""}, "place")
    assert len(choices) == 25
    other = next(p for p in table.people if p is not person)
    assert await other.human.autocomplete("build settlement", {"place": ""}, "place") == []
    it = await person.slash(table.channel, "build settlement", place=choices[0]["value"])
    assert it.response is not None
    assert it.response.flags & EPHEMERAL
    assert (await table.settled(2)).revision == 2
    await table.panel_current()


async def test_the_user_menu_has_the_profile_command(table: Party) -> None:
    one, other, *_ = table.people
    profile = await table.done(one.human.use_on(other.human, "Profile", channel=table.channel))
    assert other.human.name in profile.text
    assert "They have no rated games" in profile.text


@game("begun")
async def test_a_picker_shows_the_board_and_its_select_places_a_settlement(table: Party) -> None:
    person = await on_turn(table)
    panel = await table.panel()
    picker = await person.click(panel, label="Place settlement")
    assert reply(picker).only_for is person.human
    assert reply(picker).files["board.png"].startswith(SIGNATURE)
    assert reply(picker).files != panel.files
    choice = reply(picker).interactive[0]
    await person.select(reply(picker), [choice["options"][0]["value"]], custom_id=choice["custom_id"])
    await table.settled(2)
    assert "road" in reply(picker).text  # the same private message goes on to the next placement
    await table.panel_current()


@game("rolled")
async def test_a_form_with_a_bad_offer_is_refused(table: Party) -> None:
    person = await on_turn(table)
    panel = await table.panel()
    draft = await person.click(panel, label="Offer a trade")
    form = await person.click(reply(draft), label="Type it instead")
    assert form.kind == 9
    before = (await table.read()).revision
    refused = await person.submit_modal(form, {"give": "two sheep and a half", "want": "1 ore"})
    await table.settled()
    assert refused.text
    assert (await table.read()).revision == before


@game("rolled")
async def test_hands_are_sent_by_direct_message(table: Party) -> None:
    await table.until_turn((await table.game()).turn + 2)
    for person in table.people:
        [message] = table.wire.dms(person.human)
        assert message.files["hand.png"].startswith(SIGNATURE)
        assert message.alt_texts


async def test_a_player_with_closed_direct_messages_is_tried_once_and_told_privately(table: Party) -> None:
    closed = table.people[1]
    closed.human.dm_refusal = 50007  # before the game begins, when the first player gets a hand
    await table.begin()
    for _ in range(16):
        await table.step()
    notices = [m for m in table.wire.messages() if "let me message you" in m.text]
    assert notices == [], "nobody is waited for as long as an order would take"
    dm = table.wire.world.dm(closed.human)
    assert len(table.wire.calls(f"POST /channels/{dm.id}/messages")) == 1
    hand = await closed.slash(table.channel, "hand")
    assert hand.messages[0].files["hand.png"].startswith(SIGNATURE)
    assert "Discord won't let me message you" in hand.text


@game("begun")
async def test_only_its_player_can_see_a_hand(table: Party) -> None:
    it = await table.people[2].click(await table.panel(), label="My hand")
    assert reply(it).only_for is table.people[2].human
    stranger = Person(table, table.wire.user("Heidi"))
    refused = await stranger.click(await table.panel(), label="My hand")
    assert "You're not playing in this game" in refused.text


@pytest.mark.parametrize("table", ["sqlite", pytest.param("postgresql", marks=pytest.mark.soak)], indirect=True)
async def test_a_game_is_played_to_its_end(table: Party) -> None:
    await play_to_the_end(table, target=3)


@pytest.mark.soak
async def test_a_whole_game_works_when_everything_is_delivered_twice(tmp_path: Path) -> None:
    async with party(tmp_path, 9, twice=True, limits=True) as table:
        await play_to_the_end(table, target=10)
        (await table.read()).check_once(table.delivered)


async def play_to_the_end(table: Party, target: int) -> None:
    """Play a game until it is won, as bots would, and check the record that people get."""
    await table.begin(target=target)
    player = computer("easy", table.rng)
    while (game := await table.game()).outcome is None:
        seat = game.to_act[0]
        await table.play(await table.person(seat), player.decide(game.view(seat), game.options(seat)))
    await table.panel_current()
    seed = [m for m in table.wire.messages() if "Check every die" in m.text]
    assert len(seed) == 1
    exported = await table.people[0].slash(table.channel, "game verify")
    file = exported.messages[0].files["game-1.json"]
    assert export.verified(load(file.decode())).revision == (await table.read()).revision


# --- what is refused


@game("to roll")
async def test_an_old_button_is_refused_with_a_link_to_the_panel(table: Party) -> None:
    person, panel = await on_turn(table), await table.panel()
    await person.click(panel, label="Roll")
    stored = await table.settled((await table.read()).revision)
    late = await person.human.click(panel, "Roll", stale=True)
    told = await table.wire.until(lambda: [message for message in late.messages if message.only_for])
    assert "expired" in told[0].text
    assert (await table.read()).records[: stored.revision] == stored.records

    await until_step(table, "pre_roll")  # in the next turn, in a new message
    later = await person.human.click(panel, "Roll", stale=True)

    def links() -> list[object]:
        return [c for m in later.messages for row in m.components for c in row.get("components", []) if c.get("url")]

    await table.wire.until(links)


@game("to roll")
async def test_clicks_by_strangers_or_out_of_turn_are_refused_privately(table: Party) -> None:
    person, panel = await on_turn(table), await table.panel()
    before = await table.read()
    other = next(p for p in table.people if p is not person)
    for who in (other, Person(table, table.wire.user("Heidi"))):
        it = await who.click(panel, label="Roll")
        assert {message.only_for for message in it.messages if message is not panel} == {who.human}
    assert (await table.read()).records == before.records
    await table.panel_current()


async def test_a_missing_permission_is_named(table: Party) -> None:
    for missing, name in [
        (Permission.ATTACH_FILES, "Attach Files"),
        (Permission.SEND_MESSAGES, "Send Messages"),
        (Permission.VIEW_CHANNEL, "View Channel"),
        (Permission.READ_MESSAGE_HISTORY, "Read Message History"),
    ]:
        await table.wire.forbid(table.channel, missing)
        it = await table.people[0].slash(table.channel, "game new")
        assert name in it.text
        assert table.wire.messages() == []
        await table.wire.allow(table.channel, EVERYTHING)


async def test_a_post_that_mentions_no_users_is_silent(table: Party) -> None:
    await table.begin()
    for _ in range(4):
        await table.step()
    own = [table.wire.world.dm(person.human).id for person in table.people]
    posts = [r for r in table.wire.calls("POST /channels/") if int(r.path.split("/")[2]) not in own]
    silent = [bool((post.json.get("flags") or 0) & SILENT) for post in posts]
    assert silent == [not post.json["allowed_mentions"].get("users") for post in posts]
    assert {True, False} == set(silent)


@game("to roll")
async def test_a_game_recovers_when_a_removed_permission_is_restored(table: Party) -> None:
    person = await on_turn(table)
    await table.wire.forbid(table.channel, Permission.SEND_MESSAGES)
    person, action = await table.choose()
    await table.do(person, action)
    await table.wire.settled(0.3)
    await table.wire.allow(table.channel, EVERYTHING)
    await table.step()
    await table.panel_current()


async def test_a_thread_can_have_its_own_table(table: Party) -> None:
    first = await table.people[0].slash(table.channel, "game new")
    second = await table.people[0].slash(table.channel, "game new")
    assert "is waiting for players" in second.text
    third = await table.people[0].slash(table.wire.world.pier, "game new")
    assert first.text.startswith("Table 1 is open")
    assert third.text.startswith("Table 2 is open")


async def test_an_unreachable_discord_ends_the_process_with_one_sentence(tmp_path: Path) -> None:
    """The process ends with status 1 and without a traceback."""
    environment = {**os.environ, "DISCORD_TOKEN": "x", "HARBORMASTER_REST_BASE": "http://127.0.0.1:9/api/v10"}
    command = [sys.executable, "-m", "bot", "run", "--database", str(tmp_path / "x.db")]
    done = await asyncio.to_thread(
        subprocess.run,
        command,
        env=environment,
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert "can't be reached" in done.stderr
    assert "Traceback" not in done.stderr
