"""A first game: which tips and plans it has given, and how they are turned off."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.table.act import Act, By, check_member
from bot.table.table import Table
from engine.game import Game

PLAN = "plan."
"""Prefix of the names of plans; a seat follows. The latest plan of each seat is kept."""


@dataclass(frozen=True, slots=True)
class GiveTips(Act):
    """Store that tips are given: each tip once, a plan once for each position. Does nothing if the first of them was
    given before, or tips are turned off."""

    kind = "tips"
    names: tuple[str, ...]
    in_game = False

    def on(self, table: Table, game: Game | None, by: By) -> Table:
        given = table.coached
        if given is None or self.names[0] in given:
            return table
        kept = (old for old in given if not any(_is_followed(old, name) for name in self.names))
        return replace(table, coached=(*kept, *self.names))


@dataclass(frozen=True, slots=True)
class StopTips(Act):
    """Turn tips off. Code: "not-member"."""

    kind = "no-tips"
    in_game = False

    def on(self, table: Table, game: Game | None, by: By) -> Table:
        check_member(table, by.user)
        return replace(table, coached=None)


def _is_followed(old: str, name: str) -> bool:
    """Whether a new name replaces an old one: it is a plan for the same seat, or the same tip."""
    return old == name or (old.startswith(PLAN) and old.split(".")[:2] == name.split(".")[:2])
