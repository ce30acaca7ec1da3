"""Who plays the seats of a running game: their owners, bots in their place, or the players who come after them. People
for whom bots play keep their say in what the table decides until they have been away for days (I6)."""

from __future__ import annotations

from dataclasses import replace

from bot.plaintext import Span, safe_name
from bot.table import waiting
from bot.table.options import DAY, HOUR
from bot.table.parts import COMPUTER, DECLINED, RESUME, RETURNED, SEATED, Absence, Handover, Member, News
from bot.table.reminders import quiet_hours
from bot.table.table import People, Table, away_intervals, away_until, said_no_recently, with_news
from bot.table.time import end_of
from engine.actions import AgreeToCallOff, AgreeToEnd
from engine.errors import RefereeError
from engine.game import Game

OFTEN = 3
"""How often in a row a player can let their time run out before the others are asked whether to replace them."""
SILENCE, LONG_SILENCE = HOUR, DAY
"""Seconds that a game must have waited for a player before the host alone, or anyone at the table, can have a bot play
for them. No pauses, vacations or downtime count. The hour doesn't count quiet hours either, but is over after a day."""

_UNKNOWN = People()


def replaced(table: Table, user: int, level: str) -> Table:
    """The table with a bot of a level playing for a user, or with the user playing again (level "")."""
    return replace(table, members=tuple(replace(m, level=level) if m.user == user else m for m in table.members))


def with_newcomer(table: Table, place: int, user: int, name: str) -> Table:
    """The table with a new user at a place. They become host if the old user was; the old user's lucky words go. The
    vacation that was used up in the seat stays used up, else two people could have it again and again."""
    old, used = table.members[place], dict(table.on_leave)
    if old.user in used:
        used[user] = max(used.get(user, 0.0), used[old.user])
    member = replace(old, user=user, name=safe_name(name), phrase="", level="")
    members = (*table.members[:place], member, *table.members[place + 1 :])
    host = user if table.host == old.user else table.host
    return replace(table, members=members, host=host, on_leave=tuple(used.items()))


def with_seat_news(before: Table, table: Table, game: Game, by: int, now: float) -> Table:
    """The table with news of seats that changed hands, bots that took over and players who are back since `before`.

    `by`: the user who did it. Votes to end or void the game that aren't a player's own are given back (on `game`).
    """
    for place, (old, new) in enumerate(zip(before.members, table.members, strict=True)):
        if old.user != new.user:
            news = News(SEATED, user=new.user, name=old.name, newcomer=new.name, place=place, about=old.user)
            table = with_news(table, game, news, now)
        elif old.level != new.level:
            what, by_wish = COMPUTER if new.level else RETURNED, by == new.user
            table = with_news(table, game, News(what, user=new.user, name=new.name, by_wish=by_wish), now)
    for place in (n for n, old in enumerate(before.members) if _gives_back_votes(before, old, table.members[n])):
        seat, view = table.seat_at(game, place), game.view(None)
        if view.end_votes >> seat & 1:
            game.play(seat, AgreeToEnd(False))
        if view.call_off_votes >> seat & 1:
            game.play(seat, AgreeToCallOff(False))
    return table


def _gives_back_votes(before: Table, old: Member, new: Member) -> bool:
    """Whether another person sits in a seat now, or its player is back after a bot could vote there."""
    return old.user != new.user or bool(old.level and not new.level and not before.has_say(old))


