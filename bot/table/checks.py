"""Checks of when something can be done at a table, and who can do it. Each raises a `RefereeError`."""

from __future__ import annotations

from bot.table.table import ARCHIVED, CANCELLED, LOBBY, OVER, Table
from engine.errors import RefereeError


def check_lobby(table: Table) -> None:
    """Refuse a table that isn't a lobby anymore. Code: "not-lobby"."""
    if table.status != LOBBY:
        raise RefereeError(f"not-lobby/{table.status}")


def check_running(table: Table) -> None:
    """Refuse a table whose game isn't running. Codes: "not-started", "archived", "over"."""
    if table.status in (LOBBY, CANCELLED):
        raise RefereeError("not-started", number=table.number)
    if table.status == ARCHIVED:
        raise RefereeError("archived")
    if table.status == OVER:
        raise RefereeError("over")


def check_member(table: Table, user: int) -> None:
    """Refuse a user who isn't at the table. Code: "not-member"."""
    if table.place_of(user) is None:
        raise RefereeError("not-member")


def check_host(table: Table, user: int, host: int | None = None) -> None:
    """Refuse all but the host; `host`: the user who decides as host now. Codes: "not-member", "not-host"."""
    check_member(table, user)
    host = table.host if host is None else host
    if user != host:
        raise RefereeError("not-host", host=table.member(host).name)
