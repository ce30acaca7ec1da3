"""Why something can't be done, in words."""

from __future__ import annotations

from collections.abc import Sequence

from bot.plaintext import CardsWithSigns, Span, Typed, quoted
from bot.words import times
from bot.words.language import _, enumeration, n_
from bot.words.marks import cards, hex_text, listing, resource
from bot.words.reasons import REASONS
from engine import errors
from engine.errors import RefereeError
from engine.refusals import CardList, Hex, Listed, Player, Players, Resource, Word, Words
from engine.views import View


def sentence(error: RefereeError, view: View | None = None, names: Sequence[str] = ()) -> str:
    """A refusal's sentence, with the players by name if the names are known."""
    message = REASONS.get(error.key) or errors.SENTENCES.get(error.key)
    if message is None:
        return str(error)
    one, many = (message, message) if isinstance(message, str) else message
    values = {name: _in_words(value, view, names) for name, value in error.params.items()}
    n = error.params.get("n")
    return n_(one, many, n, **values) if one != many and isinstance(n, int) else _(many, **values)


def known_code(error: RefereeError) -> str:
    """The refusal's code if it has a sentence here, else "other": a metric must carry nothing that was typed."""
    return error.code if error.key in REASONS or error.key in errors.SENTENCES else "other"


def _in_words(value: object, view: View | None, names: Sequence[str]) -> object:
    """A parameter in words."""
    match value:
        case CardList(hand):
            return cards(hand, signs=False)
        case Resource(kind):
            return resource(kind, sign=False)
        case Player(seat, color):
            return names[seat] if names else _(color)
        case Players(players, choice):
            return listing((str(_in_words(player, view, names)) for player in players), "or" if choice else "and")
        case Hex(at, name):
            return hex_text(view.board, at) if view else name
        case Listed(items, choice):
            return listing(items, "or" if choice else "and")
        case Words(words):
            return enumeration(map(_, words))
        case Word(text):
            return _(text)
        case Typed(text, limit):
            return quoted(text, limit)
        case RefereeError():
            return sentence(value, view, names).rstrip(".")
        case Span(seconds):
            return times.span(seconds)
        case CardsWithSigns(hand):
            return cards(hand) if any(hand) else _("none of it")
        case _:
            return value
