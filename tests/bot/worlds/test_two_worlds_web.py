"""Two worlds on the web: a browser gets the same of both, byte for byte, and at the same moments (section M)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from math import inf
from pathlib import Path
from typing import Any

import pytest

from bot.service import lobby, repository
from bot.table.acts.lobby import Join
from bot.table.acts.options import SetOptions
from bot.table.acts.orders import GiveOrders
from bot.table.acts.play import Play
from bot.table.options import LIVE
from bot.web import bounds, readers
from engine.actions import AskToBuild, PassOn
from engine.config import Config
from tests.bot.playground import ANN, BOB, CEM, DOT, EVE, NAMES, Playground, new_file
from tests.bot.web.visitor import Stream, Visitor, choose_web, visiting
from tests.bot.worlds.compare import INTERRUPT
from tests.bot.worlds.plans import Step, Told, Twins, differ, found, in_window, main_of

SECRETLY = 0.2
"""Seconds in which a stream would say that something has changed."""


class World:
    """A game of one of the worlds, and all that came by HTTP."""

    def __init__(self, ground: Playground, visitor: Visitor, stream: Stream, number: int) -> None:
        """`number`: 0 or 1."""
        self.ground, self.visitor, self.stream, self.number = ground, visitor, stream, number
        self.seen: list[object] = []

    async def play(self, seat: int, action: Any, *, noticed: bool = True) -> None:
        """Play an action; `noticed`: whether all can see that, so that something must come."""
        table, game = await self.ground.table(1), await self.ground.game(1)
        await self.ground.act(1, table.user_at(game, seat), Play(action))
        await self.look(noticed=noticed)

    async def look(self, *, noticed: bool) -> None:
        """Look at the page, in all forms, and at what comes by itself."""
        page = await self.visitor.ask("/games/1")
        packed = await self.visitor.ask("/games/1", Accept_Encoding="gzip")
        again = await self.visitor.ask("/games/1", If_None_Match=page.headers["Etag"])
        for answer in (page, packed, again):
            headers = {name: value for name, value in answer.headers.items() if name != "Date"}
            self.seen.append((answer.status, headers, answer.body))
        if noticed:
            self.seen.append(await self.stream.until_event())
        else:
            await asyncio.sleep(SECRETLY)


Acts = Callable[[World, list[Step]], Awaitable[None]]
"""What happens before the reader's eyes; with the last steps of the plan."""


async def compare(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    plan: Callable[[Config], Twins],
    acts: Acts,
    shown: int,
    players: int = 4,
    **options: Any,
) -> Twins:
    """Let the same be seen of both worlds. `shown`: how many of the plan's steps are played before the reader's
    eyes."""
    monkeypatch.setattr(readers, "LOOK_EVERY", 0.01)
    monkeypatch.setattr(bounds, "BURST", inf)
    seen, twins = list[list[object]](), None
    for number in (0, 1):
        ground = Playground(new_file(folder / f"web{number}.db"))
        await ground.open()
        try:
            await _lobby(ground, players, options)
            twins = twins or plan((await ground.table(1)).config)
            with monkeypatch.context() as patch:
                for module in (repository, lobby):
                    patch.setattr(module, "SeededChance", partial(_told, twins.chances[number]))
                await ground.services.lobby.start(1, ANN, "closing-1", ground.id())
                await choose_web(ground, 1, LIVE, LIVE)
                for seat, action in twins.steps[:-shown]:
                    table, game = await ground.table(1), await ground.game(1)
                    await ground.act(1, table.user_at(game, seat), Play(action))
                async with visiting(ground) as visitor:
                    mark = (await visitor.ask("/games/1")).mark
                    async with visitor.follow(1, mark) as stream:
                        world = World(ground, visitor, stream, number)
                        await acts(world, twins.steps[-shown:])
                    seen.append(world.seen)
        finally:
            await ground.close()
    assert twins is not None
    assert len(seen[0]) > 3
    for at, (here, there) in enumerate(zip(*seen, strict=True)):
        assert here == there, f"item {at} differs"
    return twins


async def _lobby(ground: Playground, players: int, options: dict[str, Any]) -> None:
    host, *others = (ANN, BOB, CEM, DOT, EVE)[:players]
    await ground.lobby(host)
    if options:
        await ground.act(1, host, SetOptions(options))
    for user in others:
        await ground.act(1, user, Join(NAMES[user]))


def _told(chance: Told, *_: object) -> Told:
    return chance


async def play(world: World, steps: list[Step]) -> None:
    """Play steps, one by one."""
    for seat, action in steps:
        await world.play(seat, action)


async def test_M_hidden_cards_make_no_difference(quick_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def plan(config: Config) -> Twins:
        return found(config, (0, 1), differ((0, 1)), more=12)

    twins = await compare(quick_path, monkeypatch, plan, play, 16)
    assert twins.games[0].hash() != twins.games[1].hash(), "the bench sees nothing"


async def test_M_secret_requests_and_orders_make_no_difference(
    quick_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one world a player asks to build, and takes an autopilot."""

    def plan(config: Config) -> Twins:
        return found(config, (1,), main_of(3), more=2)

    async def acts(world: World, steps: list[Step]) -> None:
        await play(world, steps[:2])
        if world.number == 0:
            table, game = await world.ground.table(1), await world.ground.game(1)
            await world.ground.act(1, table.user_at(game, 1), GiveOrders({"keep": (4,)}))
            seen = len(world.seen)
            await world.play(1, AskToBuild(True), noticed=False)
            await world.play(1, AskToBuild(False), noticed=False)
            assert world.seen[seen - 4 : seen - 1] == world.seen[seen : seen + 3] == world.seen[seen + 3 :]
            del world.seen[seen:]
        await play(world, steps[2:])

    await compare(quick_path, monkeypatch, plan, acts, 4, players=5, scenario="extension")


async def test_M_answers_to_the_robber_make_no_difference(quick_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who answers first in a window (L8) shows neither in the page nor by an event."""

    def plan(config: Config) -> Twins:
        return found(config, (0, 1), in_window, cards=True, lengths=(160,))

    async def acts(world: World, steps: list[Step]) -> None:
        await play(world, steps)
        *asked, last = (await world.ground.game(1)).to_act[:: -1 if world.number else 1]
        for seat in asked:
            await world.play(seat, PassOn(), noticed=False)
        await world.play(last, PassOn())

    await compare(quick_path, monkeypatch, plan, acts, 2, **INTERRUPT)
