"""What a player can count of the others' hands, in words."""

from __future__ import annotations

from collections.abc import Sequence

from bot.words.language import _, enumeration, sentences
from bot.words.marks import RESOURCE_SIGNS, card_count
from engine.terms import StepKind
from engine.views import View


def counting_aid(view: View, names: Sequence[str]) -> str:
    """A line for each other player: of each resource the number of cards, or the fewest and the most that it can be."""
    others = [player for player in view.players if player.seat != view.seat and not player.resigned]
    lines = [
        _("**{name}** ({cards}): {hand}", name=names[p.seat], cards=card_count(p.hand_size), hand=_hand(view, p.seat))
        for p in others
    ]
    return "\n".join([_("**Card counting**"), *lines, f"-# {_why(view)}"])


def _why(view: View) -> str:
    """What was counted, and what is unknown."""
    seen = _("Counted from what everyone saw, offers included.")
    if any(kind is StepKind.DISCARD for kind, _fields in view.agenda):
        return sentences([seen, _("Discards count once all are in.")])
    if view.counts is not None and view.counts.bounds is not None:
        return sentences([seen, _("The robber took many cards that you don't know, so some ranges are wide.")])
    return sentences([seen, _("Only the cards that the robber took are unknown.")])


def _hand(view: View, seat: int) -> str:
    bounds = view.counted(seat)
    parts = [
        f"{RESOURCE_SIGNS[kind]} {least}" if least == most else f"{RESOURCE_SIGNS[kind]} {least}–{most}"
        for kind, (least, most) in enumerate(zip(bounds.least, bounds.most, strict=True))
        if most
    ]
    return enumeration(parts) or _("no cards")
