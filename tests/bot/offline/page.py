"""The page of the offline table, used through the requests that its tabs send."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp

from tests.bot.discord.hall import BUTTON, TEXT

LOOKS = 0.1
"""Seconds between two looks at the page."""


class Tab:
    """A tab of the page."""

    def __init__(self, session: aiohttp.ClientSession, key: str) -> None:
        self._session, self._headers = session, {"X-Simcord-Capability": key}
        self._sequence = 0
        self.shown: dict[str, Any] = {}
        """The state that the page received last."""

    async def open(self, name: str = "") -> None:
        """Load the page as the person of that name; without a name, as the first person at the table."""
        ids = [viewer["id"] for viewer in self.shown.get("viewers", []) if viewer["name"] == name]
        chosen = {"viewer_id": ids[0]} if ids else {}
        async with self._session.post("/api/pages", json=chosen, headers=self._headers) as answer:
            assert answer.status == 200
            self.shown = dict(await answer.json())
            self._headers["X-Simcord-Context"] = self.shown["context"]["id"]
        if name and not chosen:
            await self.open(name)

    async def close(self) -> None:
        """Leave the page."""
        path = f"/api/pages/{self._headers['X-Simcord-Context']}"
        async with self._session.delete(path, headers=self._headers) as answer:
            assert answer.status == 200

    async def state(self) -> dict[str, Any]:
        """Fetch and return the page's present state."""
        async with self._session.get("/api/state", headers=self._headers) as answer:
            assert answer.status == 200
            self.shown = dict(await answer.json())
            return self.shown

    async def asset(self, name: str) -> bytes:
        """A picture."""
        async with self._session.get(f"/api/assets/{name}", headers=self._headers) as answer:
            assert answer.status == 200
            return await answer.read()

    async def command(self, text: str) -> dict[str, Any]:
        """Send a command without options. Returns simcord's receipt."""
        async with self._session.get("/api/commands", headers=self._headers) as answer:
            entries = (await answer.json())["entries"]
        [entry] = [entry for entry in entries if entry["path"] == text.split()]
        command = {"command_id": entry["commandId"], "schema_fingerprint": entry["schemaFingerprint"]}
        return await self._act("run_command", **command, path=entry["path"], options={})

    async def press(self, label: str) -> dict[str, Any]:
        """Press the newest button with this label, after waiting for one if needed. Returns simcord's receipt."""
        if label not in self.labels:
            await self.wait(lambda: label in self.labels)
        message, button = [(m, b) for m, b in self._buttons() if b.get("label") == label][-1]
        return await self._act("click", target_id=message, control_key=f"message:{message}:component:{button['id']}")

    async def wait(self, until: Callable[[], bool], seconds: float = 5.0) -> None:
        """Look at the page until the condition holds; fail after that many seconds."""
        for _ in range(int(seconds / LOOKS)):
            await self.state()
            if until():
                return
            await asyncio.sleep(LOOKS)
        raise AssertionError(f"the page shows {self.public} with {self.labels}")

    async def _act(self, kind: str, **what: Any) -> dict[str, Any]:
        body = {
            "protocol_version": 3,
            "sequence": self._sequence + 1,
            "request_id": str(uuid.uuid4()),
            "generation": self.shown["context"]["generation"],
            "bot_generation": self.shown["botGeneration"],
            "published_revision": self.shown["publishedRevision"],
            "kind": kind,
            **what,
        }
        async with self._session.post("/api/action", json=body, headers=self._headers) as answer:
            assert answer.status == 200
            receipt = dict(await answer.json())
        self._sequence = receipt["expectedSequence"]
        await self.state()
        return receipt

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The messages, oldest first."""
        return [self.shown["messages"][number] for number in self.shown["timeline"]]

    @property
    def labels(self) -> list[str]:
        """The labels of the buttons that can be pressed, from the top."""
        return [button.get("label") or "" for _, button in self._buttons()]

    @property
    def public(self) -> list[str]:
        """The texts that all can read, oldest first."""
        return [text_of(message) for message in self.messages if not message["ephemeral"]]

    @property
    def panel(self) -> str:
        """The newest game message as text; empty before there is one."""
        return next((text for text in reversed(self.public) if text.startswith("### Game ")), "")

    def _buttons(self) -> Iterator[tuple[str, dict[str, Any]]]:
        for message in self.messages:
            for part in _parts(message["components"]):
                if part["type"] == BUTTON and part.get("custom_id") and not part.get("disabled"):
                    yield message["id"], part


def text_of(message: dict[str, Any]) -> str:
    """All the text of a message."""
    return "\n".join(part["content"] for part in _parts(message["components"]) if part["type"] == TEXT)


def _parts(components: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for part in components:
        yield part
        yield from _parts([*part.get("components", []), *([part["accessory"]] if "accessory" in part else [])])


@asynccontextmanager
async def opened(address: str, name: str = "") -> AsyncIterator[Tab]:
    """A tab with the page at an address, for the named person at the table."""
    origin, key = address.split("/#")
    async with aiohttp.ClientSession(origin) as session:
        tab = Tab(session, key)
        await tab.open(name)
        yield tab
