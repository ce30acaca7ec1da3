"""Bad weather for chosen requests: rate limits, server errors, slow answers, cut connections."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tests.wire.model import Json, Refused


@dataclass
class Fault:
    """What happens to the next `times` requests whose "METHOD /path" (below /api/v10) matches `where`.

    `status` 0 answers as usual (for delays). With `effect` the request is carried out although its answer is
    an error or lost. `retry_after` (seconds) belongs to 429; `everywhere` makes that the global limit.
    """

    where: str  # regular expression, searched
    status: int = 0
    times: int = 1
    effect: bool = False
    cut: bool = False  # close the connection without an answer
    delay: float = 0.0  # seconds before it's carried out
    reply_delay: float = 0.0  # seconds between that and the answer
    code: int = 0
    message: str = "Injected"
    retry_after: float = 0.05
    everywhere: bool = False
    hits: int = 0

    def matches(self, method: str, path: str) -> bool:
        """It's for this request, and not used up."""
        return self.hits < self.times and re.search(self.where, f"{method} {path}") is not None

    def answer(self) -> tuple[Json, dict[str, str]]:
        """Body and headers of its error. Without `Via` discord.py takes a 429 for a ban."""
        if self.status != 429:
            return Refused(self.status, self.code, self.message).json(), {}
        body = {"message": "You are being rate limited.", "retry_after": self.retry_after}
        scope = "global" if self.everywhere else "user"
        headers = {"Via": "1.1 wire", "Retry-After": str(self.retry_after), "X-RateLimit-Scope": scope}
        return {**body, "global": self.everywhere, "code": self.code}, headers
