"""The warning that a table which no one uses will be closed or archived."""

from __future__ import annotations

from math import ceil

from bot.discord.show.wanted import Call, Content, Say
from bot.projections import Kind, Name
from bot.screens.viewer import mention
from bot.service import TABLE_PATIENCE
from bot.table.table import LOBBY, Table
from bot.words.language import _


def wanted(table: Table, awaited: tuple[int, ...]) -> list[Call]:
    """The warning, until someone uses the table."""
    if not table.open or table.warned is None or table.warned < table.updated:
        return []
    warning = _warning(table)

    async def draw() -> Say:
        return lambda called: Content(text=" · ".join(filter(None, (" ".join(map(mention, called)), warning))))

    name = Name(Kind.IDLE, f"{table.warned:.0f}")
    return [Call(name=name, draw=draw, once=True, users=awaited, topic=str(name))]


def _warning(table: Table) -> str:
    """What will happen, when, and how to prevent it."""
    assert table.warned is not None
    when = f"<t:{ceil(table.warned + TABLE_PATIENCE[table.status].grace)}:R>"
    if table.status == LOBBY:
        return _("no activity at this table for two days. It closes {when} unless someone uses it.", when=when)
    if table.paused:
        return _(
            "this game has been paused for four weeks. It will be archived {when} unless you resume it.", when=when
        )
    return _("no moves in this game for four weeks. It will be archived {when} unless someone moves.", when=when)
