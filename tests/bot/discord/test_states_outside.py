"""Messages that no round of a game sends: whatever becomes of the requests, each is there once, or is put away."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.discord.show import channels, lobby, trouble
from bot.discord.show.wanted import Content
from bot.projections import CLOSING, COMMITMENT, TROUBLE, Place, Projection, State
from bot.table.table import Table
from tests.bot.discord.postbox import Killed, Outcome, Postbox, PostboxDisplay
from tests.bot.playground import ANN, BOB, CEM
from tests.bot.table.desk import Desk

CHANNEL = 10
TRIES = 30
"""More than there can be failures."""
FAULTS = (OSError("Discord is out of reach"), trouble.ThreadClosed())


@pytest.fixture(autouse=True)
def by_postbox(monkeypatch: pytest.MonkeyPatch) -> None:
    """What goes to Discord without a display goes to the box of the client."""

    async def post(client: Any, channel: int, table: Table, name: str, since: int, content: Content) -> Any:
        outcome = client.box.next()
        posted = client.box.post(channel, f"{name}:{since}", lobby.LOCK, ())
        client.box.end(outcome)
        return SimpleNamespace(id=posted)

    async def latest(client: Any, channel: int) -> list[Any]:
        client.box.end(client.box.next())
        return [message for message in client.box.messages.values() if message.channel == channel]

    monkeypatch.setattr(channels, "post", post)
    monkeypatch.setattr(lobby, "own_latest", latest)
    monkeypatch.setattr(lobby, "text_of", lambda message: message.text)
    monkeypatch.setattr(lobby, "custom_ids", lambda message: ())


def process(box: Postbox, table: Table) -> PostboxDisplay:
    """A process that has just begun."""
    display = PostboxDisplay(box)
    display.client.box = box  # type: ignore[attr-defined]

    async def its_table(number: int) -> Table:
        return table

    display.services.repository.table = its_table  # type: ignore[method-assign]
    return display


outcomes = st.lists(st.sampled_from([end for end in Outcome if end is not Outcome.GONE]), max_size=8)
versions = st.lists(st.tuples(st.integers(0, 2), st.integers(1, 3)), min_size=1, max_size=4)
quietly = settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])


@given(outcomes, versions)
@quietly
def test_a_table_is_closed_by_one_message_however_often_it_is_tried(
    ends: list[Outcome], changes: list[tuple[int, int]]
) -> None:
    """And all tries at one version give the same message, so that no one can choose its id. A table that has changed
    since (by so many versions, after so many tries) is closed by another one."""
    box, table = Postbox(list(ends)), Desk.lobby(ANN, BOB).table
    box.stored[COMMITMENT] = Projection(COMMITMENT, State.POSTED, 1, 1, Place(CHANNEL, 1))
    display, found = process(box, table), dict[int, set[int]]()
    for n, (newer, tries) in enumerate(changes):
        table = replace(table, channel=CHANNEL, version=table.version + newer)
        last = n == len(changes) - 1
        for _ in range(TRIES if last else tries):
            try:
                message = asyncio.run(lobby.close_table(display, table, ANN, "Ann"))
            except Killed:
                display = process(box, table)
            except channels.FAILED:
                pass
            else:
                found.setdefault(table.version, set()).add(message)
                if last:
                    break
    assert [*box.messages] == [*found[table.version]]
    assert box.stored[CLOSING].posted == Place(CHANNEL, *found[table.version])
    assert all(len(messages) == 1 for messages in found.values())


async def tell_and_lift(box: Postbox, table: Table, troubles: Iterable[tuple[Exception, int]]) -> None:
    """Try to tell someone of each trouble, so many times, and then show the game until that is put away."""
    display = process(box, table)
    for fault, tries in troubles:
        for attempt in range(tries + TRIES):
            try:
                if attempt < tries:
                    await trouble.tell(display, table, fault)
                else:
                    await trouble.Troubles(display).lift(table.number, await box.visible(table.number))
            except Killed:
                display = process(box, table)
            except channels.FAILED:
                pass
        if not box.outcomes:
            assert TROUBLE not in box.stored


faults = st.lists(st.tuples(st.sampled_from(FAULTS), st.integers(1, 9)), min_size=1, max_size=3)


@given(outcomes, faults)
@quietly
def test_one_person_is_told_of_a_trouble_and_the_message_goes_with_it(
    ends: list[Outcome], troubles: list[tuple[Exception, int]]
) -> None:
    """It stays where the process never learned where it is."""
    box, table = Postbox(list(ends)), replace(Desk.lobby(ANN, BOB, CEM).table, channel=CHANNEL, guild=None)
    asyncio.run(tell_and_lift(box, table, troubles))
    unsure = {Outcome.LOST, Outcome.FORGOTTEN, Outcome.KILLED_AFTER}
    assert not box.messages or unsure & {*ends}


@given(outcomes)
@quietly
def test_one_person_is_told_of_a_trouble_however_often_it_is_tried(ends: list[Outcome]) -> None:
    """Who takes no direct messages just now can have had it before, and the next person gets it, too."""
    box, table = Postbox(list(ends)), replace(Desk.lobby(ANN, BOB, CEM).table, channel=CHANNEL, guild=None)
    asyncio.run(tell(box, table))
    told = box.stored[TROUBLE]
    refused = ends.count(Outcome.REFUSED)
    assert told.posted is not None or refused >= len(table.members)
    assert told.posted is None or told.posted.message in box.messages
    assert len(box.messages) <= 1 or {Outcome.REFUSED, Outcome.FORGOTTEN} & {*ends}


async def tell(box: Postbox, table: Table) -> None:
    """Try to tell someone of a trouble until nothing fails, while people go on to change the table."""
    display = process(box, table)
    for attempt in range(TRIES):
        try:
            await trouble.tell(display, replace(table, version=table.version + attempt), FAULTS[0])
        except Killed:
            display = process(box, table)
        except channels.FAILED:
            pass
