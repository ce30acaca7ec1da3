"""How a table begins: with its host, for a first game, or like one that is over."""

from __future__ import annotations

from dataclasses import fields, replace

from bot.table.act import By
from bot.table.acts.lobby import AddComputer, Join
from bot.table.checks import check_member
from bot.table.lobby import seated
from bot.table.options import TableOptions
from bot.table.table import LOBBY, Table, TableChoices
from engine.config import Config
from engine.errors import RefereeError
from engine.scenarios import check


def opened(guild: int | None, channel: int, config: Config, host: Join, by: By) -> Table:
    """A lobby with its host. Codes: as `Join`."""
    table = Table(
        number=0,
        guild=guild,
        channel=channel,
        status=LOBBY,
        host=by.user,
        anyone_starts=False,
        config=config,
        members=(),
        commitment="",
        entropy=(),
        version=1,
        created=by.at,
        updated=by.at,
    )
    return host.on(table, None, by)


def lesson(table: Table, by: By) -> Table:
    """For a first game: the fixed board, computers that play easily, and tips."""
    choices = replace(table.choices, coached=(), lesson=True)
    table = replace(table, config=replace(table.config, scenario="beginner"), choices=choices)
    table = AddComputer("easy", fill=True).on(table, None, by)
    check(table.config)
    return table


def again(table: Table, by: By) -> Table:
    """A lobby like this finished one, to which the others are invited. Codes: "not-member", "not-over"."""
    check_member(table, by.user)
    if table.open:
        raise RefereeError("not-over/rematch")
    host = (replace(m, phrase="", interaction=by.interaction, level="") for m in table.members if m.user == by.user)
    computers = (member for member in table.members if not member.is_person)
    old, invited = table.choices, tuple(other for other in table.people if other != by.user)
    kept = {one.name: getattr(old, one.name) for one in fields(TableOptions)}
    choices = TableChoices(**kept, invited=invited, coached=old.coached, lesson=old.coached is not None)
    fresh = replace(
        table, status=LOBBY, host=by.user, entropy=(), version=1, created=by.at, updated=by.at, choices=choices
    )
    return seated(fresh, (*host, *computers))
