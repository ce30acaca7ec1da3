"""Orders: what the autopilot does for a player in one game, and what it has done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from bot.table.option import Boxes, Choice, Many, Sheet, number, option_field, options_of, switch
from bot.table.preferences import BUILDS
from engine.terms import N_, NN_, P_

FOR_ME = Sheet("orders", N_("What to do for me"), "🎲")
DECLINING = Sheet("declines", N_("What to decline"), "🤝")
SHEETS = (FOR_ME, DECLINING)
DOES = Boxes("does", N_("Do for me"), FOR_ME)


@dataclass(frozen=True, slots=True)
class DoneByOrder:
    """What an order has done for a player."""

    turn: int
    order: str
    about: int = 0
    """Id of the offer that was declined."""
    revision: int = 0
    """Revision of the views before it."""


HIGHEST_MINIMUM = 3
"""Highest number of cards that can be required from an offer for each card that it wants."""
MOST_FEW = 7
"""Most resource cards with which a turn can be ended for a player."""
RESOURCES = (
    Choice(0, N_("brick"), emoji="🧱"),
    Choice(1, N_("lumber"), emoji="🪵"),
    Choice(2, N_("wool"), emoji="🐑"),
    Choice(3, N_("grain"), emoji="🌾"),
    Choice(4, N_("ore"), emoji="🪨"),
)


@dataclass(frozen=True, slots=True)
class Orders:
    """A player's orders in one game: their secret."""

    user: int
    roll: bool = switch(
        P_("the autopilot", "Roll"),
        N_("**Roll for me**, unless I hold a development card"),
        hint=N_("Unless I hold a development card"),
    ).by_default(False, DOES)
    """Whether the dice are rolled for them, unless all can see that a card of theirs could come first: any card that
    they haven't played. It would tell what they hold if it depended on that (M)."""
    end: bool = switch(N_("End my turn"), hint=N_("With few cards in hand")).by_default(False, DOES)
    """Whether their turn is ended when they hold few resource cards (`few`) and no development card that could be
    played, as far as all can see, and no offer can lead to a trade anymore."""
    few: int = number(
        N_("End my turn with"),
        range(MOST_FEW + 1),
        NN_("At most {n} card", "At most {n} cards"),
        line=NN_(
            "**End my turn** with at most {n} card, no development card to play and no open offers",
            "**End my turn** with at most {n} cards, no development card to play and no open offers",
        ),
        told=lambda seat: seat.orders.end,
        greatest=MOST_FEW,
    ).by_default(1, FOR_ME)
    """Most resource cards with which their turn is ended. With one, nothing could be built, bought or traded."""
    keep: tuple[int, ...] | None = option_field(
        None,
        discards=switch(
            P_("the autopilot", "Discard"),
            N_("**Discard for me** what I have most of"),
            sheet=DOES,
            hint=N_("What I have most of"),
        ),
        keep=Many(
            N_("When you discard for me, keep"),
            RESOURCES,
            N_("**When you discard for me**, take {value} only if you must"),
            sheet=FOR_ME,
        ),
    )
    """Resources that are kept as long as possible when they must discard; None: they choose themselves."""
    never: tuple[int, ...] = Many(
        N_("Never give away"), RESOURCES, N_("**Decline offers** that want my {value}"), either=True
    ).by_default((), DECLINING)
    """Resources that they never give: all offers that want any are declined."""
    refused: tuple[int, ...] = Many(
        N_("Never trade with"),
        lambda seat: [Choice(user, name, named=True) for user, name in seat.others],
        N_("**Decline offers** from {value}"),
    ).by_default((), DECLINING)
    """Users whose offers are declined."""
    least: int = number(
        N_("Minimum I accept"),
        range(HIGHEST_MINIMUM + 1),
        NN_("{n} card for each of mine", "{n} cards for each of mine"),
        zero=N_("No minimum"),
        line=NN_(
            "**Decline offers** that give fewer than {n} card for each of mine",
            "**Decline offers** that give fewer than {n} cards for each of mine",
        ),
        greatest=HIGHEST_MINIMUM,
    ).by_default(0, DECLINING)
    """How many cards an offer must give for each card that it wants, or else it is declined; 0: no minimum."""
    building: tuple[str, ...] = Many(
        N_("Pass between turns, unless I get"),
        [Choice(what, what) for what in BUILDS],
        N_("**Pass** on building between turns unless I can get a {value}"),
        when=lambda seat: seat.special_building,
        either=True,
        hint=N_("None: I decide"),
    ).by_default((), FOR_ME)
    """Keys of `BUILDS`. In this game's special building phases, a pass is made for them while they can get none of
    these (J2); empty: as in their settings."""
    done: tuple[DoneByOrder, ...] = ()
    """What was done recently, in order."""


ORDERS = options_of(Orders)
DROPPED: dict[str, Any] = {one.name: one.default for one in fields(Orders) if one.metadata}
"""The values that mean no orders."""


@dataclass(frozen=True, slots=True)
class Seat:
    """What orders are chosen for: a seat, with the orders that it has."""

    orders: Orders
    others: Sequence[tuple[int, str]]
    """User and name of each other player."""
    special_building: bool
    """Whether the game has a special building phase (J)."""
