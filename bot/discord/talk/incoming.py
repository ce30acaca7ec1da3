"""Interactions as discord.py must have them: filled in where Discord has left something out, and without what
Harbormaster doesn't need, which can then be of any shape.

discord.py expects more of the channel than Discord promises, which calls it partial. It ends the process over what it
can't read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import discord

Json = dict[str, Any]

COMMAND, COMPONENT, TYPING, FORM = 2, 3, 4, 5
"""Types of interactions."""
TEXT, DIRECT = 0, 1
PLACES = (TEXT, 2, 5, 10, 11, 12, 13, 15, 16)
"""Types of channels of a server in which people can do something: text, voice, news, threads, stage, forums."""
LONG_AGO = "2015-01-01T00:00:00+00:00"
THREAD = {"archived": False, "locked": False, "auto_archive_duration": 10080, "archive_timestamp": LONG_AGO}
FILE = 10 * 2**20
"""Bytes that every file can have."""
ORDINARY = discord.Permissions(
    view_channel=True, send_messages=True, send_messages_in_threads=True, create_public_threads=True
)
"""What people can do if Discord doesn't say."""
ANYTHING = discord.Permissions.all()


def read(payload: Json, application: int | None, *, bare: bool = False) -> Json:
    """An interaction's payload, rebuilt of what Harbormaster needs. `application`: its id. `bare`: without what is
    nested, which it can do without.

    :raises ValueError, TypeError, AttributeError: if something that it needs can't be read.
    """
    channel = _object(payload.get("channel"))
    guild = _id(payload.get("guild_id")) or _id(_object(payload.get("guild")).get("id")) or _id(channel.get("guild_id"))
    place = _id(channel.get("id")) or _id(payload.get("channel_id"))
    found = {**token_of(payload, application), "locale": _text(payload.get("locale"), "en-US")}
    found["app_permissions"] = str(_number(payload.get("app_permissions"), ANYTHING.value))
    if payload.get("context") in (0, 1, 2):
        found["context"] = payload["context"]
    if guild is None:
        found["user"] = _person(payload.get("user"))
    else:
        found["guild_id"] = guild
        found["member"] = _member(payload.get("member"), payload.get("user"))
    if place is None:
        raise ValueError("an interaction without a channel")
    found["channel"] = _channel(channel, place, guild)
    if (message := _object(payload.get("message"))) and _id(message.get("id")):
        found["message"] = _message(message, place, bare)
    found["data"] = _data(found["type"], payload.get("data"))
    return found


def token_of(payload: Json, application: int | None) -> Json:
    """What an interaction needs to be answered.

    :raises ValueError, TypeError, AttributeError: if that can't be read.
    """
    number, token = _id(payload.get("id")), payload.get("token")
    if number is None or not isinstance(token, str):
        raise ValueError("an interaction that can't be answered")
    about = {"application_id": str(application or 0), "version": 1, "attachment_size_limit": FILE}
    return {"id": number, "token": token, "type": _kind(payload), **about}


def _kind(payload: Json) -> int:
    """The type of an interaction; if Discord doesn't say, as its data suggests."""
    if (kind := payload.get("type")) in (COMMAND, COMPONENT, TYPING, FORM):
        return int(kind)
    data = _object(payload.get("data"))
    if "custom_id" in data:
        return COMPONENT if "component_type" in data else FORM
    return TYPING if _is_typed(data) else COMMAND


def _is_typed(data: Any) -> bool:
    """Whether an option is being typed."""
    return any(
        option.get("focused") is True or _is_typed(option) for option in map(_object, _list(data.get("options")))
    )


def _channel(raw: Json, number: str, guild: str | None) -> Json:
    """A channel of which only type, name and parent are known."""
    if guild is None:
        return {"id": number, "type": DIRECT}
    kind = raw.get("type") if raw.get("type") in PLACES else TEXT
    above = {"parent_id": _id(raw.get("parent_id")) or "0", "owner_id": _id(raw.get("owner_id")) or "0"}
    counts = {"message_count": 0, "member_count": 0, "position": 0, "bitrate": 64000, "user_limit": 0}
    name = _text(raw.get("name"))
    return {"id": number, "type": kind, "guild_id": guild, "name": name, **above, **counts, "thread_metadata": THREAD}


def _person(raw: Any, number: Any = None) -> Json:
    """A person. `number`: their id, if that is known anyway."""
    raw = _object(raw)
    known = _id(number) or _id(raw.get("id"))
    if known is None:
        raise ValueError("a person without an id")
    about = {"username": _text(raw.get("username")), "global_name": _text(raw.get("global_name")) or None}
    return {"id": known, "discriminator": "0", "avatar": None, "bot": raw.get("bot") is True, **about}


def _member(raw: Any, user: Any) -> Json:
    """A person as a member of the server."""
    raw = _object(raw)
    return {
        "user": _person(raw.get("user") or user),
        "nick": _text(raw.get("nick")) or None,
        "roles": [role for role in map(_id, _list(raw.get("roles"))) if role],
        "permissions": str(_number(raw.get("permissions"), ORDINARY.value)),
        "flags": 0,
    }


def _message(raw: Json, channel: str, bare: bool) -> Json:
    """The message that a component is on. `bare`: without its components."""
    return {
        "id": _id(raw["id"]),
        "channel_id": channel,
        "type": 0,
        "flags": _number(raw.get("flags"), 0),
        "content": _text(raw.get("content")),
        "mentions": [_person(user) for user in _list(raw.get("mentions")) if _id(_object(user).get("id"))],
        "components": [] if bare else _list(raw.get("components")),
    }


def _data(kind: int, raw: Any) -> Any:
    """What was entered. Whether that makes sense is looked at later."""
    if kind in (COMPONENT, FORM):
        data = _object(raw)
        component = data.get("component_type")
        filled: Json = {"custom_id": _text(data.get("custom_id")), "resolved": {}}
        filled["component_type"] = component if isinstance(component, int) else 0
        return {**data, "components": data.get("components", []), **filled}
    if not isinstance(raw, dict):
        return raw
    resolved = _object(raw.get("resolved"))
    users, members = _object(resolved.get("users")), _object(resolved.get("members"))
    people = {number: _person(user, number) for number, user in users.items() if _id(number)}
    there = {number: _member(members[number], people[number]) for number in people if number in members}
    return {**raw, "resolved": {"users": people, "members": there}}


def _object(value: Any) -> Json:
    return dict(value) if isinstance(value, Mapping) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: Any, otherwise: str = "") -> str:
    return value if isinstance(value, str) else otherwise


def _id(value: Any) -> str | None:
    """An id, if it is one."""
    number = _number(value, 0)
    return str(number) if 0 < number < 2**64 else None


def _number(value: Any, otherwise: int) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return int(value) if isinstance(value, str) and re.fullmatch("[0-9]{1,20}", value) else otherwise
