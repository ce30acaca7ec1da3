"""The buttons of the game message and of a player's hand, what is behind *More*, the question before a turn ends, and
what a player is told privately after an action."""

from __future__ import annotations

from bot.screens import trade
from bot.screens.controls import Button, Do, Open, Reply, Row, Style, rows
from bot.screens.motions import pause_button, resume_button, turn_timer_button, void_button, ways_to_end
from bot.screens.panel import acting
from bot.screens.pickers import PICKERS, Picker, legal, several_places
from bot.screens.seats import give_seat_button, replace_button, take_back_button, take_over, withdrawing
from bot.screens.steps import PRESENTERS, presenter_of
from bot.screens.steps.discard import discard_reply, discarded_line, undo_discard_button
from bot.screens.steps.step import INLINE_OFFERS, all_offers, ask_to_build_buttons, building, catch_up, common_buttons
from bot.screens.viewer import Viewer
from bot.screens.waiting import anyone_returns
from bot.screens.wishes import own_wish_buttons
from bot.service import Done
from bot.table.seats import free_places, who_plays
from bot.table.table import ARCHIVED
from bot.words.hands import DEVELOPMENT_CARD, lacking_for_offer, missing_line, purchases, unkept_line
from bot.words.language import N_, _, n_
from bot.words.marks import cards, listing
from bot.words.narrator import line, own_line, story
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
    CloseOffer,
    Discard,
    EndTrade,
    EndTurn,
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
from engine.resources import KNIGHT, MONOPOLY, NOTHING, ROAD_BUILDING, VICTORY_POINT, YEAR_OF_PLENTY, covers
from engine.rules import data_of
from engine.views import OfferView, View

COMMON_VERBS = ("hand", "more")
"""Verbs of the buttons that everyone has in every decision (`common_buttons`). They are left out next to a hand."""

PLAYABLE: tuple[tuple[Action, int, str, str], ...] = (
    (PlayKnight(), KNIGHT, "⚔️", N_("Play Knight")),
    (PlayRoadBuilding(), ROAD_BUILDING, "🛤️", N_("Play Road Building")),
    (PlayYearOfPlenty(NOTHING), YEAR_OF_PLENTY, "🎁", N_("Play Year of Plenty")),
    (PlayMonopoly(0), MONOPOLY, "💰", N_("Play Monopoly")),
    (PlayVictoryPoint(), VICTORY_POINT, "🏆", N_("Play Victory Point")),
)
"""For each kind of card: an action that plays it, the card, its sign, and its button's label."""
CARD_ACTIONS = tuple(type(action) for action, *_rest in PLAYABLE)
"""Actions that play a development card."""

VERBS_FOR_ALL = ("draft", "offers", "ask", "undo", *COMMON_VERBS)
"""Verbs of buttons that aren't only for the player on turn: who has just ended a turn can undo that."""


def panel_controls(public: Viewer) -> list[list[Button]]:
    """The buttons that everyone sees, without those that only a bot could use."""
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
        rows = [[b for b in row if isinstance(b.target, Open) and b.target.verb in VERBS_FOR_ALL] for row in rows]
    if anyone_returns(public, bits(view.awaited)):
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
        found.append([undo_discard_button()])
    if view.awaited >> viewer.seat & 1 or view.on_turn == viewer.seat:
        found += _without_menus(view, presenter_of(view).controls(view, view.step))
    elif MakeOffer in viewer.options:
        found.append([Button(_("Offer a trade"), Open("draft"), emoji="🤝"), *ask_to_build_buttons(view)])
    else:
        found.append(ask_to_build_buttons(view))
    found.append(own_wish_buttons(viewer)[:5])
    elsewhere = COMMON_VERBS if Discard in viewer.options else (*COMMON_VERBS, "discard")
    kept = ([b for b in row if not (isinstance(b.target, Open) and b.target.verb in elsewhere)] for row in found)
    return [*_own_offer_rows(viewer), *([b for b in row if _leads_on(viewer, b)] for row in kept)]


