"""`harbormaster rehearse`: at the stand-in all is as expected, and each fault made there is named by its step."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.rehearsal.steps import AWAY, STEPS
from tests.wire.model import Permission
from tests.wire.places import NOTHING, VOICE, Channel, Role
from tests.wire.rates import Limit
from tests.wire.server import WireServer
from tests.wire.stagehand import rehearsal, rehearsing

OWN = [{"id": "7", "application_id": "1", "version": "1", "type": 1, "name": "game", "description": "Play"}]
"""The commands that the bot itself has registered."""


def all_gone(wire: WireServer) -> bool:
    """Whether the rehearsal has left no message, thread, emoji or command, and the bot's own commands are as before."""
    messages = [m for m in wire.world.messages.values() if not m.deleted]
    threads = [c for c in wire.world.channels.values() if c.parent and c is not wire.world.pier]
    rehearsed = [name for name in wire.world.emoji.values() if name.startswith("rehearse")]
    return not messages + threads + rehearsed and wire.world.commands == {0: OWN, wire.world.home.id: []}


async def test_a_rehearsal_succeeds_and_leaves_nothing_behind(tmp_path: Path) -> None:
    async with WireServer() as wire:
        wire.world.commands[0] = list(OWN)
        sailors(wire)
        done = await rehearsal(wire, tmp_path)
        assert done.status == 0, done.said
        lines = [line for line in done.said.splitlines() if ">>" not in line]
        assert [line.split()[:2] for line in lines[:-1]] == [["ok", step.name] for step in (*STEPS, AWAY)]
        assert lines[-1] == "All as expected."
        assert all_gone(wire)
        assert not wire.unserved + wire.undescribed
        assert not any(token in done.said for token in (wire.token, *wire.world.interactions))


def sailors(wire: WireServer) -> None:
    """Make a role that anyone may mention."""
    role = Role(wire.world.ids(), "Sailors", NOTHING, mentionable=True)
    wire.world.home.roles[role.id] = role


def garbled(payload: dict[str, Any]) -> None:
    """Spoil clicks by removing the right to attach files, and forms by removing their values."""
    payload["app_permissions"] = str(int(payload["app_permissions"]) & ~Permission.ATTACH_FILES)
    if payload["type"] == 5:
        for label in payload["data"]["components"]:
            label["component"].pop("value", None)
            label["component"].pop("values", None)


def changed(**fields: Any) -> Callable[[dict[str, Any]], None]:
    return lambda answer: answer.update(fields)


def still(answer: dict[str, Any]) -> None:
    """Make a film no longer animated."""
    media = answer["components"][1]["items"][0]["media"]
    media |= {"content_type": "image/png", "flags": 0}


def bare(answer: dict[str, Any]) -> None:
    """Remove a button's emoji."""
    del answer["components"][1]["components"][0]["emoji"]


WRONG = {
    "application": "interactions endpoint URL: https://example.org instead of nothing",
    "gateway": "sessions left: 3 instead of 21 to 1,000,000",
    "command": "Discord refuses: 400 30034",
    "register": "it needs command",
    "post": "text: changed from character ",
    "nonce": "messages: 2 instead of 1",
    "edit-words": "pictures: 0 instead of 1",
    "edit-picture": "Discord refuses: 400 50035",
    "delete": "status: 403 50013 (Missing Permissions) instead of 200 or 201 or 204",
    "emoji": "on the button: no instead of yes",
    "role": "mentions with leave: none instead of the role",
    "thread": "more may be opened: no instead of yes",
    "press": "lacks: Attach Files instead of none",
    "private": "new picture: 400 50035",
    "name": "mentions without leave: ",
    "direct": "Discord refuses: 403 50007",
    "room": "Discord refuses: 429",
    "film": "content type: image/png instead of image/webp; animated: no instead of yes",
    "form": (
        "words: no instead of yes; choice: nothing instead of easy or strong; side: nothing instead of sea or land; "
        "boxes: nothing instead of wool"
    ),
    "slash": "it needs command",
    "limits": "used up for long: POST /channels/{channel_id}/threads instead of none",
    "away": "stays: message ",
}
"""What must be said of the wrong answers, by step."""


async def test_each_wrong_answer_is_named(tmp_path: Path) -> None:
    async with WireServer() as wire:
        alice, edit = wire.user("Alice"), r"PATCH /channels/\d+/messages/"
        endpoint = changed(interactions_endpoint_url="https://example.org")
        wire.fault(r"GET /applications/@me", lie=endpoint)
        limit = {"total": 1000, "remaining": 3, "reset_after": 0, "max_concurrency": 1}
        wire.fault("GET /gateway/bot", lie=changed(session_start_limit=limit))
        wire.fault(r"POST /applications/\d+/guilds", code=30034)
        wire.world.rewrites.append(lambda text: text.replace("🩵", ""))
        wire.world.nonce_window = 0.0
        wire.fault(edit, about="Only the words", lie=lambda answer: answer["components"].pop())
        wire.world.losing_uploads = frozenset({"edit"})
        wire.rates.set("create thread", Limit(1, 300.0, fixed=True, scope="shared"))
        wire.garble = garbled
        wire.fault(r"POST /channels", about="of the bot's own", lie=bare)
        wire.fault(edit, about="is your name here", lie=changed(mentions=[alice.json()]))
        sailors(wire)
        wire.fault(r"POST /channels", about="a role, silently", lie=changed(mention_roles=[]), times=2)
        alice.dm_refusal = 50007
        wire.fault(r"POST /channels", about="does this film", lie=still)
        wire.fault(r"DELETE /channels/\d+/messages", code=50013, times=99)
        wire.fault(r"POST /webhooks/", 429)
        done = await rehearsal(wire, tmp_path, "--json")
        assert done.status == 1
        assert done.wrong.keys() == WRONG.keys(), done.said
        assert "refused: POST /webhooks/{webhook_id}/{webhook_token} x1" in done.wrong["limits"]
        assert not any(token in done.said for token in (wire.token, *wire.world.interactions))
        assert not {name: done.wrong[name] for name in WRONG if WRONG[name] not in done.wrong[name]}
        assert all("docs/first-day.md#" in step["see"] for step in done.steps.values() if step["state"] == "failed")
        assert "You take no direct messages" in done.steps["direct"]["means"]


