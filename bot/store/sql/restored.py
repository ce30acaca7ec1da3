"""After a backup was restored: people see messages of actions that the database no longer has."""

from __future__ import annotations

from bot.projections import Kind, State
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
    set_due = "due = (SELECT games.version FROM games WHERE number = game)"
    set_shown = "version = (SELECT games.version FROM games WHERE number = game) - 1"
    return [
        ("UPDATE games SET version = version + ? WHERE status IN ('lobby', 'running')", (ahead,)),
        (
            f"UPDATE shown SET {set_shown}, state = '{State.POSTING}', channel = NULL, message = NULL"
            f" WHERE game IN {going_on} AND kind IN ('{Kind.TURN}', '{Kind.PING}')",
            (),
        ),
        (
            f"UPDATE shown SET {set_due}, {set_shown}"
            f" WHERE game IN {going_on} AND kind IN ('{Kind.PANEL}', '{Kind.HAND}')",
            (),
        ),
        (
            'INSERT INTO shown (game, kind, key, "user", state, due, version)'
            f" SELECT number, '{Kind.SEARCH}', '', 0, '{State.WANTED}', version, version - 1 FROM games"
            " WHERE status IN ('lobby', 'running')"
            " OR number IN (SELECT max(number) FROM games GROUP BY run, channel)"
            ' ON CONFLICT (game, kind, key, "user") DO UPDATE SET due = excluded.due, version = excluded.version',
            (),
        ),
    ]
