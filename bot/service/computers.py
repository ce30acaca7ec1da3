"""Bots at the table: each turn is thought out outside the event loop, played by one process, and reported once. And the
review of a game that is over: what a person's choices were worth."""

from __future__ import annotations

import asyncio
import logging
import random
import traceback
from collections.abc import Awaitable, Callable, Iterable, Sequence
from pathlib import Path
from typing import Protocol, TypeVar, TypeVarTuple, Unpack

from bot.service.games import Before, GameService
from bot.service.jobs import JOB_AGAIN_AFTER, Jobs
from bot.service.reach import Reach, Undecided
from bot.service.repository import GameRepository
from bot.store import Store
from bot.store.base import Job
from bot.table.acts import play
from bot.table.parts import Member
from bot.table.reminders import PRESENT
from bot.table.seats import who_plays
from bot.table.table import OVER, RUNNING, People, Table
from engine.actions import Action, AgreeToCallOff, AgreeToEnd, DeclineOffer, WithdrawOffer
from engine.autoplay import default_action
from engine.config import Config
from engine.errors import IllegalAction, RefereeError
from engine.events import OfferAnswered, OfferMade
from engine.game import Game
from engine.geometry import bits, mask_of
from engine.position import Position
from engine.record import Record
from engine.views import View
from players import computer
from players.advice import Advice, advice
from players.moments import Moment, choices, chosen_in, moments, worst_and_best
from players.sensible import SensiblePlayer
from players.table import instead, unanswered
from players.trading import Bargain

log = logging.getLogger(__name__)

T = TypeVar("T")
Values = TypeVarTuple("Values")

COMPUTER = "computer"
"""Name of the job of playing for the bots at a table."""
QUICK_ANSWER = 1.0
"""Most seconds that a bot takes for an answer, or for a decision that isn't in setup and doesn't begin its turn."""
ANSWERS = 60.0
"""Seconds for which a bot waits for people's answers to its offers, if one of these people is present."""
THINKING = 10.0
"""Seconds that a decision can take; after that it becomes the plainest one."""
AT_TABLE = Bargain()
"""How bots offer trades where people play: seldom, and only for what they build immediately."""
MOST_ACTIONS = 200
"""Maximum number of actions of bots without a pause."""

ADVISER = "expert"
"""The level of the bot that gives advice."""


class Think(Protocol):
    """Runs a function that thinks, outside the event loop."""

    def __call__(self, thought: Callable[[Unpack[Values]], T], *values: *Values) -> Awaitable[T]: ...


def choose(level: str, view: View, seed: int | None = None) -> Action:
    """What a bot does: its answer to an offer that asks it, or what its seat owes. Can run in another process. `seed`:
    of its own chance, which is new each time for None."""
    rng = random.Random(seed)
    player = computer(level, rng)
    if isinstance(player, SensiblePlayer):
        player.bargain = AT_TABLE
    assert view.seat is not None
    options = Position.of(view, rng).options(view.seat)
    if offer := unanswered(view):
        return player.answer(view, options, offer)
    return player.decide(view, options)


def advise(view: View) -> Advice:
    """What a strong bot would do in the view's seat, and why. Can run in another process."""
    rng = random.Random(0)
    player = computer(ADVISER, rng)
    assert isinstance(player, SensiblePlayer)
    assert view.seat is not None
    player.bargain = AT_TABLE
    return advice(player, view, Position.of(view, rng).options(view.seat))


async def by_thread(thought: Callable[[Unpack[Values]], T], *values: *Values) -> T:
    """Run a thought in a thread."""
    return await asyncio.to_thread(thought, *values)


