"""The story of a turn: events in words, merged so that one action, or one roll, is one line."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from bot.presentation.texts.events import Names, built, dice, line, loot, offer, pick, piece, round_of_rolls, who
from bot.presentation.texts.language import N_, _
from bot.presentation.texts.marks import cards, hex_text, listing, resource
from engine import events as ev
from engine.events import Event
from engine.resources import KNIGHT, MONOPOLY, ROAD_BUILDING, YEAR_OF_PLENTY, single
from engine.scenarios import SCENARIOS
from engine.terms import Piece
from engine.views import View

PLAYED = (
    N_("⚔️ {name} played a knight."),
    N_("🃏 {name} played a road building."),
    N_("🃏 {name} played a year of plenty."),
    N_("🃏 {name} played a monopoly."),
    N_("🃏 {name} played a victory point."),
)
"""By card, where its effect has no part in the sentence."""

_MOVED = (
    N_("{name} moved the robber to {hex}."),
    N_("{name} moved the robber to {hex} and took a card from {victim}."),
    N_("{name} moved the robber to {hex} and took {cards} from {victim}."),
    N_("{name} moved the robber to {hex} and took no card."),
)
_BY_KNIGHT = (
    N_("⚔️ {name} played a knight, moved the robber to {hex}."),
    N_("⚔️ {name} played a knight, moved the robber to {hex} and took a card from {victim}."),
    N_("⚔️ {name} played a knight, moved the robber to {hex} and took {cards} from {victim}."),
    N_("⚔️ {name} played a knight, moved the robber to {hex} and took no card."),
)

_SILENT = (
    ev.TurnBegan,
    ev.TurnEnded,
    ev.OfferAnswered,
    ev.OfferWithdrawn,
    ev.DiscardsDue,
    ev.DiscardChosen,
    ev.DiscardTakenBack,
    ev.SeatsTaken,
    ev.RequestsOpened,
    ev.InterruptOpened,
    ev.InterruptPassed,
)


def story(events: Sequence[Event], view: View, names: Names) -> list[str]:
    """The lines of what has happened, oldest first.

    Offers that are still open or became a trade have no line of their own, nor have discards before all are in.
    """
    rest = _news(events, view)
    lines = []
    at = 0
    while at < len(rest):
        text, used = _next(rest[at:], view, names)
        at += used
        if text:
            lines.append(text)
    return lines


def _news(events: Sequence[Event], view: View) -> list[Event]:
    """The events that deserve a line."""
    events = late_once(events)
    seen = {offer.id for offer in view.offers} | traded(events)
    return [e for e in events if not isinstance(e, _SILENT) and not (isinstance(e, ev.OfferMade) and e.offer in seen)]


def late_once(events: Sequence[Event]) -> list[Event]:
    """Without saying again that somebody is late, where nobody else has built meanwhile: it is one absence."""
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


def traded(events: Sequence[Event]) -> set[int]:
    """Ids of the offers that became trades."""
    made: dict[int, ev.OfferMade] = {}
    done = set()
    for e in events:
        if isinstance(e, ev.OfferMade):
            made[e.offer] = e
        elif isinstance(e, ev.Traded):
            sides = ((e.seat, e.give, e.get), (e.partner, e.get, e.give))
            done |= {i for i, offer in made.items() if (offer.seat, offer.give, offer.want) in sides}
    return done


def _left(moved: ev.RobberMoved) -> bool:
    """Whether the robber stays where it was (L5)."""
    return moved.hex == moved.origin


def _next(rest: Sequence[Event], view: View, names: Names) -> tuple[str | None, int]:
    """The line that begins with the first event, and how many events it tells."""
    match rest[0]:
        case ev.Rolled() as rolled if rolled.counted:
            return _rolled(rolled, rest, names)
        case ev.FirstRolls():
            return _first(rest, names)
        case ev.FirstPlayer() as first:
            return _("🎲 {name} begins.", name=names[first.seat]), 1
        case ev.Discarded():
            return _discards(rest, names)
        case ev.RobberMoved() as moved if not _left(moved):
            return _robber(_MOVED, moved, rest[1:], view, names)
        case ev.RobberMoved() as left:
            return line(left, view, names), 1 + (rest[1:2] == [ev.NothingTaken(left.seat)])
        case ev.CardPlayed() as played:
            return _played(played, rest, view, names)
        case ev.Built() as first_piece if first_piece.free and first_piece.piece is Piece.SETTLEMENT and _start(view):
            return _placed(rest)
        case ev.Built() as first_piece:
            pieces, used = _pieces(rest, view)
            return built(first_piece, pieces, names), used
        case ev.OfferMade() as made:
            return _no_deal(made, view, names), 1
        case other:
            return line(other, view, names), 1


def yields(rest: Sequence[Event], names: Names) -> tuple[list[str], list[str], int]:
    """What the bank pays for a roll: who gets what, sentences on what it is short of, and how many events tell it."""
    gains, short, used = [], [], 0
    for e in rest:
        if isinstance(e, ev.Produced) and not e.setup:
            gains.append(f"{names[e.seat]} +{cards(e.cards)}")
        elif isinstance(e, ev.Shortage):
            kind, due = resource(e.resource), who(e.seats, names)
            short.append(_("The bank can't pay all {resource} due to {names}.", resource=kind, names=due))
        else:
            break
        used += 1
    return gains, short, used


def _rolled(rolled: ev.Rolled, rest: Sequence[Event], names: Names) -> tuple[str, int]:
    gains, short, used = yields(rest[1:], names)
    used += 1
    values = dice(rolled, names)
    if values["sum"] == 7:
        return _("🎲 {name} rolled **{sum}** ({first} + {second}): the robber comes.", **values), used
    if gains:
        text = _("🎲 {name} rolled **{sum}** ({first} + {second}): {gains}.", **values, gains=", ".join(gains))
    else:
        text = _("🎲 {name} rolled **{sum}** ({first} + {second}): nobody gets cards.", **values)
    return " ".join([text, *short]), used


def _start(view: View) -> bool:
    """Whether the first pieces stand already, and nobody places any (B7)."""
    return bool(SCENARIOS[view.config.scenario].start)


def _placed(rest: Sequence[Event]) -> tuple[str, int]:
    """All pieces that stand from the beginning, with the cards that they yield."""
    found = list(takewhile(lambda e: isinstance(e, ev.Built) or (isinstance(e, ev.Produced) and e.setup), rest))
    if any(isinstance(e, ev.Produced) for e in found):
        return _("🏠 All first settlements, roads and cards are in place."), len(found)
    return _("🏠 All first settlements and roads are in place."), len(found)


def _first(rest: Sequence[Event], names: Names) -> tuple[str, int]:
    """All rounds of rolling for first, and who begins."""
    rolls, used = "", 0
    for e in rest:
        if isinstance(e, ev.FirstPlayer):
            return _("🎲 Rolling for first: {rolls}; {name} begins.", rolls=rolls, name=names[e.seat]), used + 1
        if not isinstance(e, ev.FirstRolls):
            break
        more = round_of_rolls(e, names)
        rolls = _("{rolls}; again: {more}", rolls=rolls, more=more) if rolls else more
        used += 1
    return _("🎲 Rolling for first: {rolls}.", rolls=rolls), used


def _discards(rest: Sequence[Event], names: Names) -> tuple[str, int]:
    parts = []
    for e in rest:
        if not isinstance(e, ev.Discarded):
            break
        parts.append(f"{names[e.seat]} {cards(e.cards)}")
    return _("Discarded: {parts}.", parts="; ".join(parts)), len(parts)


def _robber(
    texts: Sequence[str], moved: ev.RobberMoved, rest: Sequence[Event], view: View, names: Names
) -> tuple[str, int]:
    """The robber's move and what it took."""
    alone, took_card, took_cards, took_none = texts
    values = {"name": names[moved.seat], "hex": hex_text(view.board, moved.hex)}
    match rest[:1]:
        case [ev.CardTaken() as taken] if taken.seat == moved.seat:
            values["victim"] = names[taken.victim]
            if (card := pick(taken.card)) is None:
                return _(took_card, **values), 2
            return _(took_cards, **values, cards=cards(single(card))), 2
        case [ev.NothingTaken() as nothing] if nothing.seat == moved.seat:
            return _(took_none, **values), 2
        case _:
            return _(alone, **values), 1


