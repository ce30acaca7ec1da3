"""What can be seen of a game: in the channel, by direct message, in the bot's requests."""

from __future__ import annotations

from typing import Any

from tests.bot.discord.hall import Hall, text


def messages(hall: Hall, words: str) -> list[Any]:
    """The messages in the channel that contain these words."""
    return [message for message in hall.channel.history() if words in text(message)]


def sent_to(person: Any, words: str) -> list[Any]:
    """The direct messages to a person that contain these words."""
    channel = person.user.dm_channel
    return [] if channel is None else [message for message in channel.history() if words in text(message)]


def calls(hall: Hall, since: int) -> list[tuple[list[int], str]]:
    """Whom each message in the channel was to notify since a request of the bot, and what it said."""
    path = f"/channels/{hall.channel.id}/messages"
    sent = [r.json for r in hall.env.http_requests[since:] if (r.method, r.path) == ("POST", path)]
    called = [([int(user) for user in json["allowed_mentions"].get("users", ())], str(json)) for json in sent if json]
    return [(sorted(users), said) for users, said in called if users]
