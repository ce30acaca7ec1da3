"""Before the roll (D1, D3)."""

from __future__ import annotations

from bot.screens.controls import Button, Do, Style
from bot.screens.steps.step import (
    Names,
    Ping,
    Presenter,
    after_others,
    ask_to_build_buttons,
    common_buttons,
    play_card,
    undo,
    whose_turn,
)
from bot.words.language import N_, _
from engine.actions import Roll
from engine.steps.turn import PreRollView
from engine.views import View


class PreRoll(Presenter[PreRollView]):
    """Roll, or play a card first."""

    wanted = N_("roll the dice")
    actions = (Roll,)

    def headline(self, view: View, step: PreRollView, names: Names) -> str:
        turn = whose_turn(view, names)
        if step.may_play_card:
            return _("{turn}: roll the dice, or play a development card first.", turn=turn)
        return _("{turn}: roll the dice.", turn=turn)

    def controls(self, view: View, step: PreRollView) -> list[list[Button]]:
        roll = Button(_("Roll"), Do(Roll()), Style.PRIMARY, "🎲")
        more = [*play_card(view), *ask_to_build_buttons(view), *undo(view)]
        return [[roll, *more], common_buttons()] if more else [[roll, *common_buttons()]]

    def pings(self, view: View, step: PreRollView) -> list[Ping]:
        return after_others(view, step, _(self.wanted))

    def actor(self, view: View, step: PreRollView) -> int | None:
        return view.on_turn


PRESENTER = PreRoll()
