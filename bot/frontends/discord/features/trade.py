"""Trade: with the other players and with the bank."""

from __future__ import annotations

from collections.abc import Iterable

import discord
from discord import app_commands

from bot.frontends.discord.talk.call import Call
from bot.frontends.discord.talk.commands import Complete, Interaction, act, suggestions
from bot.frontends.discord.talk.door import Shape
from bot.frontends.discord.talk.feature import Feature, Verb
from bot.params import Typed
from bot.presentation import offers, people
from bot.presentation.controls import ChoiceField, Entry, Form, Option, Reply, Row, TextField, Values, rows
from bot.presentation.forms import FormKind
from bot.presentation.panel import offer_line
from bot.presentation.texts.hands import rates
from bot.presentation.texts.language import N_, _, n_
from bot.presentation.texts.marks import RESOURCE_SIGNS, cards, resource
from bot.presentation.texts.typed import parse_hand, parse_number, typed
from bot.presentation.viewer import Viewer
from engine.actions import (
    AcceptOffer,
    Action,
    BankTrade,
    CloseOffer,
    DeclineOffer,
    MakeOffer,
    WithdrawOffer,
)
from engine.domains import BankTrades, Choices, Closings
from engine.errors import RefereeError
from engine.geometry import bits
from engine.resources import NOTHING, RESOURCES, single
from engine.variants.separate_phases import EndTrade
from engine.views import OfferView

# --- forms


class OfferForm(FormKind):
    """What is given and wanted, and to whom; as a counter the sides of the other's offer, turned round (E2)."""

    name = "offer"
    args = "[0-9]{1,6}"
    """The offer that it answers."""

    def build(self, viewer: Viewer, args: tuple[str, ...]) -> Form:
        if MakeOffer not in viewer.options:
            raise viewer.why([MakeOffer(NOTHING, NOTHING)], RefereeError("not-now/offer"))
        answered = _find(viewer, int(args[0])) if args else None
        form = Form(_("Answer with an offer") if answered else _("Offer a trade"))
        give, want = (typed(answered.want), typed(answered.give)) if answered else (None, None)
        hint = _("Numbers and resources: brick, lumber, wool, grain, ore")
        form.fields = [
            TextField("give", _("You give"), hint, _("2 wool"), give),
            TextField("want", _("You want"), None, _("1 ore"), want),
        ]
        others = [p.seat for p in viewer.view.players if p.seat != viewer.seat and not p.resigned]
        if viewer.seat == viewer.view.on_turn and len(others) > 1 and not answered:
            options = [Option(str(seat), viewer.names[seat]) for seat in others]
            everyone = _("Nobody chosen: to everyone")
            to = ChoiceField("to", _("To whom"), options, everyone, required=False, most=len(options))
            form.fields.append(to)
        return form

    def entries(self, args: tuple[str, ...]) -> dict[str, Entry]:
        words = Entry(r"(?s).{0,200}")
        return {"give": words, "want": words, "to": Entry("[0-7]", least=0, most=8)}

    def read(self, viewer: Viewer, args: tuple[str, ...], values: Values) -> Action:
        to = tuple(sorted(int(seat) for seat in values.get("to", ())))
        give, want = parse_hand(values["give"][0]), parse_hand(values["want"][0])
        return MakeOffer(give, want, to, int(args[0]) if args else -1)


def _find(viewer: Viewer, offer_id: int) -> OfferView:
    found = next((o for o in viewer.view.offers if o.id == offer_id), None)
    if found is None:
        raise RefereeError("no-such-offer/panel", offer=offer_id)
    return found


