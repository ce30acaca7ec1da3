"""Who was notified of what: no one is notified of the same topic twice in ten minutes, however often others ask it and
undo that. What is withheld is put off until then, never dropped.

The store knows who was last notified of a topic by which message, and which messages still owe someone a call. So
neither is lost with the process. A job (`CALL_JOB`) has the game shown when such a call can be made.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

from discord.utils import snowflake_time

from bot.discord.show.display import Display
from bot.discord.show.recent import now
from bot.discord.show.wanted import Call, Notifying, Wanted
from bot.projections import Kind, Name, Projections, of_kind
from bot.store.base import CALL_JOB, Job

APART = 600.0
"""Seconds for which no one is notified again of the same topic."""


def notified_name(topic: str, user: int) -> Name:
    """Name of the projection that notes which message last notified a user of a topic."""
    return Name(Kind.NOTIFIED, topic, user)


def owed_name(topic: str, name: Name, user: int) -> Name:
    """Name of the projection that notes that the message `name` still owes a user a call about a topic."""
    return Name(Kind.OWED, f"{topic} {name}", user)


def is_owed(projections: Projections, topic: str, user: int, name: Name | None = None) -> bool:
    """Whether a message still owes a user a call about a topic; `name`: that message alone."""
    if name is not None:
        return owed_name(topic, name, user) in projections
    owed = (one.name for one in of_kind(projections, Kind.OWED))
    return any(one.user == user and one.key.startswith(f"{topic} ") for one in owed)


def last_notified(projections: Projections, topic: str, user: int) -> int | None:
    """The message that last notified a user of a topic, as far as is still known; it can be gone by now."""
    last = projections.get(notified_name(topic, user))
    return None if last is None or last.place is None else last.place.message


def wait_after(message: int | None) -> float:
    """Seconds until a user whom a message has notified can be notified of the same topic again."""
    return 0.0 if message is None else max(snowflake_time(message).timestamp() + APART - now(), 0.0)


def outdated(projections: Projections, messages: Iterable[Wanted]) -> Iterable[Name]:
    """Names of projections that matter no more to the messages that are wanted: calls that no message owes anymore, and
    who was so long ago notified of what no message is about that they can be notified again."""
    asked = [(message, user) for message in messages if isinstance(message, Notifying) for user in message.users]
    owed = {owed_name(message.topic, message.name, user) for message, user in asked if isinstance(message, Call)}
    topics = {notified_name(message.topic, user) for message, user in asked}
    for one in of_kind(projections, Kind.OWED):
        if one.name not in owed:
            yield one.name
    for one in of_kind(projections, Kind.NOTIFIED):
        if one.name not in topics and not wait_after(one.place.message if one.place else None):
            yield one.name


async def wake(display: Display, number: int, lane: str, seconds: float) -> None:
    """Have a lane of a game shown again when a call that was put off can be made, in another process if need be."""
    if seconds < inf:
        await display.services.jobs.set(Job(number, f"{CALL_JOB}:{lane}", display.services.now() + seconds))
