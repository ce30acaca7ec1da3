"""What those who manage a server have chosen for it: who opens tables, where and how many, and where all are listed."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from bot.table.beginning import Beginning
from bot.table.option import Choice, Ids, Option, number, options_of, switch
from bot.table.options import HIDDEN, LIVE, ONCE_OVER
from engine.terms import N_, NN_

EVERYBODY, MANAGERS, ROLE = "everybody", "managers", "role"
"""Who can open tables."""
NUMBERS = (0, 1, 2, 3, 5, 10, 20)
"""Numbers of tables to choose from; 0: any number."""
PAUSE = 60
"""Default seconds between two tables that the same person opens, even if the first was canceled."""


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """What was chosen for a server. All settings have a default. The page shows them in this order."""

    openers: str = Option(
        N_("Only people with a role can open tables"),
        (
            Choice(EVERYBODY, N_("Everyone can open tables"), line=N_("Who can open tables: **everyone**")),
            Choice(
                MANAGERS,
                N_("Only server managers can open tables"),
                line=N_("Who can open tables: **server managers**"),
            ),
        ),
    ).by_default(EVERYBODY)
    """Who can open tables, in addition to people who manage the server; `ROLE` is chosen by choosing one."""
    role: int = Ids(
        N_("Or: only people with this role"),
        line=N_("Who can open tables: **people with the role** {value}"),
        gone=N_("Who can open tables: only server managers, as **the chosen role was deleted**"),
        kind="role",
    ).by_default(0)
    """Id of the role whose members can open tables, if `openers` is `ROLE`."""
    channels: tuple[int, ...] = Ids(
        N_("Where: in any channel"),
        line=N_("Where: {value} and threads there"),
        none=N_("Where: **in any channel**"),
        gone=N_("Where: nowhere, as **the chosen channels were deleted**"),
        most=10,
    ).by_default(())
    """Where tables can be opened, including threads of these channels; empty: anywhere."""
    forum: int = Ids(
        N_("Forum for game threads: none"),
        line=N_("Game threads: posts in {value}"),
        none=N_("Game threads: **in the table's channel**"),
        gone=N_("Game threads: none, as **the chosen forum was deleted**"),
        kind="forum",
    ).by_default(0)
    """The forum in which a table with a thread of its own gets a post; 0: none."""
    called: int = Ids(
        N_("Role that new tables mention: none"),
        line=N_("New tables mention the role {value}, at most once an hour"),
        none=N_("New tables mention **no role**"),
        gone=N_("New tables mention no role, as **the chosen role was deleted**"),
        kind="role",
    ).by_default(0)
    """Id of the role that is mentioned when a table opens; 0: none."""
    most_by_person: int = number(
        N_("Open tables per person"),
        NUMBERS,
        NN_("At most {n} open table per person", "At most {n} open tables per person"),
        zero=N_("Any number of open tables per person"),
        none=N_("Open tables per person: **any number**"),
        line=N_("Open tables per person: **at most {n}**"),
    ).by_default(0)
    """Most open tables that one person can host at a time; 0: no limit."""
    most: int = number(
        N_("Open tables on this server"),
        NUMBERS,
        NN_("At most {n} open table on this server", "At most {n} open tables on this server"),
        zero=N_("Any number of open tables on this server"),
        none=N_("Open tables on this server: **any number**"),
        line=N_("Open tables on this server: **at most {n}**"),
    ).by_default(0)
    """Most open tables at a time; 0: no limit."""
    pause: int = number(
        N_("Wait between new tables of one person"),
        (0, 60, 300, 900, 3600),
        N_("Wait between new tables: {time}"),
        zero=N_("No wait between new tables"),
        none=N_("Wait between new tables of one person: **none**"),
        line=N_("Wait between new tables of one person: **{time}**"),
    ).by_default(PAUSE)
    """Seconds between two tables that the same person opens; 0: none."""
    computers: bool = switch(
        N_("Bots allowed"), N_("Bots: **allowed**"), N_("Bots: **not allowed**"), emoji="🤖"
    ).by_default(True)
    """Whether bots can join tables."""
    web: str = Option(
        N_("Games on the web"),
        (
            Choice(HIDDEN, N_("No games on the web"), line=N_("Games on the web: **never**")),
            Choice(
                ONCE_OVER,
                N_("Games on the web when they are over"),
                N_("Anyone who has or guesses the address can see them"),
                line=N_("Games on the web: **when they are over**, unless their host wants otherwise"),
            ),
            Choice(
                LIVE,
                N_("Games on the web also while they run"),
                N_("Only those whose host wants it, too"),
                line=N_("Games on the web: **also while they run**, if their host wants it, too"),
            ),
        ),
    ).by_default(ONCE_OVER)
    """Which games anyone can see in a browser where the host serves pages, as far as their tables want it
    (`bot.table.options.stricter`)."""
    begins: Beginning = field(default_factory=Beginning)
    """How new tables begin; it has a page of its own."""


SERVER = options_of(ServerSettings)


@dataclass(frozen=True, slots=True)
class Overview:
    """A server's message that lists its open games."""

    channel: int
    message: int
    """0: none yet, the first is being posted."""
    edited: float
    """When it was last posted or edited, in seconds since the epoch."""
    shows: str = ""
    """Digests of the versions of its games, and of its content; empty: unknown."""
    perhaps_in: tuple[int, ...] = ()
    """Channels in which another message was perhaps posted, but isn't known; it belongs into the last one."""

    def posting(self, channel: int, now: float) -> Overview:
        """The same, while another message is being posted in a channel."""
        where = (*(place for place in self.perhaps_in if place != channel), channel)
        return replace(self, edited=now, shows="", perhaps_in=where)
