"""What Discord refuses in messages and modals, each with the path of the fault and Discord's code."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.wire import described
from tests.wire.calls import Request
from tests.wire.components import number
from tests.wire.limits import check_choices
from tests.wire.messages import V2, walk
from tests.wire.modals import check_modal
from tests.wire.model import Json, Permission, Refused
from tests.wire.sent import layout, modal
from tests.wire.server import WireServer
from tests.wire.world import World

TEXT = {"type": 10, "content": "text"}
MEDIA = {"media": {"url": "https://example.com/a.png"}}


def faults(errors: Json | None, path: str = "") -> Iterator[tuple[str, str]]:
    """Path and code of each fault that Discord reports."""
    for key, node in (errors or {}).items():
        if key == "_errors":
            yield from ((path, error["code"]) for error in node)
        else:
            yield from faults(node, f"{path}.{key}".lstrip("."))


def told(body: Json, world: World | None = None) -> dict[str, str]:
    """What Discord says to a post. Empty: it was posted."""
    world = world or WireServer().world
    try:
        described.check(Request("POST", "/channels/1/messages", 0.0, json=body))
        world.post(world.table, body, {})
    except Refused as refused:
        return dict(faults(refused.errors)) or {"": str(refused.code)}
    return {}


def button(**more: Any) -> Json:
    """A message with one button."""
    inner = {"type": 2, "style": 1, "label": "Roll", "custom_id": "roll", **more}
    return {"components": [{"type": 1, "components": [{k: v for k, v in inner.items() if v is not None}]}]}


def select(**more: Any) -> Json:
    """A message with one select."""
    options = [{"label": name, "value": name} for name in ("ore", "wool")]
    return {"components": [{"type": 1, "components": [{"type": 3, "custom_id": "x", "options": options, **more}]}]}


@pytest.mark.parametrize(
    ("more", "where", "code"),
    [
        ({"emoji": {"name": "▲"}}, "emoji.name", "COMPONENT_INVALID_EMOJI"),
        ({"emoji": {"name": ":ore:"}}, "emoji.name", "COMPONENT_INVALID_EMOJI"),
        ({"emoji": {"name": "⚙"}}, "emoji.name", "COMPONENT_INVALID_EMOJI"),  # text unless U+FE0F follows
        ({"emoji": {"name": "\U0001fa8e"}}, "emoji.name", "COMPONENT_INVALID_EMOJI"),  # Unicode 17
        ({"emoji": {"name": "ore", "id": "1"}}, "emoji.id", "COMPONENT_INVALID_EMOJI"),
        ({"style": 9}, "style", "BASE_TYPE_CHOICES"),
        ({"url": "https://a.b"}, "custom_id", "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE"),
        ({"style": 5}, "url", "BASE_TYPE_REQUIRED"),
        ({"style": 5, "custom_id": None, "url": "javascript:alert(1)"}, "url", "URL_TYPE_INVALID_SCHEME"),
        ({"style": 5, "custom_id": None, "url": "steam://connect"}, "url", "URL_TYPE_INVALID_SCHEME"),
        ({"custom_id": None}, "custom_id", "BASE_TYPE_REQUIRED"),
        ({"style": 6, "custom_id": None, "sku_id": "1"}, "label", "BUTTON_COMPONENT_FIELD_NOT_ALLOWED"),
        ({"style": 6, "custom_id": None, "label": None}, "sku_id", "BASE_TYPE_REQUIRED"),
        ({"label": None}, "", "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED"),
    ],
)
def test_a_faulty_button_is_refused(more: Json, where: str, code: str) -> None:
    place = f"components.0.components.0.{where}".rstrip(".")
    assert told(button(**more))[place] == code


@pytest.mark.parametrize(
    "more",
    [
        {"emoji": {"name": "⚙️"}},
        {"emoji": {"name": "👩🏽‍🌾"}},
        {"emoji": {"name": "🏴󠁧󠁢󠁥󠁮󠁧󠁿"}},
        {"emoji": {"name": "1️⃣"}, "label": None},
        {"emoji": {"name": "ore", "id": "8"}},
        {"style": 5, "custom_id": None, "url": "discord://-/settings"},
        {"style": 6, "custom_id": None, "label": None, "sku_id": "1"},
    ],
)
def test_a_valid_button_is_accepted(more: Json) -> None:
    world = WireServer().world
    world.emoji["8"] = "ore"
    assert told(button(**more), world) == {}


@pytest.mark.parametrize(
    ("body", "where", "code"),
    [
        (layout({**TEXT, "id": 7}, {**TEXT, "id": 7}), "components.1.id", "COMPONENT_ID_DUPLICATED"),
        (layout({"type": 10, "content": " \n "}), "components.0.content", "BASE_TYPE_BAD_LENGTH"),
        (layout(*[{"type": 10, "content": "x" * 2001}] * 2), "components", "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED"),
        (layout({"type": 12, "items": [MEDIA] * 11}), "components.0.items", "BASE_TYPE_MAX_LENGTH"),
        (layout({"type": 9, "components": [TEXT]}), "components.0.accessory", "BASE_TYPE_REQUIRED"),
        (
            layout({"type": 9, "components": [TEXT] * 4, "accessory": {"type": 11, **MEDIA}}),
            "components.0.components",
            "BASE_TYPE_MAX_LENGTH",
        ),
        (layout({"type": 13, "file": {"url": "https://a.b/c"}}), "components.0.file.url", "URL_TYPE_INVALID_SCHEME"),
        (layout({"type": 17, "components": []}), "components.0.components", "BASE_TYPE_MIN_LENGTH"),
        ({"components": [TEXT]}, "components.0.type", "UNION_TYPE_CHOICES"),
        (select(options=[]), "components.0.components.0.options", "BASE_TYPE_MIN_LENGTH"),
        (select(max_values=3), "components.0.components.0.max_values", "BASE_TYPE_BAD_RANGE"),
        (select(placeholder="x" * 151), "components.0.components.0.placeholder", "BASE_TYPE_MAX_LENGTH"),
        (
            select(options=[{"label": "x", "value": "x", "description": "x" * 101}]),
            "components.0.components.0.options.0.description",
            "BASE_TYPE_MAX_LENGTH",
        ),
        ({"embeds": [{"description": "x" * 3001}] * 2}, "embeds", "MAX_EMBED_SIZE_EXCEEDED"),
        ({"content": "x" * 2001}, "content", "BASE_TYPE_BAD_LENGTH"),
        ({"content": "  "}, "", "50006"),
        (
            {"content": "x", "allowed_mentions": {"users": ["1", "2", "1"]}},
            "allowed_mentions.users.2",
            "SET_TYPE_ALREADY_CONTAINS_VALUE",
        ),
        (
            {"content": "x", "message_reference": {"message_id": "1"}},
            "message_reference",
            "MESSAGE_REFERENCE_UNKNOWN_MESSAGE",
        ),
    ],
)
def test_a_faulty_message_is_refused(body: Json, where: str, code: str) -> None:
    assert told(body)[where] == code


def test_an_unknown_field_is_ignored() -> None:
    assert told({"content": "x", "colour": "red", **button(colour="red")}) == {}


def test_components_without_ids_get_unused_ids() -> None:
    components: list[Any] = [{**TEXT, "id": 2}, {**TEXT, "id": 0}, {"type": 17, "components": [dict(TEXT)]}]
    number(components)
    assert [c["id"] for c in walk(components)] == [2, 1, 3, 4]


def test_a_reply_includes_the_message_it_answers() -> None:
    world = WireServer().world
    first = world.post(world.table, {"content": "first"}, {})
    reference = {"message_id": str(first.id)}
    reply = world.post(world.table, {"content": "second", "message_reference": reference}, {}).json()
    assert (reply["type"], reply["referenced_message"]["content"]) == (19, "first")
    first.deleted = True
    kind = world.post(
        world.table, {"content": "x", "message_reference": {**reference, "fail_if_not_exists": False}}, {}
    )
    assert kind.json()["type"] == 0
    world.table.deny(world.bot, Permission.READ_MESSAGE_HISTORY)
    with pytest.raises(Refused, match="403 160002"):
        world.post(world.table, {"content": "x", "message_reference": reference}, {})


def test_a_v2_message_stays_v2_and_another_can_become_v2_only_without_content() -> None:
    world = WireServer().world
    plain, panel = world.post(world.table, {"content": "x"}, {}), world.post(world.table, layout(TEXT), {})
    for message, body, code in (
        (panel, {"flags": 0}, "MESSAGE_CANNOT_REMOVE_COMPONENTS_V2_FLAG"),
        (panel, {"content": "x"}, "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"),
        (plain, layout(TEXT), "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"),
    ):
        with pytest.raises(Refused, match=code):
            world.edit(message, body, {}, keep_files=True)
    world.edit(plain, {**layout(TEXT), "content": None}, {}, keep_files=True)
    assert (plain.text, plain.flags) == ("text", V2)


ABC = "abcdefghijk"


@pytest.mark.parametrize(
    ("data", "where", "code"),
    [
        (modal(21, options="a"), "options", "BASE_TYPE_MIN_LENGTH"),
        (modal(21, options=ABC), "options", "BASE_TYPE_MAX_LENGTH"),
        (modal(22), "options", "BASE_TYPE_REQUIRED"),
        (modal(22, options=ABC), "options", "BASE_TYPE_MAX_LENGTH"),
        (modal(22, options="ab", max_values=3), "max_values", "BASE_TYPE_BAD_RANGE"),
        (modal(22, options="ab", min_values=0), "min_values", "BASE_TYPE_BAD_RANGE"),
        (modal(3, options="ab", min_values=0), "min_values", "BASE_TYPE_BAD_RANGE"),
        (modal(3, options="ab", min_values=0, required=True), "min_values", "BASE_TYPE_BAD_RANGE"),
        (modal(3, options="ab", disabled=True), "disabled", "COMPONENT_DISABLED_IN_MODAL"),
        (modal(3, options="aa"), "options", "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED"),
        (modal(4, style=1, min_length=9, max_length=8), "max_length", "BASE_TYPE_BAD_RANGE"),
        (modal(4, style=1, max_length=2, value="abc"), "value", "BASE_TYPE_BAD_LENGTH"),
        (modal(2, style=1, label="x"), "type", "UNION_TYPE_CHOICES"),
    ],
)
def test_a_faulty_modal_input_is_refused(data: Json, where: str, code: str) -> None:
    assert modal_told(data)[f"data.components.0.component.{where}"] == code


@pytest.mark.parametrize(
    "data",
    [
        modal(21, options="ab", required=False),
        modal(22, options="a", min_values=0, required=False),
        modal(22, options=ABC[:10], max_values=10),
        modal(23, default=True),
        modal(3, options="ab", min_values=0, required=False),
    ],
)
def test_a_valid_modal_is_accepted(data: Json) -> None:
    assert modal_told(data) == {}


def test_a_modal_with_too_many_parts_or_a_long_title_is_refused() -> None:
    part = modal(23)["components"][0]
    parts = [{**part, "component": {"type": 23, "custom_id": f"{n}"}} for n in range(6)]
    assert modal_told({"title": "x" * 46, "custom_id": "m", "components": parts[:5]}) == {
        "data.title": "BASE_TYPE_MAX_LENGTH"
    }
    assert modal_told({"title": "x", "custom_id": "m", "components": parts}) == {
        "data.components": "BASE_TYPE_BAD_LENGTH"
    }


def modal_told(data: Json) -> dict[str, str]:
    """What Discord says when this modal answers an interaction."""
    call = Request("POST", "/interactions/1/token/callback", 0.0, json={"type": 9, "data": data})
    try:
        described.check(call)
        try:
            check_modal(data)
        except Refused as refused:
            raise refused.below("data") from None
    except Refused as refused:
        return dict(faults(refused.errors))
    return {}


def test_too_many_or_too_long_choices_are_refused() -> None:
    with pytest.raises(Refused, match="between 1 and 100"):
        check_choices([{"name": "x" * 101, "value": "x"}])
    with pytest.raises(Refused, match="between 0 and 25"):
        check_choices([{"name": "x", "value": "x"}] * 26)
