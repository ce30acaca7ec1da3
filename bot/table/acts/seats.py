"""Who plays a seat of a running game: its owner, a bot in their place, or a person who takes it over."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil

from bot.plaintext import Span, TypedText, safe_name
from bot.table.act import By, GameAct, check_host
from bot.table.acts.motions import is_outvoted, open_motion, voters_on, with_motion
from bot.table.guests import check_not_barred
from bot.table.parts import DECLINED, REPLACE, Motion, News
from bot.table.seats import (
    can_replace_alone_from,
    check_deciding,
    check_given_up,
    check_newcomer,
    is_replaced,
    replaced,
    who_plays,
    with_newcomer,
    with_offer,
    withdrawable,
)
from bot.table.table import People, Table, with_news
from engine.errors import RefereeError
from engine.game import Game
from engine.refusals import Words
from players import OFFERED


@dataclass(frozen=True, slots=True)
class Replace(GameAct):
    """Have a bot play for a player, or vote for that.

    The bot takes over immediately:

    - if players ask for themselves
    - with the vote by which more than half of the others agree, if they are at least two
    - if the host or the only other person asks, and the game has waited for an hour in which the player could be asked
      (with a turn timer: the time is over); or the absent player has let their time run out `seats.OFTEN` times in a
      row, or has `left` the server (the caller has checked that)
    - if anyone at the table asks, and the game has waited for a day (with a turn timer: the time has been over for as
      long again, but at most a day).

    In a pause, a game waits for no one. Instead of the times above, the host or the only other person needs a day, and
    anyone else two days, in which the absent player hasn't answered the proposal to resume.

    Codes: "level", "not-playing", "replaced", "no-player", "last-person", "too-soon".
    """

    kind = "replace"
    absent: int
    level: str = "hard"
    left: bool = False
    unseen: float = 0.0
    """When people last couldn't see the game or act in it."""

    def during(self, table: Table, game: Game, by: By) -> Table:
        if self.level not in OFFERED:
            raise RefereeError("level", typed=TypedText(self.level), possible=Words(OFFERED))
        check_deciding(table, game, by.user)
        playing, absent = who_plays(table, game), self.absent
        if absent not in playing:
            raise RefereeError("no-player/replaced" if is_replaced(table, absent) else "no-player/person")
        if playing == (absent,):
            raise RefereeError("last-person")
        at = self._free_from(table, game, by, by.people)
        motion = open_motion(table, REPLACE, absent) or Motion(REPLACE, (), absent=absent, at=by.at)
        voted = with_motion(table, motion.agreed_to_by(by.user))
        if by.user == absent or (at is not None and by.at >= at) or is_outvoted(voted, game, absent):
            return replaced(table, absent, self.level)
        if len(voters_on(table, game, motion)) > 1:
            return voted
        if at is None:
            raise RefereeError("too-soon/paused" if table.paused else "too-soon/not awaited")
        # when a player sleeps is private: only what all can see of the time is told
        remaining = (self._free_from(table, game, by, People()) or 0.0) - by.at
        if remaining <= 0:
            raise RefereeError("too-soon/asleep")
        time = Span(60 * ceil(remaining / 60))
        if table.paused:
            raise RefereeError("too-soon/go on", time=time)
        raise RefereeError("too-soon/pace" if table.options.pace else "too-soon", time=time)

    def _free_from(self, table: Table, game: Game, by: By, people: People) -> float | None:
        """From when the user alone can decide it."""
        left, unseen = self.left, self.unseen
        return can_replace_alone_from(table, game, self.absent, by.user, people, left=left, unseen=unseen)


@dataclass(frozen=True, slots=True)
class ReturnToSeat(GameAct):
    """Give a player their seat back from the bot. Codes: "not-playing", "not-replaced"."""

    kind = "return"
    log = "a player has taken their seat back from a bot"

    def during(self, table: Table, game: Game, by: By) -> Table:
        if table.place_of(by.user) is None:
            raise RefereeError("not-playing")
        if not is_replaced(table, by.user):
            resigned = by.user not in who_plays(table, game)
            raise RefereeError("not-playing/resigned" if resigned else "not-replaced")
        return replaced(table, by.user, "")


@dataclass(frozen=True, slots=True)
class OfferSeat(GameAct):
    """Offer one's own seat to a user of that name, or to anyone (0). The host can offer the seat of an `absent` player
    for whom a bot has played for days.

    Codes: "not-playing", "not-host", "handover/yourself", "handover/playing", "handover/not absent", "handover/waits",
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
            check_host(table, by, table.host_in(game))
            if not table.members[place].level:
                raise RefereeError("handover/not absent", name=table.members[place].name)
            check_given_up(table, place)
        if self.to == by.user:
            raise RefereeError("handover/yourself")
        check_newcomer(table, place, self.to, by.at)
        return with_offer(table, place, self.to, safe_name(self.name) if self.name else "")


@dataclass(frozen=True, slots=True)
class TakeSeat(GameAct):
    """Take the seat at a place, as a person of that name. It must be offered to them or to anyone.

    Codes: "handover/you play", "barred" if it is offered to anyone, "handover/none".
    """

    kind = "take"
    name: str
    place: int
    log = "a seat has changed hands"

    def during(self, table: Table, game: Game, by: By) -> Table:
        if by.user in table.users:
            raise RefereeError("handover/you play")
        offered = {h.to for h in table.handovers if h.place == self.place} & {0, by.user}
        if offered == {0}:
            check_not_barred(table, by.user)
        if not offered or game.state.resigned >> table.seat_at(game, self.place) & 1:
            raise RefereeError("handover/none")
        return with_newcomer(table, self.place, by.user, self.name)


@dataclass(frozen=True, slots=True)
class DeclineSeat(GameAct):
    """Decline all seats offered to a person of that name, and withdraw their offer of their own seat. With a `place`:
    withdraw, as host, the offer of the seat there that a bot plays. Codes: "handover/none", "handover/not offered"."""

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
                owner = table.members[offered.place]
                asker = table.host_in(game) if owner.level else owner.user
                name = safe_name(self.name)
                news = News(DECLINED, user=asker, name=owner.name, newcomer=name, place=offered.place, about=by.user)
                changed = with_news(changed, game, news, by.at)
        return changed
