"""Opening direct messages: what is too fast, and the quarantine of a bot that writes to too many people."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.wire.model import Refused
from tests.wire.rates import Bucket, Limit

FLAGGED = (
    "Your bot has been flagged by our anti-spam system for abusive behavior. Please reach out to our team by going to "
    'https://dis.gd/report and selecting "Appeal an Action Trust and Safety took on my bot" as the Report Type.'
)
FAST, SPAM = Limit(10, 600.0, fixed=True), Limit(25, 3600.0)


@dataclass
class Direct:
    """The users with whom the bot has opened a DM, and those who have done something there.

    `fast`: how many can be opened before 40003. `spam`: how many in how many seconds lead to quarantine, which only a
    test lifts. The figures are guesses from reports.
    """

    clock: Callable[[], float]
    fast: Limit = FAST
    spam: Limit = SPAM
    quarantined: bool = False
    opened: set[int] = field(default_factory=set)
    acted: set[int] = field(default_factory=set)
    _fast: Bucket = field(default_factory=lambda: Bucket(FAST))
    _new: deque[float] = field(default_factory=deque)

    def open(self, user: int) -> None:
        """:raises Refused: if it can't be opened."""
        if self.quarantined:
            raise Refused(403, 20026, FLAGGED)
        if user in self.opened:
            return
        now = self.clock()
        self._fast.limit = self.fast
        if self._fast.take(now):
            raise Refused(403, 40003, "You are opening direct messages too fast")
        self.opened.add(user)
        self._new.append(now)
        while now - self._new[0] >= self.spam.per:
            self._new.popleft()
        self.quarantined = len(self._new) >= self.spam.count

    def may_write(self, user: int) -> None:
        """:raises Refused: if the bot is in quarantine and the user has never done anything in the DM."""
        if self.quarantined and user not in self.acted:
            raise Refused(403, 20026, FLAGGED)

    def lift(self) -> None:
        """End the quarantine: Discord has accepted the appeal."""
        self.quarantined = False
        self._new.clear()
