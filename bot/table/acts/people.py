"""Forgetting a person: a name that says nothing takes their place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from bot.table.act import Act, By
from bot.table.guests import unrecognizable
from bot.table.parts import SEATED, Barred, Member, News
from bot.table.table import ARCHIVED, Table, seatings
from engine.game import Game
from players import OFFERED


@dataclass(frozen=True, slots=True)
class Forget(Act):
    """Forget a user who doesn't play: a new user number and name take their place at the table."""

    kind = "forget"
    user: int
    new: int
    name: str
    in_game = False
    is_shown = False

    def on(self, table: Table, game: Game | None, by: By) -> Table:
        return without_person(table, self.user, self.new, self.name)


@dataclass(frozen=True, slots=True)
class ForgetInGame(Forget):
    """The same in a game that runs. What the others decide is counted again, as they may all agree now."""

    kind = "forget-in-game"
    in_game = True
    is_shown = True

    def as_before(self, table: Table) -> Table:
        return without_person(table, self.user, self.new, self.name)  # else someone else would have come


def without_person(table: Table, user: int, new: int, name: str) -> Table:
    """The table without a user who doesn't play: a user number and a name that say nothing take their place. If an
    archived game is resumed one day, a bot plays for them."""

    def member(found: Member) -> Member:
        if found.user != user:
            return found
        level = found.level or (OFFERED[0] if table.status == ARCHIVED else "")
        return replace(found, user=new, name=name, phrase="", level=level)

    names = {m.name for m in table.members if m.user == user} | {n.name for n in seatings(table) if n.about == user}
    place = table.place_of(user)
    news = (_seated(n, user, new, name) if n.what == SEATED else n for n in table.news)
    motions = [replace(m, ayes=_but(m.ayes, user), noes=_but(m.noes, user)) for m in table.motions]
    return replace(
        table,
        host=new if table.host == user else table.host,
        ended_by=new if table.ended_by == user else table.ended_by,
        manager="" if table.ended_by == user else table.manager,
        members=tuple(map(member, table.members)),
        orders=tuple(replace(o, refused=_but(o.refused, user)) for o in table.orders if o.user != user),
        invited=tuple(guest for guest in table.invited if guest.user != user),
        called=_but(table.called, user),
        said_no=_but(table.said_no, user),
        barred=tuple(_barred(table, one, user, name) for one in table.barred),
        on_leave=tuple(pair for pair in table.on_leave if pair[0] != user),
        stops=tuple(stop for stop in table.stops if stop.user != user),
        missed=tuple(missed for missed in table.missed if missed.user != user),
        motions=tuple(m for m in motions if (m.ayes or m.newcomer) and user not in (m.newcomer, m.absent)),
        handovers=tuple(offered for offered in table.handovers if offered.to != user),
        gone=_but(table.gone, user),
        absences=tuple(replace(one, user=new) if one.user == user else one for one in table.absences),
        news=tuple(
            n for n in news if not (user in (n.user, n.about) or names & {n.name, n.newcomer} or _is_answer(n, place))
        ),
        wishes=tuple(wish for wish in table.wishes if wish.user != user),
        acted=tuple(acted for acted in table.acted if acted[0] != user),
    )


def _barred(table: Table, barred: Barred, user: int, name: str) -> Barred:
    """Someone who was taken off a table, with the user replaced: who is forgotten can't come back by that, also not at
    its rematch."""
    if barred.user != user:
        return barred
    salt = table.commitment
    return Barred(unrecognizable(salt, user), name, told=True, salt=salt)


def _seated(news: News, user: int, new: int, name: str) -> News:
    """News of a seat that changed hands, which is kept with the user replaced."""
    if news.about == user:
        news = replace(news, about=new, name=name)
    return replace(news, user=new, newcomer=name) if news.user == user else news


def _is_answer(news: News, place: int | None) -> bool:
    """Whether it names the owner of a seat, perhaps by an earlier name."""
    return news.is_answer and news.place == place


def _but(users: Iterable[int], user: int) -> tuple[int, ...]:
    return tuple(other for other in users if other != user)
