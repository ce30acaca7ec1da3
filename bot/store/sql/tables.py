"""The tables of a store."""

from __future__ import annotations

KEYS = {
    "games": ("number",),
    "members": ("game", "position"),
    "records": ("game", "number"),
    "histories": ("game",),
    "acts": ("game", "number"),
    "interactions": ("run", "id"),
    "shown": ("game", "kind", "key", "user"),
    "jobs": ("game", "name"),
    "orders": ("game", "user"),
    "results": ("game",),
    "people": ("run", "user"),
    "runs": ("run",),
    "reach": ("run", "kind", "number"),
    "servers": ("run", "guild"),
    "overviews": ("run", "guild"),
}
"""Primary keys of the tables that are moved; games come before what refers to them."""
LEFT_BEHIND = ("processes", "shards", "identifies")
"""Tables that aren't moved: their rows are worth nothing without the processes that wrote them."""
