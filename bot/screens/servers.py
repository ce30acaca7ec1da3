"""A server's settings, for its managers: what is set, and the controls that change it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from bot.screens.controls import CHANNEL, FORUM, ROLE, Button, Open, Option, Pick, Reply, Row, Select, Style
from bot.screens.shown import items, merged_items
from bot.servers import EVERYBODY, MANAGERS, Overview, ServerSettings
from bot.servers import ROLE as BY_ROLE
from bot.words import times
from bot.words.language import N_, _, enumeration, n_
from bot.words.marks import listing

OPENERS = {EVERYBODY: N_("Everyone can open tables"), MANAGERS: N_("Only server managers can open tables")}
"""Who can open tables; the third choice is people with a role."""
NUMBERS = (0, 1, 2, 3, 5, 10, 20)
"""Numbers of tables to choose from; 0: any number."""
PAUSES = (0, 60, 300, 900, 3600)
"""Seconds between two new tables to choose from."""
MOST_CHANNELS = 10
"""Most channels that can be chosen."""
LISTS = "most|most_by_person|pause"
"""Pattern of the names of lists of numbers."""


def settings(
    chosen: ServerSettings,
    listed: Overview | None = None,
    answer: str = "",
    *,
    gone: Collection[int] = (),
    key: str = "",
) -> Reply:
    """All settings of a server; `listed`: its list of games, if it has one; `answer`: what came of the last choice.
    `gone`: chosen roles and channels that were deleted. `key`: what the controls carry for a person who doesn't manage
    the server."""
    title = _("Settings for this server")
    lines = [
        _opening(chosen, gone),
        _places(chosen, gone),
        _threads(chosen, gone),
        _by_person(chosen.most_by_person),
        _at_once(chosen.most),
        _pause(chosen.pause),
        _("Bots: **allowed**") if chosen.computers else _("Bots: **not allowed**"),
        _list(listed),
    ]
    said = "\n".join(filter(None, (f"### {title}", *(f"- {line}" for line in lines), answer)))
    return Reply(said, rows=_controls(chosen, listed is not None, gone, (key,) if key else ()))


def _opening(chosen: ServerSettings, gone: Collection[int]) -> str:
    if chosen.openers == MANAGERS:
        return _("Who can open tables: **server managers**")
    if chosen.openers == BY_ROLE and chosen.role in gone:
        return _("Who can open tables: only server managers, as **the chosen role was deleted**")
    if chosen.openers == BY_ROLE:
        return _("Who can open tables: **people with the role** {role}", role=f"<@&{chosen.role}>")
    return _("Who can open tables: **everyone**")


def _places(chosen: ServerSettings, gone: Collection[int]) -> str:
    if not chosen.channels:
        return _("Where: **in any channel**")
    there = [channel for channel in chosen.channels if channel not in gone]
    if not there:
        return _("Where: nowhere, as **the chosen channels were deleted**")
    names = enumeration(f"<#{channel}>" for channel in there)
    return _("Where: {channels} and threads there", channels=names)


def _threads(chosen: ServerSettings, gone: Collection[int]) -> str:
    if not chosen.forum:
        return _("Game threads: **in the table's channel**")
    if chosen.forum in gone:
        return _("Game threads: none, as **the chosen forum was deleted**")
    return _("Game threads: posts in {forum}", forum=f"<#{chosen.forum}>")


def without_tags(forum: int, names: Sequence[str]) -> str:
    """Ask for the forum tags that Harbormaster couldn't create."""
    tags = listing(f"**{name}**" for name in names)
    text = _("Add the tags {tags} to {forum}, and I'll keep them up to date.", tags=tags, forum=f"<#{forum}>")
    return text


def _by_person(most: int) -> str:
    if not most:
        return _("Open tables per person: **any number**")
    return _("Open tables per person: **at most {n}**", n=most)


def _at_once(most: int) -> str:
    if not most:
        return _("Open tables on this server: **any number**")
    return _("Open tables on this server: **at most {n}**", n=most)


