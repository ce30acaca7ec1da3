"""Alternate rules as people type them: by title, id, number or part of a name; what a slip may mean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches

from bot.plaintext import quoted
from bot.presentation.texts.language import N_, _
from bot.presentation.texts.marks import listing
from engine.errors import RefereeError
from engine.refusals import Listed
from engine.variants import VARIANTS

LONGEST = 100
"""Characters of a suggestion."""
_NUMBERS = {id_: f"L{n}" for n, id_ in enumerate(VARIANTS, 1)}
"""By rule, as in section L."""
_ALIKE = 0.6
"""How much a slip must be like a name, of 1."""
_NONE = N_("none")


def read(text: str) -> tuple[tuple[str, ...], RefereeError | None]:
    """The rules that were typed, separated by commas, each once; and what is to be said of words that name none.

    Code: "variant".
    """
    words = _words(text)
    known = dict.fromkeys(meant[0] for word in words if len(meant := _meant(word)) == 1)
    unknown = [word for word in words if len(_meant(word)) != 1]
    return tuple(known), _unknown(unknown) if unknown else None


def _unknown(words: Sequence[str]) -> RefereeError:
    guesses = [_guesses(word) for word in words]
    if len(words) > 1:
        told = [_hinted(quoted(word), titles) for word, titles in zip(words, guesses, strict=True)]
        return RefereeError("variant/several", texts=Listed(told))
    if guesses[0]:
        return RefereeError("variant/slip", text=quoted(words[0]), meant=Listed(guesses[0], choice=True))
    return RefereeError("variant/typed", text=quoted(words[0]))


def suggested(text: str) -> Iterator[tuple[str, str]]:
    """What has been typed with one more rule at its end, as it is shown and as it is sent: both can be typed, too.

    Words before the last that can mean one rule only are mended, others left out.
    """
    *before, last = _parts(text)
    ids = (id_ for word in filter(_is_word, before) for id_ in (_meant(word) or _near(word))[:1])
    chosen = list(dict.fromkeys(ids))
    rest = [id_ for id_ in VARIANTS if id_ not in chosen]
    ends = [id_ for id_ in _meant(last) or _near(last) if id_ in rest] if _is_word(last) else rest
    for id_ in ends:
        yield _shown([*chosen, id_]), _sent([*chosen, id_])
    if not ends and chosen:
        yield _shown(chosen), _sent(chosen)
    yield _(_NONE), "none"


def _parts(text: str) -> list[str]:
    return [part.strip() for part in re.split(r"[,;\n]", text)]


def _is_word(part: str) -> bool:
    return bool(part) and part.casefold() not in (_NONE, _(_NONE).casefold())


def _words(text: str) -> list[str]:
    return [part for part in _parts(text) if _is_word(part)]


def _simple(text: str) -> str:
    """In small letters, with blanks between the words and nothing else."""
    return " ".join(re.findall(r"\w+", text.casefold().replace("_", " ")))


def _names() -> Iterator[tuple[str, str]]:
    """All that a rule is called, with its id."""
    for id_, rule in VARIANTS.items():
        for name in (id_, rule.title, _(rule.title), _NUMBERS[id_]):
            yield _simple(name), id_


def _meant(word: str) -> list[str]:
    """The rules that a word names; else those that have each of its words at the beginning of one of their own."""
    said = _simple(word)
    if exact := [id_ for name, id_ in _names() if name == said]:
        return exact[:1]
    return _once(id_ for name, id_ in _names() if said and all(_begins(name, piece) for piece in said.split()))


def _begins(name: str, piece: str) -> bool:
    return any(own.startswith(piece) for own in name.split()) and not piece.isdigit() and name not in _SHORT


def _near(word: str) -> list[str]:
    """The rules that a word may be a slip of, the likeliest first."""
    names = {name: id_ for name, id_ in _names() if name not in _SHORT}
    for id_ in VARIANTS:  # one word of a title, mistyped
        names |= {own: id_ for own in _simple(_(VARIANTS[id_].title)).split() if len(own) > 3 and own not in names}
    return _once(names[name] for name in get_close_matches(_simple(word), names, 3, _ALIKE))[:1]


_SHORT = frozenset(map(str.casefold, _NUMBERS.values()))


def _once(ids: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(ids))


def _guesses(word: str) -> list[str]:
    """The titles of what a word may mean, three at most."""
    return [_(VARIANTS[id_].title) for id_ in (_meant(word) or _near(word))[:3]]


def _hinted(text: str, titles: Sequence[str]) -> str:
    return _("{text} ({meant}?)", text=text, meant=listing(titles, "or")) if titles else text


def _shown(ids: Sequence[str]) -> str:
    """By their titles; where these are too long, all but the last by their numbers."""
    titles = [_(VARIANTS[id_].title) for id_ in ids]
    return _fitting(titles, [*(_NUMBERS[id_] for id_ in ids[:-1]), titles[-1]])


def _sent(ids: Sequence[str]) -> str:
    return _fitting(ids, [_NUMBERS[id_] for id_ in ids])


def _fitting(names: Sequence[str], short: Sequence[str]) -> str:
    text = ", ".join(names)
    return text if len(text) <= LONGEST else ", ".join(short)
