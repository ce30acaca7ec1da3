"""Turn timer, reminders and pauses, as people meet them: in the panel, in pings, by direct message."""

from __future__ import annotations

import pytest

from bot.discord.show import publisher
from bot.table.acts.motions import Agree
from bot.table.options import DAY, VOTE
from bot.table.preferences import CHANNEL, DM
from bot.table.waiting import decisions
from engine.actions import BuildSettlement
from engine.errors import RefereeError
from tests.bot.discord.conftest import Opened
from tests.bot.discord.doing import by_components
from tests.bot.discord.hall import answer, fill, labels, reply, text
from tests.bot.discord.seen import messages, sent_to
from tests.bot.discord.tables import HOUR, paced


async def test_only_the_host_sets_the_turn_timer_in_the_lobby_and_all_can_read_it(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await hall.lobby()
        host, other, *_ = hall.people
        assert "No timer" in text(await hall.panel())
        page = reply(await host.click(await hall.panel(), label="Options"))
        page = reply(await fill(host, page, "Turn timer", pace="86400", expiry=VOTE, leave="7"))
        lobby = text(await hall.panel())
        assert "Turn timer: 1 day" in lobby
        for words in ("**Turn timer:** 1 day", "can vote for a bot", "**Vacation:** up to 7 days"):
            assert words in text(page)
        assert "Only the host" in answer(await other.slash(hall.channel, "game timer", time="2 days"))
        seen = reply(await other.slash(hall.channel, "game timer"))
        assert labels(seen) == []
        assert "can vote for a bot" in text(seen)


@pytest.mark.parametrize("typed", ["1 minute", "15 days", "soon", "3 parsecs"])
async def test_a_turn_timer_out_of_range_or_unreadable_is_refused(open_hall: Opened, typed: str) -> None:
    async with open_hall() as hall:
        await hall.lobby()
        refused = answer(await hall.people[0].slash(hall.channel, "game timer", time=typed))
        assert "2 minutes to 14 days" in refused or "isn't a length of time" in refused
        assert (await hall.table()).options.pace == 0


async def test_the_panel_shows_the_deadline_in_each_readers_own_time(open_hall: Opened) -> None:
    async with open_hall() as hall:
        person, _game = await paced(hall, 2 * 86_400)
        [wait] = decisions(await hall.table())
        assert wait.until is not None
        assert f"<t:{wait.until:.0f}:R>" in text(await hall.panel()) or "Deadline" in text(await hall.panel())
        await person.click(await hall.panel(), label="Roll")
        [*waits] = decisions(await hall.table())
        assert all(w.since >= wait.since for w in waits)


async def test_a_reminder_replaces_the_last_one_and_is_deleted_when_the_player_acts(
    open_hall: Opened, long_time: None
) -> None:
    async with open_hall() as hall:
        person, _ = await paced(hall, 86_400, "remind")
        assert not messages(hall, "⏰")
        await hall.env.advance_time(3 * HOUR + 60)
        [first] = messages(hall, "⏰")
        assert f"<@{person.id}>" in text(first)
        assert "roll the dice" in text(first)
        assert [user.id for user in first.mentions] == [person.id]
        await hall.env.advance_time(6 * HOUR)
        [second] = messages(hall, "⏰")
        assert second.id != first.id
        await hall.restart()
        await hall.env.advance_time(HOUR)
        [still] = messages(hall, "⏰")
        assert still.id == second.id
        assert "deadline <t:" in text(still)
        await hall.env.advance_time(39 * HOUR)
        [late] = messages(hall, "⏰")
        [wait] = decisions(await hall.table())
        assert f" · time ran out <t:{wait.until:.0f}:R>" in text(late)
        assert "deadline" not in text(late)
        assert f"time ran out <t:{wait.until:.0f}:R>" in answer(await person.slash(hall.channel, "games"))
        await person.click(await hall.panel(), label="Roll")
        assert not messages(hall, "⏰")


async def test_a_player_who_acts_after_a_reminder_is_not_called_again(open_hall: Opened, long_time: None) -> None:
    async with open_hall() as hall:
        await hall.lobby()
        await hall.options(pace=86_400)
        await hall.people[0].click(await hall.panel(), label="Start")
        first = (await hall.game()).to_act[0]
        game = await hall.advance(lambda game: game.to_act[0] != first)
        seat = game.to_act[0]
        person = await hall.person(seat)

        def called() -> list[str]:
            return [text(m) for m in hall.channel.history() if text(m).startswith(person.mention)]

        [first_call] = called()
        await hall.env.advance_time(3 * HOUR + 60)
        [reminder] = called()
        assert first_call != reminder
        await by_components(hall, person, next(iter(game.options(seat)[BuildSettlement])))
        assert (await hall.game()).to_act == (seat,)
        assert called() == []


async def test_no_reminder_comes_in_quiet_hours(open_hall: Opened, long_time: None) -> None:
    async with open_hall() as hall:
        person, _ = await paced(hall, 86_400, "remind")
        response = await hall.change_own(person, "Reminders", begin="0:00", end="12:00", zone="UTC")
        assert "00:00 to 12:00" in text(reply(response))
        begin = hall.env.now()
        assert begin.hour < 6, "the simulation begins at midnight"
        await hall.env.advance_time(9 * HOUR + 60)
        assert not messages(hall, "⏰")
        await hall.env.advance_time(3 * HOUR + 60)
        assert len(messages(hall, "⏰")) == 1


async def test_reminders_go_to_direct_messages_or_the_channel_as_the_player_chose(
    open_hall: Opened, long_time: None
) -> None:
    async with open_hall() as hall:
        person, _ = await paced(hall, 86_400, "remind")
        page = reply(await hall.change_own(person, "Reminders", reminders=DM))
        assert "direct message" in text(page)
        await hall.env.advance_time(3 * HOUR + 60)
        assert not messages(hall, "⏰")
        [sent] = sent_to(person, "⏰")
        assert "1 game waits for you" in text(sent)
        assert "roll the dice" in text(sent)
        await hall.env.advance_time(6 * HOUR)
        [again] = sent_to(person, "⏰")
        assert again.id != sent.id
        await hall.change_own(person, "Reminders", reminders=CHANNEL)
        await hall.env.advance_time(12 * HOUR)
        assert (len(sent_to(person, "⏰")), len(messages(hall, "⏰"))) == (0, 1)
        await hall.change_own(person, "Reminders", reminders=DM)
        await hall.env.advance_time(27 * HOUR)
        assert (len(sent_to(person, "⏰")), len(messages(hall, "⏰"))) == (1, 0)
        await person.click(await hall.panel(), label="Roll")
        assert not sent_to(person, "⏰")


async def test_a_player_with_closed_direct_messages_is_reminded_in_the_channel(
    open_hall: Opened, long_time: None
) -> None:
    async with open_hall() as hall:
        person, _ = await paced(hall, 86_400, "remind")
        await hall.change_own(person, "Reminders", reminders=DM)
        await hall.services.people.change_settings(person.id, dms_closed=True)
        await hall.env.advance_time(3 * HOUR + 60)
        assert len(messages(hall, "⏰")) == 1


async def test_the_game_message_says_that_a_player_was_auto_played(open_hall: Opened, long_time: None) -> None:
    async with open_hall() as hall:
        _person, game = await paced(hall, 1800)
        old = await hall.panel()
        await hall.env.advance_time(1801)
        assert (await hall.game()).turn > game.turn or (await hall.game()).view(None).step.kind != "pre_roll"
        assert text(hall.message(old.id)).count("ran out of time: auto-played") == 1
        assert "Roll" not in labels(hall.message(old.id))


async def test_the_others_are_asked_once_about_a_bot_when_a_players_time_runs_out(
    open_hall: Opened, long_time: None
) -> None:
    async with open_hall() as hall:
        person, _ = await paced(hall, 1800, VOTE)
        await hall.env.advance_time(1801)
        [question] = messages(hall, "Should a bot play for them?")
        others = {p.id for p in hall.people} - {person.id}
        assert {user.id for user in question.mentions} == others
        assert "time ran out" in text(await hall.panel())
        host, *voters = [p for p in hall.people if p.id in others]
        assert "A bot is playing for" not in answer(await voters[0].click(question, label="Let a bot play"))
        [asked] = messages(hall, "a bot to play for")
        assert asked.id == question.id, "nobody is pinged twice for it"
        assert all(other.mention in text(asked) for other in (host, voters[1]))
        await voters[1].click(question, label="Let a bot play")
        table = await hall.table()
        assert next(m.level for m in table.members if m.user == person.id)
        assert not messages(hall, "Should a bot play for them?")


async def test_after_three_timeouts_in_a_row_the_others_are_asked_once_about_a_bot(
    open_hall: Opened, long_time: None
) -> None:
    async with open_hall() as hall:
        await paced(hall, 600)
        for _ in range(14):
            await hall.env.advance_time(601)
        questions = messages(hall, "times in a row. Should a bot play for them?")
        assert questions
        about = [text(question) for question in questions]
        assert len(about) == len(set(about)), "each is asked once"


async def test_a_pause_is_started_and_ended_by_agreement_and_shown(open_hall: Opened, long_time: None) -> None:
    async with open_hall() as hall:
        person, _game = await paced(hall, 86_400)
        [wait] = decisions(await hall.table())
        one, two, three, four = hall.people
        more = await hall.change(one)
        response = await one.click(more, label="Pause game")
        assert "1 of 3 needed" in answer(response)
        [question] = messages(hall, "to pause the game")
        assert {two.id, three.id, four.id} <= {user.id for user in question.mentions}
        await two.click(question, label="Agree")
        [question] = messages(hall, "to pause the game")
        await three.click(question, label="Agree")
        assert not messages(hall, "to pause the game")
        panel = await hall.panel()
        assert "Paused" in text(panel)
        assert labels(panel) == ["Resume", "My hand", "More"]
        assert "paused" in answer(await person.slash(hall.channel, "roll"))
        await hall.env.advance_time(DAY * 2)
        assert (await hall.game()).view(None).step.kind == "pre_roll"
        await hall.restart()
        for somebody in (one, two, three):
            await somebody.slash(hall.channel, "game resume")
        panel = await hall.panel()
        assert "Roll" in labels(panel)
        assert "Paused" not in text(panel)
        [called] = messages(hall, "the game is running again: roll the dice")
        assert [user.id for user in called.mentions] == [person.id]
        await hall.env.advance_time(3 * HOUR + 60)
        [reminder] = messages(hall, "⏰")
        assert f"(<t:{wait.since:.0f}:R>)" in text(reminder)
        await person.click(panel, label="Roll")
        assert not messages(hall, "the game is running again") + messages(hall, "⏰")


@pytest.mark.soak
async def test_players_are_warned_before_a_paused_game_is_archived_and_can_resume_it(
    open_hall: Opened, long_time: None
) -> None:
    async with open_hall() as hall:
        person, _game = await paced(hall, 86_400)
        for somebody in hall.people[:3]:
            await somebody.slash(hall.channel, "game pause")
        await hall.env.advance_time(28 * DAY)
        [warning] = messages(hall, "has been paused for 27 days")
        assert {user.id for user in warning.mentions} == {p.id for p in hall.people}
        await hall.env.advance_time(4 * DAY)
        response = await person.slash(hall.channel, "game resume")
        assert "resumed" in answer(response)
        assert "Roll" in labels(await hall.panel())
        await person.click(await hall.panel(), label="Roll")
        assert (await hall.game()).view(None).step.kind != "pre_roll"


async def test_a_declined_proposal_is_void(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await paced(hall, 86_400)
        one, two, three, four = hall.people
        await one.slash(hall.channel, "game pause")
        [question] = messages(hall, "to pause the game")
        assert "You voted no" in answer(await two.click(question, label="Decline"))
        [question] = messages(hall, "to pause the game")
        assert f"<@{two.id}>" not in text(question)
        assert "the proposal is off" in answer(await three.click(question, label="Decline"))
        assert not messages(hall, "to pause the game")
        number = (await hall.table()).number
        with pytest.raises(RefereeError) as refused:
            await hall.services.games.act(number, four.id, Agree("pause"), "late")
        assert refused.value.code == "no-proposal"
        assert not (await hall.table()).paused


async def test_the_turn_timer_of_a_running_game_is_changed_by_agreement(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await paced(hall, 86_400)
        one, two, three, _ = hall.people
        await one.slash(hall.channel, "game timer", time="2 days 12 hours")
        [question] = messages(hall, "a turn timer: 2 days 12 hours")
        await two.click(question, label="Agree")
        assert (await hall.table()).options.pace == DAY
        [question] = messages(hall, "a turn timer: 2 days 12 hours")
        await three.click(question, label="Agree")
        table = await hall.table()
        assert table.options.pace == 2.5 * DAY
        [wait] = decisions(table)
        assert wait.until == wait.since + 2.5 * DAY


async def test_a_stranger_has_no_vote(open_hall: Opened) -> None:
    async with open_hall() as hall:
        await paced(hall, 86_400)
        stranger = hall.guild.add_member(hall.env.create_user("zoe"))
        for command in ("game pause", "game resume"):
            assert "playing" in answer(await stranger.slash(hall.channel, command))
        await hall.people[0].slash(hall.channel, "game pause")
        [question] = messages(hall, "to pause the game")
        assert "playing" in answer(await stranger.click(question, label="Agree"))


async def test_the_games_command_lists_waiting_games_with_links(open_hall: Opened) -> None:
    async with open_hall() as hall:
        person, _ = await paced(hall, 86_400)
        content = answer(await person.slash(hall.channel, "games"))
        panel = await hall.panel()
        assert "1 game waits for you" in content
        assert f"/{panel.id})" in content
        assert "roll the dice" in content
        other = next(p for p in hall.people if p != person)
        assert "No game waits for you" in answer(await other.slash(hall.channel, "games"))
        stranger = hall.guild.add_member(hall.env.create_user("zoe"))
        assert "You aren't in any game here" in answer(await stranger.slash(hall.channel, "games"))


@pytest.mark.parametrize(
    ("which", "begin", "end", "zone", "words"),
    [
        ("Reminders", "22:00", "8:00", "", "time zone"),
        ("Reminders", "22:00", "", "Berlin", "isn't a time of day"),
        ("Reminders", "late", "early", "Berlin", "isn't a time of day"),
        ("Reminders", "8:00", "8:00", "Berlin", "can't last all day"),
        ("Reminders", "", "", "Berln", "Did you mean Europe/Berlin?"),
        ("Reminders", "", "", "Middle of nowhere", "Write a city"),
        ("Vacation", "tomorrow", "2026-03-05", "Berlin", "isn't a date"),
        ("Vacation", "2026-02-30", "2026-03-05", "Berlin", "isn't a date"),
        ("Vacation", "2026-03-05", "2026-03-01", "Berlin", "ends after it begins"),
        ("Vacation", "2020-03-05", "2020-03-09", "Berlin", "ends after it begins"),
        ("Vacation", "2026-03-05", "2029-03-09", "Berlin", "lasts a year at most"),
    ],
)
async def test_invalid_times_dates_and_zones_are_explained_and_change_nothing(
    open_hall: Opened, which: str, begin: str, end: str, zone: str, words: str
) -> None:
    async with open_hall(1) as hall:
        [ann] = hall.people
        before = await hall.services.people.settings(ann.id)
        message = reply(await hall.change_own(ann, which, begin=begin, end=end, zone=zone))
        assert words in text(message)
        assert which in labels(message), "the form is there to try again"
        assert await hall.services.people.settings(ann.id) == before


async def test_a_time_zone_can_be_given_as_a_city(open_hall: Opened) -> None:
    async with open_hall(1) as hall:
        [ann] = hall.people
        content = text(reply(await hall.change_own(ann, "Reminders", begin="22:00", end="8:00", zone="new york")))
        assert (await hall.services.people.settings(ann.id)).choices.zone == "America/New_York"
        assert "22:00 to 08:00" in content
        await hall.change_own(ann, "Reminders", begin="", end="")
        assert (await hall.services.people.settings(ann.id)).choices.quiet is None


@pytest.mark.parametrize("quiet", [("", ""), ("2:00", "11:00")])
async def test_a_reminder_by_direct_message_edits_nothing_that_others_see(
    open_hall: Opened, long_time: None, monkeypatch: pytest.MonkeyPatch, quiet: tuple[str, str]
) -> None:
    """An edit would reveal quiet hours. None comes after a restart either, when it isn't known what messages show."""
    monkeypatch.setattr(publisher, "SWEEPS_APART", 365 * 86_400.0)
    async with open_hall() as hall:
        person, _ = await paced(hall, 86_400)
        begin, end = quiet
        await hall.change_own(person, "Reminders", begin=begin, end=end, zone="UTC", reminders=DM)
        await hall.restart()
        before = len(hall.env.http_requests)
        await hall.env.advance_time(14 * HOUR)
        assert sent_to(person, "⏰")
        assert not [r for r in hall.env.http_requests[before:] if str(hall.channel.id) in r.path]
