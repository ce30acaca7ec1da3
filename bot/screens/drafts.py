"""An offer put together by lists that show the player's own hand, and the last offer, to be made again.

A list's choice has cards of one kind, so that the list closes with the first tap; several kinds can be typed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bot.screens.controls import (
    HAND_CODE,
    HAND_DIGITS,
    Button,
    Entries,
    Entry,
    ListOption,
    Open,
    Reply,
    Row,
    Select,
    Style,
    hand_code,
    hand_of_code,
    rows,
)
from bot.screens.history import has_done, latest_offer
from bot.screens.trade import accept_button, answerable, holding
from bot.screens.viewer import Viewer
from bot.screens.wishes import own_wish_buttons, wish_lines, wish_of
from bot.table.table import seatings
from bot.words.language import _
from bot.words.marks import RESOURCE_SIGNS, cards, count, listing
from bot.words.refusals import refusal_sentence
from bot.words.typed import shown_trade
from engine.actions import AcceptOffer, MakeOffer
from engine.domains import Offers
from engine.errors import RefereeError
from engine.geometry import bits, mask_of
from engine.refusals import CardList, Listed
from engine.resources import NOTHING, Hand, single
from engine.steps.trade import OFFER_FAULTS

OFFER_DRAFT = "offer"
"""Kind of draft (`Reply.draft_kind`): an offer."""
MOST_OF_A_KIND = 5
"""Most cards of one kind in a list."""


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
        return cls(hand_of_code(give), hand_of_code(want), int(to), int(answers or -1))

    @property
    def args(self) -> tuple[str, ...]:
        """The draft as arguments of an id."""
        return hand_code(self.give), hand_code(self.want), str(self.to), str(self.answers) if self.answers >= 0 else ""

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


DRAFT = f"{HAND_CODE}:{HAND_CODE}:[0-9]{{1,3}}:([0-9]{{1,6}})?"
"""Pattern of a draft in an id."""


def side_entries(args: tuple[str, ...]) -> Entries:
    """What the list of a side accepts."""
    if args[0] == "to":
        return {"": Entry("[0-7]", least=0, most=8)}
    return {"": Entry(f"[0-4]\\.[1-{MOST_OF_A_KIND}]")}


def new_draft(viewer: Viewer, answers: int = -1) -> Draft:
    """An empty draft, or a counter: the other player's offer with its sides swapped (E2), as far as the player has the
    cards. Raises as `answerable`."""
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


def draft_for_wish(viewer: Viewer, seat: int) -> Draft:
    """A draft of those cards that a seat is looking for and the player has; raises if there are none."""
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
        _side_list(found, "give", _("You give"), [min(n, MOST_OF_A_KIND) for n in held], held),
        _side_list(found, "want", _("You want"), [MOST_OF_A_KIND] * 5, None),
    ]
    if chooses:
        people = [ListOption(str(seat), viewer.names[seat], default=bool(found.to >> seat & 1)) for seat in others]
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
            buttons.append(accept_button(found.answers))
    elif any(found.give) and any(found.want):
        if refusal := _refusal(viewer, found):
            terms += f"\n⚠️ {refusal_sentence(refusal)}"
        else:
            buttons.append(Button(_("Offer"), Open("offer", found.args), Style.SUCCESS, "🤝"))
    typed = ("offer", str(found.answers)) if found.answers >= 0 else ("offer",)
    buttons.append(Button(_("Type it instead"), Open("form", typed), emoji="⌨️"))
    if found == Draft():
        buttons += _more_buttons(viewer)
    begun = found.answers >= 0 or any(found.give) or any(found.want) or found.to > 0
    text = "\n".join(filter(None, (lead, title, terms)))
    return Reply(text, rows=[*controls, *rows(buttons)], draft_kind=OFFER_DRAFT if begun else "")


def _refusal(viewer: Viewer, draft: Draft) -> RefereeError | None:
    """Why these cards can't be offered; None if they can."""
    domain = viewer.options.get(MakeOffer)
    fault = domain.fault(draft.action) if isinstance(domain, Offers) else None
    if fault not in ("same-resource", "unaffordable"):  # anything else can be over when the offer is made
        return None
    held = viewer.view.players[viewer.my_seat].hand or NOTHING
    return OFFER_FAULTS[fault](give=CardList(draft.give), hand=CardList(held))


