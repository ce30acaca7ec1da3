"""What a seed brings: how the town is made, and what happens when. A plan is data, so that it can be shortened and
written down."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from engine.scenarios import SCENARIOS
from engine.variants import VARIANTS

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
    aim: str = ""
    """What it waits for from then on, by the name of a method of `Aims`; empty: for nothing."""


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
    language: str = ""
    """The code of the language of the tables, and of some people; empty: English."""
    shards: int = 1
    """Into how many shards Discord divides the servers."""
    secret: str = ""
    """What is different when all happens a second time, by its name in `secrets.times`; empty: it happens once."""
    events: tuple[Event, ...] = field(default=())
    ahead: str = ""
    """How far games are played before the plan begins: `PLACED`, `MIDDLE` or `END`; empty: not at all."""
    looks: bool = False
    """Whether people pause after each event until all was looked at."""

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
LATE = Habit(30.0, 1200.0, 3, slips=0.05)
"""How people play who often miss the end of their time."""
HASTY = Habit(3.0, 3 * HOUR, 8)
"""How people play who come seldom, and then do much at once."""
PLACED, MIDDLE, END = "placed", "middle", "end"
"""Until all have placed what they begin with, for a while, and until the last action but one."""
CODES = ("de", "es", "fr", "it", "ja", "pl", "pt-BR")
"""The languages of some plans."""
SECRETS = 0.1
"""How many of the plans are compared with themselves."""
SLOWLY = 0.05
"""How many of the plans are games of days."""
WINDOWS = 0.05
"""How many of the plans are about windows for answers."""
ACTS = 150
"""About how many things people do in a usual plan."""
FEW = 70
"""The same in a plan that is about something."""
TROUBLES = {
    "kill": (3.0, 0.0, 30.0),
    "power": (2.0, 0.0, 60.0),
    "stand_still": (2.0, 1.0, 90.0),
    "restart": (1.0, 0.0, 0.0),
    "stop": (2.0, 0.0, 0.0),
    "cut": (2.0, 0.0, 0.0),
    "silence": (1.0, 5.0, 120.0),
    "outage": (2.0, 2.0, 600.0),
    "errors": (3.0, 2.0, 60.0),
    "lost_answers": (3.0, 2.0, 60.0),
    "slowness": (2.0, 5.0, 120.0),
    "slow_messages": (2.0, 30.0, 300.0),
    "limits": (1.5, 150.0, 300.0),
    "reconnect": (1.0, 0.0, 0.0),
    "new_session": (1.0, 0.0, 0.0),
    "full_disk": (2.0, 10.0, 200.0),
    "failing_disk": (2.0, 5.0, 100.0),
    "slow_disk": (1.0, 2.0, 30.0),
    "set_clock": (2.0, -7200.0, 7200.0),
    "no_database": (2.0, 1.0, 60.0),
    "slow_database": (1.0, 2.0, 60.0),
    "forbid": (1.0, 60.0, 1800.0),
    "delete_message": (1.0, 0.0, 0.0),
    "leave": (1.0, 600.0, 7200.0),
    "close_dms": (1.0, 60.0, 7200.0),
    "purge": (0.5, 0.0, 0.0),
}
"""How often each kind of event comes, and the least and most of its value."""
ONE, SEVERAL = ("full_disk", "failing_disk", "slow_disk", "power", "set_clock"), ("no_database", "slow_database")
"""Kinds of events for one process with a file, and for processes that share a database."""
AIMED = {
    "commit": ("kill", "power", "no_database", "stand_still"),
    "note": ("kill", "power"),
    "request": ("kill", "power", "no_database"),
    "post": ("kill", "power", "outage", "lost_answers", "no_database"),
    "call": ("kill", "power", "lost_answers", "errors"),
    "click": ("kill", "stop", "outage", "limits", "slow_disk", "slow_messages", "errors", "stand_still"),
    "time": ("kill", "outage", "stand_still", "failing_disk", "full_disk", "no_database", "set_clock"),
    "choice": ("kill", "power"),
    "window": ("kill", "power", "outage", "stand_still", "no_database"),
    "ending": ("kill", "power", "outage", "errors", "lost_answers"),
}
"""Kinds of events that are aimed at something, by what that is."""


class Deck:
    """Draws a plan."""

    def __init__(self, seed: int) -> None:
        self.seed, self.rng = seed, random.Random(f"plan {seed}")
        self.processes = self.rng.choice((1, 1, 1, 2, 3, 4))
        self.scenario = self.rng.choice([*SCENARIOS, "base", "base"])
        self.players = self._players((3, 4, 4, 4, 5, 6))

    def _players(self, likely: tuple[int, ...]) -> int:
        """How many people play."""
        possible = SCENARIOS[self.scenario].players
        return max(min(max(possible), self.rng.choice(likely)), min(possible))

    def be_small(self) -> None:
        """Have few people play."""
        if min(SCENARIOS[self.scenario].players) > 4:
            self.scenario = "base"
        self.players = self._players((3, 3, 4))

    def habits(self, players: int, likely: tuple[Habit, ...]) -> tuple[Habit, ...]:
        """What people are like who play together."""
        style = self.rng.choice(likely)
        return tuple(style if self.rng.random() < 0.6 else self.rng.choice(likely) for _ in range(players))

    def plan(self, habits: tuple[Habit, ...], seconds: float, acts: int, **parts: Any) -> Plan:
        """The rest, which is always drawn in the same way."""
        rng, processes = self.rng, self.processes
        return Plan(
            seed=self.seed,
            processes=processes,
            seconds=seconds,
            acts=acts,
            habits=habits,
            scenario=self.scenario,
            latency=rng.choice(((0.0, 0.0), (0.02, 0.15), (0.05, 0.9))),
            clocks=tuple(rng.choice((0.0, rng.uniform(-1.0, 1.0))) for _ in range(processes)),
            heartbeat=rng.uniform(40.0, 45.0),
            **{"tables": 1, "shards": rng.choice((1, processes)), **parts},
        )

    def kinds(self, kinds: Iterable[str]) -> list[str]:
        """Those kinds of events that can happen."""
        return [kind for kind in kinds if kind not in (SEVERAL if self.processes == 1 else ONE)]

    def event(self, at: float, kind: str, aim: str = "", longest: float = 1e9) -> Event:
        """An event of a kind."""
        _, least, most = TROUBLES[kind]
        return Event(at, kind, self.rng.uniform(least, min(most, longest)), self.rng.randrange(60), aim)

    def options(self, pace: int, *, bots: bool = True) -> dict[str, Any]:
        """What a host chooses."""
        rng = self.rng
        options: dict[str, Any] = {"target": rng.choice((4, 5, 8, 10))}
        options |= {"pace": pace, "expiry": rng.choice(("remind", "decide", "decide", "vote"))} if pace else {}
        options |= {name: True for name in ("rooms", "hints", "counting", "anyone_starts") if rng.random() < 0.2}
        return options | ({"bots": rng.randrange(3)} if bots and rng.random() < 0.3 else {})


def calm(seconds: float) -> Plan:
    """Four people play for so long, a few times a day, and nothing happens to the town."""
    return Plan(1, 1, seconds, 10**9, (SLOW,) * 4, 1, "base", {}, latency=(0.02, 0.15), clocks=(0.0,), heartbeat=41.0)


def plan_of(seed: int) -> Plan:
    """The plan of a seed."""
    deck = Deck(seed)
    about = deck.rng.choice((_usual, _usual, _usual, _aimed, _aimed, _timed, _ending, _handed_over))
    if (which := random.Random(f"days {seed}").random()) < SLOWLY:
        about = _of_days
    elif which < SLOWLY + WINDOWS:
        about = _answering
    plan, rng = about(deck), random.Random(f"words and rules {seed}")
    options = dict(plan.options)
    if rng.random() < 0.3:
        options.setdefault("variants", rng.sample([*VARIANTS], rng.choice((1, 2))))
    if rng.random() < 0.2:
        options["edition"] = "1996"
    plan = replace(plan, options=options, language=rng.choice((*CODES, *("",) * 2 * len(CODES))))
    return _with_secret(plan) if rng.random() < SECRETS else plan


def _usual(deck: Deck) -> Plan:
    """Anything, at any time."""
    rng, processes = deck.rng, deck.processes
    habits = deck.habits(deck.players, HABITS if processes == 1 else (QUICK, CLUMSY, HOSTILE))
    pace = sum(habit.stays / (habit.visits + habit.stays * habit.pause) for habit in habits)
    seconds = min(max(ACTS / pace, 0.2 * HOUR), 14 * DAY if processes == 1 else HOUR)
    kinds = deck.kinds(TROUBLES)
    kinds = rng.sample(kinds, rng.randrange(1, len(kinds)))
    weights = [TROUBLES[kind][0] for kind in kinds]
    count = 0 if rng.random() < 0.15 else rng.randrange(1, 14)
    times = sorted(rng.uniform(0.02, 0.9) * seconds for _ in range(count))
    events = [deck.event(at, rng.choices(kinds, weights)[0]) for at in times]
    paces = (0, 0, 120, 300, 600) if seconds < 6 * HOUR else (0, 3600, 10_800, 86_400)
    options = deck.options(rng.choice(paces))
    tables = 1 if processes == 1 else rng.choice((1, 2))
    ahead = rng.choice(("", "", MIDDLE))
    return deck.plan(habits, seconds, ACTS, tables=tables, options=options, events=tuple(events), ahead=ahead)


def _of_days(deck: Deck) -> Plan:
    """A game of days, with reminders, nights and vacations."""
    deck.processes = 1
    deck.be_small()
    rng, seconds = deck.rng, deck.rng.uniform(1.0, 3.0) * DAY
    kinds = deck.kinds(TROUBLES)
    events = [deck.event(at, rng.choice(kinds)) for at in sorted(rng.uniform(0.0, seconds) for _ in range(4))]
    events.insert(2, deck.event(events[1].at, rng.choice(AIMED["choice"]), "choice"))
    options = deck.options(rng.choice((0, 3600, 10_800, 43_200, 86_400)))
    options |= {"leave": 0} if options.get("pace") and rng.random() < 0.5 else {}
    habits, ahead = deck.habits(deck.players, (USUAL, SLOW, HASTY)), rng.choice(("", PLACED, MIDDLE))
    return deck.plan(
        habits, seconds, ACTS, options=options, events=tuple(events), ahead=ahead, looks=rng.random() < 0.5
    )


def _aimed(deck: Deck) -> Plan:
    """Something happens at the worst moment, and all is looked at afterward."""
    deck.be_small()
    habits = deck.habits(deck.players, (QUICK, QUICK, CLUMSY))
    seconds = 0.5 * HOUR
    events = _several(deck, 0.2 * seconds, 4, ("commit", "note", "request", "post", "call", "click"), 60.0)
    options = deck.options(deck.rng.choice((0, 0, 300)))
    return deck.plan(habits, seconds, FEW, options=options, events=events, looks=True)


def _timed(deck: Deck) -> Plan:
    """People's time is often over, and something happens just then."""
    deck.processes = deck.rng.choice((1, 1, 2))
    deck.be_small()
    seconds, rng = 0.9 * HOUR, deck.rng
    events = _several(deck, 0.8 * seconds, 6, ("time",), 150.0)
    options = deck.options(rng.choice((120, 300)), bots=False) | {
        "expiry": rng.choice(("decide", "decide", "decide", "vote"))
    }
    habits, looks = (LATE,) * deck.players, rng.random() < 0.5
    return deck.plan(habits, seconds, FEW, options=options, events=events, ahead=PLACED, looks=looks)


