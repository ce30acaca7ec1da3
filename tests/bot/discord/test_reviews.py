"""A player's best and worst moves after a game: private until shared, and only moves that they made themselves."""

from __future__ import annotations

from typing import Any, cast

import pytest

from bot.discord.talk.call import Call
from bot.service.computers import CHOICES_AT_A_TIME
from tests.bot.discord.conftest import Opened
from tests.bot.discord.hall import SELECT, Hall, answer, labels, parts, reply, text
from tests.bot.thinking import fails

REVIEW = "My best and worst moves"


async def over(hall: Hall) -> Any:
    """Play a game to its end. Returns the message with its stats for the first person."""
    await hall.begin(target=3)
    await hall.advance(lambda game: game.outcome is not None)
    return reply(await hall.people[0].slash(hall.channel, "stats"))


async def test_a_review_is_private_and_can_be_shared_once(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        stats, ann, ben = await over(hall), hall.people[0], hall.people[1]
        before = len(hall.channel.history())
        review = reply(await ann.click(stats, label=REVIEW))
        assert review.ephemeral
        assert "Only you see this" in text(review)
        assert "Better: " in text(review)
        assert labels(review) == ["Share"]
        assert len(hall.channel.history()) == before
        other = reply(await ben.click(reply(await ben.slash(hall.channel, "stats")), label=REVIEW))
        assert text(other) != text(review)
        await ann.click(review, label="Share")
        again = reply(await ann.click(reply(await ann.slash(hall.channel, "stats")), label=REVIEW))
        assert labels(again) == []
        assert "Shared with everyone here" in text(again)
        [shared] = hall.channel.history()[before:]
        viewer = await hall.viewer(ann)
        name = viewer.names[viewer.my_seat]
        assert text(shared).startswith(f"### 🎯 {name}'s moves in game")
        assert [line for line in text(shared).splitlines() if line.startswith("- ")] == [
            line for line in text(review).splitlines() if line.startswith("- ")
        ]


async def test_a_review_shows_the_board_of_one_of_its_moves(open_hall: Opened) -> None:
    """At first that of the first one; the places of both choices are marked and named."""
    async with open_hall(3) as hall:
        stats, ann = await over(hall), hall.people[0]
        review = reply(await ann.click(stats, label=REVIEW))
        [listed] = [entry["options"] for entry in parts(review, SELECT)]
        assert len(listed) == len([line for line in text(review).splitlines() if line.startswith("- ")])
        pictures = []
        for option in listed:
            shown = reply(await ann.select(review, [option["value"]]))
            [picture] = shown.attachments
            assert f"On the board: {option['label']}." in text(shown)
            pictures.append(picture.filename)
            review = shown
        assert pictures == ["board.png"] * len(listed)
        assert "Your move: " in text(review)


async def test_only_players_of_a_finished_game_get_a_review(open_hall: Opened) -> None:
    async with open_hall(4) as hall:
        await hall.begin(hall.people[:3], target=5)
        await hall.advance(lambda game: game.turn > 3)
        ann, dan = hall.people[0], hall.people[3]
        assert REVIEW not in labels(reply(await ann.slash(hall.channel, "stats")))
        await hall.advance(lambda game: game.outcome is not None)
        assert REVIEW in labels(reply(await ann.slash(hall.channel, "stats")))
        assert REVIEW not in labels(reply(await dan.slash(hall.channel, "stats")))


async def test_a_review_is_computed_once_in_parts_and_again_if_it_failed(
    open_hall: Opened, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_hall(3) as hall:
        stats, ann = await over(hall), hall.people[0]
        reviews: Any = hall.services.reviews
        think, parts = reviews._think, list[int]()

        async def noted(*values: Any) -> Any:
            parts.append(len(values[-1]))
            return await think(*values)

        reviews._think = cast("Any", fails)
        assert "took me too long" in answer(await ann.click(stats, label=REVIEW))
        assert [record.levelname for record in caplog.records if record.name == "bot.service.computers"] == ["ERROR"]
        caplog.clear()
        reviews._think = noted
        stats = reply(await ann.slash(hall.channel, "stats"))
        first = text(reply(await ann.click(stats, label=REVIEW)))
        assert all(0 < n <= CHOICES_AT_A_TIME for n in parts)
        count = len(parts)
        stats = reply(await ann.slash(hall.channel, "stats"))
        assert text(reply(await ann.click(stats, label=REVIEW))) == first
        assert len(parts) == count


async def test_a_share_that_failed_can_be_tried_again(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_hall(3) as hall:
        stats, ann = await over(hall), hall.people[0]
        review = reply(await ann.click(stats, label=REVIEW))
        before = len(hall.channel.history())
        with monkeypatch.context() as broken:
            broken.setattr(Call, "post", fails)
            await ann.click(review, label="Share")
        caplog.clear()
        assert len(hall.channel.history()) == before
        stats = reply(await ann.slash(hall.channel, "stats"))
        await ann.click(reply(await ann.click(stats, label=REVIEW)), label="Share")
        assert len(hall.channel.history()) == before + 1
