"""An offer put together by lists that show the player's own hand.

A list's choice has cards of one kind, so that the list closes with the first tap; several kinds can be typed."""

from __future__ import annotations

import string
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.screens.controls import Button, Entries, Entry, Open, Option, Reply, Row, Select, Style, rows
from bot.screens.offers import accept
from bot.screens.repeating import repeatable
from bot.screens.trade import answerable, holding
from bot.screens.viewer import Viewer
from bot.screens.wishes import lines, own_buttons, wish_of
from bot.words.language import _
from bot.words.marks import RESOURCE_SIGNS, cards, listing, resource
from bot.words.refusals import sentence
from bot.words.typed import shown_trade
from engine.actions import AcceptOffer, MakeOffer
from engine.domains import Offers
from engine.errors import RefereeError
from engine.geometry import bits, mask_of
from engine.refusals import CardList
from engine.resources import NOTHING, Hand, hand, single
from engine.steps.trade import OFFER_FAULTS

OFFER = "offer"
"""Kind of draft (`Reply.draft_kind`): an offer."""
MOST = 5
"""Most cards of one kind in a list."""
_DIGITS = string.digits + string.ascii_lowercase
HAND = "[0-9a-z]{5}"
"""Pattern of a hand in an id."""


def coded(cards: Hand) -> str:
    """A hand in five characters."""
    return "".join(_DIGITS[min(n, 35)] for n in cards)


def decoded(text: str) -> Hand:
    """The hand that five characters mean; they match `HAND`."""
    return hand(_DIGITS.index(ch) for ch in text)


@dataclass(frozen=True, slots=True)
class Draft:
    """An offer that isn't made yet. The ids of its lists and buttons contain all of it."""

    give: Hand = NOTHING
    want: Hand = NOTHING
    to: int = 0
    """Mask of the seats asked; 0: all."""
    answers: int = -1
    """Id of the offer that it counters; -1: none."""

    @classmethod
    def read(cls, args: Sequence[str]) -> Draft:
        """The draft in the arguments of an id, which match `DRAFT`."""
        give, want, to, answers = args
        return cls(decoded(give), decoded(want), int(to), int(answers or -1))

    @property
    def args(self) -> tuple[str, ...]:
        """The draft as arguments of an id."""
        return coded(self.give), coded(self.want), str(self.to), str(self.answers) if self.answers >= 0 else ""

    @property
    def action(self) -> MakeOffer:
        """The action that makes the offer."""
        return MakeOffer(self.give, self.want, tuple(bits(self.to)), self.answers)

    def changed(self, side: str, values: Sequence[str]) -> Draft:
        """The draft with what was chosen in the list of a side: "give", "want" or "to"."""
        if side == "to":
            return replace(self, to=mask_of(map(int, values)))
        kind, n = map(int, values[0].split("."))
        cards = single(kind, n)
        return replace(self, give=cards) if side == "give" else replace(self, want=cards)


DRAFT = f"{HAND}:{HAND}:[0-9]{{1,3}}:([0-9]{{1,6}})?"
"""Pattern of a draft in an id."""


def side_entries(args: tuple[str, ...]) -> Entries:
    """What the list of a side accepts."""
    if args[0] == "to":
        return {"": Entry("[0-7]", least=0, most=8)}
    return {"": Entry(f"[0-4]\\.[1-{MOST}]")}


def new_draft(viewer: Viewer, answers: int = -1) -> Draft:
    """An empty draft, or a counter: the other player's offer with its sides swapped (E2), as far as the player holds
    what it wants. Raises as `answerable`."""
    offer = answerable(viewer, answers)
    return Draft() if offer is None else Draft(holding(viewer, offer.want), offer.give, 0, answers)


def offer_to(viewer: Viewer, seat: int) -> Draft:
    """An empty draft to one seat; raises if the player can't make it an offer now."""
    found = new_draft(viewer)
    if seat == viewer.my_seat or viewer.view.players[seat].resigned:
        raise RefereeError("nobody-to-ask")
    if viewer.view.on_turn not in (None, viewer.my_seat, seat):
        raise RefereeError("nobody-to-ask/another's turn")
    return replace(found, to=1 << seat)


def granted(viewer: Viewer, seat: int) -> Draft:
    """A draft of what a seat is looking for, as far as the player holds it; raises if nothing can be offered."""
    wish = wish_of(viewer, seat)
    new_draft(viewer)
    give = holding(viewer, wish.want)
    if not any(give):
        raise RefereeError("no-such-wish/not held", name=viewer.names[seat])
    return Draft(give, wish.give, 1 << seat)


