"""The main part of a turn: trade, build, play a card, end (D1)."""

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
    trading,
    undo,
    whose_turn,
)
from bot.words.language import N_, _
from engine.actions import BuyCard, EndTurn
from engine.steps.turn import MainView
from engine.views import View


class Main(Presenter[MainView]):
    """After the roll."""

    wanted = N_("trade, build, or end your turn")
    actions = (EndTurn, BuyCard)

    def headline(self, view: View, step: MainView, names: Names) -> str:
        turn = whose_turn(view, names)
        if not step.may_trade:
            return _("{turn}: trading is over. Build more, or end the turn.", turn=turn)
        return _("{turn}: trade and build.", turn=turn)

    def controls(self, view: View, step: MainView) -> list[list[Button]]:
        end = Button(_("End turn"), Do(EndTurn()), Style.PRIMARY)
        offer, *others = trading(view)
        more = [*others, *play_card(view), *ask_to_build_buttons(view), *undo(view)]
        return [[build(), offer], more, [end, *common_buttons()]]

    def pings(self, view: View, step: MainView) -> list[Ping]:
        return after_others(view, step, _("your turn goes on"))

    def actor(self, view: View, step: MainView) -> int | None:
        return view.on_turn


PRESENTER = Main()
