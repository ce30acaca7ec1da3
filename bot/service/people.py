"""People: their names at the tables, their settings for all their games, and the data that is kept about them, shown to
them and forgotten when they want it. And when direct messages to them can be opened: one after another, and not at all
for hours after Discord calls them too many."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from bot.plaintext import safe_name
from bot.projections import PASSING, Kind, Move, Name, State, moved
from bot.ratings import PersonResult
from bot.service.games import GameService
from bot.service.jobs import Jobs
from bot.service.repository import GameRepository
from bot.store import Store
from bot.store.base import CALL_JOB, LOOK_JOB
from bot.table.acts.lobby import Rename
from bot.table.acts.people import Forget, ForgetInGame, without_person
from bot.table.acts.play import Play
from bot.table.orders import Orders
from bot.table.parts import FORGOTTEN
from bot.table.preferences import MOST_STANDING, UserSettings
from bot.table.seats import who_plays
from bot.table.table import ARCHIVED, LOBBY, OVER, RUNNING, Table
from engine.actions import SetStanding
from engine.codec import encode
from engine.errors import RefereeError
from engine.refusals import Listed

# --- direct messages

log = logging.getLogger(__name__)

OPENINGS_APART, OPENINGS_AT_ONCE = 240.0, 5
"""Seconds between two openings by all processes together, and how many can come immediately: enough for a table of
friends. Discord names no limit; other bots are said to have been stopped after some 25 in a short time."""
LONGEST_QUEUE = 2 * 3600.0
"""Seconds that a person waits for their turn at most; if all turns within them are taken, no more are given."""
STOPPED_FOR = 6 * 3600.0
"""Seconds for which none is opened after Discord has refused one as too many."""
LOOK_WHETHER_STOPPED = 10.0
"""Seconds after which a process learns that another one was refused."""
OPENINGS_BUCKET = -1
"""The bucket in which the store counts these turns, apart from those of new sessions."""


class Directs:
    """Turns for opening direct messages; all processes share them through the store."""

    def __init__(self, store: Store, now: Callable[[], float]) -> None:
        """`now` in seconds since the epoch."""
        self._store, self._now = store, now
        self._until = self._looked = 0.0
        self._turns: dict[int, float] = {}
        """When each user's turn comes."""

    async def stopped(self) -> bool:
        """Whether no direct messages can be opened at present."""
        now = self._now()
        if abs(now - self._looked) >= LOOK_WHETHER_STOPPED:
            self._until, self._looked = await self._store.stopped(), now
        return now < self._until

    async def stop(self) -> None:
        """Open none for hours, since Discord has refused one as too many."""
        self._looked = self._now()
        self._until = self._looked + STOPPED_FOR
        log.warning(
            "Discord lets Harbormaster open no more direct messages: for %.0f hours it calls people in channels only",
            STOPPED_FOR / 3600,
        )
        await self._store.stop(self._until)

    async def wait(self, user: int) -> float | None:
        """Reserve a turn to open a user's direct messages. Returns the seconds until it comes; None: too many others
        are waiting."""
        now = self._now()
        self._turns = {user: turn for user, turn in self._turns.items() if now <= turn + OPENINGS_APART}
        if user not in self._turns:  # no turn is reserved, or it has passed
            turn = await self._store.turn_before(
                now + LONGEST_QUEUE, OPENINGS_BUCKET, now - (OPENINGS_AT_ONCE - 1) * OPENINGS_APART, OPENINGS_APART
            )
            if turn is None:
                return None
            self._turns[user] = max(turn, now)  # kept until it has passed, however often an outage has it tried
        return max(self._turns[user] - now, 0.0)

    async def promise(self, user: int, at: float | None) -> None:
        """Note that a user is written to at a time, in seconds since the epoch; None: it is done, or won't be."""
        await self._store.promise(user, at)

    async def promised(self) -> dict[int, float]:
        """When users who were promised a message are written to."""
        return await self._store.promised()

    def moved(self, seconds: float) -> None:
        """Move the turns that were given, as the clock was set by so many seconds; in the store they have moved."""
        self._turns = {user: turn + seconds for user, turn in self._turns.items()}

    def opened(self, user: int) -> None:
        """Drop a user's turn, as their direct messages have been opened."""
        self._turns.pop(user, None)


# --- names and settings