def _answering(deck: Deck) -> Plan:
    """All who have cards are asked about the robber and have the same time for that (L8), and something happens."""
    deck.be_small()
    seconds, rng = 0.9 * HOUR, deck.rng
    events = _several(deck, 0.8 * seconds, 3, ("window",), 60.0)
    options = deck.options(rng.choice((0, 300)), bots=False)
    options |= {"variants": ["knight-interrupt"], "answer_time": rng.choice((300, 3600)), "target": 10}
    habits = deck.habits(deck.players, (LATE, QUICK))
    return deck.plan(habits, seconds, FEW, options=options, events=events, ahead=MIDDLE)


def _ending(deck: Deck) -> Plan:
    """Games that soon end."""
    deck.be_small()
    seconds, rng = 0.5 * HOUR, deck.rng
    events = _several(deck, 1.0, 3, ("ending", "ending", "post", "click"), 60.0)
    options = deck.options(0, bots=False) | {"target": rng.choice((3, 4))}
    return deck.plan((QUICK,) * deck.players, seconds, 30, options=options, events=events, ahead=END, looks=True)


def _handed_over(deck: Deck) -> Plan:
    """Games go from one process to another, and back, while both live."""
    deck.processes = deck.rng.choice((2, 2, 3))
    deck.be_small()
    seconds, rng = 0.4 * HOUR, deck.rng
    still, ends = ("stand_still", "no_database"), ("kill", "stand_still")
    events = tuple(
        Event(0.1 * seconds * n, rng.choice(kinds), rng.uniform(40.0, 90.0), rng.randrange(60), "commit")
        for n, kinds in enumerate((still, ends, still, ends))
    )
    habits = deck.habits(deck.players, (QUICK, CLUMSY))
    options = deck.options(rng.choice((0, 300)), bots=False)
    return deck.plan(habits, seconds, FEW, options=options, events=events, ahead=PLACED, looks=True)


def _several(deck: Deck, seconds: float, most: int, aims: tuple[str, ...], longest: float) -> tuple[Event, ...]:
    """Up to so many events in so many seconds, each aimed at something."""
    rng = deck.rng
    found = []
    for at in sorted(rng.uniform(0.0, seconds) for _ in range(rng.randint(1, most))):
        aim = rng.choice(aims)
        found.append(deck.event(at, rng.choice(deck.kinds(AIMED[aim])), aim, longest))
    return tuple(found)


def _with_secret(plan: Plan) -> Plan:
    """A plan that is compared with itself: nothing but people and the secret make a difference."""
    rng = random.Random(f"secret of {plan.seed}")
    kept = {name: value for name, value in plan.options.items() if name not in ("rooms", "bots", "hints")}
    return replace(
        plan,
        processes=1,
        tables=1,
        latency=(0.05, 0.05),
        clocks=(0.0,),
        seconds=min(plan.seconds, DAY) / 2,
        acts=plan.acts // 2,
        events=(),
        options=kept,
        ahead=MIDDLE,
        secret=rng.choice(("draws", "draws", "quiet")),
    )
