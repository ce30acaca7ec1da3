"""What a step has seen, what was expected of it, and what the two together say to the host."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

OK, DIFFERS, FAILED, SKIPPED = "ok", "differs", "failed", "skipped"
PAGE = "docs/first-day.md"
DONE = (200, 201, 204)
"""Statuses of what Discord has carried out."""

Seen = dict[str, Any]
"""What a step has seen, by the name that a host reads."""


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
    """Anything but nothing."""

    def fits(self, value: Any) -> bool:
        return value not in (None, "", 0, [], {}, False)

    def __str__(self) -> str:
        return "something"


CARRIED_OUT = AnyOf(DONE)
Expected = Mapping[str, Any]
"""What is to be seen, by name: a value, or one of the above."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of a step. `wrong` is what isn't as expected, `means` and `see` are what to make of that."""

    step: str
    state: str
    done: str
    seen: Mapping[str, Any]
    wrong: Sequence[str] = ()
    means: str = ""
    see: str = ""

    def line(self) -> str:
        """What the host reads of it."""
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
    """What of the seen isn't as expected, each in a few words; what wasn't seen only counts where all else is."""
    found: list[str] = []
    unseen: list[str] = []
    for name, wanted in expected.items():
        value = seen.get(name)
        fits = wanted.fits(value) if hasattr(wanted, "fits") else value == wanted
        if not fits:
            (found if name in seen else unseen).append(f"{name}: {_shown(value)} instead of {_shown(wanted)}")
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
