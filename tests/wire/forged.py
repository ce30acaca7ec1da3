"""Forged interactions, which no client of Discord's sends. They are made from what the bot has shown, and repeat by
seed."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from engine.actions import ACTIONS
from tests.wire.calls import AUTOCOMPLETE, COMMAND, COMPONENT, MODAL
from tests.wire.commands import BOOLEAN, GROUP, INTEGER, STRING, SUB, USER
from tests.wire.limits import BUTTON, INPUT, LABEL, ROW, SELECT
from tests.wire.messages import Message, live, walk
from tests.wire.model import Json

NUMBERS = (
    *("", "0", "-1", "+1", "1.5", "1e9", "0x1f", "007", "999", "4096", "99999999999", "9" * 19, "9" * 40, "9" * 4400),
    *("²", "٣", "１２", "①", "1_000", " 1", "1 ", "1\n", "NaN", "inf", "None", "true", "null"),
)
"""Values to put where a number belongs."""
TEXTS = (
    *("", " ", "\n", "\0", ":", "::::", "…", "'; DROP TABLE games; --", "@everyone", "<@1>", "<@>", "\u202e", "\ud83d"),
    *("x" * 101, "🐑" * 2000, "1" * 6000, "²", "٣ wool", "[a](http://a.b)", "__proto__", "%s", "{0}", "../..", "[]"),
)
"""Values to put where a word belongs."""
JUNK: tuple[Any, ...] = (None, True, 0, -1, 2**70, 1.5, "", "x", [], [[]], {}, {"": None}, [None], {"type": 18})
"""Values to put anywhere else."""
ENDS = {"resign", "agree_to_end", "agree_to_call_off", "call_off", "cancel"}
"""Words that could lawfully end the game that is attacked."""


@dataclass(frozen=True)
class Forged:
    """An interaction to send: its kind for counting, Discord's type, its data, the message it claims to come from."""

    name: str
    type: int
    data: Any
    source: Message | None = None


