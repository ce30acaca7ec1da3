"""The figures of a running bot for Prometheus (docs/monitoring.md), and small helpers that count and time.

Any layer may count here. A label has a fixed set of values: none ever carries a name, an id, a hand or a token.
"""

from __future__ import annotations

from datetime import UTC, datetime

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.process_collector import ProcessCollector

REGISTRY = CollectorRegistry()
"""All of them, and nothing that another library may register."""

ProcessCollector(registry=REGISTRY)  # memory, processor time and open files, where the system tells (Linux)

_QUICK = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 5.0, 10.0)
"""Upper bounds in seconds; Discord waits three for an acknowledgement."""

ACTIONS = Counter("harbormaster_actions", "Actions of games carried out and stored.", registry=REGISTRY)
REFUSALS = Counter("harbormaster_refusals", "Refusals told to a person.", ["code"], registry=REGISTRY)
ACKNOWLEDGEMENT = Histogram(
    "harbormaster_acknowledgement_seconds",
    "From the making of an interaction by Discord's clock until Discord has taken the first answer.",
    ["kind"],
    buckets=_QUICK,
    registry=REGISTRY,
)
PICTURE = Histogram(
    "harbormaster_picture_seconds",
    "From the wish for a picture until it is drawn, with the wait for a free thread.",
    ["kind"],
    buckets=_QUICK,
    registry=REGISTRY,
)
REQUESTS = Counter(
    "harbormaster_discord_requests", "Requests to Discord that have ended.", ["kind", "answer"], registry=REGISTRY
)
RATE_LIMIT_WAIT = Counter(
    "harbormaster_discord_rate_limit_wait_seconds", "Time that requests waited for rate limits.", registry=REGISTRY
)
CACHE = Counter(
    "harbormaster_game_cache_lookups", "Games looked up in memory: hit, or miss and replayed.", ["result"], registry=REGISTRY
)
DUE = Gauge("harbormaster_due_projections", "Visible things that must be shown (again).", registry=REGISTRY)
OLDEST_DUE = Gauge(
    "harbormaster_oldest_due_projection_age_seconds", "For how long the oldest of them has been due.", registry=REGISTRY
)
UNSHOWN = Gauge(
    "harbormaster_publisher_delay_seconds",
    "For how long the publisher has tried to show something, without those that Discord refuses.",
    registry=REGISTRY,
)
RUNNING = Gauge("harbormaster_running_games", "Games being played.", registry=REGISTRY)
LOOP_LAG = Histogram(
    "harbormaster_event_loop_lag_seconds",
    "How late a timer of the event loop fires; one is set each second.",
    buckets=(0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0),
    registry=REGISTRY,
)
CONNECTED = Gauge("harbormaster_gateway_connected", "1 while Discord's gateway is connected.", registry=REGISTRY)
SILENCE = Gauge("harbormaster_gateway_last_event_age_seconds", "Time since the gateway's last event.", registry=REGISTRY)
READY = Gauge("harbormaster_probe_ready", "1 for each probe of /readyz that is fine.", ["probe"], registry=REGISTRY)


def acknowledged(kind: str, created: datetime) -> None:
    """Time an acknowledgement. `kind`: "action", "form" or "suggestions"; `created`: by Discord's clock."""
    ACKNOWLEDGEMENT.labels(kind).observe(max((datetime.now(UTC) - created).total_seconds(), 0.0))


def looked_up(hit: bool) -> None:
    """Count a game that was asked for."""
    CACHE.labels("hit" if hit else "miss").inc()
