"""A table's options: those of its rules, which are fields of the engine's configuration, and its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bot.table.option import Boxes, Choice, Flags, Many, Option, number, option_field, options_of, switch
from bot.table.preferences import LOOKS, Look
from engine.config import Config
from engine.rules import data_of
from engine.scenarios import SCENARIOS
from engine.scenarios import Option as Own
from engine.terms import N_
from engine.variants import VARIANTS

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
    Choice(
        REMIND,
        N_("Only reminders"),
        line=N_("**When time runs out:** reminders only"),
    ),
    Choice(
        DECIDE,
        N_("The simplest move is made for them"),
        line=N_("**When time runs out:** the simplest move is made for them"),
    ),
    Choice(
        VOTE,
        N_("The others can vote for a bot"),
        line=N_("**When time runs out:** the others can vote for a bot"),
    ),
)


@dataclass(frozen=True, slots=True)
class TableOptions:
    """What is chosen for a table in addition to its rules. A rematch takes it over."""

    look: Look = option_field(Look(), Flags("look", N_("Pictures for everyone"), LOOKS, kind=Look))
    """How pictures are drawn that all see."""

    hints: bool = option_field(
        True,
        switch("hints", N_("Hints"), off=N_("**No hints**"), fixed=True),
    )
    """Whether players can ask what a bot would do."""

    counting: bool = option_field(
        False,
        switch("counting", N_("Card counting aid"), N_("**Card counting aid** in *My hand*"), fixed=True),
    )
    """Whether players can see what can be counted of others' hands."""

    rooms: bool = option_field(
        False,
        switch(
            "rooms",
            N_("Private threads for hands"),
            N_("**Private threads** for hands. People who manage threads can read them."),
            fixed=True,
        ),
    )
    """Whether each player has a private thread for their hand."""

    pause: int = option_field(
        3,
        number(
            "pause",
            N_("Bot speed"),
            (0, 1, 3, 5, 10, 20, 60),
            (N_("{n} second a turn"), N_("{n} seconds a turn")),
            line=(N_("**Bot speed:** {n} second a turn"), N_("**Bot speed:** {n} seconds a turn")),
            greatest=60,
            when=lambda table: any(member.level for member in table.members),
        ),
    )
    """Seconds that a bot takes for its turn, so that people can follow."""

    pace: int = option_field(
        0,
        number(
            "pace",
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
        ),
    )
    """The turn timer: seconds for a decision; 0: no limit."""

    expiry: str = option_field(
        REMIND,
        Option(
            "expiry",
            N_("When time runs out"),
            EXPIRIES,
            when=lambda table: table.options.pace > 0,
            fixed=True,
            pattern="|".join((REMIND, DECIDE, VOTE)),
        ),
    )
    """What follows when a decision's time is over."""

    leave: int = option_field(
        14,
        number(
            "leave",
            N_("Vacation"),
            (0, 3, 7, 14, 21, 30, 60),
            (N_("Vacation: up to {n} day"), N_("Vacation: up to {n} days")),
            zero=N_("Vacation doesn't stop the timer"),
            line=(
                N_("**Vacation:** up to {n} day"),
                N_("**Vacation:** up to {n} days"),
            ),
            greatest=60,
            when=lambda table: table.options.pace > 0,
            fixed=True,
        ),
    )
    """Days of vacation for each person for which their time stands still."""


TABLE = options_of(TableOptions)


# --- options of the rules: fields of a configuration, which also says what can be chosen

