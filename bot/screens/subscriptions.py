"""New tables on a server: what a person can choose to hear of them, and what tells them of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.screens.controls import Button, Open, Reply, Row, Section, Style, Text
from bot.screens.options import NewValues, Page, Scope
from bot.table.guests import open_to
from bot.table.preferences import DM, UserSettings
from bot.table.subscriptions import LAST_JOB, NEW_TABLES, SUBSCRIPTION, Subscription, lacks_one
from bot.table.table import CANCELLED, Table
from bot.words.language import _, n_
from bot.words.options import summary

SUBSCRIPTION_SCOPE = Scope("here", (NEW_TABLES,), tuple(SUBSCRIPTION.values()))


def subscription_options(chosen: Subscription, settings: UserSettings) -> Page:
    """What a person has chosen for a server."""

    def stored(changed: NewValues, entered: NewValues) -> NewValues:
        asked = entered["how"] == DM and settings.unreachable  # perhaps no direct message could reach them before
        return {**changed, "how": DM} if asked else changed

    return Page(SUBSCRIPTION_SCOPE.options, lambda option: chosen, lambda option: getattr(chosen, option.name), stored)


def subscription_lines(chosen: Subscription, settings: UserSettings) -> list[str]:
    """What is set, a line each."""
    lines = subscription_options(chosen, settings).lines()
    if chosen.how == DM and settings.unreachable:
        lines.append(_("I can't write to you yet, so I tell you of no new tables."))
    return lines


def call_text(table: Table, job: str) -> str:
    """What a message in a table's channel says to those whom it calls; `job`: the job that had it posted."""
    if job == LAST_JOB:
        return _("Table {number} lacks one player: press **Join** to play.", number=table.number)
    what = summary(table)
    return _("Table {number} is open: press **Join** to play. {what}", number=table.number, what=what)


@dataclass(frozen=True, slots=True)
class ToldTable:
    """A table that a person is told of; `link`: the way there."""

    table: Table
    link: str

    def why_not(self, user: int) -> str:
        """Why the person can't join; empty if they can. It stays the same when the game begins: each change is an
        edit."""
        if open_to(self.table, user):
            return ""
        if user in self.table.users:
            return _("You're at the table.")
        return _("The table is canceled.") if self.table.status == CANCELLED else _("No seat is free anymore.")

    def line(self, user: int) -> str:
        """What the person reads of it: how it is played, or why they can't join."""
        return self.why_not(user) or summary(self.table)


def letter_title(told: Sequence[ToldTable], job: str) -> str:
    """What the direct message about tables is called; `job` as for `call_text`."""
    if job == LAST_JOB and all(lacks_one(one.table) for one in told):
        return _("One player is missing")
    return n_("{n} new table", "{n} new tables", len(told))


def letter(told: Sequence[ToldTable], user: int, job: str) -> Reply:
    """The direct message about tables, with a button to join each; `job` as for `call_text`."""
    found: list[Row] = [_row(one, user) for one in told]
    hint = _("You asked for this in `/settings` on that server.")
    return Reply(f"### 📣 {letter_title(told, job)}", rows=[*found, Text(f"-# {hint}")])


def _row(told: ToldTable, user: int) -> Row:
    table = told.table
    name = _("Table {number}", number=table.number)
    text = f"**[{name}]({told.link})** <#{table.channel}> · {told.line(user)}"
    join = Button(_("Join"), Open("sit", (str(table.number),)), Style.SUCCESS, "🪑")
    return Text(text) if told.why_not(user) else Section(text, join)
