"""The page at a game's end, and films: on demand, or at the end of games that ended before there were pages."""

from __future__ import annotations

import logging
from concurrent.futures import BrokenExecutor
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot import languages
from bot.discord.show import channels
from bot.page import page
from bot.projections import FILM, SEED
from bot.screens.controls import Download, Picture, Reply
from bot.screens.viewer import Viewer
from bot.table import rules
from bot.table.acts.play import Play
from bot.table.table import Table
from engine.actions import Resign
from engine.errors import RefereeError
from tests.bot.discord.conftest import Opened
from tests.bot.discord.hall import BUTTON, Hall, answer, labels, parts, reply, text
from tests.bot.words.pseudo import Pseudo


async def end(hall: Hall, *, films: bool = True) -> None:
    """Begin a game, have it end soon, and have everything shown."""
    hall.bot.app.display.films = films
    await hall.begin()
    await resign(hall)


async def resign(hall: Hall) -> None:
    """End the game, and have everything shown."""
    number = (await hall.table()).number
    with hall.env._bot_scope():
        await hall.services.games.act(number, hall.people[0].id, Play(Resign()), f"gone-{number}")
    await hall.env.advance_time(30)


@pytest.fixture
def before_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have games want a film at their end, as they once did."""
    due_after = rules.due_after
    monkeypatch.setattr(
        rules, "due_after", lambda *of: [n for d in due_after(*of) for n in ((d, FILM) if d == SEED else (d,))]
    )


def pages(hall: Hall) -> list[discord.Message]:
    """The messages with pages in the channel."""
    return [message for message in hall.channel.history() if "the replay" in text(message)]


def films(hall: Hall) -> list[discord.Message]:
    """The messages with films in the channel."""
    return [message for message in hall.channel.history() if "as a film" in text(message)]


async def asked_for_film(hall: Hall, person: Any) -> Any:
    """What comes of pressing *Replay* below the story, and then *Film*."""
    log = reply(await person.slash(hall.channel, "game log"))
    return await person.click(reply(await person.click(log, label="Replay")), label="Film")


# --- the page


async def test_the_page_is_posted_at_the_end_and_given_to_all_who_ask(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_hall(2) as hall:
        drawn, made = count_drawn(hall, monkeypatch), list[str]()

        def count(file: Any) -> bytes:
            made.append(file["game"])
            return page(file)

        monkeypatch.setattr("bot.discord.show.pictures.page", count)
        await end(hall)
        [posted] = pages(hall)
        [file] = posted.attachments
        assert file.filename == "game-1.html"
        assert "Check every die" in text(posted)
        assert await file.read() == page(await hall.services.games.export(1))
        assert labels(posted) == ["Film"]
        for person in hall.people:
            log = reply(await person.slash(hall.channel, "game log"))
            [own] = reply(await person.click(log, label="Replay")).attachments
            assert await own.read() == await file.read()
        assert (made, drawn, films(hall)) == (["1"], [], [])
        for person in hall.people:
            [film] = reply(await person.click(posted, label="Film")).attachments
            assert film.filename == "game-1.webp"
        assert labels(pages(hall)[0]) == ["Film"], "it is no stray message"
        assert (made, drawn, films(hall)) == (["1"], [1], [])


async def test_a_page_that_discord_refuses_is_said_in_words(open_hall: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_hall(2) as hall:
        tried, post = list[str](), channels.post

        async def refused(
            client: Any, where: int, table: Table, name: str, since: int, content: Any, **more: Any
        ) -> Any:
            tried.append(name)
            if content.parts and name == str(SEED):
                raise too_large()
            return await post(client, where, table, name, since, content, **more)

        monkeypatch.setattr(channels, "post", refused)
        await end(hall)
        await hall.env.advance_time(7200)
        assert tried.count(str(SEED)) == 2, "the page, and the words instead"
        [said] = pages(hall)
        assert "Check every die" in text(said)
        assert "no pictures or files" in text(said)


async def test_an_answer_without_the_files_that_discord_refuses_says_so(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        whole = Reply("Verified", downloads=[Download(b"1", "game-1.html"), Download(b"2", "game-1.json")])
        left = channels.reduced(hall.bot, whole, too_large())
        assert left == Reply("Verified\n-# Discord takes no pictures or files from me here right now.")


async def test_a_page_is_in_the_language_of_the_table(open_hall: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_hall(2) as hall:
        await hall.begin()
        monkeypatch.setattr(languages, "language", lambda code: Pseudo())
        await resign(hall)
        [file] = [f for m in hall.channel.history() for f in m.attachments if f.filename == "game-1.html"]
        assert "Ｒｅｐｌａｙ" in (await file.read()).decode()


def too_large() -> discord.HTTPException:
    answer: Any = SimpleNamespace(status=413, reason="Payload Too Large")
    return discord.HTTPException(answer, {"code": 40005, "message": "Request entity too large"})


# --- films


def count_drawn(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A list that gets the number of each game whose film is drawn."""
    pictures, drawn = hall.bot.app.display.pictures, list[int]()
    draw = pictures.film

    async def film(public: Viewer) -> Picture:
        drawn.append(public.table.number)
        return await draw(public)

    monkeypatch.setattr(pictures, "film", film)
    return drawn


