"""Weeks of a game by message: one player takes no direct messages, one goes on vacation, one is slow, one is gone.

Whatever the players chose for when time runs out, the game ends, and no one gets more pings than necessary.
`pytest -m soak -rP tests/bot/discord/test_weeks.py` prints what each player got on each day.
"""

from __future__ import annotations

import random
from collections import Counter
from datetime import UTC, datetime
from typing import Any

import pytest

from bot.projections import Kind
from bot.table.options import DAY, DECIDE, REMIND, VOTE
from bot.table.reminders import moments
from bot.table.table import OVER
from bot.table.waiting import decisions
from engine.actions import AcceptOffer, Action, BankTrade, DecideFor, DeclineOffer, MakeOffer
from engine.game import Game
from players.table import unanswered
from tests.bot.discord.conftest import Opened
from tests.bot.discord.doing import by_commands, by_components
from tests.bot.discord.hall import Hall, answer, fill, find_button, reply, text
from tests.bot.discord.mailbox import Mailbox
from tests.bot.discord.moves import well

HOUR = 3600
PACE = 86_400
LOOKS_IN = (9, 19)
"""Hours of the day at which the player without direct messages looks in."""
QUIET = (22, 8)
"""That player's quiet hours: when they begin and end."""
NEEDS = 2
"""Reminders after which the slow player acts."""
RESTARTS = (3, 4)
"""The bot is restarted at this hour, every so many days."""
MOST, USUALLY = 12, 5
"""Most pings for one player: on any one day, and on average per day."""


class Weeks:
    """Four people over weeks: closed (the host, who takes no direct messages), away (on vacation), slow, gone."""

    def __init__(self, hall: Hall, mailbox: Mailbox, rounds: int, expiry: str, away: tuple[int, int]) -> None:
        """`away`: the first and the last day of the vacation."""
        self.hall, self.mailbox, self.rounds, self.expiry, self.leave = hall, mailbox, rounds, expiry, away
        self.closed, self.away, self.slow, self.gone = hall.people
        self.rng = random.Random(11)
        self.seen = dict.fromkeys((person.id for person in hall.people), 0)
        """How many calls each user had got when they last looked in."""

    @property
    def now(self) -> datetime:
        return self.hall.env.now()

    @property
    def names(self) -> list[tuple[str, int]]:
        people = zip(("closed", "away", "slow", "gone"), self.hall.people, strict=True)
        return [(who, person.id) for who, person in people]

    async def begin(self) -> None:
        """Set up the table and the people's own settings, and start the game."""
        hall, (begin, end) = self.hall, self.leave
        path = f"/channels/{self.closed.user.dm_channel.id}/messages"
        hall.env.inject_error("POST", path, status=403, code=50007, message="closed", times=None)
        await hall.lobby()
        await hall.options(round_limit=self.rounds, pace=86_400, expiry=self.expiry)
        for person, refused in ((self.closed, True), (self.away, False)):
            page = reply(await person.slash(hall.channel, "settings"))
            response = await fill(person, page, "Reminders", reminders="dm")
            assert ("Discord won't let me message you" in answer(response)) == refused
        begin_, end_ = (f"{hour}:00" for hour in QUIET)
        page = reply(await self.closed.slash(hall.channel, "settings"))
        response = await fill(self.closed, page, "Reminders", begin=begin_, end=end_, zone="UTC")
        assert "22:00 to 08:00" in answer(response)
        dates = [datetime.fromtimestamp(self.mailbox.begun + (day - 1) * DAY, UTC).date() for day in (begin, end)]
        page = reply(await self.away.slash(hall.channel, "settings"))
        await fill(self.away, page, "Vacation", begin=str(dates[0]), end=str(dates[1]), zone="UTC")
        await self.closed.click(await hall.panel(), label="Start")

    async def live(self, most: int) -> None:
        """Let time pass until the game ends, at most so many days."""
        for _ in range(most * 24):
            await self.hour()
            if (await self.hall.game()).outcome is not None:
                return
            if (self.now.hour, self.mailbox.days % RESTARTS[1]) == (RESTARTS[0], 0):
                await self.hall.restart()
            if self.now.hour in LOOKS_IN:
                await self.play(self.closed)
            if self.now.hour % 6 == 0 and not self.on_vacation(self.now.timestamp()):
                await self.play(self.away)
            if self.reminders(self.slow) >= NEEDS:
                await self.play(self.slow)
        raise AssertionError("the game doesn't end")

    async def hour(self) -> None:
        await self.hall.env.advance_time(HOUR)

    def on_vacation(self, at: float) -> bool:
        return self.leave[0] <= self.mailbox.day(at) <= self.leave[1]

    def reminders(self, person: Any) -> int:
        """How many reminders a person has got since they last looked in."""
        return sum(call.reminds for call in self.mailbox.of(person.id)[self.seen[person.id] :])

    async def play(self, person: Any) -> None:
        """Have a person look in: vote on others if asked, then do everything that waits for them."""
        self.seen[person.id] = len(self.mailbox.of(person.id))
        await self.vote(person)
        for _ in range(60):
            game, action = await self.wanted(person)
            if action is None:
                return
            way = by_commands if isinstance(action, BankTrade) or self.rng.random() < 0.5 else by_components
            await way(self.hall, person, action)
            after = await self.hall.game()
            assert after.revision > game.revision, f"{action} was not played"
            if isinstance(action, MakeOffer):  # others can answer it until the person looks in again
                return
        raise AssertionError("somebody can't stop")

    async def wanted(self, person: Any) -> tuple[Game, Action | None]:
        table, game = await self.hall.table(), await self.hall.game()
        seat = table.seat_of(game, person.id)
        assert seat is not None
        if game.outcome is not None:
            return game, None
        options = game.options(seat)
        if asked := unanswered(game.view(seat)):
            accept = AcceptOffer(asked.id)  # for which the seat may lack the cards
            accepts = AcceptOffer in options and accept in options[AcceptOffer] and self.rng.random() < 0.5
            return game, accept if accepts else DeclineOffer(asked.id)
        if seat not in game.to_act:
            return game, None
        return game, well(game, seat, self.rng, offers=True)

    async def vote(self, person: Any) -> None:
        """Vote on players whose time is over. Where no one is asked, the host replaces the gone player."""
        hall, table = self.hall, await self.hall.table()
        if self.expiry == VOTE:
            for message in hall.channel.history():
                if person.id in (user.id for user in message.mentions) and (button := find_button(message, "replaced")):
                    assert "bot" in answer(await person.click(message, custom_id=button))
        elif self.expiry == REMIND and person == self.closed and any(wait.over for wait in decisions(table)):
            response = await person.slash(hall.channel, "seat bot", player=self.gone.mention, level="easy")
            assert "A bot is playing for" in answer(response)

    # --- what must be true of it

    async def check(self) -> None:
        """Check that the game is over and no one got more than necessary."""
        table, game = await self.hall.table(), await self.hall.game()
        assert table.status == OVER
        assert "🏁" in text(await self.hall.panel())
        assert Game.replay(game.config, game.records).hash() == game.hash()
        decided = {record.action.seat for record in game.records if isinstance(record.action, DecideFor)}
        assert decided == ({table.seat_of(game, self.gone.id)} if self.expiry == DECIDE else set()), (
            "nobody else is late"
        )
        self.check_calls()
        reminded = [call for call in self.mailbox.calls if call.reminds]
        for call in reminded:
            if call.user == self.closed.id:
                hour = datetime.fromtimestamp(call.at, UTC).hour
                assert QUIET[1] <= hour < QUIET[0], f"reminded at {hour} o'clock"
                assert not call.direct
            assert call.user != self.away.id or not self.on_vacation(call.at)
        assert {call.user for call in reminded} >= {self.slow.id, self.gone.id}
        assert not [call for call in self.mailbox.of(self.closed.id) if call.direct]
        assert not [call for call in self.mailbox.calls if call.name.startswith("closed:")], "they have been told"
        for who, user in self.names:
            day, most = max(self.mailbox.daily(user).items(), key=lambda item: item[1])
            assert most <= MOST, f"{who} got {most} pings on day {day}"
            assert len(self.mailbox.of(user)) <= USUALLY * self.mailbox.days, who

    def check_calls(self) -> None:
        """Check that each occasion calls a player once.

        A decision calls once in the channel and, for each of its occasions, once by direct message. Beyond that, only
        reminders come, at most one for each that is due.
        """
        calls = [call for call in self.mailbox.calls if not call.name.startswith((Kind.HAND, Kind.REMINDER))]
        twice = [key for key, n in Counter((call.user, call.name) for call in calls).items() if n > 1]
        assert not twice
        first, reminders, hands = Counter[tuple[object, ...]](), Counter[tuple[object, ...]](), Counter[object]()
        for call in self.mailbox.calls:
            if call.wait is None:
                assert not call.reminds, "reminded of nothing"
                continue
            decision = (call.user, call.wait.serial, call.wait.since)
            if call.reminds:
                reminders[decision] += 1
                due = sum(call.wait.since + after <= call.at for after in moments(PACE))
                assert reminders[decision] <= min(due, call.wait.reminded)
            elif call.direct:
                hands[*decision, call.occasion] += 1
            elif call.kind == "decisions":
                first[decision] += 1
        assert not [decision for decision, n in first.items() if n > 1]
        assert max(hands.values()) == 1


