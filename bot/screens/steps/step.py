"""How a kind of step is shown to people: the base class, and what several kinds share. Each kind has its own file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from math import ceil
from typing import ClassVar, Generic, TypeVar

from bot.screens.controls import Button, Do, Open, Style
from bot.screens.forms import FormKind
from bot.screens.pickers import Picker
from bot.screens.viewer import Viewer
from bot.words.language import _
from bot.words.marks import Names, listing
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

V = TypeVar("V", bound=StepView)


class About(Enum):
    """What players are called about. `bot.discord.show.pings.PING_KINDS` declares how each kind of call is made."""

    DECISION = auto()
    """Any decision that the game waits for."""
    OFFER = auto()
    """An offer, or its answer."""
    BUILDING = auto()
    """To build between turns (J2)."""
    GROUP = auto()
    """Who plays in a seat, or another decision of the group."""
    REMINDER = auto()
    """An earlier call."""


@dataclass(frozen=True, slots=True)
class Ping:
    """A call to players for whom the game waits, and what it asks of them; `occasion` is its permanent unique name."""

    occasion: str
    seats: tuple[int, ...]
    asks: str
    about: About = About.DECISION
    buttons: tuple[Button, ...] = ()
    users: tuple[tuple[int, str], ...] = ()
    """Users and their names, for people who aren't called by seat, such as people who don't play."""
    called: tuple[int, ...] | None = None
    """The seats that are notified; the message that this one replaces has notified the others. None: all `seats`."""
    own: bool = False
    """Whether it is about something that the players started themselves in their turn. They are called only once they
    have done nothing for a while: until then they see it."""
    topic: str = ""
    """What it is about, where the same can be asked again under another occasion; empty: the occasion. No one is
    notified twice of the same topic within a few minutes, nor of many that are the same up to a bar (|)."""
    newcomer: tuple[int, str] | None = None
    """The user, with their name, who would take a seat: it says how fast they decide."""


class Presenter(Generic[V]):
    """How one kind of step is shown; stateless. Everything public depends only on the public view (section M)."""

    asks: ClassVar[str] = ""
    """What an awaited seat is asked to do, marked for translation."""
    actions: ClassVar[tuple[type[Action], ...]] = ()
    """Actions that its buttons play directly."""
    confirmations: ClassVar[Mapping[type[Action], str]] = {}
    """What a player is told after an action that others can't notice, by type of action."""
    calls: ClassVar[bool] = True
    """Whether awaited players are called, by ping or direct message."""
    form: ClassVar[FormKind | None] = None
    """The form for its decision, if it has one."""

    def headline(self, view: View, step: V, names: Names) -> str:
        """Who owes which decision, in one or two sentences."""
        raise TypeError("a step must have a headline")

    def controls(self, view: View, step: V) -> list[list[Button]]:
        """The panel's buttons in rows, the most likely first. They don't depend on anyone's hand."""
        raise TypeError("a step must have controls")

    def actor(self, view: View, step: V) -> int | None:
        """The only player for whom the panel's bound buttons are meant; None if several players can act, or none."""
        return None

    def pings(self, view: View, step: V) -> list[Ping]:
        """Pings in addition to the one of the turn's panel."""
        return []

    def occasion(self, view: View, step: V) -> str:
        """Name of the occasion for awaited seats that no ping calls; it stays the same as long as the occasion does."""
        return f"turn.{view.turn}"

    def picker(self, viewer: Viewer, step: V, lead: str = "") -> Picker | None:
        """The private question to the player who decides; None if the panel's buttons are enough."""
        return None

    def question(self, viewer: Viewer, step: V) -> Picker | None:
        """The secret question that the verb "answer" shows to any player who asks for it; None if there is none."""
        return None


# --- what several kinds share


def awaited(view: View, names: Names) -> str:
    """The names of the awaited players, in bold."""
    return listing(f"**{names[s]}**" for s in bits(view.awaited))


def decider(view: View) -> int:
    """The seat that decides: the first awaited one, else the one on turn, else the one that began."""
    waiting = next(bits(view.awaited), None)
    return waiting if waiting is not None else view.on_turn if view.on_turn is not None else view.first


