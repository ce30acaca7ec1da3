"""What people have asked to hear of new tables on a server, and which tables they hear of. A server can have a role
called the same way."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bot.table.guests import open_to
from bot.table.option import Choice, Many, Option, Sheet, options_of
from bot.table.options import DAY, HURRIED
from bot.table.preferences import CHANNEL, DM, NEVER, UserSettings
from bot.table.reminders import held_until
from bot.table.table import LOBBY, Table
from engine.scenarios import SCENARIOS
from engine.terms import N_

NEW_JOB, LAST_JOB = "new-table", "last-seat"
"""Names of the jobs that tell people of a table: once when it is new, and once when it has long lacked one player."""
SETTLED_AFTER = 60.0
"""Seconds from a table's opening until people are told of it: by then scenario and timer are chosen."""
LACKING = 1800.0
"""Seconds for which a table must have lacked one player, without any change."""
TELLINGS_APART = 3600.0
"""Least seconds between two times that a person, or a role, is told of tables on one server."""

NEW_TABLES = Sheet("new_tables", N_("New tables here"), "📣")
MINUTES, HOURS, DAYS, NONE = "minutes", "hours", "days", "none"
"""Classes of turn timers."""


def timer_class(pace: int) -> str:
    """The class of a turn timer, in seconds; 0: none."""
    return NONE if not pace else MINUTES if pace <= HURRIED else HOURS if pace < DAY else DAYS


@dataclass(frozen=True, slots=True)
class Subscription:
    """What a person has chosen for a server. All choices have a default."""

    how: str = Option(
        N_("Tell me about new tables here"),
        (
            Choice(NEVER, N_("Never"), line=N_("New tables on this server: **I tell you nothing**")),
            Choice(DM, N_("By direct message"), line=N_("New tables on this server: **by direct message**")),
            Choice(CHANNEL, N_("In the table's channel"), line=N_("New tables on this server: **in their channel**")),
        ),
        hint=N_("At most once an hour, and never in your quiet hours"),
    ).by_default(NEVER, NEW_TABLES)
    """Where they are told."""
    scenarios: tuple[str, ...] = Many(
        N_("Only these scenarios"),
        [Choice(one.id, one.title, one.summary) for one in SCENARIOS.values()],
        N_("New tables on this server: **only {value}**"),
        hint=N_("None: any"),
        told=lambda chosen: chosen.how != NEVER,
        either=True,
    ).by_default((), NEW_TABLES)
    """Ids of the scenarios that they want; empty: all."""
    timers: tuple[str, ...] = Many(
        N_("Only these turn timers"),
        (
            Choice(MINUTES, N_("up to an hour")),
            Choice(HOURS, N_("some hours")),
            Choice(DAYS, N_("a day or more")),
            Choice(NONE, N_("No timer")),
        ),
        N_("New tables on this server: **only with a turn timer of {value}**"),
        hint=N_("None: any"),
        told=lambda chosen: chosen.how != NEVER,
        either=True,
    ).by_default((), NEW_TABLES)
    """Classes of the turn timers that they want; empty: all."""

    def wants(self, table: Table) -> bool:
        """Whether a table has the scenario and the turn timer that they want."""
        scenario, timer = table.config.scenario, timer_class(table.options.pace)
        return (not self.scenarios or scenario in self.scenarios) and (not self.timers or timer in self.timers)


SUBSCRIPTION = options_of(Subscription)
ROLE = 0
"""The user under whom a server's role is kept."""


@dataclass(frozen=True, slots=True)
class Subscriber:
    """A person who has asked to be told of a server's new tables; or a server's role, for all tables."""

    user: int
    """`ROLE`: the role."""
    chosen: Subscription = Subscription()
    told: float = 0.0
    """When they were last told, in seconds since the epoch; 0: never."""
    through: int = 0
    """The number of the last table that they were told of, or that was there when they asked."""

    def hears_of(self, table: Table, *, again: bool = False) -> bool:
        """Whether a table is something for them that they haven't been told of; `again`: even if they have."""
        return (again or table.number > self.through) and self.chosen.wants(table) and open_to(table, self.user)

    def free_from(self, settings: UserSettings, now: float) -> float:
        """From when on they can be told, in seconds since the epoch: an hour after the last time, and not in quiet
        hours or on vacation."""
        at = max(now, self.told + TELLINGS_APART)
        return held_until(settings.choices, at) or at


def lacks_one(table: Table) -> bool:
    """Whether one more player would let a table begin, or fill it. A host alone needs more than that."""
    count, possible = len(table.members), SCENARIOS[table.config.scenario].players
    return table.status == LOBBY and count >= 2 and count + 1 in (min(possible), max(possible))


def first_looks(table: Table) -> dict[str, float | None]:
    """When a new table is looked at to tell people of it, by the job's name."""
    return {NEW_JOB: table.created + SETTLED_AFTER, LAST_JOB: table.created + LACKING}


def in_turn(subscribers: Iterable[Subscriber]) -> list[Subscriber]:
    """Subscribers, those first who were told longest ago."""
    return sorted(subscribers, key=lambda one: (one.told, one.user))
