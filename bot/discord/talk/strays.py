"""Handles a click on a public message that no projection knows: the message loses its buttons."""

from __future__ import annotations

import asyncio
import logging

from bot.discord.show import channels
from bot.discord.show.reconcile import ASKED
from bot.discord.show.strays import without_buttons
from bot.discord.talk.call import Call
from bot.projections import PANEL, PING, TURN, Projection
from bot.screens.controls import Reply
from bot.store import Unavailable
from bot.words.language import N_, _

log = logging.getLogger(__name__)

OUTDATED = N_("This message is out of date. Nothing was done.")
PATIENCE = 1.0
"""Seconds that the check can take: the click must be acknowledged within three."""


async def is_stray(call: Call) -> bool:
    """Whether the interaction comes from a public message that isn't kept up to date."""
    message, number, app = call.interaction.message, call.address.game, call.app
    if message is None or not call.on_public or not number or app.display.is_posted(number, message.id):
        return False
    try:
        async with asyncio.timeout(PATIENCE):
            projections = await app.services.projections.visible(number)
    except (TimeoutError, Unavailable):
        return False
    return not any(
        projection.message == message.id or _is_unnoted(projection, call.user.id) for projection in projections.values()
    )


def _is_unnoted(projection: Projection, user: int) -> bool:
    """Whether the message of a projection might have been posted but not noted yet, so that any message could be it.

    If the process is killed in between, the next one finds the message again.
    """
    what = projection.what
    wanted = projection.channel is None and what.startswith((TURN, PING, f"{ASKED}{user}:"))
    return wanted or (what == PANEL and projection.pending)


async def retire(call: Call) -> Reply:
    """Remove the message's buttons but keep its text, and say where the game goes on."""
    message = call.interaction.message
    assert message is not None
    try:
        mentions = channels.kept_mentions(message)
        await call.interaction.edit_original_response(**without_buttons(message), allowed_mentions=mentions)
    except channels.FAILED as error:
        log.info("an old message keeps its buttons: %s", error)
    return await call.with_panel(_(OUTDATED))
