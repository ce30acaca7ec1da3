"""Placing the free roads of a card (H4)."""

from __future__ import annotations

from bot.screens.controls import Button
from bot.screens.pickers import PICKERS, Picker, places
from bot.screens.steps.step import Names, Presenter, common_buttons, decider, place_button, undo
from bot.screens.viewer import Viewer
from bot.words.language import N_, _
from engine.step import PlacingView
from engine.views import View


class RoadBuilding(Presenter[PlacingView]):
    """Two roads, while there is room and supply."""

    wanted = N_("place your free roads")

    def headline(self, view: View, step: PlacingView, names: Names) -> str:
        name = names[decider(view)]
        if step.nth == 0:
            return _("**{name}**: place your first free road.", name=name)
        return _("**{name}**: place your second free road.", name=name)

    def controls(self, view: View, step: PlacingView) -> list[list[Button]]:
        return [[place_button(_("Place the free road")), *undo(view), *common_buttons()]]

    def picker(self, viewer: Viewer, step: PlacingView, lead: str = "") -> Picker:
        return places(viewer, PICKERS["way"], lead)


PRESENTER = RoadBuilding()
