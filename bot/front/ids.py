"""Custom ids: everything that a button, select or modal needs stands in its id, so none is kept in memory."""

from __future__ import annotations

import re
from dataclasses import dataclass

BUTTON, SELECT, MODAL = "hb", "hs", "hm"
"""Prefixes by kind of component, so that no two templates can match the same id."""

_SHAPE = re.compile(r"h[bsm]:(?P<verb>[a-z_]+):(?P<game>\d+):(?P<decision>[\d.]*)(?P<args>(?::[^:]*)*)")


def template(prefix: str) -> re.Pattern[str]:
    """The pattern of all ids of one kind of component."""
    return re.compile(prefix + _SHAPE.pattern.removeprefix("h[bsm]"))


@dataclass(frozen=True, slots=True)
class Address:
    """What a component asks for: a verb, the game it is about, the decision it belongs to, and details."""

    verb: str
    game: int
    decision: str = ""
    """Id of the decision that must still be open (`Game.decision`); empty: any."""
    args: tuple[str, ...] = ()

    def custom_id(self, prefix: str) -> str:
        """The id on the wire; at most 100 characters, or ValueError."""
        text = ":".join((prefix, self.verb, str(self.game), self.decision, *self.args))
        if len(text) > 100:
            raise ValueError(f"custom id too long: {text}")
        return text

    @property
    def arg(self) -> str:
        """The first detail, or nothing."""
        return self.args[0] if self.args else ""


def parse(custom_id: str) -> Address | None:
    """The address in a custom id, or None when it isn't one of ours."""
    match = _SHAPE.fullmatch(custom_id)
    if match is None:
        return None
    args = tuple(match["args"].split(":")[1:])
    return Address(match["verb"], int(match["game"]), match["decision"], args)