def _played(played: ev.CardPlayed, rest: Sequence[Event], view: View, names: Names) -> tuple[str, int]:
    name = names[played.seat]
    match rest[1:2]:
        case [ev.RobberMoved() as moved] if played.card == KNIGHT and moved.seat == played.seat and not _left(moved):
            text, used = _robber(_BY_KNIGHT, moved, rest[2:], view, names)
            return text, used + 1
        case [ev.PlentyTaken() as plenty] if played.card == YEAR_OF_PLENTY:
            got = cards(plenty.cards)
            return _("🃏 {name} played a year of plenty: {cards} from the bank.", name=name, cards=got), 2
        case [ev.Monopolised() as all_] if played.card == MONOPOLY:
            return _monopoly(all_, names), 2
        case [ev.Built() as free] if played.card == ROAD_BUILDING and free.free:
            pieces, used = _pieces(rest[1:], view)
            return _("🃏 {name} played a road building: {pieces}.", name=name, pieces=pieces), used + 1
        case _:
            return _(PLAYED[played.card], name=name), 1


def _monopoly(event: ev.Monopolised, names: Names) -> str:
    values = loot(event, names)
    if not values["total"]:
        return _("🃏 {name} played a monopoly and took all {resource}: nobody had any.", **values)
    return _("🃏 {name} played a monopoly and took all {resource}: {total} ({parts}).", **values)


def _no_deal(made: ev.OfferMade, view: View, names: Names) -> str:
    values = offer(made, view, names)
    if made.answers >= 0:
        return _("{name} answered with an offer of {give} for {want} to {to}: no deal.", **values)
    return _("{name} offered {give} for {want} to {to}: no deal.", **values)


def _pieces(rest: Sequence[Event], view: View) -> tuple[str, int]:
    """Pieces that one seat placed in a row, with the cards that a second settlement yields."""
    parts: list[str] = []
    used = 0
    first = rest[0]
    for e in rest:
        if isinstance(e, ev.Built) and isinstance(first, ev.Built) and (e.seat, e.free) == (first.seat, first.free):
            parts.append(piece(e, view))
        elif isinstance(e, ev.Produced) and e.setup and isinstance(first, ev.Built) and e.seat == first.seat:
            parts[-1] += f" (+{cards(e.cards)})" * any(e.cards)
        else:
            break
        used += 1
    return listing(parts), used
