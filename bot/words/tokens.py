"""What is typed about cards, word by word: numbers, resources by any of their names, and what stands between them.

What can be typed in English can be typed in every language, in addition to that language's own words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum

from bot.words.language import N_, _, quoted
from bot.words.marks import RESOURCE_NAMES, RESOURCE_SIGNS
from engine.errors import RefereeError
from engine.resources import RESOURCES

_RESOURCES = (
    N_("brick clay loam b"),
    N_("lumber wood timber log l"),
    N_("wool sheep fleece s w"),
    N_("grain wheat corn g"),
    N_("ore rock stone iron o"),
)
"""What resources can be called when typed, in lowercase, separated by blanks; plurals are understood, too."""
_LETTERS = N_("b l w g o")
"""One letter for each resource, in the order of `RESOURCES`, for those who type "wwo"."""
_NUMBERS = N_("one two three four five six seven eight nine ten")
_ARTICLES = N_("a an")
_DIRECTIONS = N_("for against")
"""Words between what is given and what is wanted."""
_CONJUNCTIONS = N_("and plus")
_ALTERNATIVES = N_("or")
"""Words between cards when any of them will do, which no offer can express."""
_FILLERS = N_("of card cards the some")
"""Words between the cards that have no meaning."""
_TIMES = N_("x times")
"""Words between a number and what it counts."""

_PIECE = re.compile(
    r"(?P<blank>:-?\)|:-?\(\s*$|\*\*+|[()\[\]{}`_~#\\]|<(?![-=@]))|(?P<person>@)"
    r"|(?P<number>[0-9]+)|(?P<arrow><?[-=]+>|[:=>→➔➜⇒⟶])|(?P<word>[^\W\d_]+)|\S"
)
"""`blank`: smileys, brackets and other marks that mean nothing here."""
_EMOJI = re.compile(rf"<a?:({'|'.join(RESOURCES)}):[0-9]+>|:({'|'.join(RESOURCES)}):")
"""A resource as an emoji, copied from a message or picked."""
_BREAKS = set(",;+&./|")
_SILENT = "\ufe0f"
_ALIKE = 0.6
"""How similar a word must be to a known one to be taken for it."""


class Mark(Enum):
    """What stands between cards."""

    BREAK = "and"
    SIDES = "for"


@dataclass(frozen=True, slots=True)
class NumberToken:
    """A number of what stands before it (`lean` -1) or after it (1); 0: either."""

    n: int
    lean: int = 0


@dataclass(frozen=True, slots=True)
class WordToken:
    """Cards: one, or one for each letter of "wwo"; no kinds if it isn't known what they are."""

    text: str
    kinds: tuple[int, ...]
    is_sign: bool = False

    @property
    def is_name(self) -> bool:
        """Whether it names a resource in full, or is its sign. "w" can stand among names and among letters."""
        return len(self.kinds) == 1 and (self.is_sign or len(self.text) > 1)


Token = NumberToken | WordToken | Mark


def tokens(text: str, mend: bool = False) -> list[Token]:
    """What was typed, piece by piece; `mend`: words that are unknown or unfinished are guessed.

    Raises `RefereeError` for people, and for numbers that are far too big.
    """
    found: list[Token] = []
    text = _EMOJI.sub(lambda emoji: f" {emoji[1] or emoji[2]} ", text.lower().replace(_SILENT, ""))
    times = False
    for match in _PIECE.finditer(text):
        piece, last = match[0], found[-1] if found else None
        if match["blank"]:
            continue
        if match["person"]:
            raise RefereeError("unreadable/person")
        if match["number"]:
            lean = -1 if times else _glued(text, match)
            found.append(NumberToken(_small(piece), lean))
        elif piece in _said(_TIMES) or piece in "×*":
            times = not isinstance(last, NumberToken)
            if isinstance(last, NumberToken):
                found[-1] = NumberToken(last.n, 1)
            continue
        elif piece in _said(_ALTERNATIVES) and match.end() < len(text):  # at the end it may become "ore"
            raise RefereeError("unreadable/or")
        elif match["arrow"] or piece in _said(_DIRECTIONS):
            found.append(Mark.SIDES)
        elif piece in _BREAKS or piece in _said(_CONJUNCTIONS):
            found.append(Mark.BREAK)
        elif piece not in _said(_FILLERS):
            found.append(_counted(piece) or _word(piece, last, match.end() == len(text) and mend, mend))
        times = False
    return _without_doubles(token for token in found if token != _UNFINISHED)


def all_of(text: str) -> str:
    """A text in which one of several will do, as a list: "brick or ore" as "brick , ore"."""
    return " ".join("," if word.lower() in _said(_ALTERNATIVES) else word for word in text.split())