def _same_as_answered(viewer: Viewer, draft: Draft) -> bool:
    """Whether a counteroffer is still the offer that it answers, with its sides swapped."""
    return any(o.id == draft.answers and (o.want, o.give) == (draft.give, draft.want) for o in viewer.view.offers)


def menu_with_more(viewer: Viewer, menu: Reply | None) -> Reply | None:
    """The list of open offers, with requests and what else the person can do to trade; None if all of it is empty."""
    buttons, wishes = _more_buttons(viewer) if viewer.seat is not None else [], wish_lines(viewer)
    if menu is None and not wishes and not buttons:
        return None
    text = "\n".join(filter(None, (menu.text if menu else _("There are no open offers."), wishes)))
    return Reply(text, rows=[*(menu.rows if menu else ()), *rows(buttons)], decision=menu.decision if menu else "")


def _more_buttons(viewer: Viewer) -> list[Button]:
    """Buttons to repeat the last offer, and for requests."""
    return [*_repeat_button(viewer), *own_wish_buttons(viewer)]


def _repeat_button(viewer: Viewer) -> list[Button]:
    """The button that repeats the person's last offer, where that is possible."""
    offer = repeatable(viewer)
    if offer is None or max(offer.want) >= len(HAND_DIGITS):
        return []
    again = Draft(offer.give, offer.want, mask_of(offer.to))
    trade = shown_trade(offer.give, offer.want)
    return [Button(_("Repeat: {trade}", trade=trade), Open("offer", again.args), emoji="🔁")]


def _said(side: Hand) -> str:
    return cards(side) if any(side) else _("nothing yet")


def _side_list(draft: Draft, side: str, label: str, most: Sequence[int], held: Hand | None) -> Select:
    chosen = draft.give if side == "give" else draft.want
    options = [
        ListOption(
            f"{kind}.{n}",
            count(kind, n),
            _("You have {n}", n=held[kind]) if held else None,
            chosen == single(kind, n),
            RESOURCE_SIGNS[kind],
        )
        for n in range(1, MOST_OF_A_KIND + 1)  # single cards first: most offers are about those
        for kind, top in enumerate(most)
        if n <= top
    ]
    return Select(label, Open("draft", (side, *draft.args)), options)


# --- the last offer again


def last_offer(viewer: Viewer) -> MakeOffer:
    """The player's last offer, with the same cards and people, adapted to the present turn; not always legal.

    In another player's turn it goes to the player on turn, if the last offer asked that player. Codes:
    "no-last-offer", "nobody-to-ask".
    """
    me, on_turn = viewer.my_seat, viewer.view.on_turn
    made = latest_offer(viewer)
    if made is None or not _has_made_offer(viewer):
        raise RefereeError("no-last-offer")
    playing = {p.seat for p in viewer.view.players if p.seat != me and not p.resigned}
    to = playing & set(made.to) if made.to else playing
    if not to:
        raise RefereeError("nobody-to-ask/repeat", names=_who(viewer, made.to))
    if on_turn != me:
        if on_turn is not None and on_turn not in to:
            raise RefereeError("nobody-to-ask/repeat on turn", names=_who(viewer, to))
        to = playing
    return MakeOffer(made.give, made.want, () if to == playing else tuple(sorted(to)))


def _has_made_offer(viewer: Viewer) -> bool:
    """Whether the person in the seat has made an offer there, so that the seat's latest isn't a former player's."""
    place = viewer.table.place_of(viewer.users[viewer.my_seat])
    since = max((taken.recorded for taken in seatings(viewer.table, place)), default=0)
    return has_done(viewer, MakeOffer, since)


def _who(viewer: Viewer, seats: Iterable[int]) -> Listed:
    return Listed([viewer.names[seat] for seat in sorted(seats)])


def repeatable(viewer: Viewer) -> MakeOffer | None:
    """The last offer, adapted in the same way; None if it can't be made now."""
    try:
        offer = last_offer(viewer)
    except RefereeError:
        return None
    return offer if viewer.options.allows(offer) else None
