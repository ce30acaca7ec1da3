"""*What did I miss?*, by command and by the button in pings, direct messages and lists; and the log, page by page."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bot.discord.features import history
from bot.discord.interaction import LONGEST_ID, Address
from bot.table.options import DAY
from bot.table.preferences import DM
from bot.table.reminders import LONG_AWAY
from engine.actions import Discard, Roll, Undo
from engine.game import Game
from tests.bot.discord.conftest import Opened
from tests.bot.discord.doing import by_commands, by_components
from tests.bot.discord.hall import Hall, answer, find_button, labels, reply, text
from tests.bot.discord.moments import at, before_discards
from tests.bot.discord.seen import messages, sent_to

ASKED, HOUR = "What did I miss?", 3600


async def waiting(hall: Hall, pace: int = 86_400) -> tuple[Any, Any]:
    """Start a game of four, with or without a turn timer. Returns the player whom it waits for to roll, and another."""
    host, *_ = people = hall.people[:4]
    await hall.lobby(people)
    await hall.options(target=14, pace=pace)
    await host.click(await hall.panel(), label="Start")
    game = await hall.advance(lambda game: at("pre_roll")(game) and game.turn > 9)
    absent = await hall.person(game.to_act[0])
    return absent, next(p for p in people if p != absent)


def files(result: Any) -> list[str]:
    return [file.filename for file in reply(result).attachments]


async def test_catchup_answers_in_five_lines_with_the_boards_then_and_now(open_hall: Opened) -> None:
    async with open_hall() as hall:
        absent, _other = await waiting(hall)
        response = await absent.slash(hall.channel, "catchup")
        message = reply(response)
        assert message.ephemeral
        assert len(text(message).splitlines()) <= 5
        assert "since your last move: " in text(message)
        assert "**Your move:** roll the dice." in text(message)
        assert files(response) == ["then-and-now.png"]
        assert "The board then and now." in message.attachments[0].description
        assert labels(message) == ["Turn by turn", "Go to the game"]
        story = await absent.click(message, label="Turn by turn")
        assert text(reply(story)).startswith("### Game 1 · turn")
        assert reply(story).id == message.id, "it takes the place of what was clicked"
        assert not reply(story).attachments
        back = await absent.click(reply(story), label="Back")
        assert text(reply(back)) == text(message)


async def test_turn_by_turn_says_if_everything_was_undone(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.begin()
        game = await hall.advance(lambda game: len({record.actor for record in game.records if record.actor >= 0}) == 2)
        first, second = await hall.person(game.records[1].actor), await hall.person(game.records[-1].actor)
        message = reply(await first.slash(hall.channel, "catchup"))
        await by_commands(hall, second, Undo())
        story = reply(await first.click(message, label="Turn by turn"))
        assert text(story) == "### Game 1\nEverything since then was undone."
        assert labels(story) == ["Back"]
        assert "Nothing new" in text(reply(await first.click(story, label="Back")))


async def test_a_player_who_has_just_acted_has_missed_nothing(open_hall: Opened) -> None:
    async with open_hall() as hall:
        absent, _other = await waiting(hall)
        await by_components(hall, absent, Roll())
        response = await absent.slash(hall.channel, "catchup")
        assert answer(response).startswith("Nothing new in game 1 since your last move.\n")
        assert files(response) == []


async def test_a_reminders_button_gives_each_person_their_own_answer_even_after_a_restart(
    open_hall: Opened, long_time: None
) -> None:
    async with open_hall(5) as hall:
        absent, _other = await waiting(hall)
        stranger = hall.people[4]
        await hall.env.advance_time(3 * HOUR + 60)
        [reminder] = messages(hall, "⏰")
        assert reminder.content.startswith(f"<@{absent.id}>"), "a phone shows it as it comes in"
        assert labels(reminder) == [ASKED]
        await hall.restart()
        [reminder] = messages(hall, "⏰")
        others = [p for p in hall.people[:4] if p != absent]
        answers = {p.id: answer(await p.click(reminder, label=ASKED)) for p in (absent, *others, stranger)}
        assert "Your move" in answers[absent.id]
        assert all("Your move" not in answers[p.id] for p in (*others, stranger))
        assert all("since your last move" in answers[p.id] for p in others)
        assert "the latest round" in answers[stranger.id]
        assert len(set(answers.values())) == 5
        assert messages(hall, "⏰"), "the reminder stays"


async def test_the_button_in_a_direct_message_also_works_after_a_restart(open_hall: Opened, long_time: None) -> None:
    async with open_hall() as hall:
        absent, _other = await waiting(hall)
        await hall.change_own(absent, "Reminders", reminders=DM)
        await hall.env.advance_time(3 * HOUR + 60)
        [sent] = sent_to(absent, "⏰")
        assert labels(sent) == [ASKED, "Reminders"]
        result = await absent.user.click(sent, label=ASKED)
        assert "**Game 1** since your last move" in answer(result)
        await hall.env.advance_time(4 * DAY)
        [sent] = sent_to(absent, "⏰")
        await hall.restart()
        result = await absent.user.click(sent, label=ASKED)
        assert "Your move" in answer(result)
        assert files(result) == ["then-and-now.png"]
        assert text(reply(await absent.user.click(reply(result), label="Turn by turn"))).startswith("### Game 1 · turn")


async def test_a_hand_sent_by_direct_message_has_the_button(open_hall: Opened, long_time: None) -> None:
    async with open_hall() as hall:
        absent, _other = await waiting(hall)
        await hall.env.advance_time(7 * HOUR)
        [sent] = sent_to(absent, "### Game 1")
        assert ASKED in labels(sent)
        await hall.restart()
        [sent] = sent_to(absent, "### Game 1")
        assert "since your last move" in answer(await absent.user.click(sent, label=ASKED))


async def test_the_panel_has_the_button_for_a_player_called_after_a_long_time(
    open_hall: Opened, long_time: None
) -> None:
    async with open_hall() as hall:
        absent, _other = await waiting(hall)
        assert ASKED not in labels(await hall.panel()), "they have just played"
        await hall.env.advance_time(LONG_AWAY + 60)
        since = (await hall.game()).revision
        await by_components(hall, absent, Roll())

        def comes_back(game: Game) -> bool:
            return at("pre_roll")(game) and all(r.actor != game.to_act[0] for r in game.records[since:])

        game = await hall.advance(comes_back)
        called = await hall.person(game.to_act[0])
        panel = await hall.panel()
        assert ASKED in labels(panel)
        assert "Your move" in answer(await called.click(panel, label=ASKED))
        assert "Your move" not in answer(await absent.click(panel, label=ASKED))
        await by_components(hall, called, Roll())
        assert ASKED not in labels(await hall.panel())


async def test_a_ping_to_discard_has_the_button_for_players_who_were_away(open_hall: Opened, long_time: None) -> None:
    async with open_hall() as hall:
        await hall.begin(target=14)
        game = await hall.advance(before_discards)
        await hall.env.advance_time(2 * LONG_AWAY)
        await by_components(hall, await hall.person(game.to_act[0]), Roll())
        [ping] = [m for m in messages(hall, "choose what to discard") if m.content]
        assert labels(ping) == [ASKED]
        owing = [await hall.person(seat) for seat in (await hall.game()).to_act]
        assert "Your move:** choose what to discard" in answer(await owing[0].click(ping, label=ASKED))
        first = (await hall.game()).options((await hall.game()).to_act[0])[Discard].sample(random.Random(1))
        await by_components(hall, owing[0], first)
        [ping] = [m for m in messages(hall, "choose what to discard") if m.content]
        assert owing[0].mention not in ping.content
        assert labels(ping) == [ASKED], "it stays for the others"


async def test_the_list_of_games_and_the_more_menu_have_the_button(open_hall: Opened) -> None:
    async with open_hall() as hall:
        absent, _other = await waiting(hall)
        games = reply(await absent.slash(hall.channel, "games"))
        assert labels(games) == [ASKED]
        assert "Your move" in answer(await absent.click(games, label=ASKED))
        more = reply(await absent.click(await hall.panel(), label="More"))
        assert "Your move" in answer(await absent.click(more, label=ASKED))


@pytest.mark.soak
async def test_catchup_says_that_a_game_is_archived(open_hall: Opened, long_time: None) -> None:
    async with open_hall() as hall:
        absent, _other = await waiting(hall, 0)
        await hall.env.advance_time(31 * DAY)
        notice = await hall.panel()
        assert labels(notice) == ["Resume", ASKED]
        assert "The game is archived" in answer(await absent.click(notice, label=ASKED))
        assert "The game is archived" in answer(await absent.slash(hall.channel, "catchup"))


async def test_a_stranger_in_another_channel_cant_catch_up_on_a_game(open_hall: Opened) -> None:
    async with open_hall(5) as hall:
        await hall.begin(hall.people[:4])
        stranger, elsewhere = hall.people[4], hall.guild.create_text_channel("elsewhere")
        assert "game 1" in answer(await stranger.slash(elsewhere, "catchup", game=1)).casefold()
        assert "latest round" not in answer(await stranger.slash(elsewhere, "catchup", game=1))
        assert "no game" in answer(await stranger.slash(elsewhere, "catchup")).casefold()


async def test_the_log_turns_its_pages_within_one_message(open_hall: Opened) -> None:
    async with open_hall(3) as hall:
        await hall.begin(target=14)
        await hall.advance(lambda game: game.turn > 32)
        ann = hall.people[0]
        response = await ann.slash(hall.channel, "game log")
        first, texts = reply(response), [text(reply(response))]
        assert labels(first) == ["First", "Older"]
        assert files(response) == ["game-1.txt"]
        page = first
        while find_button(page, "log") and "Older" in labels(page):
            turned = await ann.click(page, label="Older")
            page = reply(turned)
            assert page.id == first.id
            assert page.ephemeral
            assert files(turned) == ["game-1.txt"], "the whole log stays with it"
            texts.append(text(page))
        assert texts[-1].startswith("### Game 1 · setup\nSeats, clockwise")
        assert "**Turn 1 · " in texts[-2]
        whole = "\n".join(texts)
        assert all(f"**Turn {turn} · " in whole for turn in range(1, 33))
        assert labels(page) == ["Newer", "Last"]
        assert text(reply(await ann.click(page, label="Newer"))).startswith("### Game 1 · turns 1 to ")
        last = reply(await ann.click(page, label="Last"))
        assert text(last) == texts[0]
        assert text(reply(await ann.click(last, label="First"))) == texts[-1]


@pytest.mark.parametrize(
    ("verb", "args", "fits"),
    [
        ("log", (), True),
        ("log", ("f12",), True),
        ("log", ("t99999",), True),
        ("log", ("t",), False),
        ("log", ("x1",), False),
        ("log", ("f1", "f2"), False),
        ("log", ("f-1",), False),
        ("story", ("12",), True),
        ("story", ("12", "f3"), True),
        ("story", (), False),
        ("story", ("-1",), False),
        ("catchup", (), True),
        ("catchup", ("7",), True),
        ("catchup", ("0",), False),
        ("catchup", ("7", "8"), False),
    ],
)
def test_only_buttons_of_pages_that_could_exist_are_accepted(verb: str, args: tuple[str, ...], fits: bool) -> None:
    shapes = {name: item.shape for feature in (history, history) for name, item in feature.FEATURE.buttons.items()}
    assert shapes[verb].fits(Address(verb, 1, "", args), {}) == fits
    assert len(Address(verb, 10**18 - 1, "", ("999999", "t99999")).custom_id("hb")) <= LONGEST_ID
