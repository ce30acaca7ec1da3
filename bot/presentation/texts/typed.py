"""Typed cards: "2 wool, 1 ore", "2w1o", "wool ore ore" or emoji, to a hand; complaints are one sentence."""

from __future__ import annotations

import re

from bot.presentation.texts.marks import RESOURCE_SIGNS, quoted
from engine.errors import MalformedInput
from engine.resources import RESOURCES, Hand, hand

MOST = 99
"""Most cards of one kind that can be typed."""

_EXAMPLE = "write it like “2 wool, 1 ore”"

_WORDS: dict[str, int] = {
    word: kind
    for kind, words in enumerate(
        (
            "brick bricks clay loam b",
            "lumber wood woods timber log logs l",
            "wool wools sheep s w",
            "grain grains wheat corn g",
            "ore ores rock rocks stone stones iron o",
        )
    )
    for word in words.split()
}
_LETTERS = {RESOURCES[kind][0]: kind for kind in range(5)}
_FILLERS = {"and", "x", "of", "a", "an", "card", "cards", "for"}
_TOKEN = re.compile(r"[0-9]+|[^\W\d_]+|\S")
_SILENT = set(",;+&.×*/|\ufe0f")


def parse_hand(text: str) -> Hand:
    """The cards that were typed, at least one; raises `MalformedInput` with one sentence and an example.

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
                raise MalformedInput(f"A number without a resource after it ({number}): {_EXAMPLE}.")
            number = token
            continue
        kinds = _kinds(token)
        if number is not None and len(kinds) > 1:
            raise MalformedInput(f"It isn't clear what {quoted(f'{number} {token}')} counts: {_EXAMPLE}.")
        for kind in kinds:
            counts[kind] += 1 if number is None else number
        number = None
    if number is not None:
        raise MalformedInput(f"A number without a resource after it ({number}): {_EXAMPLE}.")
    if not any(counts):
        raise MalformedInput(f"No cards are named: {_EXAMPLE}.")
    if max(counts) > MOST:
        raise MalformedInput(f"There are never more than {MOST} cards of a kind: {_EXAMPLE}.")
    return hand(counts)


def parse_resource(text: str) -> int:
    """The one resource that was typed; raises `MalformedInput`."""
    try:
        cards = parse_hand(text)
    except MalformedInput:
        cards = hand([0] * 5)
    kinds = [kind for kind, n in enumerate(cards) if n]
    if len(kinds) != 1:
        raise MalformedInput(f"Name one resource: {', '.join(RESOURCES[:-1])} or {RESOURCES[-1]}.")
    return kinds[0]


def parse_number(text: str) -> int | None:
    """The number that was typed in at most nine of the digits 0 to 9; None for anything else."""
    return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else None


def typed(cards: Hand) -> str:
    """A hand as it can be typed again: "2 wool, 1 ore"."""
    return ", ".join(f"{n} {RESOURCES[kind]}" for kind, n in enumerate(cards) if n)


def _tokens(text: str) -> list[int | str]:
    """Numbers and words, without what only separates."""
    for kind, sign in enumerate(RESOURCE_SIGNS):
        text = text.replace(sign, f" {RESOURCES[kind]} ")
    found: list[int | str] = []
    for piece in _TOKEN.findall(text.lower()):
        if piece[0] in "0123456789":
            if len(piece) > 4:
                raise MalformedInput(f"{quoted(piece, 12)} is too many: {_EXAMPLE}.")
            found.append(int(piece))
        elif piece not in _FILLERS and piece not in _SILENT:
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
    if word in _WORDS:
        return [_WORDS[word]]
    if all(ch in _LETTERS for ch in word):
        return [_LETTERS[ch] for ch in word]
    raise MalformedInput(
        f"{quoted(word)} is no resource; there are {', '.join(RESOURCES[:-1])} and {RESOURCES[-1]}: {_EXAMPLE}."
    )
