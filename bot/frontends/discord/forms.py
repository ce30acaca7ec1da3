"""What is asked in modals, discards, offers, bank trades, cards that name resources, and what becomes of it."""

from __future__ import annotations

from collections.abc import Callable

from bot.frontends.discord import play
from bot.frontends.discord.call import Call
from bot.frontends.discord.door import Field, Fields
from bot.frontends.discord.ids import Address
from bot.frontends.discord.modals import Form
from bot.frontends.discord.parts import Option, Reply
from bot.presentation.texts.hands import rates
from bot.presentation.texts.marks import RESOURCE_SIGNS, count
from bot.presentation.texts.typed import parse_hand, typed
from bot.presentation.viewer import Viewer
from engine.actions import (
    Action,
    BankTrade,
    Discard,
    MakeOffer,
    PlayMonopoly,
    PlayYearOfPlenty,
)
from engine.domains import BankTrades, Cards, Choices
from engine.errors import RefereeError
from engine.resources import NOTHING, RESOURCES, hand, single
from engine.views import OfferView

Opener = Callable[[Viewer, tuple[str, ...]], Form]


def address(viewer: Viewer, kind: str, *details: str) -> Address:
    """The id of a form, bound to the seat's open decision."""
    return Address("sent", viewer.table.number, viewer.decision, (kind, *details))


def resource_option(kind: int, description: str | None = None) -> Option:
    """A resource in a select."""
    return Option(str(kind), RESOURCES[kind].capitalize(), description, emoji=RESOURCE_SIGNS[kind])


def discard(viewer: Viewer, _: tuple[str, ...]) -> Form:
    """Five selects at most: how many of each resource go."""
    domain = viewer.options.get(Discard)
    if not isinstance(domain, Cards):
        raise viewer.why([Discard(NOTHING)], "You have nothing to discard now.")
    form = Form(f"Discard {count(domain.total, 'card')}", address(viewer, "discard"))
    for kind, held in enumerate(domain.caps):
        if held:
            options = [Option(str(n), str(n), default=n == 0) for n in range(min(held, 24) + 1)]
            title = f"{RESOURCE_SIGNS[kind]} {RESOURCES[kind].capitalize()}: you have {held}"
            form.choice(f"r{kind}", title, options, required=False)
    return form


def offer(viewer: Viewer, details: tuple[str, ...]) -> Form:
    """What is given and wanted, and to whom; as a counter the sides of the other's offer, turned round."""
    if MakeOffer not in viewer.options:
        raise viewer.why([MakeOffer(NOTHING, NOTHING)], "You can't make an offer now.")
    answered = _find(viewer, int(details[0])) if details else None  # digits, as OPENED says
    form = Form("Answer with an offer" if answered else "Offer a trade", address(viewer, "offer", *details))
    form.text(
        "give",
        "You give",
        placeholder="2 wool",
        description="Numbers and resources: brick, lumber, wool, grain, ore",
        default=typed(answered.want) if answered else None,
    )
    form.text("want", "You want", placeholder="1 ore", default=typed(answered.give) if answered else None)
    others = [p.seat for p in viewer.view.players if p.seat != viewer.seat and not p.resigned]
    if viewer.seat == viewer.view.on_turn and len(others) > 1 and not answered:
        options = [Option(str(seat), viewer.names[seat]) for seat in others]
        form.choice(
            "to", "To whom", options, description="Nobody chosen: to everyone", required=False, most=len(options)
        )
    return form


def _find(viewer: Viewer, offer_id: int) -> OfferView:
    found = next((o for o in viewer.view.offers if o.id == offer_id), None)
    if found is None:
        raise RefereeError("no-such-offer", f"Offer {offer_id} is no longer open.")
    return found


