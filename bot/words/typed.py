"""Typed cards and trades: "2 wool, 1 ore", "2w1o", "two sheep + a brick for ore"; errors are one sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice, product

from bot.plaintext import narrow
from bot.words.language import quoted
from bot.words.marks import resource, resource_counts
from bot.words.tokens import Mark, NumberToken, Token, WordToken, closest, tokens
from engine.errors import RefereeError
from engine.refusals import Listed
from engine.resources import NOTHING, WOOL, Hand, hand, total

MOST_TYPED = 99
"""Maximum number of cards of one kind that can be typed."""
_SIDE = r"[0-9]{1,3}(\.[0-9]{1,3}){4}"
_CODED = re.compile(f"#{_SIDE}(>{_SIDE})?")
"""A hand or a trade as `coded` writes it: words and letters of one language can mean others in another language."""
_MOST_MEANINGS = 8
"""Most meanings of a text that are suggested."""


def parse_hand(text: str, *, either: bool = False) -> Hand:
    """The cards that were typed, at least one; raises `RefereeError` with one sentence.

    `either`: "or" is understood as "and".

    >>> parse_hand("2 wool, 1 ore") == parse_hand("2w1o") == parse_hand("wool ore wool") == parse_hand("2 sheep, rock")
    True
    """
    named = [cards for cards in _sides(text, either=either) if any(cards)]
    if len(named) > 1:
        raise RefereeError("unreadable/one-side")
    return _checked(named[0] if named else NOTHING)


def parse_trade(give: str, want: str | None = None, *, either: bool = False) -> tuple[Hand, Hand]:
    """What is given and what is wanted: two texts, or all in the first, "2 wool for 1 ore"; raises `RefereeError`."""
    sides = _sides(give, either=either)
    if len(sides) > 2:
        raise RefereeError("unreadable/directions")
    if want is None or not want.strip():
        if not any(sides[0]):
            raise RefereeError("unreadable/no-give" if len(sides) == 2 else "unreadable/no-cards")
        if len(sides) == 1 or not any(sides[1]):
            raise RefereeError("unreadable/no-want")
        return _checked(sides[0]), _checked(sides[1])
    if len(sides) == 2 and any(sides[1]):
        raise RefereeError("unreadable/said-twice")
    return _checked(sides[0]), parse_hand(want, either=either)


def parse_wish(want: str, give: str = "") -> tuple[Hand, Hand]:
    """What is looked for and what would be given, if anything: two texts, or one, "brick for wool"; raises as above.

    One of the cards will do, so "or" is the same as "and".
    """
    sides = _sides(want, either=True)
    gives = bool(give.strip()) or (len(sides) > 1 and any(sides[1]))
    if not any(sides[0]):
        raise RefereeError("wish/no-want" if gives else "unreadable/no-cards")
    if give.strip() and len(sides) > 1 and any(sides[1]):
        raise RefereeError("unreadable/said-twice, give")
    if gives:
        return parse_trade(want, give, either=True)
    return parse_hand(want, either=True), NOTHING


def parse_number(text: str) -> int | None:
    """The number of an offer, in at most nine digits: "3", "#3", or with more as it is suggested, "3: …"; else None."""
    found = re.fullmatch("#?([0-9]{1,9})", narrow(text).partition(":")[0].strip())
    return int(found[1]) if found else None


def typed(cards: Hand) -> str:
    """A hand as it can be typed again: "2 wool, 1 ore"."""
    return ", ".join(resource_counts(cards, signs=False))


def coded(*sides: Hand) -> str:
    """A hand or a trade as every language reads it, in less than 100 characters: "#1.0.2.0.0>0.0.0.0.1"."""
    return f"#{'>'.join('.'.join(map(str, side)) for side in sides)}"


def as_typed(cards: Hand) -> str:
    """A hand as suggestions show it, and as it can also be typed: "2 wool + 1 brick"."""
    return " + ".join(resource_counts(cards, signs=False)) or "…"


def shown_trade(give: Hand, want: Hand) -> str:
    """A trade as suggestions show it, and as it can also be typed: "2 wool + 1 brick → 1 ore"."""
    return f"{as_typed(give)} → {as_typed(want)}"


# --- while something is being typed


@dataclass(frozen=True, slots=True)
class Understood:
    """What a text means so far; it has one or two `sides`."""

    sides: tuple[Hand, ...]
    is_guess: bool
    """Whether part of it was guessed: a typo, an unfinished word, or a letter that could mean something else."""
    says_w: bool
    """Whether wool was typed as a letter that others take for wood or wheat."""


def understood(text: str, *, either: bool = False) -> list[Understood]:
    """The meanings of a text that may be unfinished: as it stands, and with its words guessed, if that differs.

    `either`: "or" is understood as "and".
    """
    found: list[Understood] = []
    for sides, is_guess, says_w in _readings_of(text, either):
        sound = len(sides) <= 2 and any(map(any, sides)) and max(map(max, sides)) <= MOST_TYPED
        if sound and all(sides != one.sides for one in found):
            found.append(Understood(sides, is_guess, says_w))
    return found


def _readings_of(text: str, either: bool) -> Iterator[tuple[tuple[Hand, ...], bool, bool]]:
    """The sides of a text in each of its meanings, as in `Understood`."""
    if code := _coded_sides(text):
        yield tuple(code), False, False
        return
    for mend in (False, True):
        with suppress(RefereeError):
            readings = [*_each_meaning(tokens(text, mend, either=either))]
            for reading in readings:
                says_w = any(isinstance(t, WordToken) and t.kinds[:1] == (WOOL,) and t.text == "w" for t in reading)
                with suppress(RefereeError):
                    yield tuple(_read(reading, wish=either)), mend or len(readings) > 1, says_w


def _each_meaning(found: Sequence[Token]) -> Iterator[list[Token]]:
    """The tokens in each of their meanings."""
    choices: list[list[Token]] = [
        [replace(t, kinds=kinds, meanings=()) for kinds in t.meanings]
        if isinstance(t, WordToken) and t.meanings
        else [t]
        for t in found
    ]
    return map(list, islice(product(*choices), _MOST_MEANINGS))


# --- from words to cards

_BETWEEN = (Mark.SIDES, Mark.PAID, Mark.OBJECT)


def _sides(text: str, *, either: bool = False) -> list[Hand]:
    """The cards on each side of "for", as `_read` returns them; `either`: of a wish. Raises `RefereeError`."""
    return _coded_sides(text) or _read(tokens(text, either=either), wish=either)


def _coded_sides(text: str) -> list[Hand]:
    """The cards on each side of what `coded` writes; empty for any other text."""
    code = text.strip()
    return [hand(map(int, side.split("."))) for side in code[1:].split(">")] if _CODED.fullmatch(code) else []


def _read(found: Sequence[Token], *, wish: bool) -> list[Hand]:
    """The cards on each side of "for", in a wish first what is wanted. There is at least one side, and a side can be
    empty."""
    sides = [[*_split(side, Mark.BREAK)] for side in _in_order(found, wish)]
    unknown = [word for side in sides for word in _unknown(side)]
    words = (token for side in sides for group in side for token in group if isinstance(token, WordToken))
    if unclear := next((word for word in words if word.meanings and word not in unknown), None):
        raise _several(unclear)
    if unknown:
        raise _not_known(unknown, sides)
    return [total(map(_cards, side)) for side in sides]


def _in_order(found: Sequence[Token], wish: bool) -> list[list[Token]]:
    """The tokens on each side of "for": in a trade first what is given, in a wish first what is wanted."""
    sides = [*_split(found, *_BETWEEN)]
    match [token for token in found if token in _BETWEEN]:
        case [Mark.PAID] if wish:
            sides.reverse()
        case [Mark.OBJECT, Mark.PAID] if not any(isinstance(token, WordToken) and token.kinds for token in sides[2]):
            want, give, rest = sides
            sides = [want, give] if wish else [give, want]
            sides += [rest] if rest else []
        case [Mark.OBJECT] if wish and all(sides):  # is the object sought, or given for the rest?
            raise RefereeError("unreadable/one-side")
    return sides


def _several(word: WordToken) -> RefereeError:
    """The refusal of a word with several meanings: it names the first letter that could mean several cards."""
    text, meanings = word.text, word.meanings
    if len({*map(len, meanings)}) == 1:
        at = next(n for n, kinds in enumerate(zip(*meanings, strict=True)) if len({*kinds}) > 1)
        text, meanings = text[at] if len(meanings[0]) > 1 else text, tuple((kinds[at],) for kinds in meanings)
    choices = dict.fromkeys(
        resource(kinds[0], sign=False) if len(kinds) == 1 else as_typed(_plus(NOTHING, replace(word, kinds=kinds), 1))
        for kinds in meanings
    )
    return RefereeError("unreadable/several", text=quoted(text), choices=Listed(list(choices), choice=True))


def _unknown(side: Sequence[Sequence[Token]]) -> list[WordToken]:
    """The words of a side that mean no cards: "lol" and "bob" mean cards only if no resource is written out."""
    words = [token for group in side for token in group if isinstance(token, WordToken)]
    named = any(word.is_name for word in words)
    return [word for word in words if (named and word.is_run) or not (word.kinds or word.meanings)]


def _not_known(unknown: Sequence[WordToken], sides: Sequence[Sequence[Sequence[Token]]]) -> RefereeError:
    """The refusal of unknown words: what isn't understood, what it could be, and what the rest says."""
    first = unknown[0]
    text, meant = quoted(first.text), None if first.is_run else closest(first.text)
    key = "unreadable/resource-name" if meant is None else "unreadable/slip"
    void: dict[Token, Token] = {
        word: replace(word, kinds=(), meanings=()) for word in unknown
    }  # the word still has its number
    try:
        rest = [total(_cards([void.get(t, t) for t in group]) for group in side) for side in sides]
    except RefereeError:
        rest = []
    if len(unknown) > 1 or not any(map(any, rest)):
        return RefereeError(key, text=text, meant=meant)
    rest_text = " → ".join(as_typed(side) for side in rest if any(side))
    return RefereeError(f"{key}, the rest", text=text, meant=meant, rest=rest_text)


