"""Trouble for chosen requests: refusals, server errors, slow answers, cut connections, whole outages."""

from __future__ import annotations

import json
import math
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.wire.calls import Request
from tests.wire.commands import CREATES
from tests.wire.direct import FLAGGED
from tests.wire.model import Json, Refused
from tests.wire.rates import TEXTS, too_many

KNOWN = {
    10003: (404, "Unknown Channel"),
    10008: (404, "Unknown Message"),
    10015: (404, "Unknown Webhook"),
    10062: (404, "Unknown interaction"),
    20009: (400, "Explicit content cannot be sent to the desired recipient(s)"),
    20022: (400, "This message cannot be edited due to announcement rate limits"),
    20026: (403, FLAGGED),
    30034: (400, CREATES),
    30046: (429, TEXTS[30046]),
    40003: (403, "You are opening direct messages too fast"),
    40005: (413, "Request entity too large. Try sending something smaller in size"),
    40060: (400, "Interaction has already been acknowledged."),
    50001: (403, "Missing Access"),
    50007: (403, "Cannot send messages to this user"),
    50006: (400, "Cannot send an empty message"),
    50013: (403, "Missing Permissions"),
    50027: (401, "Invalid Webhook Token"),
    50035: (400, "Invalid Form Body"),
    50095: (400, "This server is not available in your location"),
    50278: (403, "Cannot send messages to this user due to having no mutual guilds"),
    160007: (400, "This interaction can't be answered like this"),
    200000: (400, "Message was blocked by automatic moderation"),
    240000: (400, "Message was blocked by the harmful links filter"),
    400001: (400, "File uploads have been limited for this guild"),
}
"""Status and text of Discord's codes. After a 30046 discord.py waits, and tries five times."""


@dataclass(eq=False)  # two that are alike are two
class Fault:
    """What happens to the next `times` requests whose "METHOD /path" (below /api/v10) matches `where`.

    `status` 0 answers as usual (for delays), unless there is a `code`, which brings its own status. With `effect`,
    the request is carried out although its answer is an error or lost. A 429 has `retry_after` (seconds) and a
    `scope`: "global" is the global limit, "shared" that of a resource. A request whose sender goes away during
    `delay` is lost. `lie` changes the answer to a request that was carried out. `body` is sent instead of JSON.
    """

    where: str  # regular expression, searched
    status: int = 0
    times: int = 1
    about: str = ""  # regular expression, searched in the request's JSON
    skip: int = 0  # matching requests that are let through before the first fault
    seconds: float = math.inf  # how long the fault lasts
    effect: bool = False
    cut: bool = False  # close the connection without an answer
    delay: float = 0.0  # seconds before the request is carried out; a long delay is a request that hangs
    reply_delay: float = 0.0  # seconds from then to the answer
    code: int = 0
    message: str = ""
    retry_after: float = 0.05
    scope: str = "user"
    lie: Callable[[Any], None] | None = None
    body: str | None = None
    hits: int = 0

    def __post_init__(self) -> None:
        self._began = time.perf_counter()
        status, message = KNOWN.get(self.code, (self.status, "Injected"))
        self.status, self.message = self.status or status, self.message or message

    def takes(self, call: Request) -> bool:
        """Whether the fault is for this request and not used up. If so, the request counts."""
        if self.hits >= self.times or time.perf_counter() - self._began > self.seconds:
            return False
        if not re.search(self.where, f"{call.method} {call.path}"):
            return False
        if self.about and not re.search(self.about, json.dumps(call.json, ensure_ascii=False)):
            return False
        if self.skip:
            self.skip -= 1
            return False
        self.hits += 1
        return True

    def struck(self, times: int) -> Callable[[], bool]:
        """A condition to wait for: the fault has hit this many times."""
        return lambda: self.hits >= times

    def answer(self) -> tuple[Json, dict[str, str]]:
        """Body and headers of the error."""
        if self.status != 429:
            return Refused(self.status, self.code, self.message).json(), {}
        headers, body = too_many(self.retry_after, self.scope, self.code, self.message if self.code else "")
        return body, headers