def _without_menus(view: View, rows_: list[list[Button]]) -> list[list[Button]]:
    """The rows with a button for each thing to build in place of the menu: next to a hand, those that lead nowhere are
    left out."""
    found: list[list[Button]] = []
    for row in rows_:
        rest = [button for button in row if button.target != Open("build")]
        found += [building(view), rest] if len(rest) < len(row) else [row]
    return found


def _leads_on(viewer: Viewer, button: Button) -> bool:
    """Whether a button does something now. Those that would be refused are left out: the hand itself says what is
    missing."""
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
            return any(action in options for action in CARD_ACTIONS)
        case Open("ask"):
            return AskToBuild in options
        case Open("undo"):
            return viewer.game.can_undo(viewer.my_seat)
        case _:
            return True


def _own_offer_rows(viewer: Viewer) -> list[Row]:
    """The open offers with their buttons. If there are many, buttons lead to all and cancel the player's own."""
    view = viewer.view
    if len(view.offers) <= INLINE_OFFERS:
        return [
            row
            for offer in view.offers
            for row in trade.offer_rows(viewer, offer, "\n".join(trade.offer_lines(viewer, offer)))
        ]
    mine = [trade.withdraw_button(offer.id) for offer in view.offers if offer.seat == viewer.seat]
    return [[*mine, all_offers(view)] if view.on_turn != viewer.seat else mine]


def what_to_build(viewer: Viewer) -> Picker:
    """Ask what to build and where, or whether to buy a card, and say what is missing for everything else. Raises the
    reason if the player can't build now."""
    viewer.check_playing()
    found = [button for button in building(viewer.view) if _leads_on(viewer, button)]
    reason = viewer.why([BuyCard()], RefereeError("no-cards"))
    if not found and reason.code in ("wrong-turn", "wrong-phase"):
        raise reason
    title = _("**What do you want to build?**") if found else _("You can't build or buy anything now.")
    kinds = [PICKERS[button.target.args[0]] for button in found if isinstance(button.target, Open)]
    cards = [button for button in found if isinstance(button.target, Do)]
    return several_places(viewer, kinds, "\n".join(filter(None, (title, missing_line(viewer.view)))), cards)


def sure_to_buy(viewer: Viewer) -> Reply:
    """Ask for confirmation before a development card is bought; raises the reason if none can be."""
    viewer.check_playing()
    if BuyCard not in viewer.options:
        raise viewer.why([BuyCard()], RefereeError("wrong-turn/elsewhere"))
    cost = next(cards(purchase.cost) for purchase in purchases(viewer.view) if purchase.what == DEVELOPMENT_CARD)
    text = _("**Buy a development card** for {cost}? You can't undo this.", cost=cost)
    button = Button(_("Buy card"), Open("buy", bound=True), Style.PRIMARY, "🎴")
    return Reply(text, rows=rows([button]), decision=viewer.decision)


# --- more


def more_menu(viewer: Viewer, *, manages: bool) -> Reply:
    """Buttons for everything else; `manages`: whether the viewer manages the channel."""
    buttons = [
        catch_up(),
        Button(_("Story"), Open("log"), emoji="📜"),
        Button(_("Board"), Open("board"), emoji="🗺️"),
        Button(_("Stats"), Open("stats"), emoji="📊"),
        Button(_("Offers"), Open("offers"), emoji="📨"),
        Button(_("Rules"), Open("rules"), emoji="📖"),
        Button(_("Help"), Open("help"), emoji="💡"),
        Button(_("Settings"), Open("settings"), emoji="⚙️"),
    ]
    archived, ended = viewer.table.status == ARCHIVED, viewer.game.outcome is not None
    if _plays(viewer) and archived:
        buttons.append(resume_button())
    elif _plays(viewer):
        if viewer.table.options.hints:
            buttons.append(Button(_("Hint"), Open("hint"), emoji="🧭"))
        buttons.append(Button(_("Autopilot"), Open("orders"), emoji="📋"))
        if viewer.is_replaced:
            buttons.append(take_back_button())
        buttons.append(Button(_("Pause, leave, change…"), Open("change"), emoji="🛠️"))
    elif viewer.seat is None and not (archived or ended) and free_places(viewer.table, viewer.game):
        buttons.append(take_over())
    if manages and not (_plays(viewer) or ended):
        buttons.append(void_button())
    return Reply(_("What would you like?"), rows=rows(buttons))


