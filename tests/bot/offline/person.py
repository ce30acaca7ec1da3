"""A person at the offline table who follows the hints and measures how long nothing happens."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from tests.bot.offline.page import Tab

LOOKS = 0.3
"""Seconds between two looks at the page."""
GONE = "validation-failed"
"""Simcord's code for a button that no longer exists."""
PERSONS = ("Roll", "End turn", "Discard these", "Take")
"""Buttons for what no hint can do. The first one that is there is pressed."""


class Person:
    """Plays in a tab, and presses nothing while it's the bots' turn to act."""

    def __init__(self, tab: Tab) -> None:
        self.tab = tab
        self.longest = 0.0
        """The longest wait for a bot without any change, in seconds."""
        self.stood = ""
        """The game message's headline during that wait."""
        self.turns = 0
        """How many new game messages the person has seen."""
        self.failed: list[str] = []
        """Buttons and commands that didn't settle, with simcord's reasons."""
        self.slowest = 0.0
        """The longest that a button or command took, in seconds."""
        user = tab.shown["viewerId"]
        name = next(viewer["name"] for viewer in tab.shown["viewers"] if viewer["id"] == user)
        self._called = (f"<@{user}>", f"**{name.title()}**")
        """How messages name the person: the first notifies them, all others don't."""
        self._before: list[str] = []
        self._since = time.monotonic()
        self._declined = set[tuple[str, str]]()

    async def play(self, until: Callable[[], bool]) -> None:
        """Look and act until the condition holds."""
        while not until():
            await asyncio.sleep(LOOKS)
            await self.tab.state()
            self._look()
            if not self.tab.panel or self.over:
                await self._do("game learn", self.tab.command)
            elif self.asked:
                await self._act()

    @property
    def over(self) -> bool:
        """Whether the newest game is over."""
        return "the end" in self.tab.panel.partition("\n")[0]

    @property
    def asked(self) -> bool:
        """Whether the game waits for this person."""
        return self._is_called or self._offer is not None

    @property
    def waits(self) -> bool:
        """Whether a bot must act."""
        return bool(self.tab.panel) and not self.asked and not self.over

    @property
    def headline(self) -> str:
        """The line that says whom the game waits for, and for what."""
        return [*self.tab.panel.split("\n"), "", ""][1]

    @property
    def _is_called(self) -> bool:
        return any(called in self.headline for called in self._called)

    @property
    def _offer(self) -> str | None:
        offers = [label for label in self.tab.labels if label.startswith("Decline ")]
        return next((label for label in offers if (self.headline, label) not in self._declined), None)

    def _look(self) -> None:
        now = time.monotonic()
        if (public := self.tab.public) != self._before or not self.waits:
            self.turns += self.tab.panel.partition("\n")[0] not in "\n".join(self._before)
            self._before, self._since = public, now
        elif now - self._since > self.longest:
            self.longest, self.stood = now - self._since, self.headline

    async def _act(self) -> None:
        if not self._is_called and (offer := self._offer):
            self._declined.add((self.headline, offer))
            return await self._do(offer)
        before = self.tab.public
        await self._do("hint", self.tab.command)
        for label in ("Do it", "Discard", "Offer"):
            if self.tab.public == before and label in self.tab.labels:
                await self._do(label)
        if self.tab.public == before and (labels := [label for label in PERSONS if label in self.tab.labels]):
            await self._do(labels[0])

    async def _do(self, what: str, how: Callable[..., object] | None = None) -> None:
        began = time.monotonic()
        receipt = await (how or self.tab.press)(what)  # type: ignore[misc]
        self.slowest = max(self.slowest, time.monotonic() - began)
        codes = [diagnostic["code"] for diagnostic in receipt["diagnostics"]]
        if receipt["settlement"] != "settled" and codes != [GONE]:
            self.failed.append(f"{what}: {receipt['settlement']} {codes}")
