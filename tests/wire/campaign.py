"""What campaigns share: kinds of requests, people who make the bot send them, and what must hold after each trouble."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any

from bot.service.directs import LANE
from bot.store import open_store
from bot.table.preferences import DM, UserSettings
from tests.bot.store import behind
from tests.wire.calls import Interaction
from tests.wire.faults import Fault
from tests.wire.forms import set_own
from tests.wire.kept import Kept, shown
from tests.wire.messages import Message
from tests.wire.party import READY, Party, answered

MOST = 60
"""Times that people try to have a request of a kind sent."""


async def play(table: Party) -> None:
    """Somebody does something in the game."""
    person, action = await table.choose()
    await table.do(person, action)


async def look(table: Party) -> None:
    """Somebody looks at their hand by the panel, once more: the private message of before goes."""
    person = table.rng.choice(table.people)
    for _ in range(2):
        await person.click(await table.panel(), label="My hand")


async def err(table: Party) -> None:
    """Somebody uses a button of the player on turn, and is told so."""
    game = await table.game()
    panel = await table.panel()
    label = next((c["label"] for c in panel.interactive if c.get("label") in ("Roll", "End turn", "Discard")), "")
    others = [await table.person(seat) for seat in range(len(table.people)) if seat not in game.to_act]
    if label and others:
        await table.rng.choice(others).click(panel, label=label)
    else:
        await play(table)


async def ask(table: Party) -> None:
    """Somebody asks for direct messages, and theirs was never opened before."""
    person = table.rng.choice(table.people)
    await table.bot.kill()
    store = await open_store(table.bot.address)
    await store.change_settings(person.human.id, _never_asked)
    await behind.ask(store, "DELETE FROM identifies WHERE bucket = ?", LANE)  # it may open as many at once as at first
    await store.close()
    await table.bot.start()
    await asyncio.sleep(READY)
    await set_own(person, dms=True)


def _never_asked(settings: UserSettings) -> UserSettings:
    return replace(settings, dms_closed=False, choices=replace(settings.choices, messages=None, direct=0))


@dataclass(frozen=True)
class Kind:
    """A kind of request of the bot's, and what people do so that it's sent."""

    where: str
    """Regular expression; ROOM and DMS stand for channels."""
    do: Callable[[Party], Awaitable[None]] = play
    about: str = ""
    """As that of `Fault`."""
    rare: bool = False
    called: bool = False
    """Whether direct messages call people, in place of pings."""

    async def prepare(self, table: Party) -> None:
        """People choose what makes the bot send such requests."""
        if self.called:
            for person in table.people:
                await set_own(person, reminders=DM)

    def fault(self, table: Party, skip: int = 0, **how: Any) -> Fault:
        """Spoil one, after so many, unless it's a rare kind."""
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
    """What was there before somebody did something, and what they are doing."""

    kept: Kept
    messages: int
    interactions: int
    log: int
    doing: asyncio.Task[None]

    @classmethod
    async def of(cls, table: Party, do: Callable[[Party], Awaitable[None]]) -> Moment:
        """Now they begin."""
        world, kept, log = table.wire.world, await table.read(), table.bot.log.stat().st_size
        doing = asyncio.create_task(_tried(do, table))
        return cls(kept, len(world.messages), len(world.interactions), log, doing)

    def news(self, table: Party) -> list[Message]:
        """Messages that were posted since, but private ones."""
        return [m for m in list(table.wire.world.messages.values())[self.messages :] if not m.only_for]

    def last(self, table: Party) -> Interaction | None:
        """What somebody did last since."""
        return next(reversed(list(table.wire.world.interactions.values())[self.interactions :]), None)

    def logged(self, table: Party) -> str:
        """What the bot has said since."""
        return table.bot.log.read_bytes()[self.log :].decode(errors="replace")


async def _tried(do: Callable[[Party], Awaitable[None]], table: Party) -> None:
    """Whatever comes of it: not acknowledged, or something else than was expected."""
    with contextlib.suppress(TimeoutError, LookupError, AssertionError, AttributeError, ValueError):
        await do(table)


