"""Whether others answer the robber's move with a knight (L8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from bot.screens.controls import Button, Do, Open, Style, rows
from bot.screens.pickers import Picker
from bot.screens.steps.step import Names, Ping, Presenter, awaited, common_buttons, robber_moves
from bot.screens.viewer import Viewer
from bot.words.clock import until
from bot.words.language import N_, _, n_
from bot.words.marks import hex_sign
from engine.actions import Action, PassOn, PlayKnight
from engine.geometry import bits
from engine.resources import KNIGHT
from engine.variants.knight_interrupt import InterruptView
from engine.views import View


class Interrupt(Presenter[InterruptView]):
    """The same private question to everyone who is asked, whatever they hold."""

    wanted = N_("answer the robber with a knight, or pass")
    actions = (PlayKnight, PassOn)
    confirmations: ClassVar[Mapping[type[Action], str]] = {
        PlayKnight: N_("Saved: you answer with a knight. Hidden until everyone has answered."),
        PassOn: N_("Saved: you pass. Hidden until everyone has answered."),
    }

    def headline(self, view: View, step: InterruptView, names: Names) -> str:
        return _(
            "The robber is on {hex}. {names} can answer with a knight, or pass.",
            hex=hex_sign(view.board, view.robber),
            names=awaited(view, names),
        )

    def controls(self, view: View, step: InterruptView) -> list[list[Button]]:
        return [[Button(_("Answer the robber"), Open("answer"), Style.PRIMARY, "⚔️"), *common_buttons()]]

    def pings(self, view: View, step: InterruptView) -> list[Ping]:
        occasion = f"interrupt.{view.turn}.{robber_moves(view)}"
        return [Ping(occasion, tuple(bits(step.awaited)), _(self.wanted))]

    def occasion(self, view: View, step: InterruptView) -> str:
        return f"interrupt.{view.turn}.{robber_moves(view)}"

    def question(self, viewer: Viewer, step: InterruptView) -> Picker:
        """The question, knight or pass; or why this person has nothing to answer."""
        view, player = viewer.view, viewer.my_seat
        me, closes = view.players[player], until(viewer.closes)
        if PassOn not in viewer.options:
            if step.mover == player:
                text = _("You moved the robber. The others can answer with a knight.")
            elif not me.development_count:
                text = _("Only players with a development card are asked, and you have none.")
            else:
                text = _("Your answer is saved. It's hidden while the others are asked.")
            return Picker(f"{text} {closes}".strip(), ())
        cards, fresh = me.development_cards, me.fresh_cards
        knights = cards[KNIGHT] - fresh[KNIGHT] if cards and fresh else 0
        lines = [
            _(
                "**{name} moved the robber to {hex}. Answer with a knight?**",
                name=viewer.marked[step.mover],
                hex=hex_sign(view.board, view.robber),
            ),
            _(
                "If several answer, only the first clockwise plays their knight and moves the robber again. The "
                "others keep theirs."
            ),
            n_("You can play {n} knight.", "You can play {n} knights.", knights)
            if knights
            else _("You have no knight to play now."),
            closes,
        ]
        buttons = [
            Button(_("Play a knight"), Do(PlayKnight()), Style.DANGER, "⚔️"),
            Button(_("Pass"), Do(PassOn()), emoji="⏭️"),
        ]
        return Picker("\n".join(filter(None, lines)), rows(buttons))


PRESENTER = Interrupt()
