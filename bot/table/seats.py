"""Who plays in the seats of a running game: the people whose they are, computers for them, who comes after them."""

from __future__ import annotations

from dataclasses import replace

from bot.plaintext import safe_name
from bot.table import waiting
from bot.table.news import with_news
from bot.table.people import People, tell_standing
from bot.table.proposals import COMPUTER, RESUME, RETURNED, SEATED, Handover, Proposal
from bot.table.table import Table, Wait
from engine.actions import AgreeToCallOff, AgreeToEnd
from engine.errors import RefereeError
from engine.game import Game

OFTEN = 3
"""Times running that somebody may let their time run out until the others are asked whether to replace them."""
SILENCE, LONG_SILENCE = 3600.0, 86_400.0
"""Seconds that a game must have waited for somebody until the host alone, or anybody at the table, can have a computer
play for them."""


def occupied(
    table: Table, game: Game, people: People, user: int, level: str, now: float, by_wish: bool = False
) -> Table:
    """The table with a computer of a level that plays for a user, or with the user again; `by_wish`: their own.

    `game`: a copy, which is told with how many cards the one who plays by now is called to build (J2).
    """
    members = tuple(replace(m, level=level) if m.user == user else m for m in table.members)
    votes = tuple(vote for vote in table.choices.replacing if vote[0] != user)
    gone = tuple(other for other in table.choices.gone if other != user)
    choices = replace(table.choices, replacing=votes, gone=gone)
    if not level:  # who is back isn't late any more, and nobody else gets their seat
        place = table.player(user)
        choices = replace(
            choices,
            missed=tuple(missed for missed in choices.missed if missed.user != user),
            handovers=tuple(offered for offered in choices.handovers if offered.place != place),
            proposals=tuple(proposal for proposal in choices.proposals if proposal.place != place),
        )
    whose = next(member.name for member in members if member.user == user)
    table = replace(table, choices=choices)
    table = with_news(table, game, COMPUTER if level else RETURNED, user=user, name=whose, by_wish=by_wish)
    waits = [wait for wait in table.waits if table.user_at(game, wait.seat) == user]
    table = waiting.without(table, game, people, waits, now)
    table = waiting.after(replace(table, members=members), game, people, now)
    tell_standing(table, game, people, table.seat_at(game, table.users.index(user)))
    return table


def seated(table: Table, game: Game, people: People, place: int, user: int, name: str, now: float) -> Table:
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
    table = waiting.window_anew(waiting.after(table, game, people, now), game, seat, now)
    public = game.view(None)
    if public.end_votes >> seat & 1:
        game.play(seat, AgreeToEnd(False))
    if public.call_off_votes >> seat & 1:
        game.play(seat, AgreeToCallOff(False))
    tell_standing(table, game, people, seat)
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


def is_outvoted(table: Table, game: Game, absent: int) -> bool:
    """Whether more than half of the others, who are at least two, want a computer to play for somebody."""
    others = tuple(user for user in who_plays(table, game) if user != absent)
    votes = sum(who == absent and by in others for who, by in table.choices.replacing)
    return len(others) > 1 and 2 * votes > len(others)


def alone_from(
    table: Table, game: Game, absent: int, user: int, *, left: bool = False, unseen: float = 0.0
) -> float | None:
    """From when a user alone can have a computer play for somebody absent, in seconds since the epoch; 0: at any time;
    None: nobody knows. `left`: the absent one isn't on the server any more; `unseen`: when people last couldn't see the
    game, or not act in it, which may have kept them from answering."""
    decides = user == table.host_in(game) or all(other in (absent, user) for other in who_plays(table, game))
    often = any(missed.user == absent and missed.times >= OFTEN for missed in table.choices.missed)
    if decides and (left or often or absent in table.choices.gone):
        return 0.0
    if table.choices.paused:
        return _free_in_pause(table, absent, decides, unseen)
    wait = next((wait for wait in waiting.decisions(table) if wait.seat == table.seat_of(game, absent)), None)
    return None if wait is None else _free_from(table, wait, decides, unseen)


def _free_from(table: Table, wait: Wait, decides: bool, unseen: float) -> float:
    """From when one person alone can have somebody replaced, who is awaited; `decides`: the host, or the only other."""
    if wait.until is None:
        return max(wait.since, unseen) + (SILENCE if decides else LONG_SILENCE)
    return wait.until + (0.0 if decides else min(table.choices.pace, LONG_SILENCE))


def _free_in_pause(table: Table, absent: int, decides: bool, unseen: float) -> float | None:
    """The same in a pause, where nobody is awaited but for an answer to the wish to go on; None: they owe none."""
    wish = next((proposal for proposal in table.choices.proposals if proposal.what == RESUME), None)
    if wish is None or absent in (*wish.agreed, *wish.against):
        return None
    return max(wish.at, unseen) + (LONG_SILENCE if decides else 2 * LONG_SILENCE)


def who_plays(table: Table, game: Game) -> tuple[int, ...]:
    """Users who play themselves: who are persons, haven't resigned, and for whom no computer plays."""
    members = ((seat, table.member_at(game, seat)) for seat in range(game.config.players))
    return tuple(m.user for seat, m in members if m.is_person and not m.level and not game.state.resigned >> seat & 1)


def is_replaced(table: Table, user: int) -> bool:
    return any(member.user == user and member.is_person and bool(member.level) for member in table.members)


def check_playing(table: Table, game: Game, user: int) -> None:
    """Refuse those who don't play, or for whom a computer does."""
    if is_replaced(table, user):
        raise RefereeError("replaced")
    if user not in who_plays(table, game):
        raise RefereeError("not-playing")


def check_newcomer(table: Table, place: int, user: int, now: float) -> None:
    """Refuse to offer the seat at a place to who plays, has just declined one, or is asked to take another.

    Codes: "handover/playing", "handover/declined", "handover/asked".
    """
    if user in table.users:
        raise RefereeError("handover/playing")
    if user and any(offered.to == user and offered.place != place for offered in table.choices.handovers):
        raise RefereeError("handover/asked")
    if any(asked == user and now < at + waiting.DAY for asked, at in table.choices.declined):
        raise RefereeError("handover/declined")


def with_offer(table: Table, place: int, to: int, name: str = "") -> Table:
    """With a seat offered to somebody, or to anybody (0), and to nobody else."""
    others = tuple(offered for offered in table.choices.handovers if offered.place != place)
    return replace(table, choices=replace(table.choices, handovers=(*others, Handover(place, to, name))))
