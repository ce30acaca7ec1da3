"""Orders: what a player has decided in advance, for the autopilot to do for them, and what it does now. They are the
player's secret. No one can tell an order from a quick player: its record looks the same.

When a player is quick can reveal what they hold (M). So whether an order rolls or ends the turn follows from what all
can see: how many cards there are, not which. Only a pass between turns may depend on them (J2).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from bot.table.act import By, GameAct
from bot.table.acts.play import ORDER, Play
from bot.table.orders import DoneByOrder, Orders
from bot.table.preferences import BUILDS
from bot.table.seats import check_playing
from bot.table.table import People, Table, tell_standing
from engine.actions import Action, AskToBuild, DeclineOffer, Discard, EndTurn, PassOn, Roll
from engine.domains import Cards
from engine.errors import RefereeError
from engine.events import DiscardTakenBack, Undone
from engine.game import Game
from engine.offer import Offer
from engine.record import REFEREE
from engine.resources import Hand, hand
from engine.steps.special import SpecialBuilding
from engine.steps.turn import PreRollView

# --- what orders want done

ROLL, END, DISCARD, DECLINE, PASS = "roll", "end", "discard", "decline", "pass"
"""What an order does."""
GETTING = tuple({action for actions in BUILDS.values() for action in actions})


def automatic_action(table: Table, game: Game, people: People, seat: int) -> tuple[Action, str] | None:
    """The action that a seat's orders want done now, and which order it is; None: nothing."""
    member, state = table.member_at(game, seat), game.state
    if member.level or state.resigned >> seat & 1 or game.outcome is not None:
        return None
    step, mine = state.agenda[-1], table.orders_of(member.user)
    if isinstance(step, SpecialBuilding) and step.seat == seat:
        return (PassOn(), PASS) if _passes(table, game, people, seat) else None
    if mine == Orders(member.user):
        return None
    if seat in game.to_act and (choice := _decided(mine, game, seat)) is not None:
        return choice
    for offer in state.offers:
        decline = DeclineOffer(offer.id)  # it must wait while a card's roads are being placed, for example
        if offer.accepted >> seat & 1 or not game.options(seat).allows(decline):
            continue
        if _refuses(mine, table, game, offer):
            return decline, DECLINE
    return None


def builds(table: Table, people: People, user: int) -> tuple[str, ...]:
    """What a user wants to be asked about in a game's special building phases; empty: they are asked in any case."""
    return table.orders_of(user).building or people.of(user).choices.building


def _passes(table: Table, game: Game, people: People, seat: int) -> bool:
    """Whether a seat that is called to build can get nothing that it wants to be asked about (J2). A seat that asked
    for this phase wants whatever there is, and who has built in it passes themselves."""
    asked, options = builds(table, people, table.user_at(game, seat)), game.options(seat)
    if asked and (latest := _latest_of(game, seat)) is not None:
        if not isinstance(latest, AskToBuild):
            return False
        asked = tuple(BUILDS)
    return bool(asked) and not any(action in options for what in asked for action in BUILDS.get(what, ()))


def _latest_of(game: Game, seat: int) -> Action | None:
    """What a seat that is called to build did last about that: ask for this phase, or get something in it."""
    for record in game.turn_records:
        if record.actor == seat and isinstance(record.action, AskToBuild):
            return record.action if record.action.wanted else None
        if record.actor == seat and isinstance(record.action, GETTING):
            return record.action
    return None


def _decided(mine: Orders, game: Game, seat: int) -> tuple[Action, str] | None:
    """What a player's orders say about the decision that they owe; None: nothing."""
    options = game.options(seat)
    if mine.roll and Roll in options and not _may_play_card(game, seat):
        return Roll(), ROLL
    if mine.keep is not None and isinstance(cards := options.get(Discard), Cards):
        if DiscardTakenBack(seat) in game.view(None).events:  # a player who undid it wants to choose (D4)
            return None
        return Discard(thrown(cards, mine.keep)), DISCARD
    if mine.end and EndTurn in options and _has_little(mine, game, seat):
        return None if _has_ended(game, seat) else (EndTurn(), END)
    return None


