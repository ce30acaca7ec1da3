"""The values that all of the bot shares: tables with their members, and for whom they wait."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from bot.plaintext import safe_name
from bot.table.member import Handover, Member
from bot.table.motion import Motion
from bot.table.news import News
from bot.table.options import TableOptions
from bot.table.orders import Orders
from bot.table.time import Interval, Stop
from bot.table.wait import Deadline, Late, Wait
from bot.table.wish import Wish
from engine.config import Config
from engine.game import Game
from engine.terms import N_

LOBBY, CANCELLED = "lobby", "cancelled"
RUNNING, ARCHIVED, OVER = N_("running"), N_("archived"), N_("over")
"""Status of a table. An archived game is one that nobody has moved in for long: it can be taken up again."""


@dataclass(frozen=True, slots=True)
class Table:
    """A game from lobby to end, without its secrets: the seed stays in the store."""

    number: int
    guild: int | None
    channel: int
    """Channel or thread."""
    status: str
    host: int
    """User who decides on options, start and cancelling."""
    anyone_starts: bool
    """Whether everybody at the table may start the game."""
    config: Config
    """With the members' colours, in the order of joining."""
    members: tuple[Member, ...]
    commitment: str
    """Hex; fixed when the table is opened, before anything is drawn."""
    entropy: tuple[str, ...]
    """What the players added to the chance; empty until the start."""
    version: int
    """Grows by one with each stored change: in the lobby, and by each record. Projections refer to it."""
    created: float
    updated: float
    """Seconds since the epoch."""
    options: TableOptions = field(default_factory=TableOptions)

    # --- who comes and goes

    invited: tuple[int, ...] = ()
    """Users who are asked to join: those of the game before."""
    handovers: tuple[Handover, ...] = ()
    """Seats that are offered."""
    gone: tuple[int, ...] = ()
    """Users who were found to have left the server, and have done nothing since."""
    ended_by: int | None = None
    """User who cancelled the lobby or called the game off because they manage the channel."""
    manager: str = ""
    """Their name then."""

    # --- time, in seconds since the epoch (`bot.table.waiting`)

    waits: tuple[Wait, ...] = ()
    """Of the seats that all see the game wait for."""
    deadline: Deadline | None = None
    """Of the present decision, where it has one (L8), as `bot.table.waiting.timed` works it out."""
    window: tuple[int, float] | None = None
    """The decision that has a limit of its own (J2, L8), by its number, and since when."""
    paused: float = 0.0
    """Since when all have agreed not to play; 0: they play."""
    stops: tuple[Stop, ...] = ()
    """When time stood still, or will, as far as it matters to what the game waits for."""
    on_leave: tuple[tuple[int, float], ...] = ()
    """How many seconds of vacation have stopped somebody's clock, of what the game doesn't wait for any more."""
    missed: tuple[Late, ...] = ()
    """Who has let their time run out."""
    set_back: int = 0
    """How often the clock had been set back when these times were noted (`downtime`)."""
    warned: float | None = None
    """When it was decided to warn that the table will be put away; a later change of the table makes it void."""

    # --- what people want of each other, and of the bot

    motions: tuple[Motion, ...] = ()
    """What is proposed; at most one of a kind."""
    proposed: int = 0
    """How many proposals were made that others were asked about: the number of the latest."""
    wishes: tuple[Wish, ...] = ()
    """What people look for, one of each at most; `bot.table.wishes` says which of them still hold."""
    orders: tuple[Orders, ...] = field(default=(), repr=False)
    """What people have ordered in the game, each their secret."""

    # --- what was

    news: tuple[News, ...] = ()
    """What of it `bot.table.reporting` keeps, in order."""
    acted: tuple[tuple[int, int, float], ...] = ()
    """When users acted last; `bot.table.last_seen` says what of it."""
    coached: tuple[str, ...] | None = None
    """Tips that a first game has given; None: it gives none."""
    lesson: bool = False
    """Whether it began as a first game with tips."""

    # --- as the store knows it

    downtime: tuple[Interval, ...] = field(default=(), compare=False)
    """When the bot was away of late, and no time ran at any table; one that ends before it begins is a clock that was
    set back by so much."""
    changes: int = field(default=0, compare=False)
    """How many changes of it and its game were stored, whatever they were: by it a process knows that another was
    faster. Nobody is shown it, since it counts secrets, too."""
    records: int = field(default=0, compare=False)
    """How many its game has."""
    logged: bool = field(default=False, compare=False)
    """Whether its log (`bot.table.log`) goes on to how it is; not where an earlier version has changed it."""

    @property
    def users(self) -> tuple[int, ...]:
        """Users at the table in the order of joining."""
        return tuple(member.user for member in self.members)

    @property
    def open(self) -> bool:
        """Whether the table takes its channel: a lobby or a running game."""
        return self.status in (LOBBY, RUNNING)

    @property
    def people(self) -> tuple[int, ...]:
        """Those of them that are no computers."""
        return tuple(member.user for member in self.members if member.is_person)

    def place_of(self, user: int) -> int | None:
        """The user's number in the order of joining, None when not at the table."""
        return self.users.index(user) if user in self.users else None

    def member(self, user: int) -> Member:
        """Somebody at the table."""
        return next(member for member in self.members if member.user == user)

    def renamed(self, user: int, name: str) -> Table:
        """With another display name of somebody."""
        name = safe_name(name)
        members = (replace(m, name=name) if m.user == user else m for m in self.members)
        return replace(self, members=tuple(members))

    def orders_of(self, user: int) -> Orders:
        """Somebody's orders, which are their secret."""
        return next((orders for orders in self.orders if orders.user == user), Orders(user))

    def ordered(self, orders: Orders) -> Table:
        """With these orders of theirs."""
        others = (other for other in self.orders if other.user != orders.user)
        return replace(self, orders=(*others, *([orders] if orders != Orders(orders.user) else [])))

    def seat_of(self, game: Game, user: int) -> int | None:
        """The user's seat in the table's game (seats may have been shuffled, C1), None when not playing."""
        player = self.place_of(user)
        return None if player is None else game.state.order.index(player)

    def member_at(self, game: Game, seat: int) -> Member:
        """Who sits in a seat of the table's game."""
        return self.members[game.state.order[seat]]

    def seat_at(self, game: Game, place: int) -> int:
        """The seat in the table's game of who has a place in `members`."""
        return game.state.order.index(place)

    def host_in(self, game: Game) -> int:
        """User who decides as host of the table's game: the host, or the first in the order of joining who plays, where
        the host has resigned or a computer plays for them."""
        order, gone = game.state.order, game.state.resigned
        seated = enumerate(self.members)
        playing = [m.user for n, m in seated if m.is_person and not m.level and not gone >> order.index(n) & 1]
        return self.host if self.host in playing or not playing else playing[0]

    def user_at(self, game: Game, seat: int) -> int:
        """The user in a seat of the table's game."""
        return self.member_at(game, seat).user
