"""Personal settings for all one's games: what is set, and the controls that change it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bot.preferences import BUILDS, USUAL, UserSettings
from bot.presentation import reminders
from bot.presentation.controls import Button, Open, Option, Reply, Row, Select, rows
from bot.presentation.looks import LOOKS, looks, switch
from bot.presentation.texts.language import N_, _, n_
from bot.presentation.texts.marks import listing

ALWAYS, ASKED, PAY = "always", "asked", "pay"
BUILDING = {
    ALWAYS: N_("Always ask me"),
    ASKED: N_("Only when I have asked"),
    PAY: N_("Only when I can build or buy something"),
}
"""When somebody is asked in the special building phase (J2), as they choose it."""
LISTED = {
    ALWAYS: N_("Special building: always ask me"),
    ASKED: N_("Special building: if I asked for it"),
    PAY: N_("Special building: if I can pay"),
}
"""The same in a list, where nothing else says what it is about."""
SWITCHES = ("dms", "offer_pings", "ask_to_buy", "ask_to_end", "listed", *LOOKS)
"""Settings that are on or off."""


def building(settings: UserSettings) -> str:
    """Which of `BUILDING` somebody has chosen."""
    return ASKED if settings.called_from == 0 else PAY if settings.choices.building else ALWAYS


def building_change(settings: UserSettings, chosen: str) -> Mapping[str, Any]:
    """What the choice among `BUILDING` changes, as the people's service takes it."""
    wanted = (settings.choices.building or tuple(BUILDS)) if chosen == PAY else ()
    standing = 0 if chosen == ASKED else settings.standing or USUAL
    return {"standing": standing, "choices": {"building": wanted, "building_chosen": True}}


def building_choices() -> list[Row]:
    """A button for each of `BUILDING`."""
    return rows([Button(_(label), Open("building", (name,))) for name, label in BUILDING.items()])


def settings(settings: UserSettings, now: float, lead: str = "") -> Reply:
    """All that can be set; `now` in seconds since the epoch."""
    title = _("Your settings, for all your games")
    lines = [
        _dms(settings),
        _building(settings),
        _offers(settings),
        _buying(settings),
        _ending(settings),
        _looks(settings),
        _listed(settings),
        reminders.line(settings),
        reminders.away(settings, now),
        *filter(None, [reminders.time_zone(settings)]),
    ]
    said = "\n".join(filter(None, (lead, f"### {title}", *(f"- {line}" for line in lines))))
    return Reply(said, rows=_controls(settings))


def _controls(settings: UserSettings) -> list[Row]:
    chosen = building(settings)
    calls = [Option(name, _(label), default=name == chosen) for name, label in LISTED.items()]
    found: list[Row] = [Select(_("Special building: when to ask me"), Open("building"), calls)]
    if chosen == PAY:
        wanted = [
            Option(what, _("Ask me for: {what}", what=_(what)), default=what in settings.choices.building)
            for what in BUILDS
        ]
        found.append(Select(_("What to ask me for"), Open("builds"), wanted, most=len(wanted)))
    switches = [
        _switch("dms", settings.dms and not settings.dms_closed, _("My hand by DM"), "✉️"),
        _switch("offer_pings", settings.choices.offer_pings, _("Pings for trades"), "🔔"),
        _switch("ask_to_buy", settings.choices.ask_to_buy, _("Ask before I buy a card"), "🎴"),
        _switch("ask_to_end", settings.choices.ask_to_end, _("Ask before I end too soon"), "⏭️"),
        _switch("listed", settings.choices.listed, _("Leaderboards"), "🏅"),
    ]
    seen = [_switch(name, on, label, emoji) for name, label, emoji, on in looks(settings.choices.look)]
    more = [
        Button(_("Reminders and vacation"), Open("reminders"), emoji="⏰"),
        Button(_("My data"), Open("privacy"), emoji="🔒"),
    ]
    return [*found, switches, seen, more]


def _switch(name: str, on: bool, label: str, emoji: str) -> Button:
    return switch(Open("switch", (name, str(int(not on)))), on, label, emoji)


def _dms(settings: UserSettings) -> str:
    if settings.dms and settings.dms_closed:
        return _(
            "My hand by DM: **on, but Discord refuses them**. Allow direct messages from this server, then switch "
            "them on again."
        )
    return _("My hand by DM: **on**") if settings.dms else _("My hand by DM: **off**")


def _building(settings: UserSettings) -> str:
    """When they are asked in the special building phase (J2)."""
    match building(settings):
        case "asked":
            return _("Special building: **only when you have asked**")
        case "pay":
            things = listing([_(what) for what in settings.choices.building], "or")
            return _("Special building: **only when you can get a {things}**; otherwise you pass", things=things)
        case _:
            return n_(
                "Special building: **always**, with {n} card or more",
                "Special building: **always**, with {n} cards or more",
                settings.standing,
            )


def _offers(settings: UserSettings) -> str:
    if settings.choices.offer_pings:
        return _("Pings for offers and their answers: **on**")
    return _("Pings for offers and their answers: **off**")


def _buying(settings: UserSettings) -> str:
    if settings.choices.ask_to_buy:
        return _("Buying a development card: **asks again**")
    return _("Buying a development card: **at once**")


def _ending(settings: UserSettings) -> str:
    if settings.choices.ask_to_end:
        return _("Ending a turn: **asks again** if an offer is open, or a 7 would cost you cards")
    return _("Ending a turn: **at once**")


def _looks(settings: UserSettings) -> str:
    chosen = [label.lower() for _name, label, _emoji, on in looks(settings.choices.look) if on]
    return _("Pictures that only you see: **{look}**", look=", ".join(chosen) or _("as usual"))


def _listed(settings: UserSettings) -> str:
    if settings.choices.listed:
        return _("Leaderboards and your `/profile`: **for all to see**")
    return _("Leaderboards and your `/profile`: **only for you**; your games still count for others")


def switched(name: str, on: bool) -> Mapping[str, Any]:
    """What a switch changes, as the people's service takes it."""
    return {"look" if name in LOOKS else "choices": {name: on}}


def wants(values: Sequence[str]) -> Mapping[str, Any]:
    """What a choice of purchases changes."""
    return {"choices": {"building": tuple(what for what in BUILDS if what in values), "building_chosen": True}}
