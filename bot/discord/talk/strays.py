"""Handles a click on a public message that no projection knows: the message loses its buttons."""

from __future__ import annotations

import asyncio
import logging

from bot.discord.show import channels
from bot.discord.show.strays import unnoted, without_buttons
from bot.discord.talk.call import Call
from bot.projections import PANEL, Kind, Projections, of_kind
from bot.screens.controls import Reply
from bot.store import Unavailable
from bot.words.language import N_, _

log = logging.getLogger(__name__)

OUTDATED = N_("This message is out of date. Nothing was done.")
PATIENCE = 1.0
"""Seconds that the check can take: the click must be acknowledged within three."""


async def is_stray(call: Call) -> bool:
    """Whether the interaction comes from a public message that isn't kept up to date.

    A message is noted only after it is posted. If the process is killed in between, the next one finds it again. So
    while there can be such a message, none is a stray.
    """
    message, number, app = call.interaction.message, call.address.game, call.app
    if message is None or not call.on_public or not number or app.display.is_posted(number, message.id):
        return False
    try:
        async with asyncio.timeout(PATIENCE):
            projections = await app.services.projections.visible(number)
    except (TimeoutError, Unavailable):
        return False
    if any(one.posted is not None and one.posted.message == message.id for one in projections.values()):
        return False
    panel = projections.get(PANEL)
    due = panel is not None and panel.pending
    # What is for one person alone changes nothing that others could see happen to a message.
    place = None if panel is None else panel.posted
    private = call.interaction.guild_id is None or place is None or place.channel != call.interaction.channel_id
    return not (due or unnoted(projections) or (private and _has_attempt(projections, call.user.id)))


def _has_attempt(projections: Projections, user: int) -> bool:
    """Whether a hand might have been posted to a user but not noted."""
    return any(attempt.doubtful for attempt in of_kind(projections, Kind.TOLD) if attempt.name.user == user)


async def retire(call: Call) -> Reply:
    """Remove the message's buttons but keep its text, and say where the game goes on."""
    message = call.interaction.message
    assert message is not None
    try:
        mentions = channels.kept_mentions(message)
        content = {**without_buttons(message), "allowed_mentions": mentions}
        if call.first.open:
            await call.first.edit(**content)
        else:
            await call.interaction.edit_original_response(**content)
    except channels.FAILED as error:
        log.info("an old message keeps its buttons: %s", error)
    return await call.with_panel(_(OUTDATED))
