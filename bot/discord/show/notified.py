"""Who was notified of what: no one is notified of the same topic twice in ten minutes, however often others ask it and
undo that. What is withheld is put off until then, never dropped.

The store knows who was last notified of a topic by which message, and which messages still owe someone a call. So
neither is lost with the process. A job (`CALL`) has the game shown when such a call can be made.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from math import inf

from discord.utils import snowflake_time

from bot.discord.show.display import Display
from bot.discord.show.recent import now
from bot.discord.show.wanted import Wanted
from bot.jobs import CALL, Job
from bot.projections import NOTIFIED, OWED, Projections

APART = 600.0
"""Seconds for which no one is notified again of the same topic."""


def notified_name(message: int, topic: str, user: int) -> str:
    """Name of the projection that notes that a message has notified a user of a topic."""
    return f"{NOTIFIED}{message}:{topic}:{user}"


def owed_name(topic: str, name: str, user: int) -> str:
    """Name of the projection that notes that the message `name` still owes a user a call about a topic."""
    return f"{OWED}{topic}:{name}:{user}"


def is_owed(projections: Projections, topic: str, user: int, name: str = "") -> bool:
    """Whether a message still owes a user a call about a topic; `name`: that message alone."""
    if name:
        return owed_name(topic, name, user) in projections
    return any(what.startswith(f"{OWED}{topic}:") and what.endswith(f":{user}") for what in projections)


def last_notified(projections: Projections, topic: str, user: int) -> int | None:
    """The message that last notified a user of a topic, as far as is still known; it can be gone by now."""
    end = f":{topic}:{user}"
    names = (what for what in projections if what.startswith(NOTIFIED) and what.endswith(end))
    return max((_message_in(what) for what in names), default=None)


def wait_after(message: int | None) -> float:
    """Seconds until a user whom a message has notified can be notified of the same topic again."""
    return 0.0 if message is None else max(snowflake_time(message).timestamp() + APART - now(), 0.0)


def outdated(projections: Projections, messages: Collection[Wanted]) -> Iterable[str]:
    """Names of projections that matter no more to the messages that are wanted: calls that no message owes anymore, and
    who was so long ago notified of what no message is about that they can be notified again."""
    asked = [(message, user) for message in messages for user in message.users]
    owed = {owed_name(message.topic, message.name, user) for message, user in asked if message.calls}
    topics = {f"{message.topic}:{user}" for message, user in asked}
    for what in projections:
        if what.startswith(OWED) and what not in owed:
            yield what
        if what.startswith(NOTIFIED) and what.split(":", 2)[2] not in topics and not wait_after(_message_in(what)):
            yield what


def _message_in(what: str) -> int:
    """The message in the name of a projection of `NOTIFIED`."""
    return int(what.split(":", 2)[1])


async def wake(display: Display, number: int, lane: str, seconds: float) -> None:
    """Have a lane of a game shown again when a call that was put off can be made, in another process if need be."""
    if seconds < inf:
        await display.services.jobs.set(Job(number, f"{CALL}:{lane}", display.services.now() + seconds))
