"""What a kind of step is to people: the base of one file for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, Literal, TypeVar

from bot.screens.controls import Button, Do, Open, Style
from bot.screens.forms import FormKind
from bot.screens.pickers import Picker
from bot.screens.viewer import Viewer
from bot.words.language import _
from bot.words.marks import listing
from engine.actions import Action, BuyCard
from engine.events import (
    CardPlayed,
    CardTaken,
    DiscardChosen,
    Discarded,
    InterruptOpened,
    InterruptPassed,
    NothingTaken,
    RobberMoved,
    TurnEnded,
)
from engine.geometry import bits
from engine.rules import data_of
from engine.step import StepView
from engine.views import View

Names = Sequence[str]
V = TypeVar("V", bound=StepView)


@dataclass(frozen=True, slots=True)
class Ping:
    """Who must be told that the game waits for them, and for what; `occasion` names it once and for all."""

    occasion: str
    seats: tuple[int, ...]
    wanted: str
    about: Literal["", "offer", "building", "seat", "reminder"] = ""
    """Offers and calls to build, of which people may have chosen not to be notified; who plays in a seat, and what the
    group decides; or a reminder of what they were told before."""
    buttons: tuple[Button, ...] = ()
    users: tuple[tuple[int, str], ...] = ()
    """People who don't play, and their names, if it is for them."""
    called: tuple[int, ...] | None = None
    """Of the seats those that are notified; the others were, by the message in whose place it comes. None: all are."""
    topic: str = ""
    """What it is about, where the same can be asked again under another name; empty: its occasion. A topic notifies
    nobody twice in a few minutes."""


class Presenter(Generic[V]):
    """One kind of step; stateless. Whatever is public is a function of the public view (section M)."""

    wanted: ClassVar[str] = ""
    """What an awaited seat is asked to do, marked for translation."""
    actions: ClassVar[tuple[type[Action], ...]] = ()
    """What its buttons do at once."""
    noted: ClassVar[Mapping[type[Action], str]] = {}
    """What is told of an action that nobody else may notice."""
    calls: ClassVar[bool] = True
    """Whether those who are awaited are called, by ping or direct message."""
    form: ClassVar[FormKind | None] = None
    """What its decision is asked in, where that is a form."""

    def headline(self, view: View, step: V, names: Names) -> str:
        """Who owes which decision, in one or two sentences."""
        raise TypeError("a step must have a headline")

    def controls(self, view: View, step: V) -> list[list[Button]]:
        """The panel's buttons in rows, the most likely first; the same whatever anybody holds."""
        raise TypeError("a step must have controls")

    def actor(self, view: View, step: V) -> int | None:
        """The one player for whom the panel's bound buttons are; None where several, or nobody, may act."""
        return None

    def pings(self, view: View, step: V) -> list[Ping]:
        """Who must be pinged, beyond the ping of the turn's panel."""
        return []

    def occasion(self, view: View, step: V) -> str:
        """Name of what an awaited seat decides whom no ping calls to it, the same as long as it is one occasion."""
        return f"turn.{view.turn}"

    def picker(self, viewer: Viewer, step: V, lead: str = "") -> Picker | None:
        """The question that follows for the one who decides; None where the panel's buttons say it all."""
        return None

    def question(self, viewer: Viewer, step: V) -> Picker | None:
        """A question that nobody else may notice, for whoever asks by the verb "answer"; None where there is none."""
        return None


# --- what several kinds share


def awaited(view: View, names: Names) -> str:
    """The names of those who owe a decision, in bold."""
    return listing(f"**{names[s]}**" for s in bits(view.awaited))


def decider(view: View) -> int:
    """The one who decides: the first awaited seat, else the one on turn."""
    waiting = next(bits(view.awaited), None)
    return waiting if waiting is not None else view.on_turn if view.on_turn is not None else view.first


