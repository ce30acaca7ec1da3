"""A table's options: those of its rules, which are fields of the engine's configuration, and its own.

They are declared in the order in which pages show them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from bot import languages
from bot.table.option import Boxes, Choice, Flags, Many, Option, Sheet, named, number, option_field, options_of, switch
from bot.table.preferences import LOOKS, Look
from engine.config import Config
from engine.rules import data_of
from engine.scenarios import SCENARIOS
from engine.scenarios import Option as Own
from engine.terms import N_, NN_, P_
from engine.variants import VARIANTS

AS_RULES = Sheet("set_rules", N_("Rules and points"), "📖")
BOARD = Sheet("set_board", N_("Board"), "🗺️")
LAND = Sheet("set_land", N_("Land"), "🌾")
AT_TABLE = Sheet("set_table", N_("Table and pictures"), "🎨")
TIMER = Sheet("pace", N_("Turn timer"), "⏳")
SHEETS = (AS_RULES, BOARD, LAND, AT_TABLE, TIMER)
SWITCHES = Boxes("table", N_("At this table"), AT_TABLE)

REMIND, DECIDE, VOTE = "remind", "decide", "vote"
"""What follows when a decision's time is over: only reminders, the plainest choice, or a vote to replace the player."""
MINUTE, HOUR, DAY = 60, 3600, 86_400
SHORTEST_PACE, LONGEST_PACE, HURRIED = 2 * MINUTE, 14 * DAY, HOUR
"""Shortest and longest turn timer, and the longest that counts as one of minutes (J2), in seconds."""
PACES = (
    *(0, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 8 * HOUR, 12 * HOUR),
    *(DAY, 2 * DAY, 3 * DAY, 5 * DAY, 7 * DAY, 14 * DAY),
)
"""Turn timers to choose from, in seconds; 0: no limit."""
EXPIRIES = (
    Choice(REMIND, N_("Only reminders"), line=N_("**When time runs out:** reminders only")),
    Choice(
        DECIDE,
        N_("The simplest move is made for them"),
        line=N_("**When time runs out:** the simplest move is made for them"),
    ),
    Choice(VOTE, N_("The others can vote for a bot"), line=N_("**When time runs out:** the others can vote for a bot")),
)


def _spoken(table: Any) -> list[Choice]:
    """The languages for a table; for new ones, which have no number yet, also the host's.

    Tables that were opened before there were languages have chosen none and go on in English.
    """
    english, *others = (Choice(one.code, one.name, named=True) for one in languages.offered())
    if not table.number:
        return [Choice(languages.AUTO, N_("The host's language")), english, *others]
    return [replace(english, value=languages.AUTO) if table.options.language == languages.AUTO else english, *others]


HIDDEN, ONCE_OVER, LIVE = "never", "over", "running"
"""Which games anyone can see in a browser where the host serves pages, the strictest first."""
ON_THE_WEB = (
    Choice(
        HIDDEN,
        P_("on the web", "Never"),
        N_("Pages of games are given in Discord only"),
        line=N_("**On the web:** never"),
    ),
    Choice(
        ONCE_OVER,
        N_("When the game is over"),
        N_("Anyone who has or guesses the address can see it"),
        line=N_("**On the web:** when the game is over, for everyone who has or guesses the address"),
    ),
    Choice(
        LIVE,
        N_("Also while the game runs"),
        N_("Anyone can follow it, without the secrets"),
        line=N_("**On the web:** also while the game runs, for everyone who has or guesses the address"),
    ),
)


