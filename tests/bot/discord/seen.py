"""What of a game is to be seen: in the channel, by direct message, in the bot's requests."""

from __future__ import annotations

from typing import Any

from tests.bot.discord.hall import Hall, text


def messages(hall: Hall, words: str) -> list[Any]:
    """The messages in the channel that say so."""
    return [message for message in hall.channel.history() if words in text(message)]


def sent_to(person: Any, words: str) -> list[Any]:
    """The direct messages to somebody that say so."""
    channel = person.user.dm_channel
    return [] if channel is None else [message for message in channel.history() if words in text(message)]


def seen_by_others(hall: Hall, since: int, person: Any) -> list[Any]:
    """All requests but those for the person's own eyes, and the pictures in the channel."""
    own = str(person.user.dm_channel.id)
    return [
        (r.method, r.path, r.params, r.json)
        for r in hall.env.http_requests[since:]
        if own not in r.path and not r.path.startswith(("/webhooks", "/interactions"))
    ]


async def pictures(hall: Hall) -> list[tuple[bytes, str | None]]:
    """All pictures in the channel, with their alternative texts."""
    return [(await a.read(), a.description) for m in hall.channel.history() for a in m.attachments]
