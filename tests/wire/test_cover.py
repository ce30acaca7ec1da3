"""A rehearsal sends everything that games send: what a host is told about the real Discord holds for games."""

from __future__ import annotations

from pathlib import Path

from tests.wire.cover import sent_by_games, sent_by_rehearsal

PLAYED = {
    "PUT /applications/…/commands",
    "answer by token, public",
    "box > section > button: green",
    "edit by token, public: keeps a file",
    "first answer of type 5",
    "form: label > checkboxes",
    "post in a channel: names someone",
    "post in a direct message: new files",
    "post in a private thread: new files",
    "post in a thread: nonce",
    "post in a voice channel",
    "row > list of roles: chosen before",
    "row > list: options with an emoji of the bot's own",
}
"""Some of what games send: if it is there, people have gone everywhere."""


async def test_a_rehearsal_sends_everything_that_games_send(tmp_path: Path) -> None:
    games = await sent_by_games(tmp_path)
    assert games >= PLAYED
    assert sorted(games - await sent_by_rehearsal(tmp_path)) == []