def _may_play_card(game: Game, seat: int) -> bool:
    """Whether the seat on turn can play a development card now, as far as all can see."""
    state, step = game.state, game.view(None).step
    if isinstance(step, PreRollView):
        return step.may_play_card
    return any(state.development_cards[seat]) and not state.card_played


def _has_little(mine: Orders, game: Game, seat: int) -> bool:
    """Whether, as far as all can see, the seat on turn has as little left to do as its player's orders require."""
    few = sum(game.state.hands[seat]) <= mine.few
    return few and not _may_play_card(game, seat) and not any(map(_is_live, game.state.offers))


def _is_live(offer: Offer) -> bool:
    """Whether an offer can still lead to a trade: a player has accepted it, or hasn't answered yet."""
    return bool(offer.accepted or offer.to & ~offer.declined)


def _has_ended(game: Game, seat: int) -> bool:
    """Whether the seat on turn has ended this turn before, and undone that: the player wants to go on themselves."""
    if Undone(seat) not in game.view(None).events:
        return False
    return (seat, EndTurn()) in ((record.actor, record.action) for record in game.turn_records)


def thrown(cards: Cards, keep: tuple[int, ...]) -> Hand:
    """The cards to discard for a player who would keep some resources: the others first, each time one that they have
    most of."""
    left, chosen = list(cards.caps), [0] * 5
    for _ in range(cards.total):
        kind = max(range(5), key=lambda r: (left[r] > 0, r not in keep, left[r], -r))
        left[kind] -= 1
        chosen[kind] += 1
    return hand(chosen)


def _refuses(mine: Orders, table: Table, game: Game, offer: Offer) -> bool:
    """Whether a player never accepts such an offer: it wants a resource that they don't give, comes from a user they
    don't trade with, or gives too little."""
    if any(offer.want[kind] for kind in mine.never) or table.user_at(game, offer.seat) in mine.refused:
        return True
    return too_little(mine, offer)


def too_little(mine: Orders, offer: Offer) -> bool:
    """Whether an offer gives less than the player's minimum for each card that it wants."""
    return sum(offer.give) < mine.least * sum(offer.want)


# --- acts

MOST_DONE = 20
"""How many of the things done by order are kept, to be reported to the player."""


@dataclass(frozen=True, slots=True)
class GiveOrders(GameAct):
    """Change a player's orders, by fields of `Orders`; those left out stay. No one else notices.

    Codes: "not-playing", "replaced", "orders/no special building".
    """

    kind = "orders"
    changes: Mapping[str, Any]

    def during(self, table: Table, game: Game, by: By) -> Table:
        check_playing(table, game, by.user)
        if self.changes.get("building") and not game.rules.data.special_building:
            raise RefereeError("orders/no special building")
        table = table.ordered(replace(table.orders_of(by.user), **self.changes))
        tell_standing(table, game, by.people, table.seat_at(game, table.users.index(by.user)))
        return table


@dataclass(frozen=True, slots=True)
class CarryOut(GameAct):
    """Do what a seat's orders want done. If they want nothing by now, nothing happens."""

    kind = "order"
    seat: int
    plays = True

    def during(self, table: Table, game: Game, by: By) -> Table:
        choice = None if table.paused else automatic_action(table, game, by.people, self.seat)
        if choice is None:
            return table
        action, order = choice
        about = action.offer if isinstance(action, DeclineOffer) else 0
        done = DoneByOrder(game.turn, order, about, game.public_revision)
        user = table.user_at(game, self.seat)
        table = Play(action, how=ORDER).during(table, game, replace(by, user=user))
        mine = table.orders_of(user)
        return table.ordered(replace(mine, done=(*mine.done, done)[-MOST_DONE:]))

    def acted(self, table: Table, game: Game, by: By) -> int:
        choice = automatic_action(table, game, by.people, self.seat)
        if choice is None:
            return REFEREE
        return Play(choice[0]).acted(table, game, replace(by, user=table.user_at(game, self.seat)))
