"""The building phase, where trade and building are separate (L11)."""

from __future__ import annotations

from bot.screens.controls import Button, Do, Style
from bot.screens.steps.step import (
    Names,
    Ping,
    Presenter,
    after_others,
    ask_to_build_buttons,
    build,
    common_buttons,
    play_card,
    undo,
    whose_turn,
)
from bot.words.language import N_, _
from engine.actions import BuyCard, EndTurn
from engine.step import StepView
from engine.views import View


class BuildingPhase(Presenter[StepView]):
    """Build, buy, play a card, end."""

    wanted = N_("build, or end your turn")
    actions = (EndTurn, BuyCard)

    def headline(self, view: View, step: StepView, names: Names) -> str:
        return _("{turn}: build, buy a card, or end the turn.", turn=whose_turn(view, names))

    def controls(self, view: View, step: StepView) -> list[list[Button]]:
        end = Button(_("End turn"), Do(EndTurn()), Style.PRIMARY)
        more = [*play_card(view), *ask_to_build_buttons(view), *undo(view)]
        return [[build(), *more], [end, *common_buttons()]]

    def pings(self, view: View, step: StepView) -> list[Ping]:
        return after_others(view, step, _("your turn goes on"))

    def actor(self, view: View, step: StepView) -> int | None:
        return view.on_turn


PRESENTER = BuildingPhase()
