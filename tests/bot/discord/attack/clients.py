"""What the clients of people offer them: the controls and forms that they see, and the commands that they can type."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from simcord.backend import serializers
from simcord.backend.access import channel_accessible

from tests.bot.discord.hall import Hall
from tests.wire.calls import AUTOCOMPLETE, COMMAND, COMPONENT, MODAL
from tests.wire.commands import BOOLEAN, GROUP, INTEGER, STRING, SUB, USER
from tests.wire.components import bounds
from tests.wire.forged_commands import ON_USER, TYPED
from tests.wire.limits import BUTTON, CHECKBOXES, INPUT, RADIOS, SELECT
from tests.wire.messages import live, walk
from tests.wire.model import Json

OPTIONS = (SELECT, RADIOS, CHECKBOXES)
TYPES: dict[int, type] = {STRING: str, INTEGER: int, BOOLEAN: bool, USER: str}


@dataclass(frozen=True)
class Shown:
    """A message as a person saw it."""

    channel: int
    id: int
    components: list[Json]
    payload: Json


@dataclass
class Clients:
    """All people's clients."""

    hall: Hall
    forms: defaultdict[int, dict[str, list[Json]]] = field(default_factory=lambda: defaultdict(dict))
    """The forms that were opened for a user, by custom id."""

    def opened(self, user: int, modal: Json) -> None:
        """Note that a form was opened for a user."""
        self.forms[user][modal["custom_id"]] = modal["components"]

    def messages(self, user: int) -> Iterator[Any]:
        """All messages with controls that a user sees, oldest first in each channel."""
        backend = self.hall.env.backend
        for channel, messages in backend.messages.items():
            if channel_accessible(backend, channel, user):
                for message in messages.values():
                    if message.components and message.visible_to(user) and message.author_id == backend.bot_user.id:
                        yield message

    def shown(self, message: Any) -> Shown:
        """A message as it is now."""
        payload = json.loads(json.dumps(serializers.message_payload(self.hall.env.backend, message)))
        return Shown(message.channel_id, message.id, payload["components"], payload)

    def source(self, shown: Shown) -> Json:
        """What Discord sends of the message that a control is on: as it is now, or was before it was deleted."""
        message = self.hall.env.backend.messages.get(shown.channel, {}).get(shown.id)
        return shown.payload if message is None else self.shown(message).payload

    def offers(self, payload: Json) -> bool:
        """Whether the client of the person who sent this would let them send it now."""
        kind, data = payload.get("type"), payload.get("data")
        backend, user = self.hall.env.backend, user_of(payload)
        channel = int(payload["channel_id"])
        if not isinstance(data, dict) or not channel_accessible(backend, channel, user):
            return False
        if kind == COMPONENT:
            return self._has_control(user, channel, payload.get("message"), data)
        if kind == MODAL:
            form = self.forms[user].get(str(data.get("custom_id")))
            return form is not None and fits_form(form, data.get("components"))
        guild = backend.channels[channel].guild_id
        return kind in (COMMAND, AUTOCOMPLETE) and fits_command(self.registered(guild), data)

    def registered(self, guild: int | None) -> list[Json]:
        """The commands that can be used on a server, or (None) in direct messages."""
        commands: list[Json] = self.hall.bot.tree.registered
        return [c for c in commands if guild is not None or 1 in (c.get("contexts") or (0, 1))]

    def _has_control(self, user: int, channel: int, message: Any, data: Json) -> bool:
        there = self.hall.env.backend.messages.get(channel, {})
        stored = there.get(int(message["id"])) if isinstance(message, dict) and _number(message.get("id")) else None
        if stored is None or not stored.visible_to(user):
            return False
        found = next((c for c in live(stored.components) if c["custom_id"] == data.get("custom_id")), None)
        if found is None or found["type"] != data.get("component_type"):
            return False
        return found["type"] == BUTTON or _can_choose(found, data.get("values"), data.get("resolved"))


def user_of(payload: Json) -> int:
    """The id of the person who has sent an interaction."""
    return int((payload.get("member") or payload)["user"]["id"])


