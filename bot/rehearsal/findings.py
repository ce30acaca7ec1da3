"""What a step saw, what it was expected to see, and what that means for the host."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

OK, DIFFERS, FAILED, SKIPPED = "ok", "differs", "failed", "skipped"
PAGE = "docs/first-day.md"
DONE = (200, 201, 204)
"""HTTP statuses of requests that Discord carried out."""

Seen = dict[str, Any]
"""What a step saw, by the name that the host reads."""


@dataclass(frozen=True, slots=True)
class AnyOf:
    """One of several values."""

    values: Sequence[Any]

    def fits(self, value: Any) -> bool:
        return value in self.values

    def __str__(self) -> str:
        return " or ".join(map(str, self.values))


@dataclass(frozen=True, slots=True)
class Between:
    """A number from `low` to `high`."""

    low: float
    high: float

    def fits(self, value: Any) -> bool:
        return isinstance(value, int | float) and self.low <= value <= self.high

    def __str__(self) -> str:
        return f"{self.low:,.12g} to {self.high:,.12g}"


@dataclass(frozen=True, slots=True)
class Given:
    """Any value except an empty one, 0 or False."""

    def fits(self, value: Any) -> bool:
        return value not in (None, "", 0, [], {}, False)

    def __str__(self) -> str:
        return "something"


CARRIED_OUT = AnyOf(DONE)
Expected = Mapping[str, Any]
"""What a step should see, by name: a value, or an object of a class above."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a step. `wrong`: what isn't as expected; `means`: what that means; `see`: where to read more."""

    step: str
    state: str
    done: str
    seen: Mapping[str, Any]
    wrong: Sequence[str] = ()
    means: str = ""
    see: str = ""

    def line(self) -> str:
        """The line that the host reads."""
        facts = ", ".join(f"{name} {_shown(value)}" for name, value in self.seen.items())
        words = [self.done if self.state != SKIPPED else f"{self.done} Not tried:"]
        if self.wrong:
            words.append(f"{'; '.join(self.wrong)}.")
        if facts:
            words.append(f"({facts})")
        if self.state in (DIFFERS, FAILED):
            words.append(f"{self.means} See {self.see}")
        return f"{self.state:<9}{self.step:<18}{' '.join(words)}"


def faults(seen: Mapping[str, Any], expected: Expected) -> list[str]:
    """What isn't as expected, each in a few words. What wasn't seen counts only if everything seen is as expected."""
    found: list[str] = []
    unseen: list[str] = []
    for name, target in expected.items():
        value = seen.get(name)
        fits = target.fits(value) if hasattr(target, "fits") else value == target
        if not fits:
            (found if name in seen else unseen).append(f"{name}: {_shown(value)} instead of {_shown(target)}")
    return found or unseen


def _shown(value: Any) -> str:
    match value:
        case None | "":
            return "nothing"
        case True | False:
            return "yes" if value else "no"
        case float():
            return f"{value:.3g}"
        case list() | tuple():
            return " ".join(map(str, value)) or "none"
        case _:
            return str(value)
