"""Whom games wait for, and until when: deadlines, reminders, the list of a person's games, and all pings of a game."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil

from bot.screens import motions, seats, trade
from bot.screens.controls import Button
from bot.screens.steps import About, Ping, presenter_of
from bot.screens.steps.step import catch_up
from bot.screens.viewer import Viewer
from bot.table.options import MINUTE
from bot.table.reminders import was_away
from bot.table.seats import who_decides, who_plays
from bot.table.table import ARCHIVED, Table
from bot.table.time import Wait
from bot.table.waiting import decisions
from bot.words import times
from bot.words.language import N_, _, enumeration, n_
from bot.words.marks import listing
from engine.game import Game
from engine.geometry import bits

MOST_GAMES = 20
"""Most games in a list."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A game that waits for a person."""

    table: Table
    wait: Wait
    asks: str
    """What they are asked to do, marked for translation."""
    link: str | None
    """Link to its panel."""


def moment(at: float, note: str = "") -> str:
    """A time as each reader's own clock shows it, perhaps with a note: "today at 17:40 (in 2 hours, one is longer)"."""
    values = {"time": f"<t:{ceil(at)}:f>", "soon": f"<t:{ceil(at)}:R>"}
    return _("{time} ({soon}, {note})", **values, note=note) if note else _("{time} ({soon})", **values)


def archived(table: Table) -> str:
    """How to resume an archived game; empty for other games."""
    return _("📦 The game is archived. Resume it with `/game resume`.") if table.status == ARCHIVED else ""


def deadlines(public: Viewer) -> str:
    """Whom the game waits for, and until when; empty if there is no limit."""
    if public.table.paused:
        since = f"<t:{ceil(public.table.paused)}:R>"
        return _(
            "⏸️ **Paused** {since}. Resumes when a majority agrees; a day after someone asks to, half is enough.",
            since=since,
        )
    lines = []
    limited = [wait for wait in decisions(public.table) if wait.until is not None]
    for until in sorted({wait.until for wait in limited if wait.until is not None and not wait.over}):
        same = [wait for wait in limited if wait.until == until and not wait.over]
        vacations = [*filter(None, (_vacation(public, wait) for wait in same))]
        when = moment(until, _("incl. {vacations}", vacations=listing(vacations)) if vacations else "")
        if len(limited) == 1:
            lines.append(_("⏳ Deadline: {when}.", when=when))
        else:
            names = enumeration(public.names[wait.seat] for wait in same)
            lines.append(_("⏳ Deadline for {names}: {when}.", names=names, when=when))
    for wait in limited:
        if wait.over and wait.until is not None:
            when = f"<t:{ceil(wait.until)}:R>"
            lines.append(_("⌛ {name}'s time ran out {when}.", name=public.names[wait.seat], when=when))
    return "\n".join(lines)


def _vacation(public: Viewer, wait: Wait) -> str:
    """How much later a deadline is because of a vacation; the dates of the vacation stay private."""
    if wait.vacation < MINUTE:
        return ""
    name = public.names[wait.seat]
    return _("{time} of {name}'s vacation", time=times.about(wait.vacation), name=name)


def anyone_returns(public: Viewer, seats: Iterable[int]) -> bool:
    """Whether one of the called players has been away for long; depends only on public facts."""
    table, game = public.table, public.game
    people = [seat for seat in seats if not table.member_at(game, seat).level]
    return any(was_away(table, public.users[seat], seat) for seat in people)


def catching_up(waits: Sequence[Waiting]) -> list[list[Button]]:
    """A row of buttons that show what the reader has missed, for the five most urgent games."""
    shown = urgent(waits)[:5]
    return [[catch_up(one.table.number, several=len(shown) > 1) for one in shown]] if shown else []


def reminder_pings(public: Viewer) -> list[Ping]:
    """Reminders, and calls to a game that was resumed."""
    if public.view.outcome is not None or public.table.paused:
        return []
    return [*_called_again(public), *_reminders(public)]


def reminded_seats(public: Viewer) -> tuple[int, ...]:
    """Seats that had a reminder in the channel, or were called after a pause; this replaces their first ping."""
    return tuple(wait.seat for wait in decisions(public.table) if wait.pinged or wait.again)


def _called_again(public: Viewer) -> list[Ping]:
    """The call to players whom a resumed game waits for: its panel is still the one from before the pause."""
    called = [wait for wait in decisions(public.table) if wait.again and not wait.pinged]
    if not called:
        return []
    text = _("the game is running again: {wanted}", wanted=_(presenter_of(public.view).asks))
    return [Ping(f"resumed.{called[0].serial}", tuple(wait.seat for wait in called), text, About.REMINDER)]


def _reminders(public: Viewer) -> list[Ping]:
    """One ping for all who are reminded of the same decision at the same time."""
    found = []
    called = [wait for wait in decisions(public.table) if wait.pinged]
    for at in sorted({wait.pinged for wait in called}):
        waits = [wait for wait in called if wait.pinged == at]
        since = f"<t:{ceil(min(wait.since for wait in waits))}:R>"
        parts = [_("⏰ Your move: {wanted} ({when})", wanted=_(presenter_of(public.view).asks), when=since)]
        ends = {wait.until for wait in waits if wait.until is not None and not wait.over}
        if ends:
            parts.append(_("deadline {when}", when=f"<t:{ceil(min(ends))}:R>"))
        late = [wait for wait in waits if wait.until is not None and wait.over]
        if late:
            when = f"<t:{ceil(min(wait.until or 0.0 for wait in late))}:R>"
            names = listing(public.names[wait.seat] for wait in late)
            parts.append(
                _("{names} ran out of time {when}", names=names, when=when)
                if ends
                else _("time ran out {when}", when=when)
            )
        if more := max(wait.more for wait in waits):
            parts.append(n_("{n} more game: `/games`", "{n} more games: `/games`", more))
        occasion = f"remind.{waits[0].serial}.{at - waits[0].shift:.0f}"
        found.append(Ping(occasion, tuple(wait.seat for wait in waits), " · ".join(parts), About.REMINDER))
    return found


