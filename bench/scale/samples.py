"""What a phase of a run has measured."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tests.wire.calls import AUTOCOMPLETE, Interaction

DEFERRED = 5


@dataclass
class Samples:
    """Seconds, and counts."""

    acknowledgements: list[float] = field(default_factory=list)
    """From the dispatch of an interaction until Discord has the first answer."""
    suggestions: list[float] = field(default_factory=list)
    """The same of autocompletes, whose first answer is the only one."""
    answers: list[float] = field(default_factory=list)
    """Until a private answer that was deferred is there."""
    pictures: list[float] = field(default_factory=list)
    """Until the last byte of the panel that shows an action."""
    unanswered: Counter[str] = field(default_factory=Counter)
    """Interactions without an answer within three seconds, by type."""
    actions: Counter[str] = field(default_factory=Counter)
    """By type."""
    problems: list[str] = field(default_factory=list)
    behind: float = 0.0
    """By how much an action began later than the rate asks for, at most."""

    def take(self, it: Interaction) -> None:
        """Count an interaction, once all is said."""
        kind = it.payload["type"]
        if it.callback is None:
            self.unanswered["autocomplete" if kind == AUTOCOMPLETE else "others"] += 1
            return
        first = next(r for r in it.requests if r.status < 400)
        (self.suggestions if kind == AUTOCOMPLETE else self.acknowledgements).append(first.done - it.sent)
        if it.kind == DEFERRED:
            later = (r.done for r in it.requests if r.accepted and r is not first)
            if (answered := next(later, None)) is not None:
                self.answers.append(answered - it.sent)

    def figures(self) -> dict[str, Any]:
        """For the results; times in milliseconds."""
        return {
            "actions": self.actions.total(),
            "acknowledgement": spread(self.acknowledgements),
            "suggestions": spread(self.suggestions),
            "private answer": spread(self.answers),
            "picture": spread(self.pictures),
            "unanswered": dict(self.unanswered),
            "interactions": len(self.acknowledgements) + len(self.suggestions) + self.unanswered.total(),
            "driver behind": round(1000 * self.behind),
            "problems": self.problems,
        }


def spread(times: list[float]) -> dict[str, int]:
    """Number of times, and in milliseconds the median, p99 and the longest."""
    if not times:
        return {"n": 0, "p50": 0, "p99": 0, "max": 0}
    found = sorted(times)
    p50, p99 = found[len(found) // 2], found[min(int(len(found) * 0.99), len(found) - 1)]
    return {"n": len(found), "p50": round(1000 * p50), "p99": round(1000 * p99), "max": round(1000 * found[-1])}
