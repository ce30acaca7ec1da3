"""What a player is told privately after an action, in addition to what all see: its consequences for them alone."""

from __future__ import annotations

from bot.screens import discards, offers
from bot.screens.controls import Reply, rows
from bot.screens.results import action_of
from bot.screens.steps.discard import take_back
from bot.screens.viewer import Viewer
from bot.service import Done
from bot.words.promises import lacking, unkept_line
from engine.actions import Discard, TakeBackDiscard
from engine.resources import covers
from engine.views import OfferView


def answer(played: Done, lead: str = "") -> Reply | None:
    """The lead, and what follows from the action for its player, with buttons to mend it; None: nothing."""
    viewer = Viewer(played.table, played.game, played.seat)
    action = action_of(played)
    if isinstance(action, TakeBackDiscard) and Discard in viewer.options:
        return discards.discard(viewer, lead)
    found = _broken(played)
    lines = [lead, *(unkept_line(viewer.view, offer) for offer in found)]
    buttons = [offers.withdraw(offer.id) for offer in found]
    if isinstance(action, Discard) and TakeBackDiscard in viewer.options:
        lines.append(discards.discarded(viewer))
        buttons.append(take_back())
    text = "\n".join(filter(None, lines))
    return Reply(text, rows=rows(buttons)) if text else None


def _broken(played: Done) -> list[OfferView]:
    """The player's own offers that the action has made impossible to keep."""
    view = played.view
    return [offer for offer in view.offers if any(lacking(view, offer)) and covers(played.hand_before, offer.give)]
