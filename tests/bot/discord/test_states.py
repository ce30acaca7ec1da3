"""Whatever becomes of the requests, each message is posted once, and in the end all is shown that must be."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.discord.show import channels, lanes, readers
from bot.discord.show.reconcile import Message, reconcile
from bot.discord.show.round import PERSONAL, Round
from bot.discord.show.wanted import ChannelCall, Content, GameMessage, Letter, Say
from bot.projections import (
    NEXT,
    PANEL,
    PLACED,
    SEARCH,
    Kind,
    Move,
    Name,
    Projection,
    Projections,
    State,
    moved,
    of_kind,
)
from bot.table.table import Table
from docs import states
from tests.bot.discord.postbox import DIRECT, Killed, Outcome, Postbox, PostboxDisplay
from tests.bot.playground import ANN
from tests.bot.table.desk import Desk

READER, CALLED, WRITTEN = 1, 2, 3
"""Users whom the game message, a call and a letter notify."""
LETTER = Name(Kind.HAND, user=WRITTEN)
ROUNDS = 30
"""Rounds in which anything must be shown: more than there can be failures."""


@dataclass(frozen=True)
class Moment:
    """What a game wants to show."""

    turn: int
    channel: int
    calls: bool
    """Whether someone is called besides."""


def saying(text: str) -> Callable[[], Awaitable[Say]]:
    async def draw() -> Say:
        return lambda notified: Content(text=text)

    return draw


def wanted(moment: Moment, table: Table, known: Projections) -> tuple[Name, list[Message]]:
    """The game message of the turn, those of earlier turns, and perhaps a call."""
    name = Name(Kind.TURN, str(moment.turn))
    found: list[Message] = [
        GameMessage(
            name=name,
            draw=saying(f"turn {moment.turn} at {table.version}"),
            due=table.version,
            users=(READER,),
            topic=f"{name}.{moment.channel}",
            owes=Name(Kind.PING, "late"),
        )
    ]
    for one in of_kind(known, Kind.TURN):
        if int(one.name.key) < moment.turn:
            returns = int(one.name.key) == moment.turn - 1
            found.append(GameMessage(name=one.name, draw=saying("ended"), final=True, returns=returns))
    if moment.calls:
        call = Name(Kind.PING, f"roll.{moment.turn}")
        found.append(ChannelCall(name=call, draw=saying("call"), users=(CALLED,), topic=call.key))
    return name, found


def letters(moment: Moment, known: Projections) -> list[Message]:
    """The hand, if it is due; it notifies its user once in a turn."""
    told = known.get(Name(Kind.TOLD, f"turn.{moment.turn}", WRITTEN))
    calls = told is None or told.posted is None
    hand = Letter(
        name=LETTER,
        draw=saying(f"hand in turn {moment.turn}"),
        occasion=f"turn.{moment.turn}",
        notify_again=calls,
        told=calls,
    )
    return [hand] if known[LETTER].pending else []


async def show(display: PostboxDisplay, moment: Moment, table: Table) -> None:
    """One round of both lanes."""
    known = await display.box.visible(1)
    async with Round(display, table, known) as round:
        await lanes.bring_up_to_date(round, *wanted(moment, table, known))
        round.note_panel(Name(Kind.TURN, str(moment.turn)), table.version)
    known = await display.box.visible(1)
    async with Round(display, table, known) as round:
        await reconcile(round, letters(moment, known))


async def play(box: Postbox, moments: list[tuple[Moment, int]]) -> Table:
    """Go through moments, each with a number of rounds in which things can fail, and at the end as many as it takes.

    After a kill, another process goes on, which remembers nothing.
    """
    display, table = PostboxDisplay(box), Desk.lobby(ANN).table
    for n, (moment, rounds) in enumerate(moments):
        table = replace(table, number=1, channel=moment.channel, version=n + 1)
        box.due(PANEL, table.version)
        box.due(LETTER, table.version)
        for _ in range(rounds if n < len(moments) - 1 else ROUNDS):
            try:
                await show(display, moment, table)
            except Killed:
                display = PostboxDisplay(box)
            except channels.FAILED:
                pass
            else:
                if n == len(moments) - 1 and SEARCH not in box.stored:
                    break
        else:
            assert n < len(moments) - 1, "it isn't shown"
    return table


@pytest.fixture(autouse=True)
def searching(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search of the channel that takes the buttons off lost game messages, and deletes lost calls
    (`search_strays`)."""

    async def search(display: Any, table: Table, known: Projections, head: Name) -> None:
        box: Postbox = display.box
        there = {one.posted.message for one in box.stored.values() if one.posted is not None}
        for lost in [m for m in box.messages.values() if m.channel == table.channel and m.id not in there]:
            lost.text = "stray"
        names = [name for name in lanes.unnoted(known) if name in box.stored and box.stored[name].posted is None]
        await box.note(1, gone=names)

    async def all_see(*where: object) -> bool:
        return True

    monkeypatch.setattr(lanes, "search_strays", search)
    monkeypatch.setattr(readers, "all_see", all_see)


