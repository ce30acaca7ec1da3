"""Custom ids: the id of a button, select or modal holds everything that it needs, so none is kept in memory."""

from __future__ import annotations

import re
from dataclasses import dataclass

BUTTON, SELECT, MODAL = "hb", "hs", "hm"
"""Prefixes by kind of component: what a select sends is never taken for a button."""

MOST = 100
"""Most characters of an id."""

SHOWN = "="
"""Prefix of the last part of an id that says what the control has shown."""

_SHAPE = re.compile(
    r"h[bsm]:(?P<verb>[a-z_]{1,20}):(?P<game>[0-9]{1,18}):(?P<decision>([0-9]{1,9}\.[0-9]{1,9})?)(?P<args>(:[^:]*)*?)"
    rf"(:{SHOWN}(?P<shown>[A-Za-z0-9_.-]+))?"
)
"""A game's number of 18 digits fits into the store."""


@dataclass(frozen=True, slots=True)
class Address:
    """What a component asks for: a verb, the game it is about, the decision it belongs to, and details."""

    verb: str
    game: int
    decision: str = ""
    """Id of the decision that must still be open (`Game.decision`); empty: any."""
    args: tuple[str, ...] = ()
    shown: str = ""
    """What the control has shown (`bot.screens.forms`), where the answer depends on that; empty: unknown."""

    def custom_id(self, prefix: str) -> str:
        """The id as it is sent. Raises ValueError if it has more than `MOST` characters."""
        shown = (SHOWN + self.shown,) if self.shown else ()
        text = ":".join((prefix, self.verb, str(self.game), self.decision, *self.args, *shown))
        if len(text) > MOST:
            raise ValueError(f"custom id too long: {text}")
        return text

    @property
    def arg(self) -> str:
        """The first detail, or empty."""
        return self.args[0] if self.args else ""


def parse(custom_id: str) -> Address | None:
    """The address in a custom id, or None when it isn't one of ours."""
    match = _SHAPE.fullmatch(custom_id) if len(custom_id) <= MOST else None
    if match is None:
        return None
    args = tuple(match["args"].split(":")[1:])
    return Address(match["verb"], int(match["game"]), match["decision"], args, match["shown"] or "")