def whose_turn(view: View, names: Names) -> str:
    """The beginning of a headline: "Ann's turn", "Your turn"."""
    if (seat := decider(view)) == view.seat:
        return _("**Your turn**")
    return _("**{name}**'s turn", name=names[seat])


def robber_moves(view: View) -> int:
    """How often the robber has moved in this turn."""
    return sum(isinstance(event, RobberMoved) for event in view.events)


def after_others(view: View, step: StepView, asks: str) -> list[Ping]:
    """The ping for a player who decides again, after others had to discard (D4) or were asked for a knight (L8)."""
    seat = decider(view)
    for event in reversed(view.events):
        asked = isinstance(event, (InterruptOpened, InterruptPassed))
        if asked or (isinstance(event, DiscardChosen) and event.seat != seat):
            return [Ping(f"{step.kind}.{view.turn}.{robber_moves(view)}", (seat,), asks)]
        if getattr(event, "seat", -1) == seat and not isinstance(event, _BY_ITSELF):
            return []
    return []


_BY_ITSELF = (CardPlayed, CardTaken, NothingTaken, Discarded)
"""Events that can happen to a seat without an action of its own."""


def undo(view: View) -> list[Button]:
    """The button that undoes the last action, while that is possible."""
    if view.undo is None:
        return []
    ended = any(isinstance(event, TurnEnded) and event.seat == view.undo for event in view.last)
    return [Button(_("Undo end of turn") if ended else _("Undo"), Open("undo"))]


def common_buttons() -> list[Button]:
    """The buttons that everyone has in every decision, without emoji: on a phone the last row is one line."""
    return [Button(_("My hand"), Open("hand")), Button(_("More"), Open("more"))]


def catch_up(game: int = 0, *, several: bool = False) -> Button:
    """The button that shows players, privately, what has happened since they last acted.

    `game`: the game's number, in messages that aren't about that game alone; `several`: there are more such buttons.
    """
    label = _("Game {number}: what did I miss?", number=game) if several else _("What did I miss?")
    return Button(label, Open("catchup", (str(game),) if game else ()), emoji="🗞️")


def place_button(label: str, emoji: str = "📍") -> Button:
    """The button that opens the step's picker."""
    return Button(label, Open("place", ("owed",)), Style.PRIMARY, emoji)


def build() -> Button:
    """The button that leads to what its player can build or buy: all in one, so that a phone shows the buttons of a
    turn in three rows."""
    return Button(_("Build"), Open("build"), emoji="🏗️")


def building(view: View) -> list[Button]:
    """The buttons to build each kind of piece, and to buy a development card as long as there are any."""
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
"""Up to this many offers have buttons of their own; more than that share one button."""


def trading(view: View) -> list[Button]:
    """The buttons to trade with other players and with the bank."""
    buttons = [
        Button(_("Offer a trade"), Open("draft"), emoji="🤝"),
        Button(_("Bank"), Open("bank"), emoji="🏦"),
    ]
    return [*buttons, all_offers(view)] if len(view.offers) > INLINE_OFFERS else buttons


def all_offers(view: View) -> Button:
    """The button that leads to all open offers."""
    return Button(_("Offers ({n})", n=len(view.offers)), Open("offers"), Style.PRIMARY, "📨")


def play_card(view: View) -> list[Button]:
    """The button to play a development card, unless the player on turn has none or has played one: everyone sees how
    many they have."""
    cards = view.on_turn is not None and not view.card_played and view.players[view.on_turn].development_count
    return [Button(_("Play card"), Open("cards"))] if cards else []


def ask_to_build_buttons(view: View) -> list[Button]:
    """The button to ask for a part in the special building phase after the turn, in games that have one (J2)."""
    if not data_of(view.config).special_building:
        return []
    return [Button(_("Ask to build"), Open("ask"), emoji="✋")]


def answers_close(at: float | None) -> str:
    """When the window for answers closes (`at` in seconds since the epoch); empty for None."""
    if at is None:
        return ""
    moment = ceil(at)
    return _("Answers close {soon} ({time}).", soon=f"<t:{moment}:R>", time=f"<t:{moment}:t>")
