"""The states of an interaction's first answer."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import aiohttp
import discord
import pytest

from bot.discord.interaction import ANSWERED, TOO_LATE, AnswerStatus, FirstAnswer


class Asked:
    """A click whose first answer is open."""

    def __init__(self) -> None:
        self.given = 0
        interaction = SimpleNamespace(message=SimpleNamespace(id=7))
        self.first = FirstAnswer(cast(Any, interaction), self._given)

    def _given(self) -> None:
        self.given += 1

    async def answered(self, outcome: BaseException | None) -> AnswerStatus:
        """Answer it by a request with this outcome. Returns the state afterward."""

        async def send() -> str:
            await asyncio.sleep(0)
            assert self.first.status is AnswerStatus.UNDER_WAY
            if outcome is not None:
                raise outcome
            return "sent"

        if outcome is None:
            assert await self.first.give(send) == "sent"
        else:
            with pytest.raises(type(outcome)):
                await self.first.give(send)
        return self.first.status


def refused(code: int, status: int = 400) -> discord.HTTPException:
    return discord.HTTPException(cast(Any, SimpleNamespace(status=status, reason="")), {"code": code, "message": ""})


@pytest.mark.parametrize(
    ("outcome", "status"),
    [
        (None, AnswerStatus.GIVEN),
        (refused(ANSWERED), AnswerStatus.GIVEN),
        (refused(TOO_LATE, 404), AnswerStatus.TOO_LATE),
        (refused(50035), AnswerStatus.OPEN),
        (refused(0, 503), AnswerStatus.OPEN),
        (discord.RateLimited(40.0), AnswerStatus.OPEN),
        (aiohttp.ServerDisconnectedError(), AnswerStatus.OPEN),
        (TimeoutError(), AnswerStatus.OPEN),
        (asyncio.CancelledError(), AnswerStatus.OPEN),
    ],
)
async def test_what_became_of_a_request_decides_what_discord_has(
    outcome: BaseException | None, status: AnswerStatus
) -> None:
    asked = Asked()
    assert asked.first.open
    assert not asked.first.taken.done()
    assert await asked.answered(outcome) is status
    assert asked.first.taken.done()
    assert await asyncio.wait_for(asked.first.settled(), 1.0) is status
    assert asked.given == (outcome is None), "only a first answer of this process is one"


async def test_an_answer_that_was_refused_or_lost_can_be_given_again() -> None:
    asked = Asked()
    assert await asked.answered(refused(50035)) is AnswerStatus.OPEN
    assert await asked.answered(TimeoutError()) is AnswerStatus.OPEN
    assert await asked.answered(None) is AnswerStatus.GIVEN
    assert asked.given == 1


@pytest.mark.parametrize("first", [None, refused(ANSWERED), refused(50035), TimeoutError()])
@pytest.mark.parametrize("second", [None, refused(ANSWERED)])
async def test_of_two_at_a_time_the_one_that_discord_takes_counts(
    first: BaseException | None, second: BaseException | None
) -> None:
    """In whatever order their answers come: an acknowledgment doesn't wait for another answer that takes long."""
    asked, done = Asked(), asyncio.Event()

    async def slow() -> None:
        await done.wait()
        if first is not None:
            raise first

    giving = asyncio.create_task(asked.first.give(slow))
    await asyncio.sleep(0)
    assert await asked.answered(second) is AnswerStatus.GIVEN
    done.set()
    await asyncio.gather(giving, return_exceptions=True)
    assert await asked.first.settled() is AnswerStatus.GIVEN


async def test_while_another_one_is_on_its_way_a_refused_one_leaves_nothing_open() -> None:
    asked, done = Asked(), asyncio.Event()
    giving = asyncio.create_task(asked.first.give(done.wait))
    await asyncio.sleep(0)
    assert await asked.answered(refused(50035)) is AnswerStatus.UNDER_WAY
    settled = asyncio.create_task(asked.first.settled())
    await asyncio.sleep(0)
    assert not settled.done()
    done.set()
    await giving
    assert await settled is AnswerStatus.GIVEN
