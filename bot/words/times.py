"""Spans of time, time zones, times of the day and dates, as people type and read them; and what happens when time is
over."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, time, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from bot import languages
from bot.plaintext import TypedText, folded, narrow
from bot.table.options import DAY, DECIDE, HOUR, MINUTE, REMIND, VOTE
from bot.words.language import N_, _, code, n_, sentences
from bot.words.vocabulary import UNSPACED, Lexicon, Role, lexicon
from engine.errors import RefereeError

AFTERWARDS = {
    REMIND: N_("reminders only"),
    DECIDE: N_("the simplest move is made for them"),
    VOTE: N_("a vote for a bot"),
}
"""What happens when time is over, within a sentence."""
_SPAN_PIECE = re.compile(
    rf"\s*(?:(?P<number>[0-9]{{1,4}}(?:[.,][0-9])?)|(?P<glued>[{UNSPACED}]+)|(?P<word>(?:(?![{UNSPACED}])[^\W\d_])+'?)"
    r"|(?P<comma>[,、]))\.?\s*"
)
_HYPHEN = re.compile(r"(?<=[^\W\d_])[-\N{HYPHEN}\N{NON-BREAKING HYPHEN}](?=[^\W\d_])")
"""A hyphen between two words: "half-hour"."""


def span(seconds: float) -> str:
    """ "2 days", "1 hour 30 minutes", "5 minutes"; rounded to minutes."""
    minutes = max(round(seconds / MINUTE), 0)
    days, rest = divmod(minutes, DAY // MINUTE)
    hours, left = divmod(rest, HOUR // MINUTE)
    parts = [
        n_("{n} day", "{n} days", days) if days else "",
        n_("{n} hour", "{n} hours", hours) if hours else "",
        n_("{n} minute", "{n} minutes", left) if left or not minutes else "",
    ]
    return sentences(parts)


def about(seconds: float) -> str:
    """A span, rounded to days or hours if there are at least two of them."""
    unit = next((unit for unit in (DAY, HOUR) if seconds >= 2 * unit), MINUTE)
    return span(round(seconds / unit) * unit)


def pace(seconds: int) -> str:
    """A turn timer: "1 day", or "no timer"."""
    return span(seconds) if seconds else _("no timer")


def coded_span(seconds: int) -> str:
    """A time as every language reads it: "#86400"."""
    return f"#{seconds}"


def typed_span(text: str) -> int:
    """The seconds that are meant by "2 days", "1h 30m", "1h30", "half an hour", "un'ora e mezza" or "none", or by a
    suggestion. Code: "pace"."""
    said, words = folded(text).strip(), lexicon()
    if coded_ := re.fullmatch(r"#([0-9]{1,9})", said):
        return int(coded_[1])
    if said in words.no_timer:
        return 0
    seconds, number = 0, None
    last, whole, half = 0, False, False  # the unit before, whether its number was whole, whether `number` is a half
    piece = ""
    for piece in _span_pieces(said, words):
        value, unit = _number(piece, words), words.unit(piece)
        if number is not None and unit is not None:
            last, whole = unit, number == int(number)
            seconds, number, half = seconds + round(number * unit), None, False
        elif number in (None, 1) and piece in words.half:  # "half an hour", "eine halbe Stunde", "un'ora e mezza"
            number, half = 0.5, True
        elif half and words.does(piece, Role.ONE):
            continue
        elif number is None and value is not None:
            number = value
        elif last and number is None and (piece in ",、" or words.does(piece, Role.BREAK)):
            whole = False
        else:
            raise RefereeError("pace/typed", typed=TypedText(text))
    if number is not None and last == HOUR and whole and piece.isdecimal() and number < HOUR // MINUTE:  # "1h30"
        return seconds + int(number) * MINUTE
    if half and last:
        return seconds + last // 2
    if number is not None or not last:
        raise RefereeError("pace/typed", typed=TypedText(text))
    return seconds


def _span_pieces(said: str, words: Lexicon) -> Iterator[str]:
    """The numbers, words and commas of a length of time; what can't be one is a piece, too."""
    said, at = _HYPHEN.sub(" ", said), 0
    while found := _SPAN_PIECE.match(said, at):
        at = found.end()
        yield from words.cut(found["glued"]) if found["glued"] else (found[0].strip().rstrip("."),)
    yield from (said[at:],) if at < len(said) else ()


def _number(piece: str, words: Lexicon) -> float | None:
    """The number that a piece of a length of time says, with digits or as a word."""
    if re.fullmatch(r"[0-9.,]+", piece) and piece[0].isdigit():
        return float(piece.replace(",", "."))
    return 1 if words.does(piece, Role.ONE) else words.number(piece)


# --- time zones, times of the day, dates

_CLOCK = re.compile(r"([0-2]?[0-9])\s*(?:([:.]|[^\W\d_]+)\s*([0-5][0-9])\s*([^\W\d_]+)?|([^\W\d_]+))?")
_DISTANCE = re.compile(r"(?:utc|gmt)?_?([+\-\N{MINUS SIGN}])_?([0-9]{1,2})(?::?([0-5][0-9]))?_?h?")
_DATE = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})日?")
_BETWEEN_DATES = re.compile(r"\s*[-/.年月ー\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{EN DASH}\N{MINUS SIGN}]\s*")
"""What stands between year, month and day."""

