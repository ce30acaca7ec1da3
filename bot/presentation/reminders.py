"""How somebody wants to be reminded in all their games: where, when not, and when they are away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, tzinfo
from math import ceil
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.preferences import CHANNEL, DM, NEVER, UserSettings
from bot.presentation.controls import Button, Entries, Entry, Form, Open, Option, Reply, Row, Select, TextField
from bot.presentation.texts import times, zones
from bot.presentation.texts.language import N_, _, n_
from bot.service.absence import Limit
from engine.errors import RefereeError

WHERE = {
    CHANNEL: N_("In the game's channel"),
    DM: N_("By direct message"),
    NEVER: N_("Never"),
}
NONE = "none"
"""What is typed to have no quiet hours, or no vacation."""
LINE = Entry("(?s).{1,60}")
MOST = 5
"""Games of which it is told how much vacation they allow."""


def page(settings: UserSettings, now: float, lead: str = "") -> Reply:
    """What is set, with the controls to change it."""
    choices = settings.choices
    title = _("When a game waits for you")
    lines = [_("Reminders: **{where}**.", where=_(WHERE[choices.reminders]).lower()), _quiet(settings)]
    if choices.reminders == DM and settings.dms_closed:
        lines[0] += " " + _("Discord refuses them, so they come in the channel.")
    elif settings.called_by_dm:
        lines[0] += " " + _(
            "On your turn your hand comes as a new message, and the channel names you without a ping. A reminder "
            "covers all your games."
        )
    elif choices.reminders == CHANNEL:
        lines[0] += " " + _("On your turn the channel pings you, and your hand is brought up to date.")
    lines.append(away(settings, now))
    vacation = _vacation(settings, now)
    lines += filter(None, [time_zone(settings)])
    said = "\n".join(filter(None, (lead, f"### {title}", *(f"- {line}" for line in lines))))
    options = [Option(name, _(text), None, name == choices.reminders) for name, text in WHERE.items()]
    buttons = [
        Button(_("Quiet hours"), Open("form", ("quiet",)), emoji="🌙"),
        Button(_("Vacation"), Open("form", ("vacation",)), emoji="🏖️"),
    ]
    if choices.quiet is not None:
        buttons.append(Button(_("No quiet hours"), Open("unquiet"), emoji="🔔"))
    if vacation is not None:
        buttons.append(Button(_("I'm back") if vacation[0] <= now else _("No vacation"), Open("back"), emoji="👋"))
    rows: list[Row] = [Select(_("Where to remind me"), Open("remind"), options), buttons]
    return Reply(said, rows=rows)


def _quiet(settings: UserSettings) -> str:
    choices = settings.choices
    if choices.quiet is None or not choices.zone:
        return _("Quiet hours: **none**")
    begin, end = map(zones.clock, choices.quiet)
    return _("Quiet hours: **{begin} to {end}**, {zone}", begin=begin, end=end, zone=choices.zone)


def _vacation(settings: UserSettings, now: float) -> tuple[float, float] | None:
    """One that isn't over."""
    vacation = settings.choices.vacation
    return vacation if vacation is not None and vacation[1] > now else None


def away(settings: UserSettings, now: float) -> str:
    """When they are on vacation."""
    if (vacation := _vacation(settings, now)) is None:
        return _("Vacation: **none**")
    first, last = (f"<t:{ceil(at)}:f>" for at in vacation)
    return _(
        "Vacation: **from {first} until {last}**; your clock stands still for as long as each game allows",
        first=first,
        last=last,
    )


def limits(found: Sequence[Limit]) -> list[str]:
    """What games allow less than somebody's vacation, a line each."""
    lines = []
    for one in found[:MOST]:
        if one.left:
            lines.append(
                _(
                    "⚠️ Game {number} stops your clock for {time} only: until {when}.",
                    number=one.number,
                    time=times.about(one.left),
                    when=f"<t:{ceil(one.until)}:f>",
                )
            )
        else:
            lines.append(
                _("⚠️ Game {number} doesn't stop your clock: no days of vacation are left there.", number=one.number)
            )
    if (more := len(found) - MOST) > 0:
        lines.append(n_("… and {n} more", "… and {n} more", more))
    return lines


def time_zone(settings: UserSettings) -> str:
    """By which they are reckoned, if it is known and not told with the quiet hours."""
    choices = settings.choices
    return _("Time zone: **{zone}**", zone=choices.zone) if choices.zone and choices.quiet is None else ""


def line(settings: UserSettings) -> str:
    """The same in short, among all settings."""
    where = _(WHERE[settings.choices.reminders]).lower()
    if settings.choices.quiet is None:
        return _("Reminders when a game waits for me: **{where}**", where=where)
    begin, end = map(zones.clock, settings.choices.quiet)
    return _(
        "Reminders when a game waits for me: **{where}**, not from {begin} to {end}", where=where, begin=begin, end=end
    )


def quiet_form(settings: UserSettings) -> Form:
    """Asks for quiet hours."""
    begin, end = map(zones.clock, settings.choices.quiet or (22 * 60, 8 * 60))
    return Form(
        _("Quiet hours"),
        [
            TextField("begin", _("From"), default=begin, longest=8),
            TextField("end", _("To"), default=end, longest=8),
            _zone_field(settings),
        ],
    )


def vacation_form(settings: UserSettings, now: float) -> Form:
    """Asks for the days of a vacation."""
    zone: tzinfo = UTC
    with suppress(ZoneInfoNotFoundError):  # chosen where the machine knew it, and this one doesn't
        zone = ZoneInfo(settings.choices.zone or "UTC")
    today = datetime.fromtimestamp(now, zone).date().isoformat()
    return Form(
        _("Vacation"),
        [
            TextField("begin", _("First day"), _("Year, month, day: {date}", date=today), default=today, longest=10),
            TextField("end", _("Last day"), None, today, longest=10),
            _zone_field(settings),
        ],
    )


def _zone_field(settings: UserSettings) -> TextField:
    known = settings.choices.zone or None
    return TextField("zone", _("Time zone"), _("A city is enough: Berlin"), default=known, longest=60)


FORM_ENTRIES: Entries = {"begin": LINE, "end": LINE, "zone": LINE}


def quiet(settings: UserSettings, text: str, now: float, zone: str = "") -> Mapping[str, Any]:
    """What "22:00 to 8:00" changes, as the people's service takes it. Codes: "clock", "period", "zone"."""
    if text.strip().casefold() == NONE:
        return {"quiet": None}
    begin, end = map(zones.minute, zones.period(text))
    if begin % 1440 == end % 1440:
        raise RefereeError("quiet")
    return {"quiet": (begin, end), "zone": _zone(settings, zone, now)}


def vacation(settings: UserSettings, text: str, now: float, zone: str = "") -> tuple[tuple[float, float], str]:
    """From when to when, and the zone, that "2026-12-20 to 2027-01-03" means. Codes: "date", "period", "zone"."""
    name = _zone(settings, zone, now)
    first, last = zones.period(text)
    return (zones.midnight(first, name), zones.midnight(last, name, after=True)), name


def _zone(settings: UserSettings, typed: str, now: float) -> str:
    """The zone that was typed, or the one that is known."""
    if not typed.strip() and not settings.choices.zone:
        raise RefereeError("zone/needed")
    return zones.zone(typed.strip() or settings.choices.zone, now)
