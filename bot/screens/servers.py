"""A server's settings, for its managers: what is set, and the controls that change it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from bot.screens.controls import Button, Open, Reply, Row
from bot.screens.settings import Changes, Page
from bot.servers import EVERYBODY, ROLE, SERVER, Overview, ServerSettings
from bot.words.language import _
from bot.words.marks import listing

LISTS = {"openers": "openers", "role": "opener_role", "channels": "opened_in", "forum": "forum"}
"""What the lists of these options are called in custom ids."""
SWITCHES = [option for option in SERVER.values() if isinstance(getattr(ServerSettings(), option.name), bool)]
NAMED = [name for name, option in SERVER.items() if name not in LISTS and option not in SWITCHES]
"""The options whose lists are all called "server_set", and have their names in custom ids."""


def options(chosen: ServerSettings, gone: Collection[int] = ()) -> Page:
    """A server's settings. `gone`: chosen roles and channels that were deleted."""

    def stored(changed: Changes, _chosen: Changes) -> Changes:
        if "role" in changed:  # a role is for those who can open tables; without one, all can
            return {"openers": ROLE if changed["role"] else EVERYBODY, **changed}
        return {"role": 0, **changed} if "openers" in changed else changed

    return Page(tuple(SERVER.values()), lambda option: gone, lambda option: getattr(chosen, option.name), stored)


def page(settings: Page, listed: Overview | None, answer: str, key: str) -> Reply:
    """All settings of a server; `listed`: its list of games, if it has one; `answer`: what came of the last choice.
    `key`: what the controls carry for a person who doesn't manage the server."""
    title = _("Settings for this server")
    lines = [*settings.lines(), _list(listed)]
    said = "\n".join(filter(None, (f"### {title}", *(f"- {line}" for line in lines), answer)))
    return Reply(said, rows=_controls(settings, listed is not None, (key,) if key else ()))


def without_tags(forum: int, names: Sequence[str]) -> str:
    """Ask for the forum tags that Harbormaster couldn't create."""
    tags = listing(f"**{name}**" for name in names)
    text = _("Add the tags {tags} to {forum}, and I'll keep them up to date.", tags=tags, forum=f"<#{forum}>")
    return text


def _list(listed: Overview | None) -> str:
    if listed is None:
        return _("List of all games: **none**. It names games and players that all its readers can see anyway.")
    return _("List of all games: in {channel}", channel=f"<#{listed.channel}>")


def _controls(settings: Page, listed: bool, key: tuple[str, ...]) -> list[Row]:
    lists = [one for one in settings.options if one not in SWITCHES]
    called = [(LISTS[one.name],) if one.name in LISTS else ("server_set", one.name) for one in lists]
    buttons = [settings.switch(one, f"server_{one.name}", *key) for one in SWITCHES]
    buttons.append(Button(_("List all games in this channel"), Open("server_list", ("1", *key)), emoji="📋"))
    if listed:
        buttons.append(Button(_("Remove the list"), Open("server_list", ("0", *key)), emoji="🗑️"))
    return [*(settings.list_of(one, *call, *key) for one, call in zip(lists, called, strict=True)), buttons]
