"""How the page of a running game follows the game: what a page that was made earlier lacks.

A page knows the *mark* of what it shows: a digest of all its data. If a later page begins with the same, the earlier
one only needs what came after; if not, as after an undo, it must be loaded again. So nothing has to be remembered of
who reads what, and any process can go on with what another one has served.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

from bot.page.contents import Contents, compact


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


class Following:
    """The course of a page in the making: it goes on with the moments that are added to the page's data."""

    def __init__(self, contents: Contents, code: str) -> None:
        """`code`: the page's scripts and styles."""
        self._contents = contents
        self._digest = sha256((code + compact(contents.beside)).encode("utf-8", "backslashreplace"))
        self._marks: dict[str, int] = {}

    def now(self, head: Mapping[str, str]) -> Course:
        """The course until now; `head`: the texts of the page's head."""
        moments = self._contents.moments
        for number in range(len(self._marks), len(moments)):
            self._digest.update(moments[number].encode("utf-8", "backslashreplace"))
            self._marks[f"{number + 1}-{self._digest.hexdigest()[:16]}"] = number + 1
        return Course(dict(self._marks), tuple(moments), tuple(map(tuple, self._contents.jumps)), head)
