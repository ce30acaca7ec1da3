"""Hands by direct message: immediately for players whom the game waits for, for the others when the game is still."""

from __future__ import annotations

from typing import Any

from bot.discord.show.private import STILL_FOR
from bot.discord.show.trouble import HANDS
from bot.discord.show.wanted import KeptFile, Uploads
from bot.projections import Kind, Move, Name, moved
from bot.screens.controls import Picture
from bot.words.hands import own_hand
from engine.actions import BuildRoad, EndTurn, Roll
from engine.game import Game
from tests.bot.discord.conftest import Opened
from tests.bot.discord.doing import by_commands, by_components
from tests.bot.discord.hall import Hall, text
from tests.bot.discord.moments import at
from tests.bot.store.behind import ask


def yields(game: Game) -> bool:
    """Whether the next roll gives cards to the player on turn and to the next player, and no one must discard."""
    if game.view(None).step.kind != "pre_roll" or game.view(None).turn < 5:
        return False
    trial = game.copy()
    seat = trial.to_act[0]
    trial.play(seat, Roll())
    both = (seat, (seat + 1) % trial.config.players)
    return trial.view(None).step.kind == "main" and all(
        trial.view(s).players[s].hand_size > game.view(s).players[s].hand_size for s in both
    )


async def due(hall: Hall) -> set[int]:
    """Users whose hand is due: what is shown is out of date."""
    projections = await hall.services.projections.visible((await hall.table()).number)
    return {person.id for person in hall.people if projections[Name(Kind.HAND, user=person.id)].pending}


def hands(person: Any) -> list[Any]:
    """The direct messages to a person."""
    return list(person.user.dm_channel.history())


async def is_right(hall: Hall, person: Any) -> bool:
    """Whether a person's one direct message shows their hand as it is now."""
    [message] = hands(person)
    viewer = await hall.viewer(person)
    return own_hand(viewer.view, viewer.names) in text(message)


async def flushed(hall: Hall) -> None:
    """Let all hands be sent. It needs a restart, so that simcord controls the bot's own timers."""
    await hall.restart()
    await hall.env.advance_time(STILL_FOR + 60)
    assert await due(hall) == set()


async def rolled(hall: Hall) -> tuple[Any, Any]:
    """Start a game in which a player has just rolled; that player and the next got cards. Returns both."""
    await hall.begin()
    await hall.advance(yields)
    await flushed(hall)
    seat = (await hall.game()).to_act[0]
    first, second = await hall.person(seat), await hall.person((seat + 1) % 4)
    await by_components(hall, first, Roll())
    return first, second


async def test_hands_wait_until_the_game_is_still(open_hall: Opened, long_time: None) -> None:
    async with open_hall() as hall:
        first, second = await rolled(hall)
        assert {first.id, second.id} <= await due(hall)
        assert not await is_right(hall, second)
        await hall.env.advance_time(STILL_FOR - 60)
        assert {first.id, second.id} <= await due(hall)
        await hall.env.advance_time(120)
        assert await due(hall) == set()
        assert await is_right(hall, first)
        assert await is_right(hall, second)


async def test_a_player_the_game_waits_for_gets_the_hand_immediately(open_hall: Opened, long_time: None) -> None:
    """The message is edited, since a ping in the channel has called the player (`test_calls.py`)."""
    async with open_hall() as hall:
        first, second = await rolled(hall)
        [before] = hands(second)
        await by_components(hall, first, EndTurn())
        assert second.id not in await due(hall)
        assert first.id in await due(hall)
        assert await is_right(hall, second)
        assert hands(second)[0].id == before.id


async def test_a_hand_that_might_have_been_sent_does_not_wait(open_hall: Opened, long_time: None) -> None:
    """Discord knows its nonce only for some minutes: after that, the person would get a second message."""
    async with open_hall() as hall:
        first, second = await rolled(hall)
        projections, number = hall.services.projections, (await hall.table()).number
        hand = (await projections.visible(number))[Name(Kind.HAND, user=second.id)]
        await projections.note(number, [moved(hand, hand.name, Move.POST, hand.version)])
        await hall.restart()
        await hall.env.settle()
        assert await due(hall) & {first.id, second.id} == {first.id}
        assert await is_right(hall, second)


