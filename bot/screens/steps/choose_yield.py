"""Choosing the starting settlement that gives the first cards (A2, `beginner` in 1996)."""

from __future__ import annotations

from bot.screens.controls import Button
from bot.screens.pickers import PICKERS, Picker, places
from bot.screens.steps.step import Names, Ping, Presenter, awaited, common_buttons, place_button, undo
from bot.screens.viewer import Viewer
from bot.words.language import N_, _
from engine.geometry import bits
from engine.step import StepView
from engine.views import View


class ChooseYield(Presenter[StepView]):
    """All players choose at the same time."""

    wanted = N_("pick the settlement that gives your first cards")

    def headline(self, view: View, step: StepView, names: Names) -> str:
        return _("{names}: pick the settlement that gives your first cards.", names=awaited(view, names))

    def controls(self, view: View, step: StepView) -> list[list[Button]]:
        return [[place_button(_("Pick your starting settlement")), *undo(view), *common_buttons()]]

    def pings(self, view: View, step: StepView) -> list[Ping]:
        return [Ping("yield", tuple(bits(step.awaited)), _(self.wanted))]

    def occasion(self, view: View, step: StepView) -> str:
        return f"{step.kind}.{view.turn}"

    def picker(self, viewer: Viewer, step: StepView, lead: str = "") -> Picker:
        return places(viewer, PICKERS["yield"], lead)


PRESENTER = ChooseYield()
