"""The lobby: opening, joining, colors, options, lucky words, starting, and what is refused."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable

import discord
import pytest

from bot.discord.features.lobby import MOST_CLOSINGS
from bot.discord.show import lobby as closing
from bot.discord.show.display import Display
from bot.projections import CLOSING, COMMITMENT
from bot.table.acts.lobby import AddPhrase, Leave, phrase_digest
from bot.table.table import CANCELLED, LOBBY, RUNNING, Table
from bot.words.proof import shortened
from tests.bot.discord.conftest import Opened
from tests.bot.discord.hall import answer, fill, labels, reply, text


async def test_a_new_table_posts_a_commitment_that_is_never_edited(open_hall: Opened) -> None:
    async with open_hall() as hall:
        ann, bob, *_ = hall.people
        result = await ann.slash(hall.channel, "game new", color="green")
        assert result.ephemeral
        assert "green" in answer(result)
        table = await hall.table()
        marks = await hall.services.projections.visible(table.number)
        promise = hall.message(marks[COMMITMENT].posted)
        assert shortened(table.commitment) in text(promise)
        assert table.commitment in answer(await bob.slash(hall.channel, "game verify"))
        await bob.click(await hall.panel(), label="Join")
        await ann.click(await hall.panel(), label="Start")
        edited = [r for r in hall.env.http_requests if r.method == "PATCH" and str(promise.id) in r.path]
        assert not edited


async def test_people_can_join_choose_colors_and_leave(open_hall: Opened) -> None:
    async with open_hall() as hall:
        ann, bob, cem, _ = hall.people
        await ann.slash(hall.channel, "game new")
        joined = await bob.click(await hall.panel(), label="Join")
        chosen = await bob.select(reply(joined), ["purple"])
        assert "purple" in answer(chosen)
        await cem.slash(hall.channel, "game join", color="teal")
        assert [m.color for m in (await hall.table()).members][1:] == ["purple", "teal"]
        taken = await ann.slash(hall.channel, "game join", color="teal")
        assert "already has" in answer(taken)
        await cem.click(await hall.panel(), label="Leave")
        assert (await hall.table()).users == (ann.id, bob.id)
        assert "Cem" not in text(await hall.panel())


async def test_only_the_host_changes_options(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.lobby()
        ann, bob, *_ = hall.people
        seen = await bob.click(await hall.panel(), label="Options")
        assert "The host can change them" in answer(seen)
        menu = await ann.click(await hall.panel(), label="Options")
        rules = {"target": ["12"], "variants": ["open-hands", "pirate"]}
        menu = await fill(ann, reply(menu), "Rules and points", **rules)
        assert "12 points" in answer(menu)
        assert (await hall.table()).config.variants == ("open-hands", "pirate")
        await fill(ann, reply(menu), "Table and pictures", table={"shuffle_seats": False})
        assert not (await hall.table()).config.shuffle_seats
        assert labels(reply(await bob.click(await hall.panel(), label="Options"))) == []
        assert (await hall.table()).config.target == 12


async def test_lucky_words_are_mixed_into_a_games_randomness(open_hall: Opened) -> None:
    async with open_hall(mixed=True) as hall:
        await hall.lobby()
        ann, bob, *_ = hall.people
        form = await bob.click(await hall.panel(), label="Lucky words")
        assert "Only their fingerprint is shown at the end" in str(form.modal)
        await bob.submit_modal(form, {"phrase": "rain tomorrow"})
        await ann.click(await hall.panel(), label="Start")
        table = await hall.table()
        marks = await hall.services.projections.visible(table.number)
        assert table.status == RUNNING
        assert hashlib.sha256(b"rain tomorrow").hexdigest() in table.entropy
        assert table.entropy[-1] == str(hall.message(marks[CLOSING].posted).id)


def disturb(monkeypatch: pytest.MonkeyPatch, then: Callable[[Table, int], Awaitable[object]]) -> list[int]:
    """Have something happen after each closing message. `then` is called with the table before, and how many messages
    there are by now. Returns their ids."""
    close, closings = closing.close_table, list[int]()

    async def disturbed(display: Display, table: Table, user: int, name: str) -> int:
        closings.append(await close(display, table, user, name))
        await then(table, len(closings))
        return closings[-1]

    monkeypatch.setattr(closing, "close_table", disturbed)
    return closings


async def test_lucky_words_that_come_after_the_closing_message_close_the_table_again(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise these words could be chosen when the rest of what is mixed in is known."""

    async def then_words(table: Table, closed: int) -> None:
        if closed < 3:
            await hall.services.games.act(table.number, table.users[1], AddPhrase(f"words {closed}"))

    closings = disturb(monkeypatch, then_words)
    async with open_hall(mixed=True) as hall:
        await hall.lobby()
        ann, *_ = hall.people
        await ann.click(await hall.panel(), label="Start")
        table = await hall.table()
        assert table.status == RUNNING
        assert phrase_digest("words 2") in table.entropy
        assert table.entropy[-1] == str(closings[-1])
        assert len({*closings}) == 3
        posts = {message.id for message in hall.channel.history()}
        assert [one in posts for one in closings] == [False, False, True]