class Computers:
    """Plays for the bots at all tables."""

    def __init__(
        self,
        repository: GameRepository,
        games: GameService,
        jobs: Jobs,
        reach: Reach,
        now: Callable[[], float],
        think: Think = by_thread,
    ) -> None:
        """`now` in seconds since the epoch."""
        self._repository, self._games, self._now, self._think = repository, games, now, think
        self._jobs, self._reach = jobs, reach
        self._playing: set[int] = set()
        """Games in which this process is playing for a bot."""
        jobs.when(COMPUTER, self._carry_out)
        games.plan_by(self.jobs)

    async def decide(self, number: int, level: str, view: View) -> Action:
        """What a bot of a level does in the view's seat; the plainest action if it fails to decide."""
        try:
            async with asyncio.timeout(THINKING):
                return await self._think(choose, level, view)
        except Exception as error:  # its text, and that of its causes, can reveal the hand
            log.error("Game %d: the bot in seat %s could not decide (%s)", number, view.seat, where(error))
        return _plainest(view)

    async def advice(self, number: int, view: View) -> Advice:
        """What a strong bot would do in the view's seat, and why. Codes: "hint-failed"."""
        try:
            async with asyncio.timeout(THINKING):
                return await self._think(advise, view)
        except Exception as error:
            log.error("Game %d: no advice for seat %s (%s)", number, view.seat, where(error))
            raise RefereeError("hint-failed") from None

    def jobs(self, table: Table, game: Game, was: Before, people: People) -> dict[str, float | None]:
        """When a bot must play after an action, by the job's name."""
        if not any(member.level for member in table.members):
            return {}
        if table.number in self._playing:  # it goes on; if it is killed, the job is still there
            return {}
        seat = _due(table, game)
        if seat is None:
            return {COMPUTER: None}
        if was is not None and _due(*was) == seat and _is_same(was, (table, game), seat):
            return {}  # the job keeps its time, whatever else has happened
        return {COMPUTER: self._now() + _delay(table, game, seat, self._now())}

    async def _carry_out(self, job: Job) -> None:
        if job.game in self._playing:  # this job stays, in case the one in progress fails or dies
            return await self._jobs.set(Job(job.game, COMPUTER, self._now() + JOB_AGAIN_AFTER))
        if later := await self._answers_until(job.game):
            return await self._jobs.set(Job(job.game, COMPUTER, later))
        self._playing.add(job.game)
        try:
            played = await self._play_turn(job)
            table = await self._repository.alone(job.game, self._stop_playing)
        finally:
            self._playing.discard(job.game)
        if table.status not in (RUNNING, OVER):
            return
        game = await self._repository.game(job.game)
        if table.status == RUNNING and (seat := _due(table, game)) is not None:
            await self._jobs.set(Job(job.game, COMPUTER, self._now() + _delay(table, game, seat, self._now())))
        if played:
            self._repository.tell(table)

    async def _answers_until(self, number: int) -> float:
        """Until when people can still answer a bot's offer that they couldn't see, or couldn't answer; else 0."""
        table = await self._repository.table(number)
        if table.status != RUNNING:
            return 0.0
        game = await self._repository.game(number)
        seat = _due(table, game)
        if seat is None or _vote(table, game) or not _waits(table, game, seat):
            return 0.0
        try:
            unseen = await self._reach.recently_lost(table)
        except Undecided:  # no one is late by that: the others don't wait for the bot as long as this can take
            return 0.0
        asked_at = min((wait.since for wait in table.waits if wait.offer), default=0.0)
        return unseen + ANSWERS if unseen >= asked_at and self._now() < unseen + ANSWERS else 0.0

    async def _stop_playing(self, table: Table) -> Table:
        """Stop playing, under the table's lock. So any change is either in this table or sets the job itself."""
        self._playing.discard(table.number)
        return table

    async def _play_turn(self, job: Job) -> bool:
        """Play until the turn is over or someone else must act. Returns whether there was anything to do."""
        table = await self._repository.table(job.game)
        turn = None
        for _ in range(MOST_ACTIONS):
            if table.status != RUNNING:
                break
            game = await self._repository.game(job.game)
            seat = _due(table, game)
            if seat is None or (turn is not None and (game.turn != turn or _waits(table, game, seat))):
                break
            turn = game.turn
            table = await self._play(table, game, seat)
        return turn is not None

    async def _play(self, table: Table, game: Game, seat: int) -> Table:
        """Play one action, or nothing if another player was faster."""
        member, decision = table.member_at(game, seat), game.decision(seat)
        action = await self._choice(table, game, seat, member)
        for attempt in (action, None):
            try:
                act = play.Play(attempt or instead(game, seat, action), decision, play.COMPUTER)
                key = f"{COMPUTER}-{table.number}-{game.revision}"
                return (await self._games.act(table.number, member.user, act, key)).table
            except IllegalAction as error:
                if (await self._repository.game(table.number)).revision != game.revision:
                    break  # an answer came meanwhile; this isn't logged, as the refused action can be secret
                if error.code != "trade-gone":  # only the two who trade may know that
                    log.warning("Game %d: a bot's %s was refused (%s)", table.number, action.name, error.code)
            except RefereeError as error:
                log.info("Game %d: a bot was too late (%s)", table.number, error.code)
                break
        return await self._repository.table(table.number)

    async def _choice(self, table: Table, game: Game, seat: int, member: Member) -> Action:
        """The action that the bot wants."""
        if (vote := _vote(table, game)) or (vote := _outdated(table, game)):
            return vote[1]
        return await self.decide(table.number, member.level, game.view(seat, counted=True))


