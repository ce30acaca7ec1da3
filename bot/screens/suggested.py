"""Suggestions while a person types cards, a trade or a player's name; and which player a typed text means.

Only the person who types sees them, so they can depend on that person's hand, but never on another's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from bot.plaintext import TIE, TypedText, plain, safe_name, searchable
from bot.screens.viewer import Viewer
from bot.table.acts.wishes import open_wishes
from bot.words.hands import purchases
from bot.words.language import _, n_
from bot.words.marks import cards as worded
from bot.words.marks import resource, with_color
from bot.words.typed import Understood, as_typed, coded, parse_number, shown_trade, typed, understood
from bot.words.vocabulary import lexicon
from engine.actions import BankTrade, Discard, MakeOffer, PlayYearOfPlenty
from engine.autoplay import most_plentiful
from engine.domains import BankTrades, Cards, Offers
from engine.errors import RefereeError
from engine.refusals import Listed
from engine.resources import NOTHING, WOOL, Hand, covers, hand, single
from engine.terms import Piece

Suggestion = tuple[str, str]
"""The text shown, and the value entered when it is chosen."""
Suggestions = Iterator[Suggestion]

MOST_FOR_ONE = 2
"""Most cards of one kind that a suggested offer gives for one card."""
MOST_DISCARDS = 100
"""Most ways to discard that are tried for suggestions."""


def offer_give(viewer: Viewer, text: str, want: str = "") -> Suggestions:
    """Suggestions for what an offer gives, or for the whole offer as long as `want` is empty."""
    if not isinstance(viewer.options.get(MakeOffer), Offers):
        return
    whole, (given, also) = not want.strip(), _named(text)
    wanted = also if whole else _one(want)
    yield from _given(text, whole, wanted, _held(viewer))
    found = [(give, get) for give, get in best_offers(viewer) if given in (None, give) and wanted in (None, get)]
    if given is not None and wanted is None:
        found = [(given, single(kind)) for kind in needed_resources(viewer) if not given[kind]] + found
    if given is None and also is not None and wanted is not None:
        spare = sorted(range(5), key=lambda kind: -_held(viewer)[kind])
        found += [(single(kind), wanted) for kind in spare if _held(viewer)[kind] and not wanted[kind]]
    if whole or wanted is not None:
        yield from _trades(found, viewer, text if given is None and also is None else "", whole)
    for kind, n in enumerate(_held(viewer)):
        yield from _fitting([(as_typed(single(kind, k)), coded(single(kind, k))) for k in range(1, n + 1)], text)


def offer_want(viewer: Viewer, text: str, give: str = "") -> Suggestions:
    """Suggestions for what an offer wants in return, unless `give` says it already."""
    given, also = _named(give)
    if also is not None or not isinstance(viewer.options.get(MakeOffer), Offers):
        return
    yield from _gotten(text, given)
    for kind in needed_resources(viewer):
        if given is None or not given[kind]:
            label = as_typed(single(kind)) if given is None else shown_trade(given, single(kind))
            yield from _fitting([(label, coded(single(kind)))], text)


def counter(viewer: Viewer, text: str, want: str = "", number: str = "") -> Suggestions:
    """Suggestions as in `offer_give`; first the offer with this number, its sides swapped."""
    for found in viewer.view.offers:
        if found.id == parse_number(number) and found.seat != viewer.seat and not want.strip():
            yield from _fitting([(shown_trade(found.want, found.give), coded(found.want, found.give))], text)
    yield from offer_give(viewer, text, want)


def bank_give(viewer: Viewer, text: str, get: str = "") -> Suggestions:
    """Suggestions for what the bank gets, or for the whole trade as long as `get` is empty."""
    domain = viewer.options.get(BankTrade)
    if not isinstance(domain, BankTrades):
        return
    whole, (given, also) = not get.strip(), _named(text)
    wanted = also if whole else _one(get)
    yield from _given(text, whole, wanted, hand(domain.hand))
    spare = sorted({kind for kind, _get in domain.pairs()}, key=lambda kind: (domain.rates[kind], -domain.hand[kind]))
    lots = [(single(give, domain.rates[give]), single(kind)) for kind in needed_resources(viewer) for give in spare]
    lots = [(give, got) for give, got in lots if BankTrade(give, got) in domain and wanted in (None, got)]
    if whole or wanted is not None:
        yield from _trades(lots, viewer, text if given is not None or also is None else "", whole)
    for kind in spare:
        for n in range(1, domain.hand[kind] // domain.rates[kind] + 1):
            lot = coded(single(kind, n * domain.rates[kind]))
            yield from _fitting([(n_("{lot} for {n} card", "{lot} for {n} cards", n, lot=lot), lot)], text)


def bank_get(viewer: Viewer, text: str, give: str = "") -> Suggestions:
    """Suggestions for what the bank gives, unless `give` says it already."""
    given, also = _named(give)
    if also is not None:
        return
    yield from _gotten(text, given)
    for kind in needed_resources(viewer):
        if viewer.view.bank[kind] and (given is None or not given[kind]):
            yield from _fitting([(as_typed(single(kind)), coded(single(kind)))], text)


def discard(viewer: Viewer, text: str) -> Suggestions:
    """Suggestions for a discard, the most plentiful cards first."""
    domain = viewer.options.get(Discard)
    if not isinstance(domain, Cards):
        return
    for cards, label in _one_side(text):
        label = _lacking(label, cards, domain.caps)
        yield _("{cards} · {n} of {owed}", cards=label, n=sum(cards), owed=domain.total), coded(cards)
    hands = [most_plentiful(domain)]
    for number, cards in enumerate(domain.hands()):
        if number == MOST_DISCARDS:
            break
        hands.append(cards)
    yield from _fitting([(typed(cards), coded(cards)) for cards in dict.fromkeys(hands)], text)


def plenty(viewer: Viewer, text: str) -> Suggestions:
    """Suggestions for Year of Plenty, the missing cards first."""
    domain = viewer.options.get(PlayYearOfPlenty)
    if not isinstance(domain, Cards):
        return
    for cards, label in _one_side(text):
        yield label, coded(cards)
    rank = {kind: n for n, kind in enumerate(needed_resources(viewer))}
    found = sorted(
        domain.hands(), key=lambda cards: sorted(rank[kind] for kind in range(5) for _ in range(cards[kind]))
    )
    yield from _fitting([(typed(cards), coded(cards)) for cards in found], text)


def wish_want(viewer: Viewer, text: str, give: str = "") -> Suggestions:
    """Suggestions for what a request asks for."""
    if viewer.view.on_turn == viewer.seat or viewer.game.outcome is not None:
        return
    for read in understood(text, either=True):
        want, also = _of(read)
        if want is not None and also is not None and not give.strip():
            label = _("{want} (for {give})", want=as_typed(want), give=as_typed(also))
            yield _remarked(label, read), coded(want, also)
        elif want is not None:
            yield _remarked(as_typed(want), read), coded(want)
    for kind in needed_resources(viewer):
        yield from _fitting([(as_typed(single(kind)), coded(single(kind)))], text)


def wish_give(viewer: Viewer, text: str, want: str = "") -> Suggestions:
    """Suggestions for what a request would give, unless `want` says it already: the most plentiful cards first."""
    if _named(want, either=True)[1] is not None:
        return
    yield from _gotten(text)
    held = _held(viewer)
    for kind in sorted(range(5), key=lambda kind: -held[kind]):
        yield from _fitting([(as_typed(single(kind)), coded(single(kind)))], text)


# --- what would help


def needed_resources(viewer: Viewer) -> list[int]:
    """All resources: first those missing for the most nearly affordable purchases, then those held least."""
    wanted = [kind for _n, missing in _nearest(viewer) for kind, n in enumerate(missing) if n]
    held = _held(viewer)
    return list(dict.fromkeys([*wanted, *sorted(range(5), key=lambda kind: held[kind])]))


def best_offers(viewer: Viewer) -> list[tuple[Hand, Hand]]:
    """Offers that others might accept: first what they are looking for, then what the viewer can spare."""
    held, found = _held(viewer), list[tuple[Hand, Hand]]()
    if viewer.view.on_turn == viewer.seat:
        for one in open_wishes(viewer.table, viewer.game).values():
            if covers(held, one.want):
                others = [single(kind) for kind in needed_resources(viewer) if not one.want[kind]]
                found += [(one.want, one.give)] if any(one.give) else [(one.want, get) for get in others[:2]]
    for cost, missing in _nearest(viewer):
        for kind, lacking in enumerate(missing):
            spare = [(held[k] - cost[k], k) for k in range(5) if held[k] > cost[k]]
            for n, k in sorted(spare, reverse=True) if lacking else ():
                found += [(single(k, m), single(kind)) for m in range(1, min(n, MOST_FOR_ONE) + 1)]
    return [pair for pair in dict.fromkeys(found) if viewer.options.allows(MakeOffer(*pair))]


_WORTH = (Piece.SETTLEMENT, Piece.CITY)
"""Purchases that give points. They come first among those that lack the same number of cards."""


def _nearest(viewer: Viewer) -> list[tuple[Hand, Hand]]:
    """Cost and missing cards of each purchase that can't be paid for, the most nearly affordable first."""
    lacking = [p for p in purchases(viewer.view) if not p.obstacle and any(p.missing)]
    lacking.sort(key=lambda p: (sum(p.missing), p.what not in _WORTH))
    return [(p.cost, p.missing) for p in lacking]


