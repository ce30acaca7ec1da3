"""Forged commands, suggestions and entries of a person's menu, which no client of Discord's sends."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.wire.calls import AUTOCOMPLETE, COMMAND
from tests.wire.commands import BOOLEAN, CHANNEL, GROUP, INTEGER, NUMBER, STRING, SUB, USER
from tests.wire.model import Json
from tests.wire.wild import JUNK, NUMBERS, TEXTS

TYPED, ON_USER, ON_MESSAGE = 1, 2, 3
"""Types of commands."""
ROLE, MENTIONABLE = 8, 9
"""More types of options."""


@dataclass(frozen=True)
class Forged:
    """An interaction to send: its kind for counting, Discord's type, its data, the message it claims to come from."""

    name: str
    type: int
    data: Any
    source: Any = None


@dataclass
class CommandForger:
    """Makes forged commands out of those that the bot has registered."""

    rng: random.Random
    commands: list[Json]
    people: list[int] = field(default_factory=list)
    """Ids of people that commands can be about."""
    without: frozenset[str] = frozenset()
    """Words that are neither in commands' names nor in custom ids."""

    def strange_command(self) -> Forged:
        """A command, subcommand or option that doesn't exist or has the wrong shape."""
        command, path, options = self._leaf()
        value = self.rng.choice((*TEXTS, *JUNK))
        strange = {"name": self.rng.choice(("x", "", "self", "interaction", "place")), "type": 3, "value": value}
        given = self._options(options, 0.0)
        data = self.rng.choice(
            (
                _command({**command, "name": self.rng.choice(("x", "", "Roll", "roll "))}, path, given),
                _command(command, [*path, "x"], given),
                _command(command, path[:-1], given),
                _command(command, path, [*given, strange]),
                _command(command, path, given * 2),
                _command(command, path, [self.rng.choice(JUNK)]),
                {**_command(command, path, given), "options": self.rng.choice(JUNK)},
                {**_command(command, path, given), "type": self.rng.choice((2, 3, 99, None, "1"))},
                {**_command(command, path, given), "guild_id": self.rng.choice(("1", *JUNK))},
            )
        )
        return Forged("command that isn't there", COMMAND, data)

    def wild_options(self) -> Forged:
        """A command with wild values, or without a required one."""
        command, path, options = self._leaf()
        given = self._options(options, 0.8)
        if self.rng.random() < 0.2:
            given = given[1:]
        return Forged("command with wild values", COMMAND, self._resolved(_command(command, path, given)))

    def other_types(self) -> Forged:
        """A command with an option of another type, with a value that fits the one or the other."""
        command, path, options = self._leaf()
        given = self._options(options, 0.0)
        for option in given:
            kind = self.rng.choice((SUB, GROUP, STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER, 11))
            option["type"] = kind
            if self.rng.random() < 0.5:
                values = {STRING: "1", INTEGER: 1, BOOLEAN: True, NUMBER: 1.5}
                option["value"] = values.get(kind, self._person())
        return Forged("command with other types", COMMAND, self._resolved(_command(command, path, given)))

    def menu(self) -> Forged:
        """A command in the menu of a person or a message that isn't there, or whose target isn't a member."""
        menus = [c["name"] for c in self.commands if c.get("type") == ON_USER]
        name = self.rng.choice((*menus, *menus, "roll", "", "x", self.rng.choice(TEXTS)))
        target = self.rng.choice((self._person(), self._person(), *NUMBERS, *JUNK))
        data = {"id": "1", "name": name, "type": self.rng.choice((ON_USER, ON_USER, ON_MESSAGE, TYPED))}
        data = self._resolved({**data, "target_id": target})
        if self.rng.random() < 0.3:
            data["resolved"] = self.rng.choice(JUNK)
        return Forged("menu of somebody else", COMMAND, data)

    def wild_typing(self) -> Forged:
        """An autocomplete with wild values, or for an option that has none."""
        command, path, options = self._leaf()
        given = self._options(options, 0.8)
        for option in given:
            if self.rng.random() < 0.6:
                option["focused"] = self.rng.choice((True, True, True, False, "yes", None))
        return Forged("autocomplete with wild values", AUTOCOMPLETE, _command(command, path, given))

    def _leaf(self) -> tuple[Json, list[str], list[Json]]:
        leaves = [leaf for leaf in _leaves(self.commands) if not self.without & {leaf[0]["name"], *leaf[1]}]
        return self.rng.choice(leaves)

    def _options(self, options: list[Json], wild: float) -> list[Json]:
        taken = [o for o in options if o.get("required") or self.rng.random() < 0.6]
        return [{"name": o["name"], "type": o["type"], "value": self._value(o, wild)} for o in taken]

    def _value(self, option: Json, wild: float) -> Any:
        if self.rng.random() < wild:
            return self.rng.choice((*TEXTS, *NUMBERS, *JUNK, -(2**63), 2**53, 10**30, 10**6, self._person()))
        if choices := option.get("choices"):
            return self.rng.choice(choices)["value"]
        return {STRING: "1", INTEGER: 1, BOOLEAN: True, USER: self._person()}.get(option["type"])

    def _person(self) -> str:
        return str(self.rng.choice(self.people)) if self.people else "1"

    def _resolved(self, data: Json) -> Json:
        """The data with the people that it names, as Discord adds them; sometimes without them, or with others."""
        if self.rng.random() < 0.2:
            return data
        who = [self._person()] if self.rng.random() < 0.2 else self.people
        users = {str(number): {"id": str(number), "username": f"user{number}"} for number in who}
        return {**data, "resolved": {"users": users, "members": {number: {"roles": []} for number in users}}}


def command_data(commands: list[Json], path: str) -> Json:
    """The data of a command without options, "game options" for /game options."""
    name, *rest = path.split()
    return _command(next(c for c in commands if c["name"] == name), rest, [])


def _command(command: Json, path: list[str], options: list[Any]) -> Json:
    inner: list[Any] = options
    for depth, name in reversed(list(enumerate(path))):
        inner = [{"name": name, "type": SUB if depth == len(path) - 1 else GROUP, "options": inner}]
    return {"id": str(command.get("id", 1)), "name": command["name"], "type": TYPED, "options": inner}


def _leaves(commands: list[Json]) -> Iterator[tuple[Json, list[str], list[Json]]]:
    """Everything that can be run: the command, the path of its subcommand, and the options."""
    for command in commands:
        below = [(o["name"], o) for o in command.get("options", []) if o["type"] in (SUB, GROUP)]
        if not below:
            yield command, [], command.get("options", [])
        for name, sub in below:
            yield command, [name], sub.get("options", [])
