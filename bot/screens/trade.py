"""Trade: open offers and their buttons, in the panel the same for all, in private for one person; the forms for an
offer and for a trade with the bank; and the list of trades with the bank."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.screens.controls import (
    Button,
    ChoiceField,
    Do,
    Entry,
    Form,
    ListOption,
    Open,
    Reply,
    Row,
    Select,
    Style,
    Text,
    TextField,
    Values,
    rows,
    size,
)
from bot.screens.forms import FormKind
from bot.screens.history import offers_made
from bot.screens.panel import offer_line
from bot.screens.steps import About, Ping
from bot.screens.steps.step import INLINE_OFFERS
from bot.screens.viewer import Viewer
from bot.table.table import seatings
from bot.words.hands import bank_rates, unkept_line
from bot.words.language import _, n_
from bot.words.marks import RESOURCE_SIGNS, cards, count, listing, resource_title
from bot.words.typed import parse_trade, typed
from engine.actions import (
    AcceptOffer,
    Action,
    BankTrade,
    CloseOffer,
    DeclineOffer,
    MakeOffer,
    WithdrawOffer,
)
from engine.domains import BankTrades, Offers
from engine.errors import RefereeError
from engine.geometry import bits
from engine.resources import NOTHING, Hand, hand, single
from engine.terms import StepKind
from engine.views import OfferView

OFFER_ACTIONS = (AcceptOffer, DeclineOffer, CloseOffer, WithdrawOffer)
"""Actions that their buttons play directly."""
MOST_PARTNER_BUTTONS = 3
"""Up to this many partners have buttons of their own next to an offer; with more, one is picked first."""
MOST_OFFER_COMPONENTS = 26
"""Most components that offers take on a page; a message has room for 40."""


def offer_buttons(viewer: Viewer, offer: OfferView) -> list[Button]:
    """The buttons of an offer: in public every button that such an offer can have, for one person those they can
    use.

    Players who can't pay learn it privately, after the click. Buttons that only bots could press are left out.
    """
    found, public = _answer_buttons(viewer, offer), viewer.seat is None
    made = _is_trading(viewer) and not (public and viewer.table.member_at(viewer.game, offer.seat).level)
    if made and offer.seat == viewer.view.on_turn:
        found += _close_buttons(viewer, offer)
    if made if public else viewer.options.allows(WithdrawOffer(offer.id)):
        found.append(withdraw_button(offer.id))
    return found


def _is_trading(viewer: Viewer) -> bool:
    """Whether offers can be more than accepted and declined: not before a card's free roads are placed (E2)."""
    return viewer.view.step.kind is not StepKind.ROAD_BUILDING


def offer_rows(viewer: Viewer, offer: OfferView, text: str) -> list[Row]:
    """Rows for an offer: its text, and all its buttons below. Empty if it has no buttons."""
    found = offer_buttons(viewer, offer)
    return [Text(text), *rows(found)] if found else []


def panel_offers(public: Viewer, told: Sequence[str]) -> tuple[list[str], list[Row]]:
    """The open offers in a panel: lines of those without buttons, and rows of those with buttons.

    `told`: a line for each offer. If there are many, none has buttons of its own, and one button leads to all. In a
    pause, none has any.
    """
    found = public.view.offers
    if public.table.paused or not len(told) == len(found) <= INLINE_OFFERS:
        return [*told], []
    rows_of = {text: offer_rows(public, offer, text) for offer, text in zip(found, told, strict=True)}
    return [text for text, rows_ in rows_of.items() if not rows_], [row for rows_ in rows_of.values() for row in rows_]


def _answer_buttons(viewer: Viewer, offer: OfferView) -> list[Button]:
    """Buttons for the players that an offer asks; in public, none if it asks only bots."""
    n, public = offer.id, viewer.seat is None
    asked = [seat for seat in bits(offer.to) if not viewer.table.member_at(viewer.game, seat).level]
    acceptable, declinable = (any(not who >> seat & 1 for seat in asked) for who in (offer.accepted, offer.declined))
    found = []
    if acceptable if public else viewer.options.allows(AcceptOffer(n)):
        found.append(accept_button(n))
    if declinable if public else viewer.options.allows(DeclineOffer(n)):
        found.append(Button(_("Decline {n}", n=n), Do(DeclineOffer(n), bound=False)))
    domain = viewer.options.get(MakeOffer)
    if bool(asked) and _is_trading(viewer) if public else isinstance(domain, Offers) and n in domain.answers:
        found.append(Button(_("Counter {n}", n=n), Open("draft", (str(n),))))
    return found