def pruned(before: Table, table: Table, game: Game) -> Table:
    """The table without what concerned people who left, or seats whose players are new or back since `before`."""
    users, there = table.users, who_plays(table, game)
    back = [m.user for old, m in zip(before.members, table.members, strict=True) if old.level and not m.level]
    new = [place for place, user in enumerate(users) if user in back or before.users[place] != user]
    resigned = [place for place in range(len(users)) if game.state.resigned >> table.seat_at(game, place) & 1]
    left = {user for place, user in enumerate(users) if place not in resigned}
    motions = (m.among(left) for m in table.motions if m.place not in new and m.newcomer not in users)
    absent = there if len(who_decides(table, game)) > 2 else ()  # of two players, one can decide alone
    return replace(
        table,
        handovers=tuple(h for h in table.handovers if h.place not in (*new, *resigned) and h.to not in users),
        missed=tuple(m for m in table.missed if m.user in users and (m.user not in back or m.turn == game.turn)),
        gone=tuple(user for user in table.gone if user in there),
        on_leave=tuple(used for used in table.on_leave if used[0] in users),
        stops=tuple(stop for stop in table.stops if stop.user in (0, *users)),
        motions=tuple(m for m in motions if (m.ayes or m.newcomer) and m.absent in (0, *absent)),
        wishes=tuple(wish for wish in table.wishes if wish.user in users),
        acted=tuple(one for one in table.acted if one[0] in users),
        orders=tuple(orders for orders in table.orders if orders.user in users),
    )


def withdrawable(table: Table, game: Game, user: int) -> list[int]:
    """Places of others whose offered seats a user can withdraw: as host, all that a bot plays."""
    if user != table.host_in(game):
        return []
    places = (offered.place for offered in table.handovers)
    return [place for place in places if table.members[place].level and table.members[place].user != user]


def free_places(table: Table, game: Game) -> list[int]:
    """Places that a bot plays and a person could play: those of the table's own bots, and of people who have been away
    for days."""
    order, gone = game.state.order, game.state.resigned
    places = (place for place, m in enumerate(table.members) if m.level and not table.has_say(m))
    return [place for place in places if not gone >> order.index(place) & 1]


def check_given_up(table: Table, place: int) -> None:
    """Refuse to give away a seat that a bot plays while its owner can still come back. Code: "handover/waits"."""
    member = table.members[place]
    if member.level and table.has_say(member):
        raise RefereeError("handover/waits", name=member.name, time=Span(int(waiting.AWAY)))


def can_replace_alone_from(
    table: Table,
    game: Game,
    absent: int,
    user: int,
    people: People = _UNKNOWN,
    *,
    left: bool = False,
    unseen: float = 0.0,
) -> float | None:
    """From when a user alone can have a bot play for an absent player, in seconds since the epoch.

    0: at any time; None: unknown, as the player owes nothing now. `left`: the absent player has left the server.
    `unseen`: when people last couldn't see the game or act in it, which may have kept them from answering. `people`:
    with the absent player's quiet hours, which only the refusal of an attempt may depend on.
    """
    decides = user == table.host_in(game) or all(other in (absent, user) for other in who_plays(table, game))
    often = any(missed.user == absent and missed.times >= OFTEN for missed in table.missed)
    if decides and (left or often or absent in table.gone):
        return 0.0
    if table.paused:
        return _free_in_pause(table, absent, decides, unseen)
    wait = next((wait for wait in waiting.decisions(table) if wait.seat == table.seat_of(game, absent)), None)
    if wait is None:
        return None
    stops, since = waiting.stopped_intervals(table, game, wait), max(wait.since, unseen)
    if wait.until is not None:
        return end_of(wait.until, 0.0 if decides else min(table.options.pace, LONG_SILENCE), stops)
    later = end_of(since, LONG_SILENCE, stops)
    if not decides:
        return later
    asleep = quiet_hours(people.of(absent).choices, since, later)
    return min(end_of(since, SILENCE, [*stops, *asleep]), later)


def _free_in_pause(table: Table, absent: int, decides: bool, unseen: float) -> float | None:
    """The same in a pause, when a player can only owe an answer to the proposal to resume; None: they owe none."""
    proposal = next((motion for motion in table.motions if motion.kind == RESUME), None)
    if proposal is None or absent in (*proposal.ayes, *proposal.noes):
        return None
    since = max(proposal.at, unseen)
    return end_of(since, LONG_SILENCE if decides else 2 * LONG_SILENCE, away_intervals(table, absent, since))


