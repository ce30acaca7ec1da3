"""What people choose for themselves, for all their games, and how pictures are drawn."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot import languages
from bot.table.option import Boxes, Choice, Flags, Many, Option, Sheet, Typed, number, option_field, options_of, switch
from engine.actions import Action, BuildBridge, BuildCity, BuildRoad, BuildSettlement, BuyCard
from engine.terms import N_, NN_, P_

SETTINGS = Sheet("settings", N_("Your settings"), "⚙️")
BUILDING = Sheet("building", N_("Building between turns"), "🏗️")
REMINDERS = Sheet("reminders", N_("Reminders"), "⏰")
VACATION = Sheet("vacation", N_("Vacation"), "🏖️")
SHEETS = (SETTINGS, BUILDING, REMINDERS, VACATION)
SHARED = Boxes("shared", N_("Messages and leaderboards"), SETTINGS)
CONFIRMING = Boxes("asks", N_("Ask me to confirm"), SETTINGS)


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
_QUIET = Typed(N_("Quiet hours from"), sheet=REMINDERS, hint=N_("Like 22:00. Empty: no quiet hours."), longest=8)


@dataclass(frozen=True, slots=True)
class PersonalChoices:
    """A person's choices for all their games, except those with a column of their own. All have a default.

    The options are in the order in which the page shows them.
    """

    messages: bool | None = option_field(
        None,
        dms=switch(
            N_("My hand by DM, too"),
            N_("My hand by DM: **on**"),
            N_("My hand by DM: **off**"),
            sheet=SHARED,
            told=lambda settings: not (settings.dms and settings.dms_closed),
        ),
    )
    """Whether their hand comes by direct message; None: they haven't chosen, and nothing is sent to them."""
    building: tuple[str, ...] = option_field(
        (),
        calls=Option(
            N_("When to ask me"),
            (
                Choice(ALWAYS, N_("Always")),
                Choice(ASKED, N_("Only if I asked"), line=N_("Building between turns: **only if you asked**")),
                Choice(PAY, N_("Only when I can build or buy something")),
            ),
            sheet=BUILDING,
        ),
        building=Many(
            N_("Ask me if I can pay for"),
            [Choice(what, what) for what in BUILDS],
            N_("Building between turns: **only if you can get a {value}**"),
            sheet=BUILDING,
            told=lambda settings: settings.calls == PAY,
            hint=N_("None: anything"),
            either=True,
        ),
        standing=number(
            N_("Always: from how many cards"),
            range(1, MOST_STANDING + 1),
            NN_("With {n} card or more", "With {n} cards or more"),
            line=NN_(
                "Building between turns: **always**, with {n} card or more",
                "Building between turns: **always**, with {n} cards or more",
            ),
            sheet=BUILDING,
            told=lambda settings: settings.calls == ALWAYS,
            least=1,
            greatest=MOST_STANDING,
        ),
    )
    """Keys of `BUILDS`. In the special building phase, a pass is made for them while they can get none of these (J2);
    empty: never."""
    building_chosen: bool = False
    """Whether they have chosen when to be asked to build."""
    building_offered: bool = False
    """Whether they were offered that choice with a call to build; it is offered once."""
    in_words: bool = switch(
        N_("With my hand: how everyone stands, in words"),
        N_("How everyone stands: **in words, with my hand**"),
        N_("How everyone stands: **in the picture**"),
    ).by_default(False, SHARED)
    """Whether their hand says in words what the strip under the board shows, for people who don't see pictures."""
    offer_pings: bool = switch(
        N_("Ping me for offers and their answers"),
        N_("Pings for offers and their answers: **on**"),
        N_("Pings for offers and their answers: **off**"),
    ).by_default(True, SHARED)
    """Whether they are pinged for trade offers to them, and for answers to their own."""
    ask_to_buy: bool = switch(
        N_("Before I buy a development card"),
        N_("Buying a development card: **confirm first**"),
        N_("Buying a development card: **no confirmation**"),
    ).by_default(False, CONFIRMING)
    """Whether they must confirm before they buy a development card, which can't be undone."""
    ask_to_end: bool = switch(
        N_("Before I end a turn too soon"),
        N_("Ending a turn: **confirm first** if an offer is open or a 7 would cost you cards"),
        N_("Ending a turn: **no confirmation**"),
    ).by_default(True, CONFIRMING)
    """Whether they must confirm before they end a turn that they may not have meant to end yet."""
    look: Look = option_field(
        Look(),
        look=Flags(
            N_("Pictures for me alone"),
            LOOKS,
            N_("Pictures for you alone: **{value}**"),
            sheet=SETTINGS,
            none=N_("Pictures for you alone: **standard**"),
            kind=Look,
        ),
    )
    """How pictures are drawn that only they see."""
    language: str = Option(
        N_("Language"),
        lambda settings: [
            Choice(languages.AUTO, N_("As in my Discord"), line=N_("Your language: **as in your Discord**")),
            *(Choice(one.code, one.name, named=True) for one in languages.offered()),
        ],
        line=N_("Your language: **{value}**"),
        code="option/language",
    ).by_default(languages.AUTO, SETTINGS)
    """Code of the language of what only they read; `AUTO`: that of their Discord."""
    listed: bool = switch(
        N_("Show me on leaderboards"),
        N_("Leaderboards and your `/profile`: **public**"),
        N_("Leaderboards and your `/profile`: **private**. Your games still count for others."),
    ).by_default(True, SHARED)
    """Whether others see their rating and what they have played."""
    promptness: bool = switch(
        N_("Show how fast I decide"),
        N_("How fast you decide in games over days: **shown to others**"),
        N_("How fast you decide in games over days: **not shown**"),
    ).by_default(True, SHARED)
    """Whether their profile, and tables at which they would play, say how fast they decide."""
    reminders: str = Option(
        N_("Where to remind me"),
        (
            Choice(
                CHANNEL,
                N_("In the game's channel"),
                line=N_("Reminders when a game waits for you: **in the game's channel**"),
            ),
            Choice(DM, N_("By direct message"), line=N_("Reminders when a game waits for you: **by direct message**")),
            Choice(NEVER, P_("reminders", "Never"), line=N_("Reminders when a game waits for you: **never**")),
        ),
    ).by_default(CHANNEL, REMINDERS)
    """Where they are reminded that a game waits for them."""
    quiet: tuple[int, int] | None = option_field(
        None, begin=_QUIET, end=replace(_QUIET, title=N_("Quiet hours to"), hint="")
    )
    """Begin and end of the time in which they aren't reminded, in minutes of the day."""
    vacation: tuple[float, float] | None = None
    """Begin and end of their vacation, in seconds since the epoch."""
    zone: str = Typed(N_("Time zone"), hint=N_("A city is enough: Berlin")).by_default("", REMINDERS)
    """IANA name of their time zone; empty: unknown."""
    locale: str = ""
    """Code of the language of their Discord, such as "pt-BR", when they last used Harbormaster; empty: English, or
    unknown."""
    direct: int = 0
    """Id of the channel of their direct messages; 0: it was never opened."""


PERSONAL = options_of(PersonalChoices)
_DAY = Typed(N_("First day"), name="begin", sheet=VACATION, longest=10, required=True, proposed=True)
LEAVING = (
    replace(_DAY, hint=N_("Year, month, day: {example}")),
    replace(_DAY, title=N_("Last day"), name="end", shows_example=True),
    replace(PERSONAL["zone"], sheet=VACATION),
)
"""What is asked about a vacation."""


@dataclass(frozen=True, slots=True)
class UserSettings:
    """A person's settings for all their games."""

    user: int
    dms_closed: bool = False
    """Whether Discord refused a DM to them. This is kept until they switch DMs on again."""
    standing: int = USUAL
    """Cards from which they are called to the special building phase (J2), once they have chosen that; 0: never."""
    choices: PersonalChoices = PersonalChoices()
    """All other settings."""
    stopped: bool = False
    """Whether Discord doesn't let Harbormaster open direct messages at present. It isn't a choice, and isn't stored."""

    @property
    def language(self) -> languages.Language:
        """The language of what only they read."""
        return languages.resolve(self.choices.language, self.choices.locale)

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
        """When they are asked to build: `ALWAYS`, `ASKED` or `PAY`."""
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
