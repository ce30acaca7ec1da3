"""The robber: where it goes (G1), whether others answer with a knight (L8), whom to steal a card from (G2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from bot.screens.controls import Button, Do, Open, Style, rows
from bot.screens.pickers import PICKERS, Picker, places
from bot.screens.steps.step import (
    Ping,
    Presenter,
    after_others,
    answers_close,
    awaited,
    common_buttons,
    decider,
    place_button,
    robber_moves,
    undo,
)
from bot.screens.viewer import Viewer
from bot.words.language import N_, _, n_, sentences
from bot.words.marks import Names, card_count, hex_sign, listing
from engine.actions import Action, DeclineCard, LeaveRobber, PassOn, PlayKnight
from engine.actions import TakeCard as Take
from engine.domains import Choices
from engine.errors import RefereeError
from engine.geometry import bits
from engine.resources import KNIGHT
from engine.steps.robber import RobberView
from engine.steps.take_card import TakeView
from engine.terms import StepKind
from engine.variants.knight_interrupt import InterruptView
from engine.views import View


class MoveRobber(Presenter[RobberView]):
    """After a seven or a knight."""

    asks = N_("move the robber")
    actions = (LeaveRobber,)

    def headline(self, view: View, step: RobberView, names: Names) -> str:
        name = names[decider(view)]
        if step.may_leave:
            text = _("**{name}**: move the robber, or leave it.", name=name)
        else:
            text = _("**{name}**: move the robber.", name=name)
        where = _("It's on {hex}.", hex=hex_sign(view.board, view.robber)) if view.robber >= 0 else ""
        return sentences([text, where])

    def controls(self, view: View, step: RobberView) -> list[list[Button]]:
        return [[place_button(_("Move the robber")), *_leave(step)], [*undo(view), *common_buttons()]]

    def actor(self, view: View, step: RobberView) -> int | None:
        return next(bits(step.awaited), None)

    def pings(self, view: View, step: RobberView) -> list[Ping]:
        return after_others(view, step, _(self.asks))

    def picker(self, viewer: Viewer, step: RobberView, lead: str = "") -> Picker:
        return places(viewer, PICKERS["robber"], lead, _leave(step))


def _leave(step: RobberView) -> list[Button]:
    """The button that leaves the robber where it is, where the rules allow that."""
    return [Button(_("Leave it where it is"), Do(LeaveRobber()))] if step.may_leave else []


class Interrupt(Presenter[InterruptView]):
    """The same private question to everyone who is asked, whatever they hold."""

    asks = N_("answer the robber with a knight, or pass")
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
        return [Ping(occasion, tuple(bits(step.awaited)), _(self.asks))]

    def occasion(self, view: View, step: InterruptView) -> str:
        return f"interrupt.{view.turn}.{robber_moves(view)}"

    def question(self, viewer: Viewer, step: InterruptView) -> Picker:
        """The question, knight or pass; or why this person has nothing to answer."""
        view, player = viewer.view, viewer.my_seat
        me, closes = view.players[player], answers_close(viewer.closes)
        if PassOn not in viewer.options:
            if step.mover == player:
                text = _("You moved the robber. The others can answer with a knight.")
            elif not me.development_count:
                text = _("Only players with a development card are asked, and you have none.")
            else:
                text = _("Your answer is saved. It's hidden while the others are asked.")
            return Picker(sentences([text, closes]), ())
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


class TakeCard(Presenter[TakeView]):
    """One of several players, or none where that is allowed."""

    asks = N_("steal a card")
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
        return after_others(view, step, _(self.asks))

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


PRESENTERS = {
    StepKind.MOVE_ROBBER: MoveRobber(),
    StepKind.INTERRUPT: Interrupt(),
    StepKind.TAKE_CARD: TakeCard(),
}
