"""Direct messages: the question whether somebody wants them, and what came of it."""

from __future__ import annotations

from bot.screens.controls import Button, Open, Row, Style
from bot.words.language import _


def consent() -> Row:
    """Asks whether somebody wants their hand by direct message, who hasn't said yet."""
    return [
        Button(_("Send my hand by DM"), Open("messages", ("1",)), Style.PRIMARY, "✉️"),
        Button(_("Only in the channel"), Open("messages", ("0",)), emoji="🎴"),
    ]


def off() -> str:
    """They don't want any."""
    return _("No DMs: press **My hand** in the channel to see your cards.")


def sent() -> str:
    """They have one."""
    return _("I've sent you a DM. Your hands and reminders come there, for all your games.")


def soon(when: int) -> str:
    """They get one then, in seconds since the epoch."""
    return _("I'll send you a DM {when}.", when=f"<t:{when}:R>")


def later() -> str:
    """It failed for now."""
    return _("I couldn't send you a DM. I'll try again when I have something to tell you.")


def stopped() -> str:
    """Discord allows none for hours."""
    return _("Discord won't let me open DMs right now. I'll try again in a few hours.")


def closed() -> str:
    """They take none."""
    return _(
        "Discord won't let me message you. Allow direct messages from this server, then turn on **My hand by "
        "DM** in `/settings`. Until then, press **My hand** in the channel."
    )
