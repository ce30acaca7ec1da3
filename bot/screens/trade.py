"""The forms of trade: an offer to other players, and a trade with the bank."""

from __future__ import annotations

from dataclasses import replace

from bot.screens.controls import ChoiceField, Entry, Form, Option, TextField, Values
from bot.screens.forms import FormKind
from bot.screens.viewer import Viewer
from bot.words.hands import rates
from bot.words.language import _, n_
from bot.words.marks import RESOURCE_SIGNS, resource, resource_title
from bot.words.typed import parse_trade, typed
from engine.actions import (
    Action,
    BankTrade,
    MakeOffer,
)
from engine.domains import BankTrades
from engine.errors import RefereeError
from engine.resources import NOTHING, Hand, hand, single
from engine.views import OfferView


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
            options = [Option(str(seat), viewer.names[seat]) for seat in others]
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
            raise viewer.why([BankTrade(NOTHING, NOTHING)], RefereeError("not-now/bank", rates=rates(viewer.view)))
        lots = [
            Option(
                f"{kind}.{n}",
                n_(
                    "{give} {resource} for {n} card",
                    "{give} {resource} for {n} cards",
                    n,
                    give=n * domain.rates[kind],
                    resource=resource(kind, sign=False),
                ),
                _("You have {n} · rate {rate}:1", n=domain.hand[kind], rate=domain.rates[kind]),
                emoji=RESOURCE_SIGNS[kind],
            )
            for kind in sorted({r for r, _ in domain.pairs()}, key=lambda r: domain.rates[r])
            for n in range(1, min(domain.hand[kind] // domain.rates[kind], 5) + 1)
        ]
        resources = [
            Option(
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