def _plainest(view: View) -> Action:
    """The action that is played if nothing better is found in time."""
    assert view.seat is not None
    if offer := unanswered(view):
        return DeclineOffer(offer.id)
    position = Position.of(view, random.Random(0))
    return default_action(position.state, view.seat, position.options(view.seat))


def where(error: Exception) -> str:
    """What went wrong and where, without the content of a caught error: "KeyError at players/trading.py:71"."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} at {'/'.join(Path(frame.filename).parts[-2:])}:{frame.lineno}"


def _vote(table: Table, game: Game) -> tuple[int, Action] | None:
    """A bot's vote and its seat: it agrees to what all people who have a say want (I6), or voids a game without
    people."""
    view, active = game.view(None), game.state.active()
    people = mask_of(s for s in bits(active) if table.has_say(table.member_at(game, s)))
    computers = active & ~people
    for votes, action in ((view.call_off_votes, AgreeToCallOff()), (view.end_votes, AgreeToEnd())):
        if not people & ~votes and (missing := computers & ~votes):
            return next(bits(missing)), action
    return None


def _outdated(table: Table, game: Game) -> tuple[int, Action] | None:
    """The seat of a bot with a counteroffer to a player who has gone on with their turn instead of answering it, and
    its withdrawal. What the player did in secret doesn't count (section M)."""
    counters = {o.id: o for o in game.state.offers if o.answers >= 0 and o.to & ~o.accepted & ~o.declined}
    if not counters:
        return None
    view, on_turn, went_on = game.view(None), game.state.on_turn, False
    for event in reversed(view.events):
        if isinstance(event, OfferMade) and (mine := counters.get(event.offer)) is not None:
            withdrawal = WithdrawOffer(mine.id)  # it must wait while free roads are placed
            if went_on and table.member_at(game, mine.seat).level and game.options(mine.seat).allows(withdrawal):
                return mine.seat, withdrawal
        elif getattr(event, "seat", None) == on_turn and not isinstance(event, OfferAnswered):
            went_on = True
    return None


def _due(table: Table, game: Game) -> int | None:
    """The seat of a bot that has something to do; votes come first, then what concerns offers."""
    if game.outcome is not None:
        return None
    if vote := _vote(table, game):
        return vote[0]
    if table.paused or not who_plays(table, game):  # bots don't play alone
        return None
    if outdated := _outdated(table, game):
        return outdated[0]
    seats = [seat for seat in range(game.config.players) if table.member_at(game, seat).level]
    resigned = game.state.resigned
    if game.state.offers:
        for seat in seats:
            if not resigned >> seat & 1 and unanswered(game.view(seat)):
                return seat
    return next((seat for seat in seats if seat in game.to_act), None)


