"""Direct messages: the question whether somebody wants them, and what came of it."""

from __future__ import annotations

from bot.screens.controls import Button, Open, Row, Style
from bot.words.language import _


def consent() -> Row:
    """Asks whether somebody wants their hand by direct message, who hasn't said yet."""
    return [
        Button(_("Send my hand by direct message"), Open("messages", ("1",)), Style.PRIMARY, "✉️"),
        Button(_("Only at the table"), Open("messages", ("0",)), emoji="🎴"),
    ]


def off() -> str:
    """They don't want any."""
    return _("Your hand stays at the table: press **My hand** there.")


def sent() -> str:
    """They have one."""
    return _("I've sent you a direct message. What I have to tell you alone comes there, in all your games.")


def soon(when: int) -> str:
    """They get one then, in seconds since the epoch."""
    return _("I'll send you a direct message {when}.", when=f"<t:{when}:R>")


def later() -> str:
    """It failed for now."""
    return _("I couldn't send you a direct message just now; I try again when I have something to tell you.")


def stopped() -> str:
    """Discord allows none for hours."""
    return _("Discord lets me open no direct messages just now; I try again in some hours.")


def closed() -> str:
    """They take none."""
    return _(
        "Discord won't let me message you. Allow direct messages from this server in your privacy settings, then "
        "switch **My hand by DM** on in `/settings`. Until then **My hand** at the table shows your cards."
    )
