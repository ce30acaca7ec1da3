"""Who plays in a seat of a running game: the person whose it is, or a computer in their stead."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import ceil

from bot.models import ARCHIVED, CANCELLED, LOBBY, OVER, Table, Wait
from bot.params import Span, Typed
from bot.plaintext import safe_name
from bot.proposals import COMPUTER, RESUME, RETURNED, Handover
from bot.service.games import GameService
from bot.service.news import with_news
from bot.service.reach import Reach
from bot.service.repository import GameRepository
from bot.service.saving import save_change
from bot.service.standing import tell_standing
from bot.service.waiting import DAY, decisions
from bot.store import Store
from engine.errors import RefereeError
from engine.game import Game
from engine.refusals import Words
from players import OFFERED

log = logging.getLogger(__name__)

OFTEN = 3
"""Times running that somebody may let their time run out until the others are asked whether to replace them."""
SILENCE, LONG_SILENCE = 3600.0, 86_400.0
"""Seconds that a game must have waited for somebody until the host alone, or anybody at the table, can have a computer
play for them."""


@dataclass(frozen=True, slots=True)
class Replacement:
    """What came of the wish that a computer plays for somebody."""

    table: Table
    done: bool
    """Whether one does; otherwise it takes more votes."""
    votes: int = 0
    """How many have voted for it."""
    of: int = 0
    """How many can; more than half of them decide."""

    @property
    def needed(self) -> int:
        """How many have to want it."""
        return self.of // 2 + 1


class SeatService:
    """Has computers play for people who have left or don't answer, and gives them their seats back."""

    def __init__(
        self, store: Store, repository: GameRepository, games: GameService, reach: Reach, now: Callable[[], float]
    ) -> None:
        """`now` in seconds since the epoch."""
        self._store, self._repository, self._games, self._now = store, repository, games, now
        self._reach = reach

    async def replace(
        self,
        number: int,
        absent: int,
        user: int,
        interaction: str,
        *,
        level: str = "hard",
        left: bool = False,
        by: int = 0,
        by_name: str = "",
    ) -> Replacement:
        """Let a computer play for somebody, or vote for that; panel becomes due. `by`: who is asked to take the seat if
        that settles it, and their name; 0: nobody.

        At once: who asks for themselves; the vote by which more than half of the others agree, where they are at least
        two; the host, or the only other person, once the game has waited for an hour, where there is a pace once the
        time is over, or where the absent one has let it run out `OFTEN` times running, or has `left` the server (the
        caller has checked that); anybody at the table once it has waited for a day, or the time has been over for as
        long again, but no longer than a day. In a pause it takes a day, or two, in which the absent one hasn't answered
        the wish to go on.
        Codes: "no-table", "not-started", "archived", "over", "level", "not-playing", "replaced", "no-player",
        "last-person", "too-soon", "handover/playing", "handover/declined", "handover/asked".
        """
        return await self._repository.alone(
            number, lambda table: self._replace(table, absent, user, interaction, level, left, (by, safe_name(by_name)))
        )

    async def play_again(self, number: int, user: int, interaction: str) -> Table:
        """Give somebody their seat back from the computer; panel becomes due.

        Codes: "no-table", "not-running", "not-playing", "not-replaced".
        """
        return await self._repository.alone(number, lambda table: self._play_again(table, user, interaction))

    async def _replace(
        self, table: Table, absent: int, user: int, interaction: str, level: str, left: bool, newcomer: tuple[int, str]
    ) -> Replacement:
        check_running(table)
        if level not in OFFERED:
            raise RefereeError("level", typed=Typed(level), possible=Words(OFFERED))
        game = await self._repository.game(table.number)
        if await self._store.interaction(interaction):
            counted = sum(who == absent for who, _by in table.choices.replacing)
            return Replacement(table, _is_replaced(table, absent), counted, len(people(table, game)) - 1)
        check_playing(table, game, user)
        playing = people(table, game)
        if absent not in playing:
            raise RefereeError("no-player/replaced" if _is_replaced(table, absent) else "no-player/person")
        others = tuple(other for other in playing if other != absent)
        if not others:
            raise RefereeError("last-person")
        if newcomer[0]:
            check_newcomer(table, table.users.index(absent), newcomer[0], self._now())
        at = alone_from(table, game, absent, user, left=left, unseen=await self._reach.last(table.number))
        replacing = tuple(sorted({*table.choices.replacing, (absent, user)}))
        voted = replace(table, choices=replace(table.choices, replacing=replacing))
        alone = user == absent or (at is not None and self._now() >= at)
        if alone or is_outvoted(voted, game, absent):
            offered = with_offer(table, table.users.index(absent), *newcomer) if newcomer[0] else table
            by_wish = user == absent
            return Replacement(
                await self._occupied(offered, table, game, absent, level, interaction, by_wish), done=True
            )
        if len(others) == 1:
            if at is None:
                raise RefereeError("too-soon/paused" if table.choices.paused else "too-soon/not awaited")
            rest = Span(60 * ceil((at - self._now()) / 60))
            if table.choices.paused:
                raise RefereeError("too-soon/go on", time=rest)
            raise RefereeError("too-soon/pace" if table.choices.pace else "too-soon", time=rest)
        votes = [by for who, by in replacing if who == absent and by in others]
        saved = await save_change(self._repository, self._games, voted, table, interaction, self._now())
        return Replacement(saved, done=False, votes=len(votes), of=len(others))

    async def _play_again(self, table: Table, user: int, interaction: str) -> Table:
        check_running(table)
        if await self._store.interaction(interaction):
            return table
        if table.player(user) is None:
            raise RefereeError("not-playing")
        game = await self._repository.game(table.number)
        if not _is_replaced(table, user):
            left = user not in people(table, game)
            raise RefereeError("not-playing/resigned" if left else "not-replaced")
        log.info("Game %d: somebody plays again in place of a computer", table.number)
        return await self._occupied(table, table, game, user, "", interaction)

    async def _occupied(
        self, table: Table, before: Table, old: Game, user: int, level: str, interaction: str, by_wish: bool = True
    ) -> Table:
        """Have a computer of a level play for a user, or the user again, and store it."""
        game, now = old.copy(), self._now()
        table = await occupied(self._store, self._games, table, game, user, level, now, by_wish)
        table = await self._games.settled(table, game)
        return await save_change(self._repository, self._games, table, before, interaction, now, old, game)