async def test_a_table_that_is_changed_again_and_again_is_not_closed_without_end(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def then_words(table: Table, closed: int) -> None:
        await hall.services.games.act(table.number, table.users[1], AddPhrase(f"words {closed}"))

    async with open_hall(mixed=True) as hall:
        await hall.lobby()
        ann, *_ = hall.people
        with monkeypatch.context() as patch:
            closings = disturb(patch, then_words)
            assert "keeps changing" in answer(await ann.click(await hall.panel(), label="Start"))
        assert len(closings) == MOST_CLOSINGS
        assert (await hall.table()).status == LOBBY
        assert not {*closings} & {message.id for message in hall.channel.history()}
        await ann.click(await hall.panel(), label="Start")
        assert (await hall.table()).status == RUNNING


async def test_a_table_that_cant_start_anymore_when_it_is_closed_again_stays_open(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def then_alone(table: Table, closed: int) -> None:
        for other in table.users[1:]:
            await hall.services.games.act(table.number, other, Leave())

    closings = disturb(monkeypatch, then_alone)
    async with open_hall() as hall:
        await hall.lobby()
        ann, *_ = hall.people
        assert "players" in answer(await ann.click(await hall.panel(), label="Start"))
        assert (await hall.table()).status == LOBBY
        assert not {*closings} & {message.id for message in hall.channel.history()}


async def test_a_game_needs_enough_players_and_its_host_to_start(open_hall: Opened) -> None:
    async with open_hall() as hall:
        ann, bob, *_ = hall.people
        await ann.slash(hall.channel, "game new")
        alone = await ann.click(await hall.panel(), label="Start")
        assert "players" in answer(alone)
        await bob.click(await hall.panel(), label="Join")
        before = len(hall.channel.history())
        other = await bob.click(await hall.panel(), label="Start")
        assert "Only the host" in answer(other)
        assert len(hall.channel.history()) == before
        started = await ann.slash(hall.channel, "game start")
        assert "has started" in answer(started)


async def test_a_channel_has_only_one_game_but_its_threads_can_have_their_own(open_hall: Opened) -> None:
    async with open_hall() as hall:
        ann, bob, *_ = hall.people
        await ann.slash(hall.channel, "game new")
        second = await bob.slash(hall.channel, "game new")
        assert "this channel" in answer(second)
        place = await hall.room()
        await place.create_thread(name="side table", type=discord.ChannelType.public_thread)
        thread = hall.channel.threads[0]
        third = await bob.slash(thread, "game new")
        assert "Table 2 is open" in answer(third)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"lucky-words": "a\tb"}, "Lucky words"),
        ({"color": "green"}, "isn't a color here"),
        ({"players": "{others}"}, "at most 3 can be kept"),
    ],
)
async def test_a_table_that_is_refused_makes_no_thread(open_hall: Opened, options: dict[str, str], said: str) -> None:
    async with open_hall(5) as hall:
        ann, *others = hall.people
        await hall.services.servers.begin_with(hall.guild.id, {"scenario": "beginner", "fixed": ("scenario",)})
        typed = {name: value.format(others=" ".join(f"<@{p.id}>" for p in others)) for name, value in options.items()}
        assert said in answer(await ann.slash(hall.channel, "game new", thread=True, **typed))
        assert not [r for r in hall.env.http_requests if r.path.endswith("/threads")]