def accept_button(offer: int) -> Button:
    """The button that accepts another player's offer."""
    return Button(_("Accept {n}", n=offer), Do(AcceptOffer(offer), bound=False), Style.SUCCESS)


def withdraw_button(offer: int) -> Button:
    """The button that cancels a player's own offer."""
    return Button(_("Cancel offer {n}", n=offer), Do(WithdrawOffer(offer), bound=False))


def _close_buttons(viewer: Viewer, offer: OfferView) -> list[Button]:
    """Buttons to trade with a player who accepted. If there are several, the player on turn picks one in private."""
    n, partners = offer.id, list(bits(offer.accepted))
    if viewer.seat is not None and len(partners) <= MOST_PARTNER_BUTTONS:
        return [close_button(viewer, n, seat) for seat in partners if viewer.options.allows(CloseOffer(n, seat))]
    if len(partners) > 1:
        return [Button(_("Pick who trades ({n})", n=n), Open("close", (str(n),)), Style.PRIMARY)]
    return [close_button(viewer, n, seat, several=True) for seat in partners]


def close_button(viewer: Viewer, offer: int, seat: int, several: bool = False) -> Button:
    """The button to trade with a partner, for a player's own offer; `several`: the label must say which offer."""
    name, target = viewer.names[seat], Do(CloseOffer(offer, seat))
    label = _("Trade with {name} ({n})", n=offer, name=name) if several else _("Trade with {name}", name=name)
    return Button(label, target, Style.PRIMARY)


def offers_menu(viewer: Viewer, lead: str = "", page: int = 0) -> Reply | None:
    """All open offers with the person's buttons for each, and a warning on those of their own that they can't keep, in
    pages; None without any."""
    if not viewer.view.offers:
        return None
    pages = _offer_pages(viewer)
    page = min(page, len(pages) - 1)
    lines, controls = [lead or _("**Open offers**")], list[Row]()
    for text, found in pages[page]:
        if found:
            controls += found
        else:
            lines.append(text)
    turning = [Button(_("Previous"), Open("offers", (str(page - 1),)), emoji="⬅️")] if page else []
    if page + 1 < len(pages):
        turning.append(Button(_("Next"), Open("offers", (str(page + 1),)), emoji="➡️"))
    return Reply("\n".join(lines), rows=[*controls, turning], decision=viewer.decision if controls else "")


def _offer_pages(viewer: Viewer) -> list[list[tuple[str, list[Row]]]]:
    """The text and the rows of each open offer, those that ask the viewer first, as many on a page as have room."""
    pages, room = [list[tuple[str, list[Row]]]()], MOST_OFFER_COMPONENTS
    asking = open_offers(viewer)
    for offer in (*asking, *(offer for offer in viewer.view.offers if offer not in asking)):
        text = "\n".join(offer_lines(viewer, offer))
        found = [] if viewer.seat is None or viewer.table.paused else offer_rows(viewer, offer, text)
        if size(found) > room:
            pages.append([])
            room = MOST_OFFER_COMPONENTS
        pages[-1].append((text, found))
        room -= size(found)
    return pages


def open_offers(viewer: Viewer) -> list[OfferView]:
    """The offers that wait for the viewer's answer."""
    if viewer.seat is None:
        return []
    return [o for o in viewer.view.offers if o.to & ~o.accepted & ~o.declined & 1 << viewer.seat]


def offer_lines(viewer: Viewer, offer: OfferView) -> Iterator[str]:
    """The line of an offer, then a warning if it is the viewer's own and they can't keep it."""
    yield offer_line(viewer.view, offer, viewer.marked)
    yield from filter(None, [unkept_line(viewer.view, offer)])