async def occupied(
    store: Store,
    games: GameService,
    table: Table,
    game: Game,
    user: int,
    level: str,
    now: float,
    by_wish: bool = False,
) -> Table:
    """The table with a computer of a level that plays for a user, or with the user again; `by_wish`: their own.

    `game`: a copy, which is told with how many cards the one who plays by now is called to build (J2).
    """
    members = tuple(replace(m, level=level) if m.user == user else m for m in table.members)
    votes = tuple(vote for vote in table.choices.replacing if vote[0] != user)
    gone = tuple(other for other in table.choices.gone if other != user)
    choices = replace(table.choices, replacing=votes, gone=gone)
    if not level:  # who is back isn't late any more, and nobody else gets their seat
        place = table.player(user)
        choices = replace(
            choices,
            missed=tuple(missed for missed in choices.missed if missed.user != user),
            handovers=tuple(offered for offered in choices.handovers if offered.place != place),
            proposals=tuple(proposal for proposal in choices.proposals if proposal.place != place),
        )
    whose = next(member.name for member in members if member.user == user)
    table = replace(table, choices=choices)
    table = with_news(table, game, COMPUTER if level else RETURNED, user=user, name=whose, by_wish=by_wish)
    waits = [wait for wait in table.waits if table.user_at(game, wait.seat) == user]
    table = await games.waiting.without(table, game, waits, now)
    table = await games.waiting.after(replace(table, members=members), game, now)
    await tell_standing(store, table, game, table.seat_at(game, table.users.index(user)))
    return table


