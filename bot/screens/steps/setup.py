"""The first settlements and roads (section C), and the choice of the settlement that gives the first cards (A2,
`beginner` in 1996)."""

from __future__ import annotations

from bot.screens.controls import Button
from bot.screens.pickers import PICKERS, Picker, places
from bot.screens.steps.step import Ping, Presenter, awaited, common_buttons, decider, place_button, undo
from bot.screens.viewer import Viewer
from bot.words.language import N_, _
from bot.words.marks import Names
from engine.events import DecidedFor
from engine.geometry import bits
from engine.step import PlacingView, StepView
from engine.terms import Piece, StepKind
from engine.views import View


class Setup(Presenter[PlacingView]):
    """A settlement, then the road next to it."""

    asks = N_("place a settlement and a road")

    def headline(self, view: View, step: PlacingView, names: Names) -> str:
        name = names[decider(view)]
        if step.piece is Piece.ROAD:
            if step.nth == 0:
                return _("Setup: **{name}**, place a road next to your first settlement.", name=name)
            return _("Setup: **{name}**, place a road next to your second settlement.", name=name)
        if step.nth == 0:
            return _("Setup: **{name}**, place your first settlement.", name=name)
        return _(
            "Setup: **{name}**, place your second settlement. You get a card from each resource hex next to it.",
            name=name,
        )

    def controls(self, view: View, step: PlacingView) -> list[list[Button]]:
        label = _("Place settlement") if step.piece is Piece.SETTLEMENT else _("Place road")
        return [[place_button(label), *undo(view), *common_buttons()]]

    def pings(self, view: View, step: PlacingView) -> list[Ping]:
        awaited = tuple(bits(step.awaited))
        late = step.nth == 1 and any(isinstance(e, DecidedFor) and e.seat in awaited for e in view.events)
        # The last player places twice in a row (C3) and isn't called again in between, unless they were away and their
        # first settlement was placed for them.
        again = late or any(p.settlements.bit_count() > 1 for p in view.players if p.seat not in awaited)
        asks = N_("your first settlement was placed for you: place your second one and a road") if late else self.asks
        return [Ping(f"setup.{seat}.{int(again)}", awaited, _(asks)) for seat in awaited[:1]]

    def picker(self, viewer: Viewer, step: PlacingView, lead: str = "") -> Picker:
        name = "settlement" if step.piece is Piece.SETTLEMENT else "way"
        return places(viewer, PICKERS[name], lead)


class ChooseYield(Presenter[StepView]):
    """All players choose at the same time."""

    asks = N_("pick the settlement that gives your first cards")

    def headline(self, view: View, step: StepView, names: Names) -> str:
        return _("{names}: pick the settlement that gives your first cards.", names=awaited(view, names))

    def controls(self, view: View, step: StepView) -> list[list[Button]]:
        return [[place_button(_("Pick your starting settlement")), *undo(view), *common_buttons()]]

    def pings(self, view: View, step: StepView) -> list[Ping]:
        return [Ping("yield", tuple(bits(step.awaited)), _(self.asks))]

    def occasion(self, view: View, step: StepView) -> str:
        return f"{step.kind}.{view.turn}"

    def picker(self, viewer: Viewer, step: StepView, lead: str = "") -> Picker:
        return places(viewer, PICKERS["yield"], lead)


PRESENTERS = {
    StepKind.SETUP: Setup(),
    StepKind.CHOOSE_YIELD: ChooseYield(),
}