_ABBREVIATIONS = {
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
def zone_names() -> tuple[str, ...]:
    """The names of all time zones that people live in, like "Europe/Berlin"."""
    areas = ("Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")
    return ("UTC", *sorted(name for name in available_timezones() if name.split("/")[0] in areas))


def typed_zone(text: str, now: float) -> str:
    """The time zone that is meant by its name or its city, in English or the present language: "roma". Code: "zone".

    `now`, in seconds since the epoch, decides which city is suggested to a person who types "UTC+1".
    """
    said = _said(text)
    if said in ("gmt", "z", "utc") or _distance(said) == timedelta():
        return "UTC"
    named = {_said(name): name for name in zone_names()}
    if said in named:
        return named[said]
    cities = [name for name in zone_names() if _said(name).rpartition("/")[2] == said]
    cities += [zone for city, zone in languages.cities(code()).items() if _said(city) == said]
    if len(there := {*cities} & {*zone_names()}) == 1:
        return there.pop()
    if meant := _abbreviated(said):
        raise RefereeError("zone/near", typed=TypedText(text, 40), name=meant[0])
    if (distance := _distance(said)) is not None:
        if cities := _zones_at(distance, now):
            raise RefereeError("zone/fixed", typed=TypedText(text, 40), name=cities[0])
        raise RefereeError("zone", typed=TypedText(text, 40))
    near = len(said) > 3 and difflib.get_close_matches(
        said, [*named, *(key.rpartition("/")[2] for key in named)], 1, 0.75
    )
    if near:
        found = next(name for key, name in named.items() if near[0] in (key, key.rpartition("/")[2]))
        raise RefereeError("zone/near", typed=TypedText(text, 40), name=found)
    raise RefereeError("zone", typed=TypedText(text, 40))


def _distance(said: str) -> timedelta | None:
    """How far clocks are ahead of UTC, for "utc+1" or "-05:30"; None for any other text."""
    found = _DISTANCE.fullmatch(said)
    if found is None:
        return None
    return timedelta(hours=int(found[2]), minutes=int(found[3] or 0)) * (1 if found[1] == "+" else -1)


def _zones_at(distance: timedelta, now: float) -> list[str]:
    """Zones whose clocks are this far ahead of UTC at a time: those of `_ABBREVIATIONS`, or where people live."""
    moment = datetime.fromtimestamp(now, UTC)
    known = dict.fromkeys(name for found in _ABBREVIATIONS.values() for name in found if name in zone_names())
    for names in (known, [name for name in zone_names() if not name.startswith("Antarctica")]):
        if same := [name for name in names if moment.astimezone(ZoneInfo(name)).utcoffset() == distance]:
            return same
    return []


def _abbreviated(said: str) -> list[str]:
    """The zones that `_ABBREVIATIONS` has for an abbreviation, if this machine knows them."""
    return [
        name
        for names, found in _ABBREVIATIONS.items()
        if said in names.split()
        for name in found
        if name in zone_names()
    ]


def _said(text: str) -> str:
    return folded(text).strip().replace(" ", "_")


def typed_minute(text: str) -> int:
    """Minutes since midnight of "22:30", "7", "7 am". Code: "clock"."""
    hours, ends, morning, afternoon = lexicon().clock
    half, said = _half_of_day(folded(text).strip(), morning | afternoon)
    found = _CLOCK.fullmatch(said)
    if (
        found is None
        or (found[2] or ":") not in {":", ".", *hours}
        or not {found[4], found[5]} <= {None, *hours, *ends}
    ):
        raise RefereeError("clock", typed=TypedText(text))
    hour, minutes = int(found[1]), int(found[3] or 0)
    if (half and not 1 <= hour <= 12) or hour > 24 or hour * 60 + minutes > 1440:
        raise RefereeError("clock", typed=TypedText(text))
    return (hour % 12 + 12 * (half in afternoon) if half else hour) * 60 + minutes


def _half_of_day(said: str, words: Iterable[str]) -> tuple[str, str]:
    """The word before or after a time of day that says which half of the day is meant, and the rest."""
    for word in sorted(words, key=len, reverse=True):
        if (rest := said.removesuffix(word)) != said or (rest := said.removeprefix(word)) != said:
            return word, rest.strip()
    return "", said


def clock_text(minutes: int) -> str:
    """ "22:30"."""
    return f"{minutes // 60:02}:{minutes % 60:02}"


def midnight(text: str, name: str, *, after: bool = False) -> float:
    """When a day like "2026-12-24" or "2026年12月24日" begins in a time zone, or ends (`after`), in seconds since the
    epoch. Code: "date"."""
    found = _DATE.fullmatch(_BETWEEN_DATES.sub("-", narrow(text).strip()))
    try:
        day = datetime(*map(int, found.groups())).date() if found else None  # type: ignore[arg-type]
        if day is not None:
            day += timedelta(days=1) if after else timedelta()
            return datetime.combine(day, time(), ZoneInfo(name)).timestamp()
    except (ValueError, OverflowError):  # no such day, or none after it
        pass
    raise RefereeError("date", typed=TypedText(text))
