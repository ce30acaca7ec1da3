"""Options and settings, chosen in the forms of their pages as people do it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bot.screens import options, people
from bot.screens.options import Scope
from bot.table.option import Boxes
from tests.wire.calls import Interaction
from tests.wire.limits import RADIOS, SELECT
from tests.wire.messages import Message, walk
from tests.wire.model import Json

if TYPE_CHECKING:
    from tests.wire.party import Party, Person


async def set_options(table: Party, who: Person | None = None, **changes: Any) -> Interaction:
    """Let a person (by default the host) set table options by name. Uses the command in a release without forms."""
    person = who or table.people[0]
    if by_command := _parameters(table, "game", "options") & changes.keys():
        return await person.slash(table.channel, "game options", **{name: changes[name] for name in by_command})
    it = await person.slash(table.channel, "game options")
    if "scenario" in changes:
        scenarios = next(c for c in _page(it).interactive if c["type"] == SELECT)
        it = await person.select(_page(it), [changes.pop("scenario")], custom_id=scenarios["custom_id"])
    return await _filled(person, it, options.TABLE_SCOPE, changes)


async def set_own(person: Person, form: str = "", **changes: Any) -> Interaction:
    """Let a person change their own settings, by name. `form`: the only one to send; other ones have fields with the
    same names."""
    it = await person.slash(person.party.channel, "settings")
    scope = people.PERSONAL_SCOPE
    if form:
        scope = replace(scope, sheets=tuple(sheet for sheet in scope.sheets if sheet.name == form))
    return await _filled(person, it, scope, changes)


def _page(it: Interaction) -> Message:
    page = it.response or it.source
    assert page is not None
    return page


async def _filled(person: Person, it: Interaction, scope: Scope, changes: Json) -> Interaction:
    """Send each form that has some of the options. Its other fields stay as they are."""
    for sheet in scope.sheets:
        named = {
            option.name: option.sheet.name if isinstance(option.sheet, Boxes) else option.name
            for option in scope.options
            if option.asked_by is sheet
        }
        mine = {name: changes[name] for name in changes if name in named}
        ids = [str(c.get("custom_id")) for c in _page(it).interactive]
        opener = next((one for one in ids if ":form:" in one and one.endswith(f":{sheet.name}")), None)
        if not mine or opener is None:
            continue
        form = await person.click(_page(it), custom_id=opener)
        it = await person.submit_modal(form, dict(_entered(form, named, mine)))
    return it


def _entered(form: Interaction, named: Mapping[str, str], changes: Json) -> list[tuple[str, Any]]:
    """The entry for each field that changes."""
    entries = []
    for field in (c for c in walk(form.data["components"]) if "custom_id" in c):
        mine = {name: value for name, value in changes.items() if named[name] == field["custom_id"]}
        if not mine:
            continue
        chosen = [o["value"] for o in field.get("options", ()) if o.get("default")]
        for name, value in mine.items():
            if name != field["custom_id"]:  # a box among others
                chosen = [one for one in chosen if one != name] + [name] * bool(value)
            elif isinstance(value, list | tuple):
                chosen = [str(one) for one in value]
            else:
                chosen = [str(value)]
        entries.append((field["custom_id"], chosen[0] if field["type"] == RADIOS or "options" not in field else chosen))
    return entries


def _parameters(table: Party, *path: str) -> set[str]:
    """The parameters of a registered command."""
    here: Any = table.wire.world.commands.get(0, [])
    for name in path:
        here = next(one for one in here if one["name"] == name).get("options", [])
    return {one["name"] for one in here}
