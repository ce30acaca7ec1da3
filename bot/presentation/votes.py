"""Votes to end a game before its time (I6): who has still to say is told so."""

from __future__ import annotations

from collections.abc import Sequence

from bot.presentation.steps import Ping
from bot.presentation.texts.language import N_, _
from bot.presentation.texts.marks import listing
from engine.geometry import bits
from engine.views import View

_ASKED = {
    "count": N_("{names} would end the game here and count the points. Do you agree? **More** has the button"),
    "off": N_("{names} would call the game off. Do you agree? **More** has the button"),
}


def pings(view: View, names: Sequence[str]) -> list[Ping]:
    """Those who haven't agreed to what others have agreed to."""
    if view.outcome is not None:
        return []
    found = []
    for kind, votes in (("count", view.end_votes), ("off", view.call_off_votes)):
        waiting = tuple(p.seat for p in view.players if not p.resigned and not votes >> p.seat & 1)
        if votes and waiting:
            who = listing(names[seat] for seat in bits(votes))
            found.append(Ping(f"vote.{kind}", waiting, _(_ASKED[kind], names=who), "seat"))
    return found
