"""What people type about their time: zones, quiet hours, a vacation; and which games allow less vacation."""

from __future__ import annotations

import zoneinfo
from collections.abc import Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from bot import languages
from bot.screens.people import personal_options, vacation, vacation_limits
from bot.service.waiting import PartialVacation
from bot.table.preferences import PersonalChoices, UserSettings
from bot.table.reminders import quiet_end
from bot.words import times
from bot.words.language import speaking
from engine.errors import RefereeError

BERLIN = "Europe/Berlin"
NIGHT = 22 * 60, 8 * 60


def at(text: str) -> float:
    """A time in Berlin in seconds since the epoch."""
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(BERLIN)).timestamp()


@pytest.fixture
def bare_machine() -> Iterator[None]:
    """Let the operating system have no time zones."""
    zoneinfo.reset_tzpath(())
    ZoneInfo.clear_cache()
    times.zone_names.cache_clear()
    yield
    zoneinfo.reset_tzpath()
    ZoneInfo.clear_cache()
    times.zone_names.cache_clear()


def test_all_time_zones_are_known_even_if_the_machine_has_none(bare_machine: None) -> None:
    assert times.typed_zone("berlin", 0.0) == BERLIN
    assert len(times.zone_names()) > 300
    assert quiet_end(at("2026-05-01T22:00"), BERLIN, *NIGHT) == at("2026-05-02T08:00")
    assert times.midnight("2026-03-29", BERLIN, after=True) - times.midnight("2026-03-29", BERLIN) == 23 * 3600


def test_a_city_can_be_named_in_the_language_of_who_types() -> None:
    for code, city, zone in (("it", "roma", "Europe/Rome"), ("ja", "東京", "Asia/Tokyo"), ("de", "berlin", BERLIN)):
        with speaking(languages.language(code)):
            assert times.typed_zone(city, 0.0) == zone


def test_an_abbreviated_time_zone_is_refused_with_a_city_suggested() -> None:
    with pytest.raises(RefereeError) as refused:
        times.typed_zone("CEST", 0.0)
    assert (refused.value.key, refused.value.params["name"]) == ("zone/near", BERLIN)
    assert {name for found in times._ABBREVIATIONS.values() for name in found} <= set(times.zone_names())


@pytest.mark.parametrize(
    ("typed", "day", "city"),
    [
        ("UTC+1", "2026-01-05T12:00", BERLIN),
        ("gmt +2", "2026-07-05T12:00", BERLIN),
        ("+01:00", "2026-07-05T12:00", "Europe/London"),
        ("utc-5h", "2026-01-05T12:00", "America/New_York"),
        ("UTC\N{MINUS SIGN}0330", "2026-01-05T12:00", "America/St_Johns"),
        ("+530", "2026-01-05T12:00", "Asia/Kolkata"),
        ("+7", "2026-01-05T12:00", "Asia/Bangkok"),
    ],
)
def test_a_utc_offset_is_refused_with_a_city_suggested(typed: str, day: str, city: str) -> None:
    now = at(day)
    with pytest.raises(RefereeError) as refused:
        times.typed_zone(typed, now)
    assert (refused.value.key, refused.value.params["name"]) == ("zone/fixed", city)


def test_offset_zero_is_utc_and_an_offset_without_a_city_is_refused() -> None:
    assert times.typed_zone("UTC+0", 0.0) == times.typed_zone("GMT-00:00", 0.0) == "UTC"
    for typed in ("UTC+1:17", "GMT+99", "+"):
        with pytest.raises(RefereeError) as refused:
            times.typed_zone(typed, 0.0)
        assert refused.value.key == "zone"


@pytest.mark.parametrize(
    "typed",
    ["9999-12-31", "0000-01-01", "2026-02-30", "99999-01-01", "24-12-2026", "２０２６-02-30", "2026年12月", "-1", ""],
)
@pytest.mark.parametrize("zone", ["UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago"])
def test_a_day_that_no_calendar_has_or_after_which_none_comes_is_refused(typed: str, zone: str) -> None:
    with pytest.raises(RefereeError) as refused:
        times.midnight(typed, zone, after=True)
    assert refused.value.code == "date"


@pytest.mark.parametrize(
    "typed",
    [
        "２０２６－１２－２４",
        "2026/12/24",
        "2026.12.24",
        "2026 - 12 - 24",
        "２０２６年１２月２４日",
        "2026 年 12 月 24",
        "２０２６ー12ー24",
    ],
)
def test_a_day_can_be_typed_in_many_ways(typed: str) -> None:
    assert times.midnight(typed, BERLIN) == times.midnight("2026-12-24", BERLIN)


def test_a_time_zone_that_no_longer_exists_is_asked_for_again() -> None:
    choices = PersonalChoices(zone="Europe/Atlantis", quiet=NIGHT)
    settings = UserSettings(1, choices=choices)
    assert personal_options(settings, at("2026-05-01T23:00")).form("vacation").fields[0].name == "begin"
    with pytest.raises(RefereeError) as refused:
        vacation(settings, "2026-05-01", "2026-05-03", "", at("2026-05-01T23:00"))
    assert refused.value.code == "zone"


def test_games_that_allow_less_vacation_are_named() -> None:
    lines = vacation_limits(
        [PartialVacation(3, 0.0, 500.0), PartialVacation(4, 2.5 * 3600, 9000.0), *[PartialVacation(5, 1.0, 1.0)] * 5]
    )
    assert lines[:2] == [
        "⚠️ Game 3 doesn't pause your timer: no vacation days left there.",
        "⚠️ Game 4 pauses your timer for 2 hours only: until <t:9000:f>.",
    ]
    assert len(lines) == 6
    assert lines[-1] == "… and 2 more"
