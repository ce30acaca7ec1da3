"""What people call things when they type cards, times or players: lists of words in English and in their language.

What can be typed in English can be typed in every language, in addition to that language's own words. Case and the
marks of letters don't matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import product

from bot.languages import ENGLISH
from bot.plaintext import folded
from bot.table.options import DAY, HOUR, MINUTE
from bot.words.language import P_, Catalogue, _, current, speaking
from bot.words.marks import RESOURCE_NAMES, RESOURCE_SIGNS
from engine.terms import CONTEXT

UNSPACED = (
    r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
    r"\u3005-\u3007\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3400-\u9fff\uf900-\ufaff"
)
"""Characters of scripts without blanks between words, for a set in a pattern: Thai, Lao, Burmese, Khmer, Chinese,
Japanese."""

LONGEST_PHRASE = 3
"""Most words in a phrase such as "in exchange for"."""

Kinds = tuple[int, ...]
"""Resources by number, one or several."""


class Role(Enum):
    """What a small word does among cards."""

    SIDES = "for"
    PAID = "で"
    """Stands behind what is given, wherever that is: "鉱石で羊毛" and "羊毛を鉱石で" both ask for wool."""
    OBJECT = "を"
    """Stands between what is exchanged and what for, or means nothing: "羊毛を2枚"."""
    BREAK = "and"
    EITHER = "or"
    ONE = "a"
    TIMES = "x"
    NOTHING = "of"


# In each list below, blanks separate words, and "_" stands for a blank inside of one.

_RESOURCES = (
    # Translators: Lowercase words for brick, with blanks between: its name in
    # every case, singular and plural, and other names that players use. No word
    # may mean two resources.
    P_("words to type", "brick clay loam b"),
    # Translators: The same for lumber.
    P_("words to type", "lumber wood timber log l"),
    # Translators: The same for wool.
    P_("words to type", "wool sheep fleece s w"),
    # Translators: The same for grain.
    P_("words to type", "grain wheat corn g"),
    # Translators: The same for ore.
    P_("words to type", "ore rock stone iron o"),
)
_ROLES = {
    # Translators: Words between what is given and what is wanted ("2 wool for 1
    # ore"). Write "_" for a blank inside a phrase, as in "in_exchange_for". Only
    # for a language with particles: "~" before one behind what is given ("~で"),
    # parentheses around one behind an object ("(を)").
    Role.SIDES: P_("words to type", "for against"),
    # Translators: Words between two kinds of cards ("wool and ore").
    Role.BREAK: P_("words to type", "and plus"),
    # Translators: "or" between two kinds of cards.
    Role.EITHER: P_("words to type", "or"),
    # Translators: Words for one card before its name ("a brick"), also such as
    # "un'".
    Role.ONE: P_("words to type", "a an"),
    # Translators: Words between a number and what it counts ("2 x wool", "2
    # times wool").
    Role.TIMES: P_("words to type", "x times"),
    # Translators: Words that mean nothing between cards ("2 cards of wool"):
    # articles, also such as "l'", counters, "card", "please".
    Role.NOTHING: P_("words to type", "of card cards the some"),
}
# Translators: The numbers from 1 to 10 in this order, with "/" between
# several words for one: "un/una dos tres ...".
_NUMBERS = P_("words to type", "one two three four five six seven eight nine ten")
_UNITS = {
    # Translators: Words and short forms for seconds, singular and plural, in
    # the cases that follow a number.
    1: P_("words to type", "second"),
    # Translators: The same for minutes.
    MINUTE: P_("words to type", "minute min m"),
    # Translators: The same for hours.
    HOUR: P_("words to type", "hour hr h"),
    # Translators: The same for days.
    DAY: P_("words to type", "day d"),
    # Translators: The same for weeks.
    7 * DAY: P_("words to type", "week w"),
}
# Translators: "half" in a length of time ("half an hour"), in every form, also
# such as "mezz'". It can stand behind a unit, too ("un'ora e mezza").
_HALF = P_("words to type", "half")
# Translators: Words between the two ends of a road ("C4 to C5").
_TO = P_("words to type", "to")
# Translators: Words before the first or behind the second of them ("from C4 to
# C5", "C4からC5まで").
_FROM = P_("words to type", "from")
# Translators: What people type as a turn timer if they want none; "_"
# stands for a blank.
_NO_TIMER = P_("words to type", "none no no_limit 0 off")
# Translators: What people type where a player could be named if they mean
# none of them.
_NO_ONE = P_("words to type", "nobody no_one")
# Translators: What stands between hours and minutes, or behind them, in a
# time of day: "22h30", "22 Uhr".
_HOURS = P_("words to type", "h")
# Translators: What can stand after the minutes in a time of day: "22時30分".
_MINUTES = P_("words to type", "min")
# Translators: "a.m." before or after a time of day.
_MORNING = P_("words to type", "am a.m.")
# Translators: "p.m." before or after a time of day.
_AFTERNOON = P_("words to type", "pm p.m.")

_PARTICLES = {"~": Role.PAID, "(": Role.OBJECT}
_DIGRAPHS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of one language, each as `folded` makes it."""

    names: tuple[str, ...]
    """What the resources are called in texts."""
    resources: Mapping[str, int]
    spelled: Mapping[str, str]
    """How the words for resources are written."""
    roles: Mapping[str, Role]
    numbers: Mapping[str, int]
    units: Mapping[str, int]
    """Units of time, in seconds."""
    half: frozenset[str]
    """A half of a unit of time."""
    to: frozenset[str]
    """What stands between the two ends of a road."""
    around: frozenset[str]
    """What stands before or behind them."""
    no_timer: frozenset[str]
    no_one: frozenset[str]
    clock: tuple[frozenset[str], ...]
    """What follows the hours and the minutes of a time of day, and what says that it is before or after noon."""

    def kind(self, word: str) -> int | None:
        """The resource that is called like this, in singular or plural."""
        return self.resources.get(word, self.resources.get(_singular(word)))


