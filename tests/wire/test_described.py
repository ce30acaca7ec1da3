"""How requests are compared with Discord's published description of its API."""

from __future__ import annotations

from typing import Any

import pytest

from tests.wire import described
from tests.wire.calls import Request
from tests.wire.described import BEYOND, route_of

POST, EDIT = ("POST", "/channels/1/messages"), ("PATCH", "/channels/1/messages/2")
ROW: dict[str, Any] = {"type": 1, "components": [{"type": 2, "style": 1, "label": "Roll", "custom_id": "roll"}]}


def button(**more: Any) -> dict[str, Any]:
    """A message with one button."""
    return {"components": [{"type": 1, "components": [ROW["components"][0] | more]}]}


def looked_up(method: str, path: str, body: Any, **query: str) -> Request:
    """A request that was looked up."""
    call = Request(method, path, 0.0, json=body, query=query)
    described.look_up(call)
    return call


def faults(method: str, path: str, body: Any, **query: str) -> list[str]:
    """Where it differs from the description."""
    return described.faults(looked_up(method, path, body, **query))


@pytest.mark.parametrize(
    ("body", "where"),
    [
        (button(style=9), "components.0.components.0.style"),
        (button(custom_id="x" * 101), "components.0.components.0.custom_id"),
        (button(colour="red"), "components.0.components.0"),
        ({"content": 5}, "content"),
        ({"allowed_mentions": {"users": ["1"] * 101}}, "allowed_mentions.users"),
        ({"text": "hello"}, "body"),
    ],
)
def test_a_fault_in_a_request_body_is_named(body: Any, where: str) -> None:
    [fault] = faults(*POST, body)
    assert fault.startswith(f"POST /channels/{{channel_id}}/messages: {where}: ")


def test_an_unknown_route_or_parameter_is_named() -> None:
    assert route_of("PATCH", "/webhooks/1/x/messages/@original") == (
        "PATCH /webhooks/{webhook_id}/{webhook_token}/messages/@original"
    )
    assert faults("POST", "/channels/1/message", {}) == ["POST /channels/1/message: there is no such route"]
    assert faults("GET", "/channels/1/messages", None, last="50") == [
        "GET /channels/{channel_id}/messages: there is no parameter last"
    ]
    assert faults("DELETE", "/channels/1", {}) == ["DELETE /channels/{channel_id}: takes no body"]


def test_ids_may_be_numbers() -> None:
    assert faults("POST", "/users/@me/channels", {"recipient_id": 1}) == []
    assert faults("POST", "/users/@me/channels", {"recipient_id": 1.5}) != []


def test_fields_sent_beyond_the_description_are_listed() -> None:
    """If a newer description has one of these fields, it must be removed from the list."""
    bodies: dict[str, Any] = {"tts": {"tts": False}, "nsfw": [{"name": "roll", "nsfw": False}]}
    sent = {"tts": EDIT, "nsfw": ("PUT", "/applications/1/commands")}
    assert bodies.keys() == BEYOND.keys()
    for name, body in bodies.items():
        assert faults(*sent[name], body) == []
        assert looked_up(*sent[name], body).errors
