"""The private coach of a first game: a tip the first time each kind of decision comes up, and a plan in the first
turns."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

from bot.screens import plans
from bot.screens.controls import Button, Open, Reply, rows
from bot.screens.hints import do_it
from bot.screens.viewer import Viewer
from bot.table.acts.lessons import PLAN
from bot.words.hints import what
from bot.words.language import N_, _, n_
from bot.words.marks import cards, sign
from bot.words.places import surroundings
from bot.words.purchases import DEVELOPMENT_CARD
from engine.actions import (
    Action,
    BankTrade,
    BuildCity,
    BuildRoad,
    BuildSettlement,
    BuyCard,
    Discard,
    EndTurn,
    MakeOffer,
    MoveRobber,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    PlayYearOfPlenty,
    Roll,
    TakeCard,
)
from engine.terms import Piece, StepKind
from engine.views import View
from players.table import unanswered


@dataclass(frozen=True, slots=True)
class Tip:
    """A text for the first time that a kind of decision comes up."""

    name: str
    """Its name, stored once the tip is given."""
    actions: tuple[type[Action], ...]
    """The actions that it is about; empty: the answer to an offer."""
    text: str
    alone: bool = False
    """Whether it is only for the main part of the person's own turn."""

    def fits(self, viewer: Viewer) -> bool:
        """Whether the person can do now what the tip is about."""
        if not self.actions:
            return unanswered(viewer.view) is not None
        can = any(action in viewer.options for action in self.actions)
        return can and (not self.alone or EndTurn in viewer.options)


TIPS: Sequence[Tip] = (
    Tip(
        "offer",
        (),
        N_(
            "**You have a trade offer.** Accept if you get what you need next and can spare what you give. "
            "Declining costs nothing."
        ),
    ),
    Tip(
        "discard",
        (Discard,),
        N_(
            "**A 7 was rolled, and you hold too many cards.** Half of them go to the bank. Keep what pays for "
            "your next settlement or city. Next time, spend cards early, so that a 7 costs you nothing."
        ),
    ),
    Tip(
        "robber",
        (MoveRobber,),
        N_(
            "**You move the robber.** Its hex gives no cards. Choose the leader's 6 or 8, not one of yours. "
            "Then you steal a card from a player there."
        ),
    ),
    Tip("steal", (TakeCard,), N_("**Steal a card** from a player next to the robber: you get a random one.")),
    Tip(
        "roll",
        (Roll,),
        N_(
            "**Your turn: press Roll.** Each hex with the number you roll gives a card to every settlement next "
            "to it, and two to a city. The dots under a number show how often it comes: 6 and 8 most often."
        ),
    ),
    Tip(
        "settlement",
        (BuildSettlement,),
        N_(
            "**You can build a settlement.** It's a point, and it gets cards from up to three hexes. It must "
            "touch one of your roads and be at least two roads away from any building. Press **Build**."
        ),
        alone=True,
    ),
    Tip(
        "city",
        (BuildCity,),
        N_(
            "**You can build a city.** It replaces one of your settlements, is one more point, and gets double "
            "the cards. Upgrade the settlement with the best numbers. Press **Build**."
        ),
        alone=True,
    ),
    Tip(
        "cards",
        (PlayKnight, PlayRoadBuilding, PlayYearOfPlenty, PlayMonopoly),
        N_(
            "**You can play a development card**: one per turn, even before you roll. A knight moves the "
            "robber. Three of them earn the Largest Army (2 points). Press **Play card**."
        ),
    ),
    Tip(
        "card",
        (BuyCard,),
        N_(
            "**You can buy a development card.** Most are knights. Others are points or special effects. You "
            "can play it from your next turn on. Only you see what it is."
        ),
        alone=True,
    ),
    Tip(
        "road",
        (BuildRoad,),
        N_(
            "**You can build a road** toward your next settlement. 5+ connected roads, more than anyone else, "
            "earn the Longest Road (2 points)."
        ),
        alone=True,
    ),
    Tip(
        "bank",
        (BankTrade,),
        N_(
            "**You can trade with the bank**: four of a kind for one card you want, or three or two with a "
            "harbor. Press **Bank**."
        ),
        alone=True,
    ),
    Tip(
        "trade",
        (MakeOffer,),
        N_(
            "**Ask the others for what you need**: press **Offer a trade**. When there's nothing more to do, "
            "press **End turn**. **My hand** shows what you can afford."
        ),
        alone=True,
    ),
)
"""All tips. If several fit, the first one is given first."""


