"""The data that is kept about a person: shown to them, and forgotten when they want it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from bot.results import PersonResult
from bot.service.games import GameService
from bot.service.repository import GameRepository
from bot.store import Store
from bot.table.acts.forgetting import Forget, without
from bot.table.member import FORGOTTEN
from bot.table.orders import Orders
from bot.table.table import LOBBY, RUNNING, Table
from engine.codec import encode
from engine.errors import RefereeError

NUMBERS = 1_000_000
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
        """All that is kept about a user, as JSON data, without other people's secrets."""
        settings = await self._store.settings(user)
        found: dict[str, Any] = {"user": user, "settings": encode(settings.choices), "games": []}
        for table in await self._tables(user):
            found["games"].append(_game(table, user))
            if (orders := table.orders_of(user)) != Orders(user):
                found["games"][-1]["orders"] = encode(orders)
        results = [(r, p) for r in await self._store.results() for p in r.people if p.user == user]
        acts = await self._store.acts_of(user)
        found["acts"] = [{"game": line.game, "at": line.at, "what": line.kind} for line in acts]
        found["results"] = [{"game": r.game, "server": r.guild, "ended": r.ended, **encode(p)} for r, p in results]
        return found

    async def check(self, user: int) -> None:
        """Raise a refusal if the user is playing. Codes: "forget/playing", "forget/waiting"."""
        playing = [table for table in await self._tables(user) if _plays(table, user)]
        for status, code in ((RUNNING, "forget/playing"), (LOBBY, "forget/waiting")):
            if numbers := [table.number for table in playing if table.status == status]:
                raise RefereeError(code, number=numbers[0])

    async def forget(self, user: int) -> str:
        """Forget a user: settings, orders, ratings and phrases. In games they get a name that says nothing. Returns
        that name, or "" if no table had anything about them. Raises as `check`. An interrupted call can simply be
        repeated."""
        await self.check(user)
        tables = await self._tables(user)
        taken = {other for table in tables for other in table.users}
        number = int.from_bytes(self._entropy(4), "big") % NUMBERS
        while FORGOTTEN + number in taken:
            number = (number + 1) % NUMBERS
        new, name = FORGOTTEN + number, f"Player {number}"
        for table in tables:
            await self._games.act(table.number, 0, Forget(user, new, name))
        for result in await self._store.results():
            people = tuple(_forgotten(person, user, new, name) for person in result.people)
            if people != result.people:
                await self._store.set_result(result.game, replace(result, people=people))
        await self._store.forget(user)
        return name if tables else ""

    async def _tables(self, user: int) -> list[Table]:
        """The tables that have something about a user."""
        found = [await self._repository.table(number) for number in await self._store.concerning(user)]
        return [table for table in found if without(table, user, FORGOTTEN, "") != table]


def _forgotten(person: PersonResult, user: int, new: int, name: str) -> PersonResult:
    return replace(person, user=new, name=name) if person.user == user else person


def _plays(table: Table, user: int) -> bool:
    """Whether forgetting the user would leave a gap: not if a bot plays for them or the game is over."""
    seated = any(member.user == user and not member.level for member in table.members)
    return seated and table.status in (LOBBY, RUNNING)


def _game(table: Table, user: int) -> dict[str, Any]:
    """What a game has about a user."""
    own = next((member for member in table.members if member.user == user), None)
    data: dict[str, Any] = {
        "game": table.number,
        "server": table.guild,
        "channel": table.channel,
        "status": table.status,
        "opened": table.created,
        "host": table.host == user,
    }
    if own is not None:
        data |= {"name": own.name, "color": own.color, "phrase": own.phrase}
    return data