def change_menu(viewer: Viewer, *, manages: bool) -> Reply:
    """Buttons to change the game itself: its turn timer, who plays in it, its end. Codes: "over", "archived",
    "not-playing"."""
    viewer.check_playing()
    if not _plays(viewer):
        raise RefereeError("over" if viewer.game.outcome is not None else "not-playing/resigned")
    if viewer.table.status == ARCHIVED:
        raise RefereeError("archived")
    seat = [give_seat_button(viewer), *withdrawing(viewer)]
    buttons = [take_back_button()] if viewer.is_replaced else []
    if viewer.decides:
        buttons += [turn_timer_button(), pause_button(viewer.table)]
    if viewer.decides and len(who_plays(viewer.table, viewer.game)) > 1:
        buttons.append(replace_button())
    buttons += [*seat, *(ways_to_end(viewer) if viewer.decides else [])]
    if manages:
        buttons.append(void_button())
    title = _("**What do you want to change about game {number}?**", number=viewer.table.number)
    hint = _("Changes for everyone need a majority.")
    return Reply(f"{title}\n-# {hint}", rows=rows(buttons))


def _plays(viewer: Viewer) -> bool:
    return viewer.seat is not None and not viewer.has_left and viewer.game.outcome is None


# --- before a turn ends

_BUILDING = (BuildRoad, BuildBridge, BuildSettlement, BuildCity, BuyCard)


def question_before_end(viewer: Viewer, action: EndTurn | EndTrade) -> Reply | None:
    """Ask for confirmation if the player could still trade; None if there is nothing to ask.

    That is: someone accepted an offer of theirs that they can keep, or hasn't answered it yet, or made an offer that
    they could accept. Before the end of a turn also: a seven would cost them cards (D4), and they can still use some.
    """
    if not viewer.options.allows(action):
        return None
    mine = [o for o in viewer.view.offers if o.seat == viewer.seat and not any(lacking_for_offer(viewer.view, o))]
    lines = [line for line in (_open_offer(viewer, offer) for offer in mine) if line]
    lines += [
        _unanswered_offer(viewer, offer) for offer in viewer.view.offers if viewer.options.allows(AcceptOffer(offer.id))
    ]
    if isinstance(action, EndTurn):
        title, end = _("**End your turn?**"), Button(_("End turn"), Open("finish", bound=True), emoji="⏭️")
        lines += filter(None, [_many_cards(viewer)])
    else:
        title = _("**Go on to build?** Your offers end then.")
        end = Button(_("Go on to build"), Open("finish", ("trade",), bound=True), emoji="🏗️")
    if not lines:
        return None
    buttons = [
        trade.close_button(viewer, offer.id, seat, several=len(mine) > 1)
        for offer in mine
        for seat in bits(offer.accepted)
        if viewer.options.allows(CloseOffer(offer.id, seat))
    ]
    controls = rows([*buttons, end, Button(_("Back"), Open("dismiss"))])
    return Reply("\n".join([title, *lines]), rows=controls, decision=viewer.decision)


def _open_offer(viewer: Viewer, offer: OfferView) -> str:
    """Who has accepted an offer, or else who hasn't answered it yet; empty if all declined."""
    values = {"n": offer.id, "give": cards(offer.give), "want": cards(offer.want)}
    waiting = offer.to & ~offer.accepted & ~offer.declined
    if offer.accepted:
        who = [viewer.marked[seat] for seat in bits(offer.accepted)]
        return n_(
            "🤝 {who} accepted your offer {offer}: you give {give} and get {want}.",
            "🤝 {who} accepted your offer {offer}: you give {give} and get {want}.",
            len(who),
            who=listing(who),
            offer=offer.id,
            **values,
        )
    if waiting:
        asked = listing((viewer.marked[seat] for seat in bits(waiting)), "or")
        return _("⏳ No answer yet from {who} to your offer {n}: {give} for {want}.", who=asked, **values)
    return ""