TURNS = 5
"""Number of a person's own first turns that have a plan."""
PLANNED = (StepKind.PRE_ROLL, StepKind.MAIN, StepKind.MOVE_ROBBER, StepKind.TAKE_CARD)
"""Decisions of those turns that have a plan."""


def advice(viewer: Viewer, given: Container[str]) -> tuple[list[str], Reply] | None:
    """Names of the advice to store as given, and the reply that gives it: a plan in the first turns, else a tip that is
    new to the person. None if nothing is new to them, or they have nothing to decide."""
    view = viewer.view
    if viewer.seat is None or viewer.is_replaced or viewer.has_left or view.outcome is not None:
        return None
    if not (view.awaited >> viewer.seat & 1 or unanswered(view)):
        return None
    off = Button(_("Turn off tips"), Open("untip"), emoji="🔕")
    if is_planned(viewer):
        return _planned(viewer, given, off)
    found = next((tip for tip in TIPS if tip.name not in given and tip.fits(viewer)), None)
    if found is None:
        return None
    hint = [Button(_("Hint"), Open("hint"), emoji="🧭")] if viewer.table.options.hints else []
    return [found.name], Reply(f"🎓 {_(found.text)}", rows=rows([*hint, off]))


def is_planned(viewer: Viewer) -> bool:
    """Whether the person's present decision has a plan."""
    view = viewer.view
    mine = view.on_turn == viewer.seat and view.step.kind in PLANNED
    owes = view.step.kind is StepKind.DISCARD
    return (mine or owes) and view.turns[viewer.my_seat] <= TURNS and unanswered(view) is None


def _planned(viewer: Viewer, given: Container[str], off: Button) -> tuple[list[str], Reply] | None:
    """The goal, what is missing, and the next step, once for each position; with a tip if that step is new."""
    view, player = viewer.view, viewer.my_seat
    mine = [offer for offer in view.offers if offer.seat == player]
    answers = sum((offer.accepted | offer.declined).bit_count() for offer in mine)
    name = f"{PLAN}{player}.{viewer.decision}.{answers}"
    if name in given:
        return None
    aim = plans.goal(view)
    waits = any(offer.to & ~offer.accepted & ~offer.declined for offer in mine if not offer.accepted)
    action = None if waits else plans.step(viewer, aim)
    new = next((tip for tip in TIPS if type(action) in tip.actions and tip.name not in given), None)
    lines = [f"🎓 {_(new.text)}"] if new is not None else []
    if aim is not None:
        lines.append(f"{'🎯' if lines else '🎓'} {_goal(view, aim)} {_missing(view, aim)}")
    if waits:
        lines.append(_("👉 **Wait** for the answers to your offer."))
    elif action is not None:
        lines.append(f"👉 {_next(view, viewer.names, action)}")
    do = [] if action is None else do_it(action)
    reply = Reply("\n".join(lines), rows=rows([*do, off]), decision=viewer.decision)
    return [name, *([new.name] if new is not None else [])], reply


def _goal(view: View, aim: plans.Goal) -> str:
    """The goal in words, and what it brings."""
    if aim.what == DEVELOPMENT_CARD:
        return _("**Your goal: a development card**, most likely a knight.")
    values = {"place": view.board.grid.node_names[aim.at], "what": surroundings(view.board, aim.at)}
    if aim.what == Piece.CITY:
        return _("**Your goal: a city at {place}** ({what}): one more point, and twice the cards.", **values)
    if not aim.ways:
        return _("**Your goal: a settlement at {place}** ({what}): one more point, and new cards.", **values)
    return n_(
        "**Your goal: a settlement at {place}** ({what}), {n} road away.",
        "**Your goal: a settlement at {place}** ({what}), {n} roads away.",
        len(aim.ways),
        **values,
    )


def _missing(view: View, aim: plans.Goal) -> str:
    if any(aim.missing):
        return _("You still need {cards}.", cards=cards(aim.missing))
    return _("You have all the cards for it.")


def _next(view: View, names: Sequence[str], action: Action) -> str:
    if isinstance(action, EndTurn):
        return _("**End your turn**: other players' rolls bring you cards, too.")
    return what(view, names, action)


def welcome(viewer: Viewer) -> str:
    """The text at the beginning of a first game."""
    color = viewer.view.players[viewer.my_seat].color
    return _(
        "**Your first game, against three bots.** You're {color}. Everyone starts with two settlements and two "
        "roads. Settlements are 1 point, cities 2. First to {target} wins. I'll explain each thing the first "
        "time it comes up. Take your time.",
        color=f"{sign(color)} {_(color)}",
        target=viewer.view.config.target,
    )
