"""The trade phase, where trade and building are separate (L11)."""

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
    trading,
    undo,
    whose_turn,
)
from bot.words.language import N_, _
from engine.actions import EndTrade, EndTurn
from engine.step import StepView
from engine.views import View


class TradePhase(Presenter[StepView]):
    """Trade, play a card, go on to build."""

    wanted = N_("trade, build, or end your turn")
    actions = (EndTrade, EndTurn)

    def headline(self, view: View, step: StepView, names: Names) -> str:
        return _("{turn}: trade, then go on to build.", turn=whose_turn(view, names))

    def controls(self, view: View, step: StepView) -> list[list[Button]]:
        go_on = Button(_("Go on to build"), Do(EndTrade()), Style.PRIMARY, "🏗️")
        end = Button(_("End turn"), Do(EndTurn()))
        more = [*play_card(view), *ask_to_build_buttons(view), *undo(view)]
        return [trading(view), [go_on, *more], [end, *common_buttons()]]

    def pings(self, view: View, step: StepView) -> list[Ping]:
        return after_others(view, step, _("your turn goes on"))

    def actor(self, view: View, step: StepView) -> int | None:
        return view.on_turn


PRESENTER = TradePhase()
