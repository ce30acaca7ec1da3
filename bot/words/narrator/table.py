"""What is said about the table: who sits there, whose turn it is, who is late, dice and what they bring, awards, how a
game ends; and its news, which is what happened at it besides the game's own actions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.table.parts import COMPUTER, DECLINED, PACE, RETURNED, SEATED, News
from bot.words import times
from bot.words.language import N_, NN_, _, enumeration, n_, sentences, series
from bot.words.marks import DIE_SIGNS, card_count, cards
from bot.words.narrator.telling import Reader, Telling, Tellings, Values, either
from engine import events as ev
from engine.events import Event
from engine.resources import total
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


def _sums(event: ev.FirstRolls, reader: Reader) -> Values:
    return {"rolls": enumeration(f"{reader.names[seat]} {x + y}" for seat, x, y in event.rolls)}


def _all_first_rolls(event: ev.FirstRolls, reader: Reader, values: Values) -> str:
    rolls = values["rolls"]
    while again := reader.take(ev.FirstRolls):
        rolls = _("{rolls}; again: {more}", rolls=rolls, more=_sums(again, reader)["rolls"])
    if first := reader.take(ev.FirstPlayer):
        return _("🎲 Rolling for first: {rolls}; {name} begins.", rolls=rolls, name=reader.names[first.seat])
    return _("🎲 Rolling for first: {rolls}.", rolls=rolls)


def _dice(event: ev.Rolled, reader: Reader) -> Values:
    first, second = (DIE_SIGNS[pips - 1] for pips in event.dice)
    return {"sum": sum(event.dice), "first": first, "second": second}


_rolled = either(
    "counted",
    N_("🎲 {name} rolled **{sum}** ({first} + {second})."),
    N_("🎲 {name} rolled **{sum}** ({first} + {second}), which doesn't count yet: rolling again."),
)


def _roll_and_yield(event: ev.Rolled, reader: Reader, values: Values) -> str:
    if not event.counted:
        return _rolled(event, reader, values)
    gains, short = _yield(reader)
    message = N_("🎲 {name} rolled **{sum}** ({first} + {second}): {gains}.")
    if values["sum"] == 7:
        message = N_("🎲 {name} rolled **{sum}** ({first} + {second}): the robber moves.")
    elif not gains:
        message = N_("🎲 {name} rolled **{sum}** ({first} + {second}): no one gets cards.")
    return sentences([_(message, **values, gains=gains), *short])


def _yield_alone(event: ev.Rolled, reader: Reader, values: Values) -> str:
    if not event.counted:
        return _rolled(event, reader, values)
    gains, short = _yield(reader)
    nothing = [] if values["sum"] == 7 else [_("No one gets cards.")]
    return sentences([_("{gains}.", gains=gains), *short] if gains else [*nothing, *short])


def _yield(reader: Reader) -> tuple[str, list[str]]:
    """Who gets what for a roll, and sentences on what the bank lacks."""
    gains, short = list[str](), list[str]()
    while paid := reader.take(ev.Produced, lambda e: not e.setup) or reader.take(ev.Shortage):
        if isinstance(paid, ev.Produced):
            gains.append(f"{reader.names[paid.seat]} +{cards(paid.cards)}")
        else:
            short.append(_(BANK_RAN_OUT, **reader.values(paid)))
    return enumeration(gains), short


def _got(events: Sequence[ev.Produced], reader: Reader) -> list[str]:
    got = total(e.cards for e in events if e.seat == reader.view.seat)
    return [_("You got {cards}.", cards=cards(got))] if any(got) else []


def _all_discards(event: ev.Discarded, reader: Reader, values: Values) -> str:
    discards = [event, *iter(lambda: reader.take(ev.Discarded), None)]
    return _("Discarded: {parts}.", parts=series(f"{reader.names[e.seat]} {cards(e.cards)}" for e in discards))


BANK_RAN_OUT = N_("The bank ran out of {resource}: not enough for {names}.")


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
    ev.FirstRolls: Telling(N_("Rolling for first: {rolls}."), story=_all_first_rolls, more=_sums),
    ev.FirstPlayer: Telling(N_("{name} begins."), story=N_("🎲 {name} begins.")),
    ev.Rolled: Telling(_rolled, story=_roll_and_yield, log=_yield_alone, more=_dice, decided=N_("rolled the dice")),
    ev.Produced: Telling(
        either("setup", N_("{name} gets {cards} from the second settlement."), N_("{name} gets {cards}.")),
        all_while_away=_got,
        decided=N_("picked your first cards"),
    ),
    ev.Shortage: Telling(BANK_RAN_OUT),
    ev.DiscardsDue: Telling(
        N_("To discard: {parts}."),
        story="",
        more=lambda e, reader: {"parts": enumeration(f"{reader.names[seat]} {card_count(n)}" for seat, n in e.owed)},
    ),
    ev.DiscardChosen: Telling(N_("{name} has chosen what to discard."), story="", decided=N_("discarded")),
    ev.DiscardTakenBack: Telling(N_("{name} took the discard back."), story=""),
    ev.Discarded: Telling(
        N_("{name} discarded {cards}."),
        story=_all_discards,
        while_away=lambda e, reader, values: (
            _("You discarded {cards}.", **values) if e.seat == reader.view.seat else ""
        ),
    ),
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