@dataclass
class Account:
    """What a campaign has seen."""

    name: str
    counts: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    slowest: float = 0.0

    def close(self) -> None:
        """Print the counts, and fail when something was wrong, or nothing was spoiled."""
        counts = ", ".join(f"{n} {what}" for what, n in sorted(self.counts.items()))
        print(f"{self.name}: {counts}; slowest {self.slowest:.1f} s; {len(self.problems)} problems")
        assert not self.problems, "\n".join(self.problems)
        assert self.counts["kills"] or self.counts["faults"], "no request of that kind was sent"


async def until_hit(table: Party, kind: Kind, fault: Fault) -> Moment | None:
    """Have people act until the fault has hit; the moment in which it did, or None when it never does."""
    for _ in range(MOST):
        if (await table.game()).outcome is not None:
            return None
        moment = await Moment.of(table, kind.do)
        hit = asyncio.create_task(table.wire.until(lambda: fault.hits, 60.0))
        await asyncio.wait({moment.doing, hit}, return_when=asyncio.FIRST_COMPLETED)
        if not fault.hits:  # it may still be hit when the answer has come
            quiet = asyncio.create_task(table.quiet(within=60.0))
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
    """The same text twice for the same people, or two messages where there is to be one.

    A hand that is sent anew is there a moment before the one that it replaces is deleted.
    """
    with contextlib.suppress(TimeoutError):
        await table.wire.until(lambda: all(len(table.wire.dms(p.human)) < 2 for p in table.people), 5.0)
    news = since.news(table)
    plain = Counter((m.channel.name, m.text) for m in news if not m.components)
    found = [f"posted {n} times in {room}: {text!r}" for (room, text), n in plain.items() if n > 1]
    for person in table.people:
        old = table.wire.dms(person.human)
        new = old.pop() if old else None
        if old and new in news:
            found.append(f"{len(old) + 1} direct messages to {person.human.name}")
        for message in old:
            message.deleted = True  # not to be found again
    return found


async def told_is_stored(table: Party, since: Moment, acts: bool) -> list[str]:
    """After a kill: what was told is in the file, once, and the panel shows nothing else."""
    dead, told, last = await table.read(), since.doing.done(), since.last(table)
    since.doing.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await since.doing
    table.delivered |= {str(it.id) for it in table.wire.world.interactions.values()}
    new = dead.revision - since.kept.revision
    found = []
    if not 0 <= new <= 1:
        found.append(f"{new} actions instead of one")
    if acts and told and last is not None and answered(last) and not new:
        found.append(f"told and not stored: {last.text!r}")
    if table.panels() and shown(table.panels()[-1]) not in (await since.kept.panel(), await dead.panel()):
        found.append("the panel shows what isn't stored")
    return found


async def right_again(table: Party, account: Account, within: float = 60.0) -> list[str]:
    """Everything is shown, in one message that can be used: others lose their buttons when somebody clicks on them.

    Where it isn't so, it is put right for what follows.
    """
    found = []
    try:
        account.slowest = max(account.slowest, await table.right(within, newest=True))
        await table.quiet(within=within)
        for lost in table.panels()[:-1]:
            account.counts["panels lost"] += 1
            button = next(c["custom_id"] for c in lost.interactive if c["type"] == 2)
            await table.people[0].human.click(lost, button)
            await table.wire.until(lambda lost=lost: not lost.interactive, 5.0, "a lost panel can be used")  # type: ignore[misc]
        await table.right(within)
    except TimeoutError as error:
        found.append(f"{str(error).splitlines()[0]} ({len(table.panels())} panels)")
        for message in table.panels()[:-1]:
            put_away(message)
        await table.people[0].slash(table.channel, "board")
        await table.right(120.0)
    return found


def put_away(message: Message) -> None:
    """Let nobody find a message any more, nor what stands in it."""
    message.components, message.attachments = [], []