def _pause(seconds: int) -> str:
    if not seconds:
        return _("Wait between new tables of one person: **none**")
    return _("Wait between new tables of one person: **{time}**", time=times.span(seconds))


def _list(listed: Overview | None) -> str:
    if listed is None:
        return _("List of all games: **none**. It names games and players that all its readers can see anyway.")
    return _("List of all games: in {channel}", channel=f"<#{listed.channel}>")


def _controls(chosen: ServerSettings, listed: bool, gone: Collection[int], key: tuple[str, ...]) -> list[Row]:
    roles, forum = (chosen.role,) if chosen.openers == BY_ROLE else (), (chosen.forum,) * bool(chosen.forum)
    there = [channel for channel in chosen.channels if channel not in gone]
    openers = [Option(name, _(label), default=name == chosen.openers) for name, label in OPENERS.items()]

    def pick(title: str, verb: str, kind: str, now: Sequence[int]) -> Pick:
        return Pick(title, Open(verb, key), kind, [number for number in now if number not in gone], 0, 1)

    def numbers(name: str, now: int, label: Callable[[int], str], offered: Iterable[int]) -> Select:
        options = [Option(str(n), label(n), default=n == now) for n in sorted({*offered, max(now, 0)})]
        return Select(label(now), Open("server_set", (name, *key)), options)

    computers = Open("server_computers", (str(int(not chosen.computers)), *key))
    return [
        Select(_("Only people with a role can open tables"), Open("openers", key), openers),
        pick(_("Or: only people with this role"), "opener_role", ROLE, roles),
        Pick(
            _("Where: in any channel"),
            Open("opened_in", key, shown=f".{items(_ids(chosen.channels))}"),
            CHANNEL,
            there,
            0,
            MOST_CHANNELS,
        ),
        pick(_("Forum for game threads: none"), "forum", FORUM, forum),
        numbers("most_by_person", chosen.most_by_person, _by_person_label, NUMBERS),
        numbers("most", chosen.most, _at_once_label, NUMBERS),
        numbers("pause", chosen.pause, _pause_label, PAUSES),
        [
            switch(computers, chosen.computers, _("Bots allowed"), "🤖"),
            Button(_("List all games in this channel"), Open("server_list", ("1", *key)), emoji="📋"),
            *([Button(_("Remove the list"), Open("server_list", ("0", *key)), emoji="🗑️")] if listed else []),
        ],
    ]


def _by_person_label(n: int) -> str:
    if not n:
        return _("Any number of open tables per person")
    return n_("At most {n} open table per person", "At most {n} open tables per person", n)


def _at_once_label(n: int) -> str:
    if not n:
        return _("Any number of open tables on this server")
    return n_("At most {n} open table on this server", "At most {n} open tables on this server", n)


def _pause_label(n: int) -> str:
    if not n:
        return _("No wait between new tables")
    return _("Wait between new tables: {time}", time=times.span(n))


def channels(chosen: ServerSettings, shown: str, picked: Sequence[str]) -> tuple[int, ...]:
    """The channels after a choice in a list that has shown `shown`: others can have changed them meanwhile."""
    found = merged_items(shown[1:], _ids(chosen.channels), picked) if shown else picked
    return tuple(map(int, found))[:MOST_CHANNELS]


def _ids(channels: Iterable[int]) -> list[str]:
    return [str(channel) for channel in channels]


def opener_change(values: Sequence[str]) -> Mapping[str, Any]:
    """The settings that the choice of a role changes; without a role, everyone can open tables."""
    return {"openers": BY_ROLE, "role": int(values[0])} if values else {"openers": EVERYBODY, "role": 0}


def switch(target: Open, on: bool, label: str, emoji: str) -> Button:
    """A button that shows whether something is on, and switches it."""
    text = _("{label}: on", label=label) if on else _("{label}: off", label=label)
    return Button(text, target, Style.SUCCESS if on else Style.SECONDARY, emoji)
