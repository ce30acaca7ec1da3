"""Tables, the value that all of `bot/` shares: a game with its members, options, times and news."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from bot.plaintext import safe_name
from bot.table.member import FORGOTTEN, Absence, Handover, Member
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
"""Status of a table. A game is archived if no one has moved for long; it can be resumed."""


@dataclass(frozen=True, slots=True)
class Table:
    """A game from lobby to end, without its secrets: the seed stays in the store."""

    number: int
    guild: int | None
    channel: int
    """Channel or thread."""
    status: str
    host: int
    """User who decides on options, start and cancellation."""
    anyone_starts: bool
    """Whether anyone at the table can start the game."""
    config: Config
    """With the members' colors, in order of joining."""
    members: tuple[Member, ...]
    commitment: str
    """In hex; fixed when the table is opened, before anything is drawn."""
    entropy: tuple[str, ...]
    """What the players added to the chance; empty until the start."""
    version: int
    """Grows by one with each stored change that anyone can notice. Projections refer to it."""
    created: float
    updated: float
    """Seconds since the epoch."""
    options: TableOptions = field(default_factory=TableOptions)

    # --- who comes and goes

    invited: tuple[int, ...] = ()
    """Users who are asked to join: those of the game before."""
    handovers: tuple[Handover, ...] = ()
    """Seats that are offered."""
    absences: tuple[Absence, ...] = ()
    """People for whom bots play."""
    gone: tuple[int, ...] = ()
    """Users who were seen to have left the server, and have done nothing since."""
    ended_by: int | None = None
    """User who, as manager of the channel, canceled the lobby or voided the game."""
    manager: str = ""
    """That user's name at the time."""

    # --- time, in seconds since the epoch (`bot.table.waiting`)

    waits: tuple[Wait, ...] = ()
    """Of the seats that all see the game wait for."""
    deadline: Deadline | None = None
    """Of the present decision, if it has its own time limit (J2, L8), as `bot.table.waiting.timed` calculates it."""
    earlier: tuple[Wait, ...] = ()
    """Decisions of this turn and the one before, and windows, which can come back by an undo."""
    window: tuple[int, float] | None = None
    """Number of the decision that has its own time limit (J2, L8), and since when."""
    paused: float = 0.0
    """Since when the game is paused; 0: it isn't."""
    archived: float = 0.0
    """When the game was archived, if it is."""
    stops: tuple[Stop, ...] = ()
    """When time stood still, or will, as far as it matters to the present waits."""
    on_leave: tuple[tuple[int, float], ...] = ()
    """Users, with the seconds of vacation for which their time stood still in waits that are over."""
    missed: tuple[Late, ...] = ()
    """Players who have let their time run out, and not acted since."""
    set_back: int = 0
    """How often the clock had been set back when these times were stored (`downtime`)."""
    warned: float | None = None
    """When it was decided to warn that the table will be put away. A later change of the table makes it void."""

    # --- what people want from each other, and from Harbormaster

    motions: tuple[Motion, ...] = ()
    """What is proposed; at most one for each `Motion.about`."""
    proposed: int = 0
    """How many proposals were made that others were asked about, which is the number of the latest."""
    wishes: tuple[Wish, ...] = ()
    """What players are looking for, at most one request each; `bot.table.wishes` says which of them still hold."""
    orders: tuple[Orders, ...] = field(default=(), repr=False)
    """What players have ordered in the game, each their secret."""

    # --- what has happened

    news: tuple[News, ...] = ()
    """The news that `bot.table.reporting` keeps, in order."""
    acted: tuple[tuple[int, int, float], ...] = ()
    """By user, the revision of the views after their own last action (0: none), and when their seat last acted
    (`bot.table.last_seen`)."""
    coached: tuple[str, ...] | None = None
    """Tips that a first game has given; None: it gives none."""
    lesson: bool = False
    """Whether it began as a first game with tips."""

    # --- as the store knows it

    downtime: tuple[Interval, ...] = field(default=(), compare=False)
    """When Harbormaster was recently away, and no time ran at any table. An interval that ends before it begins is a
    clock that was set back by that much."""
    changes: int = field(default=0, compare=False)
    """How many changes of the table and its game were stored, of any sort. A process sees from it that another one was
    faster. It is shown to no one, since it counts secret changes, too."""

    @property
    def users(self) -> tuple[int, ...]:
        """Users at the table, in order of joining."""
        return tuple(member.user for member in self.members)

    @property
    def open(self) -> bool:
        """Whether the table takes its channel: a lobby or a running game."""
        return self.status in (LOBBY, RUNNING)

    @property
    def people(self) -> tuple[int, ...]:
        """Users at the table who aren't bots, in order of joining."""
        return tuple(member.user for member in self.members if member.is_person)

    def place_of(self, user: int) -> int | None:
        """The user's place, in order of joining; None: not at the table."""
        return self.users.index(user) if user in self.users else None

    def member(self, user: int) -> Member:
        """The member with this user number."""
        return next(member for member in self.members if member.user == user)

    def renamed(self, user: int, name: str) -> Table:
        """The table with another display name for a user."""
        name = safe_name(name)
        members = (replace(m, name=name) if m.user == user else m for m in self.members)
        return replace(self, members=tuple(members))

    def orders_of(self, user: int) -> Orders:
        """A user's orders, which are their secret."""
        return next((orders for orders in self.orders if orders.user == user), Orders(user))

    def ordered(self, orders: Orders) -> Table:
        """The table with these orders in place of their user's earlier ones."""
        others = (other for other in self.orders if other.user != orders.user)
        return replace(self, orders=(*others, *([orders] if orders != Orders(orders.user) else [])))

    def seat_of(self, game: Game, user: int) -> int | None:
        """The user's seat in the table's game (seats may have been shuffled, C1); None: not at the table."""
        player = self.place_of(user)
        return None if player is None else game.state.order.index(player)

    def member_at(self, game: Game, seat: int) -> Member:
        """The member in a seat of the table's game."""
        return self.members[game.state.order[seat]]

    def seat_at(self, game: Game, place: int) -> int:
        """The seat in the table's game of the member at a place."""
        return game.state.order.index(place)

    def has_say(self, member: Member) -> bool:
        """Whether a member who hasn't resigned takes part in what the table decides: a person who plays, or for whom a
        bot has played for less than days (I6)."""
        away = member.user >= FORGOTTEN or any(one.user == member.user and one.over for one in self.absences)
        return member.is_person and not (member.level and away)

    def host_in(self, game: Game) -> int:
        """User who decides as host of the table's game. If the host has resigned or has no say anymore, it is the first
        person in order of joining who plays."""
        order, resigned = game.state.order, game.state.resigned
        people = [m for n, m in enumerate(self.members) if m.is_person and not resigned >> order.index(n) & 1]
        playing = [member.user for member in people if not member.level]
        stays = any(member.user == self.host and self.has_say(member) for member in people)
        return self.host if stays or not playing else playing[0]

    def user_at(self, game: Game, seat: int) -> int:
        """The user in a seat of the table's game."""
        return self.member_at(game, seat).user
