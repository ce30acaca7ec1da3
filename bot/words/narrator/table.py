"""What is said about the table: who sits there, whose turn it is, who is late, awards, how a game ends; and its news,
which is what happened at it besides the game's own actions."""

from __future__ import annotations

from collections.abc import Iterable

from bot.table.parts import COMPUTER, DECLINED, PACE, RETURNED, SEATED, News
from bot.words import times
from bot.words.language import N_, NN_, _, enumeration, n_
from bot.words.narrator.telling import Reader, Telling, Tellings, Values, either
from engine import events as ev
from engine.events import Event
from engine.terms import Award, EndReason
from engine.views import View

_ENDED = {
    EndReason.TARGET: N_("🏁 The game is over: {name} reached the target."),
    EndReason.LAST: N_("🏁 The game is over: {name} is the last player left."),
    EndReason.AGREEMENT: N_("🏁 The game is over: {name} leads, and everyone agreed to end it."),
    EndReason.ROUNDS: N_("🏁 The game is over: {name} leads after the last round."),
}
_AWARDS = {
    Award.LONGEST_ROAD: (
        N_("No one has the Longest Road now."),
        N_("No one has the Longest Road now: {name} loses it."),
        NN_(
            "🏆 {name} has the Longest Road ({n} segment): 2 points.",
            "🏆 {name} has the Longest Road ({n} segments): 2 points.",
        ),
        NN_(
            "🏆 {name} has the Longest Road ({n} segment, taken from {other}): 2 points.",
            "🏆 {name} has the Longest Road ({n} segments, taken from {other}): 2 points.",
        ),
    ),
    Award.LARGEST_ARMY: (
        N_("No one has the Largest Army now."),
        N_("No one has the Largest Army now: {name} loses it."),
        NN_(
            "🏆 {name} has the Largest Army ({n} knight): 2 points.",
            "🏆 {name} has the Largest Army ({n} knights): 2 points.",
        ),
        NN_(
            "🏆 {name} has the Largest Army ({n} knight, taken from {other}): 2 points.",
            "🏆 {name} has the Largest Army ({n} knights, taken from {other}): 2 points.",
        ),
    ),
}
_MISSED_AWARDS = {
    Award.LONGEST_ROAD: (
        N_("🏆 You have the Longest Road now."),
        N_("🏆 {name} has the Longest Road now."),
        N_("⚠️ {name} took the Longest Road from you."),
        N_("⚠️ You lost the Longest Road. No one has it now."),
    ),
    Award.LARGEST_ARMY: (
        N_("🏆 You have the Largest Army now."),
        N_("🏆 {name} has the Largest Army now."),
        N_("⚠️ {name} took the Largest Army from you."),
        N_("⚠️ You lost the Largest Army. No one has it now."),
    ),
}


def _award(event: ev.AwardMoved, reader: Reader, values: Values) -> str:
    vacant, lost, won, passed_on = _AWARDS[event.award]
    other = None if event.origin is None else reader.names[event.origin]
    if event.seat is None:
        return _(vacant) if other is None else _(lost, name=other)
    return n_(*(won if other is None else passed_on), event.size, **values, other=other)


def awards_since(then: View, reader: Reader) -> list[str]:
    """Sentences on the awards whose holder isn't the same as in an earlier view."""
    me, now, found = reader.view.seat, reader.view, list[str]()
    for messages, before, after in (
        (_MISSED_AWARDS[Award.LONGEST_ROAD], then.longest_road, now.longest_road),
        (_MISSED_AWARDS[Award.LARGEST_ARMY], then.largest_army, now.largest_army),
    ):
        yours, theirs, taken, lost = messages
        was_mine = before is not None and before == me
        if after is None and was_mine:
            found.append(_(lost))
        elif after is not None and after != before:
            message = taken if was_mine else yours if after == me else theirs
            found.append(_(message, name=reader.names[after]))
    return found


def late_once(events: Iterable[Event]) -> list[Event]:
    """The events, with one for each absence of a player: late again before another player builds, they are still
    away."""
    late, found = set[int](), list[Event]()
    for e in events:
        if isinstance(e, ev.Built):
            late &= {e.seat}
        if not isinstance(e, ev.DecidedFor):
            found.append(e)
        elif e.seat not in late:
            late.add(e.seat)
            found.append(e)
    return found


def _ended(event: ev.GameEnded, reader: Reader, values: Values) -> str:
    if not event.winners:
        return _("🏁 The game is void: no winner.")
    if len(event.winners) == 1:
        return _(_ENDED[event.reason], name=values["names"])
    if event.reason is EndReason.AGREEMENT:
        return _("🏁 The game is over (everyone agreed to end it): {names} share the win.", **values)
    return _("🏁 The game is over (last round): {names} share the win.", **values)


EVENTS: Tellings = {
    ev.SeatsTaken: Telling(
        N_("Seats, clockwise: {names}."),
        story="",
        more=lambda e, reader: {"names": enumeration(reader.names[: len(e.players)])},
    ),
    ev.TurnBegan: Telling(N_("Turn {turn}: {name}."), story=""),
    ev.TurnEnded: Telling(N_("{name} ended the turn."), story="", decided=N_("ended your turn")),
    ev.DecidedFor: Telling(N_("⌛ {name} ran out of time: auto-played.")),
    ev.Undone: Telling(N_("↩️ {name} undid the last move.")),
    ev.AwardMoved: Telling(_award),
    ev.Resigned: Telling(N_("{name} left the game.")),
    ev.EndAgreed: Telling(
        either(
            "agree",
            N_("{name} votes to end the game now."),
            N_("{name} no longer votes to end the game."),
        )
    ),
    ev.CallOffAgreed: Telling(
        either("agree", N_("{name} votes to void the game."), N_("{name} no longer votes to void the game."))
    ),
    ev.GameEnded: Telling(_ended),
}


# --- the table's news

LATEST_NEWS = 4
"""Maximum lines of news in a panel."""


def turn_news(news: Iterable[News], turn: int) -> str:
    """The latest news of a turn, a line each."""
    return "\n".join([news_sentence(item) for item in news if item.turn == turn and not item.is_answer][-LATEST_NEWS:])


def news_sentence(news: News) -> str:
    """For all players, without Markdown."""
    name, newcomer = news.name, news.newcomer
    if news.what == SEATED:
        return _("🪑 {newcomer} has taken over {name}'s seat.", newcomer=newcomer, name=name)
    if news.what == COMPUTER and news.by_wish:
        return _("🤖 {name} lets a bot play for them now.", name=name)
    if news.what == COMPUTER:
        return _("🤖 A bot plays for {name} now.", name=name)
    if news.what == RETURNED:
        return _("🙋 {name} is back and plays again.", name=name)
    if news.what == DECLINED:
        return _("🪑 {newcomer} declined {name}'s seat.", newcomer=newcomer, name=name)
    if news.what != PACE:
        return _("🪑 The vote failed: {newcomer} doesn't take {name}'s seat.", newcomer=newcomer, name=name)
    if not news.pace:
        return _("⏳ Agreed: no turn timer from now on.")
    pace, expiry = times.span(news.pace), _(times.AFTERWARDS[news.expiry])
    return _("⏳ Agreed: turn timer {pace}, then {expiry}.", pace=pace, expiry=expiry)