def _held(viewer: Viewer) -> Hand:
    return viewer.view.players[viewer.my_seat].hand or NOTHING


# --- what was understood


def _of(read: Understood) -> tuple[Hand | None, Hand | None]:
    """The cards before and after "for"; None where there are none."""
    before, after = (*read.sides, NOTHING)[:2]
    return before if any(before) else None, after if any(after) else None


def _named(text: str, *, either: bool = False) -> tuple[Hand | None, Hand | None]:
    """The cards that a text names before and after "for"; `either`: in a wish."""
    return next(map(_of, understood(text, either=either)), (None, None))


def _one_side(text: str) -> Iterator[tuple[Hand, str]]:
    """The readings of a text that has only one side: the cards, and how they are shown."""
    for read in understood(text):
        if len(read.sides) == 1:
            yield read.sides[0], _remarked(as_typed(read.sides[0]), read)


def _one(text: str) -> Hand | None:
    """The cards of the only side that a text names; None if it names none, or both."""
    first, second = _named(text)
    return first or second if first is None or second is None else None


def _given(text: str, whole: bool, want: Hand | None, held: Hand) -> Suggestions:
    """Readings of what is given, or of the whole trade if `whole`. They say which cards aren't held."""
    for read in understood(text):
        give, also = _of(read)
        if give is None:
            continue
        if whole and also is not None:
            label, value = shown_trade(give, also), coded(give, also)
        else:
            open_ended = whole and len(read.sides) == 2
            label = shown_trade(give, want or NOTHING) if want is not None or open_ended else as_typed(give)
            value = coded(give)
        yield _lacking(_remarked(label, read), give, held), value


