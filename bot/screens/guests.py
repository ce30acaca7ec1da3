"""The people of a table, for its host: for whom seats are kept, who is taken off or let back, and who the host is."""

from __future__ import annotations

from collections.abc import Iterable

from bot.screens.controls import USER, ListOption, Open, Pick, Reply, Row, Select
from bot.screens.forms import items
from bot.screens.viewer import guest_name, marked
from bot.table.parts import Member
from bot.table.table import LOBBY, Table
from bot.words.language import _
from bot.words.marks import sign

MOST_KEPT = 7
"""Most people for whom seats can be kept: all but one at the largest table."""
MOST_BARRED = 25
"""Most people in one list: the latest who were taken off."""


def people_page(table: Table, user: int, others: Iterable[int], *, host: bool, answer: str = "") -> Reply:
    """Who is at the table, with the controls of its host; `others`: users whom a list can name in the game or lobby.

    `answer`: what came of the last click. Who was taken off is only for the host.
    """
    lines = ["### " + _("People at table {number}", number=table.number)]
    lines += [_line(member, host=member.user == table.host) for member in table.members]
    if table.status == LOBBY:
        lines += [_("🪑 {name} (seat kept)", name=guest_name(guest)) for guest in table.invited]
    if not host:
        lines.append("-# " + _("Only the host can change this."))
    elif table.status == LOBBY:
        lines.append(
            "-# " + _("Only people whom you take off learn it, when they come back. All others see a free seat.")
        )
    named = [table.member(other) for other in others if other != user]
    return Reply("\n".join(filter(None, (*lines, answer))), rows=_controls(table, named) if host else [])


def _line(member: Member, *, host: bool) -> str:
    name = f"{sign(member.color)} {marked(member)}"
    return _("{name} (host)", name=name) if host else name


def _controls(table: Table, others: list[Member]) -> list[Row]:
    people = [ListOption(str(member.user), member.name, emoji=sign(member.color)) for member in others]
    hosts = [option for option in people if option.value != str(table.host)]
    new_host = Select(_("Make someone else host"), Open("make_host"), hosts)
    if table.status != LOBBY:
        return [new_host]
    kept = [guest.user for guest in table.invited]
    barred = [ListOption(str(one.user), one.name) for one in table.barred[-MOST_BARRED:]]
    shown = f".{items([*map(str, kept)])}"
    return [
        Pick(_("Keep seats for…"), Open("keep", shown=shown), USER, kept, 0, MOST_KEPT),
        Select(_("Take someone off the table"), Open("take_off"), people),
        Select(_("Let someone join again"), Open("let_back"), barred),
        new_host,
    ]


def kept(table: Table) -> str:
    """What came of keeping seats."""
    if not table.invited:
        return _("No seat is kept for anyone now.")
    return _("Saved. Kept seats are theirs until the game starts.")
