"""The end of the game (I5, I6, I7)."""

from __future__ import annotations

from bot.screens.controls import Button, Open, Style
from bot.screens.steps.step import Presenter
from bot.words.language import _
from bot.words.marks import Names, listing, point_count
from engine.step import StepView
from engine.terms import StepKind
from engine.views import View


class Over(Presenter[StepView]):
    """Nothing is left to decide."""

    def headline(self, view: View, step: StepView, names: Names) -> str:
        if view.outcome is None:
            return _("The game is over.")
        winners = [f"**{names[s]}**" for s in view.outcome.winners]
        if not winners:
            return _("🏁 The game is void: no winner.")
        points = point_count(max(view.outcome.points[s] for s in view.outcome.winners))
        if len(winners) == 1:
            return _("🏁 {name} wins with {points}!", name=winners[0], points=points)
        return _("🏁 {names} share the win with {points} each!", names=listing(winners), points=points)

    def controls(self, view: View, step: StepView) -> list[list[Button]]:
        rematch = Button(_("Rematch"), Open("rematch"), Style.SUCCESS, "🔁")
        return [[rematch, Button(_("Stats"), Open("stats"), emoji="📊")]]


PRESENTERS = {StepKind.OVER: Over()}
