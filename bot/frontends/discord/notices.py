"""The warning that a table which nobody touches will be put away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from typing import TYPE_CHECKING

from bot.frontends.discord import channels
from bot.models import LOBBY, Projection, Table
from bot.presentation.viewer import Viewer
from bot.service.clock import PATIENCE
from engine.geometry import bits

if TYPE_CHECKING:
    from bot.frontends.discord.context import AppContext

IDLE = "idle:"


async def warn(app: AppContext, table: Table, marks: Mapping[str, Projection], awaited: Sequence[int]) -> None:
    """Post the warning that a table will be put away, or delete it when somebody has touched the table since."""
    name = f"{IDLE}{table.warned:.0f}" if table.warned is not None and table.warned >= table.updated else ""
    for mark in marks.values():
        if mark.what.startswith(IDLE) and (mark.what != name or not table.open):
            if mark.message is not None:
                await channels.delete(app.client, mark.channel or table.channel, mark.message)
            await app.services.marks.gone(table.number, mark.what)
    if not name or not table.open or (name in marks and marks[name].message is not None):
        return
    channels.check(app.client, table.guild, table.channel)
    where = channels.messages(app.client, table.channel)
    text = f"{' '.join(f'<@{user}>' for user in awaited)} · {warning(table)}"
    sent = await channels.post(where, table, name, text=text, pings=awaited)
    await app.services.marks.shown(table.number, name, table.version, channel=table.channel, message=sent.id)


def warning(table: Table) -> str:
    """What will happen, when, and how it is prevented."""
    assert table.warned is not None
    at = ceil(table.warned + PATIENCE[table.status].grace)
    if table.status == LOBBY:
        return f"nobody has touched this table for two days. It will be closed <t:{at}:R> unless somebody uses it."
    return f"nobody has moved in this game for four weeks. It will be archived <t:{at}:R> unless somebody moves."


def awaited(public: Viewer) -> tuple[int, ...]:
    """The users for whom a game waits."""
    return tuple(public.users[seat] for seat in bits(public.view.awaited))
