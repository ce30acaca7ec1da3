"""A first game's tips: a line for each kind of decision when it comes for the first time, in private."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass

from bot.presentation.controls import Button, Open, Reply, rows
from bot.presentation.texts.language import N_, _
from bot.presentation.texts.marks import sign
from bot.presentation.viewer import Viewer
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
from players.table import unanswered


def _can(*actions: type[Action]) -> Callable[[Viewer], bool]:
    """Whether the person can do one of these."""
    return lambda viewer: any(action in viewer.options for action in actions)


def _alone(action: type[Action]) -> Callable[[Viewer], bool]:
    """Whether the person can do this in the main part of their turn."""
    return lambda viewer: action in viewer.options and EndTurn in viewer.options


@dataclass(frozen=True, slots=True)
class Tip:
    """What is told when something is to be decided for the first time."""

    name: str
    """As it is stored."""
    fits: Callable[[Viewer], bool]
    text: str


TIPS: Sequence[Tip] = (
    Tip(
        "offer",
        lambda viewer: unanswered(viewer.view) is not None,
        N_(
            "**Somebody offers you a trade.** Accept if what you get is what you need to build next, and what you "
            "give can wait. Declining costs nothing."
        ),
    ),
    Tip(
        "discard",
        _can(Discard),
        N_(
            "**A 7 was rolled, and you hold too many cards**: half of them go to the bank. Keep what pays for your "
            "next settlement or city. Spend early, so that a 7 costs you nothing."
        ),
    ),
    Tip(
        "robber",
        _can(MoveRobber),
        N_(
            "**You move the robber.** Where it stands, nobody gets cards. Choose a hex with a 6 or an 8 of whoever "
            "is ahead, and not one of yours; then you take a card from somebody who builds there."
        ),
    ),
    Tip("steal", _can(TakeCard), N_("**Take a card** from somebody beside the robber: which one is luck.")),
    Tip(
        "roll",
        _can(Roll),
        N_(
            "**Your turn: press Roll.** Each hex with that number gives a card to every settlement beside it, and "
            "two to a city. The dots under a number show how often it comes: 6 and 8 most often."
        ),
    ),
    Tip(
        "settlement",
        _alone(BuildSettlement),
        N_(
            "**You can build a settlement.** It is a point, and yields cards from up to three hexes. It needs two "
            "edges of distance from all others, and one of your roads. Press **Settlement**."
        ),
    ),
    Tip(
        "city",
        _alone(BuildCity),
        N_(
            "**You can build a city.** It replaces one of your settlements, is one more point, and yields double: "
            "take the settlement with the best numbers. Press **City**."
        ),
    ),
    Tip(
        "cards",
        _can(PlayKnight, PlayRoadBuilding, PlayYearOfPlenty, PlayMonopoly),
        N_(
            "**You can play a development card**, one in a turn, also before you roll. A knight drives the robber "
            "away; three of them make the largest army, which is two points. Press **Play a card**."
        ),
    ),
    Tip(
        "card",
        _alone(BuyCard),
        N_(
            "**You can buy a development card.** Most are knights; some are points, or a stroke of luck. You can "
            "play it from your next turn on. Nobody sees what it is."
        ),
    ),
    Tip(
        "road",
        _alone(BuildRoad),
        N_(
            "**You can build a road**: it leads to the place of your next settlement. Five in a row, and more than "
            "all others, are the longest road, which is two points."
        ),
    ),
    Tip(
        "bank",
        _alone(BankTrade),
        N_(
            "**You can trade with the bank**: four cards of a kind for one that you want, or three or two where you "
            "have a harbor. Press **Bank**."
        ),
    ),
    Tip(
        "trade",
        _alone(MakeOffer),
        N_(
            "**Ask the others for what you lack**: press **Offer a trade**, and close the deal if somebody accepts. "
            "When you can do nothing more, press **End turn**. **My hand** shows what you can afford."
        ),
    ),
)
"""In the order in which they come first."""


def tip(viewer: Viewer, given: Container[str]) -> tuple[str, Reply] | None:
    """The tip for what the person decides now, and its name; None where they know that, or decide nothing."""
    view = viewer.view
    if viewer.seat is None or viewer.is_replaced or viewer.has_left or view.outcome is not None:
        return None
    if not (view.awaited >> viewer.seat & 1 or unanswered(view)):
        return None
    found = next((tip for tip in TIPS if tip.name not in given and tip.fits(viewer)), None)
    if found is None:
        return None
    off = Button(_("No more tips"), Open("untip"), emoji="🔕")
    hint = [Button(_("Hint"), Open("hint"), emoji="🧭")] if viewer.table.choices.hints else []
    return found.name, Reply(f"🎓 {_(found.text)}", rows=rows([*hint, off]))


def welcome(viewer: Viewer) -> str:
    """What is told at the beginning."""
    color = viewer.view.players[viewer.player].color
    return _(
        "**Your first game: you against three computers.** You are {color}; two settlements and two roads of each "
        "stand already. Settlements are 1 point, cities 2; who has {target} first wins. I tell you what to do when "
        "something comes for the first time. Everything is in the panel below; take all the time you want.",
        color=f"{sign(color)} {_(color)}",
        target=viewer.view.config.target,
    )