async def lived(hall: Hall, mailbox: Mailbox, rounds: int, expiry: str, away: tuple[int, int]) -> Weeks:
    """Play a game of so many rounds to its end, and check it."""
    weeks = Weeks(hall, mailbox, rounds, expiry, away)
    await weeks.begin()
    try:
        await weeks.live(100)
    finally:
        print(f"Pings by person, and what the bot did in the channel; when a time is over: {expiry}")
        print("\n".join([*mailbox.lines(weeks.names), *mailbox.kinds(weeks.names)]))
    await weeks.check()
    return weeks


@pytest.mark.usefixtures("long_time")
@pytest.mark.soak
async def test_a_one_round_game_over_days_ends_without_needless_pings(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One round, in which overdue decisions are made for the players."""
    async with open_hall() as hall:
        weeks = await lived(hall, Mailbox(hall, monkeypatch), 1, DECIDE, (2, 3))
        assert (await hall.table()).missed
        assert weeks.mailbox.days >= 4


@pytest.mark.soak
@pytest.mark.parametrize("expiry", [REMIND, DECIDE, VOTE])
@pytest.mark.usefixtures("long_time")
async def test_a_game_over_weeks_ends_without_needless_pings(
    open_hall: Opened, monkeypatch: pytest.MonkeyPatch, expiry: str
) -> None:
    """Twelve rounds. A bot has replaced the gone player, unless all is decided for them."""
    async with open_hall() as hall:
        weeks = await lived(hall, Mailbox(hall, monkeypatch), 12, expiry, (4, 8))
        levels = {member.user: member.level for member in (await hall.table()).members}
        assert [user for user, level in levels.items() if level] == [weeks.gone.id] * (expiry != DECIDE)
        assert weeks.mailbox.days >= 12
