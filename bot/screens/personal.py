"""A person's settings for all their games: what is set, and the forms that change it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime, tzinfo
from math import ceil
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.screens.controls import Button, Open, Reply, Row, Style, Text, rows
from bot.screens.settings import Changes, Page, Scope, button
from bot.service.waiting import PartialVacation
from bot.table.option import Option, Typed
from bot.table.preferences import BUILDS, DM, LEAVING, PAY, PERSONAL, SETTINGS, SHEETS, USUAL, VACATION, UserSettings
from bot.words import times, zones
from bot.words.language import _, n_
from bot.words.options import label
from engine.errors import RefereeError

MOST = 5
"""Most games listed with how much vacation they allow."""
SCOPE = Scope("settings", SHEETS, (*PERSONAL.values(), *LEAVING))


def building_choices() -> list[Row]:
    """The question when to be asked to build, with a button for each answer."""
    question = _("**From now on, when should I ask you to build between turns?** `/settings` changes it.")
    buttons = [Button(label(choice), Open("building", (choice.value,))) for choice in PERSONAL["calls"].offered(None)]
    return [Text(question), *rows(buttons)]


def options(settings: UserSettings, now: float) -> Page:
    """A person's settings; `now` in seconds since the epoch."""
    begin, end = map(zones.clock, settings.choices.quiet) if settings.choices.quiet else ("", "")
    day = today(settings, now)
    own = {
        "dms": settings.dms and not settings.dms_closed,
        "calls": settings.calls,
        "standing": settings.standing or USUAL,
        "building": settings.choices.building or tuple(BUILDS),
        "begin": begin,
        "end": end,
    }

    def value(option: Option) -> Any:
        if option.asked_by is VACATION and option.name != "zone":
            return day if option.name == "begin" else ""
        return own[option.name] if option.name in own else getattr(settings.choices, option.name)

    def stored(changed: Changes, chosen: Changes) -> Changes:
        if "calls" in chosen:
            return building_changed(**chosen) if changed else {}
        if chosen.get("dms") and not settings.choices.direct:
            return {**changed, "dms": True}  # perhaps no direct message could reach them before
        if "zone" not in chosen:
            return changed
        begin, end, zone = (chosen[name] for name in ("begin", "end", "zone"))
        if "reminders" in chosen:
            return {**changed, **quiet(settings, begin, end, zone, now)}
        days, zone = vacation(settings, begin, end, zone, now)
        return {"vacation": days, "zone": zone}

    return Page(SCOPE.options, lambda option: day if isinstance(option, Typed) else settings, value, stored)


def page(settings: UserSettings, now: float, answer: str = "") -> Reply:
    """All of a person's settings; `now` in seconds since the epoch.

    `answer`: what came of the last click. It stands next to the buttons: a phone doesn't show the top of a long page.
    """
    title = _("Your settings, for all your games")
    lines = [*options(settings, now).lines(), *_times(settings, now)]
    if settings.dms and settings.dms_closed:
        blocked = _(
            "My hand by DM: **on, but Discord blocks it**. Allow direct messages from this server, then turn it "
            "on again."
        )
        lines.insert(0, blocked)
    buttons = [button(sheet, Style.PRIMARY if sheet is SETTINGS else Style.SECONDARY) for sheet in SHEETS]
    more = [Button(_("My data"), Open("privacy"), emoji="🔒")]
    if (ahead := vacation_ahead(settings, now)) is not None:
        more.append(Button(_("I'm back") if ahead[0] <= now else _("No vacation"), Open("back"), emoji="👋"))
    text = "\n".join((f"### {title}", *(f"- {line}" for line in lines)))
    return Reply("\n".join(filter(None, (text, answer))), rows=[buttons, more])


def building_changed(calls: str, building: tuple[str, ...] = (), standing: int = USUAL) -> Changes:
    """The settings that follow from the choice when to be asked to build."""
    wanted = (building or tuple(BUILDS)) if calls == PAY else ()
    return {"building": wanted, "building_chosen": True, "standing": 0 if calls == "asked" else standing}


# --- times: quiet hours and vacation


def today(settings: UserSettings, now: float) -> str:
    """The present day where the person is, as they type it."""
    zone: tzinfo = UTC
    with suppress(ZoneInfoNotFoundError):  # chosen on a machine that knew it; this one doesn't
        zone = ZoneInfo(settings.choices.zone or "UTC")
    return datetime.fromtimestamp(now, zone).date().isoformat()


def quiet(settings: UserSettings, begin: str, end: str, zone: str, now: float) -> Changes:
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


def _times(settings: UserSettings, now: float) -> list[str]:
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
    first, last = (f"<t:{ceil(at)}:f>" for at in ahead)
    away = _("Vacation: **{first} to {last}**, timers pause (up to each game's limit)", first=first, last=last)
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
