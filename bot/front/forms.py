"""What is asked in modals, discards, offers, bank trades, cards that name resources, and what becomes of it."""

from __future__ import annotations

from collections.abc import Callable

from bot.front import play
from bot.front.call import Call
from bot.front.door import Field, Fields
from bot.front.ids import Address
from bot.front.modals import Form
from bot.front.parts import Option, Reply
from bot.front.sight import Sight
from bot.words.hands import rates
from bot.words.marks import RESOURCE_SIGNS, count
from bot.words.typed import parse_hand, typed
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
from engine.view import OfferView

Opener = Callable[[Sight, tuple[str, ...]], Form]


def address(sight: Sight, kind: str, *details: str) -> Address:
    """The id of a form, bound to the seat's open decision."""
    return Address("sent", sight.table.number, sight.decision, (kind, *details))


def resource_option(kind: int, description: str | None = None) -> Option:
    """A resource in a select."""
    return Option(str(kind), RESOURCES[kind].capitalize(), description, emoji=RESOURCE_SIGNS[kind])


def discard(sight: Sight, _: tuple[str, ...]) -> Form:
    """Five selects at most: how many of each resource go."""
    domain = sight.options.get(Discard)
    if not isinstance(domain, Cards):
        raise sight.why([Discard(NOTHING)], "You have nothing to discard now.")
    form = Form(f"Discard {count(domain.total, 'card')}", address(sight, "discard"))
    for kind, held in enumerate(domain.caps):
        if held:
            options = [Option(str(n), str(n), default=n == 0) for n in range(min(held, 24) + 1)]
            title = f"{RESOURCE_SIGNS[kind]} {RESOURCES[kind].capitalize()}: you have {held}"
            form.choice(f"r{kind}", title, options, required=False)
    return form


def offer(sight: Sight, details: tuple[str, ...]) -> Form:
    """What is given and wanted, and to whom; as a counter the sides of the other's offer, turned round."""
    if MakeOffer not in sight.options:
        raise sight.why([MakeOffer(NOTHING, NOTHING)], "You can't make an offer now.")
    answered = _find(sight, int(details[0])) if details else None  # digits, as OPENED says
    form = Form("Answer with an offer" if answered else "Offer a trade", address(sight, "offer", *details))
    form.text(
        "give",
        "You give",
        placeholder="2 wool",
        description="Numbers and resources: brick, lumber, wool, grain, ore",
        default=typed(answered.want) if answered else None,
    )
    form.text("want", "You want", placeholder="1 ore", default=typed(answered.give) if answered else None)
    others = [p.seat for p in sight.view.players if p.seat != sight.seat and not p.resigned]
    if sight.seat == sight.view.on_turn and len(others) > 1 and not answered:
        options = [Option(str(seat), sight.names[seat]) for seat in others]
        form.choice(
            "to", "To whom", options, description="Nobody chosen: to everyone", required=False, most=len(options)
        )
    return form


def _find(sight: Sight, offer_id: int) -> OfferView:
    found = next((o for o in sight.view.offers if o.id == offer_id), None)
    if found is None:
        raise RefereeError("no-such-offer", f"Offer {offer_id} is no longer open.")
    return found


def bank(sight: Sight, _: tuple[str, ...]) -> Form:
    """Two selects: what is given at the best rate, and what for."""
    domain = sight.options.get(BankTrade)
    if not isinstance(domain, BankTrades) or not len(domain):
        sight.player  # noqa: B018 (raises for onlookers)
        lacking = f"You have too few cards of any one resource to trade with the bank. {rates(sight.view)}"
        raise sight.why([BankTrade(NOTHING, NOTHING)], lacking)
    form = Form("Trade with the bank", address(sight, "bank"))
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


def plenty(sight: Sight, _: tuple[str, ...]) -> Form:
    """One select for each card from the bank."""
    domain = sight.options.get(PlayYearOfPlenty)
    if not isinstance(domain, Cards):
        raise sight.why([PlayYearOfPlenty(NOTHING)], "You can't play year of plenty now.")
    form = Form("Year of plenty", address(sight, "plenty"))
    options = [resource_option(kind, f"The bank has {n}") for kind, n in enumerate(sight.view.bank) if n]
    for n in range(domain.total):
        form.choice(f"card{n}", ("First card", "Second card")[n], options)
    return form


def monopoly(sight: Sight, _: tuple[str, ...]) -> Form:
    """One select: the resource that all others hand over."""
    domain = sight.options.get(PlayMonopoly)
    if not isinstance(domain, Choices):
        raise sight.why([PlayMonopoly(-1)], "You can't play a monopoly now.")
    form = Form("Monopoly", address(sight, "monopoly"))
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
    sight = await call.sight()
    kind, *details = call.address.args
    await call.show_modal(FORMS[kind](sight, tuple(details)))


def _read_discard(call: Call, sight: Sight) -> Action:
    return Discard(hand(int(call.entered(f"r{kind}") or 0) for kind in range(5)))


def _read_offer(call: Call, sight: Sight) -> Action:
    details = call.address.args[1:]
    to = tuple(sorted(int(seat) for seat in call.values.get("to", [])))
    answers = int(details[0]) if details else -1
    return MakeOffer(parse_hand(call.entered("give")), parse_hand(call.entered("want")), to, answers)


def _read_bank(call: Call, sight: Sight) -> Action:
    kind, lots = map(int, call.entered("give").split("."))
    rate = sight.view.players[sight.player].rates[kind]
    return BankTrade(single(kind, lots * rate), single(int(call.entered("get")), lots))


def _read_plenty(call: Call, sight: Sight) -> Action:
    chosen = [int(card) for name in ("card0", "card1") for card in call.values.get(name, [])]
    return PlayYearOfPlenty(hand(chosen.count(kind) for kind in range(5)))


def _read_monopoly(call: Call, sight: Sight) -> Action:
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


READERS: dict[str, Callable[[Call, Sight], Action]] = {
    "discard": _read_discard,
    "offer": _read_offer,
    "bank": _read_bank,
    "plenty": _read_plenty,
    "monopoly": _read_monopoly,
}


async def sent(call: Call) -> Reply | None:
    """A form was sent."""
    sight = await call.sight()
    action = READERS[call.address.arg](call, sight)
    played = await play.do(call, action, call.address.decision)
    news = play.news(played)
    return Reply(news) if news else None
