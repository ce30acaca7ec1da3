"""The same seed twice, with only a secret changed: what people did the first time they do again, at the same times.
What all see must come in the same order and at the same times, until someone does something else because of the
secret."""

from __future__ import annotations

import asyncio
import copy
import itertools
import json
import os
import pickle
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from typing import Any, ClassVar

from bot.table.table import OVER
from bot.table.time import Wait
from engine.actions import PlayMonopoly
from engine.config import Config
from engine.record import Record
from tests.bot.worlds.watch import same
from tests.sim import ahead
from tests.sim.secrets.canaries import EVERYONE, Canaries
from tests.sim.secrets.twin import hidden_draws, most_other_draws
from tests.sim.town import Town
from tests.wire.calls import AUTOCOMPLETE, COMMAND, COMPONENT, Interaction, Request
from tests.wire.messages import Message
from tests.wire.stored_game import interaction_of
from tests.wire.users import Human

TIMES = "all see the same at the same times, whatever is secret"
DRAWS, QUIET = "draws", "quiet"
"""What is changed: hidden draws come out differently; a person doesn't do what only they learn of."""
APART = 0.3
"""Seconds by which things may come apart."""
_UNSEEN = ("tts", "flags", "nonce", "enforce_nonce", "attachments")
_TIME, _NUMBER = re.compile(r"<t:(\d+)"), re.compile(r'"id": \d+')
LOOKS = ("hand", "stats", "catchup", "games", "settings", "help", "auto", "game log", "game verify")
"""Commands with which people only look at something."""
VERBS = ("hand", "more", "log", "stats", "catchup", "help", "rules", "settings", "orders", "bank", "draft", "offers")
"""Buttons with which they do."""
Place = tuple[str, int, int]
"""Where a message is: the channel's name, the id of the only reader or 0, and its number there."""


@dataclass
class Deed:
    """What a person did."""

    at: float
    user: int
    kind: int
    data: str
    """As JSON."""
    channel: int | None
    source: Place | None
    shown: Any
    twice: bool
    id: int = 0
    effect: bool = False
    """Whether others could learn of it."""

    @property
    def looks(self) -> bool:
        """Whether it only looks at something."""
        try:
            data = json.loads(self.data)
            if self.kind == COMMAND:
                return " ".join([data["name"], *(one["name"] for one in data.get("options", ()))]) in LOOKS
            which = str(data.get("custom_id", "")).split(":")
            return self.kind == AUTOCOMPLETE or (self.kind == COMPONENT and len(which) > 1 and which[1] in VERBS)
        except (LookupError, TypeError, AttributeError):  # forged
            return False


@dataclass
class Course:
    """What happened. Times are seconds since people came."""

    deeds: list[Deed] = field(default_factory=list)
    saved: list[tuple[float, int, str, bool]] = field(default_factory=list)
    """Records: time, table, seat with action, and whether a person's interaction made it."""
    shown: list[tuple[float, str]] = field(default_factory=list)
    """What all could see."""
    until: float = 0.0
    sound: float = inf
    """Until when it can be compared: something could not be stored, or the game was over."""
    past: list[Any] = field(default_factory=list)
    """The records from before."""
    there: frozenset[Place] = frozenset()
    """The messages that were there before."""
    config: Config | None = None
    problems: tuple[str, ...] = ()


