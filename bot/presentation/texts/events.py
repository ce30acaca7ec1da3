"""What has happened, in words: one line for an event; `bot.presentation.texts.story` merges them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from bot.presentation.texts.language import N_, NN_, _, n_
from bot.presentation.texts.marks import CARD_TITLES, DIE_SIGNS, card_count, cards, hex_text, listing, resource
from engine import events as ev
from engine.events import Event
from engine.resources import single
from engine.terms import Award, EndReason, Piece
from engine.views import View

Names = Sequence[str]
E = TypeVar("E", bound=Event)

PIECES = {
    Piece.ROAD: N_("a road at {place}"),
    Piece.BRIDGE: N_("a bridge at {place}"),
    Piece.SETTLEMENT: N_("a settlement at {place}"),
    Piece.CITY: N_("a city at {place}"),
}
PLAYED = (
    N_("{name} played a knight card."),
    N_("{name} played a road building card."),
    N_("{name} played a year of plenty card."),
    N_("{name} played a monopoly card."),
    N_("{name} played a victory point card."),
)
"""By card."""
ENDED = {
    EndReason.TARGET: N_("🏁 The game is over: {name} reached the target."),
    EndReason.LAST: N_("🏁 The game is over: {name} is the last player left."),
    EndReason.AGREEMENT: N_("🏁 The game is over: {name} leads, and all agreed to end the game."),
    EndReason.ROUNDS: N_("🏁 The game is over: {name} leads after the last round."),
}


def line(event: Event, view: View, names: Names) -> str | None:
    """One line for an event as redacted for the reader; None for what is no news by itself."""
    write = _LINES.get(type(event))
    return write(event, view, names) if write else None


def own_line(event: Event, view: View, names: Names) -> str | None:
    """The same for the one who did it, or to whom it was done: what only they learn is told to them as "you"."""
    if isinstance(event, ev.CardTaken) and (card := pick(event.card)) is not None:
        if event.seat == view.seat:
            return _("You took {cards} from {victim}.", cards=cards(single(card)), victim=names[event.victim])
        if event.victim == view.seat:
            return _("{name} took {cards} from you.", cards=cards(single(card)), name=names[event.seat])
    return line(event, view, names)


def tells(kind: type[E]) -> Callable[[Callable[[E, View, Names], str]], Callable[[E, View, Names], str]]:
    """Have an event told that a step, or an alternate rule, brings with it."""

    def register(write: Callable[[E, View, Names], str]) -> Callable[[E, View, Names], str]:
        _LINES[kind] = write
        return write

    return register


def pick(value: Any) -> int | None:
    """A card that the reader may know, or None."""
    return value if isinstance(value, int) else None


def who(seats: Iterable[int], names: Names) -> str:
    """ "Ann, Bob and Cy"."""
    return listing(names[s] for s in seats)


def piece(event: ev.Built, view: View) -> str:
    """A piece and where it stands: "a road at c4"."""
    grid = view.board.grid
    place = (grid.edge_names if event.piece.on_edge else grid.node_names)[event.place]
    return _(PIECES[event.piece], place=place)


def built(event: ev.Built, pieces: str, names: Names) -> str:
    """Somebody has built the pieces, or placed them for free."""
    if event.free:
        return _("{name} placed {pieces}.", name=names[event.seat], pieces=pieces)
    return _("{name} built {pieces}.", name=names[event.seat], pieces=pieces)


def dice(event: ev.Rolled, names: Names) -> dict[str, object]:
    """What sentences on a roll speak of: who, the sum and both dice."""
    first, second = (DIE_SIGNS[pips - 1] for pips in event.dice)
    return {"name": names[event.seat], "sum": sum(event.dice), "first": first, "second": second}


def round_of_rolls(event: ev.FirstRolls, names: Names) -> str:
    """One round of rolling for first: "Ann 7, Bob 8"."""
    return ", ".join(f"{names[s]} {x + y}" for s, x, y in event.rolls)


def loot(event: ev.Monopolised, names: Names) -> dict[str, object]:
    """What sentences on a monopoly speak of: who, what it took, how many, and from whom."""
    return {
        "name": names[event.seat],
        "resource": resource(event.resource),
        "total": sum(n for seat, n in event.taken),
        "parts": ", ".join(_("{n} from {name}", n=n, name=names[seat]) for seat, n in event.taken),
    }


def offer(event: ev.OfferMade, view: View, names: Names) -> dict[str, object]:
    """What sentences on an offer speak of: who, what for what, and to whom."""
    others = {p.seat for p in view.players if p.seat != event.seat and not p.resigned}
    to = who(event.to, names) if event.to and not others <= {*event.to} else _("everyone")
    return {"name": names[event.seat], "give": cards(event.give), "want": cards(event.want), "to": to}


def _rolled(event: ev.Rolled, view: View, names: Names) -> str:
    if event.counted:
        return _("🎲 {name} rolled **{sum}** ({first} + {second}).", **dice(event, names))
    return _(
        "🎲 {name} rolled **{sum}** ({first} + {second}), too early for a seven: rolls again.", **dice(event, names)
    )


def _produced(event: ev.Produced, view: View, names: Names) -> str:
    name, got = names[event.seat], cards(event.cards)
    if event.setup:
        return _("{name} gets {cards} from the second settlement.", name=name, cards=got)
    return _("{name} gets {cards}.", name=name, cards=got)


def _robber_moved(event: ev.RobberMoved, view: View, names: Names) -> str:
    name = names[event.seat]
    if event.hex < 0:
        return _("{name} left the robber off the board.", name=name)
    if event.origin == event.hex:
        return _("{name} left the robber at {hex}.", name=name, hex=hex_text(view.board, event.hex))
    return _("{name} moved the robber to {hex}.", name=name, hex=hex_text(view.board, event.hex))


def _card_taken(event: ev.CardTaken, view: View, names: Names) -> str:
    name, victim, card = names[event.seat], names[event.victim], pick(event.card)
    if card is None:
        return _("{name} took a card from {victim}.", name=name, victim=victim)
    return _("{name} took {cards} from {victim}.", name=name, victim=victim, cards=cards(single(card)))


def _bought(event: ev.CardBought, view: View, names: Names) -> str:
    name, card = names[event.seat], pick(event.card)
    if card is None:
        return _("{name} bought a development card.", name=name)
    return _("{name} bought a development card ({card}).", name=name, card=_(CARD_TITLES[card]))


def _monopolised(event: ev.Monopolised, view: View, names: Names) -> str:
    values = loot(event, names)
    if not values["total"]:
        return _("{name} took all {resource}: nobody had any.", **values)
    return _("{name} took all {resource}: {total} ({parts}).", **values)


def _offered(event: ev.OfferMade, view: View, names: Names) -> str:
    values = offer(event, view, names) | {"offer": event.offer}
    if event.answers >= 0:
        return _("{name} answered with an offer of {give} for {want} to {to} (offer {offer}).", **values)
    return _("{name} offered {give} for {want} to {to} (offer {offer}).", **values)


def _answered(event: ev.OfferAnswered, view: View, names: Names) -> str:
    if event.accepted:
        return _("{name} accepts offer {offer}.", name=names[event.seat], offer=event.offer)
    return _("{name} declines offer {offer}.", name=names[event.seat], offer=event.offer)


def _award(event: ev.AwardMoved, view: View, names: Names) -> str:
    award, origin = event.award, event.origin
    if event.seat is None:
        return _(_NOBODY[award]) if origin is None else _(_LOST[award], name=names[origin])
    if origin is None:
        return n_(*_WON[award], event.size, name=names[event.seat])
    return n_(*_PASSED_ON[award], event.size, name=names[event.seat], other=names[origin])


def _ended(event: ev.GameEnded, view: View, names: Names) -> str:
    if not event.winners:
        return _("🏁 The game was called off: nobody wins.")
    if len(event.winners) == 1:
        return _(ENDED[event.reason], name=names[event.winners[0]])
    if event.reason is EndReason.AGREEMENT:
        return _("🏁 The game is over (all agreed to end it): {names} share the win.", names=who(event.winners, names))
    return _("🏁 The game is over (the last round is over): {names} share the win.", names=who(event.winners, names))


def _due(event: ev.DiscardsDue, view: View, names: Names) -> str:
    return _("To discard: {parts}.", parts=", ".join(f"{names[s]} {card_count(n)}" for s, n in event.owed))


def _agreed(event: ev.EndAgreed, view: View, names: Names) -> str:
    if event.agree:
        return _("{name} agrees to end the game and count the points.", name=names[event.seat])
    return _("{name} no longer agrees to end the game.", name=names[event.seat])


def _off(event: ev.CallOffAgreed, view: View, names: Names) -> str:
    if event.agree:
        return _("{name} agrees to call the game off.", name=names[event.seat])
    return _("{name} no longer agrees to call the game off.", name=names[event.seat])


def _traded(event: ev.Traded, view: View, names: Names) -> str:
    values = {"name": names[event.seat], "partner": names[event.partner]}
    return _("🤝 {name} gave {give} to {partner} for {get}.", **values, give=cards(event.give), get=cards(event.get))


def _with_bank(event: ev.BankTraded, view: View, names: Names) -> str:
    values = {"give": cards(event.give), "get": cards(event.get)}
    return _("{name} gave the bank {give} for {get}.", name=names[event.seat], **values)


_NOBODY = {
    Award.LONGEST_ROAD: N_("Nobody has the longest road now."),
    Award.LARGEST_ARMY: N_("Nobody has the largest army now."),
}
_LOST = {
    Award.LONGEST_ROAD: N_("Nobody has the longest road now: {name} loses it."),
    Award.LARGEST_ARMY: N_("Nobody has the largest army now: {name} loses it."),
}
_WON = {
    Award.LONGEST_ROAD: NN_(
        "🏆 {name} has the longest road ({n} segment): 2 points.",
        "🏆 {name} has the longest road ({n} segments): 2 points.",
    ),
    Award.LARGEST_ARMY: NN_(
        "🏆 {name} has the largest army ({n} knight): 2 points.",
        "🏆 {name} has the largest army ({n} knights): 2 points.",
    ),
}
_PASSED_ON = {
    Award.LONGEST_ROAD: NN_(
        "🏆 {name} has the longest road ({n} segment, taken from {other}): 2 points.",
        "🏆 {name} has the longest road ({n} segments, taken from {other}): 2 points.",
    ),
    Award.LARGEST_ARMY: NN_(
        "🏆 {name} has the largest army ({n} knight, taken from {other}): 2 points.",
        "🏆 {name} has the largest army ({n} knights, taken from {other}): 2 points.",
    ),
}

_LINES: dict[type[Event], Callable[[Any, View, Names], str]] = {
    ev.SeatsTaken: lambda e, v, n: _("Seats, clockwise: {names}.", names=", ".join(n[: len(e.players)])),
    ev.FirstRolls: lambda e, v, n: _("Rolling for first: {rolls}.", rolls=round_of_rolls(e, n)),
    ev.FirstPlayer: lambda e, v, n: _("{name} begins.", name=n[e.seat]),
    ev.TurnBegan: lambda e, v, n: _("Turn {turn}: {name}.", turn=e.turn, name=n[e.seat]),
    ev.Rolled: _rolled,
    ev.Produced: _produced,
    ev.Shortage: lambda e, v, n: _(
        "The bank is short of {resource} for {names}.", resource=resource(e.resource), names=who(e.seats, n)
    ),
    ev.DiscardsDue: _due,
    ev.DiscardTakenBack: lambda e, v, n: _("{name} has taken the discard back.", name=n[e.seat]),
    ev.DiscardChosen: lambda e, v, n: _("{name} has chosen what to discard.", name=n[e.seat]),
    ev.Discarded: lambda e, v, n: _("{name} discarded {cards}.", name=n[e.seat], cards=cards(e.cards)),
    ev.RobberMoved: _robber_moved,
    ev.CardTaken: _card_taken,
    ev.NothingTaken: lambda e, v, n: _("{name} took no card.", name=n[e.seat]),
    ev.Built: lambda e, v, n: built(e, piece(e, v), n),
    ev.CardBought: _bought,
    ev.CardPlayed: lambda e, v, n: _(PLAYED[e.card], name=n[e.seat]),
    ev.PlentyTaken: lambda e, v, n: _("{name} took {cards} from the bank.", name=n[e.seat], cards=cards(e.cards)),
    ev.Monopolised: _monopolised,
    ev.BankTraded: _with_bank,
    ev.OfferMade: _offered,
    ev.OfferAnswered: _answered,
    ev.OfferWithdrawn: lambda e, v, n: _("{name} withdrew offer {offer}.", name=n[e.seat], offer=e.offer),
    ev.Traded: _traded,
    ev.AwardMoved: _award,
    ev.TurnEnded: lambda e, v, n: _("{name} ended the turn.", name=n[e.seat]),
    ev.BuildersCalled: lambda e, v, n: _(
        "Special building phase: {names}.", names=listing((n[s] for s in e.seats), "then")
    ),
    ev.RequestsOpened: lambda e, v, n: _("Others may still ask to build after the turn of {name}.", name=n[e.seat]),
    ev.DecidedFor: lambda e, v, n: _("⌛ {name}'s time ran out, so I decided for them.", name=n[e.seat]),
    ev.InterruptPassed: lambda e, v, n: _("Nobody answers {name} with a knight.", name=n[e.seat]),
    ev.InterruptOpened: lambda e, v, n: _("Others may answer {name} with a knight.", name=n[e.seat]),
    ev.Passed: lambda e, v, n: _("{name} passed.", name=n[e.seat]),
    ev.Undone: lambda e, v, n: _("↩️ {name} took back the last action.", name=n[e.seat]),
    ev.Resigned: lambda e, v, n: _("{name} left the game.", name=n[e.seat]),
    ev.EndAgreed: _agreed,
    ev.CallOffAgreed: _off,
    ev.GameEnded: _ended,
}
