"""What the people at a table agree on while they play: another pace, a pause, and its end."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace

from bot.models import PACE, PANEL, PAUSE, REMIND, RESUME, SUBSTITUTE, Proposal, Table, hand_name
from bot.plaintext import safe_name
from bot.service.games import GameService
from bot.service.handover import free_places, seated
from bot.service.lobby_rules import check_pace
from bot.service.repository import GameRepository
from bot.service.seats import check_playing, check_running, people
from bot.service.waiting import later
from bot.store import Store
from engine.errors import RefereeError
from engine.game import Game

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Agreement:
    """What came of a proposal."""

    table: Table
    proposal: Proposal
    done: bool
    of: int
    """How many people play; more than half of them decide."""


class AgreementService:
    """Proposals of one person to all who play, one at a time; it holds once more than half of them agree."""

    def __init__(self, store: Store, repository: GameRepository, games: GameService, now: Callable[[], float]) -> None:
        """`now` in seconds since the epoch."""
        self._store, self._repository, self._games, self._now = store, repository, games, now

    async def propose(
        self, number: int, user: int, what: str, interaction: str, *, pace: int = 0, expiry: str = REMIND
    ) -> Agreement:
        """Propose something, or agree to it where it is proposed already; another proposal is void then.

        Panel becomes due. Codes: "no-table", "not-started", "archived", "over", "not-playing", "replaced", "pace",
        "expiry", "paused/already", "not-paused", "pace/same".
        """
        check_pace(pace, expiry)
        wanted = Proposal(what, (user,), pace, expiry)
        return await self._repository.alone(number, lambda table: self._propose(table, user, wanted, interaction))

    async def substitute(self, number: int, user: int, name: str, place: int, interaction: str) -> Agreement:
        """Ask those who play for a seat that a computer plays, as somebody who doesn't play.

        Codes: "no-table", "not-started", "archived", "over", "handover/playing", "handover/no seat".
        """
        wanted = Proposal(SUBSTITUTE, (), newcomer=user, name=safe_name(name), place=place)
        return await self._repository.alone(number, lambda table: self._substitute(table, wanted, interaction))

    async def agree(self, number: int, user: int, what: str, interaction: str) -> Agreement:
        """Agree to what is proposed. Codes as `propose`, and "no-proposal"."""
        return await self._repository.alone(number, lambda table: self._agree(table, user, what, interaction))

    async def decline(self, number: int, user: int, interaction: str) -> Table:
        """Be against what is proposed: then it is void. Codes as `agree`."""
        return await self._repository.alone(number, lambda table: self._decline(table, user, interaction))

    async def _propose(self, table: Table, user: int, wanted: Proposal, interaction: str) -> Agreement:
        game = await self._checked(table, user)
        if (before := await self._repeated(table, game, interaction, wanted)) is not None:
            return before
        choices, open_ = table.choices, table.choices.proposal
        if wanted.what == PAUSE and choices.paused:
            raise RefereeError("paused/already")
        if wanted.what == RESUME and not choices.paused:
            raise RefereeError("not-paused")
        if wanted.what == PACE and (wanted.pace, wanted.expiry) == (choices.pace, choices.expiry):
            raise RefereeError("pace/same")
        if open_ is not None and replace(open_, agreed=()) == replace(wanted, agreed=()):
            wanted = replace(wanted, agreed=tuple(dict.fromkeys((*open_.agreed, user))))
        return await self._counted(table, game, wanted, interaction)

    async def _substitute(self, table: Table, wanted: Proposal, interaction: str) -> Agreement:
        check_running(table)
        game = await self._repository.game(table.number)
        if (before := await self._repeated(table, game, interaction, wanted)) is not None:
            return before
        if wanted.newcomer in table.users:
            raise RefereeError("handover/playing")
        if wanted.place not in free_places(table, game):
            raise RefereeError("handover/no seat")
        return await self._counted(table, game, wanted, interaction)

    async def _agree(self, table: Table, user: int, what: str, interaction: str) -> Agreement:
        game = await self._checked(table, user)
        if (before := await self._repeated(table, game, interaction, Proposal(what, ()))) is not None:
            return before
        open_ = table.choices.proposal
        if open_ is None or open_.what != what:
            raise RefereeError("no-proposal")
        return await self._counted(
            table, game, replace(open_, agreed=tuple(dict.fromkeys((*open_.agreed, user)))), interaction
        )

    async def _decline(self, table: Table, user: int, interaction: str) -> Table:
        await self._checked(table, user)
        if await self._store.interaction(interaction):
            return table
        if table.choices.proposal is None:
            raise RefereeError("no-proposal")
        void = replace(table, choices=replace(table.choices, proposal=None))
        return await self._save(void, table, interaction)

    async def _checked(self, table: Table, user: int) -> Game:
        check_running(table)
        game = await self._repository.game(table.number)
        check_playing(table, game, user)
        return game

    async def _repeated(self, table: Table, game: Game, interaction: str, wanted: Proposal) -> Agreement | None:
        """What came of an interaction that has been carried out."""
        if not await self._store.interaction(interaction):
            return None
        open_ = table.choices.proposal
        return Agreement(table, open_ or wanted, open_ is None, len(people(table, game)))

    async def _counted(self, table: Table, game: Game, wanted: Proposal, interaction: str) -> Agreement:
        """Note who agrees; where that is enough, do it."""
        playing = people(table, game)
        agreed = [user for user in wanted.agreed if user in playing]
        done = 2 * len(agreed) > len(playing)
        choices = replace(table.choices, proposal=None if done else wanted)
        changed = replace(table, choices=choices)
        if done:
            changed = await self._carried_out(changed, game, wanted)
            log.info("Game %d: agreed on: %s", table.number, wanted.what)
        saved = await self._save(changed, table, interaction, game if done else None)
        return Agreement(saved, wanted, done, len(playing))

    async def _carried_out(self, table: Table, game: Game, agreed: Proposal) -> Table:
        now = self._now()
        if agreed.what == PAUSE:
            return replace(table, choices=replace(table.choices, paused=now))
        if agreed.what == RESUME:
            running = replace(table, choices=replace(table.choices, paused=0.0))
            return later(running, now - table.choices.paused)
        if agreed.what == SUBSTITUTE:
            if agreed.place not in free_places(table, game) or agreed.newcomer in table.users:
                raise RefereeError("no-proposal")
            return await seated(self._games, table, game, agreed.place, agreed.newcomer, agreed.name, now)
        choices = replace(table.choices, pace=agreed.pace, expiry=agreed.expiry, missed=())
        return await self._games.waiting.anew(replace(table, choices=choices), game, now)

    async def _save(self, table: Table, before: Table, interaction: str, game: Game | None = None) -> Table:
        table = replace(table, version=before.version + 1, updated=self._now())
        jobs = {} if game is None else await self._games.planned(table, game)
        members = table.members != before.members
        due = [PANEL, *[hand_name(user) for user in {*table.people, *before.people} if members]]
        return await self._repository.save(table, interaction, due, before=before, members=members, jobs=jobs)
