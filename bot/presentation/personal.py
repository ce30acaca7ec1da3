"""Personal settings for all one's games: what is set, and the controls that change it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bot.preferences import BUILDS, USUAL, UserSettings
from bot.presentation import reminders
from bot.presentation.controls import Button, ChoiceField, Entry, Form, Open, Option, Reply, Row, Style, Values, rows
from bot.presentation.looks import LOOKS, looks
from bot.presentation.texts.language import N_, _, n_
from bot.presentation.texts.marks import listing

ALWAYS, ASKED, PAY = "always", "asked", "pay"
BUILDING = {
    ALWAYS: N_("Always ask me"),
    ASKED: N_("Only when I have asked"),
    PAY: N_("Only when I can build or buy something"),
}
"""When somebody is asked in the special building phase (J2), as they choose it."""
SHARED = {
    "dms": N_("My hand by direct message, too"),
    "offer_pings": N_("Ping me for offers and their answers"),
    "listed": N_("Show me on leaderboards"),
}
"""Settings of what is sent and shown, as a form lists them."""
ASKS = {
    "ask_to_buy": N_("Before I buy a development card"),
    "ask_to_end": N_("Before I end a turn too soon"),
}
"""Before what to ask once more."""
ENTRIES = {
    "shared": Entry("|".join(SHARED), 0, len(SHARED)),
    "asks": Entry("|".join(ASKS), 0, len(ASKS)),
    "building": Entry("|".join(BUILDING)),
    "builds": Entry("|".join(BUILDS), 0, len(BUILDS)),
    "look": Entry("|".join(LOOKS), 0, len(LOOKS)),
}
"""What may come back in the form."""


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
    return Reply(said, rows=_controls())


def _controls() -> list[Row]:
    return [
        [
            Button(_("Change settings"), Open("form", ("settings",)), Style.PRIMARY, "⚙️"),
            Button(_("Reminders and vacation"), Open("reminders"), emoji="⏰"),
            Button(_("My data"), Open("privacy"), emoji="🔒"),
        ]
    ]


def form(settings: UserSettings) -> Form:
    """Asks for all of them at once."""
    choices = settings.choices
    on = {
        "dms": settings.dms and not settings.dms_closed,
        **{name: getattr(choices, name) for name in (*SHARED, *ASKS) if name != "dms"},
    }
    when = building(settings)
    calls = [Option(name, _(label), default=name == when) for name, label in BUILDING.items()]
    things = [Option(what, _(what).capitalize(), default=what in choices.building) for what in BUILDS]
    seen = [Option(name, label, None, chosen, emoji) for name, label, emoji, chosen in looks(choices.look)]
    return Form(
        _("Your settings"),
        [
            _boxes("shared", _("Messages and leaderboards"), [(n, _(label), on[n]) for n, label in SHARED.items()]),
            _boxes("asks", _("Ask me once more"), [(name, _(label), on[name]) for name, label in ASKS.items()]),
            ChoiceField("building", _("Special building"), calls),
            ChoiceField(
                "builds", _("What to ask me for, if I can pay"), things, _("None: anything"), False, len(things)
            ),
            ChoiceField("look", _("Pictures that only I see"), seen, required=False, most=len(seen)),
        ],
    )


def _boxes(name: str, label: str, choices: Sequence[tuple[str, str, bool]]) -> ChoiceField:
    """What is on or off."""
    options = [Option(value, text, default=on) for value, text, on in choices]
    return ChoiceField(name, label, options, required=False, most=len(options))


def changes(settings: UserSettings, values: Values) -> Mapping[str, Any]:
    """What the form changes, as the people's service takes it, without direct messages."""
    ticked = {*values.get("shared", ()), *values.get("asks", ())}
    when = values["building"][0]
    wanted = tuple(what for what in BUILDS if what in values.get("builds", ())) or tuple(BUILDS)
    found: dict[str, Any] = {}
    given: dict[str, Any] = {name: name in ticked for name in (*SHARED, *ASKS) if name != "dms"}
    if when != building(settings) or (when == PAY and wanted != settings.choices.building):
        found = dict(building_change(settings, when))
        given |= {**found["choices"], **({"building": wanted} if when == PAY else {})}
    return {**found, "choices": given, "look": {name: name in values.get("look", ()) for name in LOOKS}}


def wants_messages(values: Values) -> bool:
    """Whether the form asks for direct messages."""
    return "dms" in values.get("shared", ())


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
