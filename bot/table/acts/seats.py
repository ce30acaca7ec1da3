"""Who plays in a seat of a running game: whose it is, a computer in their stead, somebody who takes it over."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil

from bot.params import Span, Typed
from bot.plaintext import safe_name
from bot.table.act import By, GameAct
from bot.table.checks import check_host
from bot.table.motion import REPLACE, Motion
from bot.table.motions import having, is_outvoted, open_motion
from bot.table.news import DECLINED, News
from bot.table.reporting import with_news
from bot.table.seats import (
    alone_from,
    check_newcomer,
    check_playing,
    is_replaced,
    replaced,
    seated,
    who_plays,
    with_offer,
    withdrawable,
)
from bot.table.table import Table
from engine.errors import RefereeError
from engine.game import Game
from engine.refusals import Words
from players import OFFERED


@dataclass(frozen=True, slots=True)
class Replace(GameAct):
    """A computer plays for somebody, or one votes for that; `newcomer` is asked to take the seat if that settles it.

    At once: who asks for themselves; the vote by which more than half of the others agree, where they are at least
    two; the host, or the only other person, once the game has waited for an hour, where there is a pace once the time
    is over, or where the absent one has let it run out `seats.OFTEN` times running, or has `left` the server (the
    caller has checked that); anybody at the table once it has waited for a day, or the time has been over for as long
    again, but no longer than a day. In a pause it takes a day, or two, in which the absent one hasn't answered the wish
    to go on.
    Codes: "level", "not-playing", "replaced", "no-player", "last-person", "too-soon", "handover/playing",
    "handover/declined", "handover/asked".
    """

    kind = "replace"
    absent: int
    level: str = "hard"
    left: bool = False
    newcomer: int = 0
    """0: nobody."""
    name: str = ""
    """Theirs."""
    unseen: float = 0.0
    """When people last couldn't see the game, or not act in it."""

    def during(self, table: Table, game: Game, by: By) -> Table:
        if self.level not in OFFERED:
            raise RefereeError("level", typed=Typed(self.level), possible=Words(OFFERED))
        check_playing(table, game, by.user)
        there, absent = who_plays(table, game), self.absent
        if absent not in there:
            raise RefereeError("no-player/replaced" if is_replaced(table, absent) else "no-player/person")
        others = tuple(other for other in there if other != absent)
        if not others:
            raise RefereeError("last-person")
        place = table.users.index(absent)
        if self.newcomer:
            check_newcomer(table, place, self.newcomer, by.at)
        at = alone_from(table, game, absent, by.user, left=self.left, unseen=self.unseen)
        motion = open_motion(table, REPLACE, absent) or Motion(REPLACE, (), absent=absent, at=by.at)
        voted = having(table, motion.agreed_to_by(by.user))
        if by.user == absent or (at is not None and by.at >= at) or is_outvoted(voted, game, absent):
            offered = with_offer(table, place, self.newcomer, safe_name(self.name)) if self.newcomer else table
            return replaced(offered, absent, self.level)
        if len(others) > 1:
            return voted
        if at is None:
            raise RefereeError("too-soon/paused" if table.paused else "too-soon/not awaited")
        rest = Span(60 * ceil((at - by.at) / 60))
        if table.paused:
            raise RefereeError("too-soon/go on", time=rest)
        raise RefereeError("too-soon/pace" if table.options.pace else "too-soon", time=rest)


@dataclass(frozen=True, slots=True)
class PlayAgain(GameAct):
    """Somebody takes their seat back from the computer. Codes: "not-playing", "not-replaced"."""

    kind = "return"
    log = "somebody plays again in place of a computer"

    def during(self, table: Table, game: Game, by: By) -> Table:
        if table.place_of(by.user) is None:
            raise RefereeError("not-playing")
        if not is_replaced(table, by.user):
            left = by.user not in who_plays(table, game)
            raise RefereeError("not-playing/resigned" if left else "not-replaced")
        return replaced(table, by.user, "")


@dataclass(frozen=True, slots=True)
class OfferSeat(GameAct):
    """One's own seat is offered to somebody of that name, or to anybody (0); or by the host that of somebody `absent`,
    for whom a computer plays.

    Codes: "not-playing", "not-host", "handover/yourself", "handover/playing", "handover/not absent",
    "handover/declined", "handover/asked".
    """

    kind = "offer"
    to: int
    name: str = ""
    absent: int | None = None

    def during(self, table: Table, game: Game, by: By) -> Table:
        place = table.place_of(by.user if self.absent is None else self.absent)
        if table.place_of(by.user) is None or place is None:
            raise RefereeError("not-playing")
        if game.state.resigned >> table.seat_at(game, place) & 1:
            raise RefereeError("not-playing/resigned")
        if self.absent not in (None, by.user):
            check_host(table, by.user, table.host_in(game))
            if not table.members[place].level:
                raise RefereeError("handover/not absent", name=table.members[place].name)
        if self.to == by.user:
            raise RefereeError("handover/yourself")
        check_newcomer(table, place, self.to, by.at)
        return with_offer(table, place, self.to, safe_name(self.name) if self.name else "")


@dataclass(frozen=True, slots=True)
class TakeSeat(GameAct):
    """Somebody of that name takes the seat at a place, which is offered to them, or to anybody.

    Codes: "handover/you play", "handover/none".
    """

    kind = "take"
    name: str
    place: int
    log = "a seat has changed hands"

    def during(self, table: Table, game: Game, by: By) -> Table:
        if by.user in table.users:
            raise RefereeError("handover/you play")
        offered = any(h.place == self.place and h.to in (0, by.user) for h in table.handovers)
        if not offered or game.state.resigned >> table.seat_at(game, self.place) & 1:
            raise RefereeError("handover/none")
        return seated(table, self.place, by.user, self.name)


@dataclass(frozen=True, slots=True)
class DeclineSeat(GameAct):
    """Somebody of that name doesn't take what is offered to them, or takes their own offer back; as host that of the
    seat at a `place` where a computer plays. Codes: "handover/none", "handover/not offered"."""

    kind = "decline"
    name: str
    place: int | None = None

    def during(self, table: Table, game: Game, by: By) -> Table:
        own, handovers = table.place_of(by.user), table.handovers
        if self.place is None:
            kept = tuple(h for h in handovers if h.to != by.user and h.place != own)
        else:
            withdrawn = withdrawable(table, game, by.user)
            kept = tuple(h for h in handovers if h.place != self.place or self.place not in withdrawn)
        if kept == handovers:
            raise RefereeError("handover/none" if self.place is None else "handover/not offered")
        changed = replace(table, handovers=kept)
        for offered in handovers:
            if own is None and offered not in kept:
                whose = table.members[offered.place]
                asks = table.host_in(game) if whose.level else whose.user
                name = safe_name(self.name)
                told = News(DECLINED, user=asks, name=whose.name, newcomer=name, about=by.user)
                changed = with_news(changed, game, told, by.at)
        return changed
