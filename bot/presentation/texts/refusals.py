"""Why something can't be done, in words: the sentences of the bot by key; the engine brings its own."""

from __future__ import annotations

from collections.abc import Sequence

from bot.presentation.texts.language import N_, _, n_
from bot.presentation.texts.marks import cards, hex_text, listing, resource
from engine import errors
from engine.errors import RefereeError
from engine.refusals import CardList, Hex, Player, Players, Resource
from engine.views import View

SENTENCES: dict[str, str | tuple[str, str]] = {
    "no-table": N_("There is no game {number} here."),
    # What was typed and can't be read
    "unreadable/edge": N_(
        "{text} is not an edge of this board: the names are a small letter and a number, {first} to {last}."
    ),
    "unreadable/ends": N_("No edge joins {text}: name an edge by its label, or by two neighbours."),
    "unreadable/hex": N_("{text} is not a hex of this board: the names are row, dot, number, {first} to {last}."),
    "unreadable/huge": N_("{text} is too many: write it like “2 wool, 1 ore”."),
    "unreadable/intersection": N_(
        "{text} is not an intersection of this board: the names are a capital letter and a number, {first} to {last}."
    ),
    "unreadable/letters": N_("It isn't clear what {text} counts: write it like “2 wool, 1 ore”."),
    "unreadable/no-cards": N_("No cards are named: write it like “2 wool, 1 ore”."),
    "unreadable/no-edge": N_("Name an edge: the names are a small letter and a number, {first} to {last}."),
    "unreadable/no-hex": N_("Name a hex: the names are row, dot, number, {first} to {last}."),
    "unreadable/no-intersection": N_(
        "Name an intersection: the names are a capital letter and a number, {first} to {last}."
    ),
    "unreadable/number": N_("A number without a resource after it ({number}): write it like “2 wool, 1 ore”."),
    "unreadable/resource": N_("Name one resource: brick, lumber, wool, grain or ore."),
    "unreadable/resource-name": N_(
        "{text} is no resource; there are brick, lumber, wool, grain and ore: write it like “2 wool, 1 ore”."
    ),
    "unreadable/too-many": N_("There are never more than {most} cards of a kind: write it like “2 wool, 1 ore”."),
}
"""By key: one sentence, or two (`NN_`) where it depends on `n`."""


def sentence(error: RefereeError, view: View | None = None, names: Sequence[str] = ()) -> str:
    """The sentence that a refusal is, with the players by their names where these are known."""
    found = SENTENCES.get(error.key) or errors.SENTENCES.get(error.key)
    if found is None:
        return str(error)
    one, many = (found, found) if isinstance(found, str) else found
    values = {name: _told(value, view, names) for name, value in error.params.items()}
    n = error.params.get("n")
    return n_(one, many, n, **values) if one != many and isinstance(n, int) else _(many, **values)


def _told(value: object, view: View | None, names: Sequence[str]) -> object:
    """A parameter in words."""
    match value:
        case CardList(hand):
            return cards(hand, signs=False)
        case Resource(kind):
            return resource(kind, sign=False)
        case Player(seat, color):
            return names[seat] if names else _(color)
        case Players(players, choice):
            return listing((str(_told(player, view, names)) for player in players), "or" if choice else "and")
        case Hex(at, name):
            return hex_text(view.board, at) if view else name
        case _:
            return value
