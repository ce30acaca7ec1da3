"""What people set for all their games, their direct messages, and their own data."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from math import ceil
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.screens.controls import Button, Download, Open, Reply, Row, Style, Text, rows
from bot.screens.options import NewValues, Page, Scope, form_button
from bot.screens.subscriptions import subscription_lines
from bot.service.waiting import PartialVacation
from bot.table.option import Option, Typed
from bot.table.preferences import BUILDS, DM, LEAVING, PAY, PERSONAL, SETTINGS, SHEETS, USUAL, VACATION, UserSettings
from bot.table.subscriptions import NEW_TABLES, Subscription
from bot.words import times
from bot.words.language import _, n_
from bot.words.options import label
from engine.errors import RefereeError

MOST_GAMES_LISTED = 5
"""Most games listed with how much vacation they allow."""
PERSONAL_SCOPE = Scope("settings", SHEETS, (*PERSONAL.values(), *LEAVING))


def building_choices() -> list[Row]:
    """Ask a person when they want to be asked to build, with a button for each answer."""
    question = _("**From now on, when should I ask you to build between turns?** `/settings` changes it.")
    buttons = [Button(label(choice), Open("building", (choice.value,))) for choice in PERSONAL["calls"].offered(None)]
    return [Text(question), *rows(buttons)]


def personal_options(settings: UserSettings, now: float) -> Page:
    """A person's settings; `now` in seconds since the epoch."""
    begin, end = map(times.clock_text, settings.choices.quiet) if settings.choices.quiet else ("", "")
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

    def stored(changed: NewValues, chosen: NewValues) -> NewValues:
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

    return Page(PERSONAL_SCOPE.options, lambda option: day if isinstance(option, Typed) else settings, value, stored)


def personal_page(settings: UserSettings, now: float, answer: str = "", here: Subscription | None = None) -> Reply:
    """All of a person's settings; `now` in seconds since the epoch. `here`: what they hear of the server where they
    look; None: they are on none.

    `answer`: what came of the last click. It stands next to the buttons: a phone doesn't show the top of a long page.
    """
    title = _("Your settings, for all your games")
    lines = [*personal_options(settings, now).lines(), *_times(settings, now)]
    if settings.dms and settings.dms_closed:
        blocked = _(
            "My hand by DM: **on, but Discord blocks it**. Allow direct messages from this server, then turn it "
            "on again."
        )
        lines.insert(0, blocked)
    buttons = [form_button(sheet, Style.PRIMARY if sheet is SETTINGS else Style.SECONDARY) for sheet in SHEETS]
    if here is not None:
        lines += subscription_lines(here, settings)
        buttons.append(form_button(NEW_TABLES))
    more = [Button(_("My data"), Open("privacy"), emoji="🔒")]
    if (ahead := vacation_ahead(settings, now)) is not None:
        more.append(Button(_("I'm back") if ahead[0] <= now else _("No vacation"), Open("back"), emoji="👋"))
    text = "\n".join((f"### {title}", *(f"- {line}" for line in lines)))
    return Reply("\n".join(filter(None, (text, answer))), rows=[buttons, more])


def building_changed(calls: str, building: tuple[str, ...] = (), standing: int = USUAL) -> NewValues:
    """The settings that follow from when a person wants to be asked to build."""
    wanted = (building or tuple(BUILDS)) if calls == PAY else ()
    return {"building": wanted, "building_chosen": True, "standing": 0 if calls == "asked" else standing}


# --- times: quiet hours and vacation


def today(settings: UserSettings, now: float) -> str:
    """The present day where the person is, as they type it."""
    zone: tzinfo = UTC
    with suppress(ZoneInfoNotFoundError):  # chosen on a machine that knew it; this one doesn't
        zone = ZoneInfo(settings.choices.zone or "UTC")
    return datetime.fromtimestamp(now, zone).date().isoformat()


def quiet(settings: UserSettings, begin: str, end: str, zone: str, now: float) -> NewValues:
    """The settings for quiet hours, from "22:00" to "8:00"; both empty: none. Codes: "clock", "quiet", "zone"."""
    if not begin.strip() and not end.strip():
        return {"quiet": None, **({"zone": times.typed_zone(zone.strip(), now)} if zone.strip() else {})}
    minutes = times.typed_minute(begin), times.typed_minute(end)
    if minutes[0] % 1440 == minutes[1] % 1440:
        raise RefereeError("quiet")
    return {"quiet": minutes, "zone": _zone(settings, zone, now)}


def vacation(settings: UserSettings, first: str, last: str, zone: str, now: float) -> tuple[tuple[float, float], str]:
    """Begin and end (seconds since the epoch) of a vacation given in days, and its zone. Codes: "date", "zone"."""
    name = _zone(settings, zone, now)
    return (times.midnight(first, name), times.midnight(last, name, after=True)), name


def _zone(settings: UserSettings, typed: str, now: float) -> str:
    """The zone that was typed, or else the stored one. Code: "zone"."""
    if not typed.strip() and not settings.choices.zone:
        raise RefereeError("zone/needed")
    return times.typed_zone(typed.strip() or settings.choices.zone, now)


