"""What is typed about cards, word by word: numbers, resources by any of their names, and what stands between them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum
from itertools import dropwhile, pairwise, takewhile

from bot.plaintext import TIE, folded, narrow
from bot.words.language import quoted
from bot.words.marks import RESOURCE_SIGNS, resource
from bot.words.vocabulary import LONGEST_PHRASE, UNSPACED, Kinds, Lexicon, Role, lexicon
from engine.errors import RefereeError
from engine.refusals import Listed
from engine.resources import RESOURCES

_PIECE = re.compile(
    r"(?P<blank>:-?\)|:-?\(\s*$|\*\*+|[()\[\]{}`_~#\\]|<(?![-=@]))|(?P<person>@)"
    r"|(?P<number>[0-9]+)|(?P<arrow><?[-=]+>|[:=>→➔➜⇒⟶])"
    rf"|(?P<glued>[{UNSPACED}]+)|(?P<word>(?:(?![{UNSPACED}])[^\W\d_])+(?:['’](?=[^\W\d_]|$))?)|\S"
)
"""`blank`: smileys, brackets and other marks that mean nothing here. `glued`: words without blanks between them."""
_EMOJI = re.compile(rf"<a?:({'|'.join(RESOURCES)}):[0-9]+>|:({'|'.join(RESOURCES)}):")
"""A resource as an emoji, copied from a message or picked."""
_BREAKS = set(",;+&./|、。・")
_TIMES = set("×*")
_AHEAD = 8
"""How many pieces after a small word tell what it means: as in "or (2 cards of the wool)"."""
_SILENT = re.compile(f"[\ufe0f{TIE}]")
"""What can't be seen: what makes an emoji of a sign, and what keeps a card and its number on one line."""
_ALIKE = 0.6
"""How similar a word must be to a known one to be taken for it."""


class Mark(Enum):
    """What stands between cards."""

    BREAK = "and"
    SIDES = "for"
    PAID = "で"
    OBJECT = "を"


_BETWEEN = {Role.BREAK: Mark.BREAK, Role.SIDES: Mark.SIDES, Role.PAID: Mark.PAID}
_BEGINNINGS = (None, Mark.SIDES, Mark.PAID, Mark.OBJECT)
"""What is before the first cards of a side."""


@dataclass(frozen=True, slots=True)
class NumberToken:
    """A number of what stands before it (`lean` -1) or after it (1); 0: either."""

    n: int
    lean: int = 0


@dataclass(frozen=True, slots=True)
class WordToken:
    """Cards: one, or one for each letter of "wwo"; no kinds if it isn't known what they are.

    `meanings`: what it could be, if that must be asked about.
    """

    text: str
    kinds: Kinds
    is_sign: bool = False
    meanings: tuple[Kinds, ...] = ()

    @property
    def is_name(self) -> bool:
        """Whether it names a resource in full, or is its sign. "w" can stand among names and among letters."""
        return len(self.kinds) == 1 and (self.is_sign or len(self.text) > 1)

    @property
    def is_run(self) -> bool:
        """Whether it is several letters, each for a card."""
        return min(map(len, self.meanings or (self.kinds,))) > 1


