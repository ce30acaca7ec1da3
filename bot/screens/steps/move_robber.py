"""Moving the robber (G1)."""

from __future__ import annotations

from bot.screens.controls import Button, Do
from bot.screens.pickers import PICKERS, Picker, places
from bot.screens.steps.step import (
    Names,
    Ping,
    Presenter,
    after_others,
    common_buttons,
    decider,
    place_button,
    undo,
)
from bot.screens.viewer import Viewer
from bot.words.language import N_, _
from bot.words.marks import hex_sign
from engine.actions import LeaveRobber
from engine.geometry import bits
from engine.steps.robber import RobberView
from engine.views import View


class MoveRobber(Presenter[RobberView]):
    """After a seven or a knight."""

    wanted = N_("move the robber")
    actions = (LeaveRobber,)

    def headline(self, view: View, step: RobberView, names: Names) -> str:
        name = names[decider(view)]
        if step.may_leave:
            text = _("**{name}**: move the robber, or leave it.", name=name)
        else:
            text = _("**{name}**: move the robber.", name=name)
        where = _("It's on {hex}.", hex=hex_sign(view.board, view.robber)) if view.robber >= 0 else ""
        return f"{text} {where}".rstrip()

    def controls(self, view: View, step: RobberView) -> list[list[Button]]:
        return [[place_button(_("Move the robber")), *_leave(step)], [*undo(view), *common_buttons()]]

    def actor(self, view: View, step: RobberView) -> int | None:
        return next(bits(step.awaited), None)

    def pings(self, view: View, step: RobberView) -> list[Ping]:
        return after_others(view, step, _(self.wanted))

    def picker(self, viewer: Viewer, step: RobberView, lead: str = "") -> Picker:
        return places(viewer, PICKERS["robber"], lead, _leave(step))


def _leave(step: RobberView) -> list[Button]:
    """The button that leaves the robber where it is, where the rules allow that."""
    return [Button(_("Leave it where it is"), Do(LeaveRobber()))] if step.may_leave else []


PRESENTER = MoveRobber()