def _split(tokens: Iterable[Token], *marks: Mark) -> Iterator[list[Token]]:
    part: list[Token] = []
    for token in tokens:
        if token in marks:
            yield part
            part = []
        else:
            part.append(token)
    yield part


def _cards(group: Sequence[Token]) -> Hand:
    """The cards of words and numbers with nothing in between; raises if these can be read in no way, or in two."""
    found = _readings(group)
    if len(found) == 1:
        return found.pop()
    for at, number in enumerate(group):
        if not isinstance(number, NumberToken):
            continue
        around = [w for w in (*group[max(0, at - 1) : at], *group[at + 1 : at + 2]) if isinstance(w, WordToken)]
        if len(found) > 1 and len(around) == 2:
            before, behind = (quoted(word.text) for word in around)
            raise RefereeError("unreadable/number-between", number=number.n, before=before, behind=behind)
        if not found and len(around) == 1 and len(around[0].kinds) > 1:
            raise RefereeError("unreadable/letters", text=quoted(f"{number.n} {around[0].text}"))
        if not found and not around:
            raise RefereeError("unreadable/number", number=number.n)
    raise RefereeError("unreadable/number", number=next(t.n for t in reversed(group) if isinstance(t, NumberToken)))


_Reading = tuple[Hand, int, WordToken | None]
"""Cards so far, the number that waits for its word (-1: none), and the word that can still get its number."""


