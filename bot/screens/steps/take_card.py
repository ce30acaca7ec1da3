"""Whom to steal a card from after moving the robber (G2)."""

from __future__ import annotations

from bot.screens.controls import Button, Do, Style, rows
from bot.screens.pickers import Picker
from bot.screens.steps.step import (
    Names,
    Ping,
    Presenter,
    after_others,
    common_buttons,
    decider,
    place_button,
    undo,
)
from bot.screens.viewer import Viewer
from bot.words.language import N_, _
from bot.words.marks import card_count, listing
from engine.actions import DeclineCard
from engine.actions import TakeCard as Take
from engine.domains import Choices
from engine.errors import RefereeError
from engine.geometry import bits
from engine.steps.take_card import TakeView
from engine.views import View


class TakeCard(Presenter[TakeView]):
    """One of several players, or none where that is allowed."""

    wanted = N_("steal a card")
    actions = (Take, DeclineCard)

    def headline(self, view: View, step: TakeView, names: Names) -> str:
        name, victims = names[decider(view)], listing((names[s] for s in bits(step.victims)), "or")
        if step.may_decline:
            return _("**{name}**: steal a card from {victims}, or none.", name=name, victims=victims)
        return _("**{name}**: steal a card from {victims}.", name=name, victims=victims)

    def controls(self, view: View, step: TakeView) -> list[list[Button]]:
        return [[place_button(_("Steal a card"), "✋"), *_decline(step)], [*undo(view), *common_buttons()]]

    def actor(self, view: View, step: TakeView) -> int | None:
        return next(bits(step.awaited), None)

    def pings(self, view: View, step: TakeView) -> list[Ping]:
        return after_others(view, step, _(self.wanted))

    def picker(self, viewer: Viewer, step: TakeView, lead: str = "") -> Picker:
        domain = viewer.options.get(Take)
        if not isinstance(domain, Choices):
            raise viewer.why([Take(-1)], RefereeError("not-now/victim"))
        buttons = [
            Button(
                _("{name} ({cards})", name=viewer.names[s], cards=card_count(viewer.view.players[s].hand_size)),
                Do(Take(s)),
                Style.DANGER,
            )
            for s in domain.values
        ]
        question = _("**Who do you steal from?**")
        return Picker("\n".join(filter(None, (lead, question))), rows([*buttons, *_decline(step)]))


def _decline(step: TakeView) -> list[Button]:
    """The button that steals nothing, where the rules allow that."""
    return [Button(_("Steal nothing"), Do(DeclineCard()))] if step.may_decline else []


PRESENTER = TakeCard()