def offer_pings(public: Viewer) -> list[Ping]:
    """Pings to players who haven't answered an offer, and to its maker when one accepts and when all have answered."""
    found = []
    for offer in public.view.offers:
        n, waiting = offer.id, tuple(bits(offer.to & ~offer.accepted & ~offer.declined))
        if waiting:
            terms = {"n": n, "name": public.names[offer.seat], "give": cards(offer.give), "want": cards(offer.want)}
            asked = _("{name} offers {give} for {want} (offer {n})", **terms)
            came = _newcomers(public, offer, offer.to)
            occasion, called = _occasion(f"offer.{n}", came), tuple(came) if came else None
            topic = f"offer.{public.view.turn}.{offer.seat}|{offer.give}.{offer.want}"
            answers = tuple(_answer_buttons(public, offer))
            own = offer.answers >= 0  # it asks the player on turn, who has made the offer that it counters
            found.append(Ping(occasion, waiting, asked, About.OFFER, answers, called=called, own=own, topic=topic))
        if offer.seat == public.view.on_turn and (offer.accepted or not waiting):
            state = "accepted" if waiting else "answered"
            text = _answered(offer, public.names, state)
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


def _answered(offer: OfferView, names: Sequence[str], state: str) -> str:
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


# --- forms


class OfferForm(FormKind):
    """An offer: what is given and wanted, and to whom. A counteroffer starts as the other offer, sides swapped (E2)."""

    name = "offer"
    args = "[0-9]{1,6}"
    """Pattern: id of the offer that it answers."""

    def build(self, viewer: Viewer, args: tuple[str, ...]) -> Form:
        answered = answerable(viewer, int(args[0]) if args else -1)
        form = Form(_("Counteroffer") if answered else _("Offer a trade"))
        give, want = None, typed(answered.give) if answered else None
        if answered and any(held := holding(viewer, answered.want)):
            give = typed(held)
        hint = _("Or the whole trade: “2 wool for 1 ore”")
        form.fields = [
            TextField("give", _("You give"), hint, _("2 wool"), give),
            TextField("want", _("You want"), None, _("1 ore"), want, required=False),
        ]
        others = [p.seat for p in viewer.view.players if p.seat != viewer.seat and not p.resigned]
        if viewer.seat == viewer.view.on_turn and len(others) > 1 and not answered:
            options = [ListOption(str(seat), viewer.names[seat]) for seat in others]
            everyone = _("Empty: everyone")
            to = ChoiceField("to", _("To whom"), options, everyone, required=False, most=len(options))
            form.fields.append(to)
        return form

    def entries(self, args: tuple[str, ...]) -> dict[str, Entry]:
        words = Entry(r"(?s).{0,200}")
        return {"give": words, "want": replace(words, least=0), "to": Entry("[0-7]", least=0, most=8)}

    def read(self, viewer: Viewer, args: tuple[str, ...], values: Values) -> Action:
        to = tuple(sorted(int(seat) for seat in values.get("to", ())))
        give, want = parse_trade(values["give"][0], next(iter(values.get("want", ())), None))
        return MakeOffer(give, want, to, int(args[0]) if args else -1)


def holding(viewer: Viewer, cards: Hand) -> Hand:
    """Of these cards, those that the player holds."""
    held = viewer.view.players[viewer.my_seat].hand or NOTHING
    return hand(min(n, h) for n, h in zip(cards, held, strict=True))


def find_offer(viewer: Viewer, offer_id: int) -> OfferView:
    """An open offer by its id. Code: "no-such-offer"."""
    offer = next((o for o in viewer.view.offers if o.id == offer_id), None)
    if offer is None:
        raise RefereeError("no-such-offer/panel", offer=offer_id)
    return offer


def answerable(viewer: Viewer, offer_id: int) -> OfferView | None:
    """The open offer to counter; None for -1, a new offer. Raises if the person can't make an offer now."""
    offer = find_offer(viewer, offer_id) if offer_id >= 0 else None
    asked = offer is None or offer.to >> viewer.my_seat & 1
    if MakeOffer not in viewer.options or not asked:
        raise viewer.why([MakeOffer(NOTHING, NOTHING, (), offer_id)], RefereeError("not-now/offer"))
    return offer


