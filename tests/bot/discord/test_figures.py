"""A game in figures: in the message of its end, and by `/stats` while it runs and after."""

from __future__ import annotations

from typing import Any

from engine.actions import AgreeToCallOff
from engine.terms import StepKind
from tests.bot.discord.conftest import Opened
from tests.bot.discord.doing import by_commands
from tests.bot.discord.hall import Hall, answer, fill, reply, text
from tests.bot.discord.moments import at


async def figures(hall: Hall, person: Any) -> tuple[bytes, str]:
    """The picture that somebody gets by `/stats`, and its alternative text."""
    [shown] = reply(await person.slash(hall.channel, "stats")).attachments
    assert shown.filename == "figures.png"
    return await shown.read(), shown.description or ""


async def test_the_end_comes_with_one_picture_of_all_figures(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        await hall.begin(target=5)
        game = await hall.advance(lambda game: game.outcome is not None)
        panel = await hall.panel()
        shown, board = panel.attachments
        assert (shown.filename, board.filename) == ("figures.png", "board.png")
        outcome = game.outcome
        assert outcome is not None
        viewer = await hall.viewer(hall.people[0])
        winner = viewer.names[outcome.winners[0]]
        assert shown.description is not None
        assert shown.description.startswith(f"{winner} won in turn {game.turn} with {max(outcome.points)} points, ")
        for name in viewer.names:
            assert f"{name} " in shown.description
        assert "Cards produced: " in shown.description
        pictures = [a.filename for message in hall.channel.history() for a in message.attachments]
        assert pictures.count("figures.png") == 1
        ann = hall.people[0]
        assert await figures(hall, ann) == (await shown.read(), shown.description)
        by_button = reply(await ann.click(panel, label="Stats")).attachments[0]
        assert await by_button.read() == await shown.read()
        settings = reply(await ann.slash(hall.channel, "settings"))
        await fill(ann, settings, "Your settings", look=["dark"])
        assert await figures(hall, ann) != (await shown.read(), shown.description)
        await hall.restart()
        assert await figures(hall, hall.people[1]) == (await shown.read(), shown.description)


async def test_while_a_game_runs_all_get_the_same_figures_without_what_is_hidden(open_hall: Opened) -> None:
    async with open_hall(4) as hall:
        await hall.begin(hall.people[:3])
        assert "No dice have been rolled" in answer(await hall.people[0].slash(hall.channel, "stats"))

        def hidden(game: Any) -> bool:
            shown = [game.view(seat).players[seat] for seat in range(3)]
            return at("main")(game) and any(player.all_points > player.points for player in shown)

        game = await hall.advance(hidden)
        told = [await figures(hall, person) for person in hall.people]
        assert len(set(told)) == 1
        _, said = told[0]
        assert said.startswith(f"Turn {game.turn}, round ")
        assert "without hidden points" in said
        public = {player.points for player in game.view(None).players}
        names = (await hall.viewer(hall.people[0])).names
        points = said.split("Points: ")[1].split(".")[0]
        assert {int(part.rsplit(" ", 1)[1]) for part in points.split(", ")} == public
        assert all(f"{name} " in points for name in names)


async def test_a_game_that_ends_before_the_first_roll_has_no_figures(open_hall: Opened) -> None:
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
