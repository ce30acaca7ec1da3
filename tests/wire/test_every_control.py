"""Whatever a person presses is answered: with more open offers than fit, by players and onlookers, page by page."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from engine.actions import MakeOffer
from engine.resources import single
from tests.bot.discord.doing import by_commands
from tests.wire.calls import Interaction
from tests.wire.limits import BUTTON, SELECT
from tests.wire.messages import LOADING, Message
from tests.wire.model import Json
from tests.wire.openings import main_step
from tests.wire.party import Party, Person, party
from tests.wire.users import Human

PAGES = (
    "hand",
    "board",
    "game options",
    "game timer",
    "games",
    "settings",
    "help",
    "stats",
    "auto",
    "catchup",
    "server",
)
"""Commands from which all others can be reached."""
FORM = 9


async def offered(table: Party) -> list[Person]:
    """Have all who aren't on turn make an offer. Returns all people; the first one is on turn."""
    game = await table.game()
    first = game.to_act[0]
    seats = [first, *(seat for seat in range(len(table.people)) if seat != first)]
    people = [await table.person(seat) for seat in seats]
    for seat, person in zip(seats[1:], people[1:], strict=True):
        hand = game.view(seat).players[seat].hand
        assert hand is not None
        have = next(kind for kind in range(5) if hand[kind])
        await by_commands(table, person, MakeOffer(single(have), single((have + 1) % 5)))
        await table.settled()
    return people


async def test_my_hand_comes_while_there_are_more_offers_than_fit_and_none_is_mine(tmp_path: Path) -> None:
    async with party(tmp_path, 5, position=await main_step(tmp_path)) as table:
        first, *_ = await offered(table)
        assert len((await table.game()).view(None).offers) == 3
        assert "cards" in (await first.click(await table.panel(), label="My hand")).text
        assert "cards" in (await first.slash(table.channel, "hand")).text


@pytest.mark.parametrize("command", ["game options", "game timer"])
async def test_an_onlooker_can_read_the_options_of_a_game(tmp_path: Path, command: str) -> None:
    async with party(tmp_path, 5, position=await main_step(tmp_path)) as table:
        onlooker = Person(table, table.wire.users[5])
        assert "Options of table 1" in (await onlooker.slash(table.channel, command)).text


@pytest.mark.parametrize("steps", [40, pytest.param(1000, marks=pytest.mark.soak)])
async def test_whatever_is_pressed_is_answered(tmp_path: Path, steps: int) -> None:
    async with party(tmp_path, 5, position=await main_step(tmp_path)) as table:
        await offered(table)
        walks = [Walk(table, human, random.Random(human.name)) for human in table.wire.users[:5]]
        for step in range(steps):
            await walks[step % len(walks)].step()  # `check_discord` looks at what was sent


class Walk:
    """A person, at the table or not, who presses whatever they see: first what is new to them, else another page."""

    def __init__(self, table: Party, human: Human, rng: random.Random) -> None:
        self.table, self.human, self.rng = table, human, rng
        self.pressed = set[str]()

    async def step(self) -> None:
        """Press a control, or open a page, and look for an answer."""
        wire = self.table.wire
        mine = [m for m in wire.world.messages.values() if m.only_for is self.human and not m.deleted]
        shown = [*reversed(mine), *self.table.panels()[-1:]]
        controls = [(m, c) for m in shown for c in m.interactive if c["type"] in (BUTTON, SELECT)]
        fresh = [(m, c) for m, c in controls if kind_of(c["custom_id"]) not in self.pressed]
        if fresh:
            message, control = fresh[0] if self.rng.random() < 0.7 else self.rng.choice(fresh)
            self.pressed.add(kind_of(control["custom_id"]))
            it = await self.press(message, control)
        else:
            self.pressed.clear()
            commands = {command["name"] for command in wire.world.commands_for(self.human, self.table.channel)}
            pages = [page for page in PAGES if page.split()[0] in commands]
            it = await self.human.slash(self.rng.choice(pages), channel=self.table.channel)
        await wire.settled(0.15, 20.0)
        if it.kind == FORM:
            try:
                it = await self.human.submit_modal(it, {})
            except ValueError:  # something must be entered
                return
            await wire.settled(0.15, 20.0)
        waits = it.response is not None and it.response.flags & LOADING
        assert not waits, f"{self.human.name} waits for ever\n{wire.story()}"

    async def press(self, message: Message, control: Json) -> Interaction:
        """Press a button, or choose from a list."""
        if control["type"] == BUTTON:
            return await self.human.click(message, control["custom_id"])
        options = [option["value"] for option in control["options"]]
        values = self.rng.sample(options, max(control.get("min_values", 1), 1))
        return await self.human.select(message, control["custom_id"], values)


def kind_of(custom_id: str) -> str:
    """A control's id without the numbers in it."""
    return "".join(letter for letter in custom_id if not letter.isdigit())