class BankForm(FormKind):
    """Two lists: what is given at the best rate, and what for (E4)."""

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
                _("You have {n}; your rate is {rate}:1", n=domain.hand[kind], rate=domain.rates[kind]),
                emoji=RESOURCE_SIGNS[kind],
            )
            for kind in sorted({r for r, _ in domain.pairs()}, key=lambda r: domain.rates[r])
            for n in range(1, min(domain.hand[kind] // domain.rates[kind], 5) + 1)
        ]
        wanted = [
            Option(
                str(kind),
                resource(kind, sign=False).capitalize(),
                _("The bank has {n}", n=n),
                emoji=RESOURCE_SIGNS[kind],
            )
            for kind, n in enumerate(domain.bank)
            if n
        ]
        fields = [ChoiceField("give", _("You give"), lots[:25]), ChoiceField("get", _("You get"), wanted)]
        return Form(_("Trade with the bank"), [*fields])

    def entries(self, args: tuple[str, ...]) -> dict[str, Entry]:
        return {"give": Entry(r"[0-4]\.[1-9]"), "get": Entry("[0-4]")}

    def read(self, viewer: Viewer, args: tuple[str, ...], values: Values) -> Action:
        kind, lots = map(int, values["give"][0].split("."))
        rate = viewer.view.players[viewer.player].rates[kind]
        return BankTrade(single(kind, lots * rate), single(int(values["get"][0]), lots))


# --- buttons


async def _offers(call: Call) -> Reply:
    """All open offers, with what the one who asks may do about each."""
    viewer = await call.viewer()
    if not viewer.view.offers:
        return await call.with_panel(_("No offer is open now."))
    lines = [offer_line(viewer.view, offer, viewer.mentions) for offer in viewer.view.offers]
    if viewer.seat is None:
        return Reply("\n".join(lines))
    controls: list[Row] = []
    for offer in viewer.view.offers:
        controls += rows(offers.buttons(viewer, offer))
    return Reply("\n".join(lines), rows=controls[:6], decision=viewer.decision)


async def _close(call: Call) -> Reply:
    """With whom to close an offer of one's own."""
    viewer = await call.viewer()
    offer = _find(viewer, int(call.address.arg))
    if offer.seat != viewer.player:
        raise RefereeError("not-yours/offer", name=viewer.names[offer.seat], offer=offer.id)
    if not offer.accepted:
        raise RefereeError("not-accepted/yet", offer=offer.id)
    question = _("**With whom do you close offer {n}?**", n=offer.id)
    terms = _("You give {give} and get {want}.", give=cards(offer.give), want=cards(offer.want))
    buttons = [offers.close(viewer, offer.id, seat) for seat in bits(offer.accepted)]
    return Reply(f"{question} {terms}", rows=rows(buttons), decision=viewer.decision)


# --- commands

TRADE = app_commands.Group(name="trade", description=N_("Trade with the others or with the bank"), guild_only=True)
OFFER = N_("The number of the offer, as the panel shows it")


def _suggested(cls: type[Action]) -> Complete:
    """Suggests the offers that one may accept, decline, withdraw, …"""

    def find(viewer: Viewer) -> Iterable[tuple[str, str]]:
        domain = viewer.options.get(cls)
        ids: set[int] = set()
        if isinstance(domain, Choices):
            ids = set(domain.values)
        elif isinstance(domain, Closings):
            ids = {offer for offer, _ in domain.pairs}
        elif cls is MakeOffer and domain is not None:
            ids = {o.id for o in viewer.view.offers if o.seat == viewer.view.on_turn != viewer.seat}
        for offer in viewer.view.offers:
            if offer.id in ids:
                values = {"name": viewer.names[offer.seat], "give": cards(offer.give), "want": cards(offer.want)}
                yield _("{n}: {name} gives {give} for {want}", n=offer.id, **values), str(offer.id)

    return suggestions(find)


def _partners(viewer: Viewer) -> Iterable[tuple[str, str]]:
    domain = viewer.options.get(CloseOffer)
    seats = sorted({seat for _, seat in domain.pairs}) if isinstance(domain, Closings) else []
    return people.suggested(viewer, seats)


def _lot(n: int, kind: int) -> tuple[str, str]:
    """So many cards of a kind, as they are shown and as they can be typed."""
    return f"{n} {resource(kind, sign=False)}", f"{n} {RESOURCES[kind]}"


def _held(viewer: Viewer) -> Iterable[tuple[str, str]]:
    """Cards of one kind out of the own hand, while an offer can be made."""
    hand = viewer.view.players[viewer.player].hand if MakeOffer in viewer.options else None
    for kind, held in enumerate(hand or ()):
        yield from (_lot(n, kind) for n in range(1, held + 1))


def _wished(viewer: Viewer) -> Iterable[tuple[str, str]]:
    """A card of each kind: nobody's hand shows in what is suggested."""
    return [_lot(1, kind) for kind in range(5)] if MakeOffer in viewer.options else []


def _gives(viewer: Viewer) -> Iterable[tuple[str, str]]:
    domain = viewer.options.get(BankTrade)
    if isinstance(domain, BankTrades):
        for kind in dict.fromkeys(kind for kind, _ in domain.pairs()):
            rate = domain.rates[kind]
            for n in range(1, domain.hand[kind] // rate + 1):
                shown, lot = _lot(n * rate, kind)
                yield n_("{lot} for {n} card", "{lot} for {n} cards", n, lot=shown), lot


def _gets(viewer: Viewer) -> Iterable[tuple[str, str]]:
    return [_lot(1, kind) for kind, n in enumerate(viewer.view.bank) if n]


def _number(text: str) -> int:
    number = parse_number(text.partition(":")[0].strip().removeprefix("#"))
    if number is None:
        raise RefereeError("unreadable/offer", typed=Typed(text))
    return number


@TRADE.command(name="offer", description=N_("Offer a trade to everybody, or to somebody"))
@app_commands.describe(
    give=N_('What you give, like "2 wool"'),
    want=N_('What you want, like "1 ore"'),
    to=N_("To whom; leave it out to ask everybody"),
    to_too=N_("Also to"),
)
@app_commands.rename(to_too="and")
@app_commands.autocomplete(give=suggestions(_held), want=suggestions(_wished))
async def offer(
    interaction: Interaction,
    give: str,
    want: str,
    to: discord.User | None = None,
    to_too: discord.User | None = None,
) -> None:
    def decide(viewer: Viewer) -> MakeOffer:
        asked = [user for user in (to, to_too) if user is not None]
        seats = {people.seat_of(viewer, user.id, user.display_name) for user in asked}
        return MakeOffer(parse_hand(give), parse_hand(want), tuple(sorted(seats)))

    await act(interaction, decide)


@TRADE.command(name="bank", description=N_("Trade with the bank at your best rate: 4, 3 or 2 for 1"))
@app_commands.describe(give=N_('What you give, like "4 wool"'), get=N_('What you get, like "1 ore"'))
@app_commands.autocomplete(give=suggestions(_gives), get=suggestions(_gets))
async def bank(interaction: Interaction, give: str, get: str) -> None:
    await act(interaction, lambda viewer: BankTrade(parse_hand(give), parse_hand(get)))


@TRADE.command(name="accept", description=N_("Accept an offer"))
@app_commands.describe(offer=OFFER)
@app_commands.autocomplete(offer=_suggested(AcceptOffer))
async def accept(interaction: Interaction, offer: str) -> None:
    await act(interaction, lambda viewer: AcceptOffer(_number(offer)))


@TRADE.command(name="decline", description=N_("Decline an offer"))
@app_commands.describe(offer=OFFER)
@app_commands.autocomplete(offer=_suggested(DeclineOffer))
async def decline(interaction: Interaction, offer: str) -> None:
    await act(interaction, lambda viewer: DeclineOffer(_number(offer)))


@TRADE.command(name="counter", description=N_("Answer an offer with another one"))
@app_commands.describe(offer=OFFER, give=N_('What you give, like "1 ore"'), want=N_('What you want, like "3 wool"'))
@app_commands.autocomplete(offer=_suggested(MakeOffer))
async def counter(interaction: Interaction, offer: str, give: str, want: str) -> None:
    await act(interaction, lambda viewer: MakeOffer(parse_hand(give), parse_hand(want), (), _number(offer)))


@TRADE.command(name="close", description=N_("Close your offer with somebody who has accepted it"))
@app_commands.describe(offer=OFFER, partner=N_("With whom"))
@app_commands.rename(partner="with")
@app_commands.autocomplete(offer=_suggested(CloseOffer), partner=suggestions(_partners))
async def close(interaction: Interaction, offer: str, partner: str) -> None:
    await act(interaction, lambda viewer: CloseOffer(_number(offer), people.seat_named(viewer, partner)))


@TRADE.command(name="withdraw", description=N_("Take your offer back"))
@app_commands.describe(offer=OFFER)
@app_commands.autocomplete(offer=_suggested(WithdrawOffer))
async def withdraw(interaction: Interaction, offer: str) -> None:
    await act(interaction, lambda viewer: WithdrawOffer(_number(offer)))


@TRADE.command(name="done", description=N_("Go on to build, where trade and building are separate phases"))
async def done(interaction: Interaction) -> None:
    await act(interaction, lambda viewer: EndTrade())


FEATURE = Feature(
    commands=[TRADE],
    buttons={"offers": Verb(_offers), "close": Verb(_close, shape=Shape("[0-9]{1,6}"))},
    forms=[OfferForm(), BankForm()],
    actions=offers.ACTIONS,
)