def _gotten(text: str, give: Hand | None = None) -> Suggestions:
    """Readings of what is wanted in return for `give`: those with only one side."""
    for read in understood(text):
        first, second = _of(read)
        cards = first or second
        if cards is not None and (first is None or second is None):
            label = as_typed(cards) if give is None else shown_trade(give, cards)
            yield _remarked(label, read), coded(cards)


def _lacking(label: str, given: Hand, held: Hand) -> str:
    """The label, with the cards that aren't held."""
    if covers(held, given):
        return label
    missing = hand(max(0, n - h) for n, h in zip(given, held, strict=True))
    return _("{cards} · missing: {missing}", cards=label, missing=worded(missing, signs=False))


def _remarked(label: str, read: Understood) -> str:
    """The label, with a hint to check it where the text was ambiguous."""
    if read.is_guess:
        return _("{cards} · did you mean this?", cards=label)
    return (
        _("{cards} · {letter} = {resource}", cards=label, letter="w", resource=resource(WOOL, sign=False))
        if read.says_w
        else label
    )


def _trades(trades: list[tuple[Hand, Hand]], viewer: Viewer, text: str, whole: bool) -> Suggestions:
    """Trades that match the typed text. They name a player who is looking for what would be given."""
    wishes = open_wishes(viewer.table, viewer.game) if viewer.view.on_turn == viewer.seat else {}
    for give, want in dict.fromkeys(trades):
        label = shown_trade(give, want)
        seat = next((s for s, wish in wishes.items() if wish.want == give and wish.give in (NOTHING, want)), None)
        if seat is not None:
            label = _("{trade} · {name} is looking for that", trade=label, name=viewer.names[seat])
        yield from _fitting([(label, coded(give, want) if whole else coded(give))], text)


