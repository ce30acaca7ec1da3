"""What the people at a table agree on while they play: another pace, a pause, and its end."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace

from bot.models import REMIND, Table
from bot.options import TABLE
from bot.plaintext import safe_name
from bot.proposals import PACE, PAUSE, RESUME, SUBSTITUTE, Proposal
from bot.service.games import GameService
from bot.service.handover import free_places, seated
from bot.service.news import with_news
from bot.service.repository import GameRepository
from bot.service.saving import save_change
from bot.service.seats import check_playing, check_running, is_outvoted, occupied, people
from bot.service.waiting import DAY
from bot.store import Store
from engine.errors import RefereeError
from engine.game import Game

log = logging.getLogger(__name__)

PATIENCE = DAY
"""Seconds until somebody who was refused a seat can ask again, and until others can where nobody has answered."""


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
        games.settle_by(self._recounted)

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
        choices, open_ = table.choices, _open(table, wanted.what)
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
        open_ = _open(table, SUBSTITUTE)
        if open_ is not None and (open_.newcomer, open_.place) == (wanted.newcomer, wanted.place):
            return Agreement(table, open_, False, len(people(table, game)))
        if open_ is not None and now < open_.at + PATIENCE:
            raise RefereeError("handover/another asks")
        return await self._counted(table, game, self._new(table, wanted), interaction)

    async def _agree(self, table: Table, user: int, what: str, made: int | None, interaction: str) -> Agreement:
        game = await self._checked(table, user)
        if (before := await self._repeated(table, game, interaction, Proposal(what, ()))) is not None:
            return before
        return await self._counted(table, game, _proposed(table, what, made).agreed_to_by(user), interaction)

    async def _decline(self, table: Table, user: int, what: str, made: int | None, interaction: str) -> Agreement:
        check_running(table)
        game = await self._repository.game(table.number)
        if (before := await self._repeated(table, game, interaction, Proposal(what, ()))) is not None:
            return before
        open_ = _proposed(table, what, made)
        if user != open_.newcomer:
            check_playing(table, game, user)
        playing = people(table, game)
        agreed = tuple(other for other in open_.agreed if other != user)
        against = tuple(dict.fromkeys((*open_.against, user)))
        declined = replace(open_, agreed=agreed, against=against)
        void = declined.is_void(playing) or user == open_.newcomer or not (agreed or open_.newcomer)
        changed = _without(table, open_) if void else _having(table, declined)
        if void and open_.newcomer:
            changed = _turned_away(changed, game, open_, self._now(), told=user != open_.newcomer)
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
        open_ = _open(table, wanted.what)
        return Agreement(table, open_ or wanted, open_ is None, len(people(table, game)))

    async def _counted(self, table: Table, old: Game, wanted: Proposal, interaction: str) -> Agreement:
        """Note who agrees; where that is enough, do it."""
        playing, game = people(table, old), old.copy()
        if done := wanted.holds(playing):
            changed = await self._carried_out(_without(table, wanted), game, wanted)
            log.info("Game %d: agreed on: %s", table.number, wanted.what)
            saved = await self._save(changed, table, interaction, old, game)
        else:
            saved = await self._save(_having(table, wanted), table, interaction)
        return Agreement(saved, wanted.among(playing), done, len(playing))

    async def _carried_out(self, table: Table, game: Game, agreed: Proposal) -> Table:
        now = self._now()
        if agreed.what == PAUSE:
            return replace(table, choices=replace(table.choices, paused=now))
        if agreed.what == RESUME:
            return await self._games.waiting.resumed(table, game, now)
        if agreed.what == SUBSTITUTE:
            if _is_gone(agreed, table, game):
                raise RefereeError("no-proposal")
            return await seated(self._store, self._games, table, game, agreed.place, agreed.newcomer, agreed.name, now)
        table = with_news(table, game, PACE, pace=agreed.pace, expiry=agreed.expiry)
        return await self._games.waiting.anew(table, game, now, pace=agreed.pace, expiry=agreed.expiry, missed=())

    async def _recounted(self, table: Table, game: Game) -> Table:
        """The table once all that more than half of those who play want by now is carried out, and what can't be agreed
        on any more is void: one of them has left, or is back."""
        while True:
            playing = people(table, game)
            table = _without_resigned(table, game)
            if len(playing) < 3:  # a single other's vote decides nothing, and would keep them from being asked
                table = replace(table, choices=replace(table.choices, replacing=()))
            if absent := next((user for user in playing if is_outvoted(table, game, user)), 0):
                table = await occupied(self._store, self._games, table, game, absent, "hard", self._now())
                log.info("Game %d: a computer plays for who is voted out", table.number)
                continue
            open_ = table.choices.proposals
            found = next((p for p in open_ if p.holds(playing) or p.is_void(playing) or _is_gone(p, table, game)), None)
            if found is None:
                return table
            table = _without(table, found)
            if _is_gone(found, table, game):
                continue
            if found.holds(playing):
                table = await self._carried_out(table, game, found)
                log.info("Game %d: agreed on: %s", table.number, found.what)
            elif found.newcomer:
                table = _turned_away(table, game, found, self._now())

    async def _save(
        self, table: Table, before: Table, interaction: str, old: Game | None = None, game: Game | None = None
    ) -> Table:
        return await save_change(self._repository, self._games, table, before, interaction, self._now(), old, game)


def _without_resigned(table: Table, game: Game) -> Table:
    """The table without what only those have proposed who have resigned, their votes, and the seats they offered."""
    gone = [place for place in range(len(table.members)) if game.state.resigned >> table.seat_at(game, place) & 1]
    proposals = (
        p.among([u for place, u in enumerate(table.users) if place not in gone]) for p in table.choices.proposals
    )
    choices = replace(
        table.choices,
        proposals=tuple(proposal for proposal in proposals if proposal.agreed or proposal.newcomer),
        handovers=tuple(offered for offered in table.choices.handovers if offered.place not in gone),
    )
    return replace(table, choices=choices)


def _is_gone(proposal: Proposal, table: Table, game: Game) -> bool:
    """Whether the seat that it is about is no computer's any more, or who wants it plays."""
    asks = proposal.what == SUBSTITUTE
    return asks and (proposal.place not in free_places(table, game) or proposal.newcomer in table.users)


