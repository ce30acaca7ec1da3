"""What Discord refuses of a message, and the message without it."""

from __future__ import annotations

import logging
from dataclasses import replace

import discord
from discord import ui

from bot.discord.show import signs
from bot.discord.show.channels import MALFORMED, is_outage
from bot.discord.show.messages import without_pictures
from bot.discord.show.wanted import Content
from bot.plaintext import plain
from bot.screens.controls import Reply
from bot.words.language import N_, _

log = logging.getLogger(__name__)

FILES = (400001, 40005, 50045, 50046, 20009)
"""Codes of refused files: uploads are limited on the server; a file is too large, invalid, or against its filter."""
NO_PICTURES = N_("-# Discord takes no pictures from me here right now.")
NO_CONTROLS = N_("-# Discord refused the rest of this message.")
NOTHING = N_("Discord refused my answer. What you did counts: the game message shows how things stand.")


def is_refusal(error: BaseException) -> bool:
    """Whether Discord has refused a request, so that the same request won't succeed soon."""
    return isinstance(error, discord.HTTPException) and not is_outage(error)


def is_about_files(error: BaseException) -> bool:
    """Whether Discord has refused a message because of its files."""
    return isinstance(error, discord.HTTPException) and (error.code in FILES or error.status == 413)


def is_about_emoji(error: BaseException) -> bool:
    """Whether Discord has refused a message because of an emoji. The program's own ones can be deleted anytime."""
    return isinstance(error, discord.HTTPException) and error.code == MALFORMED and ".emoji" in error.text


def words(error: discord.HTTPException) -> str:
    """What Discord says, without the details of what was sent."""
    return plain(error.text.partition("\n")[0], 200) or str(error.code or error.status)


def without_files(content: Content) -> Content:
    """The same content, which says that its files can't be shown."""
    assert content.view is not None
    view = without_pictures(content.view)
    view.add_item(ui.TextDisplay(_(NO_PICTURES)))
    log.warning("Discord refuses files here; a message is shown without them")
    return Content(view)


def less(client: discord.Client, reply: Reply, error: discord.HTTPException) -> Reply | None:
    """A refused answer without what Discord refuses of it; in the end one sentence. None: that was refused, too."""
    if is_about_emoji(error) and signs.doubt(client):
        return reply
    files = reply.picture is not None or reply.download is not None
    if files and is_about_files(error):
        return replace(reply, picture=None, download=None, text=f"{reply.text}\n{_(NO_PICTURES)}")
    if files or reply.rows:
        return Reply(f"{reply.text}\n{_(NO_CONTROLS)}")
    return Reply(_(NOTHING)) if reply.text != _(NOTHING) else None
