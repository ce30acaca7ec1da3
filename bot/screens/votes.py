"""Votes to end a game before its time (I6): who has still to say is told so."""

from __future__ import annotations

from collections.abc import Sequence

from bot.screens.controls import Button, Open
from bot.screens.steps import Ping
from bot.words.language import NN_, _, n_
from bot.words.marks import listing
from engine.geometry import bits
from engine.views import View

_ASKED = {
    "count": NN_(
        "{names} wants to end the game here and count the points. Do you agree?",
        "{names} want to end the game here and count the points. Do you agree?",
    ),
    "off": NN_(
        "{names} wants to call the game off. Do you agree?",
        "{names} want to call the game off. Do you agree?",
    ),
}


def agree(kind: str, votes: int = 1) -> Button:
    """Leads to the question whether somebody agrees to an end: "count" the points, or call it "off"; `votes`: a mask of
    those who do already."""
    if kind == "count":
        label = _("Agree to end and count the points") if votes else _("Propose to end and count the points")
        return Button(label, Open("agree", (kind,)), emoji="🏁")
    label = _("Agree to call the game off") if votes else _("Propose to call the game off")
    return Button(label, Open("agree", (kind,)), emoji="🛑")


def pings(view: View, names: Sequence[str]) -> list[Ping]:
    """Those who haven't agreed to what others have agreed to."""
    if view.outcome is not None:
        return []
    found = []
    for kind, votes in (("count", view.end_votes), ("off", view.call_off_votes)):
        waiting = tuple(p.seat for p in view.players if not p.resigned and not votes >> p.seat & 1)
        if votes and waiting:
            agreed = [names[seat] for seat in bits(votes)]
            text = n_(*_ASKED[kind], len(agreed), names=listing(agreed))
            found.append(Ping(f"vote.{kind}", waiting, text, "seat", (agree(kind),)))
    return found
