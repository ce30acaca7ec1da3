"""Onlookers follow a game by commands and by the panel's buttons, and learn only what is public."""

from __future__ import annotations

import random
from typing import Any

import pytest

import render
from engine.actions import MakeOffer
from engine.domains import Offers
from engine.game import Game
from tests.bot.discord.conftest import Opened
from tests.bot.discord.doing import by_components
from tests.bot.discord.hall import BUTTON, Hall, answer, labels, parts, reply, text
from tests.bot.discord.moments import at

pytestmark = pytest.mark.usefixtures("all_pictures")

COMMANDS = ("board", "stats", "catchup", "game log", "game rules", "help", "settings")
LOOKING = ("What did I miss?", "Story", "Board", "Stats", "Offers", "Rules", "Help", "Settings")
"""The buttons behind *More* that everyone has."""


Seen = tuple[str, list[str], list[tuple[str, str | None, bytes]]]
"""An answer: its text, its buttons, and its files with their alternative texts."""


async def everything(hall: Hall, person: Any) -> list[Seen]:
    """Everything that a person gets to see by looking."""
    found: list[Seen] = []
    for command in COMMANDS:
        found.append(await shown(await person.slash(hall.channel, command)))
    for label in LOOKING:
        more = reply(await person.click(await hall.panel(), label="More"))
        assert labels(more) == list(LOOKING)
        found.append(await shown(await person.click(more, label=label)))
    return found


async def shown(result: Any) -> Seen:
    message = reply(result)
    assert message.ephemeral
    files = [(file.filename, file.description, await file.read()) for file in message.attachments]
    return text(message), labels(message), files


async def test_onlookers_see_only_public_information_by_commands_and_by_more(open_hall: Opened) -> None:
    async with open_hall(5) as hall:
        players = hall.people[:3]
        await hall.begin(players, target=12)
        game = await hall.advance(lambda g: at("main")(g) and robbed(g) and g.turn > 8)
        before = game.hash()
        one, other = hall.people[3:]
        seen = await everything(hall, one)
        assert seen == await everything(hall, other)
        assert (await hall.game()).hash() == before
        viewer = await hall.viewer(one)
        assert viewer.seat is None
        files = [file for _, _, files in seen for file in files]
        boards = {data for name, _, data in files if name == "board.png"}
        assert boards == {render.board(game.view(None), names=viewer.names)}
        assert [name for name, _, _ in files].count("figures.png") == 2
        [logged] = {data.decode() for name, _, data in files if name.endswith(".txt")}
        assert " stole a card from " in logged
        assert not any("bought a development card (" in line for line in logged.splitlines())
        for hidden in ("hint", "hand"):
            assert "not playing" in answer(await one.slash(hall.channel, hidden))


def robbed(game: Game) -> bool:
    """Whether a card was stolen in this turn, and a player holds a development card."""
    view = game.view(None)
    return any(event.name == "card_taken" for event in view.events) and any(p.development_count for p in view.players)


async def test_buttons_of_the_panel_do_nothing_for_an_onlooker(open_hall: Opened) -> None:
    async with open_hall(4) as hall:
        await hall.begin(hall.people[:3], target=12)
        onlooker = hall.people[3]
        for moment in ("pre_roll", "main", "discard", "move_robber"):
            game = await hall.advance(at(moment))
            if moment == "main":
                seat, rng = game.to_act[0], random.Random(1)
                domain = game.options(seat).get(MakeOffer)
                if isinstance(domain, Offers):
                    await by_components(hall, await hall.person(seat), domain.sample(rng))
                    game = await hall.game()
            before, panel = game.hash(), await hall.panel()
            panel_text = text(panel)
            for button in list(parts(panel, BUTTON)):
                result = await onlooker.click(panel, custom_id=button["custom_id"])
                assert reply(result).ephemeral, button["label"]
                if button["label"] not in ("More", "Offers"):
                    assert "playing" in answer(result), button["label"]
            assert (await hall.game()).hash() == before
            assert text(await hall.panel()) == panel_text


async def test_onlookers_see_everything_at_the_end(open_hall: Opened) -> None:
    async with open_hall(4) as hall:
        await hall.begin(hall.people[:3], target=4)
        await hall.advance(lambda game: game.outcome is not None)
        onlooker = hall.people[3]
        panel = await hall.panel()
        picture = reply(await onlooker.click(panel, label="Stats")).attachments[0]
        assert await picture.read() == await panel.attachments[0].read()
        assert "wins with" in answer(await onlooker.slash(hall.channel, "board"))
        [log] = reply(await onlooker.slash(hall.channel, "game log")).attachments
        assert "The game is over" in (await log.read()).decode()
