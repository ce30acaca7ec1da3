"""Hints: what a bot would do in the player's place, why, and a button that does it. After a game, its review: what a
player's choices were worth, which only they see until they share it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.screens.controls import Button, Do, ListOption, Open, Reply, Row, Select, Style, hand_code, rows
from bot.screens.drafts import Draft
from bot.screens.viewer import Viewer
from bot.words.hints import what
from bot.words.language import _, sentences
from bot.words.marks import listing
from bot.words.places import names_of
from bot.words.why import moment_lines, moment_title, why
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
    PlaceAction,
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
from engine.terms import PlaceKind
from players.advice import Advice
from players.moments import Moment
from players.table import unanswered

WITHOUT_QUESTION: Mapping[type[Action], Open] = {
    BuyCard: Open("buy", bound=True),
    EndTrade: Open("finish", ("trade",), bound=True),
    EndTurn: Open("finish", bound=True),
}
"""Actions that a plain button asks to confirm, with a target that plays them directly: players who follow a hint were
told why, and mean it."""
DIRECT_ACTIONS: tuple[type[Action], ...] = (
    *(AcceptOffer, DeclineOffer, CloseOffer, WithdrawOffer, BuildBridge, BuildCity, BuildRoad, BuildSettlement),
    *(ChooseYield, DeclineCard, LeaveRobber, MoveRobber, PassOn, PlayKnight, PlayMonopoly, PlayRoadBuilding),
    *(PlayVictoryPoint, Roll, TakeCard),
)
"""Actions that the button of a hint plays directly."""


def check_hint(viewer: Viewer) -> None:
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
    return Reply(text, rows=rows(do_it_button(advice.action)), decision=viewer.decision)


def do_it_button(action: Action) -> list[Button]:
    """The button that does what was advised, if there is one."""
    target: Do | Open | None = WITHOUT_QUESTION.get(type(action))
    if isinstance(action, DIRECT_ACTIONS):
        target = Do(action)
    elif isinstance(action, Discard):
        target = Open("throw", (hand_code(action.cards),), bound=True)
    elif isinstance(action, BankTrade):
        target = Open("swap", (hand_code(action.give), hand_code(action.get)), bound=True)
    elif isinstance(action, PlayYearOfPlenty):
        target = Open("plenty", (hand_code(action.cards),), bound=True)
    elif isinstance(action, AskToBuild):
        target = Open("ask")
    elif isinstance(action, MakeOffer):
        to = sum(1 << seat for seat in action.to)
        target = Open("offer", Draft(action.give, action.want, to, action.answers).args)
    return [] if target is None else [Button(_("Do it"), target, Style.PRIMARY, "✅")]


# --- the review of a game

Moments = tuple[Sequence[Moment], Sequence[Moment]]
"""The moments that cost most, and the best."""
MarkedPlaces = dict[PlaceKind, list[int]]


def review_buttons(viewer: Viewer) -> list[Row]:
    """The button that opens the review, for players of a finished game."""
    if viewer.view.outcome is None or viewer.seat is None:
        return []
    return [[Button(_("My best and worst moves"), Open("moments"), emoji="🎯")]]


def review(viewer: Viewer, findings: Moments, *, shared: bool, shown: int = 0) -> Reply:
    """The choices that cost most, and the best, with a button to share them; `shared_review`: they are shared already.

    `shown`: number of the moment whose board belongs to it (`moment_board`).
    """
    lines, moment = moment_lines(viewer.names, *findings), _moment(findings, shown)
    text = [
        _("### 🎯 Your moves in game {number}", number=viewer.table.number),
        lines or _("No single choice made much of a difference."),
        _("-# How each changed your chance to win, next to the best other choice. Only you see this."),
    ]
    if shared:
        text[-1] = _("-# Shared with everyone here.")
    if moment is not None:
        text.append(
            _("-# On the board: {moment}. {places}", moment=moment_title(moment), places=_place_names(moment)).rstrip()
        )
    options = [
        ListOption(str(n), moment_title(each), default=each is moment)
        for n, each in enumerate([*findings[0], *findings[1]])
    ]
    rows: list[Row] = [Select(_("See the board of a move"), Open("moment"), options)] if options else []
    if lines and not shared:
        rows.append([Button(_("Share"), Open("share"), emoji="📣")])
    return Reply("\n".join(text), rows=rows)


def moment_board(viewer: Viewer, findings: Moments, shown: int) -> tuple[Viewer, MarkedPlaces] | None:
    """A moment as the viewer saw it, and the places to mark: those of both choices. None if there are no moments."""
    moment = _moment(findings, shown)
    if moment is None:
        return None
    marked: MarkedPlaces = {}
    for action in (place for side in _both_choices(moment) for place in side):
        marked.setdefault(action.place, []).append(action.at)
    return viewer.showing(moment.view), marked


def shared_review(viewer: Viewer, findings: Moments) -> Reply:
    """The review as everyone sees it."""
    assert viewer.seat is not None
    title = _("### 🎯 {name}'s moves in game {number}", name=viewer.marked[viewer.seat], number=viewer.table.number)
    note = _("-# How each changed the chance to win, next to the best other choice.")
    return Reply("\n".join((title, moment_lines(viewer.names, *findings), note)))


def _moment(findings: Moments, shown: int) -> Moment | None:
    """The moment with a number; the last one if there are fewer."""
    found = [*findings[0], *findings[1]]
    return found[min(shown, len(found) - 1)] if found else None


def _both_choices(moment: Moment) -> tuple[list[PlaceAction], list[PlaceAction]]:
    """The places of the choice and of the other one, with what followed the better of the two."""
    mine: tuple[Action, ...] = (moment.action,)
    other: tuple[Action, ...] = (moment.other,)
    if moment.gain > 0.0:
        mine += moment.then
    else:
        other += moment.then
    chosen = [action for action in mine if isinstance(action, PlaceAction)]
    return chosen, [each for each in other if isinstance(each, PlaceAction) and each not in chosen]


def _place_names(moment: Moment) -> str:
    """The marked places by name, with what they are."""
    mine, other = [
        [f"**{names_of(moment.view, each.place)[each.at]}**" for each in side] for side in _both_choices(moment)
    ]
    found = [_("Your move: {places}.", places=listing(mine))] if mine else []
    if other and moment.gain < 0.0:
        found.append(_("The better choice: {places}.", places=listing(other)))
    elif other:
        found.append(_("Next best: {places}.", places=listing(other)))
    return sentences(found)