class Recorder:
    """Notes the course of a universe from now on."""

    now: ClassVar[Recorder | None] = None

    def __init__(self, town: Town, canaries: Canaries) -> None:
        self.town, self.canaries, self.course = town, canaries, Course()
        self.begun = town.universe.now
        self.places = dict[int, Place]()
        self._counts = dict[tuple[str, int], Any]()
        self._numbers = dict[str, str]()
        self._by_id = dict[int, Deed]()
        self._waits = dict[int, tuple[Wait, ...]]()
        for message in town.wire.world.messages.values():
            self._place(message)
        self.course.there = frozenset(self.places.values())
        town.wire.heard.append(self._heard)
        town.wire.delivered.append(self._delivered)
        Recorder.now = self

    @property
    def at(self) -> float:
        """Seconds since people came."""
        return self.town.universe.now - self.begun

    def did(self, human: Human, values: tuple[Any, ...]) -> Deed:
        """Note what a person does."""
        kind, data, channel, source, how, *shown = values
        where = self.places.get(source.id) if source is not None else None
        room = channel.id if channel is not None else None
        twice = bool(how.get("twice"))
        told = shown[0] if shown else None
        deed = Deed(self.at, human.id, kind, json.dumps(data), room, where, copy.deepcopy(told), twice)
        self.course.deeds.append(deed)
        return deed

    def _delivered(self, it: Interaction) -> None:
        deed = next((deed for deed in reversed(self.course.deeds) if deed.user == it.user.id and not deed.id), None)
        if deed is not None:
            deed.id = it.id
            self._by_id[it.id] = deed

    def end(self) -> Course:
        """What has happened until now."""
        self.course.until, Recorder.now = self.at, None
        return self.course

    def failed(self) -> None:
        """Note that what follows can't be compared, such as when something could not be stored."""
        self.course.sound = min(self.course.sound, self.at)

    def saved(self, change: Any) -> None:
        """Note the records of a change, once they are stored. After the end nothing is secret. Nor is what the referee
        discards for someone, which depends on their hand, or what a monopoly brings."""
        waits = self._waits.get(change.table.number, ())
        self._waits[change.table.number] = change.table.waits
        discarding = [["decide_for", wait.seat] for wait in waits if ".discard." in wait.what]
        for _, _, record in change.records:
            do = record.get("do") or [""]
            if do in discarding or do[0] == PlayMonopoly.name:
                self.failed()
            if sum(result + 1 for kind, *_, result in record.get("draws", ()) if kind == "dice") == 7:
                discarding += [["decide_for", seat] for seat in range(len(change.table.members))]  # at once, perhaps
        if change.table.status == OVER:
            self.failed()
        key = str(change.interaction or "")
        person = key[:1].isdigit()
        if person and (deed := self._by_id.get(interaction_of(key))):
            deed.effect = True
        for _, seat, record in change.records:
            action = json.dumps([seat, record.get("do")])
            self.course.saved.append((self.at, change.table.number, action, person))

    def message(self, place: Place | None) -> Message | None:
        """The message at a place."""
        number = next((number for number, where in self.places.items() if where == place), 0)
        return self.town.wire.world.messages.get(number)

    def _heard(self, call: Request, answer: Any) -> None:
        if call.method == "GET" or not 200 <= call.status < 300:
            return
        message = self._message(call, answer)
        if message is not None:
            self._place(message)
        if message is None or self.canaries._readers(message) is not EVERYONE or self._is_nothing(call):
            return
        if call.interaction is not None and (deed := self._by_id.get(call.interaction.id)):
            deed.effect = True
        body = call.json.get("data", call.json) if isinstance(call.json, dict) else call.json
        kept = {key: value for key, value in (body or {}).items() if key not in _UNSEEN}
        files = [(name, data.decode("utf-8", "replace")) for name, data in call.files.values()]
        deed_ = "delete" if call.method == "DELETE" else "show"
        text = f"{deed_} {self.places[message.id]} {json.dumps(kept, sort_keys=True)} {files}"
        self.course.shown.append((self.at, same(text, self._numbers)))

    def _place(self, message: Message) -> None:
        if message.id not in self.places:
            key = message.channel.name, message.only_for.id if message.only_for else 0
            self.places[message.id] = (*key, next(self._counts.setdefault(key, itertools.count())))

    def _message(self, call: Request, answer: Any) -> Message | None:
        it = call.interaction
        if call.path.endswith("/callback"):
            return it.response if it is not None and call.json["type"] in (4, 5, 7) else None
        if it is not None and call.path.endswith("@original"):
            return it.response
        number = answer.get("id") if isinstance(answer, dict) else call.path.rpartition("/")[2]
        return self.town.wire.world.messages.get(int(str(number))) if str(number).isdigit() else None

    @staticmethod
    def _is_nothing(call: Request) -> bool:
        return call.path.endswith("/callback") and call.json["type"] == 6


def install() -> None:
    """Let a recorder know of what is done and stored."""
    from bot.store.sql.store import Store
    from engine.chance import SeededChance

    act, save, draw = Human._act, Store.save, SeededChance.draw

    async def acted(self: Human, *values: Any) -> Interaction:
        if Recorder.now is not None:
            Recorder.now.did(self, values)
        return await act(self, *values)

    async def stored(self: Store, change: Any) -> None:
        try:
            await save(self, change)
        except BaseException:
            if Recorder.now is not None:
                Recorder.now.failed()
            raise
        if Recorder.now is not None:
            Recorder.now.saved(change)

    def drawn(self: SeededChance, kind: str, ordinal: int, n: int) -> int:
        result = draw(self, kind, ordinal, n)
        if kind not in Other.kinds:
            return result
        return (result + 1) % n if Other.later else Other.results.get((kind, ordinal), result)

    Human._act = acted  # type: ignore[method-assign, assignment]
    Store.save = stored  # type: ignore[method-assign]
    SeededChance.draw = drawn  # type: ignore[method-assign]


class Other:
    """What is different in the second world."""

    kinds: ClassVar[tuple[str, ...]] = ()
    """Kinds of hidden draws."""
    results: ClassVar[dict[tuple[str, int], int]] = {}
    """Results of hidden draws, by kind and ordinal."""
    later = False
    """Whether all hidden draws come out differently from now on."""


