"""What Discord publishes about the requests it takes: `api/discord.json`, which `api/make.mjs` makes anew."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs

from tests.wire.model import Json

FILE = Path(__file__).parent / "api" / "discord.json"
BEYOND = {
    "tts": "discord.py sends it with each edit, where Discord leaves it alone",
    "nsfw": "the documentation has it among a command's fields",
}
"""Fields that are sent and not described, each with what else is known of it."""


@cache
def description() -> Json:
    """The whole file: `routes` by "METHOD /path", each with its `query` and `body`, and `$defs`.

    Ids may be numbers there, too, as the documentation says of snowflakes.
    """
    known = dict(json.loads(FILE.read_text("utf-8")))
    known["$defs"]["SnowflakeType"] = {"type": ["string", "integer"]}
    return known


def route_of(method: str, path: str) -> str | None:
    """Which route of the description serves a request; None: none does."""
    return next((route for route, pattern in _patterns() if pattern.fullmatch(f"{method} {path}")), None)


def faults(method: str, path: str, query: Mapping[str, str], body: Any) -> list[str]:
    """What of a request the description doesn't have; a form's files are not looked at."""
    if (route := route_of(method, path)) is None:
        return [f"{method} {path}: there is no such route"]
    known = description()["routes"][route]
    found = [f"{route}: there is no parameter {name}" for name in query if name not in _parameters(known)]
    if body is not None and "body" not in known:
        return [*found, f"{route}: takes no body"]
    if "body" in known and body is not None:
        wrong = [error for error in errors(route, body) if not _is_beyond(error)]
        found += [f"{route}: {_where(error)}: {error.message}" for error in wrong]
    return found


def errors(route: str, body: Any) -> list[Any]:
    """What of a body a route's schema doesn't have."""
    return [_deepest(error) for error in _validator(route).iter_errors(body)]


@cache
def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    """Routes with their patterns, those with fewest variable parts first."""
    routes = sorted(description()["routes"], key=lambda route: route.count("{"))
    return [(route, re.compile(re.sub(r"\{\w+\}", "[^/]+", route))) for route in routes]


@cache
def _validator(route: str) -> Any:
    whole = description()
    return jsonschema_rs.validator_for({**whole["routes"][route]["body"], "$defs": whole["$defs"]})


def _parameters(route: Json) -> Json:
    return dict(route.get("query", {}).get("properties", {}))


def _is_beyond(error: Any) -> bool:
    """Whether all that is wrong are fields of `BEYOND`."""
    return set(getattr(error.kind, "unexpected", [""])) <= set(BEYOND)


def _deepest(error: Any) -> Any:
    """Of what may be one of several things, what is wrong with the one that it calls itself."""
    while branches := getattr(error.kind, "context", None):
        own = [branch for branch in branches if branch and not any(_is_type(found, error) for found in branch)]
        if not (fitting := own or [branch for branch in branches if branch]):
            break
        error = max((found for branch in fitting for found in branch), key=lambda found: len(found.instance_path))
    return error


def _is_type(found: Any, error: Any) -> bool:
    """Whether what is wrong is the type by which the thing names itself."""
    return list(found.instance_path) == [*error.instance_path, "type"]


def _where(error: Any) -> str:
    return ".".join(str(part) for part in error.instance_path) or "body"