def kinds_of(word: str) -> tuple[int, ...]:
    """The resources that a lowercase word means: one, or one for each letter; none if that isn't known."""
    known, letters = _known(), _letters()
    singular = word.removesuffix("s") if len(word) > 3 else word
    if (kind := known.get(word, known.get(singular))) is not None:
        return (kind,)
    if all(ch in letters for ch in word) and not any(_slipped(word, name) for name in known if len(name) > 3):
        return tuple(letters[ch] for ch in word)
    return ()


def closest(word: str) -> str | None:
    """The name of the resource that was most likely meant by a mistyped word."""
    names = [name for name in _known() if len(name) > 2]
    return next(iter(get_close_matches(word, names, 1, _ALIKE)), None)


_UNFINISHED = WordToken("", ())
"""A word that is being typed and says nothing yet."""


def _word(piece: str, last: Token | None, is_last: bool, mend: bool) -> WordToken:
    if piece in RESOURCE_SIGNS:
        return WordToken(piece, (RESOURCE_SIGNS.index(piece),), is_sign=True)
    kinds = kinds_of(piece)
    if not kinds and piece[0] in _said(_TIMES) and isinstance(last, NumberToken) and (counted := kinds_of(piece[1:])):
        piece, kinds = piece[1:], counted  # "2xwool"
    unclear = isinstance(last, NumberToken) and len(kinds) > 1
    if mend and (unclear or not kinds or (is_last and len(kinds) > 1)):
        if is_last and any(word.startswith(piece) for word in _said(_DIRECTIONS) | _said(_CONJUNCTIONS)):
            return _UNFINISHED
        kinds = _guessed(piece)
    return WordToken(piece, kinds)


def _guessed(piece: str) -> tuple[int, ...]:
    """The resource whose name begins like this, or else has a similar name."""
    known, names = _known(), {_(name).lower(): kind for kind, name in enumerate(RESOURCE_NAMES)}
    for said in (names, known):
        begun = {kind for name, kind in said.items() if name.startswith(piece)}
        if len(begun) == 1:
            return tuple(begun)
    meant = closest(piece)
    return () if meant is None else (known[meant],)


def _small(digits: str) -> int:
    if len(digits) > 4:
        raise RefereeError("unreadable/huge", text=quoted(digits, 12))
    return int(digits)


def _counted(piece: str) -> NumberToken | None:
    """The number that a word means; it counts what comes after it, if anything does."""
    if piece in _said(_ARTICLES):
        return NumberToken(1, 1)
    for words in (_NUMBERS, _(_NUMBERS).lower()):
        if piece in (names := words.split()):
            return NumberToken(names.index(piece) + 1)
    return None


def _glued(text: str, number: re.Match[str]) -> int:
    """The side to which a number without blanks belongs: "2w" to what follows, "w2" to what comes before."""
    before = number.start() > 0 and text[number.start() - 1].isalpha()
    behind = number.end() < len(text) and text[number.end()].isalpha()
    return behind - before


def _without_doubles(tokens: Iterator[Token]) -> list[Token]:
    """The tokens with "🐑 wool" as one, since that is how it is printed."""
    kept: list[Token] = []
    for token in tokens:
        last = kept[-1] if kept else None
        same = isinstance(token, WordToken) and isinstance(last, WordToken) and token.kinds == last.kinds
        if same and isinstance(last, WordToken) and last.is_sign and isinstance(token, WordToken) and not token.is_sign:
            kept.pop()
        kept.append(token)
    return kept


def _said(words: str) -> set[str]:
    """Words in English and in the present language."""
    return {*words.split(), *_(words).lower().split()}


def _known() -> dict[str, int]:
    """Resources by everything that they can be called."""
    here = [f"{_(words)} {_(name)}" for words, name in zip(_RESOURCES, RESOURCE_NAMES, strict=True)]
    return {
        word: kind for said in (_RESOURCES, here) for kind, words in enumerate(said) for word in words.lower().split()
    }


def _letters() -> dict[str, int]:
    return {letter: kind for said in (_LETTERS, _(_LETTERS)) for kind, letter in enumerate(said.lower().split())}


def _slipped(word: str, name: str) -> bool:
    """Whether a letter of the name was left out, added or mistaken: "woool" hardly means five cards."""
    if len(word) == len(name):
        return sum(a != b for a, b in zip(word, name, strict=True)) == 1
    short, long = sorted((word, name), key=len)
    return any(short == long[:at] + long[at + 1 :] for at in range(len(long)))