def _open(table: Table, what: str) -> Proposal | None:
    """What is proposed of a kind."""
    return next((proposal for proposal in table.choices.proposals if proposal.what == what), None)


def _proposed(table: Table, what: str, made: int | None) -> Proposal:
    """The same; code: "no-proposal" where it isn't, or is another than the one that was `made`."""
    open_ = _open(table, what)
    if open_ is None or made not in (None, open_.made):
        raise RefereeError("no-proposal")
    return open_


def _without(table: Table, proposal: Proposal) -> Table:
    """The table without proposals of that kind."""
    left = tuple(other for other in table.choices.proposals if other.what != proposal.what)
    return replace(table, choices=replace(table.choices, proposals=left))


def _having(table: Table, proposal: Proposal) -> Table:
    """The table with that proposal, in the place of another of its kind."""
    left, proposed = _without(table, proposal).choices.proposals, max(table.choices.proposed, proposal.made)
    return replace(table, choices=replace(table.choices, proposals=(*left, proposal), proposed=proposed))


def _turned_away(table: Table, game: Game, wanted: Proposal, now: float, *, told: bool = True) -> Table:
    """With somebody who doesn't get a seat; those of long ago are forgotten. `told`: that is news."""
    user = wanted.newcomer
    recent = (found for found in table.choices.turned_away if now < found[1] + PATIENCE and found[0] != user)
    table = replace(table, choices=replace(table.choices, turned_away=(*recent, (user, now))))
    whose = table.members[wanted.place].name
    return with_news(table, game, SUBSTITUTE, user=user, name=whose, newcomer=wanted.name) if told else table
