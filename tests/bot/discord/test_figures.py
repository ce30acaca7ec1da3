"""A game's stats: in the message at its end, and by `/stats` while it runs and after."""

from __future__ import annotations

from typing import Any

from engine.actions import AgreeToCallOff
from engine.terms import StepKind
from tests.bot.discord.conftest import Opened
from tests.bot.discord.doing import by_commands
from tests.bot.discord.hall import Hall, answer, fill, reply, text
from tests.bot.discord.moments import at


async def figures(hall: Hall, person: Any) -> tuple[bytes, str]:
    """The picture that a person gets by `/stats`, and its alternative text."""
    [picture] = reply(await person.slash(hall.channel, "stats")).attachments
    assert picture.filename == "figures.png"
    return await picture.read(), picture.description or ""


async def test_the_message_at_the_end_has_one_picture_of_all_stats(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        await hall.begin(target=5)
        game = await hall.advance(lambda game: game.outcome is not None)
        panel = await hall.panel()
        picture, board = panel.attachments
        assert (picture.filename, board.filename) == ("figures.png", "board.png")
        outcome = game.outcome
        assert outcome is not None
        viewer = await hall.viewer(hall.people[0])
        winner = viewer.names[outcome.winners[0]]
        assert picture.description is not None
        assert picture.description.startswith(f"{winner} won in turn {game.turn} with {max(outcome.points)} points, ")
        for name in viewer.names:
            assert f"{name} " in picture.description
        assert "Cards produced: " in picture.description
        pictures = [a.filename for message in hall.channel.history() for a in message.attachments]
        assert pictures.count("figures.png") == 1
        ann = hall.people[0]
        assert await figures(hall, ann) == (await picture.read(), picture.description)
        by_button = reply(await ann.click(panel, label="Stats")).attachments[0]
        assert await by_button.read() == await picture.read()
        settings = reply(await ann.slash(hall.channel, "settings"))
        await fill(ann, settings, "Your settings", look=["dark"])
        assert await figures(hall, ann) != (await picture.read(), picture.description)
        await hall.restart()
        assert await figures(hall, hall.people[1]) == (await picture.read(), picture.description)


async def test_while_a_game_runs_all_people_get_the_same_stats_without_hidden_points(open_hall: Opened) -> None:
    async with open_hall(4) as hall:
        await hall.begin(hall.people[:3])
        assert "No dice have been rolled" in answer(await hall.people[0].slash(hall.channel, "stats"))

        def hidden(game: Any) -> bool:
            players = [game.view(seat).players[seat] for seat in range(3)]
            return at("main")(game) and any(player.all_points > player.points for player in players)

        game = await hall.advance(hidden)
        results = [await figures(hall, person) for person in hall.people]
        assert len(set(results)) == 1
        _, description = results[0]
        assert description.startswith(f"Turn {game.turn}, round ")
        assert "without hidden points" in description
        public_points = {player.points for player in game.view(None).players}
        names = (await hall.viewer(hall.people[0])).names
        points = description.split("Points: ")[1].split(".")[0]
        assert {int(part.rsplit(" ", 1)[1]) for part in points.split(", ")} == public_points
        assert all(f"{name} " in points for name in names)


async def test_a_game_that_ends_before_the_first_roll_has_no_stats(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        await hall.begin()
        game = await hall.game()
        assert game.view(None).step.kind is StepKind.SETUP
        for person in hall.people:
            await by_commands(hall, person, AgreeToCallOff())
        assert (await hall.game()).outcome is not None
        panel = await hall.panel()
        assert "void" in text(panel)
        assert [file.filename for file in panel.attachments] == ["board.png"]
        assert "No dice have been rolled" in answer(await hall.people[0].slash(hall.channel, "stats"))
