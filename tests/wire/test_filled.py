"""How people's clients send a modal, and how Discord keeps the texts of messages."""

from __future__ import annotations

from typing import Any

import pytest

from tests.wire.filled import row
from tests.wire.model import Json
from tests.wire.sent import layout, modal
from tests.wire.server import WireServer
from tests.wire.words import kept


def sent(data: Json, given: Any = None) -> Any:
    """What a client sends for the one input in a modal."""
    component = row(data["components"][0], {} if given is None else {"x": given}, {})["component"]
    return component.get("value", component.get("values"))


RADIOS, BOXES = modal(21, options="abc"), modal(22, options="abc")
FREE = modal(21, options="abc", required=False)
CHOSEN = modal(21, options="abc")
CHOSEN["components"][0]["component"]["options"][1]["default"] = True


@pytest.mark.parametrize(
    ("data", "given", "value"),
    [
        (RADIOS, "b", "b"),
        (CHOSEN, None, "b"),
        (FREE, None, None),
        (BOXES, ["a", "c"], ["a", "c"]),  # as many as there are boxes
        (modal(22, options="abc", min_values=0, required=False), None, []),
        (modal(23), None, False),
        (modal(23, default=True), None, True),
        (modal(23, default=True), False, False),
        (modal(3, options="abc", required=False), None, []),
    ],
)
def test_chosen_and_default_values_are_sent(data: Json, given: Any, value: Any) -> None:
    assert sent(data, given) == value


@pytest.mark.parametrize(
    ("data", "given"),
    [
        (RADIOS, None),
        (RADIOS, "d"),
        (BOXES, None),
        (BOXES, []),
        (modal(22, options="abc", max_values=1), ["a", "b"]),
        (modal(23), "yes"),
        (modal(3, options="abc"), None),
    ],
)
def test_a_choice_that_clients_do_not_allow_is_not_sent(data: Json, given: Any) -> None:
    with pytest.raises(ValueError, match=r"^(x (takes|has no)|Label: )"):
        sent(data, given)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("  a  b \n", "a  b"),
        ("a\r\n\tb\0\x1b", "a\n\tb"),
        ("\u202eab\u2066c\ud83d", "abc"),
        ("\u200b", "\u200b"),  # people use this for empty lines
    ],
)
def test_texts_are_trimmed_and_some_characters_stripped(text: str, left: str) -> None:
    assert kept(text) == left


def test_posted_texts_are_returned_as_discord_stores_them() -> None:
    world = WireServer().world
    sent = layout({"type": 17, "components": [{"type": 10, "content": " a… \0"}]})
    assert world.post(world.table, sent, {}).json()["components"][0]["components"][0]["content"] == "a…"
    world.rewrites.append(lambda text: text.replace("…", "..."))
    assert world.post(world.table, sent, {}).text == "a..."
    assert world.post(world.table, {"content": " … "}, {}).json()["content"] == "..."
    assert sent["components"][0]["components"][0]["content"] == " a… \0"  # the request is unchanged
