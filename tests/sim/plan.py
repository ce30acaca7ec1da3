"""What a seed brings: how the town is made, and what happens when. A plan is data, so that it can be shortened and
written down."""

from __future__ import annotations

import json
import random
from dataclasses import asdict, dataclass, field
from typing import Any

from engine.scenarios import SCENARIOS

HOUR, DAY = 3600.0, 86_400.0


@dataclass(frozen=True)
class Event:
    """Something that happens to the town."""

    at: float
    """Seconds since the beginning."""
    kind: str
    """The name of a method of `Weather`."""
    value: float = 0.0
    """What it needs: mostly how many seconds it lasts."""
    which: int = 0
    """Of which machine, table or person, counted beyond their number."""


@dataclass(frozen=True)
class Habit:
    """How a person plays."""

    pause: float
    """Seconds between two things that they do, on average, when they look at the game."""
    visits: float
    """Seconds between two visits, on average."""
    stays: int
    """How many things they do in a visit."""
    slips: float = 0.0
    """How often they press something else than they want to."""
    doubles: float = 0.0
    """How often they press twice."""
    attacks: float = 0.0
    """How often they send what no client would."""


@dataclass(frozen=True)
class Plan:
    """All that a seed decides in advance. Everything else follows from it, and from the seed's chance."""

    seed: int
    processes: int
    """How many share a database; one has a file of its own."""
    seconds: float
    """How long it lasts at most."""
    acts: int
    """How many things people do at most."""
    habits: tuple[Habit, ...]
    """The people at each table."""
    tables: int
    scenario: str
    options: dict[str, Any]
    """What the host chooses, by name; `bots` is how many of the seats bots take."""
    latency: tuple[float, float]
    """Seconds that Discord takes for an answer or an event, at least and at most."""
    clocks: tuple[float, ...]
    """Seconds by which each machine's clock is ahead."""
    heartbeat: float
    """Seconds between two heartbeats."""
    shards: int = 1
    """Into how many shards Discord divides the servers."""
    events: tuple[Event, ...] = field(default=())

    def text(self) -> str:
        """The plan as JSON."""
        return json.dumps(asdict(self))

    @classmethod
    def of_text(cls, text: str) -> Plan:
        """Read what `text` wrote."""
        data = json.loads(text)
        data["habits"] = tuple(Habit(**one) for one in data["habits"])
        data["events"] = tuple(Event(**one) for one in data["events"])
        data["latency"], data["clocks"] = tuple(data["latency"]), tuple(data["clocks"])
        return cls(**data)


QUICK = Habit(4.0, 30.0, 40)
USUAL = Habit(20.0, 1800.0, 8, slips=0.05, doubles=0.05)
SLOW = Habit(60.0, 6 * HOUR, 4, slips=0.1)
CLUMSY = Habit(6.0, 600.0, 12, slips=0.4, doubles=0.4)
HOSTILE = Habit(3.0, 300.0, 20, slips=0.2, doubles=0.2, attacks=0.4)
HABITS = (QUICK, USUAL, SLOW, CLUMSY, HOSTILE)
ACTS = 150
"""About how many things people do in a plan."""
TROUBLES = {
    "kill": (3.0, 0.0, 30.0),
    "power": (2.0, 0.0, 60.0),
    "stand_still": (2.0, 1.0, 90.0),
    "restart": (1.0, 0.0, 0.0),
    "kill_at_commit": (3.0, 0.0, 30.0),
    "kill_at_request": (3.0, 0.0, 30.0),
    "cut": (2.0, 0.0, 0.0),
    "silence": (1.0, 5.0, 120.0),
    "outage": (2.0, 2.0, 600.0),
    "errors": (3.0, 2.0, 60.0),
    "lost_answers": (3.0, 2.0, 60.0),
    "slowness": (2.0, 5.0, 120.0),
    "slow_messages": (2.0, 30.0, 300.0),
    "reconnect": (1.0, 0.0, 0.0),
    "new_session": (1.0, 0.0, 0.0),
    "full_disk": (2.0, 10.0, 200.0),
    "failing_disk": (2.0, 5.0, 100.0),
    "slow_disk": (1.0, 2.0, 30.0),
    "set_clock": (2.0, -7200.0, 7200.0),
    "no_database": (2.0, 1.0, 60.0),
    "forbid": (1.0, 60.0, 1800.0),
    "delete_message": (1.0, 0.0, 0.0),
    "leave": (1.0, 600.0, 7200.0),
    "close_dms": (1.0, 60.0, 7200.0),
    "purge": (0.5, 0.0, 0.0),
}
"""How often each kind of event comes, and the least and most of its value."""


def plan_of(seed: int) -> Plan:
    """The plan of a seed."""
    rng = random.Random(f"plan {seed}")
    processes = rng.choice((1, 1, 1, 2, 3, 4))
    scenario = rng.choice([*SCENARIOS, "base", "base"])
    players = min(max(SCENARIOS[scenario].players), rng.choice((3, 4, 4, 4, 5, 6)))
    players = max(players, min(SCENARIOS[scenario].players))
    likely = HABITS if processes == 1 else (QUICK, CLUMSY, HOSTILE)
    style = rng.choice(likely)
    habits = tuple(style if rng.random() < 0.6 else rng.choice(likely) for _ in range(players))
    pace = sum(habit.stays / (habit.visits + habit.stays * habit.pause) for habit in habits)
    seconds = min(max(ACTS / pace, 0.2 * HOUR), 14 * DAY if processes == 1 else HOUR)
    calm = rng.random() < 0.15
    kinds = [kind for kind in TROUBLES if processes > 1 or kind != "no_database"]
    kinds = [
        kind for kind in kinds if processes == 1 or kind not in ("full_disk", "failing_disk", "slow_disk", "power")
    ]
    kinds = rng.sample(kinds, rng.randrange(1, len(kinds)))
    weights = [TROUBLES[kind][0] for kind in kinds]
    events = []
    for _ in range(0 if calm else rng.randrange(1, 14)):
        kind = rng.choices(kinds, weights)[0]
        _, least, most = TROUBLES[kind]
        events.append(Event(rng.uniform(0.02, 0.9) * seconds, kind, rng.uniform(least, most), rng.randrange(60)))
    pace = rng.choice((0, 0, 120, 300, 600)) if seconds < 6 * HOUR else rng.choice((0, 3600, 3 * HOUR, DAY))
    options: dict[str, Any] = {"target": rng.choice((4, 5, 8, 10))}
    options |= {"pace": pace, "expiry": rng.choice(("remind", "decide", "decide", "vote"))} if pace else {}
    options |= {name: True for name in ("rooms", "hints", "counting", "anyone_starts") if rng.random() < 0.2}
    options |= {"bots": rng.randrange(3)} if rng.random() < 0.3 else {}
    return Plan(
        seed=seed,
        processes=processes,
        seconds=seconds,
        acts=ACTS,
        habits=habits,
        tables=1 if processes == 1 else rng.choice((1, 2)),
        scenario=scenario,
        options=options,
        latency=rng.choice(((0.0, 0.0), (0.02, 0.15), (0.05, 0.9))),
        clocks=tuple(rng.choice((0.0, rng.uniform(-1.0, 1.0))) for _ in range(processes)),
        heartbeat=rng.uniform(40.0, 45.0),
        shards=rng.choice((1, processes)),
        events=tuple(sorted(events, key=lambda event: event.at)),
    )
