"""Time zones, times of the day and dates, as people type and read them."""

from __future__ import annotations

import difflib
import re
from datetime import UTC, datetime, time, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from bot.plaintext import Typed
from engine.errors import RefereeError

_CLOCK = re.compile(r"([0-2]?[0-9])(?:[:.h]([0-5][0-9]))?\s*(am|pm|a\.m\.|p\.m\.)?")
_DISTANCE = re.compile(r"(?:utc|gmt)?_?([+\-\N{MINUS SIGN}])_?([0-9]{1,2})(?::?([0-5][0-9]))?_?h?")
_DATE = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})")

_SHORT = {
    "gmt bst": ("Europe/London", "Europe/Dublin"),
    "wet west": ("Europe/Lisbon",),
    "cet cest mez mesz": ("Europe/Berlin", "Europe/Paris", "Europe/Madrid", "Europe/Rome", "Europe/Warsaw"),
    "eet eest": ("Europe/Athens", "Europe/Helsinki", "Europe/Bucharest", "Europe/Kyiv"),
    "msk": ("Europe/Moscow",),
    "est edt et": ("America/New_York", "America/Toronto"),
    "cst cdt ct": ("America/Chicago", "America/Winnipeg"),
    "mst mdt mt": ("America/Denver", "America/Edmonton", "America/Phoenix"),
    "pst pdt pt": ("America/Los_Angeles", "America/Vancouver"),
    "akst akdt": ("America/Anchorage",),
    "hst": ("Pacific/Honolulu",),
    "brt": ("America/Sao_Paulo",),
    "ist": ("Asia/Kolkata",),
    "sgt": ("Asia/Singapore",),
    "hkt": ("Asia/Hong_Kong",),
    "jst": ("Asia/Tokyo",),
    "kst": ("Asia/Seoul",),
    "awst": ("Australia/Perth",),
    "acst acdt": ("Australia/Adelaide", "Australia/Darwin"),
    "aest aedt": ("Australia/Sydney", "Australia/Brisbane"),
    "nzst nzdt": ("Pacific/Auckland",),
}
"""Cities that people can mean by an abbreviation, best known first; a city knows its daylight saving time."""


@cache
def zones() -> tuple[str, ...]:
    """The names of all time zones that people live in, like "Europe/Berlin"."""
    areas = ("Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")
    return ("UTC", *sorted(name for name in available_timezones() if name.split("/")[0] in areas))


def zone(text: str, now: float) -> str:
    """The time zone that is meant by its name or its city: "berlin". Code: "zone".

    `now`, in seconds since the epoch, decides which city is suggested to a person who types "UTC+1".
    """
    said = _said(text)
    if said in ("gmt", "z", "utc") or _distance(said) == timedelta():
        return "UTC"
    named = {_said(name): name for name in zones()}
    if said in named:
        return named[said]
    cities = [name for name in zones() if _said(name).rpartition("/")[2] == said]
    if len(cities) == 1:
        return cities[0]
    if meant := _meant(said):
        raise RefereeError("zone/near", typed=Typed(text, 40), name=meant[0])
    if (distance := _distance(said)) is not None:
        if cities := _apart(distance, now):
            raise RefereeError("zone/fixed", typed=Typed(text, 40), name=cities[0])
        raise RefereeError("zone", typed=Typed(text, 40))
    near = len(said) > 3 and difflib.get_close_matches(
        said, [*named, *(key.rpartition("/")[2] for key in named)], 1, 0.75
    )
    if near:
        found = next(name for key, name in named.items() if near[0] in (key, key.rpartition("/")[2]))
        raise RefereeError("zone/near", typed=Typed(text, 40), name=found)
    raise RefereeError("zone", typed=Typed(text, 40))


def _distance(said: str) -> timedelta | None:
    """How far clocks are ahead of UTC, for "utc+1" or "-05:30"; None for any other text."""
    found = _DISTANCE.fullmatch(said)
    if found is None:
        return None
    return timedelta(hours=int(found[2]), minutes=int(found[3] or 0)) * (1 if found[1] == "+" else -1)


def _apart(distance: timedelta, now: float) -> list[str]:
    """Zones whose clocks are this far ahead of UTC at a time: those of `_SHORT`, or else others where people live."""
    moment = datetime.fromtimestamp(now, UTC)
    known = dict.fromkeys(name for found in _SHORT.values() for name in found if name in zones())
    for names in (known, [name for name in zones() if not name.startswith("Antarctica")]):
        if same := [name for name in names if moment.astimezone(ZoneInfo(name)).utcoffset() == distance]:
            return same
    return []


def _meant(said: str) -> list[str]:
    """The zones that `_SHORT` has for an abbreviation, if this machine knows them."""
    return [name for names, found in _SHORT.items() if said in names.split() for name in found if name in zones()]


def _said(text: str) -> str:
    return text.strip().casefold().replace(" ", "_")


def minute(text: str) -> int:
    """Minutes since midnight of "22:30", "7", "7 am". Code: "clock"."""
    found = _CLOCK.fullmatch(text.strip().casefold())
    if found is None:
        raise RefereeError("clock", typed=Typed(text))
    hour, minutes = int(found[1]), int(found[2] or 0)
    if found[3]:
        if not 1 <= hour <= 12:
            raise RefereeError("clock", typed=Typed(text))
        hour = hour % 12 + 12 * found[3].startswith("p")
    if hour > 24 or hour * 60 + minutes > 1440:
        raise RefereeError("clock", typed=Typed(text))
    return hour * 60 + minutes


def clock(minutes: int) -> str:
    """ "22:30"."""
    return f"{minutes // 60:02}:{minutes % 60:02}"


def midnight(text: str, name: str, *, after: bool = False) -> float:
    """When a day like "2026-12-24" begins in a time zone, or ends (`after`), in seconds since the epoch.
    Code: "date"."""
    found = _DATE.fullmatch(text.strip())
    try:
        day = datetime(*map(int, found.groups())).date() if found else None  # type: ignore[arg-type]
        if day is not None:
            day += timedelta(days=1) if after else timedelta()
            return datetime.combine(day, time(), ZoneInfo(name)).timestamp()
    except (ValueError, OverflowError):  # no such day, or none after it
        pass
    raise RefereeError("date", typed=Typed(text))
