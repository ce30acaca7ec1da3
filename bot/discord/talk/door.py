"""The door: reads clicks, choices and sent forms strictly, and makes the forms. The code behind it gets nothing
malformed.

Interactions are read as discord.py must have them: filled in where Discord has left something out, and without what
Harbormaster doesn't need, which can then be of any shape. A sent form is handled by its id alone, so it works even
after a restart.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import discord
from discord import ui

from bot.discord.interaction import BUTTON, MODAL, SELECT, Address, Json, parse_id
from bot.discord.show.messages import options_of
from bot.plaintext import cut
from bot.screens.controls import ChoiceField, Entries, Entry, Form, ListOption, TextField
from bot.tasks import Shielded

log = logging.getLogger(__name__)

COMMAND, COMPONENT, TYPING, FORM = 2, 3, 4, 5
"""Types of interactions."""
TEXT, DIRECT = 0, 1
CHANNEL_KINDS = (TEXT, 2, 5, 10, 11, 12, 13, 15, 16)
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


def completed(payload: Json, application: int | None, *, bare: bool = False) -> Json:
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
        if "COMMUNITY" in _list(_object(payload.get("guild")).get("features")):  # others haven't chosen their language
            found["guild_locale"] = _text(payload.get("guild_locale"), "en-US")
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
    kind = raw.get("type") if raw.get("type") in CHANNEL_KINDS else TEXT
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


ROW, LABEL = 1, 18
"""Types of the components that hold the fields of a form."""
COMPONENTS = {2: BUTTON, 3: SELECT, 5: SELECT, 6: SELECT, 8: SELECT}
"""Prefixes of custom ids, by the type of the component; 5, 6 and 8 list people, roles and channels."""
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
                parse(completed(payload, client.application_id))
            except Exception:
                parse(completed(payload, client.application_id, bare=True))
        except Exception as error:
            unread("INTERACTION_CREATE", error)
            if (interaction := _answerable(client, payload)) is not None:
                answers.start(apologize(interaction))

    parsers["INTERACTION_CREATE"] = guarded


def _answerable(client: discord.Client, payload: Any) -> discord.Interaction[Any] | None:
    """An interaction with no more than what an answer needs; None: not even that can be read."""
    try:
        state: Any = client._connection
        data: Any = token_of(payload, client.application_id)
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
        entered = _entered_texts({"": data["values"]}) if "values" in data else {}
    address = parse_id(custom_id) if prefix and custom_id.startswith(prefix) else None
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
    return _entered_texts(found)


def _field(top: object) -> dict[str, Any] | None:
    """The field in a label, or in a row of its own."""
    if not isinstance(top, dict):
        return None
    inner = top.get("component") if top.get("type") == LABEL else None
    if top.get("type") == ROW and isinstance(top.get("components"), list) and len(top["components"]) == 1:
        [inner] = top["components"]
    return inner if isinstance(inner, dict) and isinstance(inner.get("custom_id"), str) else None


def is_whole(text: str) -> bool:
    """Whether a text has no half of a character, which JSON can carry but nothing can store."""
    return not any("\ud800" <= letter <= "\udfff" for letter in text)


def _entered_texts(found: dict[str, object]) -> Entered | None:
    """The given values, if each is a list of distinct texts; otherwise None."""
    out: Entered = {}
    for name, values in found.items():
        if not isinstance(values, list) or not all(isinstance(v, str) and is_whole(v) for v in values):
            return None
        if len(set(values)) < len(values):
            return None
        out[name] = values
    return out


FEW_OPTIONS = 10
"""Most choices that are shown side by side."""


def modal_of(form: Form, custom_id: str) -> ui.Modal:
    """The modal of a form; the submission is handled by the client's `on_interaction`."""
    modal = ui.Modal(title=cut(form.title, 45), custom_id=custom_id)
    modal.stop()  # discord.py need not wait for it: a form is read when it comes, even after a restart
    for field in form.fields:
        if isinstance(field, ChoiceField) and not field.options:
            continue
        modal.add_item(
            ui.Label(
                text=cut(field.label, 45),
                description=cut(field.description, 100) if field.description else None,
                component=_text_input(field) if isinstance(field, TextField) else _choice_input(field),
            )
        )
    return modal


def _text_input(field: TextField) -> ui.TextInput[Any]:
    return ui.TextInput(
        custom_id=field.name,
        placeholder=cut(field.placeholder, 100) if field.placeholder else None,
        default=field.default[: field.longest] if field.default else None,
        required=field.required,
        max_length=field.longest,
    )


def _choice_input(field: ChoiceField) -> ui.RadioGroup[Any] | ui.CheckboxGroup[Any] | ui.Select[Any]:
    """All choices side by side if there are few, otherwise a list."""
    few = len(field.options) <= FEW_OPTIONS and not field.listed
    if few and field.most > 1:
        boxes = [
            discord.CheckboxGroupOption(label=label, value=o.value, description=description, default=o.default)
            for o, label, description in _worded(field.options)
        ]
        least, most = field.least if field.required else 0, min(field.most, len(boxes))
        return ui.CheckboxGroup(
            custom_id=field.name, options=boxes, required=field.required, min_values=least, max_values=most
        )
    if few and len(field.options) > 1:
        radios = [
            discord.RadioGroupOption(label=label, value=o.value, description=description, default=o.default)
            for o, label, description in _worded(field.options)
        ]
        return ui.RadioGroup(custom_id=field.name, options=radios, required=field.required)
    return ui.Select(
        custom_id=field.name,
        options=options_of(field.options),
        required=field.required,
        min_values=field.least if field.required else 0,
        max_values=min(field.most, len(field.options)),
    )


def _worded(options: Iterable[ListOption]) -> Iterator[tuple[ListOption, str, str | None]]:
    """Options with label and description. Options side by side can't have an emoji, so the label includes it."""
    for option in options:
        label = f"{option.emoji} {option.label}" if option.emoji else option.label
        yield option, cut(label, 100), cut(option.description, 100) if option.description else None
