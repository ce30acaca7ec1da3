"""Ratings at the table: what a game's end says about them, the leaderboard, profiles, and people who stay private."""

from __future__ import annotations

import re
from typing import Any

import pytest

from bot.screens import ratings
from tests.bot.discord.conftest import Opened
from tests.bot.discord.hall import Hall, answer, fill, labels, reply, text
from tests.bot.discord.tables import over


async def resign(hall: Hall, person: Any) -> None:
    asked = reply(await person.slash(hall.channel, "game resign"))
    await person.click(asked, label="Yes, leave the game for good")


async def test_the_end_of_a_game_shows_how_ratings_changed(open_hall: Opened) -> None:
    async with open_hall() as hall:
        ann, bob, cem, dot = hall.people
        assert "No rated games here yet" in answer(await dot.slash(hall.channel, "leaderboard"))
        await over(hall, [ann, bob, cem])
        panel = await hall.panel()
        [rating_line] = [line for line in text(panel).splitlines() if line.startswith("📈")]
        assert all(rating_line.count(f"{person.name.title()} **") == 1 for person in (ann, bob, cem))
        assert "(+" in rating_line
        assert "(−" in rating_line
        await hall.restart()
        await hall.bot.app.publisher.again(1)
        await hall.bot.app.publisher.idle()
        assert rating_line in text(await hall.panel()), "it follows from what is stored"

        listed = answer(await dot.slash(hall.channel, "leaderboard"))
        lines = [line for line in listed.splitlines() if line.startswith("**")]
        assert lines[0].startswith("**1.** ")
        assert all(line.endswith("· provisional") for line in lines)
        assert "1 game · 1 win" in lines[0]
        assert "You have no rated games here yet" in listed
        assert "bots give no rating" in listed


async def test_the_leaderboard_has_pages_and_a_user_can_show_it_to_all(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ratings, "LINES_A_PAGE", 2)
    async with open_hall() as hall:
        ann, bob, cem, _dot = hall.people
        await over(hall, [ann, bob, cem])
        profiles = await hall.services.ratings.profiles(hall.guild.id)
        *_, third = sorted(profiles, key=lambda user: (-profiles[user].rating, user))
        last = next(person for person in hall.people if person.id == third)
        page = reply(await last.slash(hall.channel, "leaderboard"))
        assert "Page 1 of 2" in text(page)
        assert re.search(rf"You: \*\*[23]\.\*\* {last.user.global_name} · ", text(page))
        assert labels(page) == ["Next", "Show everyone here"]
        page = reply(await last.click(page, label="Next"))
        assert "Page 2 of 2" in text(page)
        assert "You:" not in text(page)
        assert labels(page) == ["Previous", "Show everyone here"]
        await last.click(page, label="Show everyone here")
        [public_message] = [message for message in hall.channel.history() if "Page 2 of 2" in text(message)]
        assert f"{last.user.global_name} ·" in text(public_message)
        assert not labels(public_message)
        assert not public_message.mentions


async def test_a_profile_shows_games_and_rating(open_hall: Opened) -> None:
    async with open_hall() as hall:
        ann, bob, cem, dot = hall.people
        assert "finish one with at least one other person" in answer(await dot.slash(hall.channel, "profile"))
        await over(hall, [ann, bob])
        await over(hall, [ann, bob, cem], seed=5)
        await hall.begin([ann, bob, cem])
        await resign(hall, bob)
        await hall.advance(lambda game: game.view(None).turn > 4)
        await resign(hall, cem)
        assert (await hall.game()).outcome is not None
        profiles = await hall.services.ratings.profiles(hall.guild.id)
        for person in (ann, bob, cem):
            content = answer(await dot.slash(hall.channel, "profile", user=person.user))
            profile = profiles[person.id]
            assert f"### {person.user.global_name}" in content
            assert f"Rating **{profile.rating}**" in content
            assert f"from 1000 to {profile.rating}" in content
            for game in profile.counted:
                assert f"[Game {game.result.game}](https://discord.com/channels/" in content
        assert "Left 1 game before its end" in answer(await bob.slash(hall.channel, "profile"))
        assert "· resigned · **" in answer(await bob.slash(hall.channel, "profile"))
        assert "Left" not in answer(await ann.slash(hall.channel, "profile"))
        assert "They have no rated games" in answer(await ann.slash(hall.channel, "profile", user=dot.user))
        robot = hall.env.create_user("robot", bot=True)
        hall.guild.add_member(robot)
        assert "Bots have no rating" in answer(await ann.slash(hall.channel, "profile", user=robot))


async def test_a_player_with_a_private_profile_is_listed_nowhere(open_hall: Opened) -> None:
    async with open_hall() as hall:
        ann, bob, _cem, dot = hall.people
        settings = reply(await bob.slash(hall.channel, "settings"))
        assert "your `/profile`: **public**" in text(settings)
        after = reply(await fill(bob, settings, "Your settings", shared={"listed": False}))
        assert "**private**. Your games still count for others" in text(after)
        await over(hall, [ann, bob])
        [rating_line] = [line for line in text(await hall.panel()).splitlines() if line.startswith("📈")]
        assert "Ann **" in rating_line
        assert "Bob" not in rating_line
        assert "Bob" not in answer(await dot.slash(hall.channel, "leaderboard"))
        assert "keep their games and rating private" in answer(await ann.slash(hall.channel, "profile", user=bob.user))
        own = reply(await bob.slash(hall.channel, "leaderboard"))
        assert "You're hidden from this list. Your rating: **" in text(own)
        assert "Only you see this" in answer(await bob.slash(hall.channel, "profile"))
        await bob.click(own, label="Show everyone here")
        [public_message] = [m for m in hall.channel.history() if "Leaderboard of this server" in text(m)]
        assert "Bob" not in text(public_message)
        assert "You" not in text(public_message)
        settings = reply(await bob.slash(hall.channel, "settings"))
        await fill(bob, settings, "Your settings", shared={"listed": True})
        assert "Bob" in answer(await dot.slash(hall.channel, "leaderboard"))
