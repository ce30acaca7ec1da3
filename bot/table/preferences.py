"""What people choose for themselves, for all their games, and how pictures are drawn."""

from __future__ import annotations

from dataclasses import dataclass

from bot.table.option import Choice, Flags, Many, Option, number, option_field, options_of, switch
from engine.actions import Action, BuildBridge, BuildCity, BuildRoad, BuildSettlement, BuyCard
from engine.terms import N_


@dataclass(frozen=True, slots=True)
class Look:
    """How pictures are drawn."""

    colorblind: bool = False
    """Whether the players' colors are those that all eyes can tell apart best."""
    dark: bool = False
    large: bool = False
    """Whether numbers and names are larger."""


LOOKS = (
    Choice("colorblind", N_("color-blind palette"), emoji="👁️"),
    Choice("dark", N_("dark pictures"), emoji="🌙"),
    Choice("large", N_("large text"), emoji="🔍"),
)
"""The fields of a `Look`."""


BUILDS: dict[str, tuple[type[Action], ...]] = {
    N_("road"): (BuildRoad, BuildBridge),
    N_("settlement"): (BuildSettlement,),
    N_("city"): (BuildCity,),
    N_("development card"): (BuyCard,),
}
"""What a player can choose to be asked about in the special building phase, with the actions for it."""


CHANNEL, DM, NEVER = "channel", "dm", "never"
"""Where a person is reminded."""


ALWAYS, ASKED, PAY = "always", "asked", "pay"
"""When a person wants to be asked in the special building phase (J2)."""
USUAL, MOST_STANDING = 4, 20
"""Cards from which a player who wants it is called to the special building phase without asking (J2): the default, and
the highest number that can be chosen."""
CALLS = Option(
    "calls",
    N_("When to ask me"),
    (
        Choice(ALWAYS, N_("Always")),
        Choice(ASKED, N_("Only if I asked"), line=N_("Building between turns: **only if you asked**")),
        Choice(PAY, N_("Only when I can build or buy something")),
    ),
)
STANDING = number(
    "standing",
    N_("Always: from how many cards"),
    range(1, MOST_STANDING + 1),
    (N_("With {n} card or more"), N_("With {n} cards or more")),
    line=(
        N_("Building between turns: **always**, with {n} card or more"),
        N_("Building between turns: **always**, with {n} cards or more"),
    ),
    least=1,
    greatest=MOST_STANDING,
)


