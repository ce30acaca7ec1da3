"""Offers and their buttons: in the panel the same for all, in private for one person."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.screens.controls import Button, Do, Open, Reply, Row, Style, Text, rows, size
from bot.screens.history import offers_made
from bot.screens.panel import offer_line
from bot.screens.steps import About, Ping
from bot.screens.steps.step import INLINE_OFFERS
from bot.screens.viewer import Viewer
from bot.table.table import seatings
from bot.words.language import _, n_
from bot.words.marks import cards, listing
from bot.words.promises import unkept_line
from engine.actions import AcceptOffer, CloseOffer, DeclineOffer, MakeOffer, WithdrawOffer
from engine.geometry import bits
from engine.views import OfferView

ACTIONS = (AcceptOffer, DeclineOffer, CloseOffer, WithdrawOffer)
"""Actions that their buttons play directly."""
CHOSEN = 3
"""Up to this many partners have buttons of their own next to an offer; with more, one is picked first."""
ROOM = 30
"""Most components that offers take; a message has room for 40."""


def buttons(viewer: Viewer, offer: OfferView) -> list[Button]:
    """The buttons of an offer: in public all that an offer of its kind can have, for one person those they can use.

    Players who can't pay learn it privately, after the click. Buttons that only bots could press are left out.
    """
    found, public = _answering(viewer, offer), viewer.seat is None
    made = not (public and viewer.table.member_at(viewer.game, offer.seat).level)
    if made and offer.seat == viewer.view.on_turn:
        found += _closing(viewer, offer)
    if made if public else viewer.options.allows(WithdrawOffer(offer.id)):
        found.append(withdraw(offer.id))
    return found


def shown(viewer: Viewer, offer: OfferView, text: str) -> list[Row]:
    """Rows for an offer: its text, and all its buttons below. Empty if it has no buttons."""
    found = buttons(viewer, offer)
    return [Text(text), *rows(found)] if found else []


def in_panel(public: Viewer, told: Sequence[str]) -> tuple[list[str], list[Row]]:
    """The open offers in a panel: lines of those without buttons, and rows of those with buttons.

    `told`: a line for each offer. If there are many, none has buttons of its own, and one button leads to all.
    """
    found = public.view.offers
    if not len(told) == len(found) <= INLINE_OFFERS:
        return [*told], []
    rows_of = {text: shown(public, offer, text) for offer, text in zip(found, told, strict=True)}
    return [text for text, rows_ in rows_of.items() if not rows_], [row for rows_ in rows_of.values() for row in rows_]


def _answering(viewer: Viewer, offer: OfferView) -> list[Button]:
    """Buttons for the players that an offer asks; in public, none if it asks only bots."""
    n, public = offer.id, viewer.seat is None
    asked = [seat for seat in bits(offer.to) if not viewer.table.member_at(viewer.game, seat).level]
    left = any(not offer.declined >> seat & 1 for seat in asked)
    found = []
    if bool(asked) if public else viewer.options.allows(AcceptOffer(n)):
        found.append(accept(n))
    if left if public else viewer.options.allows(DeclineOffer(n)):
        found.append(Button(_("Decline {n}", n=n), Do(DeclineOffer(n), bound=False)))
    counters = asked if viewer.seat is None else offer.to >> viewer.seat & 1 and MakeOffer in viewer.options
    if offer.seat == viewer.view.on_turn and counters:
        found.append(Button(_("Counter {n}", n=n), Open("draft", (str(n),))))
    return found


def accept(offer: int) -> Button:
    """The button that accepts another player's offer."""
    return Button(_("Accept {n}", n=offer), Do(AcceptOffer(offer), bound=False), Style.SUCCESS)


def withdraw(offer: int) -> Button:
    """The button that cancels a player's own offer."""
    return Button(_("Cancel offer {n}", n=offer), Do(WithdrawOffer(offer), bound=False))


def _closing(viewer: Viewer, offer: OfferView) -> list[Button]:
    """Buttons to trade with a player who accepted. If there are several, the player on turn picks one in private."""
    n, partners = offer.id, list(bits(offer.accepted))
    if viewer.seat is not None and len(partners) <= CHOSEN:
        return [close(viewer, n, seat) for seat in partners if viewer.options.allows(CloseOffer(n, seat))]
    if len(partners) > 1:
        return [Button(_("Pick who trades ({n})", n=n), Open("close", (str(n),)), Style.PRIMARY)]
    return [close(viewer, n, seat, several=True) for seat in partners]


