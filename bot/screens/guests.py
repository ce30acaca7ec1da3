"""The people of a table, for its host: for whom seats are kept, who is taken off or let back, and who the host is."""

from __future__ import annotations

from collections.abc import Iterable

from bot.screens.controls import USER, ListOption, Open, Pick, Reply, Row, Select, Text
from bot.screens.forms import items
from bot.screens.viewer import guest_name, marked
from bot.table.parts import Barred, Member
from bot.table.table import LOBBY, Table
from bot.words.language import _
from bot.words.marks import sign

MOST_KEPT = 7
"""Most people for whom seats can be kept: all but one at the largest table."""
MOST_BARRED = 25
"""Most people in one list: the latest who were taken off."""


def people_page(table: Table, user: int, host: int, others: Iterable[int], *, decides: bool, answer: str = "") -> Reply:
    """Who is at the table, with controls if the user `decides` as a host does; only then it says who was taken off.

    `host` decides now; `others` are users whom a list can name; `answer` says what came of the last click.
    """
    lines = ["### " + _("People at table {number}", number=table.number)]
    lines += [_line(member, host=member.user == host) for member in table.members]
    if table.status == LOBBY:
        lines += [_("🪑 {name} (seat kept)", name=guest_name(guest)) for guest in table.invited]
    if not decides:
        lines.append("-# " + _("Only the host can change this."))
    people = [
        ListOption(str(member.user), member.name, emoji=sign(member.color))
        for member in map(table.member, others)
        if member.user != user
    ]
    rows = _controls(table, people, host) if decides else []
    return Reply("\n".join(filter(None, (*lines, answer))), rows=rows)


def _line(member: Member, *, host: bool) -> str:
    name = f"{sign(member.color)} {marked(member)}"
    return _("{name} (host)", name=name) if host else name


def _controls(table: Table, people: list[ListOption], host: int) -> list[Row]:
    hosts = [option for option in people if option.value != str(host)]
    new_host = Select(_("Make someone else host"), Open("make_host"), hosts)
    if table.status != LOBBY:
        return [new_host]
    kept = [guest.user for guest in table.invited]
    barred = [ListOption(str(one.user), one.name) for one in table.barred[-MOST_BARRED:]]
    shown = f".{items([*map(str, kept)])}"
    hint = _("Only people whom you take off learn it, when they come back. All others see a free seat.")
    return [
        Text(_("**Seats are kept for:**")),
        Pick(_("Choose people"), Open("keep", shown=shown), USER, kept, 0, MOST_KEPT),
        *([Text(f"-# {hint}")] if people else []),
        Select(_("Take someone off the table"), Open("take_off"), people),
        Select(_("Let someone join again"), Open("let_back"), barred),
        new_host,
    ]


def taken_off(barred: Barred) -> str:
    """What a person who was taken off a table is told once, before whatever else they are answered there."""
    if barred.by_manager:
        return _(
            "Someone who manages this channel has taken you off this table. Other tables are open to you, and "
            "`/game new` opens your own in another channel."
        )
    return _(
        "The host has taken you off this table. Other tables are open to you, and `/game new` opens your own in "
        "another channel."
    )


def kept(table: Table) -> str:
    """What came of keeping seats."""
    if not table.invited:
        return _("No seat is kept for anyone now.")
    return _("Saved. Kept seats are theirs until the game starts.")