def test_each_try_to_post_a_message_has_the_same_nonce_and_a_later_message_another_one() -> None:
    first, later = (Projection(LETTER, State.WANTED, due, 0) for due in (5, 9))
    posting = moved(first, LETTER, Move.POST, first.since)
    assert posting.pending
    assert posting.since == first.since
    assert later.since != first.since
    unreached = moved(None, Name(Kind.UNREACHED, user=WRITTEN), Move.DUE, 5)
    assert moved(unreached, unreached.name, Move.POST, unreached.since).since == unreached.since


outcomes = st.lists(st.sampled_from(Outcome), max_size=8)
moments = st.builds(Moment, st.integers(5, 7), st.sampled_from((10, 10, 11)), st.booleans())
quietly = partial(settings, suppress_health_check=[HealthCheck.function_scoped_fixture])


@given(outcomes, st.booleans())
@quietly(max_examples=300)
def test_each_message_is_posted_once_and_notifies_once(ends: list[Outcome], calls: bool) -> None:
    """Unless someone deletes it, or Discord forgets its nonce. A person who can't be written to is called in the
    channel."""
    box = Postbox([end for end in ends if end not in (Outcome.GONE, Outcome.OLD, Outcome.FORGOTTEN)])
    asyncio.run(play(box, [(Moment(5, 10, calls), 1)]))
    texts = [message.text for message in box.messages.values() if message.channel == 10]
    assert sorted(texts) == [*["call"] * calls, "turn 5 at 1"]
    assert sorted(user for _message, user in box.pings) == [READER, *[CALLED] * calls]
    hands = [message for message in box.messages.values() if message.channel == DIRECT + WRITTEN]
    unreached = box.stored.get(Name(Kind.UNREACHED, user=WRITTEN))
    assert len(hands) == 1 or (not hands and unreached is not None and unreached.state is State.WANTED)


by_channel = partial(sorted, key=lambda played: played[0].channel)  # a game doesn't come back
games = st.lists(st.tuples(moments, st.integers(1, 3)), min_size=2, max_size=4).map(by_channel)


@given(outcomes, games)
@quietly(max_examples=500)
def test_in_the_end_all_is_shown_that_must_be(ends: list[Outcome], played: list[tuple[Moment, int]]) -> None:
    """Whatever failed, in turns that come, and go again, and in channels that the game leaves."""
    box, last = Postbox(list(ends)), played[-1][0]
    table = asyncio.run(play(box, played))
    there = [message for message in box.messages.values() if message.channel == last.channel]
    # a fixed one, whose edits are refused, loses its buttons by a click (architecture: Recovery)
    live = [m.text for m in there if m.text.startswith("turn") and not m.fixed]
    assert live == [f"turn {last.turn} at {table.version}"]
    assert sum(m.text == "call" for m in there) <= last.calls
    hands = [message for message in box.messages.values() if message.channel == DIRECT + WRITTEN]
    # who takes none for a while can find an earlier one later, and a hand whose nonce is forgotten isn't looked for
    assert len(hands) <= 1 or {Outcome.REFUSED, Outcome.FORGOTTEN} & {*ends}
    panel = box.stored[PANEL]
    assert panel.posted is not None
    assert box.messages[panel.posted.message].text == f"turn {last.turn} at {table.version}"
    assert not panel.pending
    known = [one for one in box.stored.values() if one.name.kind in (Kind.TURN, Kind.PING, *PERSONAL)]
    assert {one.state for one in known} <= {State.POSTED, State.FINAL, State.COVERED}


async def test_a_message_that_cannot_be_drawn_keeps_none_of_the_others_from_being_sent() -> None:
    async def draw() -> Say:
        raise ValueError("a defect")

    box, table, moment = Postbox(), replace(Desk.lobby(ANN).table, number=1, channel=10), Moment(5, 10, calls=True)
    name, (first, *others) = wanted(moment, table, {})
    assert isinstance(first, GameMessage)
    with pytest.raises(ValueError, match="a defect"):
        async with Round(PostboxDisplay(box), table, {}) as round:
            await lanes.bring_up_to_date(round, name, [replace(first, draw=draw), *others])
    assert [message.text for message in box.messages.values()] == ["call"]
    assert name not in box.stored


def test_all_moves_are_drawn_as_they_are_made() -> None:
    text = states.PAGE.read_text("utf-8")
    assert states.redrawn(text) == text, "run `python -m docs.states`"


def test_only_the_diagram_of_what_is_shown_is_drawn() -> None:
    first, ours, last = (f"```mermaid\nstateDiagram-v2\n    {name}\n```\n" for name in ("first", "ours", "last"))
    page = f"# Page\n\n{first}{states.HEADING}\n{{}}\n## More\n\n{last}"
    assert states.redrawn(page.format(ours)) == page.format(states.drawn())
    for without in ("# Page\n\n" + first, "# Page\n" + states.HEADING):
        with pytest.raises(AssertionError, match="no diagram below ## What is shown"):
            states.redrawn(without)


def test_a_message_is_known_to_be_there_only_once_discord_has_taken_it() -> None:
    """Each way into a state with a place goes through a move that gives it one."""
    gives = (Move.SENT, Move.FIND)
    assert all(before in PLACED or move in gives for (before, move), after in NEXT.items() if after in PLACED)