def _number(text: Any) -> bool:
    return isinstance(text, str) and text.isascii() and text.isdigit()


def _can_choose(component: Json, values: Any, resolved: Any) -> bool:
    """Whether these values can be chosen in a list."""
    if not isinstance(values, list) or not all(isinstance(v, str) for v in values) or len({*values}) < len(values):
        return False
    least, most = bounds(component)
    if not least <= len(values) <= most and (values or component.get("required") is not False):
        return False
    if component["type"] in OPTIONS:
        return {*values} <= {option["value"] for option in component["options"]}
    people = resolved.get("users", {}) if isinstance(resolved, dict) else {}
    return all(_number(value) for value in values) and (component["type"] != 5 or {*values} <= {*people})


def fits_form(form: list[Json], sent: Any) -> bool:
    """Whether a form can be filled in like this."""
    if not isinstance(sent, list) or not all(isinstance(top, dict) for top in sent):
        return False
    fields = [top.get("component") for top in sent]
    asked = {c["custom_id"]: c for c in walk(form) if "custom_id" in c}
    if not all(isinstance(one, dict) and isinstance(one.get("custom_id"), str) for one in fields):
        return False
    if sorted(one["custom_id"] for one in fields) != sorted(asked):
        return False
    return all(_can_enter(asked[one["custom_id"]], one) for one in fields)


def _can_enter(asked: Json, given: Json) -> bool:
    if given.get("type") != asked["type"]:
        return False
    if asked["type"] != INPUT:
        value = given.get("value")
        values = ([] if value is None else [value]) if asked["type"] == RADIOS else given.get("values")
        return _can_choose(asked, values, {})
    text, least = given.get("value"), asked.get("min_length") or int(asked.get("required") is not False)
    return isinstance(text, str) and (least if text else least and 1) <= len(text) <= (asked.get("max_length") or 4000)


def fits_command(commands: list[Json], data: Json) -> bool:
    """Whether a command can be used like this."""
    named = [c for c in commands if (c.get("type", TYPED), c["name"]) == (data.get("type"), data.get("name"))]
    if not named or "guild_id" in data:
        return False
    resolved = data["resolved"] if isinstance(data.get("resolved"), dict) else {}
    people = resolved["users"] if isinstance(resolved.get("users"), dict) else {}
    if data["type"] == ON_USER:
        return isinstance(data.get("target_id"), str) and data["target_id"] in people
    node, given = named[0], data.get("options", [])
    while any(o["type"] in (SUB, GROUP) for o in node.get("options", [])):
        if not isinstance(given, list) or len(given) != 1 or not isinstance(given[0], dict):
            return False
        found = [o for o in node["options"] if (o["name"], o["type"]) == (given[0].get("name"), given[0].get("type"))]
        if not found:
            return False
        node, given = found[0], given[0].get("options", [])
    if not isinstance(given, list) or not all(isinstance(o, dict) for o in given):
        return False
    known, names = {o["name"]: o for o in node.get("options", [])}, [o.get("name") for o in given]
    if any(not isinstance(name, str) or name not in known for name in names) or len({*names}) < len(names):
        return False
    missing = {name for name, option in known.items() if option.get("required")} - {*names}
    return not missing and all(_can_type(known[o["name"]], o, people) for o in given)


def _can_type(option: Json, given: Json, people: Json) -> bool:
    """Whether an option can have this value."""
    value: Any = given.get("value")
    kind = option["type"]
    if given.get("type") != kind or not isinstance(value, TYPES[kind]) or isinstance(value, bool) != (kind == BOOLEAN):
        return False
    if choices := option.get("choices"):
        return value in [choice["value"] for choice in choices]
    if kind == USER:
        return value in people
    if isinstance(value, str):
        return bool(option.get("min_length", 0) <= len(value) <= option.get("max_length", 6000))
    return bool(kind == BOOLEAN or option.get("min_value", -(2**53)) <= value <= option.get("max_value", 2**53))
