"""Tables, the value that all of `bot/` shares: a game with its members, options, times and news; and when time stands
still at a table, for all in pauses and downtime, for people on vacation.

News is kept here: people who weren't there can read it, and some of it affects what is possible later. The settings of
the people at a table are passed along with it (`People`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import inf

from bot import languages
from bot.plaintext import safe_name
from bot.table.options import DAY, TableOptions
from bot.table.orders import Orders
from bot.table.parts import FORGOTTEN, RESUME, SEATED, Absence, Barred, Guest, Handover, Member, Motion, News, Wish
from bot.table.preferences import USUAL, UserSettings
from bot.table.time import Deadline, Interval, Late, Stop, Wait, by_later_clock, end_of, first, setbacks, without
from engine.actions import SetStanding
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
    fixed: tuple[str, ...] = ()
    """Names of the options that only managers change, as their server had chosen when the table was opened."""

    # --- who comes and goes

    invited: tuple[Guest, ...] = ()
    """People who aren't at the table, and for whom seats are kept until the start."""
    called: tuple[int, ...] = ()
    """Users for whom a seat was kept before, until the start: they know of the table, and aren't called again."""
    said_no: tuple[int, ...] = ()
    """Those of them who declined it, and for whom none can be kept again."""
    barred: tuple[Barred, ...] = field(default=(), repr=False)
    """People who were taken off the table, which is secret."""
    rematch_of: int = 0
    """Number of the game that it is a rematch of; 0: none."""
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
    """What players are looking for, at most one wish each; `bot.table.acts.wishes` says which of them still hold."""
    orders: tuple[Orders, ...] = field(default=(), repr=False)
    """What players have ordered in the game, each their secret."""

    # --- what has happened

    news: tuple[News, ...] = ()
    """The news that `bot.table.table` keeps, in order."""
    acted: tuple[tuple[int, int, float], ...] = ()
    """By user, the revision of the views after their own last action (0: none), and when their seat last acted
    (`bot.table.reminders`)."""
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
    def language(self) -> languages.Language:
        """The language of what everyone at the table reads."""
        return languages.language(self.options.language)

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

    def is_invited(self, user: int) -> bool:
        """Whether a seat is kept for a user."""
        return any(guest.user == user for guest in self.invited)

    def member(self, user: int) -> Member:
        """The member with this user number."""
        return next(member for member in self.members if member.user == user)

    def renamed(self, user: int, name: str) -> Table:
        """The table with another display name for a member."""
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


# --- news

MOST_NEWS = 50
"""How much news is kept in addition to what is needed later. There is a limit, as each action writes the table."""
REFUSAL_LASTS = DAY
"""Seconds for which it counts that a person declined a seat, or was refused one."""


def with_news(table: Table, game: Game, told: News, now: float) -> Table:
    """The table with news of what has just happened."""
    told = replace(told, made=table.version, turn=game.turn, revision=game.public_revision)
    told = replace(told, recorded=game.revision, at=now)
    news = (*table.news, told)
    kept = (
        item for item in news[:-MOST_NEWS] if item.what == SEATED or (item.is_answer and now < item.at + REFUSAL_LASTS)
    )
    return replace(table, news=(*kept, *news[-MOST_NEWS:]))


def seatings(table: Table, place: int | None = None) -> list[News]:
    """News of who took over which seat from whom, in order; `place`: only of the seat at that place."""
    return [item for item in table.news if item.what == SEATED and place in (None, item.place)]


def said_no_recently(table: Table, user: int, what: str, now: float) -> bool:
    """Whether a user declined a seat (`DECLINED`), or the players refused them one (`SUBSTITUTE`), less than a day ago,
    and the user has had no seat since."""
    for item in reversed(table.news):
        if (item.what, item.user) == (SEATED, user):
            return False
        if (item.what, item.about) == (what, user):
            return now < item.at + REFUSAL_LASTS
    return False


# --- settings of the people at it


@dataclass(frozen=True, slots=True)
class People:
    """Settings by user. A user who is missing has chosen nothing."""

    settings: Mapping[int, UserSettings] = field(default_factory=dict)

    def of(self, user: int) -> UserSettings:
        """A user's settings."""
        return self.settings.get(user) or UserSettings(user)

    def vacation(self, user: int) -> tuple[float, float] | None:
        """Begin and end of a user's vacation, in seconds since the epoch; None: they have none."""
        return self.of(user).choices.vacation

    def called_from(self, table: Table, game: Game, seat: int) -> int:
        """Cards from which a seat is called in the special building phase (J2); 0: never.

        A bot has the game's own number. People have chosen theirs in their settings or, for this game, by an order to
        pass unless they can get something.
        """
        member = table.member_at(game, seat)
        if member.level:
            return game.rules.data.standing
        settings = self.of(member.user)
        if table.orders_of(member.user).building:
            return settings.standing or USUAL
        return settings.called_from


