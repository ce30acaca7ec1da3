"""The values that all of the bot shares: tables with their members, and for whom they wait."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from bot.plaintext import safe_name
from bot.table.options import DECIDE as DECIDE
from bot.table.options import REMIND as REMIND
from bot.table.options import VOTE as VOTE
from bot.table.options import TableOptions
from bot.table.orders import Orders
from bot.table.proposals import Handover, Motion, News, Wish
from bot.table.time import Interval, Stop
from engine.config import Config
from engine.game import Game
from engine.terms import N_

LOBBY, RUNNING = N_("lobby"), N_("running")
ARCHIVED, OVER, CANCELLED = N_("archived"), N_("over"), N_("cancelled")
"""Status of a table. An archived game is one that nobody has moved in for long: it can be taken up again."""

FORGOTTEN = 1 << 62
"""Users from here on stand for people who wanted to be forgotten; Discord's own numbers get there in 2049."""


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody at a table; the place in `Table.members` is the player's number in the order of joining."""

    user: int
    name: str
    """Display name at their latest interaction, as `safe_name` makes it."""
    color: str
    """The colour asked for; otherwise the one that falls to them (which may still change in the lobby)."""
    asked: bool
    """Whether they asked for that colour."""
    phrase: str
    """Their own words for the game's chance; empty: none."""
    interaction: str
    """Id of the interaction by which they joined: part of the game's chance; a computer adds nothing to that."""
    level: str = ""
    """Level of the computer that plays here (`players.LEVELS`), perhaps in somebody's stead; empty: none does."""

    @property
    def is_person(self) -> bool:
        """Whether this is a user of Discord; a computer has a negative number."""
        return self.user > 0


@dataclass(frozen=True, slots=True)
class Deadline:
    """Until when a decision may be made; then the referee ends it."""

    serial: int
    """Number of the decision (`engine.actions.Expire`)."""
    at: float
    """Seconds since the epoch."""


LOOK = "waiting"
"""Name of the job of looking after a game: of ending what time is over for, and of reminding those who are awaited."""


@dataclass(frozen=True, slots=True)
class Wait:
    """Since when the game, or somebody's offer, has waited for a seat, without anything that it did. Times are seconds
    since the epoch."""

    seat: int
    serial: int
    """Number of the decision that it waits for; of an offer, its id."""
    since: float
    until: float | None = None
    """When the time for it is over, as `bot.table.waiting.timed` works it out; None: there is no limit."""
    offer: bool = False
    """Whether it is an answer to an offer."""
    over: bool = False
    """Whether the time was over and all know it."""
    reminded: int = 0
    """How many reminders were given."""
    pinged: float = 0.0
    """When the latest of them was given in the channel; 0: it wasn't."""
    more: int = 0
    """How many other games it spoke of."""
    again: bool = False
    """Whether it goes on after a pause."""
    written: float = 0.0
    """When the latest reminder was given by direct message; 0: it wasn't."""

    @property
    def asks(self) -> tuple[int, int, bool]:
        """What somebody is asked, as often as they may be."""
        return self.seat, self.serial, self.offer

    def same(self, other: Wait) -> bool:
        """Whether it is the same, since the same moment."""
        return (self.asks, self.since) == (other.asks, other.since)


@dataclass(frozen=True, slots=True)
class Job:
    """What has to be done with a game at a time."""

    game: int
    name: str
    """What it is; there is one of a name in a game."""
    at: float
    """Seconds since the epoch."""
    times: int = 0
    """How often it was set anew, as the store counts it."""


@dataclass(frozen=True, slots=True)
class Late:
    """Somebody has let their time run out and not acted since."""

    user: int
    times: int
    turn: int
    """The latest turn in which it happened."""


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
    deadline: Deadline | None = None
    """Of the present decision, where it has one (L8), as `bot.table.waiting.timed` works it out."""
    waits: tuple[Wait, ...] = ()
    """Of the seats that all see the game wait for."""
    ended_by: int | None = None
    """User who cancelled the lobby or called the game off because they manage the channel."""
    warned: float | None = None
    """When it was decided to warn that the table will be put away, in seconds since the epoch; a later change of the
    table makes it void."""
    options: TableOptions = field(default_factory=TableOptions)
    orders: tuple[Orders, ...] = field(default=(), repr=False)
    """What people have ordered in the game, each their secret."""
    invited: tuple[int, ...] = ()
    """Users who are asked to join: those of the game before."""

    coached: tuple[str, ...] | None = None
    """Tips that a first game has given; None: it gives none."""
    lesson: bool = False
    """Whether it began as a first game with tips."""

    on_leave: tuple[tuple[int, float], ...] = ()
    """How many seconds of vacation have stopped somebody's clock, of what the game doesn't wait for any more."""

    missed: tuple[Late, ...] = ()

    stops: tuple[Stop, ...] = ()
    """When time stood still, or will, as far as it matters to what the game waits for."""
    set_back: int = 0
    """How often the clock had been set back when these times were noted (`Table.downtime`)."""
    window: tuple[int, float] | None = None
    """The decision that has a limit of its own (J2, L8), by its number, and since when."""
    paused: float = 0.0
    """Since when all have agreed not to play, in seconds since the epoch; 0: they play."""

    motions: tuple[Motion, ...] = ()
    """What is proposed; at most one of a kind."""
    proposed: int = 0
    """How many proposals were made that others were asked about: the number of the latest."""

    handovers: tuple[Handover, ...] = ()
    gone: tuple[int, ...] = ()
    """Users who were found to have left the server, and have done nothing since."""

    news: tuple[News, ...] = ()
    """What of it `bot.table.news` keeps, in order."""

    manager: str = ""
    """Name then of who cancelled the lobby or called the game off because they manage the channel."""

    wishes: tuple[Wish, ...] = ()
    """What people look for, one of each at most; `bot.service.wishes` says which of them still hold."""

    acted: tuple[tuple[int, int, float], ...] = ()
    """When users acted last; `bot.service.visits` says what of it."""

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
