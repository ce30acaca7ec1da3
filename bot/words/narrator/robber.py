"""What is said about the robber: where it goes, what it steals, and who can answer."""

from __future__ import annotations

from collections.abc import Sequence

from bot.words.language import N_, _
from bot.words.marks import cards
from bot.words.narrator.telling import Reader, Telling, Tellings, Values, total
from engine import events as ev
from engine.resources import single

_MOVED = (
    N_("{name} moved the robber to {hex}."),
    N_("{name} moved the robber to {hex} and stole a card from {victim}."),
    N_("{name} moved the robber to {hex} and stole {cards} from {victim}."),
    N_("{name} moved the robber to {hex} and stole nothing."),
)
BY_KNIGHT = (
    N_("⚔️ {name} played a knight and moved the robber to {hex}."),
    N_("⚔️ {name} played a knight, moved the robber to {hex} and stole a card from {victim}."),
    N_("⚔️ {name} played a knight, moved the robber to {hex} and stole {cards} from {victim}."),
    N_("⚔️ {name} played a knight, moved the robber to {hex} and stole nothing."),
)


def stays(event: ev.RobberMoved) -> bool:
    """Whether the robber stays where it was (L5)."""
    return event.hex == event.origin


def _moved(event: ev.RobberMoved, reader: Reader, values: Values) -> str:
    if event.hex < 0:
        return _("{name} left the robber off the board.", **values)
    if stays(event):
        return _("{name} left the robber at {hex}.", **values)
    return _("{name} moved the robber to {hex}.", **values)


def _moved_and_took(event: ev.RobberMoved, reader: Reader, values: Values) -> str:
    if not stays(event):
        return with_loot(_MOVED, event, reader)
    reader.take(ev.NothingTaken, lambda e: e.seat == event.seat)
    return _moved(event, reader, values)


def with_loot(messages: Sequence[str], event: ev.RobberMoved, reader: Reader) -> str:
    """The robber's move and what was stolen, by one of four messages."""
    alone, took_card, took_cards, took_none = messages
    values = reader.values(event)
    if taken := reader.take(ev.CardTaken, lambda e: e.seat == event.seat):
        values |= reader.values(taken) | _loot(taken, reader)
        return _(took_cards if "cards" in values else took_card, **values)
    nothing = reader.take(ev.NothingTaken, lambda e: e.seat == event.seat)
    return _(took_none if nothing else alone, **values)


def _loot(event: ev.CardTaken, reader: Reader) -> Values:
    """What was stolen, if the reader can know it (G3)."""
    return {"cards": cards(single(event.card))} if isinstance(event.card, int) else {}


def _taken(event: ev.CardTaken, reader: Reader, values: Values) -> str:
    if "cards" not in values:
        return _("{name} stole a card from {victim}.", **values)
    return _("{name} stole {cards} from {victim}.", **values)


def _own_taken(event: ev.CardTaken, reader: Reader, values: Values) -> str:
    if "cards" in values and reader.view.seat in (event.seat, event.victim):
        by_you = event.seat == reader.view.seat
        return _(N_("You stole {cards} from {victim}.") if by_you else N_("{name} stole {cards} from you."), **values)
    return _taken(event, reader, values)


def _robbed(events: Sequence[ev.CardTaken], reader: Reader) -> list[str]:
    mine = [e for e in events if e.victim == reader.view.seat]
    lost = {thief: total(single(e.card) for e in mine if e.seat == thief) for thief in sorted({e.seat for e in mine})}
    message = N_("🥷 {name} stole {cards} from you.")
    return [_(message, name=reader.names[thief], cards=cards(loot)) for thief, loot in lost.items()]


EVENTS: Tellings = {
    ev.RobberMoved: Telling(
        _moved, story=_moved_and_took, alt=N_("The robber has just moved."), decided=N_("moved the robber")
    ),
    ev.CardTaken: Telling(
        _taken,
        own=_own_taken,
        missed=lambda e, reader, values: _own_taken(e, reader, values) if e.seat == reader.view.seat else "",
        missed_in_all=_robbed,
        more=_loot,
        decided=N_("stole a card"),
    ),
    ev.NothingTaken: Telling(N_("{name} stole nothing.")),
    ev.InterruptOpened: Telling(N_("Anyone can answer {name}'s robber with a knight."), story=""),
    ev.InterruptPassed: Telling(N_("No one answered with a knight."), story=""),
}
