"""Orders: what the autopilot does for a player in one game, and what it has done."""

from __future__ import annotations

from dataclasses import dataclass

from bot.table.option import Choice, Many, number, option_field, options_of, switch
from bot.table.preferences import BUILDS
from engine.terms import N_


@dataclass(frozen=True, slots=True)
class Done:
    """What an order has done for a player."""

    turn: int
    order: str
    about: int = 0
    """Id of the offer that was declined."""
    revision: int = 0
    """Revision of the views before it."""


HIGHEST = 3
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
    roll: bool = option_field(
        False,
        switch(
            "roll",
            N_("Roll"),
            N_("**Roll for me**, unless I hold a development card"),
            hint=N_("Unless I hold a development card"),
        ),
    )
    """Whether the dice are rolled for them, unless all can see that a card of theirs could come first: any card that
    they haven't played. It would tell what they hold if it depended on that (M)."""
    end: bool = option_field(
        False,
        switch("end", N_("End my turn"), hint=N_("With few cards in hand")),
    )
    """Whether their turn is ended when they hold few resource cards (`few`) and no development card that could be
    played, as far as all can see, and no offer can lead to a trade anymore."""
    few: int = option_field(
        1,
        number(
            "few",
            N_("End my turn with"),
            range(MOST_FEW + 1),
            (N_("At most {n} card"), N_("At most {n} cards")),
            line=(
                N_("**End my turn** with at most {n} card, no development card to play and no open offers"),
                N_("**End my turn** with at most {n} cards, no development card to play and no open offers"),
            ),
            greatest=MOST_FEW,
        ),
    )
    """Most resource cards with which their turn is ended. With one, nothing could be built, bought or traded."""
    keep: tuple[int, ...] | None = option_field(
        None,
        Many(
            "keep",
            N_("When you discard for me, keep"),
            RESOURCES,
            N_("**When you discard for me**, take {value} only if you must"),
            pattern="[0-4]",
        ),
    )
    """Resources that are kept as long as possible when they must discard; None: they choose themselves."""
    never: tuple[int, ...] = option_field(
        (),
        Many(
            "never",
            N_("Never give away"),
            RESOURCES,
            N_("**Decline offers** that want my {value}"),
            either=True,
            pattern="[0-4]",
        ),
    )
    """Resources that they never give: all offers that want any are declined."""
    refused: tuple[int, ...] = option_field(
        (),
        Many(
            "refused",
            N_("Never trade with"),
            lambda others: [Choice(user, name, named=True) for user, name in others],
            N_("**Decline offers** from {value}"),
            pattern="-?[0-9]{1,20}",
        ),
    )
    """Users whose offers are declined."""
    least: int = option_field(
        0,
        number(
            "least",
            N_("Minimum I accept"),
            range(HIGHEST + 1),
            (N_("{n} card for each of mine"), N_("{n} cards for each of mine")),
            zero=N_("No minimum"),
            line=(
                N_("**Decline offers** that give fewer than {n} card for each of mine"),
                N_("**Decline offers** that give fewer than {n} cards for each of mine"),
            ),
            greatest=HIGHEST,
        ),
    )
    """How many cards an offer must give for each card that it wants, or else it is declined; 0: no minimum."""
    building: tuple[str, ...] = option_field(
        (),
        Many(
            "building",
            N_("Pass between turns, unless I get"),
            [Choice(what, what) for what in BUILDS],
            N_("**Pass** on building between turns unless I can get a {value}"),
            either=True,
            hint=N_("None: I decide"),
            pattern="|".join(BUILDS),
        ),
    )
    """Keys of `BUILDS`. In this game's special building phases, a pass is made for them while they can get none of
    these (J2); empty: as in their settings."""
    done: tuple[Done, ...] = ()
    """What was done recently, in order."""


ORDERS = options_of(Orders)