async def test_hands_held_back_are_sent_after_a_restart(open_hall: Opened, long_time: None) -> None:
    """The hands are sent when the game has been still, as if the bot had not been restarted."""
    async with open_hall() as hall:
        first, second = await rolled(hall)
        await hall.env.advance_time(STILL_FOR / 2)
        await hall.restart()
        await hall.env.settle()
        assert {first.id, second.id} <= await due(hall)
        await hall.env.advance_time(STILL_FOR / 2 + 60)
        assert await due(hall) == set()
        assert await is_right(hall, second)


async def test_the_sweep_does_not_send_hands_held_back(open_hall: Opened) -> None:
    async with open_hall() as hall:
        _, second = await rolled(hall)
        before = len(hall.env.http_requests)
        await hall.env.advance_time(STILL_FOR / 2)
        assert len(hall.env.http_requests) == before
        assert second.id in await due(hall)


async def test_an_unchanged_hand_is_not_sent(open_hall: Opened, long_time: None) -> None:
    """Here after a road that was built and undone."""
    async with open_hall() as hall:
        await hall.begin()
        game = await hall.advance(lambda g: at("main")(g) and BuildRoad in g.options(g.to_act[0]))
        seat = game.to_act[0]
        person = await hall.person(seat)
        await flushed(hall)
        assert await is_right(hall, person)
        road, sent = next(iter(game.options(seat)[BuildRoad])), list[int]()
        hall.bot.app.display.forget_everything()  # as a process does that has just started
        for _ in range(2):
            await by_commands(hall, person, road)
            await person.slash(hall.channel, "undo")
            assert person.id in await due(hall)
            before = len(hall.env.http_requests)
            await hall.env.advance_time(STILL_FOR + 60)
            assert await due(hall) == set()
            sent.append(len(hall.env.http_requests) - before)
        assert sent == [1, 0]


async def test_a_process_that_gets_a_game_back_refers_to_no_earlier_picture(open_hall: Opened) -> None:
    """Another process might have replaced it, and Discord refuses an edit that keeps a file which isn't there."""
    async with open_hall() as hall:
        await hall.begin()
        uploads = hall.bot.app.display.uploads
        assert uploads._known
        hall.bot.app.publisher._gained()
        assert not uploads._known


async def test_gathered_hands_dont_wait_for_a_clock_that_was_set_back(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await rolled(hall)
        number = (await hall.table()).number
        later = "UPDATE games SET updated = updated + 259200, checksum = NULL WHERE number = ?"
        await ask(hall.services.repository._store, later, number)
        hall.services.repository.drop_cache()
        await hall.restart()
        assert await due(hall) == set()


async def test_gathered_hands_are_looked_at_when_games_come_back_to_a_process(
    open_hall: Opened, long_time: None
) -> None:
    """Another process might have played meanwhile, so that someone must be called now."""
    async with open_hall() as hall:
        await rolled(hall)
        publisher, lane = hall.bot.app.publisher, ((await hall.table()).number, HANDS)
        before = publisher._resting[lane]
        with hall.env._bot_scope():
            publisher._gained()
            assert publisher._sweep._task is not None
            await publisher._sweep._task
        await publisher.wait_shown(lane[0])
        assert before.cancelled()
        assert publisher._resting[lane] is not before


def test_an_edit_counts_on_no_file_that_another_one_can_take_off_meanwhile() -> None:
    """Answers to quick clicks on a private message cross."""
    uploads, picture = Uploads(), Picture(b"a picture", "Your hand.", "hand.png")
    uploads._known[7] = {hash(picture.data): KeptFile(9, "hand.png")}
    first, second = ([*uploads.taken(7, parts)] for parts in ([], [picture]))
    assert first == []
    assert not isinstance(second[0], KeptFile)