def tell_standing(table: Table, game: Game, people: People, seat: int) -> None:
    """Tell a copy of a game a seat's standing number, if the game goes on and has such numbers. No one else notices."""
    if game.outcome is not None or not game.rules.data.special_building or game.state.resigned >> seat & 1:
        return
    standing = people.called_from(table, game, seat)
    if game.state.standing[seat] != standing:
        game.play(seat, SetStanding(standing))


# --- when time stands still


def stopped(table: Table, begin: float, end: float) -> Table:
    """The table with no time running between two moments."""
    return replace(table, stops=(*table.stops, Stop(begin, end)))


def shared_stops(table: Table, since: float) -> list[Interval]:
    """When the time of all has stood still since a moment."""
    downtime = (absence for absence in table.downtime if absence[0] < absence[1])
    stops = ((stop.begin, stop.end) for stop in table.stops if not stop.user)
    return [interval for interval in (*downtime, *stops) if interval[1] > since]


def leave_of(table: Table, user: int, since: float) -> list[Interval]:
    """When a user's time has stood still for vacation since a moment, up to the table's limit."""
    away = [(max(stop.begin, since), stop.end) for stop in table.stops if stop.user == user]
    return first(without(away, shared_stops(table, since)), leave_allowed(table, user)) if away else []


def leave_allowed(table: Table, user: int) -> float:
    """For how many seconds vacation can stop a user's time, without what was used in waits that are over."""
    return max(table.options.leave * DAY - dict(table.on_leave).get(user, 0.0), 0.0)


def away_intervals(table: Table, user: int, since: float) -> list[Interval]:
    """When a user's time since a moment doesn't count for what the table decides. In a pause it does once someone wants
    to go on."""
    found = [*shared_stops(table, since), *leave_of(table, user, since)]
    if table.paused:
        wanted = next((motion.at for motion in table.motions if motion.kind == RESUME), inf)
        found.append((table.paused, wanted))
    return found


def away_until(table: Table, absence: Absence, seconds: float) -> float | None:
    """When someone has been away for so many seconds; None: no time runs for them."""
    end = end_of(absence.since, seconds, away_intervals(table, absence.user, absence.since))
    return None if end == inf else end


def began(table: Table, now: float) -> float:
    """Since when it can matter that time stood still."""
    window = [] if table.window is None else [table.window[1]]
    away = [absence.replaced or absence.since for absence in table.absences]
    return min([*(wait.since for wait in table.waits), *away, *window, now])


def with_vacations(table: Table, people: People, now: float) -> Table:
    """The table with the vacations that people have chosen. The past part of a vacation that they have replaced has
    still stopped their time."""
    stops, back = list[Stop](), setbacks(table.downtime)
    for user in (0, *table.people):
        vacation = None if not user else people.vacation(user)
        same = list[Stop]()  # the vacation as it was chosen, and as it has begun by a clock that was set back since
        if vacation is not None and vacation[1] > now:
            begins = (by_later_clock(vacation[0], back[n:]) for n in range(len(back), -1, -1))
            same = [Stop(begin, vacation[1], user) for begin in begins]
        for stop in table.stops:
            if stop.user == user and (not user or stop in same):
                stops.append(stop)
            elif stop.user == user and stop.begin < now:
                stops.append(replace(stop, end=min(stop.end, now)))
        if same and not any(stop in same for stop in stops):
            stops.append(same[0])
    return replace(table, stops=tuple(stops))


def by_present_clock(table: Table) -> Table:
    """The table with its times converted to the present clock, if the clock was set back since. Where tables are read,
    they are; the ends of vacations, which people have chosen by the calendar, stay."""
    back = setbacks(table.downtime)
    if len(back) <= table.set_back:
        return table
    seconds = sum(end - begin for begin, end in back[table.set_back :])

    def moved(at: float) -> float:
        return at + seconds if at else at

    def known(stop: Stop) -> Stop:
        if not stop.user:
            return Stop(moved(stop.begin), moved(stop.end))
        return replace(stop, begin=by_later_clock(stop.begin, back[table.set_back :]))

    waits = (
        replace(w, since=moved(w.since), pinged=moved(w.pinged), written=moved(w.written), shift=w.shift + seconds)
        for w in table.waits
    )
    return replace(
        table,
        waits=tuple(waits),
        earlier=tuple(replace(wait, since=moved(wait.since)) for wait in table.earlier),
        absences=tuple(replace(a, since=moved(a.since), replaced=moved(a.replaced)) for a in table.absences),
        motions=tuple(replace(motion, at=moved(motion.at)) for motion in table.motions),
        news=tuple(replace(news, at=moved(news.at)) for news in table.news),
        acted=tuple((user, seen, moved(at)) for user, seen, at in table.acted),
        set_back=len(back),
        stops=tuple(map(known, table.stops)),
        window=table.window and (table.window[0], moved(table.window[1])),
        paused=moved(table.paused),
        archived=moved(table.archived),
        updated=moved(table.updated),
    )
