"""The special building phase between two turns (J1, J2)."""

from __future__ import annotations

from bot.screens.controls import Button, Do, Style
from bot.screens.steps.step import About, Names, Ping, Presenter, awaited, build, common_buttons, undo
from bot.words.language import N_, _
from bot.words.marks import listing
from engine.actions import BuyCard, PassOn
from engine.geometry import bits
from engine.steps.special import SpecialBuildingView
from engine.views import View


class SpecialBuilding(Presenter[SpecialBuildingView]):
    """The called players build, one after the other."""

    wanted = N_("build, buy a card, or pass")
    actions = (PassOn, BuyCard)

    def headline(self, view: View, step: SpecialBuildingView, names: Names) -> str:
        text = _("Building between turns: {name}, build, buy a card, or pass.", name=awaited(view, names))
        waiting = [names[seat] for seat in step.queue[1:]]
        later = _("Next: {names}.", names=listing(waiting))
        return f"{text} {later}" if waiting else text

    def controls(self, view: View, step: SpecialBuildingView) -> list[list[Button]]:
        done = Button(_("Pass"), Do(PassOn()), Style.PRIMARY, "⏭️")
        return [[build(), *undo(view)], [done, *common_buttons()]]

    def actor(self, view: View, step: SpecialBuildingView) -> int | None:
        return next(bits(step.awaited), None)

    def pings(self, view: View, step: SpecialBuildingView) -> list[Ping]:
        wanted = _(self.wanted)
        return [Ping(f"special.{view.turn}.{seat}", (seat,), wanted, About.BUILDING) for seat in bits(step.awaited)]

    def occasion(self, view: View, step: SpecialBuildingView) -> str:
        return f"{step.kind}.{view.turn}"


PRESENTER = SpecialBuilding()