class BankForm(FormKind):
    """A trade with the bank in two lists: what is given, at the best rate, and what for (E4)."""

    name = "bank"

    def build(self, viewer: Viewer, args: tuple[str, ...]) -> Form:
        domain = viewer.options.get(BankTrade)
        if not isinstance(domain, BankTrades) or not len(domain):
            viewer.check_playing()
            raise viewer.why([BankTrade(NOTHING, NOTHING)], RefereeError("not-now/bank", rates=bank_rates(viewer.view)))
        lots = [
            ListOption(
                f"{kind}.{n}",
                n_(
                    "{cards} for {n} card",
                    "{cards} for {n} cards",
                    n,
                    cards=count(kind, n * domain.rates[kind]),
                ),
                _("You have {n} · rate {rate}:1", n=domain.hand[kind], rate=domain.rates[kind]),
                emoji=RESOURCE_SIGNS[kind],
            )
            for kind in sorted({r for r, _ in domain.pairs()}, key=lambda r: domain.rates[r])
            for n in range(1, min(domain.hand[kind] // domain.rates[kind], 5) + 1)
        ]
        resources = [
            ListOption(
                str(kind),
                resource_title(kind),
                _("The bank has {n}", n=n),
                emoji=RESOURCE_SIGNS[kind],
            )
            for kind, n in enumerate(domain.bank)
            if n
        ]
        fields = [ChoiceField("give", _("You give"), lots[:25]), ChoiceField("get", _("You get"), resources)]
        return Form(_("Trade with the bank"), [*fields])

    def entries(self, args: tuple[str, ...]) -> dict[str, Entry]:
        return {"give": Entry(r"[0-4]\.[1-9]"), "get": Entry("[0-4]")}

    def read(self, viewer: Viewer, args: tuple[str, ...], values: Values) -> Action:
        kind, lots = map(int, values["give"][0].split("."))
        rate = viewer.view.players[viewer.my_seat].rates[kind]
        return BankTrade(single(kind, lots * rate), single(int(values["get"][0]), lots))


# --- the list of trades with the bank


def bank_list(viewer: Viewer, lead: str = "") -> Reply | None:
    """All trades with the bank in one list; None if there are none."""
    domain = viewer.options.get(BankTrade)
    if not isinstance(domain, BankTrades) or not len(domain):
        return None
    options = [
        ListOption(
            f"{give}.{get}",
            _("{give} for {get}", give=count(give, domain.rates[give]), get=count(get, 1)),
            _("You have {give} and {get}", give=count(give, domain.hand[give]), get=count(get, domain.hand[get])),
            emoji=RESOURCE_SIGNS[get],
        )
        for give, get in sorted(domain.pairs(), key=lambda pair: (domain.rates[pair[0]], -domain.hand[pair[0]]))
    ]
    select = Select(_("Choose a trade"), Open("bank", bound=True), options)
    many = Button(_("More than one"), Open("form", ("bank",)), emoji="⌨️")
    text = "\n".join(filter(None, (lead, _("**Trade with the bank**"), bank_rates(viewer.view))))
    return Reply(text, rows=[select, [many]], decision=viewer.decision)


def no_bank_trade(viewer: Viewer) -> RefereeError:
    """The refusal that says why nothing can be traded with the bank."""
    viewer.check_playing()
    return viewer.why([BankTrade(NOTHING, NOTHING)], RefereeError("not-now/bank", rates=bank_rates(viewer.view)))


BANK_ENTRY = Entry(r"[0-4]\.[0-4]")
"""What that list accepts: the resource given, a dot, the resource taken."""


def bank_trade(viewer: Viewer, value: str) -> BankTrade:
    """The chosen trade, at the person's present rate."""
    give, get = map(int, value.split("."))
    return BankTrade(single(give, viewer.view.players[viewer.my_seat].rates[give]), single(get))