@dataclass
class Forger:
    """Makes forged interactions. `learn` gives it what the bot has shown."""

    rng: random.Random
    commands: list[Json]
    components: dict[str, tuple[Json, Message]] = field(default_factory=dict)
    """Buttons and selects by custom id."""
    modals: dict[str, list[Json]] = field(default_factory=dict)
    """The components of forms by custom id."""

    def learn(self, message: Message | None = None, modal: Json | None = None) -> None:
        """Take in the controls of a message, or a form."""
        if message is not None:
            self.components |= {c["custom_id"]: (c, message) for c in live(message.components)}
        if modal and modal.get("custom_id"):
            self.modals[modal["custom_id"]] = modal["components"]

    def forge(self) -> Forged:
        """A forged interaction. All kinds are equally likely."""
        return self.rng.choice(
            (
                *(self.mutated_button, self.mutated_select, self.mutated_form, self.other_words, self.other_numbers),
                *(self.wrong_values, self.wrong_type, self.swapped, self.no_data, self.wrong_fields, self.junk_form),
                *(self.strange_command, self.wild_options, self.wild_typing),
            )
        )()

    # --- ids

    def mutated_button(self) -> Forged:
        """A button whose custom id has a part changed, removed, doubled or added."""
        name, _, message = self._component(BUTTON)
        return Forged("button with a changed id", COMPONENT, _pressed(self._mutate(name)), message)

    def mutated_select(self) -> Forged:
        """A select whose custom id is changed in the same way, with a value that it offers."""
        name, component, message = self._component(SELECT)
        data = _chosen(self._mutate(name), [self.rng.choice(component["options"])["value"]])
        return Forged("select with a changed id", COMPONENT, data, message)

    def mutated_form(self) -> Forged:
        """A form whose custom id is changed in the same way, filled in at random with what it offers."""
        name, components = self._modal()
        return Forged("form with a changed id", MODAL, _sent(self._mutate(name), self._filled(components)))

    def other_words(self) -> Forged:
        """A custom id whose words are replaced by words of other ids or names of actions."""
        name, _, message = self._component(BUTTON)
        seen = (word for known in (*self.components, *self.modals) for word in re.findall(r"[a-z_]{2,}", known))
        words = sorted({*seen, *ACTIONS} - ENDS)
        changed = re.sub(r"(?<=:)[a-z_]+", lambda found: self._either(found[0], words), name)
        return Forged("button with other words", COMPONENT, _pressed(self._either(changed, [f"{changed}:3"])), message)

    def other_numbers(self) -> Forged:
        """A custom id with wild numbers, or a select's value with them."""
        kind = self.rng.choice((BUTTON, SELECT))
        name, component, message = self._component(kind)
        if kind == SELECT and self.rng.random() < 0.7:
            value = self._renumbered(self.rng.choice(component["options"])["value"])
            return Forged("select with wild numbers", COMPONENT, _chosen(name, [value]), message)
        data = {**_pressed(self._renumbered(name)), "component_type": kind}
        return Forged("component with wild numbers", COMPONENT, data, message)

    def _mutate(self, name: str) -> str:
        parts = name.split(":")
        at = self.rng.randrange(len(parts))
        wild: list[Callable[[], list[str]]] = [
            lambda: [*parts[:at], *parts[at + 1 :]],
            lambda: [*parts[:at], parts[at], *parts[at:]],
            lambda: [*parts[:at], self.rng.choice(TEXTS), *parts[at + 1 :]],
            lambda: [*parts[:at], self.rng.choice(NUMBERS), *parts[at + 1 :]],
            lambda: [*parts, self.rng.choice((*NUMBERS, *TEXTS))],
            lambda: parts[:at],
            lambda: [*parts[:at], parts[at].upper(), *parts[at + 1 :]],
            lambda: [name[:: self.rng.choice((-1, 2))]],
        ]
        return ":".join(self.rng.choice(wild)())

    def _renumbered(self, text: str) -> str:
        return re.sub(r"\d+", lambda found: self._either(found[0], NUMBERS), text)

    def _either(self, one: str, others: Any) -> str:
        return one if self.rng.random() < 0.4 else str(self.rng.choice(others))

    # --- components and forms

    def wrong_values(self) -> Forged:
        """A select with values that it doesn't offer, too many, none, or something that is no list of values."""
        name, component, message = self._component(SELECT)
        offered = [option["value"] for option in component["options"]]
        other = [o["value"] for c, _ in self.components.values() for o in c.get("options", [])]
        values = self.rng.choice(
            (
                *([], offered * 30, [self.rng.choice(TEXTS)], [self.rng.choice(NUMBERS)], [self.rng.choice(other)]),
                *(self.rng.choice(JUNK), [self.rng.choice(JUNK)], [offered[0], self.rng.choice(JUNK)]),
            )
        )
        return Forged("select with wrong values", COMPONENT, _chosen(name, values), message)

    def wrong_type(self) -> Forged:
        """A control that claims another type, or has data that its type doesn't take."""
        name, component, message = self._component(self.rng.choice((BUTTON, SELECT)))
        data: Json = {"custom_id": name, "component_type": self.rng.choice((2, 3, 5, 8, 4, 18, 99, -1))}
        if data["component_type"] == component["type"] or self.rng.random() < 0.3:
            data = {"custom_id": name, "component_type": 5 - component["type"]}
        if self.rng.random() < 0.5:
            data["values"] = [self.rng.choice(TEXTS)]
        return Forged("component of a wrong type", COMPONENT, data, message)

    def swapped(self) -> Forged:
        """A form sent with a button's id, or a button pressed with a form's."""
        form, components = self._modal()
        name, _, message = self._component(self.rng.choice((BUTTON, SELECT)))
        if self.rng.random() < 0.5:
            return Forged("form with a button's id", MODAL, _sent(name, self._filled(components)), message)
        return Forged("button with a form's id", COMPONENT, _pressed(form), message)

    def no_data(self) -> Forged:
        """Data where a part that every interaction has is missing or replaced."""
        name, _, message = self._component(BUTTON)
        kind = self.rng.choice((COMPONENT, MODAL, COMMAND))
        whole: Json = {
            COMPONENT: _pressed(name),
            MODAL: _sent(self._modal()[0], []),
            COMMAND: {"id": "1", "name": "roll", "type": 1},
        }[kind]
        key = self.rng.choice(sorted(whole))
        less = {k: v for k, v in whole.items() if k != key}
        data = self.rng.choice((None, {}, less, {**whole, key: self.rng.choice(JUNK)}))
        return Forged("data missing or junk", kind, data, message if kind == COMPONENT else None)

    def wrong_fields(self) -> Forged:
        """A form with wild values in its own fields, or with another form's fields."""
        name, components = self._modal()
        if self.rng.random() < 0.3:
            return Forged("form with others' fields", MODAL, _sent(name, self._filled(self._modal()[1])))
        return Forged("form with wild fields", MODAL, _sent(name, self._filled(components, wild=True)))

    def junk_form(self) -> Forged:
        """A form whose components are no components."""
        name, components = self._modal()
        deep: Any = {"type": INPUT, "custom_id": "give", "value": "1 ore"}
        for _ in range(self.rng.choice((2, 400))):
            deep = (
                {"type": LABEL, "component": deep} if self.rng.random() < 0.5 else {"type": ROW, "components": [deep]}
            )
        filled = self._filled(components)
        junk = self.rng.choice(
            (
                *(self.rng.choice(JUNK), [self.rng.choice(JUNK)], [deep], filled * 20),
                *([{**part, self.rng.choice(("component", "type", "id")): self.rng.choice(JUNK)} for part in filled],),
            )
        )
        return Forged("form of junk", MODAL, _sent(name, junk))

    def _filled(self, components: list[Json], wild: bool = False) -> list[Json]:
        return [
            {"type": LABEL, "id": n, "component": self._field(inner, wild)}
            for n, top in enumerate(components)
            for inner in walk([top])
            if "custom_id" in inner
        ]

    def _field(self, inner: Json, wild: bool) -> Json:
        head = {"type": inner["type"], "id": 0, "custom_id": inner["custom_id"]}
        strange = wild and self.rng.random() < 0.7
        if inner["type"] == INPUT:
            texts = (*TEXTS, *NUMBERS, *JUNK)
            return {**head, "value": self.rng.choice(texts) if strange else "1 ore"}
        offered = [option["value"] for option in inner["options"]]
        values: Any = [self.rng.choice(offered)]
        if strange:
            odd = (*NUMBERS, *TEXTS, *JUNK)
            values = self.rng.choice(([self.rng.choice(odd)], self.rng.choice(JUNK), offered * 3, offered[:1] * 2))
        return {**head, "values": values}

    # --- commands

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
            )
        )
        return Forged("command that isn't there", COMMAND, data)

    def wild_options(self) -> Forged:
        """A command with wild values, or without a required one."""
        command, path, options = self._leaf()
        given = self._options(options, 0.8)
        if self.rng.random() < 0.2:
            given = given[1:]
        return Forged("command with wild values", COMMAND, _command(command, path, given))

    def wild_typing(self) -> Forged:
        """An autocomplete with wild values, or for an option that has none."""
        command, path, options = self._leaf()
        given = self._options(options, 0.8)
        for option in given:
            if self.rng.random() < 0.6:
                option["focused"] = self.rng.choice((True, True, True, False, "yes", None))
        return Forged("autocomplete with wild values", AUTOCOMPLETE, _command(command, path, given))

    def _leaf(self) -> tuple[Json, list[str], list[Json]]:
        leaves = [leaf for leaf in _leaves(self.commands) if not ENDS & {leaf[0]["name"], *leaf[1]}]
        return self.rng.choice(leaves)

    def _options(self, options: list[Json], wild: float) -> list[Json]:
        taken = [o for o in options if o.get("required") or self.rng.random() < 0.6]
        return [{"name": o["name"], "type": o["type"], "value": self._value(o, wild)} for o in taken]

    def _value(self, option: Json, wild: float) -> Any:
        if self.rng.random() < wild:
            return self.rng.choice((*TEXTS, *NUMBERS, *JUNK, -(2**63), 2**53, 10**30, 10**6))
        if choices := option.get("choices"):
            return self.rng.choice(choices)["value"]
        return {STRING: "1", INTEGER: 1, BOOLEAN: True, USER: "1"}.get(option["type"])

    # --- what there is

    def _component(self, kind: int) -> tuple[str, Json, Message]:
        components = [(name, c, m) for name, (c, m) in sorted(self.components.items()) if c["type"] == kind]
        return self.rng.choice(components)

    def _modal(self) -> tuple[str, list[Json]]:
        name = self.rng.choice(sorted(self.modals))
        return name, self.modals[name]


def _pressed(custom_id: str) -> Json:
    return {"custom_id": custom_id, "component_type": BUTTON}


def _chosen(custom_id: str, values: Any) -> Json:
    return {"custom_id": custom_id, "component_type": SELECT, "values": values}


def _sent(custom_id: str, components: Any) -> Json:
    return {"custom_id": custom_id, "components": components}


def _command(command: Json, path: list[str], options: list[Any]) -> Json:
    inner: list[Any] = options
    for depth, name in reversed(list(enumerate(path))):
        inner = [{"name": name, "type": SUB if depth == len(path) - 1 else GROUP, "options": inner}]
    return {"id": str(command.get("id", 1)), "name": command["name"], "type": 1, "options": inner}


def _leaves(commands: list[Json]) -> Iterator[tuple[Json, list[str], list[Json]]]:
    """Everything that can be run: the command, the path of its subcommand, and the options."""
    for command in commands:
        below = [(o["name"], o) for o in command.get("options", []) if o["type"] in (SUB, GROUP)]
        if not below:
            yield command, [], command.get("options", [])
        for name, sub in below:
            yield command, [name], sub.get("options", [])
