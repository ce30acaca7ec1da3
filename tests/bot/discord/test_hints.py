"""Hints at the table: private, only for the player who decides, with a button that does it; tables without hints."""

from __future__ import annotations

from typing import Any, cast

import pytest

from engine.actions import Action, BankTrade, BuildRoad, BuyCard, EndTurn, PlayYearOfPlenty
from engine.game import Game
from engine.terms import StepKind
from engine.views import View
from tests.bot.discord.conftest import Opened
from tests.bot.discord.hall import Hall, answer, fields, fill, labels, reply, text
from tests.bot.discord.moments import at
from tests.bot.discord.tables import begin_extension
from tests.bot.thinking import advises, fails


async def test_a_hint_shows_a_place_and_its_button_builds_there(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        game = await hall.game()
        person = await hall.person(game.to_act[0])
        count = len(hall.channel.history())
        hint = reply(await person.slash(hall.channel, "hint"))
        assert hint.ephemeral
        assert "Settle at" in text(hint)
        assert [file.filename for file in hint.attachments] == ["board.png"]
        assert len(hall.channel.history()) == count
        done = reply(await person.click(hint, label="Do it"))
        assert (await hall.game()).revision == game.revision + 1
        assert (await hall.game()).view(None).step.kind is StepKind.SETUP
        assert "Do it" not in labels(done)


async def test_hints_are_in_the_more_menu_only_for_the_player_who_decides(open_hall: Opened) -> None:
    async with open_hall(5) as hall:
        await hall.begin(hall.people[:4])
        game = await hall.advance(at("pre_roll"))
        person, other = await hall.person(game.to_act[0]), await hall.person((game.to_act[0] + 1) % 4)
        more = reply(await person.click(await hall.panel(), label="More"))
        hint = reply(await person.click(more, label="Hint"))
        assert labels(hint) == ["Do it"]
        assert "nothing for you to decide" in answer(await other.slash(hall.channel, "hint"))
        outside = hall.people[4]
        assert "Hint" not in labels(reply(await outside.click(await hall.panel(), label="More")))
        assert "not playing" in answer(await outside.slash(hall.channel, "hint"))


async def test_an_outdated_hints_button_does_nothing(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        game = await hall.game()
        person = await hall.person(game.to_act[0])
        old = reply(await person.slash(hall.channel, "hint"))
        new = reply(await person.slash(hall.channel, "hint"))
        await person.click(new, label="Do it")
        after = (await hall.game()).revision
        await person.click(old, label="Do it")
        assert (await hall.game()).revision == after


async def test_the_host_can_turn_hints_off(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.lobby()
        host = hall.people[0]
        menu = reply(await host.click(await hall.panel(), label="Options"))
        menu = reply(await fill(host, menu, "Table and pictures", table={"hints": False}))
        assert "No hints" in text(menu)
        await host.click(await hall.panel(), label="Start")
        person = await hall.person((await hall.game()).to_act[0])
        assert "Hint" not in labels(reply(await person.click(await hall.panel(), label="More")))
        assert "Hints are off" in answer(await person.slash(hall.channel, "hint"))
        page = reply(await host.slash(hall.channel, "game options"))
        assert "table" not in (await fields(host, page, "Table and pictures"))


def thoughts(hall: Hall) -> list[View]:
    """Collect the views that bots think about from now on."""
    views = list[View]()
    think: Any = hall.services.computers._think

    async def noted(thought: object, view: View) -> Any:
        views.append(view)
        return await think(thought, view)

    hall.services.computers._think = cast("Any", noted)
    return views


async def test_asking_again_gives_the_same_hint_without_thinking_again(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        person, thought = await hall.person((await hall.game()).to_act[0]), thoughts(hall)
        hints = {text(reply(await person.slash(hall.channel, "hint"))) for _ in range(4)}
        assert (len(thought), len(hints)) == (1, 1)


async def test_a_hint_that_failed_can_be_asked_for_again(open_hall: Opened, caplog: pytest.LogCaptureFixture) -> None:
    async with open_hall() as hall:
        await hall.begin()
        person = await hall.person((await hall.game()).to_act[0])
        think = hall.services.computers._think
        hall.services.computers._think = cast("Any", fails)
        assert "No hint came in time" in answer(await person.slash(hall.channel, "hint"))
        assert [record.levelname for record in caplog.records if record.name == "bot.service.computers"] == ["ERROR"]
        caplog.clear()
        hall.services.computers._think = think
        assert "Settle at" in text(reply(await person.slash(hall.channel, "hint")))


async def test_another_players_secret_request_to_build_causes_no_new_hint(open_hall: Opened) -> None:
    """Thinking again could take noticeably long, or give another hint."""
    async with open_hall(6) as hall:
        game = await begin_extension(hall)
        person, other = await hall.person(game.to_act[0]), await hall.person((game.to_act[0] + 1) % 6)
        thought = thoughts(hall)
        first = text(reply(await person.slash(hall.channel, "hint")))
        await other.click(await hall.panel(), label="Ask to build")
        assert (await hall.game()).revision == game.revision + 1
        assert text(reply(await person.slash(hall.channel, "hint"))) == first
        assert len(thought) == 1


async def test_do_it_ends_the_turn_without_a_confirmation(open_hall: Opened) -> None:
    """A player who has read why to end the turn, and agreed, isn't asked to confirm it."""
    async with open_hall() as hall:
        await hall.begin()
        game = await hall.advance(lambda game: at("main")(game) and too_many(game))
        person = await hall.person(game.to_act[0])
        hall.services.computers._think = advises(EndTurn())
        hint = reply(await person.slash(hall.channel, "hint"))
        assert "End your turn" in text(hint)
        await person.click(hint, label="Do it")
        assert (await hall.game()).turn == game.turn + 1


async def test_do_it_buys_a_card_without_a_confirmation(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        game = await hall.advance(lambda game: at("main")(game) and BuyCard in game.options(game.to_act[0]))
        person = await hall.person(game.to_act[0])
        await hall.services.people.change_settings(person.id, choices={"ask_to_buy": True}, interaction="wary")
        hall.services.computers._think = advises(BuyCard())
        await person.click(reply(await person.slash(hall.channel, "hint")), label="Do it")
        assert (await hall.game()).revision == game.revision + 1


def too_many(game: Game) -> bool:
    """Whether a seven would cost the player on turn cards that they could still spend."""
    seat = game.to_act[0]
    many = game.view(seat).players[seat].hand_size > 7
    return many and any(kind in game.options(seat) for kind in (BankTrade, BuyCard, BuildRoad))


@pytest.mark.parametrize("kind", [BankTrade, PlayYearOfPlenty])
async def test_do_it_trades_with_the_bank_and_plays_year_of_plenty(open_hall: Opened, kind: type[Action]) -> None:
    async with open_hall() as hall:
        await hall.begin(target=20)
        game = await hall.advance(lambda game: at("main")(game) and kind in game.options(game.to_act[0]), seed=12)
        person, action = await hall.person(game.to_act[0]), next(iter(game.options(game.to_act[0])[kind]))
        hall.services.computers._think = advises(action)
        hint = reply(await person.slash(hall.channel, "hint"))
        assert labels(hint) == ["Do it"]
        await person.click(hint, label="Do it")
        assert (await hall.game()).records[game.revision].action == action
        assert not [m for m in hall.channel.history(viewer=person) if m.flags.ephemeral and "Do it" in labels(m)]