@dataclass(frozen=True, slots=True)
class OtherGames:
    """How many of a person's games don't wait for them, and why; and the tables where they sit.

    `left`: games of servers that the person has left. `archived`: numbers of games.
    """

    others: int = 0
    paused: int = 0
    replaced: int = 0
    left: int = 0
    archived: tuple[int, ...] = ()
    lobbies: tuple[Table, ...] = ()


def other_request(table: Table, game: Game, user: int) -> tuple[Wait, str] | None:
    """What a person is asked in addition to decisions that the game waits for: an answer within a window (J2, L8), to
    an offer, or to a proposal; None: nothing."""
    seat = table.seat_of(game, user)
    if seat is None or user not in who_decides(table, game):
        return None
    plays = user in who_plays(table, game) and not table.paused
    view, limit = game.view(seat), table.deadline
    if limit is not None and view.awaited >> seat & 1 and plays:
        return Wait(seat, limit.serial, table.updated, limit.at), presenter_of(view).asks
    offers = [wait for wait in table.waits if wait.offer and wait.seat == seat]
    if offers and plays:
        return min(offers, key=lambda wait: (wait.until or float("inf"), wait.since)), N_("answer an offer")
    asked = [m.at for m in table.motions if user not in (*m.ayes, *m.noes, m.absent)]
    return (Wait(seat, 0, min(asked)), N_("vote")) if asked else None


def games_text(waits: Sequence[Waiting], other_games: OtherGames) -> str:
    """The games that wait for a person, at most `MOST_GAMES`, and how many of their games don't."""
    if not waits and other_games == OtherGames():
        return _("You aren't in any game here. Open a table with `/game new`, or join one.")
    if waits:
        title = n_("**{n} game waits for you**", "**{n} games wait for you**", len(waits))
    else:
        title = _("**No game waits for you.**")
    lines = [title, *game_lines(waits)[:MOST_GAMES]]
    if len(waits) > MOST_GAMES:
        lines.append(n_("… and {n} more", "… and {n} more", len(waits) - MOST_GAMES))
    notes = []
    if other_games.others and waits:
        notes.append(
            n_("{n} more game is waiting for others.", "{n} more games are waiting for others.", other_games.others)
        )
    elif other_games.others:
        notes.append(n_("{n} game is waiting for others.", "{n} games are waiting for others.", other_games.others))
    if other_games.paused:
        notes.append(n_("{n} game is paused.", "{n} games are paused.", other_games.paused))
    if other_games.replaced:
        notes.append(
            n_(
                "In {n} game a bot is playing for you: `/seat back`.",
                "In {n} games a bot is playing for you: `/seat back`.",
                other_games.replaced,
            )
        )
    if other_games.left:
        notes.append(
            n_(
                "{n} game is on a server that you have left.",
                "{n} games are on servers that you have left.",
                other_games.left,
            )
        )
    if numbers := other_games.archived[:MOST_GAMES]:
        notes.append(
            n_(
                "Game {games} is archived: resume it with `/game resume`.",
                "Games {games} are archived: resume one with `/game resume`.",
                len(numbers),
                games=listing(map(str, numbers)),
            )
        )
    for table in other_games.lobbies:
        where = f"<#{table.channel}>"
        notes.append(_("Table {number} is waiting for players: {channel}.", number=table.number, channel=where))
    return "\n".join([*lines, *(f"-# {line}" for line in notes)])


def urgent(waits: Sequence[Waiting]) -> list[Waiting]:
    """The games in order: the earliest deadlines first; without a deadline, those that have waited longest."""
    return sorted(waits, key=lambda one: (one.wait.until or float("inf"), one.wait.since))


def game_lines(waits: Sequence[Waiting]) -> list[str]:
    """A line for each game that waits for a person, the most urgent first."""
    lines = []
    for one in urgent(waits):
        name = _("Game {number}", number=one.table.number)
        where = f"[{name}]({one.link})" if one.link else name
        parts = [f"**{where}** <#{one.table.channel}>", _(one.asks)]
        if one.wait.until is not None:
            when = f"<t:{ceil(one.wait.until)}:R>"
            parts.append(_("time ran out {when}", when=when) if one.wait.over else _("deadline {when}", when=when))
        else:
            parts.append(_("asked {when}", when=f"<t:{ceil(one.wait.since)}:R>"))
        lines.append("- " + " · ".join(parts))
    return lines


# --- all pings


def all_pings(public: Viewer) -> list[Ping]:
    """All pings of a game, in addition to the panel's own. They depend only on public facts."""
    view, deciding = public.view, who_decides(public.table, public.game)
    computers = {*bits(public.computers)}
    silent = {seat for seat, user in enumerate(public.users) if user not in deciding}
    voting = _without(motions.vote_pings(view, public.names), silent)
    found = list[Ping]()
    if not public.table.paused:
        reminded = {*computers, *reminded_seats(public)}
        found = [
            *_without(presenter_of(view).pings(view, view.step), reminded),
            *trade.offer_pings(public),
            *reminder_pings(public),
        ]
    return [*voting, *_without(found, computers), *seats.seat_pings(public), *motions.proposal_pings(public)]


def _without(pings: Iterable[Ping], silent: Collection[int]) -> Iterator[Ping]:
    """The pings without these seats; a ping with no other seats is dropped."""
    for ping in pings:
        if others := tuple(seat for seat in ping.seats if seat not in silent):
            yield replace(ping, seats=others)