@dataclass(frozen=True, slots=True)
class TableOptions:
    """What is chosen for a table in addition to its rules. A rematch takes it over."""

    pace: int = number(
        N_("Turn timer"),
        PACES,
        N_("{time}"),
        zero=N_("No timer"),
        none=N_("**No timer** (reminders after a day)"),
        line=N_("**Turn timer:** {time}"),
        least=SHORTEST_PACE,
        greatest=LONGEST_PACE,
        fixed=True,
        code="pace",
    ).by_default(0, TIMER)
    """The turn timer: seconds for a decision; 0: no limit."""
    expiry: str = Option(
        N_("When time runs out"), EXPIRIES, told=lambda table: table.options.pace > 0, fixed=True
    ).by_default(REMIND, TIMER)
    """What follows when a decision's time is over."""
    leave: int = number(
        N_("Vacation"),
        (0, 3, 7, 14, 21, 30, 60),
        NN_("Vacation: up to {n} day", "Vacation: up to {n} days"),
        zero=N_("Vacation doesn't stop the timer"),
        line=NN_("**Vacation:** up to {n} day", "**Vacation:** up to {n} days"),
        greatest=60,
        told=lambda table: table.options.pace > 0,
        fixed=True,
    ).by_default(14, TIMER)
    """Days of vacation for each person for which their time stands still."""
    hints: bool = switch(N_("Hints"), off=N_("**No hints**"), fixed=True).by_default(True, SWITCHES)
    """Whether players can ask what a bot would do."""
    counting: bool = switch(N_("Card counting aid"), N_("**Card counting aid** in *My hand*"), fixed=True).by_default(
        False, SWITCHES
    )
    """Whether players can see what can be counted of others' hands."""
    only_invited: bool = switch(
        N_("Only invited"), N_("**Only invited** people can join."), fixed=True, hint=N_("Under People you invite them")
    ).by_default(False, SWITCHES)
    """Whether the table is closed to all people but those for whom seats are kept."""
    rooms: bool = switch(
        N_("Private threads for hands"),
        N_("**Private threads** for hands. People who manage threads can read them."),
        fixed=True,
    ).by_default(False, SWITCHES)
    """Whether each player has a private thread for their hand."""
    language: str = Option(
        N_("Language of the table"), lambda table: _spoken(table), N_("**Language:** {value}"), code="option/language"
    ).by_default(languages.AUTO, AT_TABLE)
    """Code of the language of what everyone reads; `AUTO` becomes the host's when the table is opened."""
    look: Look = option_field(
        Look(),
        look=Flags(
            N_("Pictures for everyone"), LOOKS, N_("**Pictures for everyone:** {value}"), sheet=AT_TABLE, kind=Look
        ),
    )
    """How pictures are drawn that all see."""
    pause: int = number(
        N_("Bot speed"),
        (0, 1, 3, 5, 10, 20, 60),
        NN_("{n} second a turn", "{n} seconds a turn"),
        line=NN_("**Bot speed:** {n} second a turn", "**Bot speed:** {n} seconds a turn"),
        greatest=60,
        when=lambda table: any(member.level for member in table.members),
    ).by_default(3, AT_TABLE)
    """Seconds that a bot takes for its turn, so that people can follow."""
    web: str = Option(N_("This game on the web"), ON_THE_WEB, code="option/web").by_default(ONCE_OVER, AT_TABLE)
    """When anyone can see the game in a browser, as far as the server allows it (`stricter`)."""


TABLE = options_of(TableOptions)


def stricter(*chosen: str) -> str:
    """The strictest of what server and table have chosen about the web. What is unknown is the same as never."""
    known = (HIDDEN, ONCE_OVER, LIVE)
    return known[min(known.index(value) if value in known else 0 for value in chosen)]


# --- options of the rules: fields of a configuration, which also says what can be chosen

