"""Shared by campaigns: kinds of requests, people who make the bot send them, and what must hold after each trouble."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any

from bot.service.people import OPENINGS_BUCKET
from bot.store import open_store
from bot.table.preferences import DM, UserSettings
from tests.bot.store import behind
from tests.wire.calls import Interaction
from tests.wire.faults import Fault
from tests.wire.forms import set_own
from tests.wire.messages import Message
from tests.wire.party import READY, Party, answered
from tests.wire.stored_game import StoredGame, shown

MOST = 60
"""How often people try to make the bot send a request of a kind."""


async def play(table: Party) -> None:
    """Let a player act in the game."""
    person, action = await table.choose()
    await table.do(person, action)


async def look(table: Party) -> None:
    """Let a player look at their hand twice by the panel. The second time the earlier private message is deleted."""
    person = table.rng.choice(table.people)
    for _ in range(2):
        await person.click(await table.panel(), label="My hand")


async def err(table: Party) -> None:
    """Let someone press a button of the player on turn. They are refused."""
    game = await table.game()
    panel = await table.panel()
    label = next((c["label"] for c in panel.interactive if c.get("label") in ("Roll", "End turn", "Discard")), "")
    others = [await table.person(seat) for seat in range(len(table.people)) if seat not in game.to_act]
    if label and others:
        await table.rng.choice(others).click(panel, label=label)
    else:
        await play(table)


async def ask(table: Party) -> None:
    """Let a player ask for direct messages, after their DM was made never to have been opened."""
    person = table.rng.choice(table.people)
    await table.bot.kill()
    store = await open_store(table.bot.address)
    await store.change_settings(person.human.id, _never_asked)
    await behind.ask(
        store, "DELETE FROM identifies WHERE bucket = ?", OPENINGS_BUCKET
    )  # as many can be opened as at first
    await store.close()
    await table.bot.start()
    await asyncio.sleep(READY)
    await set_own(person, dms=True)


def _never_asked(settings: UserSettings) -> UserSettings:
    return replace(settings, dms_closed=False, choices=replace(settings.choices, messages=None, direct=0))


@dataclass(frozen=True)
class Kind:
    """A kind of request that the bot sends, and what people do to make it send one."""

    where: str
    """Regular expression. ROOM and DMS stand for channels."""
    do: Callable[[Party], Awaitable[None]] = play
    about: str = ""
    """As in `Fault`."""
    rare: bool = False
    called: bool = False
    """Whether direct messages call people, instead of pings."""

    async def prepare(self, table: Party) -> None:
        """Let people choose the settings with which the bot sends such requests."""
        if self.called:
            for person in table.people:
                await set_own(person, reminders=DM)

    def fault(self, table: Party, skip: int = 0, **how: Any) -> Fault:
        """Spoil such a request, after letting `skip` pass unless the kind is rare."""
        dms = "|".join(str(table.wire.world.dm(person.human).id) for person in table.people)
        where = self.where.replace("ROOM", str(table.channel.id)).replace("DMS", f"({dms})")
        return table.wire.fault(where, about=self.about, skip=0 if self.rare else skip, **how)


KINDS = {
    "acknowledge": Kind("^POST /interactions/"),
    "answer or edit by token": Kind("^PATCH /webhooks/"),
    "follow up": Kind("^POST /webhooks/", err),
    "take a private message away": Kind("^DELETE /webhooks/", look),
    "post a panel": Kind("^POST /channels/ROOM/messages", about="custom_id"),
    "post a ping": Kind("^POST /channels/ROOM/messages", about="^(?!.*custom_id)", rare=True),
    "edit": Kind("^PATCH /channels/ROOM/messages"),
    "delete a ping": Kind("^DELETE /channels/ROOM/messages", rare=True),
    "open a DM": Kind("^POST /users/@me/channels", ask),
    "post a DM": Kind("^POST /channels/DMS/messages", called=True),
    "edit a DM": Kind("^PATCH /channels/DMS/messages"),
    "delete a DM": Kind("^DELETE /channels/DMS/messages", called=True),
}


@dataclass
class Moment:
    """The state just before a person did something, and what they are doing."""

    stored: StoredGame
    messages: int
    interactions: int
    log: int
    doing: asyncio.Task[None]

    @classmethod
    async def of(cls, table: Party, do: Callable[[Party], Awaitable[None]]) -> Moment:
        """Take the state and let the person begin."""
        world, stored, log = table.wire.world, await table.read(), table.bot.log.stat().st_size
        doing = asyncio.create_task(_tried(do, table))
        return cls(stored, len(world.messages), len(world.interactions), log, doing)

    def news(self, table: Party) -> list[Message]:
        """Messages posted since then, except private ones."""
        return [m for m in list(table.wire.world.messages.values())[self.messages :] if not m.only_for]

    def last(self, table: Party) -> Interaction | None:
        """The last interaction since then."""
        return next(reversed(list(table.wire.world.interactions.values())[self.interactions :]), None)

    def logged(self, table: Party) -> str:
        """What the bot has logged since then."""
        return table.bot.log.read_bytes()[self.log :].decode(errors="replace")


async def _tried(do: Callable[[Party], Awaitable[None]], table: Party) -> None:
    """Do it, whatever happens: it can stay unacknowledged or come out differently than expected."""
    with contextlib.suppress(TimeoutError, LookupError, AssertionError, AttributeError, ValueError):
        await do(table)


@dataclass
class Account:
    """What a campaign has counted and found."""

    name: str
    counts: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    slowest: float = 0.0

    def close(self, record: Callable[[str, object], None]) -> None:
        """Print and record the counts. Fails if there is a problem, or if nothing was spoiled."""
        counts = ", ".join(f"{n} {what}" for what, n in sorted(self.counts.items()))
        for what in ("kills", "faults"):
            if self.counts[what]:
                record(what, self.counts[what])
        print(f"{self.name}: {counts}; slowest {self.slowest:.1f} s; {len(self.problems)} problems")
        assert not self.problems, "\n".join(self.problems)
        assert self.counts["kills"] or self.counts["faults"], "no request of that kind was sent"


async def until_hit(table: Party, kind: Kind, fault: Fault) -> Moment | None:
    """Let people act until the fault has hit. Returns the moment when it did, or None if it never does."""
    for _ in range(MOST):
        if (await table.game()).outcome is not None:
            return None
        moment = await Moment.of(table, kind.do)
        hit = asyncio.create_task(table.wire.until(lambda: fault.hits, 60.0))
        await asyncio.wait({moment.doing, hit}, return_when=asyncio.FIRST_COMPLETED)
        if not fault.hits:  # the fault can still hit when the answer has come
            quiet = asyncio.create_task(table.settled(within=60.0))
            await asyncio.wait({quiet, hit}, return_when=asyncio.FIRST_COMPLETED)
            quiet.cancel()
            with contextlib.suppress(asyncio.CancelledError, TimeoutError):
                await quiet
        hit.cancel()
        with contextlib.suppress(asyncio.CancelledError, TimeoutError):
            await hit
        if fault.hits:
            return moment
    return None


async def posted_twice(table: Party, since: Moment) -> list[str]:
    """Problems: the same text posted twice for the same people, or two messages where only one belongs.

    When a hand is sent again, the new message comes a moment before the old one is deleted.
    """
    with contextlib.suppress(TimeoutError):
        await table.wire.until(lambda: all(len(table.wire.dms(p.human)) < 2 for p in table.people), 5.0)
    news = since.news(table)
    plain = Counter((m.channel.name, m.text) for m in news if not m.components)
    problems = [f"posted {n} times in {room}: {text!r}" for (room, text), n in plain.items() if n > 1]
    for person in table.people:
        old = table.wire.dms(person.human)
        new = old.pop() if old else None
        if old and new in news:
            problems.append(f"{len(old) + 1} direct messages to {person.human.name}")
        for message in old:
            message.deleted = True  # so that it isn't found again
    return problems


async def told_is_stored(table: Party, since: Moment, acts: bool) -> list[str]:
    """Problems after a kill. What people were told must be stored, once, and the panel must show nothing else."""
    dead, told, last = await table.read(), since.doing.done(), since.last(table)
    since.doing.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await since.doing
    table.delivered |= {str(it.id) for it in table.wire.world.interactions.values()}
    new = dead.revision - since.stored.revision
    problems = []
    if not 0 <= new <= 1:
        problems.append(f"{new} actions instead of one")
    if acts and told and last is not None and answered(last) and not new:
        problems.append(f"told and not stored: {last.text!r}")
    if table.panels() and shown(table.panels()[-1]) not in (await since.stored.panel(), await dead.panel()):
        problems.append("the panel shows what isn't stored")
    return problems


async def right_again(table: Party, account: Account, within: float = 60.0) -> list[str]:
    """Problems if not everything gets shown, in one usable message. Other panels must lose their buttons when clicked.

    If there are any, the table is repaired for what follows.
    """
    problems = []
    try:
        account.slowest = max(account.slowest, await table.panel_current(within, newest=True))
        await table.settled(within=within)
        for lost in table.panels()[:-1]:
            account.counts["panels lost"] += 1
            button = next(c["custom_id"] for c in lost.interactive if c["type"] == 2)
            await table.people[0].human.click(lost, button)
            await table.wire.until(lambda lost=lost: not lost.interactive, 5.0, "a lost panel can be used")  # type: ignore[misc]
        await table.panel_current(within)
    except TimeoutError as error:
        problems.append(f"{str(error).splitlines()[0]} ({len(table.panels())} panels)")
        for message in table.panels()[:-1]:
            put_away(message)
        await table.people[0].slash(table.channel, "board")
        await table.panel_current(120.0)
    return problems


def put_away(message: Message) -> None:
    """Make a message and its content impossible to find."""
    message.components, message.attachments = [], []
