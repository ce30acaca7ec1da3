"""Building between two turns (J1, J2): the last call for it, and the phase itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from bot.screens.controls import Button, Do, Open, Style, rows
from bot.screens.pickers import Picker
from bot.screens.steps.step import About, Ping, Presenter, answers_close, awaited, build, common_buttons, undo
from bot.screens.viewer import Viewer
from bot.words.language import N_, _, sentences
from bot.words.marks import Names, listing
from engine.actions import Action, AskToBuild, BuyCard, PassOn
from engine.geometry import bits
from engine.steps.special import LateRequestsView, SpecialBuildingView
from engine.terms import StepKind
from engine.views import View


class LateRequests(Presenter[LateRequestsView]):
    """The same private question to all other players. It is over in a moment, so no one is called."""

    asks = N_("say if you want to build")
    actions = (PassOn,)
    confirmations: ClassVar[Mapping[type[Action], str]] = {
        PassOn: N_("Saved: you won't build after this turn. No one sees it."),
    }
    calls = False

    def headline(self, view: View, step: LateRequestsView, names: Names) -> str:
        return _("Turn over. Want to build before the next one? Ask now.")

    def controls(self, view: View, step: LateRequestsView) -> list[list[Button]]:
        ask = Button(_("Ask to build"), Open("answer"), Style.PRIMARY, "✋")
        return [[ask, *undo(view), *common_buttons()]]

    def occasion(self, view: View, step: LateRequestsView) -> str:
        return f"{step.kind}.{view.turn}"

    def question(self, viewer: Viewer, step: LateRequestsView) -> Picker:
        """The question, build or not; or that there is nothing left to answer."""
        closes = answers_close(viewer.closes)
        ask = Button(_("Ask to build"), Open("ask"), Style.PRIMARY, "✋")
        if PassOn not in viewer.options:
            more = [[ask]] if viewer.options.allows(AskToBuild(wanted=True)) else ()
            if step.after == viewer.my_seat:
                text = _("You aren't asked: it was your own turn.")
            elif more:
                text = _("You won't build after this turn. No one sees it, and you can still ask.")
            else:
                text = _("Your answer is saved. It's hidden while the others are asked.")
            return Picker(sentences([text, closes]), more)
        lines = [_("**Want to build before the next turn?**"), closes]
        buttons = [
            ask,
            Button(_("Not this time"), Do(PassOn()), emoji="⏭️"),
        ]
        return Picker("\n".join(filter(None, lines)), rows(buttons))


class SpecialBuilding(Presenter[SpecialBuildingView]):
    """The called players build, one after the other."""

    asks = N_("build, buy a card, or pass")
    actions = (PassOn, BuyCard)

    def headline(self, view: View, step: SpecialBuildingView, names: Names) -> str:
        text = _("Building between turns: {name}, build, buy a card, or pass.", name=awaited(view, names))
        waiting = [names[seat] for seat in step.queue[1:]]
        later = _("Next: {names}.", names=listing(waiting))
        return sentences([text, later]) if waiting else text

    def controls(self, view: View, step: SpecialBuildingView) -> list[list[Button]]:
        done = Button(_("Pass"), Do(PassOn()), Style.PRIMARY, "⏭️")
        return [[build(), *undo(view)], [done, *common_buttons()]]

    def actor(self, view: View, step: SpecialBuildingView) -> int | None:
        return next(bits(step.awaited), None)

    def pings(self, view: View, step: SpecialBuildingView) -> list[Ping]:
        asks = _(self.asks)
        return [Ping(f"special.{view.turn}.{seat}", (seat,), asks, About.BUILDING) for seat in bits(step.awaited)]

    def occasion(self, view: View, step: SpecialBuildingView) -> str:
        return f"{step.kind}.{view.turn}"


PRESENTERS = {
    StepKind.LATE_REQUESTS: LateRequests(),
    StepKind.SPECIAL_BUILDING: SpecialBuilding(),
}
