"""What Discord answers to a request: status, headers, and how long it took. What a step saw of that, what it was
expected to see, and what that means for the host."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
from discord.http import Route

from bot.discord.interaction import Json
from bot.screens.controls import Picture

TOO_MANY_REQUESTS = 429
DEFAULT_WAIT = "not told"
"""Stands for the limits of an answer that names none."""


@dataclass(frozen=True, slots=True)
class LimitsSeen:
    """What an answer's headers say about the limit on such requests. `reset_after`: seconds until it is whole again."""

    bucket: str
    limit: int
    remaining: int
    reset_after: float
    scope: str = ""

    @classmethod
    def of(cls, headers: Any) -> LimitsSeen | None:
        """The limits in an answer's headers; None if they name none."""
        if "X-RateLimit-Remaining" not in headers:
            return None
        return cls(
            headers.get("X-RateLimit-Bucket", ""),
            int(headers.get("X-RateLimit-Limit", 0)),
            int(headers["X-RateLimit-Remaining"]),
            float(headers.get("X-RateLimit-Reset-After", 0)),
            headers.get("X-RateLimit-Scope", ""),
        )

    def __str__(self) -> str:
        scope = f" of scope {self.scope}" if self.scope else ""
        return (
            f"{self.remaining} of {self.limit} left, whole in {self.reset_after:g} s, bucket {self.bucket[:8]}{scope}"
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """What Discord answered in the end. `refused`: how often it said 429; `seconds`: how long everything took."""

    status: int
    data: Any
    limits: LimitsSeen | None
    refused: int
    seconds: float
    code: int = 0
    text: str = ""

    @property
    def said(self) -> int | str:
        """The status, with Discord's code and text where it is an error."""
        return self.status if self.status < 400 else f"{self.status} {self.code} ({self.text})"


class Refused(Exception):
    """Discord refuses a request that a step can't go on without."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(str(answer.said))
        self.answer = answer


@dataclass
class Sender:
    """Sends requests, one after another. `windows` has the latest limits by route, `refused` the 429s."""

    client: discord.Client
    windows: dict[str, LimitsSeen | None] = field(default_factory=dict)
    refused: dict[str, int] = field(default_factory=dict)

    async def attempt(
        self,
        method: str,
        path: str,
        body: Any = None,
        files: Sequence[Picture] = (),
        **ids: Any,
    ) -> Answer:
        """Return Discord's answer to a request. Raises one of `channels.FAILED` if there is no answer at all.

        `path` is a template for `ids`, and `files` become `files[n]`. What is kept of the request contains no token.
        """
        responses: list[tuple[int, Any]] = []
        options: dict[str, Any] = {"trace_request_ctx": responses}
        if files:
            parts: list[Json] = [{"name": "payload_json", "value": json.dumps(body, ensure_ascii=False)}]
            for number, file in enumerate(files):
                kind = "application/octet-stream"
                parts.append(
                    {"name": f"files[{number}]", "value": file.data, "filename": file.name, "content_type": kind}
                )
            options["form"] = parts
        elif body is not None:
            options["json"] = body
        begun, code, text, data = time.perf_counter(), 0, "", None
        try:
            data = await self.client.http.request(Route(method, path, **ids), **options)
        except discord.HTTPException as error:
            responses = responses or [(error.status, {})]
            code, text = error.code, " ".join(error.text.split())
        except discord.RateLimited as error:
            responses = responses or [(TOO_MANY_REQUESTS, {})]
            text = f"again in {error.retry_after:.0f} s"
        status, headers = responses[-1]
        limits, refused = LimitsSeen.of(headers), sum(status == TOO_MANY_REQUESTS for status, _ in responses)
        route = f"{method} {path}"
        self.windows[route] = limits or self.windows.get(route)
        if refused:
            self.refused[route] = self.refused.get(route, 0) + refused
        return Answer(status, data, limits, refused, time.perf_counter() - begun, code, text)

    async def ask(self, method: str, path: str, *rest: Any, **more: Any) -> Answer:
        """Return the answer to a request that must succeed. Raises `Refused`."""
        answer = await self.attempt(method, path, *rest, **more)
        if answer.status >= 400:
            raise Refused(answer)
        return answer


async def _note(session: Any, context: SimpleNamespace, end: aiohttp.TraceRequestEndParams) -> None:
    if isinstance(context.trace_request_ctx, list):
        context.trace_request_ctx.append((end.response.status, end.response.headers))


def trace() -> aiohttp.TraceConfig:
    """The configuration that a client needs, so that `Sender` can see status and headers of its answers."""
    config = aiohttp.TraceConfig()
    config.on_request_end.append(_note)
    return config


OK, DIFFERS, FAILED, SKIPPED = "ok", "differs", "failed", "skipped"
DOCS_PAGE = "docs/first-day.md"
DONE = (200, 201, 204)
"""HTTP statuses of requests that Discord carried out."""

Seen = dict[str, Any]
"""What a step saw, by the name that the host reads."""


@dataclass(frozen=True, slots=True)
class AnyOf:
    """One of several values."""

    values: Sequence[Any]

    def fits(self, value: Any) -> bool:
        return value in self.values

    def __str__(self) -> str:
        return " or ".join(map(str, self.values))


@dataclass(frozen=True, slots=True)
class Between:
    """A number from `low` to `high`."""

    low: float
    high: float

    def fits(self, value: Any) -> bool:
        return isinstance(value, int | float) and self.low <= value <= self.high

    def __str__(self) -> str:
        return f"{self.low:,.12g} to {self.high:,.12g}"


@dataclass(frozen=True, slots=True)
class Given:
    """Any value except an empty one, 0 or False."""

    def fits(self, value: Any) -> bool:
        return value not in (None, "", 0, [], {}, False)

    def __str__(self) -> str:
        return "something"


CARRIED_OUT = AnyOf(DONE)
Expected = Mapping[str, Any]
"""What a step should see, by name: a value, or an object of a class above."""


@dataclass(frozen=True, slots=True)
class StepResult:
    """The result of a step. `wrong`: what isn't as expected; `means`: what that means; `see`: where to read more."""

    step: str
    state: str
    done: str
    seen: Mapping[str, Any]
    wrong: Sequence[str] = ()
    means: str = ""
    see: str = ""

    def line(self) -> str:
        """The line that the host reads."""
        facts = ", ".join(f"{name} {_as_text(value)}" for name, value in self.seen.items())
        words = [self.done if self.state != SKIPPED else f"{self.done} Not tried:"]
        if self.wrong:
            words.append(f"{'; '.join(self.wrong)}.")
        if facts:
            words.append(f"({facts})")
        if self.state in (DIFFERS, FAILED):
            words.append(f"{self.means} See {self.see}")
        return f"{self.state:<9}{self.step:<18}{' '.join(words)}"


def faults(seen: Mapping[str, Any], expected: Expected) -> list[str]:
    """What isn't as expected, each in a few words. What wasn't seen counts only if everything seen is as expected."""
    found: list[str] = []
    unseen: list[str] = []
    for name, target in expected.items():
        value = seen.get(name)
        fits = target.fits(value) if hasattr(target, "fits") else value == target
        if not fits:
            (found if name in seen else unseen).append(f"{name}: {_as_text(value)} instead of {_as_text(target)}")
    return found or unseen


def _as_text(value: Any) -> str:
    match value:
        case None | "":
            return "nothing"
        case True | False:
            return "yes" if value else "no"
        case float():
            return f"{value:.3g}"
        case list() | tuple():
            return " ".join(map(str, value)) or "none"
        case _:
            return str(value)