def who_plays(table: Table, game: Game) -> tuple[int, ...]:
    """Users who play themselves: people who haven't resigned and for whom no bot plays."""
    members = ((seat, table.member_at(game, seat)) for seat in range(game.config.players))
    return tuple(m.user for seat, m in members if m.is_person and not m.level and not game.state.resigned >> seat & 1)


def who_decides(table: Table, game: Game) -> tuple[int, ...]:
    """Users who decide together: those who play, and those for whom a bot has played for less than days."""
    members = ((seat, table.member_at(game, seat)) for seat in range(game.config.players))
    return tuple(m.user for seat, m in members if table.has_say(m) and not game.state.resigned >> seat & 1)


def is_replaced(table: Table, user: int) -> bool:
    return any(member.user == user and member.is_person and bool(member.level) for member in table.members)


def check_playing(table: Table, game: Game, user: int) -> None:
    """Refuse a user who doesn't play, or for whom a bot plays. Codes: "replaced", "not-playing"."""
    _check(table, user, who_plays(table, game))


def check_deciding(table: Table, game: Game, user: int) -> None:
    """Refuse a user who has no say. Codes: "replaced", if they had one before a bot played for them; "not-playing"."""
    _check(table, user, who_decides(table, game))


def _check(table: Table, user: int, users: tuple[int, ...]) -> None:
    if user not in users:
        raise RefereeError("replaced" if is_replaced(table, user) else "not-playing")


def with_absences(table: Table, game: Game, acting: int, now: float) -> Table:
    """The table with those who are absent now; `acting`: user who has just done something themselves, so that their
    days begin again."""
    known, found = {absence.user: absence for absence in table.absences}, list[Absence]()
    for place, member in enumerate(table.members):
        if not (member.is_person and member.level) or game.state.resigned >> table.seat_at(game, place) & 1:
            continue
        absence = known.get(member.user) or Absence(member.user, now, _wished(table, member.user), replaced=now)
        found.append(absence if absence.over or absence.user != acting else replace(absence, since=now))
    return replace(table, absences=tuple(found))


def _wished(table: Table, user: int) -> bool:
    """Whether a user wanted the bot that plays for them."""
    return [news.by_wish for news in table.news if (news.what, news.user) == (COMPUTER, user)][-1:] == [True]


def lapsed(table: Table, now: float) -> list[Absence]:
    """Those who have been away for days, and still have a say."""
    return [one for one in table.absences if one.until is not None and one.until <= now and not one.over]


def without_say(table: Table, now: float) -> Table:
    """The table with the others deciding without those who have been away for days."""
    late = lapsed(table, now)
    return replace(table, absences=tuple(replace(one, over=one.over or one in late) for one in table.absences))


def was_unfair(table: Table, user: int) -> bool:
    """Whether others had a bot play for a user, who has had less than a day to come back when the game ended."""
    for absence in table.absences:
        if absence.user == user and not absence.wished:
            back_by = away_until(table, replace(absence, since=absence.replaced or absence.since), DAY)
            return back_by is None or table.updated < back_by
    return False


def check_newcomer(table: Table, place: int, user: int, now: float) -> None:
    """Refuse to offer the seat at a place to a user who plays, is asked to take another one, or has just declined one.

    Codes: "handover/playing", "handover/declined", "handover/asked".
    """
    if user in table.users:
        raise RefereeError("handover/playing")
    if user and any(offered.to == user and offered.place != place for offered in table.handovers):
        raise RefereeError("handover/asked")
    if said_no_recently(table, user, DECLINED, now):
        raise RefereeError("handover/declined")


def with_offer(table: Table, place: int, to: int, name: str = "") -> Table:
    """The table with the seat at a place offered to one user or to anyone (0), in place of an earlier offer of it."""
    others = tuple(offered for offered in table.handovers if offered.place != place)
    return replace(table, handovers=(*others, Handover(place, to, name)))