OWN = "option."
"""Prefix of the name of a scenario's own option."""
SCENARIO = Option(
    "scenario",
    N_("Scenario"),
    lambda config: [Choice(one.id, one.title, one.summary) for one in SCENARIOS.values()],
)
_EDITION = Option(
    "edition",
    N_("Edition"),
    (
        Choice(
            "2007",
            N_("Edition 2007"),
            N_("No gifts, no trading a resource for itself, the robber always steals"),
        ),
        Choice(
            "1996",
            N_("Edition 1996"),
            N_("Freer trades, more cards in the bank, and the robber can steal nothing"),
        ),
    ),
)
_TARGET = number(
    "target",
    N_("Points"),
    range(3, 21),
    (N_("First to {n} point"), N_("First to {n} points")),
    line=(N_("**First to {n} point**"), N_("**First to {n} points**")),
    least=3,
    greatest=20,
)
_VARIANTS = Many(
    "variants",
    N_("Alternate rules"),
    lambda config: [Choice(one.id, one.title, one.summary) for one in VARIANTS.values()],
)
_ROUNDS = number(
    "round_limit",
    N_("Round limit"),
    (0, 10, 15, 20, 25, 30, 40, 50),
    (N_("At most {n} round"), N_("At most {n} rounds")),
    zero=N_("No round limit"),
    line=(N_("**Ends after {n} round:** most points wins"), N_("**Ends after {n} rounds:** most points wins")),
    greatest=200,
)
_ANSWERS = number(
    "answer_time",
    N_("Time to answer the robber"),
    (5 * MINUTE, 30 * MINUTE, HOUR, 6 * HOUR, DAY),
    N_("Within {time}"),
    line=N_("**{time}** to answer the robber with a knight"),
    least=MINUTE,
    greatest=7 * DAY,
    when=lambda config: data_of(config).robber_interrupts,
)
_LAYOUTS = (
    Choice("spiral", N_("Spiral (classic)"), N_("In their printed order along a spiral")),
    Choice("random", N_("Random"), N_("Shuffled, with no 6 or 8 next to another")),
    Choice("balanced", N_("Balanced"), N_("Shuffled and spread fairly")),
)
_LAYOUT = Option(
    "layout",
    N_("Number tokens"),
    lambda config: [one for one in _LAYOUTS if one.value in SCENARIOS[config.scenario].layouts],
    N_("**Number tokens:** {value}"),
    when=lambda config: bool(SCENARIOS[config.scenario].layouts),
)
_SEATS = switch(
    "shuffle_seats",
    N_("Random seats"),
    N_("**Random seats**"),
    N_("**Seats** in order of joining"),
)


def own_options(config: Config, *, following: bool) -> list[Option]:
    """A scenario's own options. `following`: those that only go with a choice of another one; else the others."""
    return [_own(one) for one in SCENARIOS[config.scenario].offered(config) if (one.only_with is not None) == following]


def _own(one: Own) -> Option:
    choices = [Choice(value, value, phrase) for value, phrase in one.choices]
    return Option(f"{OWN}{one.name}", one.title, choices, N_("**{title}**: {means}."))


def _owns(*, following: bool) -> list[Option]:
    """The own options of all scenarios; `following` as in `own_options`."""
    found = [one for scenario in SCENARIOS.values() for one in scenario.options]
    return [_own(one) for one in found if (one.only_with is not None) == following]


RULES = (_EDITION, _TARGET, _VARIANTS, _ROUNDS, _ANSWERS)
ANYONE = switch("anyone_starts", N_("Anyone at the table can start"))
AT_TABLE = Boxes("table", N_("At this table"), (_SEATS, ANYONE, TABLE["hints"], TABLE["counting"], TABLE["rooms"]))


def rules_of(config: Config) -> list[Option]:
    """The options of all that a configuration sets, in the order in which pages show them."""
    own = [option for following in (False, True) for option in own_options(config, following=following)]
    return [SCENARIO, *own, _TARGET, _EDITION, _LAYOUT, _VARIANTS, _ANSWERS, _SEATS, _ROUNDS]


def board_of(config: Config) -> list[Option]:
    """The options of how a scenario's board is laid out."""
    layouts = [_LAYOUT] if len(SCENARIOS[config.scenario].layouts) > 1 else []
    return [*layouts, *own_options(config, following=False)]


def rule(config: Config, option: Option) -> Any:
    """The value of a rules option in a configuration."""
    if option.name.startswith(OWN):
        name = option.name.removeprefix(OWN)
        return next(one.of(config) for one in SCENARIOS[config.scenario].options if one.name == name)
    return getattr(config, option.name)


BOARDS, LANDS = [_LAYOUT, *_owns(following=False)], _owns(following=True)
"""All options that any scenario's board can have; `LANDS`: those that only go with a choice of another one."""
