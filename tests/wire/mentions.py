"""The people and roles that a message mentions: those named in its readable text, if `allowed_mentions` lets it be
parsed."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from tests.wire.limits import Faults
from tests.wire.model import Json, User

USER = re.compile(r"<@!?(\d+)>")
ROLE = re.compile(r"<@&(\d+)>")
EVERYONE = re.compile(r"@(everyone|here)\b")
MESSAGE = ("users", "roles", "everyone")
"""What is parsed in a message without `allowed_mentions`."""
INTERACTION = ("users",)
"""What is parsed in an answer to an interaction without `allowed_mentions`."""


@dataclass(frozen=True)
class Mentions:
    """The users in a message's `mentions`, the ids of roles in it, and whether it mentions everyone."""

    users: list[User]
    everyone: bool = False
    roles: tuple[int, ...] = ()


def check_allowed(allowed: Any) -> None:
    """:raises Refused: for `allowed_mentions` that contradict themselves."""
    faults = Faults()
    for kind in ("users", "roles"):
        listed = (allowed or {}).get(kind) or []
        faults.length(f"allowed_mentions.{kind}", listed, 0, 100)
        for number, one in enumerate(listed):
            if one in listed[:number]:
                text = "The set already contains this value."
                faults.add(f"allowed_mentions.{kind}.{number}", "SET_TYPE_ALREADY_CONTAINS_VALUE", text)
        if listed and kind in ((allowed or {}).get("parse") or []):
            text = f'parse:["{kind}"] and {kind}: [ids...] are mutually exclusive.'
            faults.add("allowed_mentions", "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", text)
    faults.done()


def mentions(texts: Iterable[str], allowed: Json | None, users: Iterable[User], default: Collection[str]) -> Mentions:
    """The mentions in texts, as far as `allowed_mentions` or the default lets them be parsed."""
    text = "\n".join(texts)
    named = {int(number) for number in USER.findall(text)}
    parsed = default if allowed is None else allowed.get("parse") or ()
    chosen = named if "users" in parsed else named & {int(u) for u in (allowed or {}).get("users") or []}
    roles = [int(number) for number in ROLE.findall(text)]
    if "roles" not in parsed:
        roles = [role for role in roles if role in map(int, (allowed or {}).get("roles") or [])]
    everyone = "everyone" in parsed and bool(EVERYONE.search(text))
    return Mentions([u for u in users if u.id in chosen], everyone, tuple(dict.fromkeys(roles)))
