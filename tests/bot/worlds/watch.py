"""Keeps everything that the bot sends, with who sees it. Ids, which can differ between worlds, become ordinals."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
import simcord
from simcord.http import router

ALL = 0
"""Audience: everyone in the channel. Any other audience is a user's id."""
EPHEMERAL = 64
_ID = re.compile(r"(?<!\d)\d{17,20}(?!\d)")


@dataclass(frozen=True)
class Sent:
    """One request of the bot: who sees its effect, what it does to which message, and with which files."""

    audience: int
    deed: str
    body: str
    files: tuple[tuple[str, str, bytes], ...]
    """Name, alternative text and contents of each file."""

    def plain(self, numbers: dict[str, str]) -> tuple[object, ...]:
        """The request without audience; ids are replaced by their order of appearance."""
        return (same(self.deed, numbers), same(self.body, numbers), self.files)


def same(text: str, numbers: dict[str, str]) -> str:
    """The text with its ids replaced: the nth new id becomes #n."""
    return _ID.sub(lambda found: numbers.setdefault(found[0], f"#{len(numbers) + 1}"), text)


class Watch:
    """Records all requests that the bot sends to a simulated Discord."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._raw: list[tuple[str, str, Any, tuple[tuple[str, str, bytes], ...]]] = []
        self._read = list[Sent]()
        send: Callable[..., Any] = router.dispatch

        def dispatch(backend: Any, method: str, path: str, **details: Any) -> Any:
            files = []
            for file in details.get("files") or []:
                files.append((file.filename, file.description or "", file.fp.read()))
                file.fp.seek(0)
            self._raw.append((method, path, copy.deepcopy(details.get("json")), tuple(files)))
            return send(backend, method, path, **details)

        monkeypatch.setattr(router, "dispatch", dispatch)

    @property
    def count(self) -> int:
        """How many requests were sent."""
        return len(self._raw)

    def all(self, env: simcord.Env) -> list[Sent]:
        """Everything that was sent, in order."""
        if len(self._read) != self.count:
            self._read = list(self._sent(env))
        return self._read

    def _sent(self, env: simcord.Env) -> Iterator[Sent]:
        asked: dict[str, dict[str, Any]] = {}
        for way, name, payload in env.backend.transcript:
            if (way, name) == ("GATEWAY", "INTERACTION_CREATE"):
                asked[payload["token"]] = asked[payload["id"]] = payload
        private = {str(c.id): c for c in env.backend.channels.values() if c.guild_id is None}
        thinking: set[str] = set()
        for method, path, body, files in self._raw:
            parts = path.strip("/").split("/")
            audience, deed = ALL, f"{method} {path}"
            if parts[0] == "interactions":
                audience, deed = _callback(asked[parts[1]], body, thinking)
                body = body["data"] if deed.startswith("edit") else body
            elif parts[0] == "webhooks":
                audience, deed = _webhook(asked[parts[2]], method, parts[3:], body, thinking)
            if method == "PATCH" and parts[0] == "channels" and parts[2] == "messages":
                deed = f"edit {parts[1]}/{parts[3]}"
            if parts[0] == "channels" and parts[1] in private:
                audience = next(u for u in private[parts[1]].recipient_ids if u != env.backend.bot_user.id)
            elif path.endswith("/users/@me/channels"):
                audience = int(body["recipient_id"])
            yield Sent(audience, deed, json.dumps(body, sort_keys=True, ensure_ascii=False), files)


def _user(payload: dict[str, Any]) -> int:
    return int((payload.get("member") or payload)["user"]["id"])


def _clicked(payload: dict[str, Any]) -> str | None:
    """The public message that was clicked, as "channel/message"; None if there is none."""
    message = payload.get("message")
    return (
        None if message is None or message.get("flags", 0) & EPHEMERAL else f"{message['channel_id']}/{message['id']}"
    )


def _callback(payload: dict[str, Any], body: dict[str, Any], thinking: set[str]) -> tuple[int, str]:
    """Audience and deed of the first answer to an interaction. Acknowledgments, forms and suggestions have only one
    viewer. That a change of the panel answers a click makes no difference to what all see of it."""
    user, kind = _user(payload), body["type"]
    hidden = (body.get("data") or {}).get("flags", 0) & EPHEMERAL
    if kind in (4, 5):
        if hidden:
            thinking.add(payload["token"])
        return (user if hidden else ALL), f"answer {kind}"
    if kind == 7 and (message := _clicked(payload)):
        return ALL, f"edit {message}"
    return user, f"answer {kind}"


def _webhook(payload: dict[str, Any], method: str, rest: list[str], body: Any, thinking: set[str]) -> tuple[int, str]:
    """Audience and deed of a later answer. An edit of the panel by a click's token looks like any other edit."""
    user = _user(payload)
    if not rest:
        return (user if body.get("flags", 0) & EPHEMERAL else ALL), "answer more"
    message = _clicked(payload)
    if rest[-1] == "@original" and message and payload["token"] not in thinking:
        return ALL, f"{'edit' if method == 'PATCH' else method} {message}"
    return user, f"{method} {rest[-1]}"