class PeopleService:
    """Names and settings."""

    def __init__(
        self, store: Store, repository: GameRepository, games: GameService, jobs: Jobs, directs: Directs
    ) -> None:
        self._store, self._repository, self._games, self._jobs, self._directs = store, repository, games, jobs, directs

    async def rename(self, number: int, user: int, name: str) -> Table:
        """Note a member's present display name; has no effect for others or the same name. Code: "no-table"."""
        table, name = await self._repository.table(number), safe_name(name)
        place = table.place_of(user)
        if place is None or table.members[place].name == name:
            return table
        return (await self._games.act(number, user, Rename(name))).table

    async def settings(self, user: int) -> UserSettings:
        """A user's settings, or the defaults."""
        return replace(await self._store.settings(user), stopped=await self._directs.stopped())

    async def settings_of(self, users: Collection[int]) -> dict[int, UserSettings]:
        """The settings of several users."""
        stored, stopped = await self._store.settings_of(users) if users else {}, await self._directs.stopped()
        return {user: replace(stored.get(user) or UserSettings(user), stopped=stopped) for user in users}

    async def change_settings(
        self,
        user: int,
        *,
        dms: bool | None = None,
        dms_closed: bool | None = None,
        standing: int | None = None,
        choices: Mapping[str, Any] = MappingProxyType({}),
        interaction: str = "",
    ) -> UserSettings:
        """Change settings; None, and what isn't in `choices`, stays as it was. Switching direct messages on
        forgets that they were closed, as does `dms_closed` False; so no game concludes it from an earlier refusal.

        A new number of cards from which the user is called to build (J2) is told to their running games, which needs
        an `interaction`. Code: "standing" (0, which is never, to 20 cards).
        """
        if standing is not None and not 0 <= standing <= MOST_STANDING:
            raise RefereeError("standing", most=MOST_STANDING)

        def changed(settings: UserSettings) -> UserSettings:
            if dms is not None:
                asked = replace(settings.choices, messages=dms)
                settings = replace(settings, dms_closed=settings.dms_closed and not dms, choices=asked)
            if dms_closed is not None:
                settings = replace(settings, dms_closed=dms_closed)
            if standing is not None:
                settings = replace(settings, standing=standing)
            chosen = replace(settings.choices, **choices)
            if standing is not None:
                chosen = replace(chosen, building_chosen=True)
            return replace(settings, choices=chosen)

        jobs = list[str]()
        if not choices.keys().isdisjoint(("quiet", "zone")):
            jobs.append(LOOK_JOB)  # reminders that were held up may be due now
        if "direct" in choices and self._store.shared:
            jobs.append(f"{CALL_JOB}:direct")  # another process can be waiting for a turn to open them
        settings = await self._jobs.change_settings(user, changed, jobs)
        if dms or dms_closed is False:
            await self._forget_refusals(user)
        if standing is not None or "building_chosen" in choices:
            for number in await self._store.played_by(user):
                id = f"{interaction}-{number}"
                await update_standing(self._repository, self._games, number, user, id)
        return settings

    async def _forget_refusals(self, user: int) -> None:
        """Have calls that are still to come, as direct messages to a user were refused, say nothing about the user."""
        refused, passing = (Name(Kind.UNREACHED, key, user) for key in ("", PASSING))
        for table in await self._repository.games_of(user, RUNNING, ARCHIVED):
            note = (await self._store.visible(table.number)).get(refused)
            if note is not None and note.state in (State.WANTED, State.POSTING) and not table.options.rooms:
                await self._store.note(table.number, [moved(None, passing, Move.DUE, note.version)], [refused])


async def update_standing(
    repository: GameRepository, games: GameService, number: int, user: int, interaction: str
) -> None:
    """Tell a running game from how many cards on a user, who has just chosen, is called to build (J2)."""
    try:
        table, game = await repository.table(number), await repository.game(number)
        seat = table.seat_of(game, user)
        if not game.rules.data.special_building or seat is None:
            return
        standing = (await repository.people(table)).called_from(table, game, seat)
        if game.state.standing[seat] != standing:
            await games.act(number, user, Play(SetStanding(standing)), interaction)
    except RefereeError as refusal:  # the user has left the game, or it has just ended
        log.info("Game %d: no standing number: %s", number, refusal)


# --- their data

FORGOTTEN_NUMBERS = 1_000_000
"""How many numbers there are for forgotten people: enough that people can tell their names apart."""


