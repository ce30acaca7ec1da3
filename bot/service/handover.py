"""Seats that change hands: one's own to somebody who accepts it, or a computer's to a substitute."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace

from bot.models import Table
from bot.plaintext import safe_name
from bot.proposals import DECLINED, SEATED, Proposal
from bot.service.games import GameService
from bot.service.news import with_news
from bot.service.repository import GameRepository
from bot.service.saving import save_change
from bot.service.seats import check_newcomer, check_running, with_offer
from bot.service.standing import tell_standing
from bot.service.waiting import DAY, window_anew
from bot.store import Store
from engine.actions import AgreeToCallOff, AgreeToEnd
from engine.errors import RefereeError
from engine.game import Game

log = logging.getLogger(__name__)


class HandoverService:
    """Offers seats to people, and seats those who accept."""

    def __init__(self, store: Store, repository: GameRepository, games: GameService, now: Callable[[], float]) -> None:
        """`now` in seconds since the epoch."""
        self._store, self._repository, self._games, self._now = store, repository, games, now

    async def offer(
        self, number: int, user: int, to: int, interaction: str, *, name: str = "", absent: int | None = None
    ) -> Table:
        """Offer one's own seat to somebody of that name, or to anybody (0); as host that of somebody else who is
        `absent`, for whom a computer plays.

        Panel becomes due. Codes: "no-table", "not-started", "archived", "over", "not-playing", "not-host",
        "handover/playing", "handover/not absent", "handover/declined", "handover/asked".
        """
        newcomer = (to, safe_name(name) if name else "")
        return await self._repository.alone(
            number, lambda table: self._offer(table, user, newcomer, interaction, absent)
        )

    async def accept(self, number: int, user: int, name: str, place: int, interaction: str) -> Table:
        """Take a seat that is offered; panel and hand become due. Codes as `offer`, and "handover/none"."""
        return await self._repository.alone(number, lambda table: self._accept(table, user, name, place, interaction))

    async def decline(self, number: int, user: int, name: str, interaction: str, *, place: int | None = None) -> Table:
        """Don't take it, or take one's offer back; as host that of the seat at a `place` where a computer plays.

        Codes: "handover/none", "handover/not offered" too.
        """
        return await self._repository.alone(number, lambda table: self._decline(table, user, name, interaction, place))

    async def _offer(
        self, table: Table, user: int, newcomer: tuple[int, str], interaction: str, absent: int | None
    ) -> Table:
        check_running(table)
        if await self._store.interaction(interaction):
            return table
        game = await self._repository.game(table.number)
        place = table.player(user if absent is None else absent)
        if table.player(user) is None or place is None:
            raise RefereeError("not-playing")
        if game.state.resigned >> game.state.order.index(place) & 1:
            raise RefereeError("not-playing/resigned")
        if absent not in (None, user):
            if user != (host := table.host_in(game)):
                name = next(member.name for member in table.members if member.user == host)
                raise RefereeError("not-host", host=name)
            if not table.members[place].level:
                raise RefereeError("handover/not absent", name=table.members[place].name)
        if newcomer[0] == user:
            raise RefereeError("handover/yourself")
        check_newcomer(table, place, newcomer[0], self._now())
        return await self._save(with_offer(table, place, *newcomer), table, interaction)

    async def _accept(self, table: Table, user: int, name: str, place: int, interaction: str) -> Table:
        check_running(table)
        if await self._store.interaction(interaction):
            return table
        if user in table.users:
            raise RefereeError("handover/you play")
        offered = next((h for h in table.choices.handovers if h.place == place and h.to in (0, user)), None)
        if offered is None:
            raise RefereeError("handover/none")
        old = await self._repository.game(table.number)
        game = old.copy()
        if game.state.resigned >> game.state.order.index(place) & 1:
            raise RefereeError("handover/none")
        changed = await seated(self._store, self._games, table, game, offered.place, user, name, self._now())
        log.info("Game %d: a seat has changed hands", table.number)
        return await self._save(changed, table, interaction, old, game)

    async def _decline(self, table: Table, user: int, name: str, interaction: str, other: int | None) -> Table:
        check_running(table)
        if await self._store.interaction(interaction):
            return table
        game, place = await self._repository.game(table.number), table.player(user)
        if other is None:
            kept = tuple(h for h in table.choices.handovers if h.to != user and h.place != place)
        else:
            withdrawn = withdrawable(table, game, user)
            kept = tuple(h for h in table.choices.handovers if h.place != other or other not in withdrawn)
        if kept == table.choices.handovers:
            raise RefereeError("handover/none" if other is None else "handover/not offered")
        now = self._now()
        said_no = [] if place is not None else [(user, now)]
        declined = (*(one for one in table.choices.declined if one[0] != user and now < one[1] + DAY), *said_no)
        changed = replace(table, choices=replace(table.choices, handovers=kept, declined=declined))
        for offered in table.choices.handovers:
            if place is None and offered not in kept:
                whose = table.members[offered.place]
                asks = table.host_in(game) if whose.level else whose.user
                changed = with_news(changed, game, DECLINED, user=asks, name=whose.name, newcomer=safe_name(name))
        return await self._save(changed, table, interaction)

    async def _save(
        self, table: Table, before: Table, interaction: str, old: Game | None = None, game: Game | None = None
    ) -> Table:
        return await save_change(self._repository, self._games, table, before, interaction, self._now(), old, game)


async def seated(
    store: Store, games: GameService, table: Table, game: Game, place: int, user: int, name: str, now: float
) -> Table:
    """The table with somebody else at a place: what is about the one who sat there goes, the host's office too, and of
    the newcomer nobody asks any more whether they are there.

    `game`: a copy, on which their votes to end it are taken back, and the newcomer's standing number is told (J2).
    """
    old = table.members[place]
    member = replace(old, user=user, name=safe_name(name), level="")
    members = (*table.members[:place], member, *table.members[place + 1 :])
    choices = replace(
        table.choices,
        handovers=tuple(h for h in table.choices.handovers if h.place != place and h.to != user),
        left=(*table.choices.left, (place, old.user, old.name)),
        taken=(*(one for one in table.choices.taken if one[0] != place), (place, game.revision)),
        replacing=tuple(vote for vote in table.choices.replacing if old.user not in vote),
        missed=tuple(m for m in table.choices.missed if m.user != old.user),
        gone=tuple(other for other in table.choices.gone if other not in (old.user, user)),
        declined=tuple(one for one in table.choices.declined if one[0] != user),
        turned_away=tuple(one for one in table.choices.turned_away if one[0] != user),
        on_leave=tuple(used for used in table.choices.on_leave if used[0] != old.user),
        proposals=_left(table.choices.proposals, place, user, old.user),
    )
    host = user if table.host == old.user else table.host
    seat = game.state.order.index(place)
    waits = tuple(wait for wait in table.waits if wait.seat != seat)
    table = replace(table, members=members, choices=choices, host=host, waits=waits)
    table = with_news(table, game, SEATED, user=user, name=old.name, newcomer=member.name)
    table = window_anew(await games.waiting.after(table, game, now), game, seat, now)
    public = game.view(None)
    if public.end_votes >> seat & 1:
        game.play(seat, AgreeToEnd(False))
    if public.call_off_votes >> seat & 1:
        game.play(seat, AgreeToCallOff(False))
    await tell_standing(store, table, game, seat)
    return table


def _left(proposals: tuple[Proposal, ...], place: int, user: int, gone: int) -> tuple[Proposal, ...]:
    """What is still proposed when a user takes the place of one who is gone, and whose votes go, too."""
    found = []
    for proposal in proposals:
        agreed = tuple(other for other in proposal.agreed if other != gone)
        against = tuple(other for other in proposal.against if other != gone)
        if proposal.place != place and proposal.newcomer != user and (agreed or proposal.newcomer):
            found.append(replace(proposal, agreed=agreed, against=against))
    return tuple(found)


def withdrawable(table: Table, game: Game, user: int) -> list[int]:
    """Places of others whose offered seats somebody can take back: as host all at which a computer plays."""
    if user != table.host_in(game):
        return []
    places = (offered.place for offered in table.choices.handovers)
    return [place for place in places if table.members[place].level and table.members[place].user != user]


def free_places(table: Table, game: Game) -> list[int]:
    """Places at which a computer plays and a person could: those of people, and those of the table's computers."""
    order, gone = game.state.order, game.state.resigned
    return [place for place, m in enumerate(table.members) if m.level and not gone >> order.index(place) & 1]
