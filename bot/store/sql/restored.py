"""After a backup was restored: people see messages of actions that the database no longer has."""

from __future__ import annotations

from bot.store.sql.values import Statement

SKIPPED = 100
"""How many numbers of games are skipped."""
EPOCH = 1_767_225_600
"""The beginning of 2026, in seconds since the epoch. Versions rise by the seconds since then: so they stay small."""


def repost_statements(now: float) -> list[Statement]:
    """Statements that have all open games shown in new messages, and have channels searched for messages that were
    posted after the backup was made, so that those are put away.

    Versions go on far above any that was posted, so that nothing new is mistaken for a message of that time. For the
    same reason, new games must get numbers above those that were opened then (`SKIPPED`). Channels without an open game
    are searched, too: after the backup a game could have been resumed or opened there.
    """
    ahead = int(now) - EPOCH
    going_on = "(SELECT number FROM games WHERE status IN ('lobby', 'running'))"
    set_due = "due = (SELECT version FROM games WHERE number = game)"
    set_shown = "shown = (SELECT version FROM games WHERE number = game) - 1"
    return [
        ("UPDATE games SET version = version + ? WHERE status IN ('lobby', 'running')", (ahead,)),
        (
            f"UPDATE projections SET {set_shown}, channel = NULL, message = NULL"
            f" WHERE game IN {going_on} AND (what LIKE 'turn:%' OR what LIKE 'ping:%')",
            (),
        ),
        (
            f"UPDATE projections SET {set_due}, {set_shown}"
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
