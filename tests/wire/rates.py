"""Discord's limits on requests: how many by route and time, the headers that announce them, and the 429s.

wire.rates.set("edit message", Limit(50, 300.0, fixed=True))  # a window of minutes
wire.rates.enforced = False  # headers and refusals stop, `exceeded` counts on
"""

from __future__ import annotations

import hashlib
import math
import re
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from tests.wire.model import Json

Headers = dict[str, str]
DAY = 86_400.0
KEPT = 1000
"""With more buckets than this, those that are full again are dropped."""
TEXTS = {
    0: "You are being rate limited.",
    30046: "Maximum number of edits to messages older than 1 hour reached. Try again later",
}
SHARED = "The resource is being rate limited."


@dataclass(frozen=True)
class Limit:
    """A number of requests in a number of seconds.

    They come back one by one. If the limit is `fixed`, they come back together when the window that began with the
    first request ends.

    `scope` says whose limit it is ("user", "shared"), and `code` is its 429's code. `shown` (limit, remaining,
    seconds) is what headers say instead of the truth, as long as nothing is refused.
    """

    count: int
    per: float
    fixed: bool = False
    scope: str = "user"
    code: int = 0
    shown: tuple[int, int, float] | None = None


@dataclass
class Bucket:
    """What is left of a limit. `full` is when all of it is free again; until `refused`, who asked knows that nothing is
    left."""

    limit: Limit
    full: float = -math.inf
    refused: float = -math.inf
    _used: int = 0

    def take(self, now: float, times: int = 1) -> float:
        """Use up a part of the limit. Returns 0, or the seconds to wait if that is too much."""
        limit = self.limit
        if limit.fixed:
            if now >= self.full:
                self.full, self._used = now + limit.per, 0
            if self._used + times > limit.count:
                return self.full - now
            self._used += times
            return 0.0
        after = max(self.full, now) + times * self._each
        if after - now > limit.per + 1e-9:
            return after - now - limit.per
        self.full = after
        return 0.0

    def left(self, now: float) -> int:
        """Requests that can come right now."""
        if now >= self.full:
            return self.limit.count
        if self.limit.fixed:
            return self.limit.count - self._used
        return math.floor((self.limit.per - (self.full - now)) / self._each + 1e-9)

    @property
    def _each(self) -> float:
        return self.limit.per / self.limit.count


@dataclass(frozen=True)
class Rule:
    """A limit on a route, by method and path. The top-level resource (`on` in the path) has a bucket of its own.

    `ages` in seconds: the rule is for messages of that age. A `hidden` rule appears in headers only when it refuses.
    """

    method: str
    path: str
    limit: Limit
    ages: tuple[float, float] = (-math.inf, math.inf)
    hidden: bool = False


CHANNEL = r"/channels/(?P<on>\d+)"
MESSAGE = rf"{CHANNEL}/messages/(?P<message>\d+)"
TOKEN = r"/webhooks/(?P<on>\d+/[^/]+)(?:/messages/[^/]+)?"
RULES = {
    "create message": Rule("POST", rf"{CHANNEL}/messages", Limit(5, 5.0)),
    "edit message": Rule("PATCH", MESSAGE, Limit(5, 5.0)),
    "edit old message": Rule("PATCH", MESSAGE, Limit(3, 6.0, code=30046), (3600.0, math.inf), hidden=True),
    "delete new message": Rule("DELETE", MESSAGE, Limit(5, 5.0), (-math.inf, 10.0)),
    "delete message": Rule("DELETE", MESSAGE, Limit(3, 1.0), (10.0, 14 * DAY)),
    "delete old message": Rule("DELETE", MESSAGE, Limit(30, 120.0), (14 * DAY, math.inf)),
    "get messages": Rule("GET", rf"{CHANNEL}/messages", Limit(5, 5.0, shown=(1000, 999, 0.3))),
    "create thread": Rule("POST", rf"{CHANNEL}(/messages/\d+)?/threads", Limit(50, 300.0, fixed=True, scope="shared")),
    "create DM": Rule("POST", "/users/@me/channels", Limit(5, 5.0)),
    "create by token": Rule("POST", TOKEN, Limit(5, 2.0)),
    "edit by token": Rule("PATCH", TOKEN, Limit(5, 2.0)),
    "delete by token": Rule("DELETE", TOKEN, Limit(5, 2.0)),
    "get gateway": Rule("GET", "/gateway/bot", Limit(2, 5.0)),
}
"""By name. Two rules with the same figures have the same X-RateLimit-Bucket, but each counts for itself.

From threads of discord/discord-api-docs: requests come back one by one (#7680), one name for several buckets (#8073),
deleting (#8330, with the seconds after one request), reading (#8161), threads (#7816). By token as any webhook (#6753).
"""


