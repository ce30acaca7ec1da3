"""Application commands: Discord's limits on registering them, and how a client fills them in."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.wire.limits import Faults
from tests.wire.model import Json, Refused, User
from tests.wire.places import Channel
from tests.wire.rates import DAY, Bucket, Limit

NAME = re.compile(r"^[-_'\w]{1,32}$")
SUB, GROUP, STRING, INTEGER, BOOLEAN, USER, CHANNEL, NUMBER = 1, 2, 3, 4, 5, 6, 7, 10
CREATES = "Max number of daily application command creates has been reached (200)"
A_DAY = Limit(200, DAY, fixed=True)


@dataclass
class Creates:
    """Counts new commands by day, in each server and (0) globally. A command that existed before isn't new."""

    clock: Callable[[], float]
    limit: Limit = A_DAY
    _made: dict[int, Bucket] = field(default_factory=dict)

    def spend(self, guild: int, times: int) -> None:
        """:raises Refused: if there are too many."""
        made = self._made.setdefault(guild, Bucket(self.limit))
        made.limit = self.limit
        if made.take(self.clock(), times):
            raise Refused(400, 30034, CREATES)


def check_commands(commands: list[Json]) -> None:
    """:raises Refused: if a bulk overwrite breaks a limit."""
    faults = Faults()
    if len(commands) > 100:
        faults.add("_", "APPLICATION_COMMAND_TOO_MANY", "At most 100 commands.")
    for i, command in enumerate(commands):
        if command.get("type", 1) != 1:  # a context menu has neither description nor options
            continue
        _check(faults, f"{i}", command)
        if _characters(command) > 8000:
            faults.add(f"{i}", "APPLICATION_COMMAND_TOO_LARGE", "Command exceeds maximum size (8000)")
    faults.done()


def _check(faults: Faults, here: str, node: Json) -> None:
    name = node.get("name", "")
    if not NAME.match(name) or name != name.lower():
        faults.add(f"{here}.name", "APPLICATION_COMMAND_INVALID_NAME", f"Command name is invalid: {name!r}")
    faults.length(f"{here}.description", node.get("description"), 1, 100)
    options, choices = node.get("options", []), node.get("choices") or []
    faults.length(f"{here}.options", options, 0, 25)
    faults.length(f"{here}.choices", choices, 0, 25)
    if choices and node.get("autocomplete"):
        faults.add(f"{here}.choices", "APPLICATION_COMMAND_CHOICES_AUTOCOMPLETE", "Choices or autocomplete.")
    for i, choice in enumerate(choices):
        faults.length(f"{here}.choices.{i}.name", choice.get("name"), 1, 100)
    if len({o.get("name") for o in options}) < len(options):
        faults.add(f"{here}.options", "APPLICATION_COMMAND_OPTIONS_NAME_INVALID", "Option names must be unique")
    required = [bool(o.get("required")) for o in options]
    if required != sorted(required, reverse=True):
        text = "Required options must be placed before non-required options"
        faults.add(f"{here}.options", "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", text)
    for i, option in enumerate(options):
        _check(faults, f"{here}.options.{i}", option)


def _characters(node: Json) -> int:
    own = len(node.get("name", "")) + len(node.get("description", ""))
    choices = sum(len(c["name"]) + len(str(c["value"])) for c in node.get("choices") or [])
    return own + choices + sum(_characters(o) for o in node.get("options", []))


def fill(command: Json, path: list[str], values: Mapping[str, Any], focused: str | None = None) -> Json:
    """`data` of the interaction for `/path values`, checked as Discord's client checks it.

    With `focused` it is an autocomplete, for which nothing is required yet.

    :raises ValueError: for an unknown subcommand or option, a missing one, or a value that a client refuses.
    """
    data: Json = {"id": command["id"], "name": command["name"], "type": 1, "resolved": {}}
    if "guild_id" in command:  # registered in this server only
        data["guild_id"] = command["guild_id"]
    node, level = command, data
    for name in path:
        node = next((o for o in node.get("options", []) if o["name"] == name and o["type"] in (SUB, GROUP)), {})
        if not node:
            raise ValueError(f"/{command['name']} {' '.join(path)}: no such subcommand")
        level["options"] = [{"name": name, "type": node["type"]}]
        level = level["options"][0]
    known = {o["name"]: o for o in node.get("options", [])}
    if any(o["type"] in (SUB, GROUP) for o in known.values()):
        raise ValueError(f"/{command['name']} needs one of {sorted(known)}")
    if unknown := set(values) - set(known):
        raise ValueError(f"/{command['name']}: no option {sorted(unknown)}; there are {sorted(known)}")
    missing = [n for n, o in known.items() if o.get("required") and n not in values]
    if missing and focused is None:
        raise ValueError(f"/{command['name']}: missing {missing}")
    level["options"] = [_option(known[n], v, data["resolved"], n == focused) for n, v in values.items()]
    return data


def _option(option: Json, value: Any, resolved: Json, focused: bool) -> Json:
    out = {"name": option["name"], "type": option["type"]}
    if focused:
        if not option.get("autocomplete"):
            raise ValueError(f"option {option['name']} has no autocomplete")
        return {**out, "value": str(value), "focused": True}
    kinds: dict[int, Any] = {STRING: str, INTEGER: int, BOOLEAN: bool, USER: User, CHANNEL: Channel}
    if not isinstance(value, kinds.get(option["type"], object)):
        raise ValueError(f"option {option['name']} doesn't take {value!r}")
    choices = [c["value"] for c in option.get("choices") or []]
    if choices and value not in choices:
        raise ValueError(f"option {option['name']}: {value!r} is none of {choices}")
    size, low, high = value, option.get("min_value"), option.get("max_value")
    if option["type"] == STRING:
        size, low, high = len(value), option.get("min_length"), option.get("max_length", 6000)
    if (low is not None and size < low) or (high is not None and size > high):
        raise ValueError(f"option {option['name']}: {value!r} is out of range")
    if isinstance(value, User):
        resolve_user(value, resolved)
        return {**out, "value": str(value.id)}
    if isinstance(value, Channel):
        resolved.setdefault("channels", {})[str(value.id)] = value.json()
        return {**out, "value": str(value.id)}
    return {**out, "value": value}


def resolve_user(user: User, resolved: Json) -> None:
    """Add a user to `resolved`: the member object there has no user in it."""
    member = user.member()
    resolved.setdefault("users", {})[str(user.id)] = member.pop("user")
    resolved.setdefault("members", {})[str(user.id)] = member