def whose_turn(view: View, names: Names) -> str:
    """Begins a headline: "Ann's turn", "Your turn"."""
    if (seat := decider(view)) == view.seat:
        return _("**Your turn**")
    return _("**{name}**'s turn", name=names[seat])


def robber_moves(view: View) -> int:
    """How often the robber has moved in this turn."""
    return sum(isinstance(event, RobberMoved) for event in view.events)


def after_others(view: View, step: StepView, wanted: str) -> list[Ping]:
    """Who decides again after others had to act: those who discarded (D4), or were asked for a knight (L8)."""
    seat = decider(view)
    for event in reversed(view.events):
        asked = isinstance(event, (InterruptOpened, InterruptPassed))
        if asked or (isinstance(event, DiscardChosen) and event.seat != seat):
            return [Ping(f"{step.kind}.{view.turn}.{robber_moves(view)}", (seat,), wanted)]
        if getattr(event, "seat", -1) == seat and not isinstance(event, _BY_ITSELF):
            return []
    return []


_BY_ITSELF = (CardPlayed, CardTaken, NothingTaken, Discarded)
"""What may happen to a seat without its having done anything."""


def undo(view: View) -> list[Button]:
    """Taking back the last action, while that is possible."""
    if view.undo is None:
        return []
    ended = any(isinstance(event, TurnEnded) for event in view.last)
    return [Button(_("Undo end of turn") if ended else _("Undo"), Open("undo"))]


def looking() -> list[Button]:
    """What everybody can look at in every decision. The last row has no signs: on a phone it is one line."""
    return [Button(_("My hand"), Open("hand")), Button(_("More"), Open("more"))]


def catch_up(game: int = 0, *, several: bool = False) -> Button:
    """What has happened since whoever presses it did something, for their eyes only.

    `game`: its number, in messages that aren't about that game alone; `several`: there are more such buttons.
    """
    label = _("Game {number}: what did I miss?", number=game) if several else _("What did I miss?")
    return Button(label, Open("catchup", (str(game),) if game else ()), emoji="🗞️")


def place_button(label: str, emoji: str = "📍") -> Button:
    """Opens the step's picker."""
    return Button(label, Open("place", ("owed",)), Style.PRIMARY, emoji)


def building(view: View) -> list[Button]:
    """Everything that is built or bought, as long as there are cards to buy."""
    card = [Button(_("Buy card"), Do(BuyCard()), emoji="🎴")] if view.deck else []
    bridge = [Button(_("Bridge"), Open("place", ("bridge",)), emoji="🌉")] if view.board.bridges else []
    return [
        Button(_("Road"), Open("place", ("road",)), emoji="🛤️"),
        *bridge,
        Button(_("Settlement"), Open("place", ("settlement",)), emoji="🏠"),
        Button(_("City"), Open("place", ("city",)), emoji="🏛️"),
        *card,
    ]


INLINE_OFFERS = 2
"""Offers that get buttons of their own; more than that share one button."""


def trading(view: View) -> list[Button]:
    """Trade with the others and with the bank."""
    buttons = [
        Button(_("Offer a trade"), Open("draft"), emoji="🤝"),
        Button(_("Bank"), Open("bank"), emoji="🏦"),
    ]
    return [*buttons, all_offers(view)] if len(view.offers) > INLINE_OFFERS else buttons


def all_offers(view: View) -> Button:
    """Leads to all open offers."""
    return Button(_("Offers ({n})", n=len(view.offers)), Open("offers"), Style.PRIMARY, "📨")


def play_card(view: View) -> list[Button]:
    """The development cards that can be played; all see how many there are, and so when there are none."""
    held = view.on_turn is not None and view.players[view.on_turn].development_count
    return [Button(_("Play card"), Open("cards"), emoji="✨")] if held else []


def asking(view: View) -> list[Button]:
    """Where a special building phase follows the turn, everybody may ask for a part in it (J2)."""
    if not data_of(view.config).special_building:
        return []
    return [Button(_("Ask to build"), Open("ask"), emoji="✋")]