OWN = "option."
"""Prefix of the name of a scenario's own option."""
_LAYOUTS = (
    Choice("spiral", N_("Spiral (classic)"), N_("In their printed order along a spiral")),
    Choice("random", N_("Random"), N_("Shuffled, with no 6 or 8 next to another")),
    Choice("balanced", N_("Balanced"), N_("Shuffled and spread fairly")),
)
SCENARIO = Option(
    N_("Scenario"),
    lambda config: [Choice(one.id, one.title, one.summary) for one in SCENARIOS.values()],
    name="scenario",
)
RULES = named(
    target=number(
        N_("Points"),
        range(3, 21),
        NN_("First to {n} point", "First to {n} points"),
        line=NN_("**First to {n} point**", "**First to {n} points**"),
        sheet=AS_RULES,
        least=3,
        greatest=20,
    ),
    edition=Option(
        N_("Edition"),
        (
            Choice(
                "2007", N_("Edition 2007"), N_("No gifts, no trading a resource for itself, the robber always steals")
            ),
            Choice("1996", N_("Edition 1996"), N_("Freer trades, and you needn't steal with the robber")),
        ),
        sheet=AS_RULES,
        order=-1,
    ),
    layout=Option(
        N_("Number tokens"),
        lambda config: [one for one in _LAYOUTS if one.value in SCENARIOS[config.scenario].layouts],
        N_("**Number tokens:** {value}"),
        sheet=BOARD,
        order=-1,
        when=lambda config: len(SCENARIOS[config.scenario].layouts) > 1,
        told=lambda config: bool(SCENARIOS[config.scenario].layouts),
    ),
    variants=Many(
        N_("Alternate rules"),
        lambda config: [Choice(one.id, one.title, one.summary) for one in VARIANTS.values()],
        sheet=AS_RULES,
    ),
    answer_time=number(
        N_("Time to answer the robber"),
        (5 * MINUTE, 30 * MINUTE, HOUR, 6 * HOUR, DAY),
        N_("Within {time}"),
        line=N_("**{time}** to answer the robber with a knight"),
        sheet=AS_RULES,
        order=1,
        least=MINUTE,
        greatest=7 * DAY,
        when=lambda config: data_of(config).robber_interrupts,
    ),
    shuffle_seats=switch(
        N_("Random seats"), N_("**Random seats**"), N_("**Seats** in order of joining"), sheet=SWITCHES, fixed=True
    ),
    round_limit=number(
        N_("Round limit"),
        (0, 10, 15, 20, 25, 30, 40, 50),
        NN_("At most {n} round", "At most {n} rounds"),
        zero=N_("No round limit"),
        line=NN_("**Ends after {n} round:** most points wins", "**Ends after {n} rounds:** most points wins"),
        sheet=AS_RULES,
        greatest=200,
    ),
)
ANYONE = switch(
    N_("Anyone at the table can start"),
    N_("**Anyone at the table** can start"),
    name="anyone_starts",
    sheet=SWITCHES,
    fixed=True,
)
"""Whether not only the host can start, which the lobby says."""


def _owns(options: Iterable[Own]) -> list[Option]:
    """Scenarios' own options: first those of the board, then those that only go with a choice of one of these."""
    return [
        Option(
            one.title,
            [Choice(value, value, phrase, named=not value.islower()) for value, phrase in one.choices],
            N_("**{title}**: {means}."),
            name=f"{OWN}{one.name}",
            sheet=sheet,
        )
        for sheet in (BOARD, LAND)
        for one in options
        if sheet is (BOARD if one.only_with is None else LAND)
    ]


def rules_of(config: Config) -> list[Option]:
    """The options of all that a configuration sets."""
    return [SCENARIO, *_owns(SCENARIOS[config.scenario].offered(config)), *RULES.values()]


def rule(config: Config, option: Option) -> Any:
    """The value of a rules option in a configuration."""
    if option.name.startswith(OWN):
        name = option.name.removeprefix(OWN)
        return next(one.of(config) for one in SCENARIOS[config.scenario].options if one.name == name)
    return getattr(config, option.name)


ALL_OPTIONS = (
    *(SCENARIO, *_owns([one for scenario in SCENARIOS.values() for one in scenario.options]), *RULES.values()),
    *(ANYONE, *TABLE.values()),
)
"""All options that any table can have."""
