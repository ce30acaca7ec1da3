"""What a thousand to a million games cost on paper, calculated from what an action and a game cost."""

from __future__ import annotations

from typing import Any

ACTIONS = 350
"""Actions of a game."""
DAYS = 10.0
"""Days that a game takes if people play a few turns a day."""
PEAK = 3.0
"""Load of the busiest hour, as a multiple of the mean."""
GAMES_A_SERVER = 3
SERVERS_A_SHARD = 1000
"""What Discord recommends; it refuses more than 2,500."""
LIMIT = 50
"""Requests a second that Discord allows a bot."""
SIZES = (1_000, 10_000, 100_000, 1_000_000)
HEAD = ["running games", *(f"{games:,}" for games in SIZES)]


def rows(results: dict[str, Any]) -> list[list[str]]:
    """Rows of the table. Measured figures are those of the last run, which has the most processes."""
    run = results["runs"][-1]["steady"]
    used, requests = run["processor ms an action"], run["counted requests an action"]
    finished = [size for kind, size in results.get("packed", {}).items() if kind == "postgresql"]
    peak = [games * ACTIONS / DAYS / 86_400 * PEAK for games in SIZES]
    ended = [games / DAYS * 365 for games in SIZES]
    return [
        ["actions/s in the busiest hour", *(_number(rate) for rate in peak)],
        [
            f"requests/s that count, at {requests:g} an action (Discord: {LIMIT})",
            *(_number(r * requests) for r in peak),
        ],
        [f"the same at 1.0 an action (Discord: {LIMIT})", *(_number(rate) for rate in peak)],
        [f"cores for Harbormaster, at {used['bots']:g} ms", *(_number(rate * used["bots"] / 1000) for rate in peak)],
        [
            f"cores for the database, at {used.get('database', 0):g} ms",
            *(_number(rate * used.get("database", 0) / 1000) for rate in peak),
        ],
        ["finished games a year", *(f"{count:,.0f}" for count in ended)],
        *([f"GB a year, at {size / 1000:.1f} kB", *(_number(n * size / 1e9) for n in ended)] for size in finished),
        ["shards", *(_number(-(-games // GAMES_A_SERVER // SERVERS_A_SHARD) or 1) for games in SIZES)],
    ]


def _number(value: float) -> str:
    if value >= 1e6:
        return f"{value / 1e6:,.0f} million"
    return f"{value:,.0f}" if value >= 100 else f"{value:.2g}"