def _times(settings: UserSettings, now: float) -> list[str]:
    """When the person isn't reminded, and when they are away, a line each."""
    choices, lines = settings.choices, list[str]()
    if choices.reminders == DM and settings.dms_closed:
        lines.append(_("Discord blocks my DMs, so reminders come in the channel."))
    if choices.quiet is not None and choices.zone:
        begin, end = map(times.clock_text, choices.quiet)
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


def vacation_limits(vacations: Sequence[PartialVacation]) -> list[str]:
    """A line for each game that allows less than the person's vacation."""
    lines = []
    for one in vacations[:MOST_GAMES_LISTED]:
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
    if (more := len(vacations) - MOST_GAMES_LISTED) > 0:
        lines.append(n_("… and {n} more", "… and {n} more", more))
    return lines


# --- direct messages


def dm_question() -> list[Row]:
    """Ask people who haven't chosen yet whether to send their hand by direct message."""
    return [
        Text(_("**Where do you want to see your hand?**")),
        [
            Button(_("Send my hand by DM"), Open("messages", ("1",)), Style.PRIMARY, "✉️"),
            Button(_("Only in the channel"), Open("messages", ("0",)), emoji="🎴"),
        ],
    ]


def dms_off() -> str:
    """Reply: the person wants no direct messages."""
    return _("No DMs: press **My hand** in the channel to see your cards.")


def dm_sent() -> str:
    """Reply: a direct message was sent."""
    return _("I've sent you a DM. Your hands and reminders come there, and what else you ask for.")


def dm_comes(when: int) -> str:
    """Reply: a direct message comes at `when`, in seconds since the epoch."""
    return _("I'll send you a DM {when}.", when=f"<t:{when}:R>")


def dm_queue_full() -> str:
    """Reply: too many people wait for their first direct message."""
    return _(
        "Many people are waiting for their first DM, and I can send only a few an hour. Turn **My hand by DM** on "
        "again in `/settings` in a few hours. Until then, press **My hand** in the channel."
    )


def dm_later() -> str:
    """Reply: sending failed for now."""
    return _("I couldn't send you a DM. I'll try again when I have something to tell you.")


def dms_stopped() -> str:
    """Reply: Discord allows no direct messages for hours."""
    return _("Discord won't let me open DMs right now. I'll try again in a few hours.")


def dms_closed() -> str:
    """Reply: Discord refuses direct messages to the person, such as when their own settings block them."""
    return _(
        "Discord won't let me message you. Allow direct messages from this server, then turn on **My hand by "
        "DM** in `/settings`. Until then, press **My hand** in the channel."
    )


# --- a person's own data


@dataclass(frozen=True, slots=True)
class Policy:
    """The host's decisions about data."""

    url: str | None = None
    """Address of the host's own policy; None: there is none."""
    days: int = 0
    """Days after their last change until finished, canceled and archived games are deleted; 0: never."""


def stored_data(found: Policy) -> Reply:
    """What is stored about people, with buttons to export or delete it."""
    title = _("What I store about you")
    lines = [
        _("Your Discord ID, and in the games you joined your name, your color and your lucky words."),
        _("What you did in those games, and when. Your hand and your plans are shown to you alone."),
        _("Your settings, the servers whose new tables you want to hear of, and your autopilot."),
        _("How your finished games ended, for the leaderboard."),
        _("How fast you decided in games with a turn timer of a day or more."),
    ]
    more = [
        _("I don't read messages, and I know nothing about people who don't use me."),
        _("All of it stays with the host of this bot, who can read it. I send it to no one else."),
        _how_long(found.days),
    ]
    if found.url:
        more.append(_("More in the host's [privacy policy]({link}).", link=found.url))
    text = "\n".join([f"### {title}", *(f"- {line}" for line in lines), *more])
    return Reply(text, rows=_data_controls())


def _data_controls() -> list[Row]:
    export = Button(_("Export my data"), Open("my_data"), emoji="📦")
    return [[export, Button(_("Forget me"), Open("forget"), Style.DANGER, "🗑️")]]


def _how_long(days: int) -> str:
    if not days:
        return _("Finished games stay until the host of this bot deletes them.")
    return n_(
        "Finished, canceled and archived games are deleted after {n} day.",
        "Finished, canceled and archived games are deleted after {n} days.",
        days,
    )


def exported_data(data: bytes) -> Reply:
    """A person's data as a file."""
    text = _("Everything I know about you. `/game verify` gives you a whole finished game.")
    return Reply(text, rows=_data_controls(), downloads=[Download(data, "my-data.json")])


def sure_to_forget() -> Reply:
    """Ask for confirmation before a person's data is deleted."""
    title = _("Forget you?")
    lines = [
        _("I delete your settings, autopilot, lucky words and ratings, and how fast you decided."),
        _("Finished games stay, so that their dice can be checked. They call you “Player” and a number."),
        _("Messages that I have posted stay in Discord."),
        _("This can't be undone."),
    ]
    text = "\n".join([f"### {title}", *(f"- {line}" for line in lines)])
    forget = Button(_("Yes, forget me"), Open("forgotten"), Style.DANGER, "🗑️")
    return Reply(text, rows=[[forget, Button(_("Keep it"), Open("privacy"))]])


def forgotten(name: str) -> Reply:
    """The reply once a person's data is deleted; `name`: theirs in finished games, empty if there are none."""
    if not name:
        return Reply(_("I've forgotten you. No game knows you anymore."))
    return Reply(_("I've forgotten you. Your finished games call you **{name}** now.", name=name))
