"""Forged interactions, which no client of Discord's sends. They are made from what the bot has shown, and repeat by
seed."""

from __future__ import annotations

import re
from bisect import insort
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from bot.discord.features import FEATURES
from bot.discord.talk.feature import Verbs
from engine.actions import ACTIONS
from tests.wire.calls import COMMAND, COMPONENT, MODAL
from tests.wire.forged_commands import CommandForger, Forged
from tests.wire.limits import BUTTON, INPUT, LABEL, ROW, SELECT
from tests.wire.messages import live, walk
from tests.wire.model import Json
from tests.wire.wild import JUNK, NUMBERS, TEXTS, matching

VERBS = [*Verbs(FEATURES)._verbs.items()]
ENDS = frozenset(("resign", "agree_to_end", "agree_to_call_off", "call_off", "cancel", "agree", "replace", "leave"))
"""Words that could lawfully end the game that is attacked, or change who plays."""


@dataclass
class Forger(CommandForger):
    """Makes forged interactions. `learn` gives it what the bot has shown."""

    components: dict[str, tuple[Json, Any]] = field(default_factory=dict)
    """Buttons and lists by custom id, with the message that had them last."""
    modals: dict[str, list[Json]] = field(default_factory=dict)
    """The components of forms by custom id."""
    tables: list[int] = field(default_factory=list)
    """Numbers of tables."""
    _known: dict[int, list[str]] = field(default_factory=dict)
    """Sorted custom ids by type of component; those of forms have the type 0."""

    def learn(self, message: Any = None, modal: Json | None = None) -> None:
        """Take in the controls of a message, or a form."""
        if message is not None:
            for component in live(message.components):
                self._know(component["type"], component["custom_id"])
                self.components[component["custom_id"]] = component, message
        if modal and modal.get("custom_id"):
            self._know(0, modal["custom_id"])
            self.modals[modal["custom_id"]] = modal["components"]

    def _know(self, kind: int, custom_id: str) -> None:
        if custom_id not in (self.modals if kind == 0 else self.components):
            insort(self._known.setdefault(kind, []), custom_id)

    def forge(self) -> Forged:
        """A forged interaction. All kinds are equally likely."""
        while True:
            try:
                forged = self._any()
            except LookupError:  # nothing like it was ever shown
                continue
            custom_id = forged.data.get("custom_id") if isinstance(forged.data, dict) else None
            if not self.without & {*str(custom_id).split(":")}:
                return forged

    def _any(self) -> Forged:
        return self.rng.choice(
            (
                *(self.mutated_button, self.mutated_select, self.mutated_form, self.other_words, self.other_numbers),
                *(self.wrong_values, self.wrong_type, self.swapped, self.no_data, self.wrong_fields, self.junk_form),
                *(self.never_offered, self.foreign, self.old, self.chosen_people),
                *(self.strange_command, self.wild_options, self.other_types, self.menu, self.wild_typing),
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
        words = sorted({*seen, *ACTIONS} - self.without)
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

    def never_offered(self) -> Forged:
        """A control of any verb with details and values that fit its shape, at any table."""
        wanted = self.rng.choice(("hb", "hs", "hm"))
        (prefix, name), verb = self.rng.choice([known for known in VERBS if known[0][0] == wanted])
        details = matching(verb.shape.details, self.rng)
        address = (prefix, name, str(self._table()), self._decision(), *([details] if details else []))
        args = tuple(details.split(":")) if details else ()
        entries = verb.shape.entries(args) if callable(verb.shape.entries) else verb.shape.entries or {}
        values = {n: [matching(e.pattern, self.rng) for _ in range(max(e.least, 1))] for n, e in entries.items()}
        _, _, message = self._component(BUTTON)
        if prefix == "hm":
            fields = [_labeled(n, SELECT, {"values": chosen}) for n, chosen in values.items()]
            return Forged("form that was never opened", MODAL, _sent(":".join(address), fields))
        data = _chosen(":".join(address), values.get("", [])) if prefix == "hs" else _pressed(":".join(address))
        return Forged("control that was never offered", COMPONENT, data, message)

    def foreign(self) -> Forged:
        """A control or a form of another table, or of another decision."""
        name, component, message = self._component(self.rng.choice((BUTTON, SELECT)))
        parts = self.rng.choice((name, name, self._modal()[0])).split(":")
        parts[2:4] = [str(self._table()), self.rng.choice((*parts[3:4], self._decision()))]
        if parts[0] == "hm":
            return Forged("form of another table", MODAL, _sent(":".join(parts), self._filled(self._modal()[1])))
        data = {"custom_id": ":".join(parts), "component_type": component["type"]}
        if component["type"] != BUTTON:
            data["values"] = [self.rng.choice(component["options"])["value"]]
        return Forged("control of another table", COMPONENT, data, message)

    def old(self) -> Forged:
        """A control or a form exactly as it was shown before, no matter to whom."""
        if self.rng.random() < 0.3:
            name, components = self._modal()
            return Forged("form of long ago", MODAL, _sent(name, self._filled(components)))
        name, component, message = self._component(self.rng.choice((BUTTON, BUTTON, SELECT)))
        data = _pressed(name)
        if component["type"] == SELECT:
            data = _chosen(name, [self.rng.choice(component["options"])["value"]])
        return Forged("control of long ago", COMPONENT, data, message)

    def chosen_people(self) -> Forged:
        """A list of people, roles or channels with ids that it doesn't offer, or a list of texts used as one."""
        kind = self.rng.choice([k for k in (5, 6, 7, 8) if self._known.get(k)] or [SELECT])
        name, _, message = self._component(kind)
        some = (self._person(), self._person(), *NUMBERS, *TEXTS)
        values: Any = [self.rng.choice(some) for _ in range(self.rng.choice((0, 1, 1, 2, 26)))]
        data = self._resolved({**_chosen(name, values), "component_type": self.rng.choice((kind, kind, 5, 6, 7, 8))})
        if self.rng.random() < 0.2:
            data["resolved"] = self.rng.choice(JUNK)
        return Forged("list of people with wrong values", COMPONENT, data, message)

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

    def filled_form(self, custom_id: str, components: list[Json]) -> Json:
        """A form that is sent as a client lets people fill it in, as far as any of its texts takes "1 ore"."""
        return _sent(custom_id, self._filled(components))

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

    # --- what there is

    def _component(self, kind: int) -> tuple[str, Json, Any]:
        name = self.rng.choice(self._known.get(kind) or self._known[BUTTON])
        return name, *self.components[name]

    def _modal(self) -> tuple[str, list[Json]]:
        name = self.rng.choice(self._known[0])
        return name, self.modals[name]

    def _table(self) -> int:
        return self.rng.choice((0, 1, *self.tables, *self.tables, *self.tables, 999))

    def _decision(self) -> str:
        """None, a wild one, or one that a control has or had."""
        if self.rng.random() < 0.6:
            return self._component(BUTTON)[0].split(":")[3]
        return self.rng.choice(("", "1.1", f"{self.rng.randrange(99)}.{self.rng.randrange(99)}"))


def _pressed(custom_id: str) -> Json:
    return {"custom_id": custom_id, "component_type": BUTTON}


def _chosen(custom_id: str, values: Any) -> Json:
    return {"custom_id": custom_id, "component_type": SELECT, "values": values}


def _labeled(custom_id: str, kind: int, entered: Json) -> Json:
    return {"type": LABEL, "id": 0, "component": {"type": kind, "id": 0, "custom_id": custom_id, **entered}}


def _sent(custom_id: str, components: Any) -> Json:
    return {"custom_id": custom_id, "components": components}
