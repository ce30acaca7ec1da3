"""What an action did, in words for its player."""

from __future__ import annotations

from bot.screens.steps import PRESENTERS
from bot.screens.viewer import Viewer
from bot.service import Done
from bot.words.language import _
from bot.words.narrator import line, own_line, story
from engine.actions import Action


def describe_result(played: Done) -> str:
    """What the action did, as its player can know it."""
    viewer = Viewer(played.table, played.game, played.seat)
    lines = story(played.events, viewer.view, viewer.marked)
    lines = lines or [text for e in played.events if (text := line(e, viewer.view, viewer.marked))]
    return "\n".join(lines) or _noted(played)


def _noted(played: Done) -> str:
    """What the player is told after an action that others can't notice."""
    action = action_of(played)
    for presenter in PRESENTERS.values():
        if action is not None and (sentence := presenter.confirmations.get(type(action))):
            return _(sentence)
    return _("Done.")


def action_of(played: Done) -> Action | None:
    """The action that was played."""
    return played.game.records[played.revision - 1].action


def news(played: Done) -> str:
    """What only the player learns from the action; empty if the panel says it all."""
    if not played.events:
        return describe_result(played)
    names = Viewer(played.table, played.game, played.seat).marked
    public = played.game.view(None)
    known = {line(event, public, names) for event in public.last}
    lines = (own_line(event, played.view, names) for event in played.events)
    return "\n".join(text for text in lines if text and text not in known)