@pytest.mark.usefixtures("before_pages")
async def test_a_film_that_could_not_be_sent_is_not_drawn_again(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_hall(2) as hall:
        drawn, tried, post = count_drawn(hall, monkeypatch), list[str](), channels.post

        async def fails(client: Any, where: int, table: Table, name: str, *more: Any, **named: Any) -> discord.Message:
            tried.append(name)
            if name == str(FILM) and tried.count(name) < 3:
                raise TimeoutError
            return await post(client, where, table, name, *more, **named)

        monkeypatch.setattr(channels, "post", fails)
        await end(hall)
        [posted] = films(hall)
        assert [file.filename for file in posted.attachments] == ["game-1.webp"]
        assert (drawn, hall.bot.app.display.drawn.get(1)) == ([1], None)


@pytest.mark.usefixtures("before_pages")
async def test_a_film_that_discord_refuses_for_good_is_tried_once_and_said_in_words(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_hall(2) as hall:
        drawn, tried, post = count_drawn(hall, monkeypatch), list[str](), channels.post

        async def refused(client: Any, where: int, table: Table, name: str, since: int, content: Any) -> Any:
            tried.append(name)
            if content.parts and name == str(FILM):
                raise too_large()
            return await post(client, where, table, name, since, content)

        monkeypatch.setattr(channels, "post", lambda c, w, t, n, s, content, **more: refused(c, w, t, n, s, content))
        await end(hall)
        await hall.env.advance_time(7200)
        assert tried.count(str(FILM)) == 2, "the film, and the words instead"
        assert drawn == [1]
        said = [m for m in hall.channel.history() if "as a film" in text(m) and "no pictures" in text(m)]
        assert len(said) == 1
        assert not (await hall.services.projections.visible(1))[FILM].pending
        assert "Discord refuses files here" in caplog.text


@pytest.mark.usefixtures("before_pages")
async def test_who_asks_for_a_film_is_led_to_the_one_that_was_posted(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_hall(2) as hall:
        drawn = count_drawn(hall, monkeypatch)
        await end(hall)
        [posted] = films(hall)
        for person in (*hall.people, *hall.people):
            led = reply(await asked_for_film(hall, person))
            assert text(led) == "The film of game 1 is in its channel."
            [button] = parts(led, BUTTON)
            assert button["url"].endswith(f"/{hall.channel.id}/{posted.id}")
            assert led.attachments == []
        assert drawn == [1]


async def test_a_film_whose_message_was_deleted_is_drawn_once_for_all_who_ask(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_hall(2) as hall:
        await end(hall)
        await end(hall)
        for message in films(hall):
            await (await hall.room()).get_partial_message(message.id).delete()
        drawn, found = count_drawn(hall, monkeypatch), hall.bot.app.films
        with hall.env._bot_scope():
            first, second = [await hall.services.repository.table(number) for number in (1, 2)]
            for _ in range(3):
                picture = await found.of(first)
                assert isinstance(picture, Picture)
                assert picture.name == "game-1.webp"
                with pytest.raises(RefereeError) as refused:
                    await found.of(second)
                assert refused.value.key == "no-replay/wait"
        assert drawn == [1]


async def test_a_film_that_a_stop_ends_is_no_error(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_hall(2) as hall:
        await end(hall)

        async def stopped(public: Viewer) -> Picture:
            raise BrokenExecutor("it was stopped")

        monkeypatch.setattr(hall.bot.app.display.pictures, "film", stopped)
        response = await hall.people[0].click(pages(hall)[-1], label="Film")
        assert "try again" in answer(response)
        assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


async def test_without_films_none_is_offered_or_drawn(open_hall: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_hall(2) as hall:
        drawn = count_drawn(hall, monkeypatch)
        await end(hall, films=False)
        assert films(hall) == []
        log = reply(await hall.people[0].slash(hall.channel, "game log"))
        assert "Film" not in [*labels(pages(hall)[0]), *labels(reply(await hall.people[0].click(log, label="Replay")))]
        with pytest.raises(RefereeError) as refused:
            await hall.bot.app.films.of(await hall.table())
        assert refused.value.key == "no-replay"
        assert drawn == []


async def test_a_running_game_has_neither_page_nor_film(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        hall.bot.app.display.films = True
        await hall.begin()
        assert "Replay" not in labels(reply(await hall.people[0].slash(hall.channel, "game log")))
        with pytest.raises(RefereeError) as refused:
            await hall.bot.app.films.of(await hall.table())
        assert refused.value.key == "no-replay/running"


@pytest.mark.usefixtures("before_pages")
async def test_a_film_waits_for_the_restart_after_an_update(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        worker = hall.bot.app.pictures._worker
        worker.outdated = True
        await end(hall)
        assert films(hall) == []
        assert len(pages(hall)) == 1
        said = answer(await asked_for_film(hall, hall.people[0]))
        assert said.startswith("I was just updated: there is a film after my next restart.")
        worker.outdated = False
        await hall.env.advance_time(60)
        assert len(films(hall)) == 1


async def test_a_message_stored_for_an_older_version_does_not_stay_due_forever(open_hall: Opened) -> None:
    """The table can be read as it was before the game ended, although the game is over by then."""
    async with open_hall(2) as hall:
        await hall.begin()
        with hall.env._bot_scope():
            await hall.services.games.act(1, hall.people[0].id, Play(Resign()), "gone")
        await hall.env.advance_time(30)
        store = hall.services.projections
        seed = (await store.visible(1))[SEED]
        await hall.bot.store._database.mark(  # type: ignore[union-attr]
            "UPDATE shown SET version = ? WHERE game = 1 AND kind = 'seed'", seed.version - 1
        )
        count = len(list(hall.channel.history()))
        assert (await store.visible(1))[SEED].pending
        with hall.env._bot_scope():
            hall.bot.app.publisher.refresh(1)
        await hall.env.advance_time(30)
        assert not (await store.visible(1))[SEED].pending
        assert len(list(hall.channel.history())) == count
