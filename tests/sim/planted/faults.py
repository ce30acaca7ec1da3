"""Faults to plant: something is lost, done twice, or never shown. Each is a small patch of the program, about what a
tired maintainer could break."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import secrets
from typing import Any

from tests.sim.planted.planting import planted, put

ONCE = "what was acknowledged is stored, once"
KEPT = "what was stored stays"
SOUND = "what is stored is sound"
FOLDED = "what is stored is the fold of all acts"
SHOWN = "everything is shown within a minute"
ANSWERS = "who presses something gets an answer"
TWICE = "no one is called twice"
CALLED = "whom a game waits for is called"
TIDY = "nothing is there twice or stays behind"
DUE = "no one waits forever"
FAIR = "no one's time runs while it must not"
LIMITS = "Discord's limits are kept"
SESSIONS = "sessions are resumed, and each shard has one connection"
ERRORS = "no error is logged"

# --- what is stored


@planted("a change is stored without the id of its interaction", ONCE)
def no_interaction() -> None:
    from bot.store.sql.store import Store

    save = Store.save

    async def without(self: Store, change: Any) -> None:
        await save(self, dataclasses.replace(change, interaction=None))

    put(Store, save=without)


@planted("actions are stored without waiting for the disk", KEPT, ONCE, TIDY)
def not_synced() -> None:
    from bot.store.sqlite.database import Database

    write = Database._write

    async def hurried(self: Database, body: Any, durable: bool) -> Any:
        return await write(self, body, False)

    put(Database, _write=hurried)


@planted("people are told before their action is stored", ONCE, KEPT, SOUND, FOLDED, SHOWN)
def told_first() -> None:
    from bot.service.repository import GameRepository
    from bot.tasks import in_own_context

    save = GameRepository.save

    async def later(self: GameRepository, change: Any, game: Any) -> Any:
        async def store() -> None:
            await asyncio.sleep(0.1)
            with contextlib.suppress(Exception):
                await save(self, change, game)

        if not (change.records and change.interaction):
            return await save(self, change, game)
        in_own_context(asyncio.create_task, store())
        table = dataclasses.replace(change.table, changes=change.table.changes + 1)
        return self._stored(table, game if change.records else None)

    put(GameRepository, save=later)


@planted("a change that could not be stored counts as stored", ONCE, KEPT)
def failure_ignored() -> None:
    from bot.store import Unavailable
    from bot.store.sql.store import Store

    save = Store.save

    async def ignoring(self: Store, change: Any) -> None:
        with contextlib.suppress(Unavailable):
            await save(self, change)

    put(Store, save=ignoring)


@planted("a field of a table isn't stored", FOLDED, SOUND)
def field_not_stored() -> None:
    from bot.store.sql import rows

    sparse: Any = getattr(rows, "sparse")  # noqa: B009

    def forgetful(value: Any, **how: Any) -> Any:
        found = sparse(value, **how)
        return {k: v for k, v in found.items() if k != "acted"} if isinstance(found, dict) else found

    put(rows, sparse=forgetful)


@planted("what came of a game isn't stored", DUE)
def result_lost() -> None:
    from bot.service import games

    put(games, result_of=lambda table, game: None)


# --- service and jobs


@planted("a game in memory doesn't follow what other processes have played", SHOWN, ERRORS, ANSWERS, ONCE)
def stale_game() -> None:
    from bot.service.repository import GameRepository

    async def kept(self: GameRepository, number: int) -> Any:
        return self._cache.game(number)

    put(GameRepository, _kept=kept)


@planted("what is overdue when a process starts is dropped", DUE)
def overdue_dropped() -> None:
    from bot.service.jobs import Jobs

    start = Jobs.start

    async def fresh(self: Jobs) -> None:
        for job in await self._store.due_jobs(self._now(), 1000):
            await self._store.drop_job(job)
        await start(self)

    put(Jobs, start=fresh)


@planted("a job that has failed is dropped", DUE)
def failed_job_dropped() -> None:
    from bot.service.jobs import Jobs

    attempt = Jobs._attempt

    async def once(self: Jobs, job: Any) -> float:
        if await attempt(self, job):
            await self._store.drop_job(job)
        return 0.0

    put(Jobs, _attempt=once)


@planted("a game that begins gets no look at its times", DUE)
def no_look() -> None:
    from bot.service import games

    def never(table: Any, game: Any, people: Any) -> None:
        return None

    put(games, next_look=never)


@planted("a bot whose turn begins gets no job", DUE)
def bots_wait() -> None:
    from bot.service.computers import Computers

    jobs = Computers.jobs

    def first_only(self: Computers, table: Any, game: Any, before: Any, people: Any) -> Any:
        found = jobs(self, table, game, before, people)
        return found if game.turn < 4 else {name: at for name, at in found.items() if at is None}

    put(Computers, jobs=first_only)


# --- time


@planted("downtime counts as players' time", FAIR)
def downtime_counts() -> None:
    from bot.store.sql.reach import TimeStore

    async def nothing(self: TimeStore, now: float, least: float = 0.0) -> float:
        await self.alive(now)
        return 0.0

    put(TimeStore, note_downtime=nothing)


@planted("when the clock is set, times are moved the wrong way", FAIR)
def moved_wrong() -> None:
    from bot.store.sql.reach import TimeStore

    move = TimeStore.move

    async def wrong(self: TimeStore, seconds: float, now: float) -> None:
        await move(self, -seconds, now)

    put(TimeStore, move=wrong)


@planted("who could not act until just now is late", FAIR)
def outage_counts() -> None:
    from bot.service.reach import Reach

    async def never(self: Reach, table: Any) -> float:
        return 0.0

    put(Reach, recently_lost=never)


@planted("a process that stood still doesn't notice", FAIR)
def standstill_counts() -> None:
    from bot.service.reach import Frozen

    async def fine(self: Frozen) -> None:
        return None

    put(Frozen, check=fine)


# --- what is shown


@planted("a message is noted as sent before it is sent", TIDY, CALLED, TWICE)
def marked_first() -> None:
    from bot.discord.show.round import Round
    from bot.projections import State

    note = Round.note

    def early(self: Round, name: Any, *values: Any, **named: Any) -> None:
        note(self, name, *values, **named)
        if self._shown[name].state is State.POSTING:
            self._shown[name] = dataclasses.replace(self._shown[name], state=State.COVERED)

    put(Round, note=early)


@planted("a call that is over isn't deleted", TIDY)
def call_stays() -> None:
    from bot.discord.show.round import Round

    async def only_forget(self: Round, projection: Any) -> None:
        self.forget(projection.name)

    put(Round, delete=only_forget)


@planted("the message of an earlier turn keeps its buttons", TIDY)
def buttons_stay() -> None:
    from bot.discord.show import reconcile

    async def finish(round: Any, wanted: Any, projection: Any) -> None:
        if projection is not None:
            round.forget(wanted.name)

    put(reconcile, _finish=finish)


@planted("the hand in whose place another one was sent stays", TIDY)
def old_stays() -> None:
    from bot.discord.show import channels

    async def nothing(client: Any, channel: int, message: int) -> None:
        return None

    put(channels, delete_if_allowed=nothing)


@planted("what was due before a start is forgotten", SHOWN)
def restore_forgets() -> None:
    from bot.discord.show.publisher import Publisher

    async def forget(self: Publisher) -> None:
        return None

    put(Publisher, restore=forget)


@planted("a lane that has failed is never shown again", SHOWN)
def lane_stops() -> None:
    from bot.discord.show.publisher import Publisher

    show = Publisher._show

    async def work(self: Publisher, lane: Any) -> None:
        while lane in self._dirty:
            await show(self, lane)
            if lane in self._failures:
                return
        self._tasks.pop(lane, None)
        self._showing.pop(lane, None)

    put(Publisher, _work=work)


@planted("each try of a post has another nonce", TIDY, TWICE)
def nonce_changes() -> None:
    from bot.discord.show import channels

    posted = channels.post

    async def anew(client: Any, channel: Any, table: Any, name: str, *values: Any, **named: Any) -> Any:
        return await posted(client, channel, table, f"{name} {secrets.token_hex(4)}", *values, **named)

    put(channels, post=anew)


@planted("who was just called is called again", TWICE)
def called_again() -> None:
    from bot.discord.show import round

    put(round, wait_after=lambda message, now: 0.0)


@planted("the seed isn't shown at the end", DUE)
def seed_not_shown() -> None:
    from bot.discord.show import panel

    put(panel, end_messages=lambda *values: [])


# --- answers


@planted("an interaction is acknowledged too late", ANSWERS)
def acknowledged_late() -> None:
    from bot.discord.talk import dispatch

    put(dispatch, FIRST_ANSWER_WITHIN=3.5, INSISTS=3.5)


@planted("an answer that was put off never comes", ANSWERS)
def never_answered() -> None:
    from bot.discord.talk import dispatch

    send = dispatch.send

    async def if_open(call: Any, reply: Any) -> None:
        if not call._thinking:
            await send(call, reply)

    put(dispatch, send=if_open)


# --- shards and limits


@planted("a process takes shards that another one holds", SESSIONS, ERRORS)
def lease_ignored() -> None:
    from bot.store.sql.shards import ShardStore

    share = ShardStore.share

    async def alone(self: ShardStore, now: float, until: float, sessions: Any, heard: Any = ()) -> Any:
        found = await share(self, now, until, sessions, heard)
        mine = dict.fromkeys(sessions, found.process)
        return dataclasses.replace(found, processes=frozenset({found.process}), shards=mine)

    async def take(self: ShardStore, *values: Any) -> bool:
        return True

    put(ShardStore, share=alone, take_shard=take)


@planted("a cut session begins anew instead of being resumed", SESSIONS)
def not_resumed() -> None:
    from bot.discord.shard import HeldShard

    async def give_up(self: HeldShard, failures: int) -> bool:
        return False

    put(HeldShard, _resume=give_up)


@planted("limits that Discord has announced are ignored", LIMITS)
def limits_ignored() -> None:
    from bot.discord.limits import Window

    async def at_once(self: Window) -> None:
        self.outgoing += 1

    put(Window, acquire=at_once)
