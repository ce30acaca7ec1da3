"""A first game: which tips and plans it has given, and an end of them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.table.act import Act, By
from bot.table.checks import check_member
from bot.table.table import Table
from engine.game import Game

PLAN = "plan."
"""Begins the names of plans, then comes a seat: the latest of each is kept."""


@dataclass(frozen=True, slots=True)
class GiveTips(Act):
    """Each tip is given once, a plan for each position; where the first has been, or none are wanted, none is."""

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
    """No more of them. Code: "not-member"."""

    kind = "no-tips"
    in_game = False

    def on(self, table: Table, game: Game | None, by: By) -> Table:
        check_member(table, by.user)
        return replace(table, coached=None)


def _is_followed(old: str, name: str) -> bool:
    """Whether nothing need be known of an old name beside a new one: a plan for the same seat, or the same tip."""
    return old == name or (old.startswith(PLAN) and old.split(".")[:2] == name.split(".")[:2])