@dataclass
class Rates:
    """All rules at work. `age` returns the seconds since an id was made; `exceeded` counts by rule the excess requests
    that could have been avoided: that a hidden limit is used up is known only from a refusal."""

    age: Callable[[int], float]
    clock: Callable[[], float] = time.monotonic
    enforced: bool = True
    rules: dict[str, Rule] = field(default_factory=lambda: dict(RULES))
    exceeded: Counter[str] = field(default_factory=Counter)
    _buckets: dict[tuple[str, str], Bucket] = field(default_factory=dict)

    def set(self, name: str, limit: Limit) -> None:
        """Give a rule another limit, with nothing used yet."""
        self.rules[name] = replace(self.rules[name], limit=limit)
        for key in [key for key in self._buckets if key[0] == name]:
            del self._buckets[key]

    def spend(self, method: str, path: str) -> tuple[Headers, Json | None]:
        """Count a request. Returns its headers, and the body of the 429 if it is over a limit."""
        now, headers = self.clock(), Headers()
        for name, rule in self.rules.items():
            if not (on := self._on(rule, method, path)):
                continue
            bucket = self._bucket(name, on[0], now)
            if wait := bucket.take(now):
                if not rule.hidden or now < bucket.refused:
                    self.exceeded[name] += 1
                bucket.refused = now + wait
                if self.enforced:
                    more, body = too_many(wait, rule.limit.scope, rule.limit.code)
                    return told(bucket, now) | more, body
            if not rule.hidden and not headers:
                headers = told(bucket, now)
        return headers if self.enforced else {}, None

    def _on(self, rule: Rule, method: str, path: str) -> tuple[str] | None:
        """The top-level resource, if the rule is for this request."""
        match = re.fullmatch(rule.path, path) if rule.method == method else None
        if match is None:
            return None
        parts = match.groupdict()
        if "message" in parts and not rule.ages[0] <= self.age(int(parts["message"])) < rule.ages[1]:
            return None
        return (parts.get("on") or "",)

    def _bucket(self, name: str, on: str, now: float) -> Bucket:
        if len(self._buckets) > KEPT:
            self._buckets = {key: bucket for key, bucket in self._buckets.items() if bucket.full > now}
        return self._buckets.setdefault((name, on), Bucket(self.rules[name].limit))


def told(bucket: Bucket, now: float) -> Headers:
    """Headers about a bucket. They can be wrong (`Limit.shown`) as long as it isn't used up."""
    limit = bucket.limit
    count, left, after = limit.count, bucket.left(now), max(bucket.full - now, 0.0)
    if limit.shown and left:
        count, left, after = limit.shown
    return {
        "X-RateLimit-Limit": str(count),
        "X-RateLimit-Remaining": str(left),
        "X-RateLimit-Reset": f"{time.time() + after:.3f}",
        "X-RateLimit-Reset-After": f"{_up(after):.3f}",
        "X-RateLimit-Bucket": hashlib.md5(f"{count} {limit.per}".encode()).hexdigest(),
    }


def too_many(wait: float, scope: str = "user", code: int = 0, text: str = "") -> tuple[Headers, Json]:
    """Headers and body of a 429. Without `Via`, discord.py takes it for a ban."""
    everywhere = scope == "global"
    headers = {"Via": "1.1 google", "Retry-After": str(math.ceil(wait)), "X-RateLimit-Scope": scope}
    if everywhere:
        headers["X-RateLimit-Global"] = "true"
    text = text or (SHARED if scope == "shared" else TEXTS.get(code, TEXTS[0]))
    return headers, {"message": text, "retry_after": _up(wait), "global": everywhere, "code": code}


def _up(seconds: float) -> float:
    """The seconds rounded up to the millisecond, so that waiting this long is enough."""
    return math.ceil(seconds * 1000) / 1000


@dataclass
class GlobalLimit:
    """Discord's limit on all requests of a bot together: `limit` a second.

    `exceeded` counts the 429s that the bot got.
    """

    limit: int = 50
    exceeded: int = 0
    clock: Callable[[], float] = time.monotonic
    _spent: deque[float] = field(default_factory=deque)

    @staticmethod
    def counts(path: str) -> bool:
        """Whether a request counts. Answers to interactions don't."""
        return not path.startswith(("/interactions/", "/webhooks/"))

    def spend(self, path: str) -> float:
        """The seconds to wait if this request is over the limit (else 0)."""
        if not self.counts(path):
            return 0.0
        spent, now = self._spent, self.clock()
        while spent and now - spent[0] >= 1.0:
            spent.popleft()
        if len(spent) < self.limit:
            spent.append(now)
            return 0.0
        self.exceeded += 1
        return spent[0] + 1.0 - now