def close(viewer: Viewer, offer: int, seat: int, several: bool = False) -> Button:
    """The button to trade with a partner, for a player's own offer; `several`: the label must say which offer."""
    name, target = viewer.names[seat], Do(CloseOffer(offer, seat))
    label = _("Trade with {name} ({n})", n=offer, name=name) if several else _("Trade with {name}", name=name)
    return Button(label, target, Style.PRIMARY)


def menu(viewer: Viewer, lead: str = "") -> Reply | None:
    """All open offers with the person's buttons for each, and a warning on those of their own that they can't keep;
    None without any."""
    if not viewer.view.offers:
        return None
    lines, controls, room = [lead or _("**Open offers**")], list[Row](), ROOM
    for offer in viewer.view.offers:
        text = "\n".join(offer_lines(viewer, offer))
        found = [] if viewer.seat is None else shown(viewer, offer, text)
        room -= size(found)
        if found and room >= 0:
            controls += found
        else:
            lines.append(text)
    return Reply("\n".join(lines), rows=controls, decision=viewer.decision if controls else "")


def offer_lines(viewer: Viewer, offer: OfferView) -> Iterator[str]:
    """The line of an offer, then a warning if it is the viewer's own and they can't keep it."""
    yield offer_line(viewer.view, offer, viewer.marked)
    yield from filter(None, [unkept_line(viewer.view, offer)])


def pings(public: Viewer) -> list[Ping]:
    """Pings to players who haven't answered an offer, and to its maker when one accepts and when all have answered."""
    found = []
    for offer in public.view.offers:
        n, waiting = offer.id, tuple(bits(offer.to & ~offer.accepted & ~offer.declined))
        if waiting:
            terms = {"n": n, "name": public.names[offer.seat], "give": cards(offer.give), "want": cards(offer.want)}
            asked = _("{name} offers {give} for {want} (offer {n})", **terms)
            came = _newcomers(public, offer, offer.to)
            occasion, called = _occasion(f"offer.{n}", came), tuple(came) if came else None
            topic = f"offer.{public.view.turn}.{offer.seat}.{offer.give}.{offer.want}"
            answers = tuple(_answering(public, offer))
            own = offer.answers >= 0  # it asks the player on turn, who has made the offer that it counters
            found.append(Ping(occasion, waiting, asked, About.OFFER, answers, called=called, own=own, topic=topic))
        if offer.seat == public.view.on_turn and (offer.accepted or not waiting):
            state = "accepted" if waiting else "answered"
            text = _answers(offer, public.names, state)
            close_ = (Button(_("Trade"), Open("close", (str(n),)), Style.PRIMARY, "🤝"),) * bool(offer.accepted)
            occasion = _occasion(f"offer.{n}.{state}", _newcomers(public, offer, 1 << offer.seat))
            topic = f"{occasion}.{offer.accepted}"
            found.append(Ping(occasion, (offer.seat,), text, About.OFFER, close_, own=True, topic=topic))
    return found


def _newcomers(public: Viewer, offer: OfferView, seats: int) -> dict[int, int]:
    """Users, by seat, who have taken over one of these seats (a mask) since an offer was made."""
    found = {}
    for taken in seatings(public.table):
        seat = public.table.seat_at(public.game, taken.place)
        if seats >> seat & 1 and offers_made(public, taken.recorded) >= offer.id:
            found[seat] = public.users[seat]
    return found


def _occasion(name: str, newcomers: dict[int, int]) -> str:
    """The name of a ping. It changes when a seat in it changes hands, so that there is a new ping."""
    return ".".join([name, *map(str, newcomers.values())])


def _answers(offer: OfferView, names: Sequence[str], state: str) -> str:
    """How an offer was answered, in words for its maker."""
    if not offer.accepted:
        return _("everyone declined your offer {n}", n=offer.id)
    values = {"who": listing(names[seat] for seat in bits(offer.accepted)), "offer": offer.id}
    many = offer.accepted.bit_count()
    if state == "answered":
        return n_(
            "{who} accepts your offer {offer}: make the trade",
            "{who} accept your offer {offer}: pick who you trade with",
            many,
            **values,
        )
    return n_(
        "{who} accepts your offer {offer}: trade now, or wait for the others",
        "{who} accept your offer {offer}: trade now, or wait for the others",
        many,
        **values,
    )