async def test_a_canceled_table_keeps_its_message_without_buttons(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.lobby()
        ann, *_ = hall.people
        lobby = await hall.panel()
        await ann.slash(hall.channel, "game cancel")
        assert (await hall.table()).status == CANCELLED
        message = hall.message(lobby.id)
        assert labels(message) == []
        assert "Table canceled by Ann" in text(message)


async def test_a_host_is_asked_before_others_lose_their_table_and_these_are_told_who_did_it(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        ann, bob, cleo = hall.people
        await ann.slash(hall.channel, "game new")
        await bob.click(await hall.panel(), label="Join")
        await cleo.click(await hall.panel(), label="Join")
        options = reply(await ann.click(await hall.panel(), label="Options"))
        asked = reply(await ann.click(options, label="Cancel this table"))
        assert (await hall.table()).status == LOBBY
        assert "2 other players have joined it" in text(asked)
        assert "canceled" in answer(await ann.click(asked, label="Cancel table 1"))
        assert (await hall.table()).status == CANCELLED
        [told] = [m for m in hall.channel.history() if "was canceled by" in text(m)]
        assert text(told) == f"<@{bob.id}> <@{cleo.id}> · Table 1 was canceled by Ann."


async def test_a_host_alone_cancels_their_table_at_once(open_hall: Opened) -> None:
    async with open_hall(2) as hall:
        ann, _ = hall.people
        await ann.slash(hall.channel, "game new")
        options = reply(await ann.click(await hall.panel(), label="Options"))
        await ann.click(options, label="Cancel this table")
        assert (await hall.table()).status == CANCELLED
        assert not [m for m in hall.channel.history() if "was canceled by" in text(m)]


async def test_a_full_table_offers_no_seat(open_hall: Opened) -> None:
    async with open_hall(4) as hall:
        ann, *others = hall.people
        await ann.slash(hall.channel, "game new")
        await ann.click(await hall.panel(), label="Fill with bots")
        seats = {"Join", "Add a bot", "Fill with bots"}
        for person in others:
            assert not seats & set(labels(await hall.panel()))
            await person.click(await hall.panel(), label="Take a bot's place")
        assert not {*seats, "Take a bot's place"} & set(labels(await hall.panel()))
        await others[0].click(await hall.panel(), label="Leave")
        assert seats <= set(labels(await hall.panel()))


async def test_a_missing_permission_is_named(open_hall: Opened) -> None:
    async with open_hall() as hall:
        ann, *_ = hall.people
        assert hall.env.bot.user is not None
        silent = discord.PermissionOverwrite(attach_files=False, send_messages=False)
        mute = hall.guild.create_text_channel("mute", overwrites={hall.env.bot.user: silent})
        refused = await ann.slash(mute, "game new")
        assert "Send Messages" in answer(refused)
        assert "Attach Files" in answer(refused)
        assert await hall.services.repository.latest(mute.id) is None


async def test_commands_say_if_there_is_no_table_in_the_channel(open_hall: Opened) -> None:
    async with open_hall() as hall:
        ann, *_ = hall.people
        for command in ("roll", "hand", "game start", "game log", "build card"):
            assert "/game new" in answer(await ann.slash(hall.channel, command)), command


async def test_a_game_cant_start_before_the_commitment_is_posted(open_hall: Opened) -> None:
    async with open_hall() as hall:
        ann, bob, *_ = hall.people
        await hall.lobby([ann, bob])
        number = (await hall.table()).number
        await hall.services.projections.note(number, gone=[COMMITMENT])
        refused = await ann.click(await hall.panel(), label="Start")
        assert "Still setting up" in answer(refused)
        await bob.slash(hall.channel, "game join", color="teal")
        await ann.click(await hall.panel(), label="Start")
        assert (await hall.table()).status == RUNNING


async def test_a_deleted_lobby_message_comes_back_with_the_board_command(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.lobby()
        ann, *_ = hall.people
        gone = await hall.panel()
        await gone.delete()
        await ann.slash(hall.channel, "board")
        new = await hall.panel()
        assert new.id != gone.id
        assert "Start" in labels(new)
        await ann.slash(hall.channel, "game cancel")
        before = len(hall.channel.history())
        await hall.message(new.id).delete()
        await ann.slash(hall.channel, "board")
        assert len(hall.channel.history()) == before - 1