def draft(viewer: Viewer, found: Draft, lead: str = "") -> Reply:
    """The lists of both sides and of the players asked; *Offer* once both have cards. Raises for an empty hand."""
    held = viewer.view.players[viewer.my_seat].hand or NOTHING
    if not any(held):
        raise viewer.why([MakeOffer(NOTHING, NOTHING)], RefereeError("not-now/offer"))
    title = _("**Counter offer {n}**", n=found.answers) if found.answers >= 0 else _("**Offer a trade**")
    on_turn = viewer.view.on_turn
    others = [p.seat for p in viewer.view.players if p.seat != viewer.seat and not p.resigned]
    chooses = viewer.seat == on_turn and len(others) > 1 and found.answers < 0
    # the turn in which recipients were chosen can be over, and only a forged id names others
    found = replace(found, to=found.to & mask_of(others) if chooses else 0)
    controls: list[Row] = [
        _side(found, "give", _("You give"), [min(n, MOST) for n in held], held),
        _side(found, "want", _("You want"), [MOST] * 5, None),
    ]
    if chooses:
        people = [Option(str(seat), viewer.names[seat], default=bool(found.to >> seat & 1)) for seat in others]
        controls.append(Select(_("To everyone"), Open("draft", ("to", *found.args)), people, 0, len(people)))
    asked = list(bits(found.to))
    if found.answers < 0 and on_turn not in (None, viewer.seat):
        asked = [on_turn]
    sides = {"give": _said(found.give), "want": _said(found.want)}
    if not any(found.give) and not any(found.want):
        terms = _("Pick what you give and what you want.")
    elif asked:
        to = listing(viewer.names[seat] for seat in asked)
        terms = _("You give {give} and want {want} from {to}.", **sides, to=to)
    else:
        terms = _("You give {give} and want {want}.", **sides)
    buttons, same = [], _same_as_answered(viewer, found)
    if same:
        terms += "\n" + _("-# Same as their offer. Change something, or accept it.")
        if viewer.options.allows(AcceptOffer(found.answers)):
            buttons.append(accept(found.answers))
    elif any(found.give) and any(found.want):
        if refusal := _refusal(viewer, found):
            terms += f"\n⚠️ {sentence(refusal)}"
        else:
            buttons.append(Button(_("Offer"), Open("offer", found.args), Style.SUCCESS, "🤝"))
    typed = ("offer", str(found.answers)) if found.answers >= 0 else ("offer",)
    buttons.append(Button(_("Type it instead"), Open("form", typed), emoji="⌨️"))
    if found == Draft():
        buttons += _more(viewer)
    begun = found.answers >= 0 or any(found.give) or any(found.want) or found.to > 0
    text = "\n".join(filter(None, (lead, title, terms)))
    return Reply(text, rows=[*controls, *rows(buttons)], draft_kind=OFFER if begun else "")


def _refusal(viewer: Viewer, draft: Draft) -> RefereeError | None:
    """Why no such cards can be offered; None if they can."""
    domain = viewer.options.get(MakeOffer)
    fault = domain.fault(draft.action) if isinstance(domain, Offers) else None
    if fault not in ("same-resource", "unaffordable"):  # anything else can be over when the offer is made
        return None
    held = viewer.view.players[viewer.my_seat].hand or NOTHING
    return OFFER_FAULTS[fault](give=CardList(draft.give), hand=CardList(held))


def _same_as_answered(viewer: Viewer, draft: Draft) -> bool:
    """Whether a counteroffer is still the offer that it answers, with its sides swapped."""
    return any(o.id == draft.answers and (o.want, o.give) == (draft.give, draft.want) for o in viewer.view.offers)


def with_more(viewer: Viewer, menu: Reply | None) -> Reply | None:
    """The list of open offers, with requests and what else the person can do to trade; None if all of it is empty."""
    buttons, wishes = _more(viewer) if viewer.seat is not None else [], lines(viewer)
    if menu is None and not wishes and not buttons:
        return None
    text = "\n".join(filter(None, (menu.text if menu else _("There are no open offers."), wishes)))
    return Reply(text, rows=[*(menu.rows if menu else ()), *rows(buttons)], decision=menu.decision if menu else "")


def _more(viewer: Viewer) -> list[Button]:
    """Buttons to repeat the last offer, and for requests."""
    return [*_repeat(viewer), *own_buttons(viewer)]


def _repeat(viewer: Viewer) -> list[Button]:
    """The button that repeats the person's last offer, where that is possible."""
    offer = repeatable(viewer)
    if offer is None or max(offer.want) >= len(_DIGITS):
        return []
    again = Draft(offer.give, offer.want, mask_of(offer.to))
    trade = shown_trade(offer.give, offer.want)
    return [Button(_("Repeat: {trade}", trade=trade), Open("offer", again.args), emoji="🔁")]


def _said(side: Hand) -> str:
    return cards(side) if any(side) else _("nothing yet")


def _side(draft: Draft, side: str, label: str, most: Sequence[int], held: Hand | None) -> Select:
    chosen = draft.give if side == "give" else draft.want
    options = [
        Option(
            f"{kind}.{n}",
            f"{n} {resource(kind, sign=False)}",
            _("You have {n}", n=held[kind]) if held else None,
            chosen == single(kind, n),
            RESOURCE_SIGNS[kind],
        )
        for n in range(1, MOST + 1)  # single cards first: most offers are about those
        for kind, top in enumerate(most)
        if n <= top
    ]
    return Select(label, Open("draft", (side, *draft.args)), options)
