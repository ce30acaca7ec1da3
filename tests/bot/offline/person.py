"""A person at the offline table who does what the hints say, and notices how long nothing happens."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from tests.bot.offline.page import Tab

LOOKS = 0.3
"""Seconds between two looks at the page."""
GONE = "validation-failed"
"""What simcord says of a button that isn't there any more."""
PERSONS = ("Roll", "End turn", "Discard these", "Take")
"""What is pressed where no hint can do it: the first of these that is there."""


class Person:
    """Plays at a tab, and presses nothing while the computers are to do something."""

    def __init__(self, tab: Tab) -> None:
        self.tab = tab
        self.longest = 0.0
        """Seconds for which computers were waited for and nothing changed, at most."""
        self.stood = ""
        """For what that was."""
        self.turns = 0
        """How many panels have been seen."""
        self.failed: list[str] = []
        """What was pressed and didn't end well."""
        self.slowest = 0.0
        """Seconds that something pressed took, at most."""
        user = tab.shown["viewerId"]
        name = next(viewer["name"] for viewer in tab.shown["viewers"] if viewer["id"] == user)
        self._called = (f"<@{user}>", f"**{name.title()}**")
        """How a message calls them: one that notifies them, and all others."""
        self._before: list[str] = []
        self._since = time.monotonic()
        self._declined = set[tuple[str, str]]()

    async def play(self, until: Callable[[], bool]) -> None:
        """Look and act until something is so."""
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
        """Whether the newest game is."""
        return "the end" in self.tab.panel.partition("\n")[0]

    @property
    def asked(self) -> bool:
        """Whether the game waits for this person."""
        return self._is_called or self._offer is not None

    @property
    def waits(self) -> bool:
        """Whether a computer is to do something."""
        return bool(self.tab.panel) and not self.asked and not self.over

    @property
    def headline(self) -> str:
        """For whom the game waits, and what they do."""
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
        if self.tab.public == before and (rest := [label for label in PERSONS if label in self.tab.labels]):
            await self._do(rest[0])

    async def _do(self, what: str, how: Callable[..., object] | None = None) -> None:
        began = time.monotonic()
        receipt = await (how or self.tab.press)(what)  # type: ignore[misc]
        self.slowest = max(self.slowest, time.monotonic() - began)
        codes = [diagnostic["code"] for diagnostic in receipt["diagnostics"]]
        if receipt["settlement"] != "settled" and codes != [GONE]:
            self.failed.append(f"{what}: {receipt['settlement']} {codes}")
