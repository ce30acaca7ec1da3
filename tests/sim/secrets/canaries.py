"""Secrets as words that are looked for in all that leaves a process (section M of the rules)."""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import re
import weakref
from collections.abc import Iterator
from typing import Any

from prometheus_client import generate_latest

from bot.discord.interaction import parse_id
from bot.service import Services
from bot.service.repository import GameRepository
from bot.table.table import OVER
from bot.words.proof import shortened
from engine.chance import commitment
from tests.sim import clocks
from tests.sim.people import WORD
from tests.sim.secrets import marks
from tests.sim.town import Game, Town
from tests.wire.calls import Interaction, Request
from tests.wire.messages import Message
from tests.wire.places import Channel
from tests.wire.stored_game import StoredGame

SECRET = "no secret leaves a process"
TO_ITS_OWNER = "only those who may know a secret read it"
CALLED = "no one is mentioned by accident"
FAIR = "a commitment is never replaced"
DEBUGGED = 0.3
"""The share of the worlds that log all they can."""
SCRAPED = 5
"""One of so many looks is at the metrics, too."""
LATE = 60.0
"""Seconds for which something of an earlier game can still come: the last hands are shown after its end."""
EVERYONE = None
"""The audience of what all can see. Other audiences are ids of users."""
Audience = frozenset[int] | None
_TOKEN = re.compile(r"token-[0-9]{15,}|\b[A-Za-z0-9_-]{24,28}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}")
_SEEN_BY = re.compile(r"view [0-9]+ of seat ([0-9]+)")
_PRINT = re.compile(r"\b[0-9a-f]{64}\b")
_SHORT = re.compile(r"[0-9a-f]+…[0-9a-f]+")
_NAME = re.compile(r"\b[0-9]{17,20}\b")
"""An id of Discord's."""
_NUMBER = re.compile("[0-9]{1,9}")
"""The number of a table."""
FORM, SUGGESTIONS = 9, 8
PRIVATE = 0xEF

_seeds = dict[bytes, str]()
"""The number of the table, by seed."""
_prints = dict[str, str]()
"""The commitment of each table that was made first, by the table's number."""
_seats = dict[tuple[int, int], set[int]]()
"""All users that ever had a seat, by the table's number and seat."""
_tables = dict[int, dict[int, float]]()
"""The numbers of the tables with a game, and when it began, by channel."""
_over, _ending = set[str](), set[str]()
"""Numbers of the tables whose seeds are published, and of those whose end was perhaps stored."""
_metrics = list[weakref.ref[Any]]()
"""The metrics of all processes."""


def install() -> None:
    """Note each seed before anyone can learn it, and all metrics."""
    from bot.metrics import Metrics
    from bot.store.sql import rows  # noqa: F401 (it makes commitments)

    def noted(seed: bytes, game: str) -> str:
        found = commitment(seed, game)
        _seeds[seed] = game
        _prints.setdefault(game, found)
        return found

    marks.everywhere(commitment, noted)
    make = Services.of.__func__  # type: ignore[attr-defined]

    def of(cls: type[Services], store: Any, **how: Any) -> Services:
        services: Services = make(cls, store, **{**how, "entropy": drawn})
        return services

    def drawn(count: int) -> bytes:
        seed = clocks.entropy(count)
        _seeds.setdefault(seed, "")
        return seed

    Services.of = classmethod(of)  # type: ignore[assignment, arg-type, method-assign]
    save = GameRepository.save

    async def saved(self: GameRepository, change: Any, game: Any) -> Any:
        table = change.table
        for seat in range(game.config.players if game is not None else 0):
            _seats.setdefault((table.number, seat), set()).add(table.user_at(game, seat))
        if game is not None:
            began = asyncio.get_running_loop().time()
            _tables.setdefault(table.channel, {}).setdefault(table.number, began)
        if table.status == OVER:
            _ending.add(str(table.number))
        return await save(self, change, game)

    GameRepository.save = saved  # type: ignore[method-assign]
    begin = Metrics.__init__

    def begun(self: Metrics) -> None:
        begin(self)
        _metrics.append(weakref.ref(self))

    Metrics.__init__ = begun  # type: ignore[method-assign]
    marks.install()


