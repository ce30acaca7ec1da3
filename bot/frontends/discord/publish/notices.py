"""The warning that a table which nobody touches will be put away."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from bot.frontends.discord.publish import channels
from bot.frontends.discord.publish.display import Display
from bot.presentation.texts.language import _
from bot.presentation.viewer import mention
from bot.projections import Projections
from bot.service import PATIENCE
from bot.table.table import LOBBY, Table

IDLE = "idle:"


async def warn(display: Display, table: Table, known: Projections, awaited: Sequence[int]) -> None:
    """Post the warning that a table will be put away, or delete it when somebody has touched the table since."""
    projections = display.services.projections
    name = f"{IDLE}{table.warned:.0f}" if table.warned is not None and table.warned >= table.updated else ""
    for old in known.values():
        if old.what.startswith(IDLE) and (old.what != name or not table.open):
            if old.message is not None:
                await channels.delete(display.client, old.channel or table.channel, old.message)
            await projections.gone(table.number, old.what)
    if not name or not table.open or (name in known and known[name].message is not None):
        return
    text = f"{' '.join(map(mention, awaited))} · {_warning(table)}"
    sent = await channels.post(display.client, table.channel, table, name, text=text, pings=awaited)
    await projections.shown(table.number, name, table.version, channel=table.channel, message=sent.id)


def _warning(table: Table) -> str:
    """What will happen, when, and how it is prevented."""
    assert table.warned is not None
    when = f"<t:{ceil(table.warned + PATIENCE[table.status].grace)}:R>"
    if table.status == LOBBY:
        return _(
            "nobody has touched this table for two days. It will be closed {when} unless somebody uses it.", when=when
        )
    if table.choices.paused:
        return _("this game has been paused for four weeks. It will be archived {when} unless you go on.", when=when)
    return _(
        "nobody has moved in this game for four weeks. It will be archived {when} unless somebody moves.", when=when
    )
