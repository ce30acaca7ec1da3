"""The content of a bot's database, read so that the bot doesn't notice, whether it runs or is killed."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import count
from pathlib import Path
from typing import Any

from discord.utils import snowflake_time

from bot.discord.show import panel
from bot.discord.show.pictures import Pictures
from bot.discord.show.private import STILL_FOR, occasion
from bot.metrics import Metrics
from bot.projections import PANEL, Kind, Name, Projections, State, of_kind
from bot.screens import trade
from bot.screens.controls import Picture
from bot.screens.ratings import changed
from bot.screens.viewer import Viewer
from bot.service.ratings import RatingService
from bot.settings import StoreAddress
from bot.store import Store, open_store
from bot.store.sql.database import Damages
from bot.store.sql.tables import StoredRow
from bot.store.sql.upkeep import KEEP_INTERACTIONS
from bot.store.sqlite.file import STEP, scripts, text_of
from bot.store.sqlite.store import SqliteStore
from bot.table.table import Table
from bot.tasks import Worker
from engine.game import Game
from engine.record import Record
from tests.bot.signs import without_signs
from tests.wire.messages import Message, walk
from tests.wire.model import Json


@dataclass(frozen=True)
class StoredGame:
    """One game as it is stored."""

    table: Table
    records: list[Any]
    """JSON data. The deal comes first."""
    made_by: dict[str, int | None]
    """The record that each interaction made, or None for a change of the lobby. Keys are the interaction's id, plus a
    word if one command does two things."""
    due: list[Name]
    """Names of projections that must be shown now."""
    resting: list[Name]
    """Names of hands that will be shown when the game has been still for a while."""
    hands: dict[int, int] = field(default_factory=dict)
    """Messages with hands that are up to date, of people who want them, by user."""
    ratings: str = ""
    """What the game did to the ratings, if it is over."""
    replayed: Game | None = None
    """The game after some of its first records."""
    files: Files | None = None
    """The database's files when it was read. None if a later write might not be visible in them."""

    @classmethod
    async def read(cls, address: StoreAddress, number: int = 1, before: StoredGame | None = None) -> StoredGame:
        """Read the game with that number. `before`: the last reading. If nothing was written since then, it's returned;
        otherwise only new records must be replayed."""
        if not isinstance(address, Path):
            return await cls._read(address, number, before)
        if before is not None and before.table.number == number and before._holds(Files.of(address)):
            return before
        with _copied(address) as (copy, files):
            return replace(await cls._read(copy, number, before), files=files)

    @classmethod
    async def _read(cls, address: StoreAddress, number: int, before: StoredGame | None) -> StoredGame:
        if isinstance(address, Path):
            with closing(sqlite3.connect(address)) as copy:
                if copy.execute(STEP).fetchone()[0] == max(scripts()):
                    rows: Any = _Rows(copy)
                    return await cls.of(SqliteStore(rows, "discord"), number, before)
        store = await open_store(address)
        try:
            return await cls.of(store, number, before)
        finally:
            await store.close()

    @classmethod
    async def of(cls, store: Store, number: int = 1, before: StoredGame | None = None) -> StoredGame:
        """Read a game in a store; `before` is as for `read`."""
        while True:
            progress = await store.progress(number)
            table = await store.table(number)
            assert table is not None
            records = await store.records(number)
            projections = await store.visible(number)
            due = [name for name, one in projections.items() if one.pending]
            told = {one.name for one in of_kind(projections, Kind.TOLD) if one.posted}
            shown = [one for one in of_kind(projections, Kind.HAND) if one.state is State.POSTED and not one.pending]
            people = await store.settings_of([one.name.user for one in shown])
            wanted = {user for user, one in people.items() if table.options.rooms or (one.dms and not one.dms_closed)}
            hands = {one.name.user: one.place.message for one in shown if one.place and one.name.user in wanted}
            sql = "SELECT id, record FROM interactions WHERE game = ?"
            made_by = {row[0]: row[1] for row in await store._database.read(sql, number)}
            ratings = changed((await RatingService(store).changes(table)).values())
            stopped = time.time() < await store.stopped()
            if await store.progress(number) == progress:  # nothing changed meanwhile: all of it belongs together
                replayed = None if before is None else before._known(table, records)
                found = cls(table, records, made_by, due, [], hands, ratings, replayed)
                return found._sorted(told, stopped)._without_held(projections)

    def _holds(self, files: Files) -> bool:
        """Whether another reading of these files would come to the same."""
        return files == self.files and not (self.resting and self._still)

    @property
    def _still(self) -> bool:
        """Whether nothing happened for so long that all hands must be shown."""
        return time.time() >= self.table.updated + STILL_FOR

    def _sorted(self, told: set[Name], stopped: bool) -> StoredGame:
        """Move hands that can wait from `due` to `resting`. A hand can't wait if the game awaits its player because of
        someone else, and the player hasn't been called yet. `told` names the calls that were sent. `stopped`: Discord
        takes no direct messages, so each can wait."""
        if stopped:
            self.resting.extend(name for name in self.due if name.kind is Kind.HAND)
            self.due[:] = [name for name in self.due if name.kind is not Kind.HAND]
        elif any(name.kind is Kind.HAND for name in self.due) and not self._still:
            game, last = self.game(), self.records[-1]["by"]
            waiting = {self.table.user_at(game, seat): seat for seat in game.to_act if seat != last}
            called = {
                Name(Kind.HAND, user=user)
                for user, seat in waiting.items()
                if Name(Kind.TOLD, occasion(game.view(seat), seat, self.table.options.rooms), user) not in told
            }
            self.resting.extend(name for name in self.due if name.kind is Kind.HAND and name not in called)
            self.due[:] = [name for name in self.due if name not in self.resting]
        return self

    def _without_held(self, projections: Projections) -> StoredGame:
        """Take the panel off `due` if it only waits for a call that is held back: players see their own offers."""
        if self.due == [PANEL] and self.records:
            public = Viewer(self.table, self.game())
            turn, own = projections.get(panel.turn_name(public)), [p for p in trade.offer_pings(public) if p.own]
            if turn is not None and turn.version >= self.table.version and own:
                self.due.clear()
        return self

    @property
    def revision(self) -> int:
        """The number of records."""
        return len(self.records)

    def game(self, revision: int | None = None) -> Game:
        """The game after the first `revision` records, or after all. Replaying checks that they are sound."""
        return self._latest if revision is None else Game.replay(self.table.config, _from_json(self.records[:revision]))

    @cached_property
    def _latest(self) -> Game:
        if self.replayed is None:
            return Game.replay(self.table.config, _from_json(self.records))
        return self.replayed.followed_by(_from_json(self.records[self.replayed.revision :]))

    def _known(self, table: Table, records: list[Any]) -> Game | None:
        """The last position that was replayed, if these records continue it."""
        game: Game | None = vars(self).get("_latest", self.replayed)
        if game is None or self.table.config != table.config:
            return None
        return game if self.records[: game.revision] == records[: game.revision] else None

    async def panel(self, revision: int | None = None) -> tuple[list[Any], bytes]:
        """What the panel must show after this many records, in the form of `shown`."""
        public = Viewer(self.table, self.game(revision))
        picture: Picture = await Pictures(Metrics(), Worker()).board(public)
        layout: Any = panel.panel_layout(
            public, picture, ratings=self.ratings
        )  # of discord.py's classes, which leave its `to_components` untyped
        return looks(layout.to_components()), picture.data

    def check_once(self, delivered: set[str]) -> None:
        """Check that each record except the deal was made by exactly one of the delivered interactions. After an hour,
        no one knows anymore by which."""
        made = [record for record in self.made_by.values() if record is not None]
        old = time.time() - min(snowflake_time(int(it)).timestamp() for it in delivered) > KEEP_INTERACTIONS
        assert sorted(made) == list(range(min(made) if old else 0, self.revision))
        assert {str(interaction_of(key)) for key in self.made_by} <= delivered