def _of(language: Catalogue) -> Vocabulary:
    """The words of a language. A list that isn't translated is empty."""
    with speaking(language):
        called = [f"{_(name).lower()} {_listed(words)}" for words, name in zip(_RESOURCES, RESOURCE_NAMES, strict=True)]
        return Vocabulary(
            names=tuple(folded(_(name)) for name in RESOURCE_NAMES),
            resources={way: kind for kind, words in enumerate(called) for way in _ways(words)},
            spelled={folded(word): word for words in called for word in words.split()}
            | {folded(_(name)): _(name) for name in RESOURCE_NAMES},
            roles={
                way.strip("~()"): _PARTICLES.get(way[0], role)
                for role, words in _ROLES.items()
                for way in _ways(_listed(words))
            },
            numbers={
                way: n for n, words in enumerate(_listed(_NUMBERS).split(), 1) for way in _ways(words.replace("/", " "))
            },
            units={way: seconds for seconds, words in _UNITS.items() for way in _ways(_listed(words))},
            half=_ways(_listed(_HALF)),
            to=_ways(_listed(_TO)),
            around=_ways(_listed(_FROM)),
            no_timer=_ways(_listed(_NO_TIMER)) | {folded(_("no timer"))},
            no_one=_ways(_listed(_NO_ONE)) | {folded(_("no one"))},
            clock=tuple(_ways(_listed(words)) for words in (_HOURS, _MINUTES, _MORNING, _AFTERNOON)),
        )


def _listed(message: str) -> str:
    """A list in the present language; empty in place of the English one."""
    words = _(message)
    return "" if words == message.rpartition(CONTEXT)[2] and current() != ENGLISH else words.lower()


def _ways(words: str) -> frozenset[str]:
    """How the words of a list can be typed."""
    return frozenset(
        folded(way).replace("_", " ") for word in words.split() for way in (word, word.translate(_DIGRAPHS))
    )


def _singular(word: str) -> str:
    return word.removesuffix("s") if len(word) > 3 else word