def _fitting(suggestions: list[Suggestion], text: str) -> Suggestions:
    """The suggestions that contain the typed text."""
    needle = searchable(text.strip())
    return (pair for pair in suggestions if needle in searchable(pair[0]) or needle == pair[1])


# --- which player is meant

NO_ONE, LEAVE = "<nobody>", "<leave>"
"""Values that can't be names."""
_MENTION = re.compile(r"<@!?([0-9]{1,20})>")


def player_label(viewer: Viewer, seat: int) -> str:
    """A player's name and color; the color makes it unambiguous."""
    return with_color(viewer.names[seat], viewer.view.players[seat].color)


def player_choices(viewer: Viewer, seats: Iterable[int]) -> list[tuple[str, str]]:
    """These players as suggestions. The value means only that player, whatever others are called."""
    return [(player_label(viewer, seat), player_value(viewer, seat)) for seat in seats]


def other_players(viewer: Viewer) -> list[tuple[str, str]]:
    """All other players who are still in the game, as suggestions."""
    return player_choices(viewer, [p.seat for p in viewer.view.players if p.seat != viewer.seat and not p.resigned])


def player_value(viewer: Viewer, seat: int) -> str:
    """A value that means only this seat."""
    user = viewer.users[seat]
    return f"<@{user}>" if user > 0 else str(user)


def seat_of(viewer: Viewer, user: int, name: str) -> int:
    """The seat of a user; `name`: of the user, for the refusal. Code: "no-player"."""
    if user not in viewer.users:
        raise RefereeError("no-player/here", name=safe_name(name))
    return viewer.users.index(user)


def seat_named(viewer: Viewer, text: str) -> int:
    """The seat that a mention, a name, a color or a user's id means.

    Codes: "no-player", "several-players" when it could mean more than one.
    """
    fitting = _seats_called(viewer, text)
    if len(fitting) == 1:
        return fitting[0]
    raise _unclear(viewer, text, [player_label(viewer, seat) for seat in fitting])


def seat_or_no_one(viewer: Viewer, text: str) -> int | None:
    """As `seat_named`, or None for "nobody". If a player has that name, the text is refused as ambiguous."""
    fitting = _seats_called(viewer, text)
    nobody = text.strip() == NO_ONE or searchable(text.strip()) in lexicon().no_one
    if len(fitting) + nobody == 1:
        return fitting[0] if fitting else None
    meanings = [player_label(viewer, seat) for seat in fitting]
    if nobody:
        meanings.append(_("no one at all"))
    raise _unclear(viewer, text, meanings)


def _seats_called(viewer: Viewer, text: str) -> list[int]:
    """The seats that a text could mean; a mention means at most one."""
    typed = text.strip()
    if mention := _MENTION.fullmatch(typed):
        return [seat for seat, user in enumerate(viewer.users) if user == int(mention[1])]
    if typed in (NO_ONE, LEAVE):  # cleaned, it could be a name
        return []
    for compared in (str.casefold, searchable):  # "Zoë" is the one with that name, "zoe" each whose name has marks
        spellings = {compared(typed.removeprefix("@")), compared(plain(text, 32))} - {""}
        fitting = [
            seat for seat in range(len(viewer.users)) if spellings & set(map(compared, _spellings(viewer, seat)))
        ]
        if fitting:
            return fitting
    return []


def _spellings(viewer: Viewer, seat: int) -> set[str]:
    """Everything that a seat can be called. Names are stored clean, so what is typed is cleaned, too."""
    user, color = viewer.users[seat], viewer.view.players[seat].color
    names = {viewer.names[seat], *(member.name for member in viewer.table.members if member.user == user)}
    colors = {color, _(color)}
    marked = {_("{name} ({color})", name=name, color=one) for name in names for one in colors}
    return {way.replace(TIE, "") for way in (*names, *marked, *colors, str(user))}


def _unclear(viewer: Viewer, text: str, choices: list[str]) -> RefereeError:
    if choices:
        return RefereeError("several-players", typed=TypedText(text, 32), choices=Listed(choices, choice=True))
    everyone = Listed([player_label(viewer, seat) for seat in range(len(viewer.users))])
    return RefereeError("no-player", typed=TypedText(text, 32), players=everyone)