def _waits(table: Table, game: Game, seat: int) -> bool:
    """Whether people still have to answer an offer that the bot in a seat has made."""
    return bool(_people_asked(table, game, seat))


def _people_asked(table: Table, game: Game, seat: int) -> list[Member]:
    """The people whose answers a seat waits for, to the offers that it has made in its turn. A counteroffer in another
    player's turn holds up no one: they go on, and answer it if they like."""
    if game.state.on_turn != seat:
        return []
    asked_seats = 0
    for offer in game.state.offers:
        if offer.seat == seat:
            asked_seats |= offer.to & ~offer.accepted & ~offer.declined
    members = [table.member_at(game, other) for other in bits(asked_seats)]
    return [member for member in members if not member.level]


def _is_same(was: tuple[Table, Game], now: tuple[Table, Game], seat: int) -> bool:
    """Whether a bot has the same thing to do as before."""
    old, game = was[1], now[1]
    same = old.decision(seat) == game.decision(seat) and old.state.offers == game.state.offers
    return same and _vote(*was) == _vote(*now)


def _delay(table: Table, game: Game, seat: int, now: float) -> float:
    """Seconds until a bot does what it has to do."""
    if asked := _people_asked(table, game, seat):
        there = {user for user, _, at in table.acted if now - at < PRESENT}
        return ANSWERS if any(member.user in there for member in asked) else float(table.options.pause)
    begins = game.state.on_turn == seat and game.state.dice is None
    return float(table.options.pause) if begins or game.turn == 0 else min(QUICK_ANSWER, table.options.pause)


# --- reviews

CHOICES_AT_A_TIME = 12
"""Choices that are thought about in one go; bots at other tables get their turn in between."""


class ReviewService:
    """Reviews games that are over."""

    def __init__(self, store: Store, repository: GameRepository, think: Think) -> None:
        self._store, self._repository, self._think = store, repository, think

    async def of(self, number: int, user: int) -> tuple[list[Moment], list[Moment]]:
        """The choices that cost a user most, and their best ones; only those they made themselves.

        Codes: "not-over", "not-playing", "review-unknown", "review-failed".
        """
        table, game = await self._repository.table(number), await self._repository.game(number)
        if game.outcome is None:
            raise RefereeError("not-over/moves")
        seat = table.seat_of(game, user)
        if seat is None:
            raise RefereeError("not-playing/onlooker")
        config, records = game.config, game.records
        made = await self._store.made_by(number, game.state.order[seat])
        if made is None:
            raise RefereeError("review-unknown")
        numbers = await asyncio.to_thread(choices, config, records, seat)
        found: list[Moment] = []
        try:
            for part in _parts([n for n in numbers if chosen_in(records, n, seat) in made]):
                async with asyncio.timeout(THINKING):
                    found += await self._think(judged, config, records, seat, part)
        except Exception as error:  # its text can reveal a hand
            log.error("Game %d: the choices of seat %d were not judged (%s)", number, seat, where(error))
            raise RefereeError("review-failed") from None
        return worst_and_best(found)


def judged(config: Config, records: Sequence[Record], seat: int, numbers: Sequence[int]) -> list[Moment]:
    """What choices were worth. Can run in another process."""
    player = computer(ADVISER, random.Random(0))
    assert isinstance(player, SensiblePlayer)
    return moments(player, config, records, seat, numbers)


def _parts(numbers: Sequence[int]) -> Iterable[Sequence[int]]:
    return (numbers[at : at + CHOICES_AT_A_TIME] for at in range(0, len(numbers), CHOICES_AT_A_TIME))
