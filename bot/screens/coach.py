"""The private coach of a first game: a tip the first time each kind of decision comes up, and a plan in each turn until
the person has built and traded."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from bot.screens.controls import Button, Open, Reply, hand_code, rows
from bot.screens.hints import do_it_button
from bot.screens.history import has_traded
from bot.screens.viewer import Viewer
from bot.table.acts.coach import PLAN
from bot.words.hints import what
from bot.words.language import N_, _, enumeration, n_, sentences
from bot.words.marks import cards, corner_signs, harbor, sign
from bot.words.places import surroundings
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
    PlaceAction,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    PlayYearOfPlenty,
    Roll,
    TakeCard,
)
from engine.changes import Changes
from engine.geometry import mask_of
from engine.terms import StepKind
from engine.views import View
from players.plans import Goal, goal, step
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


PLANNED = (StepKind.PRE_ROLL, StepKind.MAIN, StepKind.MOVE_ROBBER, StepKind.TAKE_CARD)
"""Decisions of a person's own turn that have a plan."""
LAST_WORDS = "goodbye."
"""Prefix of the name of the coach's last words; a seat follows."""
NO_MARKS = Changes()
_SETUP = 2
"""Settlements that everyone has after the setup."""


@dataclass(frozen=True, slots=True)
class Coaching:
    """What the coach says to a person."""

    names: tuple[str, ...]
    """Names to store once it is said. The first one tells whether it was."""
    reply: Reply
    marks: Changes = NO_MARKS
    """Places to mark on the board; without any, it needs no picture."""


def advice(viewer: Viewer, given: Collection[str]) -> Coaching | None:
    """What the coach says now: a plan in the person's own turn, else a tip that is new to them. Once they have built a
    settlement or city, and traded, it says goodbye and is quiet. None if nothing is new to them, or they have nothing
    to decide."""
    view = viewer.view
    if viewer.seat is None or viewer.is_replaced or viewer.has_left or view.outcome is not None:
        return None
    goodbye = f"{LAST_WORDS}{viewer.seat}"
    if goodbye in given or not (view.awaited >> viewer.seat & 1 or unanswered(view)):
        return None
    hint = [Button(_("Hint"), Open("hint"), emoji="🧭")] if viewer.table.options.hints else []
    if _has_built(viewer) and has_traded(viewer):
        return Coaching((goodbye,), Reply(_goodbye(viewer), rows=rows(hint)))
    off = Button(_("Turn off tips"), Open("untip"), emoji="🔕")
    if is_planned(viewer):
        return _planned(viewer, given, off)
    found = next((tip for tip in TIPS if tip.name not in given and tip.fits(viewer)), None)
    if found is None:
        return None
    return Coaching((found.name,), Reply(f"🎓 {_(found.text)}", rows=rows([*hint, off])))


def is_planned(viewer: Viewer) -> bool:
    """Whether the person's present decision has a plan."""
    view = viewer.view
    mine = view.on_turn == viewer.seat and view.step.kind in PLANNED
    return (mine or view.step.kind is StepKind.DISCARD) and unanswered(view) is None


def _has_built(viewer: Viewer) -> bool:
    me = viewer.view.players[viewer.my_seat]
    return bool(me.cities) or me.settlements.bit_count() > _SETUP


def _goodbye(viewer: Viewer) -> str:
    text = _("🎓 **You've built and traded: you know the game now.** I'll be quiet from here on. Good luck!")
    if not viewer.table.options.hints:
        return text
    return sentences([text, _("**Hint**, at the game message, shows what a strong player would do.")])


def _planned(viewer: Viewer, given: Collection[str], off: Button) -> Coaching | None:
    """The goal, what is missing, and the next step, once for each position; with a tip if that step is new. What was
    said last time about the goal isn't said again."""
    view, player = viewer.view, viewer.my_seat
    mine = [offer for offer in view.offers if offer.seat == player]
    answers = sum((offer.accepted | offer.declined).bit_count() for offer in mine)
    plan = f"{PLAN}{player}."
    position = [*f"{plan}{viewer.decision}.{answers}".split(".")]
    before = next((name.split(".") for name in given if name.startswith(plan)), [])
    if before[: len(position)] == position:
        return None
    aim = goal(view)
    waits = any(offer.to & ~offer.accepted & ~offer.declined for offer in mine if not offer.accepted)
    action = None if waits else step(view, viewer.options, aim)
    new = next((tip for tip in TIPS if type(action) in tip.actions and tip.name not in given), None)
    lines = [f"🎓 {_(new.text)}"] if new is not None else []
    aimed = [f"{aim.action.name} {aim.at}", hand_code(aim.missing)] if aim is not None else []
    told = before[len(position) :]
    if aim is not None and aimed != told:
        named = "" if aimed[:1] == told[:1] else _named(view, aim)
        lines.append(f"🎯 {sentences((named, _missing(aim)))}")
    if waits:
        lines.append(_("👉 **Wait** for the answers to your offer."))
    elif action is not None:
        lines.append(f"👉 {_next(view, viewer.names, action)}")
    do = [] if action is None else do_it_button(action)
    text = "\n".join(lines)
    reply = Reply(text if new is not None else f"🎓 {text}", rows=rows([*do, off]), decision=viewer.decision)
    names = (".".join([*position, *aimed]), *([new.name] if new is not None else []))
    shown = aim is not None and (aimed[:1] != told[:1] or isinstance(action, PlaceAction))
    return Coaching(names, reply, _marks(aim) if aim is not None and shown else NO_MARKS)


def _marks(aim: Goal) -> Changes:
    """A goal's place and the roads to it."""
    return Changes(1 << aim.at if aim.at >= 0 else 0, mask_of(aim.ways))


def _named(view: View, aim: Goal) -> str:
    """The goal in words, and what it brings. Its place is named by what is seen there, and marked in the picture."""
    if isinstance(aim.action, BuyCard):
        return _("**Your goal: a development card**, most likely a knight.")
    place = _seen(view, aim.at)
    if isinstance(aim.action, BuildCity):
        return _(
            "**Your goal: a city** in place of your settlement at {place}: one more point, twice the cards.",
            place=place,
        )
    if not aim.ways:
        return _("**Your goal: a settlement at {place}**: one more point, and new cards.", place=place)
    return n_(
        "**Your goal: a settlement at {place}**, {n} road away.",
        "**Your goal: a settlement at {place}**, {n} roads away.",
        len(aim.ways),
        place=place,
    )


def _seen(view: View, at: int) -> str:
    """What everyone sees on the board at an intersection: "🌾9 🪨8 and a 3:1 harbor"."""
    board = view.board
    signs = filter(None, (corner_signs(board, at), *map(harbor, sorted(set(board.harbors_at(at))))))
    return enumeration(signs) or surroundings(board, at)


def _missing(aim: Goal) -> str:
    if any(aim.missing):
        return _("You still need {cards}.", cards=cards(aim.missing))
    return _("You have all the cards for it.")


def _next(view: View, names: Sequence[str], action: Action) -> str:
    """The next step in words; places on the way to the goal are those that are marked in the picture."""
    match action:
        case EndTurn():
            return _("**End your turn**: other players' rolls bring you cards, too.")
        case BuildRoad():
            return _("**Build the road** that is marked.")
        case BuildSettlement(at):
            return _("**Build the settlement** at {place}.", place=_seen(view, at))
        case BuildCity(at):
            return _("**Build the city** at {place}.", place=_seen(view, at))
        case _:
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
