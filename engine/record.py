"""The log: what was done, and the result of every draw. Also the sources of chance for a replay."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.actions import Action, action_from_json
from engine.chance import DRAW_KINDS, DrawRecord
from engine.codec import decode
from engine.errors import MalformedInput, ReplayError, UnknownInput
from engine.values import value

REFEREE = -1
"""The actor of records that no player made."""


@value
class Record:
    """One record of the log: who did what, and the result of every draw. Record 0 is the deal and has no action."""

    number: int
    actor: int
    action: Action | None
    draws: tuple[DrawRecord, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Plain data: {"n": 7, "by": 2, "do": ["roll"], "draws": [["dice", 4, 6, 2], …]}."""
        data: dict[str, Any] = {"n": self.number, "by": self.actor}
        if self.action is not None:
            data["do"] = self.action.to_json()
        if self.draws:
            data["draws"] = [list(d) for d in self.draws]
        return data

    @staticmethod
    def from_json(data: Any) -> Record:
        """Read a record from plain data; raises `MalformedInput`."""
        if not isinstance(data, dict) or not {"n", "by"} <= set(data):
            raise MalformedInput("no record")
        if not set(data) <= {"n", "by", "do", "draws"}:
            raise UnknownInput("a record with an unknown part")
        draws = decode(tuple[DrawRecord, ...], data.get("draws", []))
        if any(kind not in DRAW_KINDS for kind, _, _, _ in draws):
            raise UnknownInput("unknown kind of draw")
        action = action_from_json(data["do"]) if "do" in data else None
        return Record(decode(int, data["n"]), decode(int, data["by"]), action, draws)


class RecordedChance:
    """Repeats the draws of a record; raises `ReplayError` if the rules ask for others."""

    def __init__(self, draws: Iterable[DrawRecord]) -> None:
        self.left = iter(draws)

    def draw(self, kind: str, ordinal: int, n: int) -> int:
        found = next(self.left, None)
        if found is None or found[:3] != (kind, ordinal, n) or not 0 <= found[3] < n:
            had = f"draw {found[1]} of {found[0]} below {found[2]}" if found else "no draw"  # its result is a secret
            raise ReplayError(f"the rules ask for draw {ordinal} of {kind} below {n}; the log has {had}")
        return found[3]

    def finish(self, number: int) -> None:
        """Raise `ReplayError` unless the rules asked for all draws of the record; `number` is its number."""
        if next(self.left, None) is not None:
            raise ReplayError(f"record {number} has a draw that the rules don't ask for")


class NoChance:
    """No further draws: the game was only replayed."""

    def draw(self, kind: str, ordinal: int, n: int) -> int:
        raise RuntimeError("this game was replayed without a source of chance")
