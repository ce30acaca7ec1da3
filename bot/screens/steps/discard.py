"""Discards after a seven, by several players at the same time (D4): the step, its form, a suggestion that takes one
tap, and the way to undo it."""

from __future__ import annotations

from bot.screens.controls import (
    Button,
    ChoiceField,
    Entry,
    Form,
    ListOption,
    Open,
    Reply,
    Style,
    Values,
    hand_code,
    rows,
)
from bot.screens.forms import FormKind
from bot.screens.steps.step import Ping, Presenter, common_buttons
from bot.screens.viewer import Viewer
from bot.words.language import N_, _, enumeration, n_
from bot.words.marks import RESOURCE_SIGNS, Names, card_count, cards, resource, resource_title
from engine.actions import Discard, TakeBackDiscard
from engine.autoplay import most_plentiful
from engine.domains import Cards
from engine.errors import RefereeError
from engine.geometry import bits
from engine.resources import NOTHING, hand
from engine.rules import data_of
from engine.steps.discard import DiscardsView
from engine.terms import StepKind
from engine.views import View

MOST_BOXES = 10
"""Up to this many cards have a box each in the form."""


class DiscardForm(FormKind):
    """A box for each card; if there are too many cards, up to five lists: how many of each resource to discard."""

    name = "discard"

    def build(self, viewer: Viewer, args: tuple[str, ...]) -> Form:
        domain = viewer.options.get(Discard)
        if not isinstance(domain, Cards):
            raise viewer.why([Discard(NOTHING)], RefereeError("nothing-owed"))
        form = Form(n_("Discard {n} card", "Discard {n} cards", domain.total))
        proposal = most_plentiful(domain)
        if sum(domain.caps) <= MOST_BOXES:
            cards = [
                ListOption(f"{kind}.{n}", resource(kind, sign=False), None, n < proposal[kind], RESOURCE_SIGNS[kind])
                for kind, held in enumerate(domain.caps)
                for n in range(held)
            ]
            total = domain.total
            form.fields.append(ChoiceField("cards", _("Your cards"), cards, most=total, least=total))
            return form
        for kind, held in enumerate(domain.caps):
            if held:
                options = [ListOption(str(n), str(n), default=n == proposal[kind]) for n in range(min(held, 24) + 1)]
                name = f"{RESOURCE_SIGNS[kind]} {resource_title(kind)}"
                title = _("{resource}: you have {n}", resource=name, n=held)
                form.fields.append(ChoiceField(f"r{kind}", title, options, required=False, listed=True))
        return form

    def entries(self, args: tuple[str, ...]) -> dict[str, Entry]:
        lists = {f"r{kind}": Entry("[0-9]{1,2}", least=0) for kind in range(5)}
        return {"cards": Entry("[0-4]\\.[0-9]", least=0, most=MOST_BOXES), **lists}

    def read(self, viewer: Viewer, args: tuple[str, ...], values: Values) -> Discard:
        if cards := values.get("cards"):
            return Discard(hand(sum(card.startswith(str(kind)) for card in cards) for kind in range(5)))
        return Discard(hand(int(next(iter(values.get(f"r{kind}", ())), 0)) for kind in range(5)))


class Discards(Presenter[DiscardsView]):
    """The discards of all who hold too many cards."""

    asks = N_("choose what to discard")
    form = DiscardForm()

    def headline(self, view: View, step: DiscardsView, names: Names) -> str:
        parts = [f"**{names[seat]}** {card_count(step.owed[seat])}" for seat in bits(step.awaited)]
        return _("7 rolled! Waiting for discards: {who}.", who=enumeration(parts))

    def controls(self, view: View, step: DiscardsView) -> list[list[Button]]:
        return [[Button(_("Discard"), Open("discard"), Style.DANGER, "🗑️"), *common_buttons()]]

    def pings(self, view: View, step: DiscardsView) -> list[Ping]:
        return [Ping(f"discard.{view.turn}", tuple(bits(step.awaited)), _("a 7 was rolled: choose what to discard"))]

    def occasion(self, view: View, step: DiscardsView) -> str:
        return f"{step.kind}.{view.turn}"


def undo_discard_button() -> Button:
    """The button that undoes the player's own discard, while others still owe theirs."""
    return Button(_("Undo my discard"), Open("undiscard"), emoji="↩️")


# --- the private suggestion


def discard_reply(viewer: Viewer, lead: str = "") -> Reply:
    """A sensible suggestion to take with one tap, or to change; or what was discarded, with a button to undo it."""
    domain = viewer.options.get(Discard)
    if TakeBackDiscard in viewer.options:
        return Reply(discarded_line(viewer), rows=rows([undo_discard_button()]))
    if not isinstance(domain, Cards):
        raise viewer.why([Discard(NOTHING)], RefereeError("nothing-owed"))
    proposal = most_plentiful(domain)
    question = n_(
        "**Discard {n} card.** Suggested: {cards}.",
        "**Discard {n} cards.** Suggested: {cards}.",
        domain.total,
        cards=cards(proposal),
    )
    kept = hand(held - gone for held, gone in zip(domain.caps, proposal, strict=True))
    keeping = _("You keep {cards}.", cards=cards(kept))
    buttons = [
        Button(_("Discard these"), Open("throw", (hand_code(proposal),), bound=True), Style.DANGER, "🗑️"),
        Button(_("Choose myself"), Open("form", ("discard",)), emoji="✏️"),
    ]
    text = "\n".join(filter(None, (lead, question, keeping)))
    return Reply(text, rows=rows(buttons), decision=viewer.decision)


def discarded_line(viewer: Viewer) -> str:
    """What the person has discarded, as long as they can undo it."""
    step = viewer.view.step
    assert isinstance(step, DiscardsView)
    assert step.chosen is not None
    if data_of(viewer.view.config).open_hands:  # all see what is left (L2)
        return _("You discard {cards}. Until everyone has chosen, you can still change it.", cards=cards(step.chosen))
    return _(
        "You discard {cards}. Hidden until everyone has chosen: you can still change it.",
        cards=cards(step.chosen),
    )


def undo_discard(viewer: Viewer) -> TakeBackDiscard:
    """The action that undoes a discard. Codes: "not-playing", "too-late" once all have discarded."""
    viewer.check_playing()
    if not isinstance(viewer.view.step, DiscardsView):
        raise RefereeError("too-late/discard")
    return TakeBackDiscard()


PRESENTERS = {StepKind.DISCARD: Discards()}
