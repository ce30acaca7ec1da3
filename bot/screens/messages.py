"""Direct messages: the question whether a person wants them, and the replies."""

from __future__ import annotations

from bot.screens.controls import Button, Open, Row, Style, Text
from bot.words.language import _


def consent() -> list[Row]:
    """The question to people who haven't chosen yet whether to send their hand by direct message."""
    return [
        Text(_("**Where do you want to see your hand?**")),
        [
            Button(_("Send my hand by DM"), Open("messages", ("1",)), Style.PRIMARY, "✉️"),
            Button(_("Only in the channel"), Open("messages", ("0",)), emoji="🎴"),
        ],
    ]


def off() -> str:
    """Reply: the person wants no direct messages."""
    return _("No DMs: press **My hand** in the channel to see your cards.")


def sent() -> str:
    """Reply: a direct message was sent."""
    return _("I've sent you a DM. Your hands and reminders come there, for all your games.")


def soon(when: int) -> str:
    """Reply: a direct message comes at `when`, in seconds since the epoch."""
    return _("I'll send you a DM {when}.", when=f"<t:{when}:R>")


def full() -> str:
    """Reply: too many people wait for their first direct message."""
    return _(
        "Many people are waiting for their first DM, and I can send only a few an hour. Turn **My hand by DM** on "
        "again in `/settings` in a few hours. Until then, press **My hand** in the channel."
    )


def later() -> str:
    """Reply: sending failed for now."""
    return _("I couldn't send you a DM. I'll try again when I have something to tell you.")


def stopped() -> str:
    """Reply: Discord allows no direct messages for hours."""
    return _("Discord won't let me open DMs right now. I'll try again in a few hours.")


def closed() -> str:
    """Reply: Discord refuses direct messages to the person, such as when their own settings block them."""
    return _(
        "Discord won't let me message you. Allow direct messages from this server, then turn on **My hand by "
        "DM** in `/settings`. Until then, press **My hand** in the channel."
    )
