"""A first game's coach, in private: a tip for each kind of decision when it comes for the first time, and in the first
turns a plan."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

from bot.screens import plans
from bot.screens.controls import Button, Open, Reply, rows
from bot.screens.hints import do_it
from bot.screens.viewer import Viewer
from bot.table.acts.lessons import PLAN
from bot.words import hints
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
    """What is told when something is to be decided for the first time."""

    name: str
    """As it is stored."""
    actions: tuple[type[Action], ...]
    """What it is about; nothing: an offer that somebody has made."""
    text: str
    alone: bool = False
    """Whether it is for the main part of one's turn only."""

    def fits(self, viewer: Viewer) -> bool:
        """Whether the person can do one of these now."""
        if not self.actions:
            return unanswered(viewer.view) is not None
        can = any(action in viewer.options for action in self.actions)
        return can and (not self.alone or EndTurn in viewer.options)


TIPS: Sequence[Tip] = (
    Tip(
        "offer",
        (),
        N_(
            "**Somebody offers you a trade.** Accept if what you get is what you need to build next, and what you "
            "give can wait. Declining costs nothing."
        ),
    ),
    Tip(
        "discard",
        (Discard,),
        N_(
            "**A 7 was rolled, and you hold too many cards**: half of them go to the bank. Keep what pays for your "
            "next settlement or city. Spend early, so that a 7 costs you nothing."
        ),
    ),
    Tip(
        "robber",
        (MoveRobber,),
        N_(
            "**You move the robber.** Where it stands, nobody gets cards. Choose a hex with a 6 or an 8 of whoever "
            "is ahead, and not one of yours; then you take a card from somebody who builds there."
        ),
    ),
    Tip("steal", (TakeCard,), N_("**Take a card** from somebody beside the robber: which one is luck.")),
    Tip(
        "roll",
        (Roll,),
        N_(
            "**Your turn: press Roll.** Each hex with that number gives a card to every settlement beside it, and "
            "two to a city. The dots under a number show how often it comes: 6 and 8 most often."
        ),
    ),
    Tip(
        "settlement",
        (BuildSettlement,),
        N_(
            "**You can build a settlement.** It is a point, and yields cards from up to three hexes. It needs two "
            "edges of distance from all others, and one of your roads. Press **Settlement**."
        ),
        alone=True,
    ),
    Tip(
        "city",
        (BuildCity,),
        N_(
            "**You can build a city.** It replaces one of your settlements, is one more point, and yields double: "
            "take the settlement with the best numbers. Press **City**."
        ),
        alone=True,
    ),
    Tip(
        "cards",
        (PlayKnight, PlayRoadBuilding, PlayYearOfPlenty, PlayMonopoly),
        N_(
            "**You can play a development card**, one in a turn, also before you roll. A knight drives the robber "
            "away; three of them make the largest army, which is two points. Press **Play a card**."
        ),
    ),
    Tip(
        "card",
        (BuyCard,),
        N_(
            "**You can buy a development card.** Most are knights; some are points, or a stroke of luck. You can "
            "play it from your next turn on. Nobody sees what it is."
        ),
        alone=True,
    ),
    Tip(
        "road",
        (BuildRoad,),
        N_(
            "**You can build a road**: it leads to the place of your next settlement. Five in a row, and more than "
            "all others, are the longest road, which is two points."
        ),
        alone=True,
    ),
    Tip(
        "bank",
        (BankTrade,),
        N_(
            "**You can trade with the bank**: four cards of a kind for one that you want, or three or two where you "
            "have a harbor. Press **Bank**."
        ),
        alone=True,
    ),
    Tip(
        "trade",
        (MakeOffer,),
        N_(
            "**Ask the others for what you lack**: press **Offer a trade**, and close the deal if somebody accepts. "
            "When you can do nothing more, press **End turn**. **My hand** shows what you can afford."
        ),
        alone=True,
    ),
)
"""In the order in which they come first."""


TURNS = 5
"""Turns of one's own in which there is a plan."""
PLANNED = (StepKind.PRE_ROLL, StepKind.MAIN, StepKind.MOVE_ROBBER, StepKind.TAKE_CARD)
"""What is decided in them."""


def advice(viewer: Viewer, given: Container[str]) -> tuple[list[str], Reply] | None:
    """What to tell about what the person decides now, and the names of what is told in it: a plan in their first turns,
    and whatever is new to them; None where they know all of that, or decide nothing."""
    view = viewer.view
    if viewer.seat is None or viewer.is_replaced or viewer.has_left or view.outcome is not None:
        return None
    if not (view.awaited >> viewer.seat & 1 or unanswered(view)):
        return None
    off = Button(_("No more tips"), Open("untip"), emoji="🔕")
    if is_planned(viewer):
        return _planned(viewer, given, off)
    found = next((tip for tip in TIPS if tip.name not in given and tip.fits(viewer)), None)
    if found is None:
        return None
    hint = [Button(_("Hint"), Open("hint"), emoji="🧭")] if viewer.table.options.hints else []
    return [found.name], Reply(f"🎓 {_(found.text)}", rows=rows([*hint, off]))


def is_planned(viewer: Viewer) -> bool:
    """Whether it is one of the turns in which there is a plan."""
    view = viewer.view
    mine = view.on_turn == viewer.seat and view.step.kind in PLANNED
    owes = view.step.kind is StepKind.DISCARD
    return (mine or owes) and view.turns[viewer.my_seat] <= TURNS and unanswered(view) is None


def _planned(viewer: Viewer, given: Container[str], off: Button) -> tuple[list[str], Reply] | None:
    """The goal, what is missing, and the next step, once for each position; with the tip about that step."""
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
    """What to go for, and why."""
    if aim.what == DEVELOPMENT_CARD:
        return _("**Your goal: a development card**, most likely a knight.")
    values = {"place": view.board.grid.node_names[aim.at], "what": surroundings(view.board, aim.at)}
    if aim.what == Piece.CITY:
        return _("**Your goal: a city at {place}** ({what}): a point more, and twice the cards.", **values)
    if not aim.ways:
        return _("**Your goal: a settlement at {place}** ({what}): a point more, and new cards.", **values)
    return n_(
        "**Your goal: a settlement at {place}** ({what}), {n} road away.",
        "**Your goal: a settlement at {place}** ({what}), {n} roads away.",
        len(aim.ways),
        **values,
    )


def _missing(view: View, aim: plans.Goal) -> str:
    if any(aim.missing):
        return _("You still need {cards}.", cards=cards(aim.missing))
    return _("You have all cards for it.")


def _next(view: View, names: Sequence[str], action: Action) -> str:
    if isinstance(action, EndTurn):
        return _("**End your turn**: the others' rolls bring you cards, too.")
    return hints.hint(view, names, action)


def welcome(viewer: Viewer) -> str:
    """What is told at the beginning."""
    color = viewer.view.players[viewer.my_seat].color
    return _(
        "**Your first game: you against three computers.** You are {color}; two settlements and two roads of each "
        "stand already. Settlements are 1 point, cities 2; who has {target} first wins. In your first turns I tell you "
        "what to aim for, and later what is new. Everything is in the panel below; take all the time you want.",
        color=f"{sign(color)} {_(color)}",
        target=viewer.view.config.target,
    )