def _unanswered_offer(viewer: Viewer, offer: OfferView) -> str:
    """Another player's offer, which also ends with the trade."""
    values = {"n": offer.id, "give": cards(offer.give), "want": cards(offer.want)}
    return _(
        "📨 {who} gives {give} for {want}: you haven't answered offer {n}.", who=viewer.marked[offer.seat], **values
    )


def _many_cards(viewer: Viewer) -> str:
    """What a seven would cost, and what the cards are still good for; empty if nothing."""
    held = viewer.view.players[viewer.my_seat].hand_size
    if held <= data_of(viewer.view.config).discard_limit:
        return ""
    builds = any(action in viewer.options for action in _BUILDING)
    builds = builds or (EndTrade in viewer.options and any(p.possible for p in purchases(viewer.view)))
    values = {"held": held, "lost": held // 2}
    if builds and BankTrade in viewer.options:
        return _(
            "🗑️ You hold {held} cards (a 7 costs you {lost}). You can still build or trade with the bank.",
            **values,
        )
    if builds:
        return _("🗑️ You hold {held} cards (a 7 costs you {lost}). You can still build or buy.", **values)
    if BankTrade in viewer.options:
        return _("🗑️ You hold {held} cards (a 7 costs you {lost}). You can still trade with the bank.", **values)
    return ""


# --- after an action


def describe_result(played: Done) -> str:
    """What the action did, as its player can know it."""
    viewer = Viewer(played.table, played.game, played.seat)
    lines = story(played.events, viewer.view, viewer.marked)
    lines = lines or [text for e in played.events if (text := line(e, viewer.view, viewer.marked))]
    return "\n".join(lines) or _confirmation(played)


def _confirmation(played: Done) -> str:
    """What the player is told after an action that others can't notice."""
    action = action_of(played)
    for presenter in PRESENTERS.values():
        if action is not None and (sentence := presenter.confirmations.get(type(action))):
            return _(sentence)
    return _("Done.")


def action_of(played: Done) -> Action | None:
    """The action that was played."""
    return played.game.records[played.revision - 1].action


def private_news(played: Done) -> str:
    """What only the player learns from the action; empty if the panel says it all."""
    if not played.events:
        return describe_result(played)
    names = Viewer(played.table, played.game, played.seat).marked
    public = played.game.view(None)
    known = {line(event, public, names) for event in public.last}
    lines = (own_line(event, played.view, names) for event in played.events)
    return "\n".join(text for text in lines if text and text not in known)


def private_answer(played: Done, lead: str = "") -> Reply | None:
    """The lead, then what the action means for its player, with buttons to fix it; None if there is nothing to say."""
    viewer = Viewer(played.table, played.game, played.seat)
    action = action_of(played)
    if isinstance(action, TakeBackDiscard) and Discard in viewer.options:
        return discard_reply(viewer, lead)
    found = _broken_offers(played)
    lines = [lead, *(unkept_line(viewer.view, offer) for offer in found)]
    buttons = [trade.withdraw_button(offer.id) for offer in found]
    if isinstance(action, Discard) and TakeBackDiscard in viewer.options:
        lines.append(discarded_line(viewer))
        buttons.append(undo_discard_button())
    text = "\n".join(filter(None, lines))
    return Reply(text, rows=rows(buttons)) if text else None


def _broken_offers(played: Done) -> list[OfferView]:
    """The player's own offers that the action has made impossible to keep."""
    view = played.view
    return [
        offer for offer in view.offers if any(lacking_for_offer(view, offer)) and covers(played.hand_before, offer.give)
    ]
