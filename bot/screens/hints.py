"""Hints: what a bot would do in the player's place, why, and a button that does it."""

from __future__ import annotations

from collections.abc import Mapping

from bot.screens.controls import Button, Do, Open, Reply, Style, rows
from bot.screens.drafts import Draft, coded
from bot.screens.viewer import Viewer
from bot.words.hints import what
from bot.words.language import _
from bot.words.why import why
from engine.actions import (
    AcceptOffer,
    Action,
    AskToBuild,
    BankTrade,
    BuildBridge,
    BuildCity,
    BuildRoad,
    BuildSettlement,
    BuyCard,
    ChooseYield,
    CloseOffer,
    DeclineCard,
    DeclineOffer,
    Discard,
    EndTrade,
    EndTurn,
    LeaveRobber,
    MakeOffer,
    MoveRobber,
    PassOn,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    PlayVictoryPoint,
    PlayYearOfPlenty,
    Roll,
    TakeCard,
    WithdrawOffer,
)
from engine.errors import RefereeError
from players.advice import Advice
from players.table import unanswered

SURE: Mapping[type[Action], Open] = {
    BuyCard: Open("buy", bound=True),
    EndTrade: Open("finish", ("trade",), bound=True),
    EndTurn: Open("finish", bound=True),
}
"""Actions that a plain button asks to confirm, with a target that plays them directly: players who follow a hint were
told why, and mean it."""
ACTIONS: tuple[type[Action], ...] = (
    *(AcceptOffer, DeclineOffer, CloseOffer, WithdrawOffer, BuildBridge, BuildCity, BuildRoad, BuildSettlement),
    *(ChooseYield, DeclineCard, LeaveRobber, MoveRobber, PassOn, PlayKnight, PlayMonopoly, PlayRoadBuilding),
    *(PlayVictoryPoint, Roll, TakeCard),
)
"""Actions that the button of a hint plays directly."""


def check(viewer: Viewer) -> None:
    """Refuse a hint if there is nothing to decide, or the table gives no hints.

    Codes: "not-playing", "no-hints", "no-hint".
    """
    viewer.check_playing()
    if not viewer.table.options.hints:
        raise RefereeError("no-hints")
    view = viewer.view
    if view.outcome is not None or not (unanswered(view) or view.awaited >> viewer.my_seat & 1):
        raise RefereeError("no-hint")


def hint(viewer: Viewer, advice: Advice) -> Reply:
    """What to do, why, and a button that does it."""
    view, names = viewer.view, viewer.names
    text = f"🧭 {what(view, names, advice.action)}\n{why(view, names, advice)}"
    return Reply(text, rows=rows(do_it(advice.action)), decision=viewer.decision)


def do_it(action: Action) -> list[Button]:
    """The button that does what was advised, if there is one."""
    target: Do | Open | None = SURE.get(type(action))
    if isinstance(action, ACTIONS):
        target = Do(action)
    elif isinstance(action, Discard):
        target = Open("throw", (coded(action.cards),), bound=True)
    elif isinstance(action, BankTrade):
        target = Open("swap", (coded(action.give), coded(action.get)), bound=True)
    elif isinstance(action, PlayYearOfPlenty):
        target = Open("plenty", (coded(action.cards),), bound=True)
    elif isinstance(action, AskToBuild):
        target = Open("ask")
    elif isinstance(action, MakeOffer):
        to = sum(1 << seat for seat in action.to)
        target = Open("offer", Draft(action.give, action.want, to, action.answers).args)
    return [] if target is None else [Button(_("Do it"), target, Style.PRIMARY, "✅")]
