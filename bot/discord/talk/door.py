"""The door: reads clicks, choices and sent forms strictly. The code behind it gets nothing malformed.

Discord's own client sends only what it was offered. Other clients can send anything.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

import discord

from bot.discord.ids import BUTTON, MODAL, SELECT, Address, parse
from bot.discord.talk import incoming
from bot.screens.controls import Entries, Entry
from bot.tasks import Shielded

log = logging.getLogger(__name__)

ROW, LABEL = 1, 18
"""Types of the components that hold the fields of a form."""
COMPONENTS = {2: BUTTON, 3: SELECT, 6: SELECT, 8: SELECT}
"""Prefixes of custom ids, by the type of the component; 6 and 8 list roles and channels."""
MOST_FIELDS = 5
"""Most fields in a form."""

Entered = dict[str, list[str]]
"""Entered values by field id. The values chosen in a select have the key ""."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What a verb accepts: a pattern of the details in the id (joined by colons), and the entries that go with them."""

    details: str = ""
    entries: Entries | Callable[[tuple[str, ...]], Entries] | None = None

    def fits(self, address: Address, entered: Entered) -> bool:
        """Whether an interaction has this shape."""
        if re.fullmatch(self.details, ":".join(address.args)) is None:
            return False
        entries = self.entries(address.args) if callable(self.entries) else self.entries or {}
        return entered.keys() <= entries.keys() and all(_fits(e, entered.get(n, [])) for n, e in entries.items())


def _fits(entry: Entry, values: list[str]) -> bool:
    """Whether these values could have been entered."""
    return entry.least <= len(values) <= entry.most and all(re.fullmatch(entry.pattern, v) for v in values)


@dataclass(frozen=True, slots=True)
class Arrival:
    """A click, choice or form as it came in. `address` and `entered` are None if they can't be read."""

    prefix: str
    custom_id: str
    address: Address | None
    entered: Entered | None


def guard(
    client: discord.Client,
    unread: Callable[[str, Exception], None],
    apologize: Callable[[discord.Interaction[Any]], Coroutine[Any, Any, None]],
) -> None:
    """Have discord.py get interactions only as it can read them. What can't be read at all is noted by `unread`, and
    answered by `apologize`: an error here would end the process."""
    parsers, answers = client._connection.parsers, Shielded()
    parse = parsers["INTERACTION_CREATE"]

    def guarded(payload: Any) -> None:
        try:
            try:
                parse(incoming.read(payload, client.application_id))
            except Exception:
                parse(incoming.read(payload, client.application_id, bare=True))
        except Exception as error:
            unread("INTERACTION_CREATE", error)
            if (interaction := _answerable(client, payload)) is not None:
                answers.start(apologize(interaction))

    parsers["INTERACTION_CREATE"] = guarded


def _answerable(client: discord.Client, payload: Any) -> discord.Interaction[Any] | None:
    """An interaction with no more than what an answer needs; None: not even that can be read."""
    try:
        state: Any = client._connection
        data: Any = incoming.token_of(payload, client.application_id)
        return discord.Interaction(data=data, state=state)
    except Exception:
        log.warning("An interaction that can't be read can't be answered either")
        return None


def arrival(interaction: discord.Interaction[Any]) -> Arrival:
    """Read a component or a form. The client must be guarded."""
    data: Any = interaction.data
    custom_id: str = data["custom_id"]
    prefix, entered = MODAL, _entered(data["components"])
    if interaction.type is discord.InteractionType.component:
        prefix = COMPONENTS.get(data["component_type"], "")
        entered = _texts({"": data["values"]}) if "values" in data else {}
    address = parse(custom_id) if prefix and custom_id.startswith(prefix) else None
    return Arrival(prefix, custom_id, address, entered)


def _entered(components: object) -> Entered | None:
    """The values of a form's fields; None if Discord's client wouldn't send them like this."""
    if not isinstance(components, list) or len(components) > MOST_FIELDS:
        return None
    found: dict[str, object] = {}
    for top in components:
        field = _field(top)
        if field is None or field.get("custom_id") in found:
            return None
        text = [] if field.get("value") is None else [field["value"]]
        found[str(field["custom_id"])] = field.get("values", text)
    return _texts(found)


def _field(top: object) -> dict[str, Any] | None:
    """The field in a label, or in a row of its own."""
    if not isinstance(top, dict):
        return None
    inner = top.get("component") if top.get("type") == LABEL else None
    if top.get("type") == ROW and isinstance(top.get("components"), list) and len(top["components"]) == 1:
        [inner] = top["components"]
    return inner if isinstance(inner, dict) and isinstance(inner.get("custom_id"), str) else None


def _texts(found: dict[str, object]) -> Entered | None:
    """The given values, if each is a list of distinct texts; otherwise None."""
    out: Entered = {}
    for name, values in found.items():
        if not isinstance(values, list) or not all(isinstance(v, str) for v in values):
            return None
        if len(set(values)) < len(values):
            return None
        out[name] = values
    return out
