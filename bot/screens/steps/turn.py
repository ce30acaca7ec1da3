"""A player's own turn: before the roll (D1, D3), its main part, trade and building apart (L11), the free roads of a
card (H4)."""

from __future__ import annotations

from bot.screens.controls import Button, Do, Style
from bot.screens.pickers import PICKERS, Picker, places
from bot.screens.steps.step import (
    Ping,
    Presenter,
    after_others,
    ask_to_build_buttons,
    build,
    common_buttons,
    decider,
    place_button,
    play_card,
    trading,
    undo,
    whose_turn,
)
from bot.screens.viewer import Viewer
from bot.words.language import N_, _
from bot.words.marks import Names
from engine.actions import BuyCard, EndTrade, EndTurn, Roll
from engine.geometry import bits
from engine.step import PlacingView, StepView
from engine.steps.turn import MainView, PreRollView
from engine.terms import StepKind
from engine.views import View


class PreRoll(Presenter[PreRollView]):
    """Roll, or play a card first."""

    asks = N_("roll the dice")
    actions = (Roll,)

    def headline(self, view: View, step: PreRollView, names: Names) -> str:
        turn = whose_turn(view, names)
        if step.may_play_card:
            return _("{turn}: roll the dice, or play a development card first.", turn=turn)
        return _("{turn}: roll the dice.", turn=turn)

    def controls(self, view: View, step: PreRollView) -> list[list[Button]]:
        roll = Button(_("Roll"), Do(Roll()), Style.PRIMARY, "🎲")
        cards = play_card(view) if step.may_play_card else []
        more = [*cards, *ask_to_build_buttons(view), *undo(view)]
        return [[roll, *more], common_buttons()] if more else [[roll, *common_buttons()]]

    def pings(self, view: View, step: PreRollView) -> list[Ping]:
        return after_others(view, step, _(self.asks))

    def actor(self, view: View, step: PreRollView) -> int | None:
        return view.on_turn


class Main(Presenter[MainView]):
    """After the roll."""

    asks = N_("trade, build, or end your turn")
    actions = (EndTurn, BuyCard)

    def headline(self, view: View, step: MainView, names: Names) -> str:
        turn = whose_turn(view, names)
        if not step.may_trade:
            return _("{turn}: trading is over. Build more, or end the turn.", turn=turn)
        return _("{turn}: trade and build.", turn=turn)

    def controls(self, view: View, step: MainView) -> list[list[Button]]:
        end = Button(_("End turn"), Do(EndTurn()), Style.PRIMARY)
        more = [*play_card(view), *ask_to_build_buttons(view), *undo(view)]
        if not step.may_trade:
            return [[build(), *more], [end, *common_buttons()]]
        offer, *others = trading(view)
        return [[build(), offer], [*others, *more], [end, *common_buttons()]]

    def pings(self, view: View, step: MainView) -> list[Ping]:
        return after_others(view, step, _("your turn goes on"))

    def actor(self, view: View, step: MainView) -> int | None:
        return view.on_turn


class TradePhase(Presenter[StepView]):
    """Trade, play a card, go on to build."""

    asks = N_("trade, build, or end your turn")
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


class BuildingPhase(Presenter[StepView]):
    """Build, buy, play a card, end."""

    asks = N_("build, or end your turn")
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


class RoadBuilding(Presenter[PlacingView]):
    """Two roads, while there is room and supply."""

    asks = N_("place your free roads")

    def headline(self, view: View, step: PlacingView, names: Names) -> str:
        name = names[decider(view)]
        if step.nth == 0:
            return _("**{name}**: place your first free road.", name=name)
        return _("**{name}**: place your second free road.", name=name)

    def controls(self, view: View, step: PlacingView) -> list[list[Button]]:
        return [[place_button(_("Place the free road")), *undo(view), *common_buttons()]]

    def actor(self, view: View, step: PlacingView) -> int | None:
        return next(bits(step.awaited), None)

    def picker(self, viewer: Viewer, step: PlacingView, lead: str = "") -> Picker:
        return places(viewer, PICKERS["way"], lead)


PRESENTERS = {
    StepKind.PRE_ROLL: PreRoll(),
    StepKind.MAIN: Main(),
    StepKind.TRADE_PHASE: TradePhase(),
    StepKind.BUILDING_PHASE: BuildingPhase(),
    StepKind.ROAD_BUILDING: RoadBuilding(),
}
