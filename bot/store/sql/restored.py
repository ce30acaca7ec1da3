"""After a backup was put back: what people see is of a time that never was."""

from __future__ import annotations

from bot.store.sql.values import Statement

SKIPPED = 100
"""Numbers of games that are left out."""
EPOCH = 1_767_225_600
"""2026 began then, in seconds since the epoch: versions have to stay small."""


def shown_anew(now: float) -> list[Statement]:
    """Have all games that go on shown by new messages, and what was posted since looked for and put away.

    Their versions begin far above what was ever posted, so that nothing new is taken for a message of that time; and
    new games get numbers above those (`SKIPPED`) that were opened then. The channel of a game that doesn't go on is
    looked through, too: it may have been taken up again since, or another one opened there.
    """
    ahead = int(now) - EPOCH
    going_on = "(SELECT number FROM games WHERE status IN ('lobby', 'running'))"
    anew = "due = (SELECT version FROM games WHERE number = game)"
    before = "shown = (SELECT version FROM games WHERE number = game) - 1"
    return [
        ("UPDATE games SET version = version + ? WHERE status IN ('lobby', 'running')", (ahead,)),
        (
            f"UPDATE projections SET {before}, channel = NULL, message = NULL"
            f" WHERE game IN {going_on} AND (what LIKE 'turn:%' OR what LIKE 'ping:%')",
            (),
        ),
        (
            f"UPDATE projections SET {anew}, {before}"
            f" WHERE game IN {going_on} AND (what = 'panel' OR what LIKE 'hand:%')",
            (),
        ),
        (
            "INSERT INTO projections (game, what, due, shown) SELECT number, 'search', version, version - 1 FROM games"
            " WHERE status IN ('lobby', 'running')"
            " OR number IN (SELECT max(number) FROM games GROUP BY run, channel)"
            " ON CONFLICT (game, what) DO UPDATE SET due = excluded.due, shown = excluded.shown",
            (),
        ),
    ]
