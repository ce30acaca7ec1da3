"""Placing the first settlements and roads (section C)."""

from __future__ import annotations

from bot.screens.controls import Button
from bot.screens.pickers import PICKERS, Picker, places
from bot.screens.steps.step import Names, Ping, Presenter, common_buttons, decider, place_button, undo
from bot.screens.viewer import Viewer
from bot.words.language import N_, _
from engine.events import DecidedFor
from engine.geometry import bits
from engine.step import PlacingView
from engine.terms import Piece
from engine.views import View


class Setup(Presenter[PlacingView]):
    """A settlement, then the road next to it."""

    wanted = N_("place a settlement and a road")

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
        if late:
            wanted = _("your first settlement was placed for you: place your second one and a road")
        else:
            wanted = _(self.wanted)
        return [Ping(f"setup.{seat}.{int(again)}", awaited, wanted) for seat in awaited[:1]]

    def picker(self, viewer: Viewer, step: PlacingView, lead: str = "") -> Picker:
        name = "settlement" if step.piece is Piece.SETTLEMENT else "way"
        return places(viewer, PICKERS[name], lead)


PRESENTER = Setup()