class Canaries(logging.Handler):
    """Reads all that leaves the processes."""

    def __init__(self, town: Town) -> None:
        super().__init__(logging.DEBUG)
        self.town, self.wire, self.universe = town, town.wire, town.universe
        self._words = dict[bytes, list[str]]()
        """The ways to write each seed."""
        self._typed = dict[str, int]()
        """Users, by what they alone have typed."""
        self._marked = list[tuple[int, Audience, set[int], str]]()
        """Marks that were read: the mask of the seats that may know it, who read it, at which tables (none: at any),
        and where."""
        self._looks = 0
        self.wire.heard.append(self._heard)
        self.wire.delivered.append(self._delivered)
        for name in ("discord", "asyncio", "aiohttp"):
            logging.getLogger(name).setLevel(logging.INFO)
        logging.getLogger().addHandler(self)
        if town.universe.chance("canaries").random() < DEBUGGED:
            logging.getLogger().setLevel(logging.DEBUG)

    # --- what leaves

    def emit(self, record: logging.LogRecord) -> None:
        """Read a line of the log, with its traceback."""
        try:
            text = f"{record.name}: {record.getMessage()} {record.args}"
        except Exception:  # that is a problem of its own
            text = f"{record.name}: {record.msg} {record.args}"
        text += logging.Formatter().formatException(record.exc_info) if record.exc_info else ""
        self._read(text, f"the log says {text[:300]}")
        for mask in marks.marks_in(text):
            self._wrong(SECRET, f"the log says what only seats {mask:b} may know: {text[:300]}")

    def _heard(self, call: Request, answer: Any) -> None:
        body, where = json.dumps(call.json, ensure_ascii=False), f"{call.method} {call.path.split('?')[0]}"
        parts = [body, repr(call.query), *(f"{key}: {value}" for key, value in _told(call))]
        for name, data in call.files.values():
            parts += [name, data.decode("utf-8", "ignore")]
        text = "\n".join(parts)
        self._read(text, f"{where}: {body[:600]}")
        if not 200 <= call.status < 300:
            return
        audience, tables = self._audience(call, answer)
        for mask in marks.marks_in(text):
            self._marked.append((mask, audience, tables, f"{where}: {body[:600]}"))
        for name, data in call.files.values():
            for seat in map(int, _SEEN_BY.findall(data.decode("utf-8", "ignore"))):
                self._marked.append((1 << seat, audience, tables, f"the picture {name} in {where}"))
        self._read_typed(text, audience, where)
        self._mentions(call, where)
        self._prints(body, where)

    def _read(self, text: str, where: str) -> None:
        """Look for what no one may read at all."""
        for seed, number in list(_seeds.items()):
            if number not in _over and any(word in text for word in self._spelled(seed)) and not self._is_over(number):
                self._wrong(SECRET, f"the seed of game {number} in {where}")
        if found := _TOKEN.search(text):
            self._wrong(SECRET, f"a token, {found[0][:12]}, in {where}")
        if self.wire.token in text:
            self._wrong(SECRET, f"the bot's token in {where}")

    def _is_over(self, number: str) -> bool:
        """Whether the end of a game is stored just now, so that its seed is published."""
        if number in _ending and self.town.fetch("SELECT status FROM games WHERE number = ?", int(number)) == [(OVER,)]:
            _over.add(number)
        return number in _over

    def _spelled(self, seed: bytes) -> list[str]:
        if seed not in self._words:
            ways = base64.b64encode(seed), base64.urlsafe_b64encode(seed), base64.b32encode(seed)
            words = [seed.hex(), seed.hex().upper(), repr(seed)[2:-1], str(int.from_bytes(seed, "big"))]
            self._words[seed] = [*words, *(way.decode().rstrip("=") for way in ways)]
        return self._words[seed]

    def _read_typed(self, text: str, audience: Audience, where: str) -> None:
        for word, user in self._typed.items():
            if word in text and (audience is EVERYONE or audience - {user}):
                self._wrong(TO_ITS_OWNER, f"{word!r}, which only {user} has typed, in {where}")

    def _delivered(self, it: Interaction) -> None:
        """Note what a person has typed into a form."""
        for word in WORD.findall(json.dumps(it.payload.get("data") or {})):
            self._typed.setdefault(word, it.user.id)

    def _prints(self, body: str, where: str) -> None:
        """While no seed is published, the only fingerprints are those that came first."""
        known = {*_prints.values()}
        found = [one for one in _PRINT.findall(body) if one not in known]
        short = {*map(shortened, known)}
        found += [one for one in _SHORT.findall(body) if one not in short]
        if found and not _over:
            self._wrong(FAIR, f"{found[0]} in {where} isn't a first commitment")

    def _mentions(self, call: Request, where: str) -> None:
        """Discord calls everyone whom a text names, unless a request says whom it may call."""
        for data in (call.json, call.json.get("data")) if isinstance(call.json, dict) else ():
            if not isinstance(data, dict) or not (data.get("content") or data.get("components")) or "title" in data:
                continue
            allowed = data.get("allowed_mentions")
            if allowed is None or allowed.get("parse"):
                self._wrong(CALLED, f"{where}: {json.dumps(data)[:600]}")

    def _audience(self, call: Request, answer: Any) -> tuple[Audience, set[int]]:
        """Who reads what a request has brought, and at which tables; none: perhaps at any."""
        it = call.interaction
        if call.path.endswith("/callback") and it is not None:
            if call.json["type"] in (FORM, SUGGESTIONS):
                return frozenset((it.user.id,)), _tables_of(it.channel, it)
            message = it.response
        else:
            number = answer.get("id") if isinstance(answer, dict) else None
            message = self.wire.world.messages.get(int(number)) if number and str(number).isdigit() else None
        return (EVERYONE, set()) if message is None else (self._readers(message), _tables_of(message.channel, it))

    def _readers(self, message: Message) -> Audience:
        room = message.channel
        if message.only_for is not None:
            return frozenset((message.only_for.id,))
        if room.recipient is not None:
            return frozenset((room.recipient.id,))
        return frozenset(room.members - {self.wire.world.bot.id}) if room.private else EVERYONE

    # --- what is known later

    def look(self, game: Game, stored: StoredGame) -> None:
        """Judge what was read until now, by who sat where."""
        table = stored.table
        due = _prints.get(str(table.number), table.commitment)
        if table.commitment != due:
            self._wrong(FAIR, f"table {table.number} has commitment {table.commitment}, first it was {due}")

    async def judge(self) -> None:
        """The same for all, once each table was looked at."""
        for mask, audience, tables, where in self._marked:
            if mask == PRIVATE:
                if audience is EVERYONE:
                    self._wrong(TO_ITS_OWNER, f"everyone reads what was said to one person: {where}")
                continue
            places = [place for place in _seats if mask >> place[1] & 1 and (not tables or place[0] in tables)]
            known = {user for place in places for user in _seats[place]}
            if audience is EVERYONE or audience - known:
                self._wrong(TO_ITS_OWNER, f"{audience or 'everyone'} reads what only seats {mask:b} may know: {where}")
        self._marked.clear()
        self._looks += 1
        for one in _metrics if self._looks % SCRAPED == 0 else ():
            if (metrics := one()) is not None:
                self._read_metrics(generate_latest(metrics.registry).decode())

    def _read_metrics(self, text: str) -> None:
        self._read(text, "the metrics")
        for mask in marks.marks_in(text):
            self._wrong(SECRET, f"the metrics say what only seats {mask:b} may know")
        names = {user.name for user in self.wire.users}
        for line in text.splitlines():
            label = line.partition("{")[2].rpartition("}")[0]
            if label and (_NAME.search(label) or _PRINT.search(label) or any(f'"{name}' in label for name in names)):
                self._wrong(SECRET, f"a metric's label says {label}")

    def _wrong(self, invariant: str, what: str) -> None:
        self.universe.wrong(invariant, what)


