"""A discard: a suggestion that takes one tap, and the way to undo it."""

from __future__ import annotations

from bot.screens.controls import Button, Open, Reply, Style, rows
from bot.screens.drafts import coded
from bot.screens.steps.discard import take_back
from bot.screens.viewer import Viewer
from bot.words.language import _, n_
from bot.words.marks import cards
from engine.actions import Discard, TakeBackDiscard
from engine.autoplay import most_plentiful
from engine.domains import Cards
from engine.errors import RefereeError
from engine.resources import NOTHING, hand
from engine.steps.discard import DiscardsView


def discard(viewer: Viewer, lead: str = "") -> Reply:
    """A sensible suggestion to take with one tap, or to change; or what was discarded, with a button to undo it."""
    domain = viewer.options.get(Discard)
    if TakeBackDiscard in viewer.options:
        return Reply(discarded(viewer), rows=rows([take_back()]))
    if not isinstance(domain, Cards):
        raise viewer.why([Discard(NOTHING)], RefereeError("nothing-owed"))
    proposal = most_plentiful(domain)
    question = n_(
        "**Discard {n} card.** Suggested: {cards}.",
        "**Discard {n} cards.** Suggested: {cards}.",
        domain.total,
        cards=cards(proposal),
    )
    kept = hand(held - gone for held, gone in zip(domain.caps, proposal, strict=True))
    keeping = _("You keep {cards}.", cards=cards(kept))
    buttons = [
        Button(_("Discard these"), Open("throw", (coded(proposal),), bound=True), Style.DANGER, "🗑️"),
        Button(_("Choose myself"), Open("form", ("discard",)), emoji="✏️"),
    ]
    text = "\n".join(filter(None, (lead, question, keeping)))
    return Reply(text, rows=rows(buttons), decision=viewer.decision)


def discarded(viewer: Viewer) -> str:
    """What the person has discarded, as long as they can undo it."""
    step = viewer.view.step
    assert isinstance(step, DiscardsView)
    assert step.chosen is not None
    return _(
        "You discard {cards}. Hidden until everyone has chosen: you can still change it.",
        cards=cards(step.chosen),
    )


def taking_back(viewer: Viewer) -> TakeBackDiscard:
    """The action that undoes a discard. Codes: "not-playing", "too-late" once all have discarded."""
    viewer.check_playing()
    if not isinstance(viewer.view.step, DiscardsView):
        raise RefereeError("too-late/discard")
    return TakeBackDiscard()
