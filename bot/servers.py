"""What those who manage a server have chosen for it: who opens tables, where and how many, and where all are listed."""

from __future__ import annotations

from dataclasses import dataclass

EVERYBODY, MANAGERS, ROLE = "everybody", "managers", "role"
"""Who may open tables."""
PAUSE = 60
"""Seconds between two tables that the same person opens, as long as both are open, where nobody has chosen."""


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """What was chosen for a server; all have a default."""

    openers: str = EVERYBODY
    """Who may open tables beside those who manage the server."""
    role: int = 0
    """Id of whose role may, where it is a role."""
    channels: tuple[int, ...] = ()
    """Where tables may be opened, threads of these channels included; empty: anywhere."""
    forum: int = 0
    """The forum in which a table that gets a thread of its own gets a post; 0: none."""
    most_by_person: int = 0
    """Open tables that one person may host at a time; 0: any number."""
    most: int = 0
    """Open tables at a time; 0: any number."""
    pause: int = PAUSE
    """Seconds between two tables that the same person opens; 0: none."""
    computers: bool = True
    """Whether computer players may sit down."""


@dataclass(frozen=True, slots=True)
class Overview:
    """The message of a server that lists its open games."""

    channel: int
    message: int
    edited: float
    """When it was last posted or edited, in seconds since the epoch."""
    shows: str = ""
    """Digests of the versions of its games, and of what it says; empty: nobody knows."""