def _tables_of(room: Channel, it: Interaction | None) -> set[int]:
    """The table in a channel, or in the channel of a thread, and that which a button or command names; for a while also
    the one before. None: in a direct message it can be any, and so it can after a command that begins one elsewhere."""
    if it is not None and '"thread"' in json.dumps(it.payload.get("data")):
        return set()
    here = _tables.get(room.id) or _tables.get(room.parent.id if room.parent is not None else 0) or {}
    late = asyncio.get_running_loop().time() - LATE
    known = {number for number in here if not any(other > number and at < late for other, at in here.items())}
    data = it.payload.get("data") if it is not None else None
    if known and isinstance(data, dict):
        pressed = parse_id(str(data.get("custom_id")))
        known |= {pressed.game} if pressed is not None else {*_named(data.get("options"))}
    return known


def _named(options: Any) -> Iterator[int]:
    """The tables that a command names. Other options can have numbers, too."""
    for option in options if isinstance(options, list) else ():
        if isinstance(option, dict):
            if option.get("name") == "game" and _NUMBER.fullmatch(str(option.get("value"))):
                yield int(option["value"])
            yield from _named(option.get("options"))


def _told(call: Request) -> Iterator[tuple[str, str]]:
    """The headers that say more than how a request is sent."""
    usual = ("authorization", "host", "accept", "accept-encoding", "content-type", "content-length", "user-agent")
    return ((key, value) for key, value in call.headers.items() if key.lower() not in usual)
