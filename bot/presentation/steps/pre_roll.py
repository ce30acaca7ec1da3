"""Before the roll (D1, D3)."""

from __future__ import annotations

from bot.presentation.controls import Button, Do, Style
from bot.presentation.steps.step import Names, Presenter, asking, decider, looking, play_card
from bot.presentation.texts.language import _
from engine.actions import Roll
from engine.steps.turn import PreRollView
from engine.views import View


class PreRoll(Presenter[PreRollView]):
    """Roll, or play a card first."""

    actions = (Roll,)

    def headline(self, view: View, step: PreRollView, names: Names) -> str:
        name = names[decider(view)]
        if step.may_play_card:
            return _("**{name}** is on turn: rolls the dice, or plays a development card first.", name=name)
        return _("**{name}** is on turn: rolls the dice.", name=name)

    def controls(self, view: View, step: PreRollView) -> list[list[Button]]:
        roll = Button(_("Roll"), Do(Roll()), Style.PRIMARY, "🎲")
        return [[roll, play_card(), *asking(view), *looking()]]

    def actor(self, view: View, step: PreRollView) -> int | None:
        return view.on_turn


PRESENTER = PreRoll()
