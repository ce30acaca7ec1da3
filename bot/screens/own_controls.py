"""The panel's buttons without those for bots, and a player's own buttons next to their hand."""

from __future__ import annotations

from bot.screens import offers
from bot.screens.agreement import pause_button, resume_button
from bot.screens.controls import Button, Do, Open, Reply, Row, Style, rows
from bot.screens.panel import acting
from bot.screens.pickers import PICKERS, Picker, legal, several
from bot.screens.seats import take_back_button
from bot.screens.steps import presenter_of
from bot.screens.steps.discard import take_back
from bot.screens.steps.step import INLINE_OFFERS, all_offers, ask_to_build_buttons, building, catch_up, common_buttons
from bot.screens.viewer import Viewer
from bot.screens.waiting import returns
from bot.screens.wishes import own_buttons
from bot.table.table import ARCHIVED
from bot.words.language import _
from bot.words.marks import cards
from bot.words.purchases import DEVELOPMENT_CARD, missing, purchases
from engine.actions import (
    AskToBuild,
    BankTrade,
    BuyCard,
    Discard,
    MakeOffer,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    PlayVictoryPoint,
    PlayYearOfPlenty,
    TakeBackDiscard,
)
from engine.errors import RefereeError
from engine.geometry import bits
from engine.views import View

COMMON = ("hand", "more")
"""Verbs of the buttons that all have in every decision (`common_buttons`). They are left out next to a hand."""

PLAYED = (PlayKnight, PlayRoadBuilding, PlayYearOfPlenty, PlayMonopoly, PlayVictoryPoint)
"""Actions that play a development card."""

FOR_ALL = ("draft", "offers", "ask", *COMMON)
"""Verbs of buttons that aren't only for the player on turn."""


def panel_controls(public: Viewer) -> list[list[Button]]:
    """The buttons that all see, without those that only a bot could use."""
    view = public.view
    rows = presenter_of(view).controls(view, view.step)
    if view.outcome is not None:
        return rows
    if public.table.paused:
        return [[pause_button(public.table), *common_buttons()]]
    if public.table.lesson and public.table.options.hints:
        min(rows[-2:], key=len).append(Button(_("Hint"), Open("hint")))
    if view.undo is not None and public.computers >> view.undo & 1:
        rows = [[b for b in row if not (isinstance(b.target, Open) and b.target.verb == "undo")] for row in rows]
    if not acting(view) & ~public.computers:
        rows = [[b for b in row if isinstance(b.target, Open) and b.target.verb in FOR_ALL] for row in rows]
    if returns(public, bits(view.awaited)):
        rows = [*rows, [catch_up()]]
    return rows


def own_controls(viewer: Viewer) -> list[Row]:
    """A player's own buttons in rows; bound ones are for their own decision."""
    view = viewer.view
    if viewer.seat is None or viewer.has_left or view.outcome is not None:
        return []
    if viewer.table.status == ARCHIVED:
        return [[resume_button()]]
    if viewer.is_replaced:
        return [[take_back_button()]]
    if viewer.table.paused:
        return [[pause_button(viewer.table)]]
    found: list[list[Button]] = []
    if TakeBackDiscard in viewer.options:
        found.append([take_back()])
    if view.awaited >> viewer.seat & 1 or view.on_turn == viewer.seat:
        found += _without_menus(view, presenter_of(view).controls(view, view.step))
    elif MakeOffer in viewer.options:
        found.append([Button(_("Offer a trade"), Open("draft"), emoji="🤝"), *ask_to_build_buttons(view)])
    else:
        found.append(ask_to_build_buttons(view))
    found.append(own_buttons(viewer)[:5])
    elsewhere = COMMON if Discard in viewer.options else (*COMMON, "discard")
    kept = ([b for b in row if not (isinstance(b.target, Open) and b.target.verb in elsewhere)] for row in found)
    return [*_offers(viewer), *([b for b in row if _leads_on(viewer, b)] for row in kept)]


def _without_menus(view: View, rows_: list[list[Button]]) -> list[list[Button]]:
    """Rows in which what can be built has its own buttons: next to a hand, those that lead nowhere are left out."""
    found: list[list[Button]] = []
    for row in rows_:
        rest = [button for button in row if button.target != Open("build")]
        found += [building(view), rest] if len(rest) < len(row) else [row]
    return found


def _leads_on(viewer: Viewer, button: Button) -> bool:
    """Whether a button leads to no refusal. Others are left out: the hand itself says what is missing."""
    options = viewer.options
    match button.target:
        case Do(action):
            return options.allows(action)
        case Open("place", (group,)) if group in PICKERS:
            return bool(legal(viewer, PICKERS[group]))
        case Open("draft", ()):
            return MakeOffer in options and viewer.view.players[viewer.my_seat].hand_size > 0
        case Open("bank"):
            return bool(options.get(BankTrade))
        case Open("cards"):
            return any(action in options for action in PLAYED)
        case Open("ask"):
            return AskToBuild in options
        case Open("undo"):
            return viewer.game.can_undo(viewer.my_seat)
        case _:
            return True


def _offers(viewer: Viewer) -> list[Row]:
    """The open offers with their buttons. If there are many, buttons lead to all and cancel the player's own."""
    view = viewer.view
    if len(view.offers) <= INLINE_OFFERS:
        return [
            row
            for offer in view.offers
            for row in offers.shown(viewer, offer, "\n".join(offers.offer_lines(viewer, offer)))
        ]
    mine = [offers.withdraw(offer.id) for offer in view.offers if offer.seat == viewer.seat]
    return [[*mine, all_offers(view)] if view.on_turn != viewer.seat else mine]


def what_to_build(viewer: Viewer) -> Picker:
    """The question what to build and where, or whether to buy a card, and what is missing for all else. Raises the
    reason if it isn't the player's time to build."""
    viewer.check_playing()
    found = [button for button in building(viewer.view) if _leads_on(viewer, button)]
    reason = viewer.why([BuyCard()], RefereeError("no-cards"))
    if not found and reason.code in ("wrong-turn", "wrong-phase"):
        raise reason
    title = _("**What do you want to build?**") if found else _("You can't build or buy anything now.")
    kinds = [PICKERS[button.target.args[0]] for button in found if isinstance(button.target, Open)]
    cards = [button for button in found if isinstance(button.target, Do)]
    return several(viewer, kinds, "\n".join(filter(None, (title, missing(viewer.view)))), cards)


def sure_to_buy(viewer: Viewer) -> Reply:
    """Ask for confirmation before a development card is bought; raises the reason if none can be."""
    viewer.check_playing()
    if BuyCard not in viewer.options:
        raise viewer.why([BuyCard()], RefereeError("wrong-turn/elsewhere"))
    cost = next(cards(purchase.cost) for purchase in purchases(viewer.view) if purchase.what == DEVELOPMENT_CARD)
    text = _("**Buy a development card** for {cost}? You can't undo this.", cost=cost)
    button = Button(_("Buy card"), Open("buy", bound=True), Style.PRIMARY, "🎴")
    return Reply(text, rows=rows([button]), decision=viewer.decision)
