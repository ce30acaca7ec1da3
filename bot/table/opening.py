"""How a table begins: with its host, as a first game, or as a rematch."""

from __future__ import annotations

from dataclasses import replace

from bot.table.act import By
from bot.table.acts.lobby import AddComputer, Join
from bot.table.checks import check_member
from bot.table.lobby import seated
from bot.table.table import LOBBY, Table
from engine.config import Config
from engine.errors import RefereeError
from engine.scenarios import check


def opened(guild: int | None, channel: int, config: Config, host: Join, by: By) -> Table:
    """A lobby with its host. Codes: as `Join`."""
    return host.on(_empty(guild, channel, config, by), None, by)


def lesson(table: Table, by: By) -> Table:
    """The lobby set up for a first game: the fixed board, easy bots, and tips."""
    table = replace(table, config=replace(table.config, scenario="beginner"), coached=(), lesson=True)
    table = AddComputer("easy", fill=True).on(table, None, by)
    check(table.config)
    return table


def again(table: Table, by: By) -> Table:
    """A rematch: a lobby like this finished table, to which the others are invited. Codes: "not-member", "not-over"."""
    check_member(table, by.user)
    if table.open:
        raise RefereeError("not-over/rematch")
    host = (replace(m, phrase="", interaction=by.interaction, level="") for m in table.members if m.user == by.user)
    computers = (member for member in table.members if not member.is_person)
    fresh = replace(
        _empty(table.guild, table.channel, table.config, by),
        anyone_starts=table.anyone_starts,
        options=table.options,
        invited=tuple(other for other in table.people if other != by.user),
        coached=table.coached,
        lesson=table.coached is not None,
    )
    return seated(fresh, (*host, *computers))


def follows(table: Table, finished: Table) -> bool:
    """Whether an open table is the rematch of a finished one: all who were there are at it or were asked to join,
    except the one who opened it and may have left it again."""
    others = set(finished.people) - {*table.people, *table.invited}
    return table.status == LOBBY and not finished.open and len(others) <= 1


def _empty(guild: int | None, channel: int, config: Config, by: By) -> Table:
    return Table(
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
