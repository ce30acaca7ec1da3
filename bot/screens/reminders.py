"""How a person wants to be reminded in all their games: where, quiet hours, and vacation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, tzinfo
from math import ceil
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.screens.controls import TextField
from bot.service.absence import PartialVacation
from bot.table.option import Option
from bot.table.preferences import DM, PERSONAL, UserSettings
from bot.words import times, zones
from bot.words.language import _, n_
from engine.errors import RefereeError

MOST = 5
"""Most games listed with how much vacation they allow."""
BEGIN, END, ZONE = (TextField(name, "", longest=60, required=False) for name in ("begin", "end", "zone"))
REMINDING = (PERSONAL["reminders"], BEGIN, END, ZONE)
LEAVING = (BEGIN, END, ZONE)
"""Fields of the forms for reminders and for a vacation."""


def reminding(settings: UserSettings) -> list[Option | TextField]:
    """The fields that ask where to remind a person, and for quiet hours."""
    begin, end = map(zones.clock, settings.choices.quiet) if settings.choices.quiet else (None, None)
    hint = _("Like 22:00. Empty: no quiet hours.")
    return [
        PERSONAL["reminders"],
        replace(BEGIN, label=_("Quiet hours from"), description=hint, default=begin, longest=8),
        replace(END, label=_("Quiet hours to"), default=end, longest=8),
        _zone_field(settings),
    ]


def leaving(settings: UserSettings, now: float) -> list[Option | TextField]:
    """The fields that ask for the days of a vacation."""
    zone: tzinfo = UTC
    with suppress(ZoneInfoNotFoundError):  # chosen on a machine that knew it; this one doesn't
        zone = ZoneInfo(settings.choices.zone or "UTC")
    today = datetime.fromtimestamp(now, zone).date().isoformat()
    hint = _("Year, month, day: {date}", date=today)
    return [
        replace(BEGIN, label=_("First day"), description=hint, default=today, longest=10, required=True),
        replace(END, label=_("Last day"), placeholder=today, longest=10, required=True),
        _zone_field(settings),
    ]


def _zone_field(settings: UserSettings) -> TextField:
    zone = settings.choices.zone or None
    return replace(ZONE, label=_("Time zone"), description=_("A city is enough: Berlin"), default=zone)


def quiet(settings: UserSettings, begin: str, end: str, zone: str, now: float) -> Mapping[str, Any]:
    """The settings for quiet hours, from "22:00" to "8:00"; both empty: none. Codes: "clock", "quiet", "zone"."""
    if not begin.strip() and not end.strip():
        return {"quiet": None, **({"zone": zones.zone(zone.strip(), now)} if zone.strip() else {})}
    minutes = zones.minute(begin), zones.minute(end)
    if minutes[0] % 1440 == minutes[1] % 1440:
        raise RefereeError("quiet")
    return {"quiet": minutes, "zone": _zone(settings, zone, now)}


def vacation(settings: UserSettings, first: str, last: str, zone: str, now: float) -> tuple[tuple[float, float], str]:
    """Begin and end (seconds since the epoch) of a vacation given in days, and its zone. Codes: "date", "zone"."""
    name = _zone(settings, zone, now)
    return (zones.midnight(first, name), zones.midnight(last, name, after=True)), name


def _zone(settings: UserSettings, typed: str, now: float) -> str:
    """The zone that was typed, or else the stored one. Code: "zone"."""
    if not typed.strip() and not settings.choices.zone:
        raise RefereeError("zone/needed")
    return zones.zone(typed.strip() or settings.choices.zone, now)


def said(settings: UserSettings, now: float) -> list[str]:
    """When the person isn't reminded, and when they are away, a line each."""
    choices, lines = settings.choices, list[str]()
    if choices.reminders == DM and settings.dms_closed:
        lines.append(_("Discord blocks my DMs, so reminders come in the channel."))
    if choices.quiet is not None and choices.zone:
        begin, end = map(zones.clock, choices.quiet)
        lines.append(_("Quiet hours: **{begin} to {end}**, {zone}", begin=begin, end=end, zone=choices.zone))
    else:
        lines.append(_("Quiet hours: **none**"))
        if choices.zone:
            lines.append(_("Time zone: **{zone}**", zone=choices.zone))
    if (ahead := vacation_ahead(settings, now)) is None:
        return [*lines, _("Vacation: **none**")]
    from_, until = (f"<t:{ceil(at)}:f>" for at in ahead)
    away = _(
        "Vacation: **{first} to {last}**, timers pause (up to each game's limit)",
        first=from_,
        last=until,
    )
    return [*lines, away]


def vacation_ahead(settings: UserSettings, now: float) -> tuple[float, float] | None:
    """The person's vacation, unless it is over."""
    vacation = settings.choices.vacation
    return vacation if vacation is not None and vacation[1] > now else None


def limits(vacations: Sequence[PartialVacation]) -> list[str]:
    """A line for each game that allows less than the person's vacation."""
    lines = []
    for one in vacations[:MOST]:
        if one.left:
            lines.append(
                _(
                    "⚠️ Game {number} pauses your timer for {time} only: until {when}.",
                    number=one.number,
                    time=times.about(one.left),
                    when=f"<t:{ceil(one.until)}:f>",
                )
            )
        else:
            lines.append(_("⚠️ Game {number} doesn't pause your timer: no vacation days left there.", number=one.number))
    if (more := len(vacations) - MOST) > 0:
        lines.append(n_("… and {n} more", "… and {n} more", more))
    return lines
