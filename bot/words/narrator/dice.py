"""What is said about dice and what they bring: cards from the bank, and discards on a seven."""

from __future__ import annotations

from collections.abc import Sequence

from bot.words.language import N_, _, enumeration, sentences, series
from bot.words.marks import DIE_SIGNS, card_count, cards
from bot.words.narrator.telling import Reader, Telling, Tellings, Values, either, total
from engine import events as ev


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
    ev.FirstRolls: Telling(N_("Rolling for first: {rolls}."), story=_all_first_rolls, more=_sums),
    ev.FirstPlayer: Telling(N_("{name} begins."), story=N_("🎲 {name} begins.")),
    ev.Rolled: Telling(_rolled, story=_roll_and_yield, log=_yield_alone, more=_dice, decided=N_("rolled the dice")),
    ev.Produced: Telling(
        either("setup", N_("{name} gets {cards} from the second settlement."), N_("{name} gets {cards}.")),
        missed_in_all=_got,
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
        missed=lambda e, reader, values: _("You discarded {cards}.", **values) if e.seat == reader.view.seat else "",
    ),
}