class Lexicon:
    """The words of a person's language, then those of English."""

    def __init__(self, spoken: tuple[Vocabulary, ...]) -> None:
        self.spoken = spoken
        own, english = spoken[0], spoken[-1]
        self.known = {word: kind for one in reversed(spoken) for word, kind in one.resources.items()}
        """Resources by everything that they can be called."""
        self.names = {name: kind for kind, name in enumerate(own.names)}
        """Resources by what they are called in texts."""
        self._letters = _by_letter((name[:1], kind) for one in spoken for kind, name in enumerate(one.names))
        self._short = _by_letter(
            (word, kind) for one in spoken for word, kind in one.resources.items() if word[1:] == ""
        )
        self._begun = [name for name, other in zip(own.names, english.names, strict=True) if name != other]
        self.half = frozenset[str]().union(*(one.half for one in spoken))
        self.to = frozenset[str]().union(*(one.to for one in spoken))
        self.around = frozenset[str]().union(*(one.around for one in spoken))
        self.no_timer = frozenset[str]().union(*(one.no_timer for one in spoken))
        self.no_one = frozenset[str]().union(*(one.no_one for one in spoken))
        self.clock = [one | other for one, other in zip(own.clock, english.clock, strict=True)]
        terms = {term for one in spoken for term in (*one.resources, *one.roles, *one.numbers, *one.units, *one.half)}
        glued = [term for term in terms if re.fullmatch(f"[{UNSPACED}]+", term)]
        self._cut = re.compile("|".join([*sorted(glued, key=lambda term: (-len(term), term)), "."]))
        self._terms = frozenset(glued)

    def cut(self, run: str) -> Iterator[str]:
        """The words of a text that has no blanks, the longest first; what is unknown in between stays whole."""
        unknown = ""
        for found in self._cut.findall(run):
            if found in self._terms:
                yield from (unknown,) if unknown else ()
                unknown = ""
                yield found
            else:
                unknown += found
        yield from (unknown,) if unknown else ()

    def role(self, words: list[str], ahead: Sequence[str], after_number: bool) -> tuple[Role, int] | None:
        """What the words at the beginning of a list do, and how many of them; None if they aren't small words.

        `ahead`: the words, digits and signs that follow the first of them. A small word that could also mean cards is
        one only if cards follow: "o" is "or" in "madera o una lana", and ore in "2 o".
        """
        for vocabulary in self.spoken:
            for n in range(min(LONGEST_PHRASE, len(words)), 0, -1):
                found = vocabulary.roles.get(" ".join(words[:n]))
                if found is None:
                    continue
                if n > 1 or not self.meanings(words[0]) or self._is_small(words[0], vocabulary, ahead, after_number):
                    return found, n
        return None

    def _is_small(self, word: str, vocabulary: Vocabulary, ahead: Sequence[str], after_number: bool) -> bool:
        """Whether a small word of a vocabulary that could also mean cards is one where it stands."""
        counted, follows = self.next_cards(ahead)
        if vocabulary.roles[word] is Role.EITHER:
            whole = follows in RESOURCE_SIGNS or (len(follows) > 1 and any(len(k) == 1 for k in self.meanings(follows)))
            return counted and whole if after_number else follows != "" and (counted or whole)
        named = len(follows) > 1 and vocabulary.kind(follows) is not None
        if len(word) < 2:
            return named and ahead[0] == follows and not after_number
        return (named or follows in RESOURCE_SIGNS) and not counted

    def next_cards(self, ahead: Sequence[str]) -> tuple[bool, str]:
        """Whether there is a number before the next cards, and the word or sign for these; "" if something else
        follows."""
        counted = False
        for word in ahead:
            if word.isdecimal() or self.number(word) or self.does(word, Role.ONE):
                counted = True
            elif not self.does(word, Role.NOTHING) and not (counted and self.does(word, Role.TIMES)):
                return counted, word if word in RESOURCE_SIGNS or self.meanings(word) else ""
        return counted, ""

    def begins(self, word: str, *roles: Role) -> bool:
        """Whether a small word begins like this."""
        return any(term.startswith(word) for one in self.spoken for term, role in one.roles.items() if role in roles)

    def does(self, word: str, role: Role) -> bool:
        """Whether a word is a small word that does this."""
        return any(one.roles.get(word) is role for one in self.spoken)

    def number(self, word: str) -> int | None:
        """The number that a word means."""
        return next((one.numbers[word] for one in self.spoken if word in one.numbers), None)

    def unit(self, word: str) -> int | None:
        """The unit of time that a word means, in seconds."""
        return next(
            (one.units[way] for one in self.spoken for way in (word, _singular(word)) if way in one.units), None
        )

    def spelled(self, word: str) -> str:
        """How a word for a resource is written."""
        return next((one.spelled[word] for one in self.spoken if word in one.spelled), word)

    def meanings(self, word: str) -> list[Kinds]:
        """Everything that a word can mean: a resource, or one for each letter. More than one meaning must be asked
        about."""
        if len(word) < 2:
            return [(kind,) for kind in sorted(self._short.get(word, set()) | self._letters.get(word, set()))]
        for vocabulary in self.spoken:
            if (kind := vocabulary.kind(word)) is not None:
                return [(kind,)]
        run, begun = self._run(word), self._abbreviated(word)
        return begun if len(run) > 1 and begun else begun + run

    def _run(self, word: str) -> list[Kinds]:
        """The meanings of letters that stand for a card each, all in one language; a slip of the pen doesn't."""
        in_one = any(set(word) <= {name[:1] for name in one.names} for one in self.spoken)
        letters = {ch: sorted(self._letters.get(ch, ())) for ch in word}
        if not in_one or any(_slipped(word, name) for name in self.known if len(name) > 3):
            return []
        chosen = [dict(zip(letters, kinds, strict=True)) for kinds in product(*letters.values())]
        return [tuple(meant[ch] for ch in word) for meant in chosen]

    def _abbreviated(self, word: str) -> list[Kinds]:
        """The resource whose name in another language than English begins like this, unless another's does, too."""
        if not any(name.startswith(word) for name in self._begun):
            return []
        kinds = {kind for one in self.spoken for kind, name in enumerate(one.names) if name.startswith(word)}
        return [tuple(kinds)] if len(kinds) == 1 else []


@lru_cache(32)
def _lexicon(language: Catalogue) -> Lexicon:
    english = _of(ENGLISH)
    return Lexicon((english,) if language == ENGLISH else (_of(language), english))


def lexicon() -> Lexicon:
    """The words that can be typed at present."""
    return _lexicon(current())


def _by_letter(pairs: Iterable[tuple[str, int]]) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    for letter, kind in pairs:
        found.setdefault(letter, set()).add(kind)
    return found


def _slipped(word: str, name: str) -> bool:
    """Whether a letter of the name was left out, added or mistaken: "woool" hardly means five cards."""
    if len(word) == len(name):
        return sum(a != b for a, b in zip(word, name, strict=True)) == 1
    short, long = sorted((word, name), key=len)
    return len(long) - len(short) == 1 and any(short == long[:at] + long[at + 1 :] for at in range(len(long)))
