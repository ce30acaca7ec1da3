"""Why something can't be done, in words: the sentences of the bot by key; the engine brings its own."""

from __future__ import annotations

from collections.abc import Sequence

from bot.presentation.texts.language import N_, n_
from bot.presentation.texts.marks import hex_text
from engine import errors
from engine.errors import RefereeError
from engine.refusals import CardList, Hex, Player, Players, Resource
from engine.views import View

SENTENCES: dict[str, str | tuple[str, str]] = {
    "no-table": N_("There is no game {number} here."),
}
"""By key: one sentence, or two where it depends on `n`."""


def sentence(error: RefereeError, view: View | None = None, names: Sequence[str] = ()) -> str:
    """The sentence that a refusal is, with the players by their names where these are known."""
    found = SENTENCES.get(error.key) or errors.SENTENCES.get(error.key) or error.key
    one, many = (found, found) if isinstance(found, str) else found
    n = error.params.get("n", 1)
    values = {name: _told(value, view, names) for name, value in error.params.items()}
    return n_(one, many, n if isinstance(n, int) else 1, **(values | {"n": n}))


def _told(value: object, view: View | None, names: Sequence[str]) -> object:
    """A parameter in words."""
    return value
