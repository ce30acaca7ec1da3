"""The program's own emoji over sockets: uploaded once, found again, and replaced by Unicode's if Discord takes none."""

from __future__ import annotations

from pathlib import Path

from bot.discord.show.messages import SIGNS
from bot.words.marks import RESOURCE_SIGNS
from engine.resources import RESOURCES
from tests.wire.party import Party, party

UPLOAD = r"POST /applications/\d+/emojis"


def uploads(table: Party) -> int:
    return sum(r.method == "POST" and r.path.endswith("/emojis") for r in table.wire.requests)


async def test_own_emoji_are_uploaded_once_and_found_again(tmp_path: Path) -> None:
    async with party(tmp_path, people=2, messages=False) as table:
        world = table.wire.world
        await table.bot.kill()
        world.emoji.clear()
        await table.bot.start()
        await table.wire.until(lambda: len(world.emoji) == len(SIGNS), what="all are uploaded")
        assert set(world.emoji.values()) == set(SIGNS)
        assert uploads(table) == len(SIGNS)
        await table.bot.kill()
        await table.bot.start()
        await table.begin()
        assert uploads(table) == len(SIGNS)
        await table.step()  # a settlement: the panel shows what it gives
        panel = await table.panel()
        assert any(f"<:{name}:" in panel.text for name in RESOURCES)
        await table.panel_current()


async def test_unicode_emoji_are_used_if_discord_refuses_uploads(tmp_path: Path) -> None:
    async with party(tmp_path, people=2, messages=False) as table:
        await table.bot.kill()
        table.wire.world.emoji.clear()
        table.wire.fault(UPLOAD, code=50013, times=99)
        await table.bot.start()
        await table.bot.says("own emoji can't be used yet")
        await table.begin()
        await table.step()
        panel = await table.panel()
        assert any(sign in panel.text for sign in RESOURCE_SIGNS)
        assert "<:" not in panel.text
        await table.panel_current()