Token = NumberToken | WordToken | Mark


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part of a text: what sort of part, as in `_PIECE`, and where it is; `word`: `folded`, empty if it is none."""

    sort: str | None
    text: str
    word: str
    start: int
    end: int


def tokens(text: str, mend: bool = False, *, either: bool = False) -> list[Token]:
    """What was typed, piece by piece; `mend`: words that are unknown or unfinished are guessed; `either`: "or" is
    understood as "and".

    Raises `RefereeError` for people, for numbers that are far too big, and for "or", if it isn't understood or could be
    cards.
    """
    found: list[Token] = []
    words, text = lexicon(), _EMOJI.sub(_emoji_name, _SILENT.sub("", narrow(text).lower()))
    pieces, at, times = list(_pieces(text, words)), 0, False
    while at < len(pieces):
        piece, last = pieces[at], found[-1] if found else None
        role, taken = _role(pieces, at, last, words)
        if mend and role is None and _is_unfinished(pieces[at:], words):
            break
        at += taken
        if piece.sort == "blank":
            continue
        if piece.sort == "person":
            raise RefereeError("unreadable/person")
        if piece.sort == "number":
            found.append(NumberToken(_small(piece.text), -1 if times else _lean(pieces, at - 1, last, words)))
        elif role is Role.TIMES:
            times = not isinstance(last, NumberToken)
            if isinstance(last, NumberToken):
                found[-1] = NumberToken(last.n, 1)
            continue
        elif role is Role.EITHER and not either and at < len(pieces):  # at the end it may become "ore"
            raise RefereeError("unreadable/or")
        elif role in _BETWEEN:
            found.append(_BETWEEN[role])
        elif role is Role.OBJECT:
            found += [] if _is_idle(pieces[at:], found, words) else [Mark.OBJECT]
        elif role is Role.EITHER and either:
            if taken == 1:
                _check_or(pieces, at - 1, last, words)
            found.append(Mark.BREAK)
        elif role is Role.ONE:
            found.append(NumberToken(1, 1))
        elif role is Role.NOTHING:
            if isinstance(last, NumberToken) and last.lean >= 0 and taken == 1:
                _check_article(pieces, at - 1, last.n, words)
        else:
            number = words.number(piece.word)
            found.append(NumberToken(number) if number else _word(piece, last, words, mend, mend and at == len(pieces)))
        times = False
    return _without_doubles(found)


def only_joins(text: str) -> bool:
    """Whether a text has nothing but what stands between things that are listed: blanks, commas, "and"."""
    words, spaced = lexicon(), "".join(" " if ch in _BREAKS else ch for ch in folded(text))
    return all(words.does(word, Role.BREAK) for word in spaced.split())


def closest(word: str) -> str | None:
    """The name of the resource that was most likely meant by a mistyped word."""
    words = lexicon()
    near = get_close_matches(folded(word), [name for name in words.known if len(name) > 2], 1, _ALIKE)
    return words.spelled(near[0]) if near else None


def _emoji_name(emoji: re.Match[str]) -> str:
    return f" {RESOURCE_SIGNS[RESOURCES.index(emoji[1] or emoji[2])]} "


def _pieces(text: str, words: Lexicon) -> Iterator[_Piece]:
    for match in _PIECE.finditer(text):
        sort, start = match.lastgroup, match.start()
        for part in words.cut(match[0]) if sort == "glued" else (match[0],):
            word = folded(part) if sort in ("glued", "word") else ""
            yield _Piece("word" if word else sort, part, word, start, start + len(part))
            start += len(part)


def _role(pieces: list[_Piece], at: int, last: Token | None, words: Lexicon) -> tuple[Role | None, int]:
    """What a piece that means no cards does, and how many pieces do it."""
    piece = pieces[at]
    if piece.sort == "arrow":
        return Role.SIDES, 1
    if piece.text in _BREAKS:
        return Role.BREAK, 1
    if piece.text in _TIMES:
        return Role.TIMES, 1
    following = [one.word for one in takewhile(lambda one: one.word, pieces[at : at + LONGEST_PHRASE + 1])]
    after_number = isinstance(last, NumberToken) and last.lean >= 0
    role = following and words.role(following, _ahead(pieces, at), after_number)
    if role == (Role.EITHER, 1) and last in _BEGINNINGS and words.meanings(piece.word):
        return None, 1  # "o 2w": nothing is before it, so it is ore
    return role or (None, 1)


def _ahead(pieces: list[_Piece], at: int) -> list[str]:
    """The words, digits and signs that follow a piece; none if it has its number: "o2", "2o"."""
    near = [*pieces[max(0, at - 1) : at + 2]]
    if any(a.end == b.start and "number" in (a.sort, b.sort) for a, b in pairwise(near)):
        return []
    follow = (one for one in pieces[at + 1 : at + 1 + _AHEAD] if one.sort != "blank")
    return ["x" if one.text in _TIMES else one.word or one.text for one in follow]


def _check_article(pieces: list[_Piece], at: int, number: int, words: Lexicon) -> None:
    """Refuse an article that could be cards itself directly behind a number: "2 la lana", but not "2 de la lana"."""
    article, before = pieces[at], pieces[at - 1]
    if words.meanings(article.word) and not words.does(before.word, Role.NOTHING):
        behind = quoted(words.next_cards(_ahead(pieces, at))[1])
        raise RefereeError("unreadable/number-between", number=number, before=quoted(article.text), behind=behind)


def _check_or(pieces: list[_Piece], at: int, last: Token | None, words: Lexicon) -> None:
    """Refuse a word for "or" that could be cards itself next to a letter: "b o 2w", but not "madera o lana"."""
    meant, around = words.meanings(pieces[at].word), [words.next_cards(_ahead(pieces, at))[1]]
    if isinstance(last, WordToken):
        around.append(last.text)
    if meant and any(len(word) == 1 and word.isalpha() for word in around):
        choices = Listed([resource(kinds[0], sign=False) for kinds in meant], choice=True)
        raise RefereeError("unreadable/or, cards", text=quoted(pieces[at].text), choices=choices)


def _is_idle(rest: list[_Piece], found: list[Token], words: Lexicon) -> bool:
    """Whether the word for an object separates nothing: no cards follow, or a number of what stands before it."""
    behind = dropwhile(lambda one: words.does(one.word, Role.NOTHING), (one for one in rest if one.sort != "blank"))
    piece, after = next(behind, None), next(behind, None)
    if piece is None or piece.sort == "arrow" or piece.text in _BREAKS:
        return True
    if piece.sort == "number" or words.number(piece.word):
        counts_next = after is not None and (after.text in RESOURCE_SIGNS or words.meanings(after.word))
        return not counts_next and not any(isinstance(token, NumberToken) for token in found[-2:])
    return any(words.does(piece.word, role) for role in (*_BETWEEN, Role.EITHER, Role.OBJECT))


def _is_unfinished(rest: list[_Piece], words: Lexicon) -> bool:
    """Whether the end of a text is the beginning of a small word, or of a phrase of them, and no resource."""
    begun = [piece.word for piece in rest[:LONGEST_PHRASE]]
    if len(rest) > LONGEST_PHRASE or not all(begun) or any(len(kinds) == 1 for kinds in words.meanings(begun[0])):
        return False
    return words.begins(" ".join(begun), Role.SIDES, Role.BREAK)


def _word(piece: _Piece, last: Token | None, words: Lexicon, mend: bool, is_last: bool) -> WordToken:
    text, counted = piece.text, isinstance(last, NumberToken)
    if text in RESOURCE_SIGNS:
        return WordToken(text, (RESOURCE_SIGNS.index(text),), is_sign=True)
    meant = words.meanings(piece.word)
    if not meant and counted and words.does(piece.word[:1], Role.TIMES) and (rest := words.meanings(piece.word[1:])):
        text, meant = text[1:], rest  # "2xwool"
    if counted:  # a number doesn't count several letters
        meant = [kinds for kinds in meant if len(kinds) == 1] or meant
    if len(meant) > 1:
        return WordToken(text, (), meanings=tuple(meant))
    kinds = meant[0] if meant else ()
    if mend and (not kinds or (len(kinds) > 1 and (counted or is_last))):
        kinds = _guessed(piece.word, words)
    return WordToken(text, kinds)


def _guessed(word: str, words: Lexicon) -> Kinds:
    """The resource whose name begins like this, or else has a similar name."""
    for said in (words.names, words.known):
        begun = {kind for name, kind in said.items() if name.startswith(word)}
        if len(begun) == 1:
            return tuple(begun)
    near = get_close_matches(word, [name for name in words.known if len(name) > 2], 1, _ALIKE)
    return (words.known[near[0]],) if near else ()


def _small(digits: str) -> int:
    if len(digits) > 4:
        raise RefereeError("unreadable/huge", text=quoted(digits, 12))
    return int(digits)


def _lean(pieces: list[_Piece], at: int, last: Token | None, words: Lexicon) -> int:
    """The side to which a number without blanks belongs: "2w" to what follows, "w2" to what comes before."""
    number, before, behind = pieces[at], pieces[at - 1 : at], pieces[at + 1 : at + 2]
    after_cards = bool(before and before[0].word and before[0].end == number.start and isinstance(last, WordToken))
    after_cards &= not words.does(pieces[at - 1].word, Role.OBJECT)
    small = bool(behind) and words.role([behind[0].word], [], True) is not None
    before_cards = bool(behind and behind[0].word and behind[0].start == number.end and not small)
    return before_cards - after_cards


def _without_doubles(tokens: Iterable[Token]) -> list[Token]:
    """The tokens with "🐑 wool" and "wool ×2 🐑" as one, since that is how it is printed."""
    kept: list[Token] = []
    for token in tokens:
        match [*kept[-2:], token]:
            case [*_, WordToken(kinds=sign, is_sign=True), WordToken(kinds=kinds, is_sign=False)] if kinds == sign:
                kept[-1] = token
            case [WordToken(kinds=kinds), NumberToken(lean=-1), WordToken(kinds=sign, is_sign=True)] if kinds == sign:
                pass
            case _:
                kept.append(token)
    return kept
