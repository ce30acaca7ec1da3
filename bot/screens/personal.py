"""A person's settings for all their games: what is set, and the forms that change it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bot.screens import reminders
from bot.screens.choosing import Sheet, changes
from bot.screens.controls import Button, Form, Open, Reply, Row, Style, Text, Values, rows
from bot.table.option import Boxes, Option, switch
from bot.table.preferences import BUILDS, CALLS, PAY, PERSONAL, STANDING, USUAL, UserSettings
from bot.words.language import N_, _
from bot.words.options import label, lines

DMS = switch(
    "dms",
    N_("My hand by DM, too"),
    N_("My hand by DM: **on**"),
    N_("My hand by DM: **off**"),
)
_SHARED = Boxes(
    "shared", N_("Messages and leaderboards"), (DMS, PERSONAL["in_words"], PERSONAL["offer_pings"], PERSONAL["listed"])
)
_ASKS = Boxes("asks", N_("Ask me to confirm"), (PERSONAL["ask_to_buy"], PERSONAL["ask_to_end"]))
_SAID = ("in_words", "offer_pings", "ask_to_buy", "ask_to_end", "look", "listed", "reminders")
_BUILDING = (CALLS, PERSONAL["building"], STANDING)
_SETTINGS = (_SHARED, _ASKS, PERSONAL["look"])


SHEETS = {
    sheet.name: sheet
    for sheet in (
        Sheet("settings", N_("Your settings"), "⚙️", _SETTINGS),
        Sheet("building", N_("Building between turns"), "🏗️", _BUILDING),
        Sheet("reminders", N_("Reminders"), "⏰", reminders.REMINDING),
        Sheet("vacation", N_("Vacation"), "🏖️", reminders.LEAVING),
    )
}


def building_choices() -> list[Row]:
    """The question when to be asked to build, with a button for each answer."""
    question = _("**From now on, when should I ask you to build between turns?** `/settings` changes it.")
    buttons = [Button(label(choice), Open("building", (choice.value,))) for choice in CALLS.offered(None)]
    return [Text(question), *rows(buttons)]


def value(settings: UserSettings) -> Callable[[Option], Any]:
    """A function that returns what the person has chosen for an option."""
    own = {
        "dms": settings.dms and not settings.dms_closed,
        "calls": settings.calls,
        "standing": settings.standing or USUAL,
        "building": settings.choices.building or tuple(BUILDS),
    }
    return lambda option: own[option.name] if option.name in own else getattr(settings.choices, option.name)


def form(settings: UserSettings, which: str, now: float) -> Form:
    """A form, filled in with the person's settings."""
    fields = {"reminders": reminders.reminding(settings), "vacation": reminders.leaving(settings, now)}
    return SHEETS[which].form(fields.get(which, SHEETS[which].possible), lambda option: settings, value(settings))


def page(settings: UserSettings, now: float, answer: str = "") -> Reply:
    """All of a person's settings; `now` in seconds since the epoch.

    `answer`: what came of the last click. It stands next to the buttons: a phone doesn't show the top of a long page.
    """
    title = _("Your settings, for all your games")
    said = [
        _dms(settings) or _lines(settings, DMS),
        _lines(settings, {"pay": PERSONAL["building"], "always": STANDING}.get(settings.calls, CALLS)),
        *(
            _lines(settings, PERSONAL[name])
            for name in ("in_words", "offer_pings", "ask_to_buy", "ask_to_end", "look", "listed")
        ),
        _lines(settings, PERSONAL["reminders"]),
        *reminders.said(settings, now),
    ]
    buttons = [
        sheet.button(Style.PRIMARY if sheet.name == "settings" else Style.SECONDARY) for sheet in SHEETS.values()
    ]
    more = [Button(_("My data"), Open("privacy"), emoji="🔒")]
    if (vacation := reminders.vacation_ahead(settings, now)) is not None:
        more.append(Button(_("I'm back") if vacation[0] <= now else _("No vacation"), Open("back"), emoji="👋"))
    text = "\n".join((f"### {title}", *(f"- {line}" for line in said)))
    return Reply("\n".join(filter(None, (text, answer))), rows=[buttons, more])


def changed(settings: UserSettings, sheet: Sheet, entered: Values) -> dict[str, Any]:
    """The settings that a sent form changes, by name."""
    found = changes(sheet.possible, lambda option: settings, value(settings), entered)
    if not found.keys().isdisjoint(("calls", "building", "standing")):
        building = {option.name: value(settings)(option) for option in (CALLS, PERSONAL["building"], STANDING)}
        found |= building_changed(**{**building, **found})
        found.pop("calls", None)
    return found


def building_changed(calls: str, building: tuple[str, ...] = (), standing: int = USUAL) -> Mapping[str, Any]:
    """The settings that follow from the choice when to be asked to build."""
    wanted = (building or tuple(BUILDS)) if calls == PAY else ()
    return {"building": wanted, "building_chosen": True, "standing": 0 if calls == "asked" else standing}


def _lines(settings: UserSettings, option: Option) -> str:
    return "\n".join(lines([option], lambda one: settings, value(settings)))


def _dms(settings: UserSettings) -> str:
    if settings.dms and settings.dms_closed:
        return _(
            "My hand by DM: **on, but Discord blocks it**. Allow direct messages from this server, then turn it "
            "on again."
        )
    return ""