def _readings(group: Sequence[Token]) -> set[Hand]:
    """What a group can mean, two readings at most: a number belongs to a word next to it, a word has one at most."""
    states: list[_Reading] = [(NOTHING, -1, None)]
    for at, token in enumerate(group):
        after: list[_Reading] = []
        followed = at + 1 < len(group) and isinstance(group[at + 1], WordToken)
        for cards, waiting, word in states:
            if isinstance(token, WordToken):
                if waiting < 0:
                    after.append((_plus(cards, token, 1), -1, token if len(token.kinds) < 2 else None))
                elif len(token.kinds) < 2:
                    after.append((_plus(cards, token, waiting), -1, None))
            elif isinstance(token, NumberToken) and waiting < 0:
                if word is not None and not (token.lean > 0 and followed):
                    after.append((_plus(cards, word, token.n - 1), -1, None))
                if followed and not (token.lean < 0 and word is not None):
                    after.append((cards, token.n, None))
        states = _two_of_each(after)
    return {cards for cards, waiting, _word in states if waiting < 0}


def _two_of_each(states: Iterable[_Reading]) -> list[_Reading]:
    """Two readings of each state, enough to tell one meaning from several: what follows changes all readings of a
    state in the same way."""
    kept: dict[tuple[bool, bool], list[_Reading]] = {}
    for state in dict.fromkeys(states):
        alike = kept.setdefault((state[1] >= 0, state[2] is not None), [])
        if len(alike) < 2:
            alike.append(state)
    return [state for alike in kept.values() for state in alike]


def _plus(cards: Hand, word: WordToken, n: int) -> Hand:
    return hand(held + n * word.kinds.count(kind) for kind, held in enumerate(cards))


def _checked(cards: Hand) -> Hand:
    if not any(cards):
        raise RefereeError("unreadable/no-cards")
    if max(cards) > MOST_TYPED:
        raise RefereeError("unreadable/too-many", most=MOST_TYPED)
    return cards
