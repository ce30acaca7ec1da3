"""What a phase of a run has measured."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tests.wire.calls import AUTOCOMPLETE, Interaction
from tests.wire.party import DEFERRED, MESSAGE


@dataclass
class Samples:
    """Measured times, in seconds, and counts."""

    acknowledgements: list[float] = field(default_factory=list)
    """From the dispatch of an interaction until Discord has the first answer."""
    suggestions: list[float] = field(default_factory=list)
    """The same for autocompletes, whose first answer is the only one."""
    answers: list[float] = field(default_factory=list)
    """From the dispatch of a command until its private answer is there."""
    pictures: list[float] = field(default_factory=list)
    """From the dispatch until the last byte of the panel that shows the action."""
    unanswered: Counter[str] = field(default_factory=Counter)
    """Interactions without an answer within three seconds, by type."""
    actions: Counter[str] = field(default_factory=Counter)
    """Actions by type."""
    problems: list[str] = field(default_factory=list)
    behind: float = 0.0
    """Most seconds that an action began later than the rate asks for."""

    def take(self, it: Interaction) -> None:
        """Count an interaction, once it has all its answers."""
        kind = it.payload["type"]
        if it.callback is None:
            self.unanswered["autocomplete" if kind == AUTOCOMPLETE else "others"] += 1
            return
        first = next(r for r in it.requests if r.status < 400)
        (self.suggestions if kind == AUTOCOMPLETE else self.acknowledgements).append(first.done - it.sent)
        if it.kind in (MESSAGE, DEFERRED):
            answers = (r.done for r in it.requests if r.accepted and (it.kind == MESSAGE or r is not first))
            if (answered := next(answers, None)) is not None:
                self.answers.append(answered - it.sent)

    def figures(self) -> dict[str, Any]:
        """The figures for the results, with times in milliseconds."""
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
    """How many times there are, and the median, the p99 and the longest, in milliseconds."""
    if not times:
        return {"n": 0, "p50": 0, "p99": 0, "max": 0}
    ordered = sorted(times)
    p50, p99 = ordered[len(ordered) // 2], ordered[min(int(len(ordered) * 0.99), len(ordered) - 1)]
    return {"n": len(ordered), "p50": round(1000 * p50), "p99": round(1000 * p99), "max": round(1000 * ordered[-1])}
