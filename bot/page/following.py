"""How the page of a running game follows the game: what a page that was made earlier lacks.

A page knows the *mark* of what it shows: a digest of all its data. If a later page begins with the same, the earlier
one only needs what came after; if not, as after an undo, it must be loaded again. So nothing has to be remembered of
who reads what, and any process can go on with what another one has served.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any


@dataclass(frozen=True, slots=True)
class Course:
    """A running game's page as a course of moments."""

    marks: dict[str, int]
    """By the mark of each page that this one continues, how many moments that shows; the last is the page itself."""
    moments: tuple[str, ...]
    """As JSON."""
    jumps: tuple[tuple[tuple[int, str], ...], ...]
    now: Mapping[str, str]
    """The texts of the page's head."""

    @property
    def mark(self) -> str:
        """The mark of the page."""
        return next(reversed(self.marks))

    def since(self, mark: str) -> str | None:
        """As JSON, what a page with that mark lacks; None if it must be loaded again."""
        if (shown := self.marks.get(mark)) is None:
            return None
        jumps = [[there for there in found if there[0] >= shown] for found in self.jumps]
        rest = compact({"now": self.now, "jumps": jumps})
        return f'{rest[:-1]},"moments":[{",".join(self.moments[shown:])}]}}'


def course(data: Mapping[str, Any], code: str, now: Mapping[str, str]) -> Course:
    """The course of a page with this data (`bot.page.contents`) and `code`, that is its scripts and styles."""
    moments = tuple(map(compact, data["moments"]))
    beside = {name: value for name, value in data.items() if name not in ("moments", "jumps")}
    digest, marks = sha256((code + compact(beside)).encode("utf-8", "backslashreplace")), dict[str, int]()
    for number, moment in enumerate(moments, 1):
        digest.update(moment.encode("utf-8", "backslashreplace"))
        marks[f"{number}-{digest.hexdigest()[:16]}"] = number
    jumps = tuple(tuple((number, told) for number, told in jump["at"]) for jump in data["jumps"])
    return Course(marks, moments, jumps, now)


def compact(value: Any) -> str:
    """JSON without spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
