"""What those who manage a server have chosen for it: who opens tables, where and how many, and where all are listed."""

from __future__ import annotations

from dataclasses import dataclass

EVERYBODY, MANAGERS, ROLE = "everybody", "managers", "role"
"""Who can open tables."""
PAUSE = 60
"""Default seconds between two tables that the same person opens, even if the first was canceled."""


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """What was chosen for a server. All settings have a default."""

    openers: str = EVERYBODY
    """Who can open tables, in addition to people who manage the server."""
    role: int = 0
    """Id of the role whose members can open tables, if `openers` is `ROLE`."""
    channels: tuple[int, ...] = ()
    """Where tables can be opened, including threads of these channels; empty: anywhere."""
    forum: int = 0
    """The forum in which a table with a thread of its own gets a post; 0: none."""
    most_by_person: int = 0
    """Most open tables that one person can host at a time; 0: no limit."""
    most: int = 0
    """Most open tables at a time; 0: no limit."""
    pause: int = PAUSE
    """Seconds between two tables that the same person opens; 0: none."""
    computers: bool = True
    """Whether bots can join tables."""


@dataclass(frozen=True, slots=True)
class Overview:
    """A server's message that lists its open games."""

    channel: int
    message: int
    edited: float
    """When it was last posted or edited, in seconds since the epoch."""
    shows: str = ""
    """Digests of the versions of its games, and of its content; empty: unknown."""
