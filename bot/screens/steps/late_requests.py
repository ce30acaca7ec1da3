"""A short window after a turn in which others can still ask to build (J2). Only with a turn timer of minutes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from bot.screens.controls import Button, Do, Open, Style, rows
from bot.screens.pickers import Picker
from bot.screens.steps.step import Names, Presenter, common_buttons, undo
from bot.screens.viewer import Viewer
from bot.words.clock import until
from bot.words.language import N_, _
from engine.actions import Action, AskToBuild, PassOn
from engine.steps.special import LateRequestsView
from engine.views import View


class LateRequests(Presenter[LateRequestsView]):
    """The same private question to all other players. It is over in a moment, so no one is called."""

    wanted = N_("say if you want to build")
    actions = (PassOn,)
    confirmations: ClassVar[Mapping[type[Action], str]] = {
        PassOn: N_("Saved: you won't build after this turn. No one sees it."),
    }
    calls = False

    def headline(self, view: View, step: LateRequestsView, names: Names) -> str:
        return _("Turn over. Want to build before the next one? Ask now.")

    def controls(self, view: View, step: LateRequestsView) -> list[list[Button]]:
        ask = Button(_("Ask to build"), Open("answer"), Style.PRIMARY, "✋")
        return [[ask, *undo(view), *common_buttons()]]

    def occasion(self, view: View, step: LateRequestsView) -> str:
        return f"{step.kind}.{view.turn}"

    def question(self, viewer: Viewer, step: LateRequestsView) -> Picker:
        """The question, build or not; or that there is nothing left to answer."""
        closes = until(viewer.closes)
        ask = Button(_("Ask to build"), Open("ask"), Style.PRIMARY, "✋")
        if PassOn not in viewer.options:
            more = [[ask]] if viewer.options.allows(AskToBuild(wanted=True)) else ()
            if step.after == viewer.my_seat:
                text = _("You aren't asked: it was your own turn.")
            elif more:
                text = _("You won't build after this turn. No one sees it, and you can still ask.")
            else:
                text = _("Your answer is saved. It's hidden while the others are asked.")
            return Picker(f"{text} {closes}".strip(), more)
        lines = [_("**Want to build before the next turn?**"), closes]
        buttons = [
            ask,
            Button(_("Not this time"), Do(PassOn()), emoji="⏭️"),
        ]
        return Picker("\n".join(filter(None, lines)), rows(buttons))


PRESENTER = LateRequests()
