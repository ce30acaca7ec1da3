"""What did I miss? At most five lines: what happened, what it means for the reader, and whom the game waits for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.plaintext import length
from bot.screens.catchup import LONGEST_LINE, Missed, controls, look_back, text
from bot.screens.controls import Open
from bot.screens.history import latest_page
from bot.screens.viewer import Viewer
from bot.screens.waiting import Waiting, catching_up
from bot.table.parts import SEATED, News
from bot.table.table import ARCHIVED
from bot.table.time import Wait
from engine import events as ev
from engine.chance import SeededChance
from engine.events import Event
from engine.game import Game
from engine.log.recount import Turn
from engine.outcome import Outcome
from engine.resources import NOTHING, hand_of, single
from engine.terms import Award, EndReason
from engine.views import OfferView, View
from tests.bot.screens.played import played, table
from tests.bot.screens.tables import config, step, view, with_player

ME = 0
ORE, BRICK = hand_of(ore=1), hand_of(brick=2)
SEATS = tuple(range(4))
DEALT = Game.new(config(shuffle_seats=False), SeededChance(bytes(32), "7", ()))
NOW = replace(view(DEALT.config), seat=ME, turn=9, step=step("pre_roll", 0b10), on_turn=1)


def missed(*events: Event, then: View = NOW, now: View = NOW, own: bool = True, **values: Any) -> Missed:
    """What a reader missed since the view `then`: the first event in one turn, all others in the next."""
    viewer = Viewer(table(DEALT.config, **values), DEALT, now.seat).showing(now)
    numbered = tuple((40 + n, event) for n, event in enumerate(events))
    return Missed(viewer, own, then, (Turn(8, 0, numbered[:1]), Turn(9, 1, numbered[1:])) if numbered else ())


def lines(*events: Event, **given: Any) -> list[str]:
    shown_lines = text(missed(*events, **given)).splitlines()
    assert len(shown_lines) <= 5
    return shown_lines


ROLL = ev.Rolled(0, (3, 5))


def test_where_nothing_is_new_the_game_still_says_whom_it_waits_for() -> None:
    nothing = "Nothing new in game 7 since your last move."
    assert lines() == [nothing, "⏳ **Bob**'s turn: roll the dice."]
    assert lines(now=replace(NOW, step=step("main"), on_turn=ME)) == [
        nothing,
        "👉 **Your move:** trade, build, or end your turn.",
    ]
    over = replace(NOW, step=step("over", 0), outcome=Outcome(EndReason.TARGET, (ME,), (10, 2, 3, 4)))
    assert lines(now=over) == [nothing, "🏁 **Ann** wins with 10 points!"]
    assert controls(missed(), None) == [[]]


def test_turns_and_rolls_come_first_and_the_player_to_act_comes_last() -> None:
    first, *_rest, last = lines(ROLL, ev.Rolled(1, (6, 1)))
    assert first == "**Game 7** since your last move: 2 turns, 🎲 8, 7."
    assert last == "⏳ **Bob**'s turn: roll the dice."


def test_buildings_and_cards_bought_and_played_are_listed_by_player() -> None:
    then = with_player(with_player(NOW, 1, settlements=0b1000, roads=0b1), 2, settlements=0b1)
    now = with_player(with_player(NOW, 1, cities=0b1000, roads=0b111), 2, settlements=0b100001, played=(1, 0, 0, 0, 0))
    now = replace(now, robber=(NOW.robber + 1) % len(NOW.board.terrain))
    [first, *_] = lines(ev.CardBought(2, None), ev.CardBought(2, None), then=then, now=now)
    assert "Built: Bob 1 city and 2 roads; Cy 1 settlement." in first
    assert "Development cards bought: Cy 2." in first
    assert "Knights played: Cy 1." in first
    assert "The robber is on" in first
    assert missed(ROLL, then=then, now=now).built
    assert not missed(ROLL).built


def test_a_robbed_player_reads_who_stole_which_cards() -> None:
    shown = lines(
        ROLL, ev.CardTaken(1, ME, 4), ev.CardTaken(1, ME, 0), ev.CardTaken(2, ME, 2), ev.CardTaken(1, 2, None)
    )
    assert shown[1] == "🥷 Bob stole 1 🧱 brick and 1 🪨 ore from you. 🥷 Cy stole 1 🐑 wool from you."


def test_votes_to_end_or_void_the_game_are_reported() -> None:
    now = replace(NOW, turn=0, end_votes=0b1010, call_off_votes=0b101)
    then = replace(now, end_votes=0b1000, call_off_votes=0)
    report = Missed(missed(now=now).viewer, True, then, (Turn(0, -1, ((40, ev.EndAgreed(1, True)),)),))
    assert text(report).splitlines()[0] == (
        "**Game 7** since your last move: Bob votes to end the game now. Cy votes to void the game."
    )


@pytest.mark.parametrize(("own", "when"), [(True, "since your last move"), (False, "in the latest round")])
def test_the_first_line_is_a_sentence_in_setup_too(own: bool, when: str) -> None:
    report = replace(missed(own=own), turns=(Turn(0, -1, ((40, ev.CallOffAgreed(1, False)),)),))
    assert text(report).splitlines()[0] == f"**Game 7**: no change on the board {when}."


def test_other_changes_to_the_readers_cards_are_reported() -> None:
    told = lines(
        ev.Produced(ME, BRICK),
        ev.Produced(1, ORE),
        ev.Monopolised(1, 4, ((ME, 3), (2, 1))),
        ev.Traded(1, ME, ORE, BRICK),
        ev.Traded(1, 2, ORE, BRICK),
        ev.DecidedFor(ME),
        ev.DiscardChosen(ME),
        ev.Discarded(ME, single(3, 4)),
    )
    assert told[1] == (
        "You got 2 🧱 brick. 🃏 Bob's Monopoly took 3 🪨 ore from you. 🤝 You gave 2 🧱 brick to Bob for 1 🪨 ore. "
        "You discarded 4 🌾 grain."
    )
    assert told[2] == "⌛ You ran out of time. Done for you: discarded."
    turn = ev.DecidedFor(ME), ev.Rolled(ME, (3, 5)), ev.DecidedFor(ME), ev.TurnEnded(ME)  # as in a story
    [_, all_told, _] = lines(*turn, ev.DecidedFor(1), ev.Passed(1), *turn, ev.DecidedFor(ME), ev.Passed(ME))
    assert all_told == ("⌛ You ran out of time in 3 turns. Done for you: rolled the dice, ended your turn and passed.")


def test_a_player_who_passed_the_reader_is_named_with_the_points() -> None:
    then = with_player(with_player(with_player(NOW, ME, points=4, all_points=5), 1, points=5), 2, points=6)
    now = with_player(with_player(then, 1, points=7), 2, points=8)
    [_, points_line, _] = lines(ROLL, then=then, now=now)
    assert points_line == "📈 Bob has passed you: 7 points to your 5."


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (ME, 1, "⚠️ Bob took the Longest Road from you."),
        (ME, None, "⚠️ You lost the Longest Road. No one has it now."),
        (2, ME, "🏆 You have the Longest Road now."),
        (None, 3, "🏆 Dee has the Longest Road now."),
    ],
)
def test_an_award_that_changed_hands_is_reported(before: int | None, after: int | None, told: str) -> None:
    then, now = replace(NOW, longest_road=before), replace(NOW, longest_road=after)
    assert lines(ev.AwardMoved(Award.LONGEST_ROAD, before, after, 6), then=then, now=now)[1] == told


def test_the_largest_army_is_reported_like_the_longest_road() -> None:
    then, now = replace(NOW, largest_army=ME), replace(NOW, largest_army=2)
    assert lines(ROLL, then=then, now=now)[1] == "⚠️ Cy took the Largest Army from you."


def test_open_and_expired_offers_to_the_reader_are_reported() -> None:
    open_ = OfferView(4, 1, BRICK, ORE, 0b1101, 0, 0)
    more_offers = OfferView(5, 1, ORE, BRICK, 0b1100, 0, 0), OfferView(6, 1, ORE, BRICK, 0b1, 0, 0b1)
    made = [ev.OfferMade(1, n, BRICK, ORE, (ME, 2)) for n in (2, 3, 4)]
    report = missed(*made, ev.Traded(1, ME, BRICK, ORE), now=replace(NOW, offers=(open_, *more_offers)))
    assert "📨 Bob offers you 2 🧱 brick for 1 🪨 ore. 1 offer to you expired." in text(report).splitlines()
    [row] = controls(report, None)
    assert isinstance(row, list)
    assert [button.label for button in row] == ["Turn by turn", "Offers"]
    many = replace(NOW, offers=tuple(replace(open_, id=n) for n in range(4)))
    assert any("2 more offers wait for your answer." in line for line in lines(ROLL, now=many))


def test_the_last_line_says_if_the_reader_must_act_and_by_when() -> None:
    mine = replace(NOW, step=step("pre_roll", 0b1), on_turn=ME)
    assert lines(ROLL, now=mine)[-1] == "👉 **Your move:** roll the dice."
    wait = Wait(ME, 1, 100.0, 5000.0)
    assert lines(ROLL, now=mine, waits=(wait,))[-1].endswith("roll the dice. Your deadline: <t:5000:R>.")
    assert lines(ROLL, waits=(replace(wait, seat=1),))[-1] == "⏳ **Bob**'s turn: roll the dice. Deadline: <t:5000:R>."
    assert "paused" in lines(ROLL, paused=90.0)[-1].casefold()
    assert "/game resume" in lines(ROLL, status=ARCHIVED)[-1]


def test_an_onlooker_reads_about_the_latest_round_and_all_points() -> None:
    public = replace(NOW, seat=None)
    told = lines(
        ROLL, ev.CardTaken(1, ME, None), then=public, now=with_player(public, 2, points=3), own=False
    )  # fmt: skip
    assert told[0] == "**Game 7**, the latest round: 2 turns, 🎲 8."
    assert told[1] == "Points: Cy 3 (+3), Ann 0, Bob 0, Dee 0."
    assert len(told) == 3


def test_what_a_stand_in_built_is_reported_as_the_readers_own() -> None:
    [first, *_] = lines(ROLL, now=with_player(NOW, ME, roads=0b11))
    assert "Built: you 2 roads." in first


def test_buttons_for_several_games_name_each_game_by_its_number() -> None:
    games = [
        Waiting(replace(table(DEALT.config), number=n), Wait(ME, 1, 10.0 * n, until), "", None)
        for n, until in ((3, None), (4, 90.0), (5, 60.0), (6, None), (7, None), (8, None))
    ]
    [[only]] = catching_up(games[:1])
    assert (only.label, only.target) == ("What did I miss?", Open("catchup", ("3",)))
    [row] = catching_up(games)
    assert [button.label for button in row] == [f"Game {n}: what did I miss?" for n in (5, 4, 3, 6, 7)]
    assert catching_up([]) == []


# --- whole games


@pytest.mark.parametrize("players", [3, 6, 8])
async def test_the_answer_never_has_more_than_five_lines(players: int) -> None:
    game = played(players, 500)
    for seat in (None, *range(0, players, 3)):
        for revision in (0, 1, 30, game.public_revision // 2, game.public_revision - 1):
            user = Viewer(table(game.config), game, 0).users[seat or 0]
            viewer = Viewer(table(game.config, acted=((user, revision, 0.0),)), game, seat)
            report = await look_back(viewer)
            answer = text(report)
            assert len(answer.splitlines()) <= 5
            assert all(length(line) <= LONGEST_LINE for line in answer.splitlines())
            page, more = await latest_page(viewer, report.then.revision, "")
            assert bool(report.events) == bool(page.paragraphs)
            assert len({paragraph.turn for paragraph in page.paragraphs}) <= 10
            assert more >= 0


async def test_the_report_starts_at_the_readers_own_last_action() -> None:
    game = played(3, 300)
    viewer = Viewer(table(game.config), game, 1)
    mine = [record.number + 1 for record in game.records if record.actor == 1]
    past = [Game.replay(game.config, game.records[:count]) for count in (mine[-1], mine[-5])]
    assert (await look_back(viewer)).then == past[0].view(1), "a game from before it was noted"

    def seen(*acted: tuple[int, int, float], **more: Any) -> Viewer:
        return replace(viewer, table=table(game.config, acted=acted, **more))

    user, other = viewer.users[1], viewer.users[0]
    report = await look_back(seen((user, past[1].public_revision, 0.0), (other, 250, 0.0)))
    assert (report.then, report.own) == (past[1].view(1), True)
    report = await look_back(seen((other, 250, 0.0)))
    assert (report.then, report.own) == (past[0].view(1), True), "and of others it was noted since"
    place = viewer.table.users.index(user)
    sat_down = News(SEATED, place=place, user=user, about=99, name="Zoe")
    for newcomer in (seen((other, 250, 0.0), news=(sat_down,)), seen((user, 0, 5.0))):
        latest_round = await look_back(newcomer)
        assert not latest_round.own
        assert latest_round.then.turn == game.turn - 2, "a round of three"
        assert latest_round.then.revision == (await look_back(replace(viewer, seat=None))).then.revision
    assert not (await look_back(seen((user, game.public_revision, 0.0)))).events


async def test_a_player_who_hasnt_acted_yet_reads_about_the_latest_round() -> None:
    game = Game.new(config("base", 3), SeededChance(bytes(32), "7", ()))
    later = next(seat for seat in range(3) if seat not in game.to_act)
    nothing, _waits = text(await look_back(Viewer(table(game.config), game, later))).splitlines()
    assert nothing == "Nothing has happened in game 7 yet."
    first = table(game.config, acted=((Viewer(table(game.config), game, 0).users[0], 1, 0.0),))
    assert not (await look_back(Viewer(first, game, later))).own


async def test_M_an_onlooker_reads_no_hidden_card() -> None:
    game = played(4, 420)
    assert game.outcome is None
    report = await look_back(Viewer(table(game.config), game, None))
    assert all(player.hand is None for player in report.then.players)
    for event in report.events:
        assert not isinstance(event, ev.CardTaken) or event.card is None
        assert not isinstance(event, ev.CardBought) or event.card is None
    assert NOTHING not in [player.hand for player in report.then.players]
