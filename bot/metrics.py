"""The metrics of a running Harbormaster, for Prometheus. docs/monitoring.md says what each measures.

Each instance of Harbormaster has its own, so several can live in one process. Any layer can count. A label has a fixed
set of values, and never contains a name, an ID, a hand or a token.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.core import CounterMetricFamily
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

_ANSWERS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 5.0, 10.0)
"""Upper bounds in seconds. Discord waits three for an acknowledgment."""
_WAITS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0)
_LAGS = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """Counters, gauges and histograms by what they count. Times are in seconds."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)  # memory, processor time, open files (on Linux)

        self.actions = Counter(
            "harbormaster_actions", "Actions carried out and stored, without the secret ones.", registry=registry
        )
        self.refusals = Counter(
            "harbormaster_refusals", "Refusals that a person got, by code.", ["code"], registry=registry
        )
        self.acknowledgement = Histogram(
            "harbormaster_acknowledgement_seconds",
            "From an interaction, by Discord's clock, until Discord has taken the first answer.",
            ["kind"],
            buckets=_ANSWERS,
            registry=registry,
        )
        self.refused_answers = Counter(
            "harbormaster_refused_answers",
            "Answers to a person that Discord refused, by code.",
            ["code"],
            registry=registry,
        )
        self.showing = Histogram(
            "harbormaster_showing_seconds",
            "From a change until Discord has taken what shows it: the game message and its picture, or the hands.",
            ["kind"],
            buckets=_WAITS,
            registry=registry,
        )
        self.drawing = Histogram(
            "harbormaster_drawing_seconds",
            "From the request for a picture until it is drawn, with the wait for its turn.",
            ["kind"],
            buckets=_ANSWERS,
            registry=registry,
        )
        self.requests = Counter(
            "harbormaster_discord_requests",
            "Requests to Discord that have ended, by kind and answer.",
            ["kind", "answer"],
            registry=registry,
        )
        self.web_answers = Counter(
            "harbormaster_web_answers",
            "Answers to browsers that ask for games, by what they ask for and by HTTP status.",
            ["kind", "status"],
            registry=registry,
        )
        self.web_followers = Gauge(
            "harbormaster_web_followers", "Browsers that follow a running game.", registry=registry
        )
        self.web_making = Histogram(
            "harbormaster_web_making_seconds",
            "From the request for a game's page until it is made, with the wait for its turn.",
            ["kind"],
            buckets=_ANSWERS,
            registry=registry,
        )
        self.rate_limit_wait = Counter(
            "harbormaster_discord_rate_limit_wait_seconds",
            "Time that requests waited for Discord's limits.",
            registry=registry,
        )
        self.unreadable = Counter(
            "harbormaster_unreadable_events",
            "Events from Discord that could not be read.",
            ["event"],
            registry=registry,
        )
        self.games_looked_up = Counter(
            "harbormaster_game_cache_lookups",
            "Games that were needed: a hit in memory, or a miss with a replay.",
            ["result"],
            registry=registry,
        )
        self.due = Gauge("harbormaster_due_projections", "Messages that must be shown (again).", registry=registry)
        self.oldest_due = Gauge(
            "harbormaster_oldest_due_projection_age_seconds",
            "Time since the last change of the game that has waited longest for a message, even if Discord refuses it.",
            registry=registry,
        )
        self.late = Gauge(
            "harbormaster_showing_delay_seconds",
            "For how long something has not been shown although Discord would allow it.",
            registry=registry,
        )
        self.stuck = Gauge(
            "harbormaster_stuck_games", "Games that can't be shown because Discord refuses it.", registry=registry
        )
        self.running = Gauge("harbormaster_running_games", "Games that are being played.", registry=registry)
        self.loop_lag = Histogram(
            "harbormaster_event_loop_lag_seconds",
            "How late a timer of the event loop fires. It is set once a second.",
            buckets=_LAGS,
            registry=registry,
        )
        self.fine = Gauge("harbormaster_check_ok", "1 while a check of /readyz is fine.", ["check"], registry=registry)

    def acknowledged(self, kind: str, created: datetime) -> None:
        """Time an acknowledgment. `kind`: "action", "form" or "suggestions"; `created`: by Discord's clock."""
        self.acknowledgement.labels(kind).observe(max((datetime.now(UTC) - created).total_seconds(), 0.0))

    def game_looked_up(self, hit: bool) -> None:
        """Count a lookup of a game; `hit`: whether the cache had it."""
        self.games_looked_up.labels("hit" if hit else "miss").inc()

    def boards_looked_up(self, read: Callable[[], tuple[int, int]]) -> None:
        """Report the lookups in the cache of board bands. `read` gives the (hits, misses) so far."""
        self.registry.register(_Lookups(read))


@dataclass(frozen=True, slots=True)
class _Lookups(Collector):
    read: Callable[[], tuple[int, int]]

    def collect(self) -> Iterator[CounterMetricFamily]:
        family = CounterMetricFamily(
            "harbormaster_board_cache_lookups",
            "Bands of boards (32 rows) that pictures need: a hit in memory, or a miss that is drawn. For the process.",
            labels=["result"],
        )
        for result, count in zip(("hit", "miss"), self.read(), strict=True):
            family.add_metric([result], count)
        yield family