class PrivacyService:
    """A person's own data."""

    def __init__(
        self, store: Store, repository: GameRepository, games: GameService, entropy: Callable[[int], bytes]
    ) -> None:
        """`entropy(n)` gives n bytes of chance."""
        self._store = store
        self._repository, self._games = repository, games
        self._entropy = entropy

    async def data(self, user: int) -> dict[str, Any]:
        """All that is kept about a user, as JSON data, without other people's secrets, and without the actions that are
        part of games."""
        settings = await self._store.settings(user)
        found: dict[str, Any] = {"user": user, "settings": encode(settings.choices), "games": [], "new_tables": []}
        found["settings"]["standing"] = settings.standing
        tables, unreadable = await self._tables(user)
        found["games"] += [{"game": number, "status": "unreadable"} for number in unreadable]
        for table in tables:
            found["games"].append(_game_data(table, user))
            if (orders := table.orders_of(user)) != Orders(user):
                found["games"][-1]["orders"] = encode(orders)
            place = table.place_of(user)
            if table.status == OVER and place is not None:  # before that, gaps would show what others did in secret
                with suppress(RefereeError):  # the game can't be read
                    made = await self._store.made_by(table.number, place)
                    found["games"][-1]["own actions"] = None if made is None else sorted(made)
        for guild, asked in (await self._store.subscriptions_of(user)).items():
            found["new_tables"].append({"server": guild, "told": asked.told, **encode(asked.chosen)})
        results = [(r, p) for r in await self._store.results() for p in r.people if p.user == user]
        acts = await self._store.acts_of(user)
        found["acts"] = [{"game": line.game, "at": line.at, "what": line.kind} for line in acts]
        found["results"] = [{"game": r.game, "server": r.guild, "ended": r.ended, **encode(p)} for r, p in results]
        found["promptness"] = [
            {"game": game, "server": guild, **{how: n for how, n in tally.decisions.items() if n}}
            for game, guild, tally in await self._store.promptness_by_game(user)
        ]
        return found

    async def check(self, user: int) -> None:
        """Raise a refusal if the user is playing. Codes: "forget/playing", "forget/waiting"."""
        playing = [table for table in (await self._tables(user))[0] if await self._plays(table, user)]
        for status, code in ((RUNNING, "forget/playing"), (LOBBY, "forget/waiting")):
            if numbers := [table.number for table in playing if table.status == status]:
                raise RefereeError(code, number=numbers[0])

    async def forget(self, user: int) -> str:
        """Forget a user: settings, orders, ratings, phrases, and how fast they decided. In games they get a name that
        says nothing. Returns that name, or "" if no table had anything about them. An interrupted call can simply be
        repeated.

        Raises as `check`, and "forget/unreadable" if games can't be read, after all else is forgotten.
        """
        await self.check(user)
        tables, unreadable = await self._tables(user)
        taken = {other for table in tables for other in table.users}
        number = int.from_bytes(self._entropy(4), "big") % FORGOTTEN_NUMBERS
        while FORGOTTEN + number in taken:
            number = (number + 1) % FORGOTTEN_NUMBERS
        new, name = FORGOTTEN + number, f"Player {number}"
        for table in tables:
            await self._forget_at(table, Forget(user, new, name))
        for result in await self._store.results():
            people = tuple(_forgotten_person(person, user, new, name) for person in result.people)
            if people != result.people:
                await self._store.set_result(result.game, replace(result, people=people))
        await self._store.forget(user)
        kept = list[str]()
        for lost in unreadable:
            try:
                await self._games.act(lost, 0, Forget(user, new, name))
            except RefereeError:
                kept.append(str(lost))
        if kept:
            raise RefereeError("forget/unreadable", games=Listed(kept))
        return name if tables else ""

    async def _plays(self, table: Table, user: int) -> bool:
        """Whether forgetting the user would leave a gap: not if a bot plays for them, or the game is over for them."""
        if not any(member.user == user and not member.level for member in table.members):
            return False
        if table.status == RUNNING:
            with suppress(RefereeError):  # the game can't be read
                return user in who_plays(table, await self._repository.game(table.number))
        return table.status in (LOBBY, RUNNING)

    async def _forget_at(self, table: Table, act: Forget) -> None:
        if table.status == RUNNING:
            with suppress(RefereeError):  # the game can't be read, or has just ended
                await self._games.act(table.number, 0, ForgetInGame(act.user, act.new, act.name))
                return
        await self._games.act(table.number, 0, act)

    async def _tables(self, user: int) -> tuple[list[Table], list[int]]:
        """The tables that have something about a user, and the numbers of those that can't be read."""
        numbers = await self._store.concerning(user)
        found = await self._repository.readable(numbers)
        unreadable = sorted({*numbers} - {table.number for table in found})
        return [table for table in found if without_person(table, user, FORGOTTEN, "") != table], unreadable


def _forgotten_person(person: PersonResult, user: int, new: int, name: str) -> PersonResult:
    return replace(person, user=new, name=name) if person.user == user else person


def _game_data(table: Table, user: int) -> dict[str, Any]:
    """What a game has about a user."""
    own = next((member for member in table.members if member.user == user), None)
    data: dict[str, Any] = {
        "game": table.number,
        "server": table.guild,
        "channel": table.channel,
        "status": table.status,
        "opened": table.created,
        "host": table.host == user,
        "seat kept": table.is_invited(user),
        "seat declined": user in table.said_no,
        "taken off": any(barred.user == user for barred in table.barred),
    }
    if own is not None:
        data |= {"name": own.name, "color": own.color, "phrase": own.phrase}
    data["last acted"] = next((at for other, _seen, at in table.acted if other == user), None)
    data["votes"] = [
        {"about": motion.kind, "agrees": user in motion.ayes}
        for motion in table.motions
        if user in (*motion.ayes, *motion.noes)
    ]
    return data