def is_outvoted(table: Table, game: Game, absent: int) -> bool:
    """Whether more than half of the others, who are at least two, want a computer to play for somebody."""
    others = tuple(user for user in people(table, game) if user != absent)
    votes = sum(who == absent and by in others for who, by in table.choices.replacing)
    return len(others) > 1 and 2 * votes > len(others)


def alone_from(
    table: Table, game: Game, absent: int, user: int, *, left: bool = False, unseen: float = 0.0
) -> float | None:
    """From when a user alone can have a computer play for somebody absent, in seconds since the epoch; 0: at any time;
    None: nobody knows. `left`: the absent one isn't on the server any more; `unseen`: when people last couldn't see the
    game, or not act in it, which may have kept them from answering."""
    decides = user == table.host_in(game) or all(other in (absent, user) for other in people(table, game))
    often = any(missed.user == absent and missed.times >= OFTEN for missed in table.choices.missed)
    if decides and (left or often or absent in table.choices.gone):
        return 0.0
    if table.choices.paused:
        return _free_in_pause(table, absent, decides, unseen)
    wait = next((wait for wait in decisions(table) if wait.seat == table.seat_of(game, absent)), None)
    return None if wait is None else _free_from(table, wait, decides, unseen)


def _free_from(table: Table, wait: Wait, decides: bool, unseen: float) -> float:
    """From when one person alone can have somebody replaced, who is awaited; `decides`: the host, or the only other."""
    if wait.until is None:
        return max(wait.since, unseen) + (SILENCE if decides else LONG_SILENCE)
    return wait.until + (0.0 if decides else min(table.choices.pace, LONG_SILENCE))


def _free_in_pause(table: Table, absent: int, decides: bool, unseen: float) -> float | None:
    """The same in a pause, where nobody is awaited but for an answer to the wish to go on; None: they owe none."""
    wish = next((proposal for proposal in table.choices.proposals if proposal.what == RESUME), None)
    if wish is None or absent in (*wish.agreed, *wish.against):
        return None
    return max(wish.at, unseen) + (LONG_SILENCE if decides else 2 * LONG_SILENCE)


def people(table: Table, game: Game) -> tuple[int, ...]:
    """Users who play themselves: who are persons, haven't resigned, and for whom no computer plays."""
    members = ((seat, table.member_at(game, seat)) for seat in range(game.config.players))
    return tuple(m.user for seat, m in members if m.is_person and not m.level and not game.state.resigned >> seat & 1)


def _is_replaced(table: Table, user: int) -> bool:
    return any(member.user == user and member.is_person and bool(member.level) for member in table.members)


def check_running(table: Table) -> None:
    """Refuse a table whose game isn't under way. Codes: "not-started", "archived", "over"."""
    if table.status in (LOBBY, CANCELLED):
        raise RefereeError("not-started", number=table.number)
    if table.status == ARCHIVED:
        raise RefereeError("archived")
    if table.status == OVER:
        raise RefereeError("over")


def check_playing(table: Table, game: Game, user: int) -> None:
    """Refuse those who don't play, or for whom a computer does."""
    if _is_replaced(table, user):
        raise RefereeError("replaced")
    if user not in people(table, game):
        raise RefereeError("not-playing")


def check_newcomer(table: Table, place: int, user: int, now: float) -> None:
    """Refuse to offer the seat at a place to who plays, has just declined one, or is asked to take another.

    Codes: "handover/playing", "handover/declined", "handover/asked".
    """
    if user in table.users:
        raise RefereeError("handover/playing")
    if user and any(offered.to == user and offered.place != place for offered in table.choices.handovers):
        raise RefereeError("handover/asked")
    if any(asked == user and now < at + DAY for asked, at in table.choices.declined):
        raise RefereeError("handover/declined")


def with_offer(table: Table, place: int, to: int, name: str = "") -> Table:
    """With a seat offered to somebody, or to anybody (0), and to nobody else."""
    others = tuple(offered for offered in table.choices.handovers if offered.place != place)
    return replace(table, choices=replace(table.choices, handovers=(*others, Handover(place, to, name))))
