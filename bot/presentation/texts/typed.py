"""Typed cards: "2 wool, 1 ore", "2w1o", "wool ore ore" or emoji, to a hand; complaints are one sentence.

What can be typed in English can be typed in every language, beside the words of its own.
"""

from __future__ import annotations

import re

from bot.plaintext import quoted
from bot.presentation.texts.language import N_, _
from bot.presentation.texts.marks import RESOURCE_NAMES, RESOURCE_SIGNS
from engine.errors import RefereeError
from engine.resources import RESOURCES, Hand, hand

MOST = 99
"""Most cards of one kind that can be typed."""

_WORDS = (
    N_("brick bricks clay loam b"),
    N_("lumber wood woods timber log logs l"),
    N_("wool wools sheep s w"),
    N_("grain grains wheat corn g"),
    N_("ore ores rock rocks stone stones iron o"),
)
"""What resources can be called when they are typed, in small letters with blanks between."""
_LETTERS = N_("b l w g o")
"""One letter for each resource, in the order of `RESOURCES`, for those who type "wwo"."""
_FILLERS = N_("and x of a an card cards for")
"""Words between the cards that mean nothing."""
_TOKEN = re.compile(r"[0-9]+|[^\W\d_]+|\S")
_SILENT = set(",;+&.×*/|\ufe0f")


def parse_hand(text: str) -> Hand:
    """The cards that were typed, at least one; raises `RefereeError` with one sentence and an example.

    >>> parse_hand("2 wool, 1 ore") == parse_hand("2w1o") == parse_hand("wool ore wool")
    True
    """
    tokens = _tokens(text)
    if tokens and isinstance(tokens[-1], int) and not isinstance(tokens[0], int):
        tokens = _numbers_first(tokens)
    counts = [0] * 5
    number: int | None = None
    for token in tokens:
        if isinstance(token, int):
            if number is not None:
                raise RefereeError("unreadable/number", number=number)
            number = token
            continue
        kinds = _kinds(token)
        if number is not None and len(kinds) > 1:
            raise RefereeError("unreadable/letters", text=quoted(f"{number} {token}"))
        for kind in kinds:
            counts[kind] += 1 if number is None else number
        number = None
    if number is not None:
        raise RefereeError("unreadable/number", number=number)
    if not any(counts):
        raise RefereeError("unreadable/no-cards")
    if max(counts) > MOST:
        raise RefereeError("unreadable/too-many", most=MOST)
    return hand(counts)


def parse_resource(text: str) -> int:
    """The one resource that was typed; raises `RefereeError`."""
    try:
        cards = parse_hand(text)
    except RefereeError:
        cards = hand([0] * 5)
    kinds = [kind for kind, n in enumerate(cards) if n]
    if len(kinds) != 1:
        raise RefereeError("unreadable/resource")
    return kinds[0]


def parse_number(text: str) -> int | None:
    """The number that was typed in at most nine of the digits 0 to 9; None for anything else."""
    return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else None


def typed(cards: Hand) -> str:
    """A hand as it can be typed again: "2 wool, 1 ore"."""
    return ", ".join(f"{n} {_(RESOURCE_NAMES[kind])}" for kind, n in enumerate(cards) if n)


def _tokens(text: str) -> list[int | str]:
    """Numbers and words, without what only separates."""
    for kind, sign in enumerate(RESOURCE_SIGNS):
        text = text.replace(sign, f" {RESOURCES[kind]} ")
    silent = {*_SILENT, *_FILLERS.split(), *_(_FILLERS).lower().split()}
    found: list[int | str] = []
    for piece in _TOKEN.findall(text.lower()):
        if piece[0] in "0123456789":
            if len(piece) > 4:
                raise RefereeError("unreadable/huge", text=quoted(piece, 12))
            found.append(int(piece))
        elif piece not in silent:
            found.append(piece)
    return found


def _numbers_first(tokens: list[int | str]) -> list[int | str]:
    """ "wool 2 ore 1" as "2 wool 1 ore", where each word has its number behind it."""
    pairs = list(zip(tokens[::2], tokens[1::2], strict=False))
    if len(tokens) % 2 or not all(isinstance(w, str) and isinstance(n, int) for w, n in pairs):
        return tokens
    return [part for word, n in pairs for part in (n, word)]


def _kinds(word: str) -> list[int]:
    """The resources that a word means: one, or one for each letter of "wwo"."""
    words, letters = _words(), _letters()
    if word in words:
        return [words[word]]
    if all(ch in letters for ch in word):
        return [letters[ch] for ch in word]
    raise RefereeError("unreadable/resource-name", text=quoted(word))


def _words() -> dict[str, int]:
    """Resources by all that they can be called, in English and in the present language."""
    here = [f"{_(words)} {_(name)}" for words, name in zip(_WORDS, RESOURCE_NAMES, strict=True)]
    return {word: kind for said in (_WORDS, here) for kind, words in enumerate(said) for word in words.lower().split()}


def _letters() -> dict[str, int]:
    return {letter: kind for said in (_LETTERS, _(_LETTERS)) for kind, letter in enumerate(said.lower().split())}
