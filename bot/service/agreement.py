"""What the people at a table agree on while they play: another pace, a pause, and its end."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace

from bot.plaintext import safe_name
from bot.service.games import GameService
from bot.service.repository import GameRepository
from bot.service.saving import save_change
from bot.store import Store
from bot.table.motions import (
    PATIENCE,
    carried_out,
    having,
    open_motion,
    proposed,
    turned_away,
    without,
)
from bot.table.options import TABLE
from bot.table.proposals import PACE, PAUSE, RESUME, SUBSTITUTE, Proposal
from bot.table.seats import check_playing, check_running, free_places, who_plays
from bot.table.table import REMIND, Table
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
    void: bool = False
    """Whether so many are against it that it can't be agreed on any more."""

    @property
    def needed(self) -> int:
        """How many have to agree, at least two."""
        return self.of // 2 + 1


class AgreementService:
    """Proposals of one person to all who play, one of each kind at a time; one holds once more than half of them agree,
    and is void once that can't be any more."""

    def __init__(self, store: Store, repository: GameRepository, games: GameService, now: Callable[[], float]) -> None:
        """`now` in seconds since the epoch."""
        self._store, self._repository, self._games, self._now = store, repository, games, now

    async def propose(
        self, number: int, user: int, what: str, interaction: str, *, pace: int = 0, expiry: str = REMIND
    ) -> Agreement:
        """Propose something, or agree to it where it is proposed already; another pace of one's own is void then, and
        somebody else's after a day.

        Panel becomes due. Codes: "no-table", "not-started", "archived", "over", "not-playing", "replaced", "pace",
        "option", "paused/already", "not-paused", "pace/same", "pace/another".
        """
        TABLE["pace"].check(None, pace)
        TABLE["expiry"].check(None, expiry)
        wanted = Proposal(what, (user,), pace=pace, expiry=expiry)
        return await self._repository.alone(number, lambda table: self._propose(table, user, wanted, interaction))

    async def substitute(self, number: int, user: int, name: str, place: int, interaction: str) -> Agreement:
        """Ask those who play for a seat that a computer plays, as somebody who doesn't play.

        Codes: "no-table", "not-started", "archived", "over", "handover/you play", "handover/no seat",
        "handover/turned away", "handover/another asks".
        """
        wanted = Proposal(SUBSTITUTE, (), newcomer=user, name=safe_name(name), place=place)
        return await self._repository.alone(number, lambda table: self._substitute(table, wanted, interaction))

    async def agree(self, number: int, user: int, what: str, interaction: str, *, made: int | None = None) -> Agreement:
        """Agree to what is proposed; `made`: to that proposal alone. Codes as `propose`, and "no-proposal"."""
        return await self._repository.alone(number, lambda table: self._agree(table, user, what, made, interaction))

    async def decline(
        self, number: int, user: int, what: str, interaction: str, *, made: int | None = None
    ) -> Agreement:
        """Be against what is proposed, or take it back as who wants a seat. Codes as `agree`."""
        return await self._repository.alone(number, lambda table: self._decline(table, user, what, made, interaction))

    async def _propose(self, table: Table, user: int, wanted: Proposal, interaction: str) -> Agreement:
        game = await self._checked(table, user)
        if (before := await self._repeated(table, game, interaction, wanted)) is not None:
            return before
        choices, open_ = table.choices, open_motion(table, wanted.what)
        if wanted.what == PAUSE and choices.paused:
            raise RefereeError("paused/already")
        if wanted.what == RESUME and not choices.paused:
            raise RefereeError("not-paused")
        if wanted.what == PACE and (wanted.pace, wanted.expiry) == (choices.pace, choices.expiry):
            raise RefereeError("pace/same")
        if open_ is not None and (open_.pace, open_.expiry) == (wanted.pace, wanted.expiry):
            return await self._counted(table, game, open_.agreed_to_by(user), interaction)
        if open_ is not None and open_.agreed[:1] != (user,) and self._now() < open_.at + PATIENCE:
            raise RefereeError("pace/another")  # what others have agreed to isn't voided by somebody else's wish
        return await self._counted(table, game, self._new(table, wanted), interaction)

    async def _substitute(self, table: Table, wanted: Proposal, interaction: str) -> Agreement:
        check_running(table)
        game, now = await self._repository.game(table.number), self._now()
        if (before := await self._repeated(table, game, interaction, wanted)) is not None:
            return before
        if wanted.newcomer in table.users:
            raise RefereeError("handover/you play")
        if wanted.place not in free_places(table, game):
            raise RefereeError("handover/no seat")
        if any(user == wanted.newcomer and now < at + PATIENCE for user, at in table.choices.turned_away):
            raise RefereeError("handover/turned away")
        open_ = open_motion(table, SUBSTITUTE)
        if open_ is not None and (open_.newcomer, open_.place) == (wanted.newcomer, wanted.place):
            return Agreement(table, open_, False, len(who_plays(table, game)))
        if open_ is not None and now < open_.at + PATIENCE:
            raise RefereeError("handover/another asks")
        return await self._counted(table, game, self._new(table, wanted), interaction)

    async def _agree(self, table: Table, user: int, what: str, made: int | None, interaction: str) -> Agreement:
        game = await self._checked(table, user)
        if (before := await self._repeated(table, game, interaction, Proposal(what, ()))) is not None:
            return before
        return await self._counted(table, game, proposed(table, what, made).agreed_to_by(user), interaction)

    async def _decline(self, table: Table, user: int, what: str, made: int | None, interaction: str) -> Agreement:
        check_running(table)
        game = await self._repository.game(table.number)
        if (before := await self._repeated(table, game, interaction, Proposal(what, ()))) is not None:
            return before
        open_ = proposed(table, what, made)
        if user != open_.newcomer:
            check_playing(table, game, user)
        playing = who_plays(table, game)
        agreed = tuple(other for other in open_.agreed if other != user)
        against = tuple(dict.fromkeys((*open_.against, user)))
        declined = replace(open_, agreed=agreed, against=against)
        void = declined.is_void(playing) or user == open_.newcomer or not (agreed or open_.newcomer)
        changed = without(table, open_) if void else having(table, declined)
        if void and open_.newcomer:
            changed = turned_away(changed, game, open_, self._now(), told=user != open_.newcomer)
        return Agreement(await self._save(changed, table, interaction), declined, False, len(playing), void)

    def _new(self, table: Table, wanted: Proposal) -> Proposal:
        return replace(wanted, made=table.choices.proposed + 1, at=self._now())

    async def _checked(self, table: Table, user: int) -> Game:
        check_running(table)
        game = await self._repository.game(table.number)
        check_playing(table, game, user)
        return game

    async def _repeated(self, table: Table, game: Game, interaction: str, wanted: Proposal) -> Agreement | None:
        """What came of an interaction that has been carried out."""
        if not await self._store.interaction(interaction):
            return None
        open_ = open_motion(table, wanted.what)
        return Agreement(table, open_ or wanted, open_ is None, len(who_plays(table, game)))

    async def _counted(self, table: Table, old: Game, wanted: Proposal, interaction: str) -> Agreement:
        """Note who agrees; where that is enough, do it."""
        playing, game = who_plays(table, old), old.copy()
        if done := wanted.holds(playing):
            people = await self._repository.people(table, wanted.newcomer)
            changed = carried_out(without(table, wanted), game, people, wanted, self._now())
            log.info("Game %d: agreed on: %s", table.number, wanted.what)
            saved = await self._save(changed, table, interaction, old, game)
        else:
            saved = await self._save(having(table, wanted), table, interaction)
        return Agreement(saved, wanted.among(playing), done, len(playing))

    async def _save(
        self, table: Table, before: Table, interaction: str, old: Game | None = None, game: Game | None = None
    ) -> Table:
        return await save_change(self._repository, self._games, table, before, interaction, self._now(), old, game)
