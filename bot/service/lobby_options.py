"""What is chosen for a table: the game's options, and what is set beside them; pure changes, or a `RefereeError`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypedDict

from bot.models import DECIDE, LOBBY, REMIND, VOTE, Table
from bot.params import Typed
from bot.service.lobby_rules import check_host, check_is_host, check_member, seated
from bot.service.waiting import request_time
from engine.config import LAYOUTS, Config
from engine.errors import ConfigError, RefereeError
from engine.refusals import Words
from engine.rules import data_of
from engine.scenarios import SCENARIOS, check

LONGEST_PAUSE = 60
"""Seconds that a computer may take for its turn."""
SHORTEST_PACE, LONGEST_PACE, HURRIED = 120, 14 * 86_400, 3600
"""Seconds for a decision; up to how many it is a pace of minutes."""
EXPIRIES = (REMIND, DECIDE, VOTE)
LONGEST_LEAVE = 60
"""Days of vacation in which somebody's time doesn't run."""
FIXED = {"hints", "rooms", "pace", "expiry", "leave"}
"""Settings that the host alone can't change any more once the game runs."""


class Options(TypedDict, total=False):
    """What can be chosen in the lobby; left out: as it was. See `engine.config.Config`."""

    scenario: str
    edition: str
    variants: Sequence[str]
    target: int
    layout: str
    options: Mapping[str, str]
    shuffle_seats: bool
    round_limit: int
    answer_time: int
    anyone_starts: bool


class TableSettings(TypedDict, total=False):
    """What can be set beside the configuration; left out: as it was. See `bot.models.TableChoices`."""

    look: Mapping[str, bool]
    pause: int
    hints: bool
    rooms: bool
    pace: int
    expiry: str
    leave: int


def configured(table: Table, user: int, changes: Options) -> Table:
    """With other options; refused when no number of players could play it."""
    check_host(table, user)
    old = table.config
    scenario = changes.get("scenario", old.scenario)
    known = SCENARIOS.get(scenario)
    layout = changes.get("layout", old.layout)
    if known and "layout" not in changes and layout not in (known.layouts or LAYOUTS[:1]):
        layout = LAYOUTS[0]
    own = dict(old.options) if scenario == old.scenario else {}
    given = changes.get("options", {})
    own.update(given)
    config = replace(
        old,
        scenario=scenario,
        edition=changes.get("edition", old.edition),
        variants=tuple(changes.get("variants", old.variants)),
        target=changes.get("target", old.target),
        layout=layout,
        options=tuple(sorted(own.items())),
        shuffle_seats=changes.get("shuffle_seats", old.shuffle_seats),
        round_limit=changes.get("round_limit", old.round_limit),
        answer_time=changes.get("answer_time", old.answer_time),
    )
    if known:  # what went only with another choice goes with it
        kept = given.keys() | {option.name for option in known.offered(config)}
        config = replace(config, options=tuple((name, value) for name, value in config.options if name in kept))
    _check_for_anyone(config)
    anyone = changes.get("anyone_starts", table.anyone_starts)
    return seated(replace(table, config=config, anyone_starts=anyone), table.members)


def arranged(table: Table, user: int, changes: TableSettings, host: int) -> Table:
    """With other public pictures or another pace of computers, in the lobby or in the game; with hints or without.

    `host`: who decides as host now, which in a game needn't be the table's.
    """
    check_member(table, user)
    check_is_host(table, user, host)
    if not table.open or (table.status != LOBBY and FIXED & set(changes)):
        raise RefereeError(f"not-lobby/{table.status}")
    if not 0 <= changes.get("pause", 0) <= LONGEST_PAUSE:
        raise RefereeError("pause", most=LONGEST_PAUSE)
    if not 0 <= changes.get("leave", 0) <= LONGEST_LEAVE:
        raise RefereeError("leave", most=LONGEST_LEAVE)
    check_pace(changes.get("pace", 0), changes.get("expiry", REMIND))
    old = table.choices
    choices = replace(
        old,
        look=replace(old.look, **changes.get("look", {})),
        pause=changes.get("pause", old.pause),
        hints=changes.get("hints", old.hints),
        rooms=changes.get("rooms", old.rooms),
        pace=changes.get("pace", old.pace),
        expiry=changes.get("expiry", old.expiry),
        leave=changes.get("leave", old.leave),
    )
    return replace(table, choices=choices)


def check_pace(pace: int, expiry: str) -> None:
    """Refuse a time for a decision that is out of range, and what can't follow it. Codes: "pace", "expiry"."""
    if pace and not SHORTEST_PACE <= pace <= LONGEST_PACE:
        raise RefereeError("pace")
    if expiry not in EXPIRIES:
        raise RefereeError("expiry", typed=Typed(expiry), possible=Words(EXPIRIES))


def with_requests(table: Table) -> Table:
    """At a pace of minutes a special building phase opens with a window for late requests (J2)."""
    pace = table.choices.pace
    opens = 0 < pace <= HURRIED and data_of(table.config).special_building
    return replace(table, config=replace(table.config, request_time=request_time(pace) if opens else 0))


def _check_for_anyone(config: Config) -> None:
    """Refuse what no number of players could play; how many there are counts at the start."""
    scenario = SCENARIOS.get(config.scenario)
    if scenario is None:
        check(config)
        return
    for players in scenario.players:
        try:
            check(replace(config, colors=scenario.colors_for(players)[:players]))
            return
        except ConfigError as error:
            refusal = error
    raise refusal