def _from_json(records: list[Any]) -> list[Record]:
    return [Record.from_json(data) for data in records]


def interaction_of(key: str) -> int:
    """The id of an interaction from the key that its action is stored under. One that acts twice adds a word, one that
    acts at several tables adds their numbers."""
    return int(re.split(r"\D", key, maxsplit=1)[0])


@dataclass(frozen=True)
class Files:
    """The state of a database's file and its log, which changes with each write, if the last one is `old` enough."""

    changed: int
    log_changed: int = 0
    log_size: int = 0
    log_header: bytes = b""
    """Changes when the log begins again."""

    @classmethod
    def of(cls, database: Path) -> Files:
        """Look at the files of an SQLite database."""
        changed, log = database.stat().st_mtime_ns, _log(database)
        try:
            with log.open("rb") as file:
                status = os.fstat(file.fileno())
                return cls(changed, status.st_mtime_ns, status.st_size, file.read(32))
        except FileNotFoundError:
            return cls(changed)

    @property
    def old(self) -> bool:
        """Whether another write would have another time. Times of files can be those of the kernel's last tick."""
        return time.time_ns() - max(self.changed, self.log_changed) > 20_000_000


class _Rows:
    """What reading needs of a `Database`: a copy of a file that is up to date. Opening it as a process does takes
    longer than reading it."""

    def __init__(self, copy: sqlite3.Connection) -> None:
        self._copy = copy
        self.damages = Damages("the copy")
        copy.row_factory, copy.text_factory = sqlite3.Row, text_of

    async def read(self, sql: str, *values: Any, game: int | None = None) -> list[StoredRow]:
        return list(self._copy.execute(sql, values))


_NUMBERS = count()


@cache
def _room() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory()


@contextmanager
def _copied(path: Path) -> Iterator[tuple[Path, Files | None]]:
    """A copy of a file and its log, and what they were like."""
    copy = Path(_room().name) / f"{next(_NUMBERS)}.db"
    try:
        yield copy, _copy(path, copy)
    finally:
        for file in copy.parent.glob(f"{copy.name}*"):
            file.unlink()


def _copy(path: Path, copy: Path) -> Files | None:
    """Copy a file and its log as they are at one moment: not the file from before and the log from after a fold."""
    while True:
        before = Files.of(path)
        shutil.copy(path, copy)
        if before.log_header:
            shutil.copy(_log(path), _log(copy))
        if Files.of(path) == before:
            return before if before.old else None


def _log(database: Path) -> Path:
    return database.with_name(database.name + "-wal")


def shown(message: Message) -> tuple[list[Any], bytes]:
    """What a message shows: texts, live and disabled controls, and the picture. Mentions are replaced by names."""
    parts = looks(message.components)
    for user in message.mentions:
        parts = [(part[0] and part[0].replace(f"<@{user.id}>", user.name), *part[1:]) for part in parts]
    parts = [(part[0] and without_signs(part[0]), *part[1:]) for part in parts]
    return parts, message.files.get("board.png", b"")


def looks(components: list[Json]) -> list[Any]:
    """The texts and controls of a message, in order."""
    keys = ("content", "custom_id", "label", "style", "disabled", "placeholder")
    return [tuple(c.get(key) or None for key in keys) for c in walk(components) if c["type"] in (2, 3, 10)]