async def lived_again(town: Town, first: Course, secret: str) -> Course:
    """Let people do what they did the first time."""
    _prepare(town, first, secret)
    await town.begin()
    await ahead.play_ahead(town)
    recorder = Recorder(town, Canaries(town))
    stored, past = await town.games[0].read(), [(one["by"], one.get("do")) for one in first.past]
    if [(one["by"], one.get("do")) for one in stored.records] != past or recorder.course.there != first.there:
        town.universe.log("the past can't be repeated")
        recorder.course.sound = 0.0
        return recorder.end()
    Other.later = secret == DRAWS
    users = {human.id: human for human in town.wire.users}
    quiet = town.universe.chance("quiet").choice(sorted({deed.user for deed in first.deeds}) or [0])
    acts = []
    for deed in first.deeds:
        await asyncio.sleep(max(deed.at - recorder.at, 0.0))
        if secret != QUIET or deed.user != quiet or deed.effect or not deed.looks:
            acts.append(asyncio.create_task(_again(recorder, users[deed.user], deed)))
    await asyncio.sleep(max(first.until - recorder.at, 0.0))
    await asyncio.gather(*acts)
    return recorder.end()


def _prepare(town: Town, first: Course, secret: str) -> None:
    """Have the same past, with hidden draws that came out differently."""
    records = [Record.from_json(record) for record in first.past]
    if first.config is None or not records:
        return
    ahead.again[:] = [(record.actor, record.action) for record in records]
    Other.kinds, rng = hidden_draws(first.config), town.universe.chance("draws")
    for record in most_other_draws(first.config, records, rng) if secret == DRAWS else ():
        Other.results |= {(kind, ordinal): result for kind, ordinal, _, result in record.draws if kind in Other.kinds}


async def _again(recorder: Recorder, human: Human, deed: Deed) -> None:
    world = recorder.town.wire.world
    source = recorder.message(deed.source) if deed.source else None
    if deed.source and source is None:
        recorder.town.universe.log(f"a message is missing: {deed.source}")
        if deed.effect:  # it was the answer to something that only they learned of
            recorder.failed()
        return
    channel = world.channels.get(deed.channel) if deed.channel else None
    shown = () if deed.shown is None or source is None else ({**deed.shown, "id": str(source.id)},)
    await human._act(deed.kind, json.loads(deed.data), channel, source, {"wait": False, "twice": deed.twice}, *shown)


def comparable(first: Course, second: Course) -> float:
    """For how many seconds two courses can be compared."""
    return min(first.until, second.until, first.sound, second.sound) - 1.0


def compared(first: Course, second: Course) -> list[str]:
    """What all could see differently."""
    end = comparable(first, second)
    for one, other in itertools.zip_longest(first.saved, second.saved):
        apart = one is None or other is None or abs(one[0] - other[0]) > APART
        if one is None or other is None or one[1:] != other[1:] or (apart and one[3]):
            end = min([end, *(record[0] - 1.0 for record in (one, other) if record is not None)])
            break
        if apart and min(one[0], other[0]) < end:
            return [f"{TIMES}: {one[2]} is done after {one[0]:.3f} s here, after {other[0]:.3f} s there"]
    here, there = ([item for item in course.shown if item[0] < end] for course in (first, second))
    for one_, other_ in zip(here, there, strict=False):
        if not _alike(one_[1], other_[1]) or abs(one_[0] - other_[0]) > APART:
            return [f"{TIMES}: after {one_[0]:.3f} s {_apart(one_[1], other_[1])} after {other_[0]:.3f} s"]
    if len(here) != len(there) and abs(len(here) - len(there)) > _late(here, there, end):
        return [f"{TIMES}: {len(here)} things are shown here, {len(there)} there"]
    return []


def _late(here: list[Any], there: list[Any], end: float) -> int:
    """How many things came just at the end."""
    return sum(at > end - APART for at, _ in max(here, there, key=len))


def _alike(one: str, other: str) -> bool:
    """Whether two texts are the same, but for times that are a second apart; with them, parts have other numbers."""
    if one == other:
        return True
    pairs = [*zip(_TIME.findall(one), _TIME.findall(other), strict=False)]
    one, other = (_NUMBER.sub('"id": 0', _TIME.sub("<t:", text)) for text in (one, other))
    return one == other and any(a != b for a, b in pairs) and all(abs(int(a) - int(b)) < 2 for a, b in pairs)


def _apart(one: str, other: str) -> str:
    at = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
    return f"{one[:60]}… {one[max(at - 60, 0) : at + 150]!r} / {other[:60]}… {other[max(at - 60, 0) : at + 150]!r}"


def in_a_fork(work: Callable[[], Any]) -> Any:
    """The result of some work in a process of its own that begins where this one stands."""
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(ours)
            with os.fdopen(theirs, "wb") as answer:
                pickle.dump(work(), answer)
        finally:
            os._exit(0)
    os.close(theirs)
    with os.fdopen(ours, "rb") as answer:
        data = answer.read()
    os.waitpid(child, 0)
    return pickle.loads(data) if data else None