@dataclass(frozen=True, slots=True)
class Choices:
    """A person's choices for all their games, except those with a column of their own. All have a default."""

    building: tuple[str, ...] = option_field(
        (),
        Many(
            "building",
            N_("Ask me if I can pay for"),
            [Choice(what, what) for what in BUILDS],
            N_("Building between turns: **only if you can get a {value}**"),
            hint=N_("None: anything"),
            pattern="|".join(BUILDS),
            either=True,
        ),
    )
    """Keys of `BUILDS`. In the special building phase, a pass is made for them while they can get none of these (J2);
    empty: never."""
    building_chosen: bool = False
    """Whether they have chosen when to be asked to build."""
    building_offered: bool = False
    """Whether they were offered that choice with a call to build; it is offered once."""
    offer_pings: bool = option_field(
        True,
        switch(
            "offer_pings",
            N_("Ping me for offers and their answers"),
            N_("Pings for offers and their answers: **on**"),
            N_("Pings for offers and their answers: **off**"),
        ),
    )
    """Whether they are pinged for trade offers to them, and for answers to their own."""
    ask_to_buy: bool = option_field(
        False,
        switch(
            "ask_to_buy",
            N_("Before I buy a development card"),
            N_("Buying a development card: **confirm first**"),
            N_("Buying a development card: **no confirmation**"),
        ),
    )
    """Whether they must confirm before they buy a development card, which can't be undone."""
    look: Look = option_field(
        Look(),
        Flags(
            "look",
            N_("Pictures for me alone"),
            LOOKS,
            N_("Pictures for you alone: **{value}**"),
            none=N_("Pictures for you alone: **standard**"),
            kind=Look,
        ),
    )
    """How pictures are drawn that only they see."""
    in_words: bool = option_field(
        False,
        switch(
            "in_words",
            N_("With my hand: how everyone stands, in words"),
            N_("How everyone stands: **in words, with my hand**"),
            N_("How everyone stands: **in the picture**"),
        ),
    )
    """Whether their hand says in words what the strip under the board shows, for people who don't see pictures."""
    reminders: str = option_field(
        CHANNEL,
        Option(
            "reminders",
            N_("Where to remind me"),
            (
                Choice(
                    CHANNEL,
                    N_("In the game's channel"),
                    line=N_("Reminders when a game waits for you: **in the game's channel**"),
                ),
                Choice(
                    DM, N_("By direct message"), line=N_("Reminders when a game waits for you: **by direct message**")
                ),
                Choice(NEVER, N_("Never"), line=N_("Reminders when a game waits for you: **never**")),
            ),
        ),
    )
    """Where they are reminded that a game waits for them."""
    zone: str = ""
    """IANA name of their time zone; empty: unknown."""
    quiet: tuple[int, int] | None = None
    """Begin and end of the time in which they aren't reminded, in minutes of the day."""
    vacation: tuple[float, float] | None = None
    """Begin and end of their vacation, in seconds since the epoch."""
    ask_to_end: bool = option_field(
        True,
        switch(
            "ask_to_end",
            N_("Before I end a turn too soon"),
            N_("Ending a turn: **confirm first** if an offer is open or a 7 would cost you cards"),
            N_("Ending a turn: **no confirmation**"),
        ),
    )
    """Whether they must confirm before they end a turn that they may not have meant to end yet."""
    listed: bool = option_field(
        True,
        switch(
            "listed",
            N_("Show me on leaderboards"),
            N_("Leaderboards and your `/profile`: **public**"),
            N_("Leaderboards and your `/profile`: **private**. Your games still count for others."),
        ),
    )
    """Whether others see their rating and what they have played."""
    messages: bool | None = None
    """Whether their hand comes by direct message; None: they haven't chosen, and nothing is sent to them."""
    direct: int = 0
    """Id of the channel of their direct messages; 0: it was never opened."""


PERSONAL = options_of(Choices)


@dataclass(frozen=True, slots=True)
class UserSettings:
    """A person's settings for all their games."""

    user: int
    dms_closed: bool = False
    """Whether Discord refused a DM to them. This is kept until they switch DMs on again."""
    standing: int = USUAL
    """Cards from which they are called to the special building phase (J2), once they have chosen that; 0: never."""
    choices: Choices = Choices()
    """All other settings."""
    stopped: bool = False
    """Whether Discord doesn't let Harbormaster open direct messages at present. It isn't a choice, and isn't stored."""

    @property
    def dms(self) -> bool:
        """Whether they have asked for their hand by direct message."""
        return self.choices.messages is True

    @property
    def called_from(self) -> int:
        """Cards from which games call them to build without their asking (J2); 0 (never) until they choose otherwise.

        Earlier releases called all players, and stored only a number other than the default as a choice.
        """
        return self.standing if self.choices.building_chosen or self.standing != USUAL else 0

    @property
    def calls(self) -> str:
        """When they are asked to build: a value of `CALLS`."""
        return ASKED if self.called_from == 0 else PAY if self.choices.building else ALWAYS

    @property
    def called_by_dm(self) -> bool:
        """Whether a direct message, not a ping in the channel, calls them when a game waits for them."""
        return self.choices.reminders == DM and self.dms and not self.unreachable

    @property
    def in_channel(self) -> bool:
        """Whether they are reminded in the game's channel, if they want reminders."""
        return self.choices.reminders == CHANNEL or self.unreachable

    @property
    def unreachable(self) -> bool:
        """Whether no direct message can call them at present. Opening their channel could take hours."""
        return self.dms_closed or self.stopped or not self.choices.direct
