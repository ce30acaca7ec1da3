"""What Discord publishes about the requests it takes: `api/discord.json`, which `api/make.mjs` makes again."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs

from tests.wire.calls import Request
from tests.wire.limits import Faults
from tests.wire.model import Json

FILE = Path(__file__).parent / "api" / "discord.json"
BEYOND = {
    "tts": "discord.py sends it with each edit, where Discord leaves it alone",
    "nsfw": "the documentation has it among a command's fields",
}
"""Fields that are sent but not described, each with what else is known about it."""


@cache
def description() -> Json:
    """The whole file: `routes` by "METHOD /path", each with its `query` and `body`, and `$defs`.

    Here ids can also be numbers, as the documentation says about snowflakes.
    """
    content = dict(json.loads(FILE.read_text("utf-8")))
    content["$defs"]["SnowflakeType"] = {"type": ["string", "integer"]}
    return content


def route_of(method: str, path: str) -> str | None:
    """The route of the description that serves a request, or None."""
    return next((route for route, pattern in _patterns() if pattern.fullmatch(f"{method} {path}")), None)


def look_up(call: Request) -> None:
    """Note which route serves a request, and where its body differs from the description."""
    call.route = route_of(call.method, call.path)
    if call.route is not None and call.json is not None and "body" in description()["routes"][call.route]:
        call.errors = [_deepest(error) for error in _validator(call.route).iter_errors(call.json)]


def faults(call: Request) -> list[str]:
    """Where a request that was looked up differs from the description. A form's files are not checked."""
    if (route := call.route) is None:
        return [f"{call.method} {call.path}: there is no such route"]
    described = description()["routes"][route]
    found = [f"{route}: there is no parameter {name}" for name in call.query if name not in _parameters(described)]
    if call.json is not None and "body" not in described:
        found.append(f"{route}: takes no body")
    wrong = [error for error in call.errors if not _is_beyond(error)]
    return [*found, *(f"{route}: {_where(error)}: {error.message}" for error in wrong)]


def check(call: Request) -> None:
    """:raises Refused: for a body that isn't as described. Discord checks this before it looks anything up.

    Parameters and fields that the description doesn't know are only reported by `faults`, since Discord ignores
    them. It also ignores the body of a request that takes none.
    """
    faults = Faults()
    for error in call.errors:
        name, kind = type(error.kind).__name__.rpartition("_")[2], error.kind
        if name not in ("AdditionalProperties", "UnevaluatedProperties"):
            path = [*error.instance_path, *([kind.property] if name == "Required" else [])]
            faults.add(".".join(map(str, path)) or "_", *_told(name, kind))
    faults.done()


def _told(name: str, kind: Any) -> tuple[str, str]:
    """Discord's code and text for an error."""
    match name:
        case "Required":
            return "BASE_TYPE_REQUIRED", "This field is required"
        case "MaxLength" | "MaxItems":
            return "BASE_TYPE_MAX_LENGTH", f"Must be {kind.limit} or fewer in length."
        case "MinLength" | "MinItems":
            return "BASE_TYPE_MIN_LENGTH", f"Must be {kind.limit} or more in length."
        case "Maximum" | "Minimum":
            than = "less" if name == "Maximum" else "greater"
            return f"NUMBER_TYPE_{name[:3].upper()}", f"int value should be {than} than or equal to {kind.limit}."
        case "Enum":
            return "BASE_TYPE_CHOICES", f"Value must be one of {tuple(kind.options)}."
        case "Constant":
            return "UNION_TYPE_CHOICES", f"Value must be {kind.expected_value}."
        case "Type":
            return "BASE_TYPE_BAD_TYPE", f"Must be of type {' or '.join(kind.types)}."
        case "Format":
            return "URL_TYPE_INVALID_URL", "Not a well formed URL."
    return "UNION_TYPE_CHOICES", "Value doesn't match any of the available choices."


@cache
def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    """Routes with their patterns, those with the fewest variable parts first."""
    routes = sorted(description()["routes"], key=lambda route: route.count("{"))
    return [(route, re.compile(re.sub(r"\{\w+\}", "[^/]+", route))) for route in routes]


@cache
def _validator(route: str) -> Any:
    whole = description()
    return jsonschema_rs.validator_for({**whole["routes"][route]["body"], "$defs": whole["$defs"]})


def _parameters(route: Json) -> Json:
    return dict(route.get("query", {}).get("properties", {}))


def _is_beyond(error: Any) -> bool:
    """Whether all that is wrong are fields in `BEYOND`."""
    return set(getattr(error.kind, "unexpected", [""])) <= set(BEYOND)


def _deepest(error: Any) -> Any:
    """The error of the right branch, where the schema allows several: the branch of the type that the value names."""
    while branches := getattr(error.kind, "context", None):
        own = [branch for branch in branches if branch and not any(_is_type(found, error) for found in branch)]
        if not (fitting := own or [branch for branch in branches if branch]):
            break
        branch = max(fitting, key=lambda branch: max(map(_depth, branch)))
        error = max([found for found in branch if not hasattr(found.kind, "unexpected")] or branch, key=_depth)
    return error


def _depth(error: Any) -> int:
    return len(error.instance_path)


def _is_type(found: Any, error: Any) -> bool:
    """Whether the error is about the `type` by which the value names itself."""
    return list(found.instance_path) == [*error.instance_path, "type"]


def _where(error: Any) -> str:
    return ".".join(str(part) for part in error.instance_path) or "body"