def bank(viewer: Viewer, _: tuple[str, ...]) -> Form:
    """Two selects: what is given at the best rate, and what for."""
    domain = viewer.options.get(BankTrade)
    if not isinstance(domain, BankTrades) or not len(domain):
        viewer.player  # noqa: B018 (raises for onlookers)
        lacking = f"You have too few cards of any one resource to trade with the bank. {rates(viewer.view)}"
        raise viewer.why([BankTrade(NOTHING, NOTHING)], lacking)
    form = Form("Trade with the bank", address(viewer, "bank"))
    lots = [
        Option(
            f"{kind}.{n}",
            f"{n * domain.rates[kind]} {RESOURCES[kind]} for {count(n, 'card')}",
            f"You have {domain.hand[kind]}; your rate is {domain.rates[kind]}:1",
            emoji=RESOURCE_SIGNS[kind],
        )
        for kind in sorted({r for r, _ in domain.pairs()}, key=lambda r: domain.rates[r])
        for n in range(1, min(domain.hand[kind] // domain.rates[kind], 5) + 1)
    ]
    form.choice("give", "You give", lots[:25])
    wanted = [resource_option(kind, f"The bank has {n}") for kind, n in enumerate(domain.bank) if n]
    return form.choice("get", "You get", wanted)


def plenty(viewer: Viewer, _: tuple[str, ...]) -> Form:
    """One select for each card from the bank."""
    domain = viewer.options.get(PlayYearOfPlenty)
    if not isinstance(domain, Cards):
        raise viewer.why([PlayYearOfPlenty(NOTHING)], "You can't play year of plenty now.")
    form = Form("Year of plenty", address(viewer, "plenty"))
    options = [resource_option(kind, f"The bank has {n}") for kind, n in enumerate(viewer.view.bank) if n]
    for n in range(domain.total):
        form.choice(f"card{n}", ("First card", "Second card")[n], options)
    return form


def monopoly(viewer: Viewer, _: tuple[str, ...]) -> Form:
    """One select: the resource that all others hand over."""
    domain = viewer.options.get(PlayMonopoly)
    if not isinstance(domain, Choices):
        raise viewer.why([PlayMonopoly(-1)], "You can't play a monopoly now.")
    form = Form("Monopoly", address(viewer, "monopoly"))
    return form.choice("resource", "Everybody hands you all their", [resource_option(k) for k in domain.values])


OPENED = "discard|bank|plenty|monopoly|offer(:[0-9]{1,6})?"
"""Pattern of the forms as they stand in an id, an offer with the one that it answers."""

FORMS: dict[str, Opener] = {
    "discard": discard,
    "offer": offer,
    "bank": bank,
    "plenty": plenty,
    "monopoly": monopoly,
}


async def open_(call: Call) -> None:
    """A button that opens a form."""
    viewer = await call.viewer()
    kind, *details = call.address.args
    await call.show_modal(FORMS[kind](viewer, tuple(details)))


def _read_discard(call: Call, viewer: Viewer) -> Action:
    return Discard(hand(int(call.entered(f"r{kind}") or 0) for kind in range(5)))


def _read_offer(call: Call, viewer: Viewer) -> Action:
    details = call.address.args[1:]
    to = tuple(sorted(int(seat) for seat in call.values.get("to", [])))
    answers = int(details[0]) if details else -1
    return MakeOffer(parse_hand(call.entered("give")), parse_hand(call.entered("want")), to, answers)


def _read_bank(call: Call, viewer: Viewer) -> Action:
    kind, lots = map(int, call.entered("give").split("."))
    rate = viewer.view.players[viewer.player].rates[kind]
    return BankTrade(single(kind, lots * rate), single(int(call.entered("get")), lots))


def _read_plenty(call: Call, viewer: Viewer) -> Action:
    chosen = [int(card) for name in ("card0", "card1") for card in call.values.get(name, [])]
    return PlayYearOfPlenty(hand(chosen.count(kind) for kind in range(5)))


def _read_monopoly(call: Call, viewer: Viewer) -> Action:
    return PlayMonopoly(int(call.entered("resource")))


_RESOURCE = Field("[0-4]")
_TYPED = Field(r"(?s).{0,200}")
FIELDS: dict[str, Fields] = {
    "discard": {f"r{kind}": Field("[0-9]{1,2}", least=0) for kind in range(5)},
    "offer": {"give": _TYPED, "want": _TYPED, "to": Field("[0-7]", least=0, most=8)},
    "bank": {"give": Field(r"[0-4]\.[1-9]"), "get": _RESOURCE},
    "plenty": {"card0": _RESOURCE, "card1": Field("[0-4]", least=0)},
    "monopoly": {"resource": _RESOURCE},
}
"""What may stand in the fields of a form that is sent."""


def fields(sent: Address) -> Fields:
    """The fields of the form with this id."""
    return FIELDS[sent.arg]


READERS: dict[str, Callable[[Call, Viewer], Action]] = {
    "discard": _read_discard,
    "offer": _read_offer,
    "bank": _read_bank,
    "plenty": _read_plenty,
    "monopoly": _read_monopoly,
}


async def sent(call: Call) -> Reply | None:
    """A form was sent."""
    viewer = await call.viewer()
    action = READERS[call.address.arg](call, viewer)
    played = await play.do(call, action, call.address.decision)
    news = play.news(played)
    return Reply(news) if news else None