async def nobody(wire: WireServer) -> None:
    """Help with nothing."""


async def test_steps_whose_button_is_not_pressed_are_skipped(tmp_path: Path) -> None:
    async with WireServer() as wire:
        wire.world.commands[0] = list(OWN)
        wire.fault(r"POST /channels/\d+/threads", code=50013)
        done = await rehearsal(wire, tmp_path, "--json", "--within", "0.1", help_out=nobody)
        assert done.status == 1
        assert {name for name, step in done.steps.items() if step["state"] == "skipped"} == {
            *("press", "private", "choose", "name", "ping", "direct", "in-thread", "in-voice", "room"),
            *("film", "form", "slash"),
        }
        assert (done.steps["thread"]["state"], done.steps["thread"]["means"]) == (
            "failed",
            "Harbormaster lacks a permission.",
        )
        assert all_gone(wire)


async def test_a_missing_permission_is_named_and_all_that_needs_no_files_is_tried(tmp_path: Path) -> None:
    async with WireServer() as wire:
        wire.world.commands[0] = list(OWN)
        await wire.forbid(wire.world.table, Permission.ATTACH_FILES)
        done = await rehearsal(wire, tmp_path, "--json")
        assert "lacks: Attach Files instead of none" in done.wrong["channel"]
        for step in ("post", "game", "in-thread", "room", "film"):
            assert done.steps[step]["state"] in ("failed", "differs"), step
            assert done.steps[step]["means"] == "Harbormaster lacks Attach Files. Give it that in this channel.", step
        skipped = {name for name, step in done.steps.items() if step["state"] == "skipped"}
        assert skipped == {"nonce", "edit-words", "edit-picture"}, "they are about the message with the picture"
        tried = ("delete", "emoji", "thread", "name", "ping", "direct", "form", "slash")
        assert [done.steps[step]["state"] for step in tried] == ["ok"] * len(tried)
        assert all_gone(wire)


async def test_a_missing_policy_and_an_activity_are_not_as_expected(tmp_path: Path) -> None:
    async with WireServer() as wire:
        wire.world.commands[0] = [{**OWN[0], "type": 4, "name": "launch"}]
        wire.fault(r"GET /applications/@me", lie=changed(privacy_policy_url=None))
        done = await rehearsal(wire, tmp_path, "--json", "--within", "0.1", help_out=nobody)
        assert done.wrong["application"] == "privacy policy: no instead of yes"
        assert done.wrong["command"] == "activities: yes instead of no"


async def test_a_button_in_a_voice_channel_is_pressed_if_there_is_one(tmp_path: Path) -> None:
    async with WireServer() as wire:
        world = wire.world
        world.commands[0] = list(OWN)
        for name in ("closed", "saloon"):
            voice = Channel(world.ids(), name, guild=world.home, type=VOICE)
            world.channels[voice.id] = voice
        closed, _open = (c for c in world.channels.values() if c.type == VOICE)
        await wire.forbid(closed, Permission.CONNECT)
        done = await rehearsal(wire, tmp_path, "--json")
        assert (done.status, done.wrong) == (0, {}), done.said
        assert "of the voice channel *saloon*" in done.said
        assert done.steps["in-voice"]["seen"]["pressed"] == 200
        assert all_gone(wire)


async def test_a_rehearsal_works_without_optional_permissions(tmp_path: Path) -> None:
    async with WireServer() as wire:
        await wire.forbid(wire.world.table, Permission.MANAGE_THREADS | Permission.CREATE_PRIVATE_THREADS)
        done = await rehearsal(wire, tmp_path, "--json")
        assert (done.status, done.wrong) == (0, {})
        assert "can't make private threads" in done.steps["room"]["wrong"][0]
        (thread,) = (c for c in wire.world.channels.values() if c.parent and c is not wire.world.pier)
        assert thread.archived
        assert str(thread.id) in done.steps["away"]["seen"]["left to you"]


async def test_a_stopped_rehearsal_removes_everything_it_made(tmp_path: Path) -> None:
    async with WireServer() as wire:
        wire.world.commands[0] = list(OWN)
        async with rehearsing(wire, tmp_path) as bot:
            await bot.says("Press the button")
            assert not all_gone(wire)
            bot.signal(signal.SIGINT)
            assert await bot.ended() == 1
            assert all_gone(wire)
            assert "Traceback" not in bot.tail()


@pytest.mark.parametrize(
    ("token", "channel", "status", "reason"),
    [
        ("another", 0, 2, "harbormaster: Discord refuses the token"),
        ("", 7, 1, "Discord refuses: 404 10003 (Unknown Channel). The ID is no channel"),
    ],
)
async def test_a_wrong_token_or_channel_ends_a_rehearsal_before_it_posts(
    tmp_path: Path, token: str, channel: int, status: int, reason: str
) -> None:
    async with WireServer() as wire:
        env = {"DISCORD_TOKEN": token or wire.token}
        async with rehearsing(wire, tmp_path, env=env, channel=channel) as bot:
            assert await bot.ended() == status
            assert reason in bot.tail()
        assert not wire.world.messages
